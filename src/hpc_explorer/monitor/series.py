"""A time series as a value, and how measurements are put in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]

_GAP = 5.0
"""A pause of more than this many sampling intervals is a gap."""


@dataclass(frozen=True, eq=False)
class Series:
    """Measurements in order of time.

    Args:
        times: seconds since 1970, strictly increasing.
        values: finite numbers, as many as times.
        notes: what was wrong with the measurements, one sentence each.
    """

    times: Array
    values: Array
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.times)

    @property
    def interval(self) -> float:
        """The sampling interval in seconds: the median of the steps; 0 for fewer than two points."""
        import numpy as np

        return float(np.median(np.diff(self.times))) if len(self) > 1 else 0.0

    def between(self, begin: float, end: float) -> Series:
        """The part from `begin` up to and including `end`."""
        import numpy as np

        first, last = np.searchsorted(self.times, begin, "left"), np.searchsorted(self.times, end, "right")
        return Series(self.times[first:last], self.values[first:last])

    def first_quarter(self) -> Series:
        """The first quarter of the points, by their number: one time that is far off does not change it."""
        last = (len(self) + 3) // 4
        return Series(self.times[:last], self.values[:last])

    def gaps(self) -> NDArray[np.int64]:
        """The index of the first point after each gap."""
        import numpy as np

        if len(self) < 3:
            return np.array([], np.int64)
        return np.flatnonzero(np.diff(self.times) > _GAP * self.interval) + 1


def ordered(times: ArrayLike, values: ArrayLike) -> Series:
    """Measurements as a series: without values that are no numbers, sorted, the last of each moment kept.

    What is dropped or out of order is told in `notes`.
    """
    import numpy as np

    when, what = np.asarray(times, float), np.asarray(values, float)
    notes: list[str] = []
    good = np.isfinite(when) & np.isfinite(what)
    if not good.all():
        notes.append(f"{counted(int(np.count_nonzero(~good)), 'point')} of {len(good):,} without a number left out")
        when, what = when[good], what[good]
    back = int(np.count_nonzero(np.diff(when) < 0))
    if back:
        notes.append(f"the clock went back {counted(back, 'time')}; the points were sorted by time")
        order = np.argsort(when, kind="stable")
        when, what = when[order], what[order]
    last = np.append(np.diff(when) > 0, True) if len(when) else np.array([], bool)
    if not last.all():
        same = counted(int(np.count_nonzero(~last)), "point")
        notes.append(f"{same} at the same time as another; the last was kept")
        when, what = when[last], what[last]
    found = Series(when, what)
    gaps = found.gaps()
    if len(gaps):
        longest = float(np.diff(when).max())
        notes.append(f"{counted(len(gaps), 'gap')} in the measurements, the longest of {longest:,.0f} s")
    return Series(when, what, tuple(notes))


def robust_center(values: Array) -> tuple[float, float]:
    """The median, and the standard deviation estimated from the median absolute deviation.

    Where more than half of the values are equal the deviation falls back to the usual one.
    """
    import numpy as np

    center = float(np.median(values))
    spread = 1.4826 * float(np.median(np.abs(values - center)))
    return center, spread if spread > 0 else float(np.std(values))
