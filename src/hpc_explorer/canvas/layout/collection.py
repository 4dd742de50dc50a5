"""Pause garbage collection during work that creates many lasting objects."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_within = 0


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause the cycle collector; reference counting continues. Thread-safe.

    A large layout makes some hundred thousand tuples, none of them garbage: the collector would take half of its time.
    If the collector was off already, it stays off.
    """
    global _within, _was_on
    with _lock:
        if _within == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _within += 1
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if _within == 0 and _was_on:
                gc.enable()


_was_on = True
