"""The option `lineage --phases`: a lineage grouped by phase, workflow, stage and section."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from hpc_explorer.cli.arguments import moment_of
from hpc_explorer.cli.exit_codes import DONE

if TYPE_CHECKING:
    from hpc_explorer.app.lineage.phase_views import NamedValue, PhaseRow, PhaseView
    from hpc_explorer.app.workspace.session import Session
    from hpc_explorer.lineage.trace.trace import Lineage


def describe_phases(parser: argparse.ArgumentParser) -> None:
    """Add the options of phases."""
    parser.add_argument(
        "--phases",
        action="store_true",
        help="group by phase: data curation, learning data preparation, learning (with --format tree or json)",
    )
    parser.add_argument(
        "--open",
        action="append",
        default=[],
        metavar="GROUP",
        help="with --phases: expand the group of this name, such as Learning, then training (may be repeated)",
    )


def run_phases(arguments: argparse.Namespace, session: Session, lineage: Lineage) -> int:
    """Run `lineage --phases`."""
    from hpc_explorer.app.lineage.phase_viewing import phase_view
    from hpc_explorer.app.lineage.phasing import fold_lineage
    from hpc_explorer.cli import as_json
    from hpc_explorer.errors import UsageError

    if arguments.format not in ("tree", "json"):
        raise UsageError("phases do not have this format", f"--format {arguments.format}", "use --format tree or json")
    folded = fold_lineage(session, lineage, as_of=moment_of(arguments), limits=arguments.limits)
    view = phase_view(session, folded, limits=arguments.limits)
    for name in arguments.open:
        view = phase_view(session, folded, view.is_open | {_named(view, name).key}, limits=arguments.limits)
    print(as_json.dump(_as_json(view)) if arguments.format == "json" else _as_text(view))
    return DONE


def _named(view: PhaseView, name: str) -> PhaseRow:
    from hpc_explorer.errors import UsageError

    wanted = name.casefold()
    closed = [row for row in view.rows if row.opens and not row.is_open]
    found = [row for row in closed if wanted in (row.key.casefold(), row.title.casefold())]
    found = found or [row for row in closed if row.title.casefold().startswith(wanted)]
    if not found:
        names = ", ".join(dict.fromkeys(row.title for row in closed)) or "nothing"
        raise UsageError("no group of this name can be opened", name, f"these can: {names}")
    return found[0]


def _as_text(view: PhaseView) -> str:
    from hpc_explorer.app.lineage.phase_drawing import caption_of, facts_text, took

    lines = []
    for row in view.rows:
        mark = "−" if row.is_open else "+" if row.opens or row.plots else " "
        kind = row.ref.kind if row.ref is not None and not row.counts else ""
        time = took(row) if row.counts else ""
        facts = [caption_of(row), time, kind, *map(facts_text, row.values or ())]
        lines.append(f"{'  ' * row.indent}{mark} {'  '.join([row.title, *[' · '.join(filter(None, facts))]]).rstrip()}")
    if view.guessed:
        lines.append(f"{view.guessed:,} placed by name")
    return "\n".join(lines)


def _as_json(view: PhaseView) -> dict[str, Any]:
    from hpc_explorer.app.explore.finding import key_of

    placed = view.folded.placed
    return {
        "start": key_of(view.folded.lineage.start),
        "resources": len(view.folded.lineage.nodes),
        "phases": [
            {"phase": rows[0].phase.value, "parts": [_row_as_json(row) for row in rows]} for rows in view.columns
        ],
        "links": [
            {
                "effect": link.effect,
                "cause": link.cause,
                "relations": [relation.value for relation in link.relations],
                "origin": link.origin.value,
                "count": link.count,
            }
            for link in view.links
        ],
        "placed": {
            key_of(resource): {"phase": one.phase.value, "why": one.why, "guessed": one.guessed}
            for resource, one in placed.items()
        },
    }


def _row_as_json(row: PhaseRow) -> dict[str, Any]:
    return {
        "key": row.key,
        "title": row.title,
        "iri": row.ref.iri if row.ref is not None else None,
        "class": row.ref.kind if row.ref is not None else None,
        "level": row.level.value,
        "indent": row.indent,
        "open": row.is_open,
        "can_be_opened": row.opens,
        "counts": list(row.counts),
        "began": row.began.isoformat() if row.began is not None else None,
        "ended": row.ended.isoformat() if row.ended is not None else None,
        "values": None if row.values is None else [_value_as_json(value) for value in row.values],
    }


def _value_as_json(value: NamedValue) -> dict[str, Any]:
    facts, found = value.facts, value.divergence
    return {
        "name": value.name,
        "count": facts.count,
        "first": _number(facts.first),
        "last": _number(facts.last),
        "least": _number(facts.lowest),
        "mean": _number(facts.mean),
        "most": _number(facts.highest),
        "not_finite": facts.not_finite,
        "goes_wrong": {"number": found.position + 1, "what": found.what} if found is not None else None,
        "looked_through": value.looked,
    }


def _number(number: float | None) -> float | str | None:
    """JSON has only finite numbers: others are written as text."""
    return number if number is None or math.isfinite(number) else str(number)
