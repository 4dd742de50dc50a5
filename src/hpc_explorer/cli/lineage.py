"""The commands `impact` and `compare`, and further output of `lineage` and `path`."""

from __future__ import annotations

import argparse
import io
from typing import TYPE_CHECKING

from hpc_explorer.cli.arguments import (
    add_options,
    add_sources,
    moment_of,
    open_session,
    resource_of,
)
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.syntax.csv_writing import CsvWriter

if TYPE_CHECKING:
    from datetime import datetime

    from hpc_explorer.app.lineage.comparing import Comparison
    from hpc_explorer.app.lineage.impact import Impact, ReachedModel
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.lineage.trace.trace import Lineage
    from hpc_explorer.rdf.terms import Resource
    from hpc_explorer.stores.base import Limits

# The most models or differences in a table; the other formats have all.
_MOST_LISTED = 40

_ABSENT = "(absent)"


def run_cost(arguments: argparse.Namespace, session: Session, resource: Resource, moment: datetime | None) -> int:
    """Run `lineage --cost`."""
    from hpc_explorer.app.lineage.tracing import next_level_count, trace_lineage
    from hpc_explorer.errors import UsageError

    if arguments.match_content:
        raise UsageError(
            "only recorded links are counted beforehand", "--cost with --match-content", "leave one of the two out"
        )
    lineage = trace_lineage(
        session,
        resource,
        downstream=arguments.downstream,
        depth=arguments.depth or 1,
        as_of=moment,
        limits=arguments.limits,
    )
    beyond = next_level_count(session, lineage, limits=arguments.limits)
    print(f"{len(lineage.nodes) - 1:,} resources within {arguments.depth or 1}; one more level brings {beyond}")
    return DONE


def print_lineage_facts(
    session: Session, lineage: Lineage, moment: datetime | None, recorded_by: datetime | None, limits: Limits
) -> None:
    """Print undated and invalidated resources, the recorded versions, and unknown predicates."""
    from hpc_explorer.app.explore.finding import references
    from hpc_explorer.app.lineage.tracing import not_understood, states_in
    from hpc_explorer.lineage.time.as_of import State

    if moment is not None:
        states = states_in(session, lineage, moment, recorded_by=recorded_by, limits=limits)
        for state in (State.UNDATED, State.INVALIDATED):
            which = [resource for resource, known in states.items() if known is state]
            if which:
                names = references(session, which[:_MOST_LISTED], limits=limits)
                more = f", and {len(which) - _MOST_LISTED:,} more" if len(which) > _MOST_LISTED else ""
                print(f"{state.value}: {', '.join(ref.label for ref in names.values())}{more}")
    if recorded_by is not None:
        print(recorded_text(session, lineage, recorded_by, limits))
    unknown = not_understood(session, lineage, recorded_by=recorded_by, limits=limits)
    if unknown:
        links = ", ".join(f"{session.prefixes.short(term.value)} ({number:,})" for term, number in unknown.items())
        print(f"not understood: {links}")


def recorded_text(session: Session, lineage: Lineage, at: datetime, limits: Limits) -> str:
    """Describe the versions that a lineage at a recorded time uses, and its undated or later removed statements."""
    from hpc_explorer.app.views import source_title
    from hpc_explorer.lineage.time.recorded import RecordedState
    from hpc_explorer.wording import counted

    history = session.recorded_history(limits=limits)
    quads = {quad for edge in lineage.edges for quad in edge.evidence}
    held = {mark.source: mark for mark in history.versions if mark.recorded <= at}
    versions = [
        f"{source_title(mark.source)} version {mark.number} of {mark.recorded:%Y-%m-%d}" for mark in held.values()
    ]
    parts = [f"as recorded by {at.isoformat()}: {', '.join(versions) or 'no source was'}"]
    undated = sum(history.state(quad, at) is RecordedState.UNDATED for quad in quads)
    gone = sum(history.state(quad, None) is RecordedState.NO_LONGER for quad in quads)
    parts += [f"{counted(undated, 'link')} undated"] if undated else []
    parts += [f"{counted(gone, 'link')} no longer recorded now"] if gone else []
    return "; ".join(parts)


def describe_impact(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `impact`."""
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument("iri", metavar="IRI", help="the dataset, file, script or machine")
    parser.add_argument(
        "--kind", action="append", default=[], metavar="CLASS", help="count these instead of models (may be repeated)"
    )
    parser.add_argument("--format", choices=("table", "csv", "json", "jsonld"), default="table")
    add_options(parser, "--match-content", "--as-of", "--vocabulary")


def run_impact(arguments: argparse.Namespace) -> int:
    """Run `impact`."""
    from hpc_explorer.app.lineage.impact import find_impact, impact_document
    from hpc_explorer.errors import UsageError
    from hpc_explorer.rdf.terms import NamedNode

    session = open_session(arguments)
    resource = resource_of(arguments, arguments.iri)
    kinds = [resource_of(arguments, text) for text in arguments.kind]
    classes = [kind for kind in kinds if isinstance(kind, NamedNode)]
    if len(classes) < len(kinds):
        raise UsageError("not the IRI of a class", "--kind", "give an IRI or prefixed name")
    found = find_impact(
        session,
        resource,
        kinds=classes,
        as_of=moment_of(arguments),
        match_content=arguments.match_content,
        limits=arguments.limits,
    )
    match arguments.format:
        case "csv":
            print(_impact_csv(found))
        case "json":
            print(_impact_json(found))
        case "jsonld":
            print(impact_document(session, found, limits=arguments.limits))
        case _:
            print(_impact_table(found, "thing" if classes else "model"))
    return DONE


def _impact_table(found: Impact, noun: str) -> str:
    from hpc_explorer.app.results.text_tables import table

    number = found.total.value
    when = "" if found.as_of is None else f" (as of {found.as_of.isoformat()})"
    lines = [f"{found.start.label}  {found.start.curie}", ""]
    condition = "" if found.is_anomaly else "if this is retracted, "
    lines.append(f"{condition}{found.total} {noun}{'s' * (number != 1)} rest{'s' * (number == 1)} on it{when}")
    lines += table(
        [(project.label if project else "(no known project)", str(count)) for project, count in found.projects],
        right=frozenset({1}),
        indent="  ",
    )
    if found.models:
        rows = [
            (
                model.ref.label + ("  (undated)" if model.undated else ""),
                str(model.reached.distance),
                _way(model),
            )
            for model in found.models[:_MOST_LISTED]
        ]
        lines += ["", *table([(noun, "steps", "by way of"), *rows], right=frozenset({1}))]
        if len(found.models) > _MOST_LISTED:
            lines.append(f"… and {len(found.models) - _MOST_LISTED:,} more; --format csv lists all")
    return "\n".join(lines)


def _way(model: ReachedModel) -> str:
    from hpc_explorer.ontology.labels import fallback_label

    path = model.reached.path
    mark = "  [matched by value]" if _is_matched(model) else ""
    return " → ".join(fallback_label(edge.effect) for edge in path[:-1]) + mark


def _is_matched(model: ReachedModel) -> bool:
    return any(edge.origin is Origin.MATCHED for edge in model.reached.path)


def _impact_csv(found: Impact) -> str:
    text = io.StringIO()
    writer = CsvWriter(text)
    writer.writerow(("project", "model", "label", "class", "steps", "undated", "matched", "way"))
    from hpc_explorer.rdf.terms import iri_text

    for model in found.models:
        way = " ".join(iri_text(edge.effect) for edge in model.reached.path)
        for project in model.projects or (None,):
            writer.writerow(
                (
                    project.iri if project else "",
                    model.ref.iri,
                    model.ref.label,
                    model.ref.kind,
                    model.reached.distance,
                    "yes" if model.undated else "",
                    "yes" if _is_matched(model) else "",
                    way,
                )
            )
    return text.getvalue().removesuffix("\r\n")


def _impact_json(found: Impact) -> str:
    from hpc_explorer.cli import as_json

    return as_json.dump(
        {
            "start": as_json.named(found.start),
            "as_of": None if found.as_of is None else found.as_of.isoformat(),
            "total": as_json.count(found.total),
            "projects": [
                {"project": None if project is None else as_json.named(project), "count": as_json.count(number)}
                for project, number in found.projects
            ],
            "models": [
                {
                    **as_json.named(model.ref),
                    "projects": [project.iri for project in model.projects],
                    "steps": model.reached.distance,
                    "undated": model.undated,
                    "path": [as_json.step(edge) for edge in model.reached.path],
                }
                for model in found.models
            ],
        }
    )


def describe_compare(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `compare`."""
    add_sources(parser)
    add_options(parser, "--infer", "--rules", "--own-schema")
    parser.add_argument("first", metavar="A", help="a run or a model")
    parser.add_argument("second", metavar="B", help="another")
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table")
    add_options(parser, "--vocabulary")


def run_compare(arguments: argparse.Namespace) -> int:
    """Run `compare`: exit code 1 if there are differences."""
    from hpc_explorer.app.lineage.comparing import compare_resources

    session = open_session(arguments)
    first, second = resource_of(arguments, arguments.first), resource_of(arguments, arguments.second)
    found = compare_resources(session, first, second, limits=arguments.limits)
    match arguments.format:
        case "csv":
            print(_compare_csv(found))
        case "json":
            print(_compare_json(found))
        case _:
            print(_compare_table(found))
    return FOUND_WRONG if found.differences else DONE


def _compare_rows(found: Comparison) -> list[tuple[str, ...]]:
    return [
        (
            one.when.isoformat() if one.when else "",
            one.aspect.value,
            one.name,
            one.role,
            _ABSENT if one.first is None else one.first,
            _ABSENT if one.second is None else one.second,
            str(one.count),
        )
        for one in found.differences
    ]


_COLUMNS = ("when", "aspect", "name", "role", "first", "second", "times")


def _compare_table(found: Comparison) -> str:
    from hpc_explorer.app.results.text_tables import table

    lines = [f"A  {found.first.label}  {found.first.curie}", f"B  {found.second.label}  {found.second.curie}", ""]
    if not found.differences:
        lines.append("no difference found")
    else:
        divergent = found.first_parameter
        if divergent is not None:
            sides = [_ABSENT if side is None else side for side in (divergent.first, divergent.second)]
            lines += [f"first divergent parameter: {divergent.name}: {sides[0]} | {sides[1]}", ""]
        rows = _compare_rows(found)
        lines += table([_COLUMNS, *rows[:_MOST_LISTED]], right=frozenset({6}))
        if len(rows) > _MOST_LISTED:
            lines.append(f"… and {len(rows) - _MOST_LISTED:,} more; --format csv lists all")
    lines += ["", f"{found.aligned:,} resources aligned"]
    lines += [f"not opened: {number:,} sections of {name}" for name, number in found.unopened]
    return "\n".join(lines)


def _compare_csv(found: Comparison) -> str:
    text = io.StringIO()
    writer = CsvWriter(text)
    writer.writerow(_COLUMNS)
    writer.writerows(_compare_rows(found))
    return text.getvalue().removesuffix("\r\n")


def _compare_json(found: Comparison) -> str:
    from hpc_explorer.cli import as_json

    def difference(row: tuple[str, ...]) -> dict[str, object]:
        return {**dict(zip(_COLUMNS, row, strict=True)), "times": int(row[6])}

    rows = [
        {**difference(row), "first": one.first, "second": one.second}
        for row, one in zip(_compare_rows(found), found.differences, strict=True)
    ]
    divergent = found.first_parameter
    return as_json.dump(
        {
            "first": as_json.named(found.first),
            "second": as_json.named(found.second),
            "differences": rows,
            "first_divergent_parameter": None if divergent is None else divergent.name,
            "aligned": found.aligned,
            "unopened": [{"role": name, "sections": number} for name, number in found.unopened],
        }
    )
