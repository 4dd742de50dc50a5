"""The values of a plot as they are drawn: sorted series, ranges of the axes, and their ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hpc_explorer.app.results.answer import AnswerPlot, Axis, Mark
from hpc_explorer.app.results.plotting import ticks, time_ticks
from hpc_explorer.canvas.text import brief
from hpc_explorer.query.table import CellKind
from hpc_explorer.wording import time_text

if TYPE_CHECKING:
    from hpc_explorer.app.results.plotting import Values

MOST_SERIES = 12
"""The most series that are drawn; a note says if there are more."""

LONGEST_TICK = 18
"""Characters of a name along an axis; the line below the plot shows all."""

Range = tuple[float, float]


@dataclass(frozen=True)
class Plotted:
    """The values of a plot as they are drawn.

    Args:
        series: horizontal and vertical values of each series, sorted by the first; NaN for missing values.
        across, up: the whole ranges of the axes.
    """

    series: tuple[tuple[Values, Values], ...]
    across: Range
    up: Range


def plotted(plot: AnswerPlot) -> Plotted:
    """The values of the first series of a plot, as they are drawn."""
    import numpy as np

    series: list[tuple[Values, Values]] = []
    for one in plot.series[:MOST_SERIES]:
        xs, ys = np.asarray(one.xs, np.float64), np.asarray(one.ys, np.float64)
        order = np.argsort(xs, kind="stable")  # for binary search
        series.append((xs[order], np.where(np.isfinite(ys), ys, np.nan)[order]))
    places = [xs for xs, _ in series]
    heights = [ys for _, ys in series]
    across, up = _range(places, 0.0), _range(heights, 0.05)
    if plot.mark is Mark.BARS:
        # Bars start at zero, which ends the axis if all have the same sign.
        below, above = (any(bool((side * ys > 0).any()) for ys in heights) for side in (-1, 1))
        low, high = _range([*heights, np.zeros(1)], 0.05)
        up = (low if below else 0.0, high if above or not below else 0.0)
    if plot.mark is Mark.BARS or plot.x.kind is CellKind.TEXT:
        # Room for half a bar or name at both ends.
        half = least_distance(places) / 2
        across = across[0] - half, across[1] + half
    return Plotted(tuple(series), across, up)


def _range(values: Sequence[Values], margin: float) -> Range:
    """The range of values with a margin on both sides; never empty."""
    import numpy as np

    known = [one[np.isfinite(one)] for one in values]
    known = [one for one in known if len(one)]
    if not known:
        return 0.0, 1.0
    low, high = float(min(one.min() for one in known)), float(max(one.max() for one in known))
    if low == high:
        around = abs(low) / 2 or 1.0
        return low - around, high + around
    return low - margin * (high - low), high + margin * (high - low)


def least_distance(values: Sequence[Values]) -> float:
    """The least distance between different values; 1 if there are fewer than two."""
    import numpy as np

    places = np.unique(np.concatenate(values)) if values else np.empty(0)
    places = places[np.isfinite(places)]
    return float(np.diff(places).min()) if len(places) > 1 else 1.0


def within(wanted: Range, whole: Range) -> Range:
    """Limit a range to the whole one, and to a width that floats can resolve."""
    least, most = whole
    width = min(max(wanted[1] - wanted[0], (most - least) * 1e-6), most - least)
    low = min(max(wanted[0], least), most - width)
    return low, low + width


def axis_ticks(axis: Axis, shown: Range, most: int) -> tuple[tuple[float, str], ...]:
    """The ticks of the shown range of an axis with their texts.

    Args:
        most: the most ticks.
    """
    low, high = shown
    if axis.kind is CellKind.TEXT:
        first, last = max(math.ceil(low), 0), min(math.floor(high), len(axis.names) - 1)
        step = max(1, math.ceil((last - first + 1) / most))
        return tuple((float(at), brief(axis.names[at], LONGEST_TICK)) for at in range(first, last + 1, step))
    return (time_ticks if axis.kind is CellKind.TIME else ticks)(low, high, most)


def value_words(axis: Axis, value: float) -> str:
    """A value of an axis in words, with the axis's name and unit."""
    if not math.isfinite(value):
        return f"{axis.name} missing"
    if axis.kind is CellKind.TEXT:
        return f"{axis.name} {axis.names[int(value)]}"
    if axis.kind is CellKind.TIME:
        return f"{axis.name} {time_text(datetime.fromtimestamp(value, UTC))}"
    number = f"{int(value):,}" if value == int(value) and abs(value) < 1e15 else f"{value:,.6g}"
    return f"{axis.name} {number}{f' {axis.unit}' if axis.unit else ''}"
