"""Stopping the column engine during a statement."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hpc_explorer.errors import Cancelled, DeadlineExceeded
from hpc_explorer.stores.base import Limits

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Seconds between two checks of the limits.
_LOOK_UP = 0.02


@contextmanager
def interrupted_by(connection: DuckDBPyConnection, limits: Limits) -> Iterator[None]:
    """Interrupt the engine when the limits are reached during the block; it then raises its own exception."""
    if limits.deadline is None and limits.cancel is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_UP):
            try:
                limits.check()
            except (Cancelled, DeadlineExceeded):
                # An interrupt between two statements has no effect, so it is repeated until the block ends.
                connection.interrupt()

    watcher = threading.Thread(target=watch, name="columns-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
