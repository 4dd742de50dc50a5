"""Stopping the column engine in the middle of its work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hpc_explorer.errors import Cancelled, DeadlineExceeded
from hpc_explorer.stores.base import Limits

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# How often it is looked whether anybody still waits for the answer, in seconds.
_LOOK_UP = 0.02


@contextmanager
def interrupted_by(connection: DuckDBPyConnection, limits: Limits) -> Iterator[None]:
    """Have the engine stop what it does in the block when the limits are reached: it raises its own exception then."""
    if limits.deadline is None and limits.cancel is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_UP):
            try:
                limits.check()
            except (Cancelled, DeadlineExceeded):
                # Between two statements there is nothing to interrupt, so it is said again until the block has ended.
                connection.interrupt()

    watcher = threading.Thread(target=watch, name="columns-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
