"""No pauses in the window's thread by work in others: how they share the interpreter, and who takes out garbage.

Two things of Python's make a window stand still while a job runs, and both are set for programs without a window. A
thread may compute for 5 ms before another may, and Qt gives the interpreter back at each of its calls. And the cyclic
garbage collector stops all threads while it looks through every object there is: 100 ms with 300,000 triples open.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject

from hpc_explorer.ui.bridge.jobs import JobsBridge
from hpc_explorer.ui.widgets.timers import single_shot

SWITCH_INTERVAL = 0.0002
"""Seconds a thread computes before another may. With Python's own 5 ms, a large file that is read holds up the window
for 200 ms at a time."""

YOUNG = (2_000, 20, 1_000_000_000)
"""When the collector looks at the new objects, and at those that outlived that; by itself it never looks at all."""

REST = 3_000
"""Milliseconds without a job after which all objects are looked at."""

LONG = 1.0
"""Seconds of work after which what it made is set aside."""

SHORT = 0.03
"""Seconds. Where a look at all objects took longer, those that are left are not looked at again."""


@contextmanager
def no_pauses(bridge: JobsBridge) -> Iterator[None]:
    """Have the threads share the interpreter, and the garbage collected, so that the window does not stand still.

    Args:
        bridge: tells when there is work.
    """
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


class _Collector(QObject):
    """Looks for garbage among all objects once nothing has been done for a while.

    What a job made that changed the graph, or any other long one, is large, stays, and has no cycles: it is set aside
    (`gc.freeze`) and never looked at. What refers to nothing but itself and was set aside with it is not given back;
    everything else still is, as soon as nobody refers to it.
    """

    def __init__(self, bridge: JobsBridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._timer = single_shot(self, REST, self._collect)
        self._busy_since: float | None = None
        gc.freeze()
        bridge.changed.connect(self._follow)

    def stop(self) -> None:
        """Look no more."""
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
