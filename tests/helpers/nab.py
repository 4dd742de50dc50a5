"""The score of the Numenta Anomaly Benchmark, as Lavin and Ahmad define it (ICMLA 2015, doi:10.1109/ICMLA.2015.141).

Each window of a file counts once, by its best alarm: the earlier in the window, the more. Each alarm outside of the
windows counts against the detector, less shortly after a window. The alarms of the first 15 % of a file, 750 points at
most, do not count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Windows = Sequence[tuple[int, int]]
"""The first and the last point of each window, in order."""


@dataclass(frozen=True)
class Profile:
    """What alarms count: in a window, outside of one (against the detector), and a window without one (against it)."""

    right: float
    false: float
    missed: float


STANDARD = Profile(1.0, 0.11, 1.0)


def probation(points: int) -> int:
    """The number of points at the begin of a file that do not count."""
    return min(math.floor(0.15 * points), 750)


def place_score(place: float) -> float:
    """What an alarm is worth: -1 is the begin of a window, 0 its end, 1 as far after it as it is long."""
    return -1.0 if place >= 3 else 2 / (1 + math.exp(5 * place)) - 1


def file_score(alarms: NDArray[np.bool_], windows: Windows, ignored: int, profile: Profile = STANDARD) -> float:
    """The raw score of a file, of which the first `ignored` points do not count."""
    import numpy as np

    best: dict[int, float] = {}
    false = 0.0
    for place in np.flatnonzero(alarms):
        if place < ignored:
            continue
        inside = next((number for number, (begin, end) in enumerate(windows) if begin <= place <= end), None)
        if inside is not None:
            begin, end = windows[inside]
            worth = profile.right * place_score(-(end - place + 1) / (end - begin + 1)) / place_score(-1)
            best[inside] = max(best.get(inside, -math.inf), worth)
            continue
        before = [window for window in windows if window[1] < place]
        distance = (place - before[-1][1]) / (before[-1][1] - before[-1][0]) if before else 3.0
        false += profile.false * place_score(distance)
    return sum(best.values()) + false - profile.missed * (len(windows) - len(best))


def shown_score(raw: float, windows: int, profile: Profile = STANDARD) -> float:
    """The score of all files as NAB shows it: 0 without any alarm, 100 for alarms at the begins of windows alone."""
    least = -profile.missed * windows
    return 100 * (raw - least) / (profile.right * windows - least)
