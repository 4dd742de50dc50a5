"""Anomalous points become events, one where several detectors agree."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.monitor.detectors import PAUSE, Scores
from hpc_explorer.monitor.series import Series, robust_center

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SEVERITIES = ("minor", "major", "critical")
"""From the least severe on; the limits of scores are those of `severity_of`."""

_LEAST_POINTS = 2
"""An event of fewer points counts only if its score is twice the limit."""


_REFERENCE = 120
"""The number of points before an event that show the usual level."""

_LONGEST_DRIFT = 360
"""The most points that the begin of a drift is moved back."""

LONGEST_PAUSE = 10 * PAUSE
"""After more normal points than this an event has ended, whatever comes."""

CONTEXT = 2 * _REFERENCE + _LONGEST_DRIFT
"""An event does not depend on more points than this before its first anomalous one."""


@dataclass(frozen=True)
class Event:
    """An interval in which a series is not normal.

    Args:
        begin, end: its first and last point, in seconds since 1970.
        points: the number of points in it.
        score: the highest score of a detector, 1 is the limit.
        severity: one of `SEVERITIES`.
        detectors: the names of the detectors that found it.
        observed, expected: the means of the measurements and of what the strongest detector expects.
        evidence: one sentence.
    """

    begin: float
    end: float
    points: int
    score: float
    severity: str
    detectors: tuple[str, ...]
    observed: float
    expected: float
    evidence: str


def severity_of(score: float) -> str:
    """The severity of a score: minor up to 2, major up to 5, critical above."""
    return SEVERITIES[0] if score <= 2 else SEVERITIES[1] if score <= 5 else SEVERITIES[2]


def events_of(series: Series, found: Mapping[str, Scores], *, pause: int = PAUSE, unit: str = "") -> tuple[Event, ...]:
    """The events of a series.

    Args:
        found: the scores of each detector, by its name.
        pause: anomalous points with fewer normal points than this between them belong to one event.
        unit: the unit of the measurements, for the evidence.
    """
    import numpy as np

    if not len(series) or not found:
        return ()
    anomalous = {name: scores.scores > 1 for name, scores in found.items()}
    places = np.flatnonzero(np.logical_or.reduce(list(anomalous.values())))
    if not len(places):
        return ()
    highest = np.maximum.reduce([scores.scores for scores in found.values()])
    breaks = [
        number + 1
        for number in np.flatnonzero(np.diff(places) > pause)
        if not _stays_unusual(highest[places[number] + 1 : places[number + 1]], pause)
    ]
    groups = np.split(places, breaks)
    events: list[Event] = []
    after = 0
    for group in groups:
        first, last = int(group[0]), int(group[-1])
        agreeing = {name: float(found[name].scores[first : last + 1].max()) for name in found}
        strongest = max(agreeing, key=lambda name: agreeing[name])
        score = agreeing[strongest]
        if len(group) < _LEAST_POINTS and score < 2:
            continue
        delay = max(found[name].delay for name, mask in anomalous.items() if mask[first])
        tail = min((found[name].delay for name, mask in anomalous.items() if mask[last]), default=0)
        usual = float(found[strongest].expected[first])
        first, last = _edges(series.values, first, last, delay, tail, after, usual)
        after = last + 1
        events.append(_event(series, first, last, found, agreeing, unit))
    return tuple(events)


def _stays_unusual(scores: Array, pause: int) -> bool:
    """Whether the points between two anomalous ones are near the limit, as at the begin of a drift."""
    import numpy as np

    return len(scores) <= LONGEST_PAUSE // PAUSE * pause and float(np.median(scores)) > 0.5


def _edges(values: Array, first: int, last: int, delay: int, tail: int, after: int, usual: float) -> tuple[int, int]:
    """The likeliest first and last point of an event whose detector looked back over a window."""
    import numpy as np

    before = values[max(after, first - delay - _REFERENCE) : max(after, first - delay)]
    inside = values[first : last + 1]
    if len(before) < 10:
        return first, last
    # Where the values before are all the same, the deviation is not so small that squares overflow.
    around = values[max(after, first - delay) : last + 1]
    deviation = robust_center(before)[1] + 1e-12 * max(abs(usual), float(np.abs(around).max())) + 1e-300
    if len(inside) > 2 * tail + 2:
        inside = inside[: len(inside) - tail]
    level, spread = float(np.median(inside)), max(float(np.std(inside)), 0.05 * deviation)

    def gain(part: Array) -> Array:
        """How much likelier each value is inside the event than outside."""
        outside = ((part - usual) / deviation) ** 2 / 2 + math.log(deviation)
        return outside - ((part - level) / spread) ** 2 / 2 - math.log(spread)

    begin = max(after, first - delay)
    if delay and begin < first:
        gains = np.clip(gain(values[begin:first]), -20, 20)
        sums = np.append(np.cumsum(gains[::-1])[::-1], 0.0)
        first = begin + int(np.argmax(sums))
    if tail and last - tail > first:
        start = last - tail + 1
        sums = np.append(0.0, np.cumsum(np.clip(gain(values[start : last + 1]), -20, 20)))
        last = start - 1 + int(np.argmax(sums))
    last = max(first, last)
    return _drift_begin(values, first, last, after, usual, deviation), last


def _drift_begin(values: Array, first: int, last: int, after: int, usual: float, deviation: float) -> int:
    """The point at which a drift left the usual level; `first` if the event does not begin as a drift.

    It is where a line that rises from the usual level fits best: to all of the event if that is as straight as its
    first half, as the begin is then known more closely, otherwise to that half.
    """
    import numpy as np

    whole = values[first : last + 1]
    half = whole[: max(12, len(whole) // 2)]
    if len(half) < 12:
        return first

    def line(some: Array) -> tuple[float, float, float, float]:
        """Slope and offset, the error of the slope, and how far the values are from the line."""
        places = np.arange(len(some))
        (slope, offset), covariance = np.polyfit(places, some, 1, cov=True)
        return slope, offset, math.sqrt(covariance[0, 0]), float(np.std(some - slope * places - offset))

    slope, offset, error, spread = line(half)
    rise, change = offset - usual, abs(slope) * len(half)
    steady = change < 3 * deviation or abs(slope) < 8 * error
    if steady or slope * rise < 0 or abs(rise) > change / 2 + 6 * deviation:
        return first
    part = whole if line(whole)[3] < 1.1 * spread else half
    start = max(after, first - _LONGEST_DRIFT)
    away = values[start : first + len(part)] - usual
    # Least squares: a line from place b explains (sum of (t - b) * y over t > b)² / (sum of (t - b)²).
    places = np.arange(len(away), dtype=np.float64)
    left = len(away) - 1 - places
    products = np.cumsum((places * away)[::-1])[::-1] - places * np.cumsum(away[::-1])[::-1]
    explained = products**2 / np.maximum(left * (left + 1) * (2 * left + 1) / 6, 1)
    return start + int(np.argmax(explained[: first - start + 1]))


def _event(
    series: Series, first: int, last: int, found: Mapping[str, Scores], agreeing: Mapping[str, float], unit: str
) -> Event:
    names = tuple(sorted((name for name in agreeing if agreeing[name] > 1), key=lambda name: -agreeing[name]))
    strongest = names[0]
    score = agreeing[strongest]
    observed = float(series.values[first : last + 1].mean())
    expected = float(found[strongest].expected[first : last + 1].mean())
    margin = float(found[strongest].margin[first : last + 1].mean())
    seconds = float(series.times[last] - series.times[first])
    of = f" {unit}" if unit else ""
    number = last - first + 1
    evidence = (
        f"mean {observed:.4g}{of} over {seconds:,.0f} s ({number:,} {'point' if number == 1 else 'points'}),"
        f" expected {expected:.4g} ± {margin:.2g}{of}; {strongest} {score:.1f} times its limit"
    )
    return Event(
        float(series.times[first]),
        float(series.times[last]),
        number,
        score,
        severity_of(score),
        names,
        observed,
        expected,
        evidence,
    )
