"""Draw a folded lineage as a scene with a column for each phase."""

from __future__ import annotations

import math
from datetime import timedelta

from hpc_explorer.app.lineage.phase_views import NamedValue, PhaseRow, PhaseView
from hpc_explorer.canvas.scene import ORIGIN_WORDS, Scene, SceneEdge, SceneNode
from hpc_explorer.lineage.phases.sections import Level
from hpc_explorer.lineage.trace.trace import Direction
from hpc_explorer.wording import counted

CLOSED_MARK, OPEN_MARK, PLOT_MARK = "+", "−", "plot"
"""Badges: a click opens the card, closes it, or plots the values of its sections."""

SUMMING_UP = "summing up …"
"""Shown on a card while its facts are loading."""


def phase_scene(view: PhaseView) -> Scene:
    """The visible rows of a folded lineage as a scene with a column for each phase."""
    lineage = view.folded.lineage
    start = view.folded.refs[lineage.start]
    nodes = tuple(_card(row, focus=row.ref is not None and row.ref.resource == lineage.start) for row in view.rows)
    edges = tuple(
        SceneEdge(
            link.effect,
            link.cause,
            link.relations[0].value if len(link.relations) == 1 else f"{link.count:,} links",
            link.origin.value,
            "back",
            tooltip=f"{counted(link.count, 'link')}, {ORIGIN_WORDS[link.origin.value]}: "
            + ", ".join(relation.value for relation in link.relations),
        )
        for link in view.links
    )
    upstream = lineage.direction is Direction.UPSTREAM
    title = f"Where {start.label} comes from" if upstream else f"What was made from {start.label}"
    columns = tuple(tuple((row.key, row.indent) for row in column) for column in view.columns)
    return Scene(nodes, edges, title, "columns", note=_guesses(view), columns=columns)


def _guesses(view: PhaseView) -> str:
    return f"{counted(view.guessed, 'activity')} placed by name" if view.guessed else ""


def _card(row: PhaseRow, *, focus: bool) -> SceneNode:
    mark = PLOT_MARK if row.plots else OPEN_MARK if row.is_open else CLOSED_MARK if row.opens else ""
    ref = row.ref
    why = f"{row.phase.value}: {row.why}" if row.why else ""
    return SceneNode(
        key=row.key,
        label=row.title,
        kind=ref.kind if ref is not None and row.level is not Level.ACTIVITY else "",
        colour_key="activity" if row.level is Level.PHASE else row.look,
        caption=caption_of(row) or (ref.kind if ref is not None and row.level is Level.ACTIVITY else None),
        tooltip="\n".join(part for part in (ref.iri if ref is not None else "", why, *_all_facts(row)) if part),
        focus=focus,
        stop=note_of(row) or None,
        badges=(mark,) if mark else (),
        group=row.level in (Level.GROUP, Level.SETTING) or (row.level is Level.PHASE and not row.is_open),
    )


def caption_of(row: PhaseRow) -> str:
    """The content of a part, "300 epochs · 60,000 batches", or its duration."""
    return " · ".join(row.counts) or took(row)


def note_of(row: PhaseRow) -> str:
    """The most important number of a part's sections, a loss or else a measure, and the duration."""
    if row.values is None:
        return SUMMING_UP
    values = sorted(row.values, key=lambda value: (not value.falls, not value.is_measure))
    return " · ".join(part for part in (*map(facts_text, values[:1]), took(row) if row.counts else "") if part)


def took(row: PhaseRow) -> str:
    """The duration of a part, or ""."""
    if row.began is None or row.ended is None or row.ended < row.began:
        return ""
    return rough_duration(row.ended - row.began)


def _all_facts(row: PhaseRow) -> list[str]:
    return [facts_text(value) for value in row.values or ()]


def facts_text(value: NamedValue) -> str:
    """Numbers of one kind: "loss 0.7 → 0.21 (least 0.19), rises from no. 41,200"."""
    facts = value.facts
    parts = []
    if facts.first is not None and facts.last is not None and facts.count > 1:
        parts.append(f"{number_text(facts.first)} → {number_text(facts.last)}")
    elif facts.mean is not None:
        parts.append(number_text(facts.mean) if facts.count == 1 else f"mean {number_text(facts.mean)}")
    if facts.lowest is not None and facts.highest is not None and facts.count > 1:
        bound = ("min", facts.lowest) if value.falls else ("max", facts.highest)
        if number_text(bound[1]) != number_text(facts.last if facts.last is not None else math.nan):
            parts.append(f"({bound[0]} {number_text(bound[1])})")
    text = f"{value.name} {' '.join(parts)}".strip()
    if value.divergence is not None:
        text += f", {value.divergence.what} from no. {value.divergence.position + 1:,}"
    elif facts.not_finite:
        text += f", {facts.not_finite:,} not finite"
    return text


def number_text(number: float) -> str:
    """A number with three significant digits."""
    return f"{number:.3g}"


def rough_duration(time: timedelta) -> str:
    """A duration in its two largest units: "2 d 7 h", "2 h 14 min", "3 min 30 s", "12.4 s"."""
    seconds = time.total_seconds()
    if seconds < 60:
        return f"{seconds:.3g} s"
    whole = round(seconds)
    for unit, size, below, part in _UNITS:
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {unit}" + (f" {rest} {below}" if rest else "")
    return f"{whole} s"


_UNITS = (("d", 86_400, "h", 3_600), ("h", 3_600, "min", 60), ("min", 60, "s", 1))
