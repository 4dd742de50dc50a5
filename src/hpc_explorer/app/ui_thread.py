"""Let a computing thread yield to the thread of the window.

Only one thread at a time holds Python's interpreter lock, and Qt releases it at each call: if the window's thread makes
a thousand calls while a job computes, it waits a thousand times for 0.2 ms. So a job checks at its steps whether the
window's thread is busy, by its processor time, and sleeps until it is idle.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LOOK = 0.001
"""Polling interval in seconds; a check takes a microsecond."""

AT_WORK = 0.00003
"""Processor seconds since the last check above which a thread is busy. A thread that waits for the interpreter lock
uses little; one that waits for events uses none."""

NAP = 0.001
"""Seconds to sleep before the next check."""

LONGEST = 0.04
"""Seconds after which a job continues anyway, because the window may be waiting for it."""

TURN = 0.01
"""Seconds that it then computes without a check, to make progress while a window draws continuously."""


class UiThreadYield:
    """Yields to another thread at each step.

    Args:
        used: the processor seconds that the other thread has used so far.
        now: a clock in seconds.
        nap: sleeps for a number of seconds and releases the interpreter lock.
    """

    def __init__(
        self,
        used: Callable[[], float],
        now: Callable[[], float] = time.perf_counter,
        nap: Callable[[float], None] = time.sleep,
    ) -> None:
        self._used, self._now, self._nap = used, now, nap
        self._had_used = used()
        self._next = now() + LOOK

    def at_step(self) -> None:
        """Sleep while the other thread is busy."""
        now = self._now()
        if now < self._next:
            return
        used = self._used()
        is_done = True
        if used - self._had_used > AT_WORK:
            now, used, is_done = self._wait(now, used)
        self._had_used = used
        self._next = now + (LOOK if is_done else TURN)

    def _wait(self, now: float, used: float) -> tuple[float, float, bool]:
        """Wait; returns the time, the processor seconds used, and whether the other thread is idle."""
        until = now + LONGEST
        while now < until:
            self._nap(NAP)
            had_used = used
            now, used = self._now(), self._used()
            if used - had_used <= AT_WORK:
                return now, used, True
        return now, used, False


def processor_time_of(thread: threading.Thread) -> Callable[[], float] | None:
    """A function that returns the processor seconds of a running thread; None if the system has no such clock."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    if clock_of is None or thread.ident is None or not thread.is_alive():
        return None
    clock = clock_of(thread.ident)
    return lambda: time.clock_gettime(clock)
