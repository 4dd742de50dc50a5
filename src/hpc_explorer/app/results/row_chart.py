"""Two columns of rows as a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hpc_explorer.app.results.answer import AnswerPlot, Axis, Cell, Mark, Series
from hpc_explorer.app.results.rows import TableRows
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.query.table import CellKind
from hpc_explorer.stores.base import NO_LIMITS, Limits

MOST_NAMES = 200
"""The most names on an axis; more are reduced to the largest."""

COUNTED = -1
"""Instead of a column: the number of rows of each value."""

_CHECK_EVERY = 2_000


def value_columns(rows: TableRows) -> tuple[int, ...]:
    """The columns with numbers or durations, for the vertical axis."""
    return tuple(
        place for place, column in enumerate(rows.columns) if column.kind in (CellKind.NUMBER, CellKind.DURATION)
    )


def row_chart(
    rows: TableRows, shown: Sequence[int], x: int, y: int, mark: Mark | None = None, *, limits: Limits = NO_LIMITS
) -> AnswerPlot:
    """A plot of one column over another. Rows without a value are left out.

    Over names, and as bars, values at the same place are summed, and the axis says so; otherwise each row is drawn.

    Args:
        shown: the rows.
        x: the column of the horizontal axis.
        y: the column of the vertical axis, or `COUNTED`.
        mark: None for bars over names, points over numbers and a line over dates.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """
    across = rows.columns[x]
    lies = across.kind if across.kind in (CellKind.NUMBER, CellKind.TIME, CellKind.DURATION) else CellKind.TEXT
    chosen = mark or {CellKind.TEXT: Mark.BARS, CellKind.TIME: Mark.LINE}.get(lies, Mark.POINTS)
    pairs: list[tuple[float | str, float]] = []
    called: dict[str, str] = {}
    for number, row in enumerate(shown):
        if number % _CHECK_EVERY == 0:
            limits.check("drawing the chart")
        place = _name_of(rows, row, x, called) if lies is CellKind.TEXT else _amount(rows.cell(row, x))
        value = 1.0 if y == COUNTED else _amount(rows.cell(row, y))
        if place is not None and place != "" and value is not None:
            pairs.append((place, value))
    together = y == COUNTED or lies is CellKind.TEXT or chosen is Mark.BARS
    repeated = together and len({place for place, _ in pairs}) < len(pairs)
    if together:
        sums: dict[float | str, float] = {}
        for place, value in pairs:
            sums[place] = sums.get(place, 0.0) + value
        pairs = list(sums.items())
    title, note = f"{_name(rows, y, repeated)} by {across.title}", ""
    names: tuple[str, ...] = ()
    if lies is CellKind.TEXT:
        if len(pairs) > MOST_NAMES:
            kept = sorted(pairs, key=lambda pair: -pair[1])[:MOST_NAMES]
            note = f", the {MOST_NAMES} largest of {len(pairs):,}"
            pairs = kept
        names = tuple(called[str(place)] for place, _ in pairs)
        pairs = [(float(at), value) for at, (_, value) in enumerate(pairs)]
    series = Series("", [float(place) for place, _ in pairs], [value for _, value in pairs])
    unit = "s" if across.kind is CellKind.DURATION else across.unit
    return AnswerPlot(
        title + note,
        Axis(across.title + note, unit, CellKind.NUMBER if lies is CellKind.DURATION else lies, names),
        Axis(_name(rows, y, repeated), _unit(rows, y)),
        (series,) if pairs else (),
        chosen,
    )


def _name_of(rows: TableRows, row: int, column: int, called: dict[str, str]) -> str:
    """The IRI of a resource, or the text of another value; `called` receives its text."""
    cell, text = rows.cell(row, column), rows.text(row, column)
    key = cell.iri if isinstance(cell, ResourceRef) else text
    called[key] = text
    return key


def _name(rows: TableRows, y: int, summed: bool) -> str:
    if y == COUNTED:
        return "number of rows"
    return f"sum of {rows.columns[y].title}" if summed else rows.columns[y].title


def _unit(rows: TableRows, y: int) -> str:
    if y == COUNTED:
        return ""
    return "s" if rows.columns[y].kind is CellKind.DURATION else rows.columns[y].unit


def _amount(cell: Cell) -> float | None:
    """A value as a number: seconds since 1970 for a time, in UTC if it has no zone."""
    if isinstance(cell, datetime):
        return (cell if cell.tzinfo else cell.replace(tzinfo=UTC)).timestamp()
    if isinstance(cell, timedelta):
        return cell.total_seconds()
    if isinstance(cell, (int, float)) and math.isfinite(cell):
        return float(cell)
    return None
