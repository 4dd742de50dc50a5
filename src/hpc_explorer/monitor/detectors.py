"""Detectors: which points of a series are anomalous, and how strongly.

A detector is calibrated on a series without anomalies and then scores others. A score of 1 is the limit of what is
normal; points above it are anomalous. Packages add detectors through the entry point group `hpc_explorer.detectors`,
each a callable without arguments that returns a `Detector`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.autoregression import Autoregression, autoregression
from hpc_explorer.monitor.series import Series, robust_center

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ENTRY_POINTS = "hpc_explorer.detectors"

_LEAST_TRAINING = 30
"""The fewest points to calibrate on."""

PAUSE = 12
"""Anomalous points with fewer normal points than this between them belong together."""

_RESERVE = 1.25
"""How much farther than the farthest recurring excursion of the training the normal range reaches."""


@dataclass(frozen=True, eq=False)
class Scores:
    """What a detector says about each point of a series.

    Args:
        scores: at least 0; above 1 is anomalous.
        expected: the value that the detector expects.
        margin: how far a normal value may be from it.
        delay: the number of points that a score looks back; an anomaly may begin that much before its first point.
        earlier: the number of points before these whose score is `STUCK` at least, as these show.
        pending: the number of the last points whose score may still rise to `STUCK`.
    """

    scores: Array
    expected: Array
    margin: Array
    delay: int = 0
    earlier: int = 0
    pending: int = 0


STUCK = 2.0
"""The score of points at which a sensor repeats one value for too long."""


class Running(Protocol):
    """A calibrated detector in the middle of a series."""

    def extend(self, series: Series) -> Scores:
        """Score the next points of the series. However the points are divided, the scores are the same."""


class Calibrated(Protocol):
    """A detector calibrated on normal measurements."""

    def score(self, series: Series) -> Scores:
        """Score the points of a series."""


@runtime_checkable
class Incremental(Protocol):
    """A calibrated detector that scores a series part by part."""

    def start(self) -> Running:
        """Begin a series."""


class Detector(Protocol):
    """A way to find anomalous points.

    The name is short and without blanks; it identifies the detector in results. The version changes when its results
    may change.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def calibrate(self, training: Series) -> Calibrated:
        """Calibrate on a series without anomalies."""


@dataclass(frozen=True)
class MovingAverage:
    """A robust moving average: level and spread of a window, compared with those of the training.

    Args:
        window: the number of points.
        limit: the number of standard deviations of the window's level that are normal.
    """

    window: int = 6
    limit: float = 6.0
    name: str = "moving-average"
    version: str = "2"

    def calibrate(self, training: Series) -> Calibrated:
        """Take center, spread and their variation from the training."""
        import numpy as np

        values = training.values
        center, spread = robust_center(values) if len(values) else (0.0, 0.0)
        if len(values) >= _LEAST_TRAINING:
            averages = _moving_average(values, self.window)[self.window :]
            _, level = robust_center(averages)
            level = max(level, 1e-12 * abs(center), 1e-300)
            level *= _widening(np.abs(averages - center) / (self.limit * level))
            spreads = np.log(np.maximum(_moving_spread(values, 2 * self.window), 1e-300))[2 * self.window :]
            usual, variation = robust_center(spreads)
            variation = max(variation, 0.05)
            variation *= _widening((spreads - usual) / (self.limit * variation))
        else:
            level, usual, variation = spread, math.log(max(spread, 1e-300)), 1.0
            level = max(level, 1e-12 * abs(center), 1e-300)
        longest = max(2 * self.window, 2 * int(_equal_runs(values).max(initial=0)))
        return _CalibratedAverage(self, center, level, usual, variation, longest)


@dataclass(frozen=True)
class _CalibratedAverage:
    detector: MovingAverage
    center: float
    level: float
    usual: float
    variation: float
    longest: int

    def score(self, series: Series) -> Scores:
        return self.start().extend(series)

    def start(self) -> Running:
        return _RunningAverage(self)


class _RunningAverage:
    def __init__(self, calibrated: _CalibratedAverage) -> None:
        import numpy as np

        self._calibrated = calibrated
        self._tail: Array = np.zeros(0)
        self._seen = 0
        self._equal = 0

    def extend(self, series: Series) -> Scores:
        import numpy as np

        usual, number = self._calibrated, len(series)
        window, limit = usual.detector.window, usual.detector.limit
        values, known = np.concatenate([self._tail, series.values]), len(self._tail)
        margin = limit * usual.level
        scores = np.abs(_moving_average(values, window)[known:] - usual.center) / margin
        spreads = _moving_spread(values, 2 * window)[known:]
        wider = (np.log(np.maximum(spreads, 1e-300)) - usual.usual) / (limit * usual.variation)
        wider[: max(0, 2 * window - self._seen)] = 0.0
        scores = np.maximum(scores, wider)
        # A sensor that is stuck repeats one value for longer than it does in the training.
        runs = _equal_runs(series.values)
        earlier = 0
        if number and known and series.values[0] == self._tail[-1]:
            first = int(runs[0])
            runs[:first] += self._equal
            if runs[0] >= usual.longest:
                earlier = self._equal
        self._equal = int(runs[-1]) if number else self._equal
        scores[runs >= usual.longest] = np.maximum(scores[runs >= usual.longest], STUCK)
        self._tail = values[-(2 * window) :]
        self._seen += number
        whole = np.ones(number)
        return Scores(scores, usual.center * whole, margin * whole, 2 * window, earlier, self._equal)


def _widening(scores: Array) -> float:
    """By what factor a limit must grow so that excursions which recur in the training are normal; at least 1.

    An excursion is a group of points above the limit. A single one may be an anomaly, and does not count.

    Args:
        scores: those of the training, with the limit at 1.
    """
    import numpy as np

    beyond = np.flatnonzero(scores > 1)
    recurs = bool((np.diff(beyond) > PAUSE).any())
    return _RESERVE * float(scores.max()) if recurs else 1.0


def _equal_runs(values: Array) -> NDArray[np.int64]:
    """For each point the number of equal values in a row that it belongs to."""
    import numpy as np

    if not len(values):
        return np.zeros(0, np.int64)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(values) != 0) + 1])
    lengths = np.diff(np.append(starts, len(values)))
    return np.repeat(lengths, lengths)


def _moving_average(values: Array, window: int) -> Array:
    """The average of each point and those before it in the window; the first windows are shorter."""
    import numpy as np

    sums = np.concatenate([[0.0], np.cumsum(values)])
    ends = np.arange(1, len(values) + 1)
    begins = np.maximum(ends - window, 0)
    result: Array = (sums[ends] - sums[begins]) / (ends - begins)
    return result


def _moving_spread(values: Array, window: int) -> Array:
    """The standard deviation of each window, as `_moving_average`."""
    import numpy as np

    # Relative to the first value, so that squares of large levels do not hide small variation.
    shifted = values - (values[0] if len(values) else 0.0)
    averages = _moving_average(shifted, window)
    squares = _moving_average(shifted**2, window)
    variances = np.maximum(squares - averages**2, 0.0)
    variances[variances < 1e-12 * squares] = 0.0
    result: Array = np.sqrt(variances)
    return result


@dataclass(frozen=True)
class ClampedAutoregression:
    """Autoregression whose anomalous inputs are replaced by their predictions.

    A plain one-step prediction follows a step after one point, and finds only its edges.

    Args:
        limit: the number of standard deviations of the prediction's error that are normal.
    """

    limit: float = 5.5
    name: str = "autoregression"
    version: str = "2"

    def calibrate(self, training: Series) -> Calibrated:
        """Fit the autoregression."""
        found = _CalibratedAutoregression(self.limit, autoregression(training.values))
        if len(training) < _LEAST_TRAINING:
            return found
        return replace(found, limit=self.limit * _widening(found.score(training).scores))


_AHEAD = 512
"""The most points that are predicted at once from clamped inputs."""

_BLOCK = 16384


@dataclass(frozen=True, eq=False)
class _CalibratedAutoregression:
    limit: float
    model: Autoregression

    def score(self, series: Series) -> Scores:
        return self.start().extend(series)

    def start(self) -> Running:
        return _RunningAutoregression(self)


class _RunningAutoregression:
    """The inputs of the next prediction, and how many of them in a row are predictions themselves."""

    def __init__(self, calibrated: _CalibratedAutoregression) -> None:
        import numpy as np

        model = calibrated.model
        floor = max(1e-12 * abs(model.mean), 1e-300)
        self._model = model
        self._margins = calibrated.limit * np.maximum(model.deviations(_AHEAD), floor)
        self._past: Array = np.zeros(model.lags)
        self._ahead = 0

    def extend(self, series: Series) -> Scores:
        import numpy as np

        lags, margins = self._model.lags, self._margins
        actual = series.values - self._model.mean
        inputs = np.concatenate([self._past, actual])
        number = len(inputs)
        expected, margin = np.zeros(number), np.full(number, margins[0])
        actual, place = inputs.copy(), lags
        while place < number:
            if not self._ahead:
                end = min(place + _BLOCK, number)
                predicted = self._one_step(inputs, place, end)
                expected[place:end] = predicted
                wrong = np.abs(actual[place:end] - predicted) > margins[0]
                if not wrong.any():
                    place = end
                    continue
                place += int(np.argmax(wrong))
            # From here on each input is replaced by its prediction, until a measurement is normal again.
            last = min(place + _AHEAD - self._ahead, number)
            ahead = self._free_run(inputs, place, last - place)
            limits = margins[self._ahead : self._ahead + last - place]
            normal = np.abs(actual[place:last] - ahead) <= limits
            stop = place + (int(np.argmax(normal)) if normal.any() else last - place)
            inputs[place:stop] = ahead[: stop - place]
            expected[place:stop] = ahead[: stop - place]
            margin[place:stop] = limits[: stop - place]
            self._ahead += stop - place
            if normal.any() or self._ahead == _AHEAD:
                self._ahead = 0
            place = stop
        self._past = inputs[number - lags :]
        scores = np.abs(actual - expected) / margin
        return Scores(scores[lags:], expected[lags:] + self._model.mean, margin[lags:])

    def _one_step(self, inputs: Array, begin: int, end: int) -> Array:
        import numpy as np

        lags = self._model.lags
        if not lags:
            return np.zeros(end - begin)
        return np.convolve(inputs[begin - lags : end - 1], self._model.coefficients, "valid")

    def _free_run(self, inputs: Array, place: int, steps: int) -> Array:
        import numpy as np
        from scipy.signal import lfilter, lfiltic

        lags = self._model.lags
        if not lags:
            return np.zeros(steps)
        denominator = np.concatenate([[1.0], -self._model.coefficients])
        state = lfiltic([1.0], denominator, inputs[place - lags : place][::-1])
        result: Array = lfilter([1.0], denominator, np.zeros(steps), zi=state)[0]
        return result


@dataclass(frozen=True)
class ModelThreshold:
    """The interval that a performance model predicts. The training does not count.

    Args:
        value: the predicted value, in the unit of the series.
        low, high: its interval.
    """

    value: float
    low: float
    high: float
    name: str = "model"
    version: str = "1"

    def calibrate(self, training: Series) -> Calibrated:
        """The detector itself."""
        return self

    def start(self) -> Running:
        return self

    def extend(self, series: Series) -> Scores:
        return self.score(series)

    def score(self, series: Series) -> Scores:
        """Score the points of a series."""
        import numpy as np

        least = 1e-12 * abs(self.value) + 1e-300
        above, below = max(self.high - self.value, least), max(self.value - self.low, least)
        away = series.values - self.value
        margin = np.where(away > 0, above, below)
        return Scores(np.abs(away) / margin, np.full(len(series), self.value), margin)


def shipped_detectors() -> tuple[Detector, ...]:
    """The detectors that need no model."""
    return (MovingAverage(), ClampedAutoregression())


def plug_in_detectors() -> Iterator[Detector]:
    """The detectors of installed packages.

    Raises:
        UnusableModel: one cannot be imported or made. What it raises later is reported so too.
    """
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        with _errors_named(entry.name):
            made = entry.load()()
            if not (getattr(made, "name", "") and getattr(made, "version", "")):
                raise TypeError("it has no name and version")
        yield _PlugIn(made, entry.name)


@contextmanager
def _errors_named(name: str) -> Iterator[None]:
    """Code of other packages may raise anything."""
    try:
        yield
    except Exception as error:  # the error is kept as the cause
        raise UnusableModel(
            f"the detector of a package failed ({error})", name, "update that package, or remove it"
        ) from error


class _PlugIn:
    """A detector of a package, whose errors and results are checked."""

    def __init__(self, detector: Detector, entry: str) -> None:
        self._detector, self._entry = detector, entry
        self.name, self.version = str(detector.name), str(detector.version)

    def calibrate(self, training: Series) -> Calibrated:
        with _errors_named(self._entry):
            return _CheckedPlugIn(self._detector.calibrate(training), self._entry)


@dataclass(frozen=True)
class _CheckedPlugIn:
    calibrated: Calibrated
    entry: str

    def score(self, series: Series) -> Scores:
        with _errors_named(self.entry):
            found = self.calibrated.score(series)
            if not isinstance(found, Scores):
                raise TypeError(f"it returned {type(found).__name__}, not Scores")
            for values, word in ((found.scores, "scores"), (found.expected, "expected"), (found.margin, "margins")):
                if len(values) != len(series):
                    raise ValueError(f"it returned {len(values)} {word} of {len(series)} points")
        return found
