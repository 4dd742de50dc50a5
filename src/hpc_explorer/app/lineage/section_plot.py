"""The numbers of many sections as an answer: a plot, statistics, and where they diverge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hpc_explorer.app.lineage.phase_views import PhaseView, SectionSeries
from hpc_explorer.app.lineage.phasing import section_series
from hpc_explorer.app.results.answer import (
    Answer,
    AnswerPlot,
    Axis,
    Cell,
    Mark,
    Series,
)
from hpc_explorer.lineage.phases.divergence import Divergence
from hpc_explorer.query.table import CellKind, Column, Table
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

FEW = 60
"""Maximum values that are drawn as points."""


def section_answer(session: Session, view: PhaseView, key: str, *, limits: Limits = NO_LIMITS) -> Answer:
    """The values measured by a group of sections, a loss first."""
    row = view.row(key)
    first = section_series(session, view, key, limits=limits)
    if row is None or row.sections is None or first is None:
        title = row.title if row is not None else "These sections"
        return Answer(title, (f"No numbers are recorded for {title}.",))
    rest = [section_series(session, view, key, kind, limits=limits) for _, kind in first.others]
    every = [first, *(one for one in rest if one is not None)]
    table = Table(
        (
            Column("value"),
            *(Column(name, CellKind.NUMBER) for name in ("count", "first", "last", "least", "mean", "most")),
            Column("diverges"),
        ),
        tuple(_sums(one, view, key) for one in every),
        "Statistics",
    )
    return Answer(
        first.title,
        tuple(_sentence(one) for one in every),
        tuple(f"The store cut off the values of {one.name}." for one in every if not one.complete),
        (*(_plot(one) for one in every), table),
    )


def _plot(series: SectionSeries) -> AnswerPlot:
    places = [float(number) for number in range(1, len(series.numbers) + 1)]
    mark = Mark.POINTS if len(places) <= FEW else Mark.LINE
    line = Series(series.name, places, series.numbers)
    return AnswerPlot(series.name, Axis(f"{series.of}, in order"), Axis(series.name), (line,), mark)


def _sentence(series: SectionSeries) -> str:
    found = series.divergence
    if found is None:
        rises = "does not rise, and " if series.falls else ""
        return f"{series.name} {rises}has finite numbers only."
    return f"{series.name} {_where(found, series)}."


def _where(found: Divergence, series: SectionSeries) -> str:
    section = series.sections[found.position].rsplit("/", 2)[-2:]
    what = "rises from" if found.what == "rises" else "is not finite from"
    return f"{what} no. {found.position + 1:,} on ({'/'.join(section)})"


def _sums(series: SectionSeries, view: PhaseView, key: str) -> tuple[Cell, ...]:
    row = view.row(key)
    values = (row.values if row is not None else None) or ()
    facts = next((value.facts for value in values if value.facts.kind == series.kind), None)
    numbers: tuple[Cell, ...] = (len(series.numbers), None, None, None, None, None)
    if facts is not None:
        numbers = (facts.count, facts.first, facts.last, facts.lowest, facts.mean, facts.highest)
    wrong = _where(series.divergence, series) if series.divergence is not None else ""
    return (series.name, *numbers, wrong)
