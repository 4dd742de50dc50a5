"""Waiting for what other threads and processes do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which it is taken for lost, on however busy a machine."""


def until(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends, "it never came to be so"
        threading.Event().wait(0.01)
