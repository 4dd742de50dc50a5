"""The command `monitor`: performance models, slow jobs, and anomalies of measurements."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.cli.arguments import add_options, limits_of, open_session
from hpc_explorer.cli.edit import open_workspace
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.cli.measurements import run_import, run_watch, time_text
from hpc_explorer.errors import UsageError
from hpc_explorer.wording import counted

if TYPE_CHECKING:
    from hpc_explorer.app.monitor.detecting import SeriesEvents
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.monitor.fitting import Fit, Prediction

_SHOWN = 40
"""The most rows of a listing; the JSON output has all."""


def describe_monitor(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `monitor`."""
    parser.add_argument(
        "action",
        choices=tuple(_ACTIONS),
        help="import: runs and measurements into a workspace; fit: models to past runs; predict: a run; detect: slow"
        " jobs, or anomalies of --series; events: list them; watch: files of measurements that grow, influx:// and amqp://"
        " addresses, into a workspace",
    )
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help="runs: file, folder, workspace or sample:NAME")
    parser.add_argument("--task", metavar="NAME", help="fit: only this kind of job")
    parser.add_argument("--template", type=Path, metavar="M.aspen", help="fit, predict: the model with free parameters")
    parser.add_argument("--runs", type=Path, metavar="RUNS.csv", help="fit, predict: a table of runs instead of SOURCE")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT.aspen", help="fit: write the model of one task")
    parser.add_argument("--machine", type=Path, metavar="M.aspen", help="predict, detect --series: the machine file")
    parser.add_argument("--socket", metavar="NAME", help="predict: the socket of the machine")
    parser.add_argument(
        "--set", action="append", default=[], metavar="K=V", help="predict: a parameter (may be repeated)"
    )
    parser.add_argument(
        "--normal", action="append", default=[], metavar="SOURCE", help="detect: normal runs (may be repeated)"
    )
    parser.add_argument(
        "--whole-runs", action="store_true", help="detect: slow runs as a whole, instead of slow jobs and their hosts"
    )
    parser.add_argument(
        "--factor", type=_factor, default=2.0, metavar="N", help="detect: the least slowdown that counts (default 2)"
    )
    parser.add_argument(
        "--false-alarms",
        type=_share,
        default=0.01,
        metavar="SHARE",
        help="detect: the share of normal runs that may give an alarm (default 0.01)",
    )
    parser.add_argument("--series", type=Path, metavar="FILE", help="detect: measurements, with SOURCE for the jobs")
    parser.add_argument(
        "--training",
        type=Path,
        metavar="FILE",
        help="detect: measurements without anomalies (default: the first quarter)",
    )
    parser.add_argument(
        "--every", type=_seconds, default=5.0, metavar="S", help="watch: seconds between two looks (default 5)"
    )
    parser.add_argument("--detect", action="store_true", help="watch: look for anomalies in what is new, and keep them")
    parser.add_argument(
        "--notify", action="store_true", help="watch: also run the program, or send the message, of the settings"
    )
    parser.add_argument("--keep", action="store_true", help="fit, detect: add the result to the workspace")
    add_options(parser, "--json", "--allow-remote-contexts", "--skip-damaged", "--timeout")
    parser.set_defaults(refresh=False)


def _factor(text: str) -> float:
    value = float(text)
    if not value > 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 1")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds")
    return value


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def run_monitor(arguments: argparse.Namespace) -> int:
    """Run `monitor`."""
    arguments.limits = limits_of(arguments)
    return _ACTIONS[arguments.action](arguments)


def _session(arguments: argparse.Namespace) -> Session:
    if not arguments.sources:
        raise UsageError("no source is named", f"monitor {arguments.action}", "name a file, folder or workspace")
    if not arguments.keep:
        return open_session(arguments)
    if len(arguments.sources) > 1:
        raise UsageError("--keep writes into one workspace", arguments.sources[1], "leave it out")
    arguments.workspace = arguments.sources[0]
    return open_workspace(arguments)


# Models


def _fit(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.monitor.fitting import TaskFit, fit_table, fit_tasks, keep_models

    if arguments.runs is not None:
        if arguments.template is None:
            raise UsageError("--runs needs a model", "--runs", "add --template M.aspen")
        found = fit_table(arguments.runs, arguments.template)
        fits: Sequence[TaskFit] = [TaskFit(found.template.name, found.runs, found, found.declined)]
    else:
        session = _session(arguments)
        fits = fit_tasks(session, task=arguments.task, template=arguments.template, limits=arguments.limits)
        if arguments.keep:
            added = keep_models(session, fits)
            print(f"hpc-explorer: added {added:,} statements", file=sys.stderr)
    usable = [one for one in fits if not one.reason]
    if arguments.output is not None:
        if len(fits) != 1 or not usable or usable[0].fit is None:
            raise UsageError("not one usable model to write", str(arguments.output), "name a task with --task")
        _write_model(usable[0].fit, arguments.output)
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        print(dump([_fit_json(one) for one in fits]))
    else:
        for one in fits:
            for line in _fit_lines(one):
                print(line)
    return DONE if usable else FOUND_WRONG


def _write_model(found: Fit, output: Path) -> None:
    from hpc_explorer.monitor.aspen.writing import model_text
    from hpc_explorer.rdf.syntax.files import atomic_output

    with atomic_output(output) as stream:
        stream.write(model_text(found.model).encode())
    print(f"written to {output}", file=sys.stderr)


def _fit_json(one: Any) -> dict[str, Any]:
    found = one.fit
    return {
        "task": one.task,
        "jobs": one.jobs,
        "usable": not one.reason,
        "reason": one.reason,
        "parameters": [] if found is None else [dataclasses.asdict(parameter) for parameter in found.parameters],
        "held_back_error": None if found is None else _finite(found.held_back_error),
        "median_error": None if found is None else _finite(found.median_error),
    }


def _finite(number: float) -> float | None:
    return number if number == number else None


def _fit_lines(one: Any) -> list[str]:
    jobs = counted(one.jobs, "run")
    if one.reason:
        return [f"{one.task}: no usable model ({jobs}): {one.reason}"]
    found = one.fit
    errors = f"{found.held_back_error:.1%}, of the median of past runs {found.median_error:.1%}"
    lines = [f"{one.task}: error on runs held back {errors} ({jobs})"]
    for parameter in found.parameters:
        interval = f"{parameter.low:.4g} to {parameter.high:.4g}"
        state = "" if parameter.identified else f"; not identified: {parameter.why}"
        lines.append(f"  {parameter.name} = {parameter.value:.4g} ({interval}){state}")
    return lines


def _predicted(arguments: argparse.Namespace) -> Prediction:
    from hpc_explorer.app.monitor.fitting import fit_table, predict_run

    for option in ("runs", "template", "machine", "socket"):
        if getattr(arguments, option) is None:
            raise UsageError(
                f"--{option} is missing", f"monitor {arguments.action}", "give runs, template, machine and socket"
            )
    values = {}
    for pair in arguments.set:
        name, _, text = pair.partition("=")
        try:
            values[name.strip()] = float(text)
        except ValueError:
            raise UsageError("not a number", f"--set {pair}", "write NAME=NUMBER") from None
    return predict_run(fit_table(arguments.runs, arguments.template), values, arguments.machine, arguments.socket)


def _predict(arguments: argparse.Namespace) -> int:
    found = _predicted(arguments)
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        print(dump(dataclasses.asdict(found)))
        return DONE
    print(f"{found.value:.6g} ({found.confidence:.0%} of runs: {found.low:.6g} to {found.high:.6g})")
    if found.uncertain:
        print(f"the runs do not determine {', '.join(found.uncertain)}, so the interval is wide")
    return DONE


# Detection


def _detect(arguments: argparse.Namespace) -> int:
    if arguments.series is not None:
        return _detect_in_series(arguments)
    from hpc_explorer.app.monitor.detecting import detect_slow_hosts, keep_detection
    from hpc_explorer.app.workspace.opening import open_sources
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.monitor.jobs import run_name

    if not arguments.normal:
        raise UsageError("no normal runs are named", "monitor detect", "add --normal SOURCE, or --series FILE")
    session, normal = _session(arguments), Session.new()
    try:
        open_sources(normal, arguments.normal, limits=arguments.limits)
        if arguments.whole_runs:
            return _detect_slow_runs(arguments, session, normal)
        found = detect_slow_hosts(
            session, normal, false_alarms=arguments.false_alarms, factor=arguments.factor, limits=arguments.limits
        )
    finally:
        normal.close()
    added = None
    if arguments.keep:
        added = keep_detection(session, found.statements, "Detection of slow jobs")
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        print(
            dump(
                {
                    "runs": found.runs,
                    "jobs": found.jobs,
                    "unknown": found.unknown,
                    "normal_runs": found.normal_runs,
                    "graph": found.graph.value,
                    "added": added,
                    "causes": [
                        {
                            "run": cause.run,
                            "host": cause.host,
                            "score": cause.score,
                            "begin": time_text(cause.begin),
                            "end": time_text(cause.end),
                            "jobs": [
                                {
                                    "job": slow.job.iri,
                                    "name": slow.job.name,
                                    "expected": slow.expected,
                                    "slowdown": slow.slowdown,
                                    "severity": slow.severity,
                                    "evidence": slow.evidence,
                                }
                                for slow in cause.jobs
                            ],
                        }
                        for cause in found.causes
                    ],
                }
            )
        )
        return FOUND_WRONG if found.causes else DONE
    jobs, runs = counted(found.jobs, "job"), counted(found.runs, "run")
    print(f"{jobs} of {runs} compared with {counted(found.normal_runs, 'normal run')}")
    if found.unknown:
        print(f"not judged, as nothing there is comparable: {counted(found.unknown, 'job')}")
    for cause in found.causes[:_SHOWN]:
        run = run_name(cause.run)
        print(f"{run}: {cause.host or 'unknown host'}: {len(cause.jobs):,} slow, since {time_text(cause.begin) or '?'}")
        for slow in cause.jobs[:_SHOWN]:
            print(f"  {slow.severity:<8} {slow.job.name}: {slow.evidence}")
    if len(found.causes) > _SHOWN:
        print(f"… and {len(found.causes) - _SHOWN:,} more; --json has all")
    if not found.causes:
        print("no slow job")
    _say_added(added)
    return FOUND_WRONG if found.causes else DONE


def _detect_slow_runs(arguments: argparse.Namespace, session: Session, normal: Session) -> int:
    from hpc_explorer.app.monitor.detecting import detect_slow_runs, keep_detection
    from hpc_explorer.monitor.jobs import run_name

    found = detect_slow_runs(session, normal, false_alarms=arguments.false_alarms, limits=arguments.limits)
    added = keep_detection(session, found.statements, "Detection of slow runs") if arguments.keep else None
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        slow = [
            {
                "run": one.run,
                "score": one.score,
                "severity": one.severity,
                "begin": time_text(one.begin),
                "end": time_text(one.end),
                "evidence": one.evidence,
                "jobs": [job.iri for job in one.jobs],
            }
            for one in found.found
        ]
        about = {"runs": found.runs, "normal_runs": found.normal_runs, "graph": found.graph.value, "added": added}
        print(dump({**about, "slow_runs": slow}))
        return FOUND_WRONG if found.found else DONE
    print(f"{counted(found.runs, 'run')} compared with {counted(found.normal_runs, 'normal run')}")
    for one in found.found[:_SHOWN]:
        run = run_name(one.run)
        print(f"{one.severity:<8} {run}: {one.score:.1f} times the limit; {counted(len(one.jobs), 'job')}")
        print(f"         {one.evidence}")
    if len(found.found) > _SHOWN:
        print(f"… and {len(found.found) - _SHOWN:,} more; --json has all")
    if not found.found:
        print("no slow run")
    _say_added(added)
    return FOUND_WRONG if found.found else DONE


def _detect_in_series(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.monitor.detecting import detect_in_series, keep_detection

    session = _session(arguments) if arguments.sources else None
    predicted = _predicted(arguments) if arguments.machine is not None else None
    found, lost = detect_in_series(
        session, arguments.series, arguments.training, predicted=predicted, limits=arguments.limits
    )
    added = None
    if arguments.keep:
        if session is None:
            raise UsageError("--keep needs a workspace", "monitor detect", "name a workspace as SOURCE")
        statements = [quad for one in found for quad in one.statements]
        added = keep_detection(session, statements, f"Detection of anomalies in {arguments.series.name}")
    for line in lost:
        print(f"hpc-explorer: {line}", file=sys.stderr)
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        print(dump({"added": added, "series": [_series_json(one) for one in found]}))
    else:
        for one in found:
            number = len(one.events)
            print(f"{one.series}: {len(one.series.series):,} points, {number:,} {'event' if number == 1 else 'events'}")
            for event, jobs in one.events[:_SHOWN]:
                print(f"  {event.severity:<8} {time_text(event.begin)} – {time_text(event.end)}: {event.evidence}")
                if jobs:
                    names = ", ".join(job.name for job in jobs[:5]) + (" …" if len(jobs) > 5 else "")
                    print(f"           jobs meanwhile: {names}")
        _say_added(added)
    return FOUND_WRONG if any(one.events for one in found) else DONE


def _series_json(one: SeriesEvents) -> dict[str, Any]:
    return {
        "name": one.series.name,
        "labels": dict(one.series.labels),
        "unit": one.series.unit,
        "points": len(one.series.series),
        "graph": one.graph.value,
        "events": [
            {
                **dataclasses.asdict(event),
                "begin": time_text(event.begin),
                "end": time_text(event.end),
                "jobs": [job.iri for job in jobs],
                "hosts": list(one.hosts),
                "data_stores": [place.value for place in one.data_stores],
            }
            for event, jobs in one.events
        ],
    }


def _say_added(added: int | None) -> None:
    if added is not None:
        print("nothing new for the workspace" if not added else f"added {added:,} statements to the workspace")


def _events(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.monitor.detecting import list_anomalies

    found = list_anomalies(_session(arguments), limits=arguments.limits)
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        print(dump([dataclasses.asdict(one) for one in found]))
        return DONE
    for one in found[:_SHOWN]:
        at = f", on {one.host}" if one.host else f", in {one.data_stores}" if one.data_stores else ""
        affected = f", influenced {one.jobs:,} {'job' if one.jobs == 1 else 'jobs'}" if one.jobs else ""
        print(f"{one.severity:<8} {one.begin or '?'}  {one.what}: {one.evidence}{at}{affected}")
        print(f"         <{one.iri}>")
    if len(found) > _SHOWN:
        print(f"… and {len(found) - _SHOWN:,} more; --json has all")
    if not found:
        print("no anomaly; see `hpc-explorer monitor detect`")
    return DONE


_ACTIONS = {
    "import": run_import,
    "fit": _fit,
    "predict": _predict,
    "detect": _detect,
    "events": _events,
    "watch": run_watch,
}
