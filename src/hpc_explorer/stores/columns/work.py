"""Rows and statements of the column engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hpc_explorer.stores.base import Row

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
