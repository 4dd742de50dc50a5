"""Synthetic series with anomalies at known places, to measure detectors.

The normal series is a transfer rate with correlated noise. Its anomalies are as strong as a slow disk in the
Flow-Bench runs (label hdd), where jobs take four to thirteen times as long, or weaker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.monitor.series import Series

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

KINDS = ("step", "noise", "drop", "drift", "flat")

SAMPLING = 5.0
"""Seconds between two points."""

_LEVEL = 100.0
_DEVIATION = 8.0
_CORRELATION = 0.6
_DAY = 86400.0


@dataclass(frozen=True)
class Injected:
    """An injected anomaly, in seconds since 1970."""

    kind: str
    begin: float
    end: float


def normal_series(random: np.random.Generator, days: float = 1.0) -> Series:
    """A series without anomalies, of a mean of 100 MB/s."""
    import numpy as np
    from scipy.signal import lfilter

    number = int(days * _DAY / SAMPLING)
    noise = random.normal(0, _DEVIATION * np.sqrt(1 - _CORRELATION**2), number + 100)
    values: Array = _LEVEL + lfilter([1.0], [1.0, -_CORRELATION], noise)[100:]
    return Series(1.6e9 + SAMPLING * np.arange(number, dtype=np.float64), values)


def inject(
    series: Series, random: np.random.Generator, kinds: tuple[str, ...] = KINDS
) -> tuple[Series, list[Injected]]:
    """The series with one anomaly of each kind, ten minutes to an hour long, at random places apart from each other."""
    import numpy as np

    values, found = series.values.copy(), []
    room = len(series) // (len(kinds) + 1)
    for number, kind in enumerate(random.permutation(list(kinds))):
        length = int(random.integers(120, min(720, room // 2)))
        begin = (number + 1) * room - room // 2 + int(random.integers(0, room // 2 - length // 2))
        part = slice(begin, begin + length)
        match kind:
            case "step":
                values[part] += _LEVEL * random.uniform(0.6, 1.5)
            case "noise":
                values[part] += random.normal(0, 5 * _DEVIATION, length)
            case "drop":
                values[part] *= random.uniform(0.08, 0.25)
            case "drift":
                values[part] += np.linspace(0, _LEVEL * random.uniform(1.5, 3), length)
            case "flat":
                values[part] = values[begin]
        found.append(Injected(str(kind), float(series.times[begin]), float(series.times[begin + length - 1])))
    return Series(series.times, values), sorted(found, key=lambda one: one.begin)
