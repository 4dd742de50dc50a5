"""Ticks of axes, and thinning of large series."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_SPANS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200)
_DAYS = (1, 2, 5, 10)
_MONTHS = (1, 3, 6)


def ticks(low: float, high: float, most: int) -> tuple[tuple[float, str], ...]:
    """Round numbers between two, at most `most`, with their texts."""
    step = _round_step((high - low) / max(most, 1))
    if step <= 0 or not math.isfinite(step):
        return ((low, f"{low:.6g}"),)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple((number * step, _written(number * step, step)) for number in range(first, last + 1))


def _round_step(least: float) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that is not below."""
    if least <= 0 or not math.isfinite(least):
        return 0.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= least * (1 - 1e-9))


def _written(value: float, step: float) -> str:
    size = max(abs(value), step)
    if size >= 1e7 or step < 1e-5:
        return f"{value:.6g}"
    return f"{value:,.{max(0, -math.floor(math.log10(step) + 1e-9))}f}"


def time_ticks(low: float, high: float, most: int) -> tuple[tuple[float, str], ...]:
    """Round times between two, at most `most`, with their texts; seconds since 1970 in UTC."""
    least = (high - low) / max(most, 1)
    if least <= 0:
        return ((low, f"{_at(low):%Y-%m-%d %H:%M:%S}"),)
    if least < 1:
        return tuple((at, f"{_at(at):%H:%M:%S.%f}"[:-3]) for at, _ in ticks(low, high, most))
    for span in _SPANS:
        if span >= least:
            form = "%H:%M:%S" if span < _MINUTE else "%H:%M"
            return tuple((at, f"{_at(at):{form if at % _DAY else '%Y-%m-%d'}}") for at in _multiples(low, high, span))
    for days in _DAYS:
        if days * _DAY >= least:
            return tuple((at, f"{_at(at):%Y-%m-%d}") for at in _multiples(low, high, days * _DAY))
    for months in _MONTHS:
        if months * 30 * _DAY >= least:
            return tuple((at, f"{_at(at):%Y-%m}") for at in _months(low, high, months))
    years = max(1, math.ceil(_round_step(least / (365 * _DAY))))
    return tuple((at, f"{_at(at):%Y}") for at in _months(low, high, 12 * years))


def _at(seconds: float) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def _multiples(low: float, high: float, span: int) -> list[float]:
    return [float(number * span) for number in range(math.ceil(low / span), math.floor(high / span) + 1)]


def _months(low: float, high: float, step: int) -> list[float]:
    begin, end = _at(low), _at(high)
    numbers = range(begin.year * 12 // step * step, end.year * 12 + 12, step)
    found = (datetime(max(number // 12, 1), number % 12 + 1, 1, tzinfo=UTC).timestamp() for number in numbers)
    return [at for at in found if low <= at <= high]


def thinned(xs: Values, ys: Values, low: float, high: float, columns: int) -> tuple[Values, Values]:
    """The part of a line between two places, reduced if it has many more values than pixel columns.

    Each column keeps its least and greatest value, and thus all outliers.

    Args:
        xs: ascending.
        ys: NaN for gaps.
    """
    import numpy as np

    first = max(int(np.searchsorted(xs, low)) - 1, 0)
    last = min(int(np.searchsorted(xs, high, side="right")) + 1, len(xs))
    xs, ys = xs[first:last], ys[first:last]
    if len(xs) <= 4 * max(columns, 1):
        return xs, ys
    starts = np.linspace(0, len(xs), columns, endpoint=False).astype(np.int64)
    both = np.empty(2 * columns)
    both[0::2], both[1::2] = np.fmin.reduceat(ys, starts), np.fmax.reduceat(ys, starts)
    return np.repeat(xs[starts], 2), both


def thinned_points(xs: Values, ys: Values, grid: float) -> tuple[Values, Values]:
    """Places in pixels, one for each square of a grid."""
    import numpy as np

    known = np.isfinite(xs) & np.isfinite(ys)
    places = np.unique(np.stack([np.round(xs[known] / grid), np.round(ys[known] / grid)], axis=1), axis=0) * grid
    return places[:, 0], places[:, 1]
