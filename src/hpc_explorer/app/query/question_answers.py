"""The answer of a ready question for display and export: a table with links, and plots."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from hpc_explorer.app.query.questions import QuestionAnswer, ask_question, asked_about, named_resources
from hpc_explorer.app.results.answer import Answer, AnswerPlot, Axis, Cell, Mark, Series
from hpc_explorer.app.results.cells import Refs, literal_value, term_text
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.questions.question import Plot, PlotMark, Question, Value
from hpc_explorer.query.table import CellKind, Column, Row, Table, TermTable
from hpc_explorer.rdf.terms import Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, CountKind, Limits, Progress, no_progress

MOST_ROWS = 20_000
"""The maximum number of rows of an answer."""

_MARKS = {PlotMark.LINE: Mark.LINE, PlotMark.POINTS: Mark.POINTS}


def question_answer(
    session: Session,
    question: Question,
    values: Mapping[str, Value],
    *,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> Answer:
    """Ask a ready question (see `ask_question`) and format its answer."""
    found = ask_question(session, question, values, at_most=MOST_ROWS, progress=progress, limits=limits)
    return answer_of(session, found, limits=limits)


def answer_of(session: Session, found: QuestionAnswer, *, limits: Limits = NO_LIMITS) -> Answer:
    """Format the answer of a ready question: its table, and the plots that have values."""
    question, table = found.question, found.table
    refs = named_resources(session, table, limits=limits)
    number = table.total.value
    summary = f"{table.total} row{'s' * (number != 1)}." if number else "Nothing in the open graph answers this."
    asked = [f"{line[:1].upper()}{line[1:]}." for line in asked_about(session, found)]
    if found.variant.label:
        asked.append(f"Asked {found.variant.label}.")
    notes = [" ".join(asked)] if asked else []
    if table.total.kind is CountKind.AT_LEAST:
        notes.append("These are the first rows; there are more.")
    plots = tuple(_plot(session, one, table, refs) for one in question.plots)
    return Answer(
        question.title,
        (summary,),
        (question.text, *notes),
        (
            *(one for one in plots if one.series),
            Table(
                tuple(_column(column, table) for column in table.columns),
                tuple(_cells(row, refs) for row in table.rows),
                "Rows" if any(one.series for one in plots) else "",
                "No rows. Other values may be in the graph: choose the question again.",
            ),
        ),
    )


def _column(column: Column, table: TermTable) -> Column:
    kind = column.kind
    if kind in (CellKind.TIME, CellKind.DURATION):
        place = table.index(column.name)
        if any(row[place] is not None and _cell_of(row[place]) is None for row in table.rows):
            kind = CellKind.TEXT
    return Column(column.title, kind, column.unit)


def _cells(row: Row, refs: Refs) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for value in row:
        if is_resource(value):
            cells.append(refs[value])
        else:
            cell = _cell_of(value)
            cells.append(cell if cell is not None else term_text(value, refs) or None)
    return tuple(cells)


def _cell_of(value: Term | None) -> int | float | datetime | timedelta | None:
    """A literal as a number, time or duration; None for others and for times without a time zone."""
    known = literal_value(value)
    return (known.astimezone(UTC) if known.tzinfo is not None else None) if isinstance(known, datetime) else known


def _plot(session: Session, plot: Plot, table: TermTable, refs: Refs) -> AnswerPlot:
    """A plot of the rows; without series if there are no values for it."""
    x_place = table.index(plot.x)
    x = table.columns[x_place]
    lines: dict[tuple[str, ...], list[Row]] = {}
    for row in table.rows:
        name = tuple(term_text(row[table.index(one)], refs) for one in plot.series)
        lines.setdefault(name, []).append(row)
    distinct = [at for at in range(len(plot.series)) if len({name[at] for name in lines}) > 1]
    ys = [table.columns[table.index(one)] for one in plot.y]
    series: list[Series] = []
    for name, rows in lines.items():
        places = _places(x, [row[x_place] for row in rows])
        for column in ys:
            at = table.index(column.name)
            points = dict.fromkeys(
                (place, value)
                for place, row in zip(places, rows, strict=True)
                if place is not None and isinstance(value := _cell_of(row[at]), (int, float))
            )
            if points:
                parts = [name[one] for one in distinct] + ([column.title] if len(ys) > 1 or not distinct else [])
                series.append(Series(", ".join(parts), [one for one, _ in points], [float(one) for _, one in points]))
    units = {column.unit for column in ys}
    unit = units.pop() if len(units) == 1 else ""
    # A line needs two points.
    lone = all(len(one.xs) < 2 for one in series)
    return AnswerPlot(
        plot.title,
        _axis(x),
        Axis(ys[0].title, unit) if len(ys) == 1 else Axis(unit),
        tuple(series),
        Mark.POINTS if lone else _MARKS[plot.mark],
    )


def _axis(column: Column) -> Axis:
    if column.kind is CellKind.NUMBER:
        return Axis(column.title, column.unit)
    if column.kind is CellKind.TIME:
        return Axis(column.title, kind=CellKind.TIME)
    return Axis(f"{column.title}, in order")


def _places(column: Column, values: list[Term | None]) -> list[float | None]:
    """The positions of values on an axis: numbers and times to scale, others at 1, 2, 3, …"""
    if column.kind in (CellKind.NUMBER, CellKind.TIME):
        return [_place(_cell_of(value)) for value in values]
    numbers: dict[Term | None, float] = {}
    return [numbers.setdefault(value, float(len(numbers) + 1)) for value in values]


def _place(cell: Cell) -> float | None:
    if isinstance(cell, datetime):
        return cell.timestamp()
    return float(cell) if isinstance(cell, (int, float)) else None
