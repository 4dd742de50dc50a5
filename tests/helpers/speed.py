"""How fast this machine computes now, beside the one that limits of processor time were set on."""

from __future__ import annotations

import time

# Milliseconds that `_some_work` takes there.
_SOME_WORK = 3.6


ROOM = 4
"""How many times as long as it is promised a test lets something take: a thread's work takes more processor time where
other programs empty its caches, or the machine itself is lent. What is done in one piece by mistake takes far longer."""


def slowness() -> float:
    """By what a limit of processor time is to be multiplied here; at least 1.

    A wall clock counts what other programs take; processor time does not, but programs that share a core slow each
    other down to half their speed, which is in it.
    """
    return max(1.0, sorted(_some_work() for _ in range(9))[4] / _SOME_WORK)


def _some_work() -> float:
    """Milliseconds of processor time that something takes, which is the same each time."""
    began = time.thread_time()
    sum(number * number for number in range(100_000))
    return 1000 * (time.thread_time() - began)
