"""What of a plot is drawn: its series from left to right, how far its axes go, and what stands along them."""

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
"""Series that can be told apart; of more, the first are drawn, and it is said."""

LONGEST_TICK = 18
"""Characters of a name along an axis; the whole of it is read below the plot."""

Range = tuple[float, float]


@dataclass(frozen=True)
class Plotted:
    """The values of a plot, as they are drawn.

    Args:
        series: of each series where its values lie and how high they are, by their place; not a number where one is
            missing. Both have a value for each place.
        across, up: from where to where the axes go where all is shown.
    """

    series: tuple[tuple[Values, Values], ...]
    across: Range
    up: Range


def plotted(plot: AnswerPlot) -> Plotted:
    """The values of a plot, of the first series only where they are many."""
    import numpy as np

    series: list[tuple[Values, Values]] = []
    for one in plot.series[:MOST_SERIES]:
        xs, ys = np.asarray(one.xs, np.float64), np.asarray(one.ys, np.float64)
        order = np.argsort(xs, kind="stable")  # the nearest value is found by halving
        series.append((xs[order], np.where(np.isfinite(ys), ys, np.nan)[order]))
    places = [xs for xs, _ in series]
    heights = [ys for _, ys in series]
    across, up = _range(places, 0.0), _range(heights, 0.05)
    if plot.mark is Mark.BARS:
        # Bars stand on zero, which is the end of the axis where they all go the same way.
        below, above = (any(bool((side * ys > 0).any()) for ys in heights) for side in (-1, 1))
        low, high = _range([*heights, np.zeros(1)], 0.05)
        up = (low if below else 0.0, high if above or not below else 0.0)
    if plot.mark is Mark.BARS or plot.x.kind is CellKind.TEXT:
        # Room for half of a bar or name at both ends.
        half = least_distance(places) / 2
        across = across[0] - half, across[1] + half
    return Plotted(tuple(series), across, up)


def _range(values: Sequence[Values], margin: float) -> Range:
    """From the least to the most, with a margin on both sides; never empty."""
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
    """Between two places that differ; 1 where there are no two."""
    import numpy as np

    places = np.unique(np.concatenate(values)) if values else np.empty(0)
    places = places[np.isfinite(places)]
    return float(np.diff(places).min()) if len(places) > 1 else 1.0


def within(wanted: Range, whole: Range) -> Range:
    """The part of an axis that is wanted, but nothing where no values are, and not closer than numbers tell apart."""
    least, most = whole
    width = min(max(wanted[1] - wanted[0], (most - least) * 1e-6), most - least)
    low = min(max(wanted[0], least), most - width)
    return low, low + width


def axis_ticks(axis: Axis, shown: Range, most: int) -> tuple[tuple[float, str], ...]:
    """The marks along the shown part of an axis, at most so many, each with what it says."""
    low, high = shown
    if axis.kind is CellKind.TEXT:
        first, last = max(math.ceil(low), 0), min(math.floor(high), len(axis.names) - 1)
        step = max(1, math.ceil((last - first + 1) / most))
        return tuple((float(at), brief(axis.names[at], LONGEST_TICK)) for at in range(first, last + 1, step))
    return (time_ticks if axis.kind is CellKind.TIME else ticks)(low, high, most)


def value_words(axis: Axis, value: float) -> str:
    """A value along an axis as it is read, with the axis's name and unit."""
    if not math.isfinite(value):
        return f"{axis.name} missing"
    if axis.kind is CellKind.TEXT:
        return f"{axis.name} {axis.names[int(value)]}"
    if axis.kind is CellKind.TIME:
        return f"{axis.name} {time_text(datetime.fromtimestamp(value, UTC))}"
    number = f"{int(value):,}" if value == int(value) and abs(value) < 1e15 else f"{value:,.6g}"
    return f"{axis.name} {number}{f' {axis.unit}' if axis.unit else ''}"
