"""Keeps the window responsive while jobs run in threads.

By default a Python thread may compute for 5 ms before another one gets the interpreter, and Qt releases the
interpreter at each call. The cyclic garbage collector stops all threads: for 100 ms with 300,000 triples open.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject

from hpc_explorer.ui.bridge.jobs import JobsBridge
from hpc_explorer.ui.widgets.timers import single_shot

SWITCH_INTERVAL = 0.0002
"""Seconds. With Python's default of 5 ms, reading a large file blocks the window for 200 ms at a time."""

YOUNG = (2_000, 20, 1_000_000_000)
"""Thresholds of the collector; the oldest generation is never collected automatically."""

REST = 3_000
"""Milliseconds without a job before a full collection."""

LONG = 1.0
"""Seconds of work after which its objects are frozen."""

SHORT = 0.03
"""Seconds of a full collection after which the remaining objects are frozen."""


@contextmanager
def no_pauses(bridge: JobsBridge) -> Iterator[None]:
    """Tune thread switching and garbage collection while the window is open."""
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(*YOUNG)
    collector = _Collector(bridge)
    try:
        yield
    finally:
        collector.stop()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)


def return_free_memory() -> None:
    """Return memory that is free to the system.

    The C library of Linux keeps what was freed between two pieces that are in use, which in hours of work becomes more
    than what is in use. Other systems return it by themselves.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)  # musl has no such function


class _Collector(QObject):
    """Runs a full collection when no job has run for a while, and returns free memory to the system.

    The objects of a long job are large, permanent and mostly free of cycles, and are frozen (`gc.freeze`). Frozen
    cycles are not freed; other objects still are, by reference counting.
    """

    def __init__(self, bridge: JobsBridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._timer = single_shot(self, REST, self._collect)
        self._busy_since: float | None = None
        gc.freeze()
        bridge.changed.connect(self._follow)

    def stop(self) -> None:
        """Stop collecting."""
        self._timer.stop()
        self._bridge.changed.disconnect(self._follow)
        gc.unfreeze()

    def _follow(self) -> None:
        now = time.monotonic()
        if self._bridge.active():
            self._timer.stop()
            if self._busy_since is None:
                self._busy_since = now
        else:
            if self._busy_since is not None and now - self._busy_since > LONG:
                gc.freeze()
            self._busy_since = None
            self._timer.start()

    def _collect(self) -> None:
        began = time.perf_counter()
        gc.collect()
        if time.perf_counter() - began > SHORT:
            gc.freeze()
        # It takes 12 ms for 100 MB.
        threading.Thread(target=return_free_memory, name="return free memory", daemon=True).start()
