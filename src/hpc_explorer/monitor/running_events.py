"""Events of a series while its points arrive, from the state of detectors that grows with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hpc_explorer.monitor.detectors import STUCK, Calibrated, Detector, Incremental, Scores
from hpc_explorer.monitor.events import CONTEXT, LONGEST_PAUSE, Event, events_of
from hpc_explorer.monitor.series import Series

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

TRAINING = 720
"""The number of points from the begin of a series that count as normal: an hour at a sampling of 5 s."""

_CONTEXT = 2_000
"""The number of points before new ones that a detector without a state of its own scores again."""


@dataclass(frozen=True)
class Events:
    """What new points brought.

    Args:
        ended: events that later points cannot change any more.
        ongoing: the event at the end of the series, as it is known so far.
    """

    ended: tuple[Event, ...]
    ongoing: Event | None


class RunningEvents:
    """The events of one series.

    The ended events are those that `events_of` finds in the whole series, however its points are divided.

    Args:
        detectors: those that look at the series.
        training: a part of it without anomalies, or another series.
        unit: the unit of the measurements, for the evidence.
    """

    def __init__(self, detectors: Sequence[Detector], training: Series, unit: str = "") -> None:
        import numpy as np

        calibrated = {one.name: one.calibrate(training) for one in detectors}
        self._running = {
            name: one.start() if isinstance(one, Incremental) else _Rescored(one) for name, one in calibrated.items()
        }
        self._unit = unit
        self._series = Series(np.zeros(0), np.zeros(0))
        self._scores: dict[str, Scores] = {}

    def extend(self, series: Series) -> Events:
        """Take the next points, which are later than those before."""
        if not len(series):
            return Events((), self._found(self._series, self._scores)[1])
        for name, running in self._running.items():
            self._scores[name] = _joined(self._scores.get(name), running.extend(series))
        self._series = _concatenated(self._series, series)
        return self._divided()

    def _divided(self) -> Events:
        """Take out the part that later points cannot change: before a pause that nothing can bridge."""
        import numpy as np

        number = len(self._series)
        anomalous = np.logical_or.reduce([scores.scores > 1 for scores in self._scores.values()])
        certain = number - max(scores.pending for scores in self._scores.values())
        bounds = np.append(np.flatnonzero(anomalous), certain)
        pauses = np.flatnonzero(np.diff(bounds) > LONGEST_PAUSE + 1)
        if not len(pauses):
            if len(bounds) == 1:
                self._series, self._scores = self._part(max(certain - CONTEXT, 0), number)
            return Events((), self._found(self._series, self._scores)[1])
        # All before the last such pause has ended.
        stop, until = int(bounds[pauses[-1]]) + 1, int(bounds[pauses[-1] + 1])
        ended, _ = self._found(*self._part(0, stop))
        begin = max(until - CONTEXT, 0)
        if ended:
            last = int(np.searchsorted(self._series.times, ended[-1].end))
            begin = max(begin, last + 1)
        self._series, self._scores = self._part(begin, number)
        for scores in self._scores.values():
            scores.scores[: max(stop - begin, 0)] = 0.0  # they belong to what has ended
        return Events(ended, self._found(self._series, self._scores)[1])

    def _part(self, begin: int, end: int) -> tuple[Series, dict[str, Scores]]:
        series = Series(self._series.times[begin:end], self._series.values[begin:end])
        return series, {
            name: replace(
                one, scores=one.scores[begin:end].copy(), expected=one.expected[begin:end], margin=one.margin[begin:end]
            )
            for name, one in self._scores.items()
        }

    def _found(self, series: Series, scores: dict[str, Scores]) -> tuple[tuple[Event, ...], Event | None]:
        found = events_of(series, scores, unit=self._unit)
        return found, found[-1] if found else None


class _Rescored:
    """A detector without a state: it scores the new points with those before them."""

    def __init__(self, calibrated: Calibrated) -> None:
        import numpy as np

        self._calibrated = calibrated
        self._tail = Series(np.zeros(0), np.zeros(0))

    def extend(self, series: Series) -> Scores:
        whole = _concatenated(self._tail, series)
        known = len(self._tail)
        found = self._calibrated.score(whole)
        self._tail = Series(whole.times[-_CONTEXT:], whole.values[-_CONTEXT:])
        return replace(found, scores=found.scores[known:], expected=found.expected[known:], margin=found.margin[known:])


def _concatenated(one: Series, other: Series) -> Series:
    import numpy as np

    return Series(np.concatenate([one.times, other.times]), np.concatenate([one.values, other.values]))


def _joined(one: Scores | None, other: Scores) -> Scores:
    import numpy as np

    if one is None:
        return other
    before = one.scores.copy()
    if other.earlier:
        before[-other.earlier :] = np.maximum(before[-other.earlier :], STUCK)
    return Scores(
        np.concatenate([before, other.scores]),
        np.concatenate([one.expected, other.expected]),
        np.concatenate([one.margin, other.margin]),
        other.delay,
        pending=other.pending,
    )
