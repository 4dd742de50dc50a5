"""The command `fair`: how FAIR a resource is, or all of a source, and what to do next."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import add_options, add_sources, open_session, resource_of
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    from hpc_explorer.app.fair.assessing import AssessmentView
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.rdf.terms import NamedNode, Resource

_BY_EXTENSION = {
    ".txt": "text", ".json": "json", ".html": "html", ".csv": "csv", ".ttl": "ttl", ".nq": "nq", ".jsonld": "jsonld",
    ".svg": "svg",
}  # fmt: skip

_FORMATS = tuple(_BY_EXTENSION.values())

# The formats for many assessments.
_MANY_FORMATS = ("text", "json", "csv")

# The most resources that an error message lists.
_MOST_NAMED = 5

# The number of assessments between progress messages.
_PROGRESS_EVERY = 25


def describe_fair(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `fair`."""
    add_sources(parser)
    add_options(parser, "--files-in")
    parser.add_argument(
        "iri",
        nargs="?",
        metavar="IRI",
        help="the dataset or model; may be left out of a source that has only one; none with --all",
    )
    parser.add_argument("--all", action="store_true", help="all datasets and models of the sources, the best first")
    parser.add_argument("--class", dest="cls", metavar="CURIE", help="with --all: only instances of this class")
    parser.add_argument(
        "--answers", type=Path, metavar="A.toml", help="a file of answers (default: the one next to the graph)"
    )
    parser.add_argument(
        "--fuji", type=Path, metavar="REPORT.json", help="a report of F-UJI, which then decides its 17 metrics"
    )
    parser.add_argument(
        "--reading",
        choices=("hybrid", "literal", "automatic-stars"),
        default="hybrid",
        help="how to interpret the paper where it contradicts itself (default hybrid)",
    )
    parser.add_argument(
        "--online", action="store_true", help="request the addresses in the description (cached for a day)"
    )
    parser.add_argument(
        "--target",
        type=_target,
        metavar="N",
        help="what to do to reach N points, or N %% as in 83%%; exit code 1 while fewer are certain",
    )
    parser.add_argument("--keep", action="store_true", help="add the assessment to the history next to the graph")
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        help="html: a page; csv: a table; ttl, nq, jsonld: the results as statements (DQV, FAIR Test Results);"
        " svg: a badge (default text, or as the name of FILE ends)",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to this file instead of printing")


def _target(text: str) -> int | float:
    """Parse points as an integer, percent as a decimal number or with %."""
    found = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s*(%?)", text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points or percent")
    return float(found[1]) if found[2] or "." in found[1] else int(found[1])


def run_fair(arguments: argparse.Namespace) -> int:
    """Run `fair`: exit code 1 if a target is not certainly reached."""
    _split_positional(arguments)
    if arguments.cls and not arguments.all:
        raise UsageError("--class requires --all", arguments.cls, "add --all")
    if arguments.all and arguments.target is not None:
        raise UsageError("--target applies to one resource", "--all", "leave one of them out")
    if arguments.answers is not None and not arguments.answers.is_file():
        raise UsageError("no such file of answers", str(arguments.answers), "check the path")
    _choose_format(arguments)
    return _run_all(arguments) if arguments.all else _run_one(arguments)


def _choose_format(arguments: argparse.Namespace) -> None:
    """Set the format from the option or the file extension."""
    if arguments.format is None:
        ending = "" if arguments.output is None else arguments.output.suffix.lower()
        arguments.format = _BY_EXTENSION.get(ending, "text")
    if arguments.all and arguments.format not in _MANY_FORMATS:
        known = ", ".join(_MANY_FORMATS)
        raise UsageError("--all does not have this format", f"--format {arguments.format}", f"choose from {known}")


def _split_positional(arguments: argparse.Namespace) -> None:
    """Take the resource from the last positional argument, because the sources consume all of them."""
    if arguments.all or arguments.iri is not None:
        if arguments.all and arguments.iri is not None:
            arguments.sources.append(arguments.iri)
        return
    if len(arguments.sources) > 1:
        arguments.iri = arguments.sources.pop()


def _run_one(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.fair.assessing import assess_resource, keep_assessment, plan_for, repairs_for
    from hpc_explorer.app.fair.reporting import ReportForm, report_bytes
    from hpc_explorer.cli import fair_json, fair_text
    from hpc_explorer.fair.fuji_report import read_fuji_report
    from hpc_explorer.fair.readings import reading

    session = open_session(arguments)
    view = assess_resource(
        session,
        _resource(arguments, session),
        reading=reading(arguments.reading),
        online=arguments.online,
        answers=arguments.answers,
        limits=arguments.limits,
    )
    if arguments.fuji is not None:
        view = view.with_fuji(read_fuji_report(arguments.fuji))
    target = arguments.target
    plan = None if target is None else plan_for(session, view, target, limits=arguments.limits)
    if arguments.keep:
        keep_assessment(session, view, limits=arguments.limits)
    if arguments.format in ("text", "json"):
        repairs = repairs_for(session, view, limits=arguments.limits)
        form = fair_json if arguments.format == "json" else fair_text
        _write(arguments, f"{form.assessment(view, repairs, plan)}\n".encode())
    else:
        _write(arguments, report_bytes(view, ReportForm(f".{arguments.format}")))
    return FOUND_WRONG if plan is not None and view.score.low < plan.target else DONE


def _resource(arguments: argparse.Namespace, session: Session) -> Resource:
    """The named resource, or the only dataset or model of the source."""
    if arguments.iri is not None:
        return resource_of(arguments, arguments.iri)
    from hpc_explorer.app.explore.finding import references
    from hpc_explorer.app.fair.assessing_many import resources_to_assess

    found = resources_to_assess(session, limits=arguments.limits)
    if len(found) == 1:
        return found[0]
    source = arguments.sources[0]
    if not found:
        raise UsageError("it has no dataset or model", source, "name the resource to assess")
    some = references(session, found[:_MOST_NAMED], limits=arguments.limits)
    names = ", ".join(some[one].curie for one in found[:_MOST_NAMED]) + (" …" if len(found) > _MOST_NAMED else "")
    count = f"which of its {len(found):,} datasets and models should be assessed?"
    raise UsageError(count, source, f"name one, or give --all: {names}")


def _run_all(arguments: argparse.Namespace) -> int:
    from hpc_explorer.app.fair.assessing import keep_assessment
    from hpc_explorer.app.fair.assessing_many import assess_many, first_to_fix, ranked, resources_to_assess
    from hpc_explorer.cli import fair_json, fair_text
    from hpc_explorer.fair.readings import reading

    session = open_session(arguments)
    resources = resources_to_assess(session, _class_of(arguments, session), limits=arguments.limits)
    views: list[AssessmentView] = []
    for view in assess_many(
        session,
        resources,
        reading=reading(arguments.reading),
        online=arguments.online,
        answers=arguments.answers,
        progress=_show_progress if sys.stderr.isatty() else lambda done, of: None,
        limits=arguments.limits,
    ):
        if arguments.keep:
            keep_assessment(session, view, limits=arguments.limits)
        views.append(view)
    rows, fixes = ranked(views), first_to_fix(views)
    form = {"json": fair_json.many, "csv": fair_text.many_as_csv}.get(arguments.format, fair_text.many)
    _write(arguments, f"{form(rows, fixes)}\n".encode())
    return DONE


def _class_of(arguments: argparse.Namespace, session: Session) -> NamedNode | None:
    if arguments.cls is None:
        return None
    return session.prefixes.resolve(arguments.cls)


def _show_progress(done: int, of: int) -> None:
    if done % _PROGRESS_EVERY == 0 or done == of:
        end = "\n" if done == of else ""
        print(f"\r{done:,} of {of:,} assessed", end=end, file=sys.stderr, flush=True)


def _write(arguments: argparse.Namespace, content: bytes) -> None:
    if arguments.output is None:
        sys.stdout.flush()
        sys.stdout.write(content.decode())
        return
    from hpc_explorer.rdf.syntax.files import atomic_output

    with atomic_output(arguments.output) as stream:
        stream.write(content)
    print(f"written to {arguments.output}", file=sys.stderr)
