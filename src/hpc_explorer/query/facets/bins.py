"""Bins of equal width for numbers, or of calendar units for times."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum

from hpc_explorer.rdf.quantities import Unit
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.base import Count

MOST_BINS = 24
"""The approximate maximum number of bins of a histogram."""

_SECOND_STEPS = (
    1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0, 10800.0, 21600.0,
    43200.0, 86400.0, 172800.0, 604800.0, 1209600.0,
)  # fmt: skip
_MONTH_STEPS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000)
_MONTH = 30.4 * 86400


class ScaleKind(Enum):
    """The scale of a histogram's axis."""

    NUMBERS = "numbers"
    MOMENTS = "moments"
    QUANTITIES = "quantities"


@dataclass(frozen=True)
class Bin:
    """One bar.

    Args:
        low, high: its edges: numbers, seconds since 1970 (UTC), or amounts in the histogram's unit.
        least, most: the smallest and greatest value in it, as in the graph, so that a range between them finds exactly
            the values of the bin; amounts of quantities are rounded outwards a little. None in an empty bin.
        count: the number of values in it, each counted once for each value of the main variable.
    """

    low: float
    high: float
    count: int
    least: Literal | Decimal | None = None
    most: Literal | Decimal | None = None


@dataclass(frozen=True)
class Histogram:
    """The distribution of values.

    Args:
        bins: in ascending order without gaps.
        total: the number of values in all bins.
        others: the number of values not on this scale: texts among numbers, amounts of another kind.
        unit: the unit of amounts.
        units: the units that the amounts can be converted to.
        looked_at: the number of different values counted, if there were more; counts are lower bounds then.
    """

    kind: ScaleKind
    bins: tuple[Bin, ...]
    total: Count
    others: Count
    unit: Unit | None = None
    units: tuple[Unit, ...] = ()
    looked_at: int | None = None


@dataclass(frozen=True)
class Tally:
    """A value on the axis, and its number of occurrences.

    Args:
        exact: distinguishes values with the same `place`, which has only 53 bits.
    """

    place: float
    number: int
    value: Literal | Decimal
    exact: Decimal


def edges_of_numbers(low: float, high: float, *, are_whole: bool) -> list[float]:
    """The edges of bins whose width is 1, 2 or 5 times a power of ten; the last edge exceeds the highest number."""
    if high <= low:
        width = max(1.0, math.ulp(low)) if are_whole else max(abs(low), 1.0) / 10
        return [low, low + width]
    narrowest = math.ulp(max(abs(low), abs(high)))
    # `high - low` could overflow.
    width = high / MOST_BINS - low / MOST_BINS
    if width <= narrowest:
        step = narrowest
    else:
        step = 10.0 ** math.floor(math.log10(width))
        step *= next(factor for factor in (1, 2, 5, 10, 20) if width / (step * factor) <= 1 - 1 / MOST_BINS)
    return _edges(low, high, max(1.0, step) if are_whole else step)


def _edges(low: float, high: float, step: float) -> list[float]:
    """The multiples of a step from the last one at or below `low` to the first one above `high`."""
    return [number * step for number in range(_steps_to(low, step), _steps_to(high, step) + 2)]


def _steps_to(place: float, step: float) -> int:
    # Rounding can move a quotient just beside a whole number.
    number = math.floor(place / step) + 1
    while number * step > place:
        number -= 1
    return number


def edges_of_moments(low: float, high: float) -> list[float]:
    """The edges of bins by seconds, hours, days, months or years, in UTC."""
    if high <= low:
        return [low, low + 1.0]
    span = high - low
    step = next((one for one in _SECOND_STEPS if span / one <= MOST_BINS - 1), None)
    if step is not None:
        return _edges(low, high, step)
    months = next(one for one in _MONTH_STEPS if span / (one * _MONTH) <= MOST_BINS - 1)
    began = datetime.fromtimestamp(low, UTC)
    month = (began.year * 12 + began.month - 1) // months * months
    edges: list[float] = []
    while not edges or edges[-1] <= high:
        if month >= 12 * 10_000:
            edges.append(math.inf)
            break
        edges.append(datetime(max(month // 12, 1), month % 12 + 1, 1, tzinfo=UTC).timestamp())
        month += months
    return edges


def filled(edges: Sequence[float], tallies: Sequence[Tally]) -> tuple[Bin, ...]:
    """The bins between these edges, which enclose all tallies."""
    counts = [0] * (len(edges) - 1)
    least: list[Tally | None] = [None] * len(counts)
    most: list[Tally | None] = [None] * len(counts)
    for tally in tallies:
        place = bisect_right(edges, tally.place) - 1
        counts[place] += tally.number
        low, high = least[place], most[place]
        least[place] = tally if low is None or tally.exact < low.exact else low
        most[place] = tally if high is None or tally.exact > high.exact else high
    return tuple(
        Bin(edges[at], edges[at + 1], counts[at], low.value if low else None, high.value if high else None)
        for at, (low, high) in enumerate(zip(least, most, strict=True))
    )
