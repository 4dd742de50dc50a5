"""How long the window's thread leaves events waiting: what a person feels as a window that hangs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt, QTimer

from hpc_explorer.ui.bridge.jobs import JobsBridge
from hpc_explorer.ui.window.garbage import no_pauses
from tests.helpers.speed import ROOM, slowness

LONGEST = 50.0
"""Milliseconds that the window's thread may leave events waiting because of this program's own work."""

TICK = 5
"""Milliseconds between two beats. A beat at every turn of the loop would itself take the interpreter from the jobs."""


class Watchdog(QObject):
    """Beats in the event loop of the thread it is made in, and keeps the gaps between the beats.

    Attributes:
        gaps: for each beat, by how many milliseconds it came too late, in the order they came.
        work: for each beat, how many milliseconds the thread itself computed since the one before: what of the gap is
            its own, however many programs want the machine.
        held: for each beat, what of the gap this program is to blame for, its other threads included: it waited for
            them, or it was they who had the machine. No longer than the gap, and than what the program computed in it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[float] = []
        self.work: list[float] = []
        self.held: list[float] = []
        self._last = self._last_work = self._last_all = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._beat)

    @property
    def longest(self) -> float:
        """The longest time in milliseconds that the thread left events waiting."""
        return max(self.gaps, default=0.0)

    def start(self) -> None:
        """Begin to watch."""
        self._last, self._last_work, self._last_all = time.perf_counter(), time.thread_time(), time.process_time()
        self._timer.start()

    def stop(self) -> None:
        """Watch no more; the time since the last beat counts too."""
        self._timer.stop()
        self._beat()

    def _beat(self) -> None:
        now, work, of_all = time.perf_counter(), time.thread_time(), time.process_time()
        self.gaps.append(max(0.0, 1000 * (now - self._last) - TICK))
        self.work.append(1000 * (work - self._last_work))
        self.held.append(min(self.gaps[-1], 1000 * (of_all - self._last_all)))
        self._last, self._last_work, self._last_all = now, work, of_all


def usual(beats: list[float]) -> float:
    """The longest but for one in twenty: what holds up the window, holds it up each time."""
    return sorted(beats)[-1 - len(beats) // 20]


def longest_here() -> float:
    """LONGEST, as much longer as this machine computes more slowly than the one that it was promised for, and ROOM times that.

    How long it is to the millisecond, is measured in `benchmarks/`.
    """
    return ROOM * LONGEST * slowness()


@contextmanager
def watched(bridge: JobsBridge) -> Iterator[Watchdog]:
    """Watch the event loop during the block, with threads and garbage as the program has them while it runs."""
    watchdog = Watchdog()
    with no_pauses(bridge):
        watchdog.start()
        try:
            yield watchdog
        finally:
            watchdog.stop()
