"""The command `journal push`: write the changes of a workspace back to its sources."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hpc_explorer.cli.edit import open_workspace
from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hpc_explorer.annotate.pushing.values import Conflict, PushPlan, PushReport, Target
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.rdf.terms import NamedNode, Quad


def add_push(parser: argparse.ArgumentParser) -> None:
    """Add the options of a push."""
    parser.add_argument("--dry-run", action="store_true", help="push: only print what would be done")
    parser.add_argument(
        "--prefer",
        choices=("mine", "theirs", "both"),
        help="push: how to resolve conflicts (default: list them and stop)",
    )
    parser.add_argument(
        "--rewrite",
        action="store_true",
        help="push: rewrite files that cannot be edited in place (RDF/XML, JSON-LD, …)",
    )
    parser.add_argument(
        "--left-to",
        metavar="SOURCE",
        help="push: write additions in graphs without a source, such as that of a table, to this source",
    )


def _taker(plan: PushPlan, named: str) -> NamedNode:
    """The graph of a source, by its name or file name."""
    from pathlib import Path

    from hpc_explorer.errors import UsageError

    found = [graph for graph, name in plan.takers if named in (name, Path(name).name)]
    if len(found) != 1:
        offered = ", ".join(name for _, name in plan.takers) or "none"
        raise UsageError("no such source", named, f"there are: {offered}")
    return found[0]


def run_push(arguments: argparse.Namespace) -> int:
    """Run `journal push`."""
    from hpc_explorer.annotate.pushing.values import Choice
    from hpc_explorer.app.journal.push import give_left, push, push_plan

    session = open_workspace(arguments, to_edit=not arguments.dry_run)
    plan = push_plan(session, limits=arguments.limits)
    if arguments.left_to is not None and plan.left:
        taker = _taker(plan, arguments.left_to)
        if not arguments.dry_run:
            give_left(session, plan, taker)
            plan = push_plan(session, limits=arguments.limits)
    stops = bool(plan.conflicts) and arguments.prefer is None
    report = None
    if not arguments.dry_run and not stops and plan.targets:
        choices = {conflict: Choice(arguments.prefer) for conflict in plan.conflicts}
        report = push(session, plan, choices, rewrite=arguments.rewrite, limits=arguments.limits)
    if arguments.json:
        from hpc_explorer.cli.as_json import dump

        print(dump(_document(plan, report)))
    else:
        print("\n".join(_lines(session, plan, report, stops)))
    left = plan.refused or plan.left or stops
    return FOUND_WRONG if left else DONE


# As text


def _lines(session: Session, plan: PushPlan, report: PushReport | None, stops: bool) -> list[str]:
    lines: list[str] = []
    for target in plan.targets:
        lines += _target_lines(session, target, done=report is not None and target.refused is None)
    if plan.left:
        lines.append(
            f"{len(plan.left):,} statements were changed in graphs without a source; they stay here, "
            "or go to a source with --left-to"
        )
    if stops:
        lines.append("nothing was pushed: resolve the conflicts with --prefer mine, theirs or both")
    elif report is not None:
        lines.append(f"pushed: {report.removed:,} statements removed, {report.added:,} added")
    elif not plan.targets:
        lines.append("there is nothing to push")
    return lines


def _target_lines(session: Session, target: Target, *, done: bool) -> list[str]:
    lines = [f"{target.where}: {len(target.removed):,} removed, {len(target.added):,} added"]
    lines += _statements(session, target.removed, target.added)
    if target.refused is not None:
        return [*lines, f"  not pushed: {target.refused}"]
    if target.rewritten is not None:
        lines.append(f"  {'was' if done else 'is'} rewritten: {target.rewritten}")
    if target.theirs_removed or target.theirs_added:
        lines.append("  changed there in the meantime, and applied here:")
        lines += [f"  {line}" for line in _statements(session, target.theirs_removed, target.theirs_added)]
    for conflict in target.conflicts:
        lines += _conflict_lines(session, conflict)
    return lines


def _conflict_lines(session: Session, conflict: Conflict) -> list[str]:
    def values(terms: Iterable[object]) -> str:
        return ", ".join(_term(session, term) for term in terms) or "(nothing)"

    about = f"{_term(session, conflict.subject)} {_term(session, conflict.predicate)}"
    return [
        f"  conflict: {about} ({conflict.kind.value})",
        f"    was:    {values(conflict.base)}",
        f"    mine:   {values(conflict.mine)}",
        f"    theirs: {values(conflict.theirs)}",
    ]


def _statements(session: Session, removed: Iterable[Quad], added: Iterable[Quad]) -> list[str]:
    return [
        f"  {sign} {_term(session, quad.subject)} {_term(session, quad.predicate)} {_term(session, quad.object)}"
        for sign, quads in (("-", removed), ("+", added))
        for quad in quads
    ]


def _term(session: Session, term: object) -> str:
    from hpc_explorer.rdf.terms import NamedNode

    return (session.prefixes.curie(term.value) or str(term)) if isinstance(term, NamedNode) else str(term)


# As JSON


def _document(plan: PushPlan, report: PushReport | None) -> dict[str, object]:
    return {
        "targets": [_target(target) for target in plan.targets],
        "left": [statement_json(quad) for quad in plan.left],
        "pushed": None
        if report is None
        else {
            "revision": report.revision,
            "targets": [
                {
                    "where": one.target.where,
                    "removed": one.removed,
                    "added": one.added,
                    "taken_removed": one.taken_removed,
                    "taken_added": one.taken_added,
                }
                for one in report.pushed
            ],
        },
    }


def _target(target: Target) -> dict[str, object]:
    return {
        "source": target.source,
        "kind": target.kind.value,
        "where": target.where,
        "removed": [statement_json(quad) for quad in target.removed],
        "added": [statement_json(quad) for quad in target.added],
        "theirs_removed": [statement_json(quad) for quad in target.theirs_removed],
        "theirs_added": [statement_json(quad) for quad in target.theirs_added],
        "conflicts": [_conflict(conflict) for conflict in target.conflicts],
        "rewritten": target.rewritten,
        "refused": target.refused,
    }


def _conflict(conflict: Conflict) -> dict[str, object]:
    from hpc_explorer.cli.as_json import term

    return {
        "subject": term(conflict.subject),
        "predicate": term(conflict.predicate),
        "graph": getattr(conflict.graph, "value", None),
        "kind": conflict.kind.value,
        "base": [term(value) for value in conflict.base],
        "mine": [term(value) for value in conflict.mine],
        "theirs": [term(value) for value in conflict.theirs],
    }


def statement_json(quad: Quad) -> dict[str, object]:
    """Encode a statement with its graph; None for the default graph."""
    from hpc_explorer.cli.as_json import term

    return {
        "subject": term(quad.subject),
        "predicate": term(quad.predicate),
        "object": term(quad.object),
        "graph": getattr(quad.graph_name, "value", None),
    }
