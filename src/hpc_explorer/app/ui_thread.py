"""How a thread that computes gives way to the one that shows the window.

Only one thread at a time has Python's interpreter, and Qt gives it back at each call: a window's thread that makes a
thousand calls while a job computes waits a thousand times, 0.2 ms each. So a job looks at its steps whether the
window's thread is at work, which its processor time tells, and stands aside until it has done.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LOOK = 0.001
"""Seconds between two looks: to look costs a microsecond."""

AT_WORK = 0.00003
"""Seconds that a thread has computed since the last look if it is at work. While it waits for the interpreter it
computes little; one that waits for keys and clicks computes nothing at all."""

NAP = 0.001
"""Seconds to stand aside before the next look."""

LONGEST = 0.04
"""Seconds after which a job goes on anyway: the window may be waiting for just this job."""

TURN = 0.01
"""Seconds that it then computes without looking, so that it gets on while a window draws without end."""


class UiThreadYield:
    """Gives way to one thread, at each step of another.

    Args:
        used: the seconds of processor time that the first thread has used so far.
        now: a clock in seconds.
        nap: waits for so many seconds, with the interpreter left to others.
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
        """Stand aside while the thread is at work."""
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
        """Wait; returns the clock, what the thread has used, and whether it has done its work."""
        until = now + LONGEST
        while now < until:
            self._nap(NAP)
            had_used = used
            now, used = self._now(), self._used()
            if used - had_used <= AT_WORK:
                return now, used, True
        return now, used, False


def processor_time_of(thread: threading.Thread) -> Callable[[], float] | None:
    """What tells the processor time of a running thread, in seconds; None where the system does not."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    if clock_of is None or thread.ident is None or not thread.is_alive():
        return None
    clock = clock_of(thread.ident)
    return lambda: time.clock_gettime(clock)
