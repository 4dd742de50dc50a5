"""The command `validate`: validate a graph against shapes."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import add_options, add_sources, open_session
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.errors import UsageError

if TYPE_CHECKING:
    from hpc_explorer.annotate.validation.checking import Checked
    from hpc_explorer.annotate.validation.findings import Finding, Severity
    from hpc_explorer.annotate.validation.shapes import Shapes
    from hpc_explorer.app.views import ResourceRef
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.rdf.terms import Term
    from hpc_explorer.stores.base import Limits

# The number of resources whose labels are requested at once.
_NAMED_AT_ONCE = 200


def describe_validate(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `validate`."""
    add_sources(parser)
    parser.add_argument(
        "--shapes",
        type=Path,
        action="append",
        default=[],
        metavar="F",
        help="your own SHACL shapes (may be repeated)",
    )
    parser.add_argument(
        "--only-these", action="store_true", help="use only the shapes of --shapes, not the shipped ones"
    )
    parser.add_argument("--strict", action="store_true", help="exit code 1 for warnings too")
    forms = parser.add_mutually_exclusive_group()
    add_options(forms, "--json")
    forms.add_argument(
        "--format",
        choices=("text", "json", "ttl"),
        default="text",
        help="ttl: the validation report of SHACL, as Turtle",
    )


def run_validate(arguments: argparse.Namespace) -> int:
    """Run `validate`."""
    from hpc_explorer.annotate.validation.findings import Severity
    from hpc_explorer.app.checks.shapes import shapes_of
    from hpc_explorer.app.checks.validating import check_graph

    if arguments.only_these and not arguments.shapes:
        raise UsageError("--only-these requires --shapes", "", "name the files of shapes")
    session = open_session(arguments)
    shapes = shapes_of(session, arguments.shapes, shipped=not arguments.only_these)
    counts: Counter[Severity] = Counter()
    told: list[Checked] = []

    def counted() -> Iterator[Finding]:
        for finding in check_graph(session, shapes=shapes, progress=told.append, limits=arguments.limits):
            del told[:-1]
            counts[finding.severity] += 1
            yield finding

    form = "json" if arguments.json else arguments.format
    if form == "ttl":
        _print_report(counted(), shapes, session)
    elif form == "json":
        _print_json(counted(), counts, told, session, arguments.limits)
    else:
        _print_text(counted(), counts, told, session, arguments.limits)
    wrong = counts[Severity.VIOLATION] or (arguments.strict and counts[Severity.WARNING])
    return FOUND_WRONG if wrong else DONE


def _print_text(
    findings: Iterable[Finding],
    counts: Counter[Severity],
    told: list[Checked],
    session: Session,
    limits: Limits,
) -> None:
    last: Term | None = None
    for finding, ref in _named(findings, session, limits):
        if finding.place != last:
            last = finding.place
            print(f"{ref.label} ({ref.curie})" if ref.label != ref.curie else ref.curie)
        print(f"  {finding.severity.value:<9}  {finding.message}")
        for fix in finding.fixes:
            print(f"             fix: {fix.words}")
    parts = [f"{number:,} {severity.value}{'s' if number != 1 else ''}" for severity, number in sorted_counts(counts)]
    print(f"{told[-1].words} checked: {', '.join(parts) or told[-1].nothing}")


def sorted_counts(counts: Counter[Severity]) -> list[tuple[Severity, int]]:
    """The non-zero counts of findings by severity, the worst first."""
    from hpc_explorer.annotate.validation.findings import Severity

    return [(severity, counts[severity]) for severity in Severity if counts[severity]]


def _print_json(
    findings: Iterable[Finding],
    counts: Counter[Severity],
    told: list[Checked],
    session: Session,
    limits: Limits,
) -> None:
    from hpc_explorer.annotate.validation.findings import Severity

    print('{\n  "findings": [', end="")
    separator = "\n"
    for finding, ref in _named(findings, session, limits):
        print(separator + "    " + json.dumps(_as_json(finding, ref), ensure_ascii=False), end="")
        separator = ",\n"
    print("\n  ],")
    counted = {severity.value: counts[severity] for severity in Severity}
    print(f'  "counts": {json.dumps(counted)},')
    print(f'  "checked": {told[-1].resources + told[-1].literals},')
    print(f'  "conforms": {json.dumps(not counts[Severity.VIOLATION])}\n}}')


def _as_json(finding: Finding, ref: ResourceRef) -> dict[str, object]:
    from hpc_explorer.cli.as_json import named, term

    return {
        "resource": None if finding.subject is None else named(ref),
        "property": None if finding.field is None else finding.field.value,
        "severity": finding.severity.value,
        "message": finding.message,
        "focus": term(finding.focus),
        "path": None if finding.path is None else finding.path.value,
        "value": None if finding.value is None else term(finding.value),
        "constraint": finding.constraint.value,
        "shape": term(finding.shape),
        "fixes": [fix.words for fix in finding.fixes],
    }


def _print_report(findings: Iterable[Finding], shapes: Shapes, session: Session) -> None:
    from hpc_explorer.annotate.validation.report import report_quads
    from hpc_explorer.rdf.syntax.formats import TURTLE
    from hpc_explorer.rdf.syntax.writing import write_quads

    sys.stdout.flush()
    write_quads(report_quads(findings, shapes), sys.stdout.buffer, TURTLE, session.prefixes)


def _named(findings: Iterable[Finding], session: Session, limits: Limits) -> Iterator[tuple[Finding, ResourceRef]]:
    """The findings with the labels of their resources."""
    from hpc_explorer.app.checks.validating import places

    waiting = iter(findings)
    while some := list(islice(waiting, _NAMED_AT_ONCE)):
        refs = places(session, some, limits=limits)
        for finding in some:
            yield finding, refs[finding.place]
