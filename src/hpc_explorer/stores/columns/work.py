"""Rows and statements of the column engine, and how they are stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hpc_explorer.stores.base import Row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hpc_explorer.errors import Cancelled, DeadlineExceeded
from hpc_explorer.stores.base import Limits

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class ColumnRows:
    """The solutions of a query, from the columns."""

    def __init__(self, variables: tuple[str, ...], rows: list[Row]) -> None:
        self.variables = variables
        self.limited = False
        self._rows = rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class Work:
    """A sequence of statements that share temporary tables."""

    def __init__(self, cursor: DuckDBPyConnection) -> None:
        self._cursor = cursor

    def run(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Execute a statement; returns its rows."""
        return self._cursor.execute(statement, list(parameters)).fetchall()

    def number(self, statement: str) -> int:
        """The single number that a statement returns."""
        ((number,),) = self.run(statement)
        return int(number)

    def arrays(self, statement: str) -> tuple[Any, ...]:
        """The columns that a statement returns, as numpy arrays."""
        return tuple(self._cursor.execute(statement).fetchnumpy().values())


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
