"""How long the window's thread leaves events waiting: what a person feels as a window that hangs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt, QTimer

from hpc_explorer.ui.jobs_bridge import JobsBridge
from hpc_explorer.ui.pauses import no_pauses

TICK = 5
"""Milliseconds between two beats. A beat at every turn of the loop would itself take the interpreter from the jobs."""


class Watchdog(QObject):
    """Beats in the event loop of the thread it is made in, and keeps the gaps between the beats.

    Attributes:
        gaps: for each beat, by how many milliseconds it came too late, in the order they came.
        work: for each beat, how many milliseconds the thread itself computed since the one before: what of the gap is
            its own, however many programs want the machine.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[float] = []
        self.work: list[float] = []
        self._last = self._last_work = 0.0
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
        self._last, self._last_work = time.perf_counter(), time.thread_time()
        self._timer.start()

    def stop(self) -> None:
        """Watch no more; the time since the last beat counts too."""
        self._timer.stop()
        self._beat()

    def _beat(self) -> None:
        now, work = time.perf_counter(), time.thread_time()
        self.gaps.append(max(0.0, 1000 * (now - self._last) - TICK))
        self.work.append(1000 * (work - self._last_work))
        self._last, self._last_work = now, work


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
