"""Measures fits, detectors and the detection of slow jobs: how often they are right, and how fast.

    python benchmarks/monitoring.py [PART]... [--data FOLDER] [--number N]

The parts are fits, injected, flowbench, flowgad, nab, rates, tasks and frames; without one everything is measured.
`--data` is a folder with `flowbench`, `flowgad`, `nab` and `wfinstances` as their authors publish them (default:
../shared/data/monitoring beside the repository). Times are processor time.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import sys
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.nab import report as report_nab  # noqa: E402
from hpc_explorer.app.monitor.fitting import PLAIN_MACHINE, PLAIN_MODEL  # noqa: E402
from hpc_explorer.app.workspace.opening import open_sources  # noqa: E402
from hpc_explorer.app.workspace.session import Session  # noqa: E402
from hpc_explorer.monitor.aspen.evaluation import Target  # noqa: E402
from hpc_explorer.monitor.aspen.reading import parse_machine, parse_model  # noqa: E402
from hpc_explorer.monitor.detectors import shipped_detectors  # noqa: E402
from hpc_explorer.monitor.events import events_of  # noqa: E402
from hpc_explorer.monitor.fit_problem import Run  # noqa: E402
from hpc_explorer.monitor.fitting import fit  # noqa: E402
from hpc_explorer.monitor.graph import INPUT_BYTES, jobs_in  # noqa: E402
from hpc_explorer.monitor.jobs import Job, usual_times  # noqa: E402
from hpc_explorer.monitor.whole_runs import PROCESSOR_TIME, usual_runs  # noqa: E402
from tests.helpers.injection import KINDS, SAMPLING, inject, normal_series  # noqa: E402
from tests.helpers.random_models import random_model  # noqa: E402

Runs = dict[str, tuple[str, list[tuple[Job, str]]]]
"""The label of each run, and its jobs with their labels."""


def fits(data: Path, number: int) -> None:
    """Random models: which parameters are flagged, how near the others are, how long a fit takes."""
    random, missed, wrong, parameters = np.random.default_rng(0), 0, 0, 0
    seconds, errors = [], []
    for _ in range(number):
        case = random_model(random)
        began = time.process_time()
        found = fit(case.model, case.runs)
        seconds.append(time.process_time() - began)
        for one in found.parameters:
            parameters += 1
            faulty = one.name in case.unidentifiable
            missed += faulty and one.identified
            wrong += not faulty and not one.identified
            if not faulty and one.identified:
                errors.append(abs(one.value / case.truth[one.name] - 1))
    print(f"{number:,} models, {parameters:,} parameters: {missed} not flagged, {wrong} flagged wrongly")
    print(f"error of identified ones: median {np.median(errors):.2%}, largest {max(errors):.2%}")
    print(f"seconds for a fit: median {np.median(seconds):.3f}, 95 % below {np.quantile(seconds, 0.95):.3f}")


def injected(data: Path, number: int) -> None:
    """Injected anomalies, in a series of a day for each."""
    random, detectors = np.random.default_rng(0), shipped_detectors()
    right = false = missed = wrong_events = quiet = 0
    found, onsets = Counter[str](), defaultdict(list)
    for _ in range(number):
        training, normal = normal_series(random), normal_series(random)
        calibrated = {one.name: one.calibrate(training) for one in detectors}
        quiet += len(events_of(normal, {name: one.score(normal) for name, one in calibrated.items()}))
        series, anomalies = inject(normal, random)
        events = events_of(series, {name: one.score(series) for name, one in calibrated.items()})
        truth, said = np.zeros(len(series), bool), np.zeros(len(series), bool)
        for mask, intervals in ((truth, anomalies), (said, events)):
            for one in intervals:
                mask |= (series.times >= one.begin) & (series.times <= one.end)
        right += int((truth & said).sum())
        false += int((said & ~truth).sum())
        missed += int((truth & ~said).sum())
        for anomaly in anomalies:
            over = [one for one in events if one.begin <= anomaly.end and one.end >= anomaly.begin]
            found[anomaly.kind] += bool(over)
            if over:
                onsets[anomaly.kind].append(min(one.begin for one in over) - anomaly.begin)
        wrong_events += sum(not any(e.begin <= a.end and e.end >= a.begin for a in anomalies) for e in events)
    print(f"{number} days at {SAMPLING:g} s; points: F1 {2 * right / (2 * right + false + missed):.4f}")
    print(f"false events a day: {wrong_events / number:.3f}, on days without anomalies {quiet / number:.3f}")
    for kind in KINDS:
        late = np.array(onsets[kind])
        inside = float((np.abs(late) <= 60).mean())
        print(f"  {kind:<6} found {found[kind]} of {number}; onset within 60 s: {inside:.1%}, latest {late.max():g} s")


def _table(content: bytes, name: str) -> tuple[str, list[tuple[Job, str]]]:
    jobs, label = [], "normal"
    for row in csv.DictReader(io.StringIO(content.decode())):
        if row["type"] != "compute":
            continue
        own = row.get("anomaly_type") or "None"
        label = own if own != "None" else label
        staging = sum(float(row.get(key) or 0) for key in ("stage_in_delay", "stage_out_delay"))
        seconds = float(row["runtime"]) if row["runtime"] else None
        measures = {"input_bytes": float(row["stage_in_bytes"])} if row.get("stage_in_bytes") else {}
        measures |= {PROCESSOR_TIME: float(row[PROCESSOR_TIME])} if row.get(PROCESSOR_TIME) else {}
        host = row.get("kickstart_hostname") or ""
        iri, task = f"{name}/{row['']}", row.get("kickstart_transformations") or row[""].partition("_ID")[0]
        jobs.append((Job(iri, row[""], task, name, None, None, seconds, staging, host, None, measures), own))
    return label, jobs


def _flowbench(file: Path) -> Runs:
    with zipfile.ZipFile(file) as archive:
        return {name: _table(archive.read(name), name) for name in archive.namelist() if name.endswith(".csv")}


def _judge(runs: Runs, seed: int, *, anomalous: str = "hdd") -> str:
    """Train on half of the normal runs, and judge the rest."""
    normal = sorted(name for name in runs if runs[name][0] == "normal")
    np.random.default_rng(seed).shuffle(normal)
    training = set(normal[: len(normal) // 2])
    usual = usual_times([job for name in training for job, _ in runs[name][1]])
    counts: Counter[tuple[str, bool]] = Counter()
    labelled = flagged = both = slow = named = 0
    for name, (label, jobs) in runs.items():
        if name in training:
            continue
        found = {one.job.iri: one for one in usual.slow_jobs(job for job, _ in jobs)}
        kind = label.split("_")[0]
        counts[kind, bool(found)] += 1
        if kind == anomalous:
            for job, own in jobs:
                labelled += own.startswith(anomalous)
                flagged += job.iri in found
                both += own.startswith(anomalous) and job.iri in found
                # The observed slowdown, by medians of the training only.
                observed = usual.knows(job) and (job.working or 0) >= 2 * math.exp(usual.times[_key(usual, job)][0])
                slow += observed
                named += observed and job.iri in found
    hit, lost, false = counts[anomalous, True], counts[anomalous, False], counts["normal", True]
    f1 = 2 * hit / max(2 * hit + lost + false, 1)
    cpu = counts["cpu", True], counts["cpu", True] + counts["cpu", False]
    return (
        f"F1 {f1:.4f} ({lost} missed, {false} of {false + counts['normal', False]} normal);"
        f" cpu alarms {cpu[0]} of {cpu[1]}; jobs: labels recall {both / max(labelled, 1):.3f}"
        f" precision {both / max(flagged, 1):.3f}, observed slowdown recall {named / max(slow, 1):.3f}"
    )


def _key(usual: object, job: Job) -> tuple[str, str]:
    return ("name", job.name) if ("name", job.name) in usual.times else ("task", job.task)  # type: ignore[attr-defined]


def flowbench(data: Path, number: int) -> None:
    """The workflows of Flow-Bench; limits from half of the normal runs, in three random halves."""
    for file in sorted((data / "flowbench").glob("*.zip")):
        runs = _flowbench(file)
        for seed in range(3):
            print(f"{file.stem}, half {seed}: {_judge(runs, seed)}")


def flowgad(data: Path, number: int) -> None:
    """FlowGAD's sample of 1000genome, divided at random as its authors do: 60 % to train on, half of the rest to test.

    They train on labels; here only the normal runs of the training part count. As they do, all jobs of an anomalous
    run count as anomalous.
    """
    runs: Runs = {}
    with zipfile.ZipFile(data / "flowgad" / "data-1000genome-sample.zip") as archive:
        for name in archive.namelist():
            if name.endswith(".csv"):
                runs[name] = (Path(name).parent.name, _table(archive.read(name), name)[1])
    for factor, false_alarms in ((2.0, 0.01), (1.2, 0.01), (0.0, 0.01), (0.0, 0.1), (0.0, 0.25)):
        figures, alarms = defaultdict(list), defaultdict(list)
        for seed in range(number):
            names = sorted(runs)
            np.random.default_rng(seed).shuffle(names)
            known = len(names) * 6 // 10
            test = names[known : known + (len(names) - known) // 2]
            normal = [job for name in names[:known] if runs[name][0] == "normal" for job, _ in runs[name][1]]
            usual = usual_times(normal, factor=factor) if factor else None
            whole = usual_runs(normal, false_alarms=false_alarms)
            judged: dict[str, list[tuple[bool, bool]]] = {"runs": [], "jobs": []}
            for name in test:
                label, jobs = runs[name][0], [job for job, _ in runs[name][1]]
                slow = (
                    {job.iri for one in whole.slow_runs(jobs) for job in one.jobs}
                    if usual is None
                    else {one.job.iri for one in usual.slow_jobs(jobs)}
                )
                alarms[label].append(bool(slow))
                judged["runs"].append((label != "normal", bool(slow)))
                judged["jobs"] += [(label != "normal", job.iri in slow) for job in jobs]
            for what, pairs in judged.items():
                right = sum(true and said for true, said in pairs)
                figures[what, "accuracy"].append(np.mean([true == said for true, said in pairs]))
                figures[what, "precision"].append(right / max(1, sum(said for _, said in pairs)))
                figures[what, "recall"].append(right / max(1, sum(true for true, _ in pairs)))
                figures[what, "anomalous"].append(np.mean([true for true, _ in pairs]))
        how = f"least slowdown {factor:g}" if factor else f"whole runs, false alarms {false_alarms:g}"
        print(f"{how}, {number} divisions, means:")
        for what in ("runs", "jobs"):
            shown = (f"{word} {np.mean(figures[what, word]):.3f}" for word in ("accuracy", "precision", "recall"))
            print(f"  {what}: {', '.join(shown)}; {np.mean(figures[what, 'anomalous']):.3f} are labelled anomalous")
        print("  alarms: " + ", ".join(f"{label} {np.mean(ones):.0%}" for label, ones in sorted(alarms.items())))


def nab(data: Path, number: int) -> None:
    """Series of the Numenta Anomaly Benchmark."""
    report_nab(data)


def rates(data: Path, number: int) -> None:
    """Samples a second through each detector, with two hours of anomalies a day."""
    random = np.random.default_rng(0)
    training, series = normal_series(random), normal_series(random, 120)
    for begin in range(5000, len(series) - 2000, 17280):
        series.values[begin : begin + 1440] += 60
    for detector in shipped_detectors():
        calibrated = detector.calibrate(training)
        began = time.process_time()
        scores = calibrated.score(series)
        seconds = time.process_time() - began
        print(f"{detector.name}: {len(series) / seconds / 1e6:.1f} million samples a second")
        began = time.process_time()
        events_of(series, {detector.name: scores})
        print(f"  and events of them: {len(series) / (time.process_time() - began) / 1e6:.1f} million")


def tasks(data: Path, number: int) -> None:
    """For each real task: does a model of its input size predict runs held back better than their median?"""
    target, template = Target(parse_machine(PLAIN_MACHINE), "cpu"), parse_model(PLAIN_MODEL)
    print("| workflow | task | jobs | model, unseen runs | median, unseen runs | answer |\n|---|---|---|---|---|---|")
    for name, jobs in _workflows(data):
        kinds: dict[str, list[Job]] = defaultdict(list)
        for job in jobs:
            if job.seconds and (job.measures or {}).get(INPUT_BYTES):
                kinds[job.task].append(job)
        for task, ones in sorted(kinds.items()):
            if len(ones) < 9:
                continue
            np.random.default_rng(0).shuffle(ones)  # type: ignore[arg-type]
            given = [
                Run({INPUT_BYTES: (job.measures or {})[INPUT_BYTES]}, target, float(job.seconds or 0), job.iri)
                for job in ones
            ]
            past, unseen = given[: len(given) * 2 // 3][:300], given[len(given) * 2 // 3 :]
            found = fit(template, past)
            middle = float(np.median([run.measured for run in past]))
            medians = float(np.mean([abs(math.log(run.measured / middle)) for run in unseen]))
            answer, ours = "declines", ""
            if found.usable:
                predicted = [found.predict(run.values, target).value for run in unseen]
                error = np.mean([abs(math.log(run.measured / one)) for run, one in zip(unseen, predicted, strict=True)])
                answer, ours = "predicts", f"{error:.1%}"
            print(f"| {name} | {task} | {len(ones):,} | {ours} | {medians:.1%} | {answer} |")


def _workflows(data: Path) -> Iterator[tuple[str, list[Job]]]:
    """The jobs of normal runs of each workflow that is there."""
    for file in sorted((data / "flowbench").glob("*.zip")):
        runs = _flowbench(file).values()
        yield file.stem, [job for label, jobs in runs if label == "normal" for job, _ in jobs]
    workflows: dict[str, list[str]] = defaultdict(list)
    for file in sorted((data / "wfinstances").glob("*-*.json")):
        if "schema" not in file.name:
            workflows[file.name.partition("-")[0]].append(str(file))
    for name, sources in workflows.items():
        session = Session.new()
        open_sources(session, sources)
        yield name, list(jobs_in(session.store))
        session.close()


def frames(data: Path, number: int) -> None:
    """Frames of the view Monitor while it is panned and zoomed, at 1,000 by 600 pixels.

    Off screen, unless QT_QPA_PLATFORM is set.
    """
    import os
    import tempfile

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from hpc_explorer.app.monitor.run_view import JobRow, RunView, SeriesRow, lanes_of
    from hpc_explorer.monitor.series_graph import StatedSeries
    from hpc_explorer.rdf.terms import NamedNode
    from hpc_explorer.stores.series import SeriesPoints, SeriesStore
    from hpc_explorer.ui.monitor.plots import RunPlots
    from hpc_explorer.ui.widgets import theme

    application = QApplication.instance() or QApplication([])
    theme.prepare(application)  # type: ignore[arg-type]
    random, iri = np.random.default_rng(0), NamedNode("urn:series")
    with tempfile.TemporaryDirectory() as folder:
        store = SeriesStore(Path(folder))
        values = 100 + np.cumsum(random.normal(0, 0.1, number)) + random.normal(0, 8, number)
        store.add({iri.value: SeriesPoints(1.6e9 + np.arange(number, dtype=float), values)})
        extent = store.extents([iri.value])[iri.value]
        begin, width = extent.begin, extent.end - extent.begin
        began = time.process_time()
        drawn = store.drawn(iri.value, begin, extent.end)
        print(f"{number:,} points: read as {len(drawn.times):,} intervals in {time.process_time() - began:.3f} s")
    jobs = []
    for place in range(10_000):
        start = begin + random.uniform(0, width)
        end = start + random.uniform(0, width / 20)
        jobs.append(Job(f"urn:{place}", f"{place}", "t", "r", start, end, 10.0, 0, f"n{place % 50}"))
    lanes, names = lanes_of(jobs)
    rows = tuple(JobRow(NamedNode(job.iri), job, lane, ()) for job, lane in zip(jobs, lanes, strict=True))
    row = SeriesRow(StatedSeries(iri, "rate", "rate", "MB/s", (), "", ""), extent, (), None, ())
    plots = RunPlots()
    plots.resize(1000, 600)
    plots.show()
    for words, shown, lines in (("the series", (), ()), (f"it below {len(rows):,} jobs", rows, names)):
        plots.show_view(RunView("", words, shown, lines, (row,), (), 0, begin, extent.end))
        while plots.is_adding:
            application.processEvents()
        plots.show_series({iri: drawn})
        application.processEvents()
        for move, steps in (("pan", [(0.002 * k, 1 + 0.002 * k) for k in range(60)]),
                            ("zoom", [(0.007 * k, 1 - 0.007 * k) for k in range(60)])):  # fmt: skip
            began, clock = time.process_time(), time.perf_counter()
            for first, last in steps:
                plots.show_exactly(begin + first * width, begin + last * width)
                application.processEvents()
            took, passed = (time.process_time() - began) / len(steps), (time.perf_counter() - clock) / len(steps)
            print(f"{words}, {move}: {took * 1000:.1f} ms of processor time, {1 / passed:.0f} frames a second")
    plots.close()


PARTS = {
    "fits": (fits, 1000),
    "injected": (injected, 100),
    "flowbench": (flowbench, 0),
    "flowgad": (flowgad, 20),
    "nab": (nab, 0),
    "rates": (rates, 0),
    "tasks": (tasks, 0),
    "frames": (frames, 10_000_000),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "monitoring")
    parser.add_argument("--number", type=int, help="how many models or days")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.parts if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]}; there are {', '.join(PARTS)}")
    for name in arguments.parts or PARTS:
        run, usual = PARTS[name]
        print(f"\n## {name}")
        run(arguments.data, arguments.number or usual)


if __name__ == "__main__":
    main()
