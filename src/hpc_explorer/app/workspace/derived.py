"""Values that are computed from the graph on first use, and forgotten when it changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from hpc_explorer.stores.base import NO_LIMITS, Limits

T = TypeVar("T")

# Polling interval in seconds while another thread computes a value; cancellation is checked each time.
_CANCEL_POLL = 0.05


class DerivedValues:
    """Values computed from the graph, each at most once between two changes."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._values: dict[str, Any] = {}

    def get(self, name: str, build: Callable[[], T], limits: Limits = NO_LIMITS) -> T:
        """The value of `build`; waiting for another thread that computes one can be cancelled."""
        while not self.lock.acquire(timeout=_CANCEL_POLL):
            limits.check("waiting for another computation")
        try:
            if name not in self._values:
                self._values[name] = build()
            return self._values[name]  # type: ignore[no-any-return]  # each name has one builder
        finally:
            self.lock.release()

    def drop(self, *names: str) -> None:
        """Forget values; a reader that still uses one keeps it."""
        for name in names:
            self._values.pop(name, None)

    def drop_beginning(self, start: str) -> None:
        """Forget the values whose names begin so."""
        self.drop(*(name for name in self._values if name.startswith(start)))

    def clear(self) -> None:
        """Forget all values, and close the label index."""
        if "labels" in self._values:
            self._values["labels"].close()
        self._values.clear()
