"""The rows of an answer, stored by column: cells, sorting and filtering.

`HeldRows` receives rows in parts; `AnswerRows` has those of a finished table. Sorting and filtering work on 100,000
rows and more in a thread, without holding the interpreter for long.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, Protocol

from hpc_explorer.app.results.answer import AnswerTable, Cell
from hpc_explorer.app.results.cells import cell_texts, literal_value, term_text
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.query.table import CellKind, Column, common_kind
from hpc_explorer.rdf.quantities import Quantity
from hpc_explorer.rdf.terms import Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

# Rows sorted in one call, which holds the interpreter for about 2 ms.
_RUN = 1_000

# Rows between two checks of the limits.
_CHECK_EVERY = 2_000


class TableRows(Protocol):
    """The rows of a table."""

    @property
    def columns(self) -> Sequence[Column]:
        """The columns."""
        ...

    def __len__(self) -> int: ...

    def cell(self, row: int, column: int) -> Cell:
        """The value of a cell."""
        ...

    def text(self, row: int, column: int) -> str:
        """The text of a cell in one line."""
        ...

    def measure(self, row: int, column: int) -> Cell:
        """The value to sort by: the amount of a quantity, otherwise the cell."""
        ...


class AnswerRows:
    """The rows of a finished table."""

    def __init__(self, table: AnswerTable) -> None:
        self.table = table
        self.columns = table.columns
        self._texts = [
            cell_texts(column, [row[number] for row in table.rows]) for number, column in enumerate(table.columns)
        ]

    def __len__(self) -> int:
        return len(self.table.rows)

    def cell(self, row: int, column: int) -> Cell:
        """The value of a cell."""
        return self.table.rows[row][column]

    def text(self, row: int, column: int) -> str:
        """The text of a cell."""
        return self._texts[column][row]

    def measure(self, row: int, column: int) -> Cell:
        """The value to sort by."""
        return self.table.rows[row][column]


@dataclass(frozen=True)
class RowBatch:
    """Several rows, by column.

    Args:
        number: the number of rows; a query without variables has rows without columns.
        columns: the values of each column; None for unbound.
        refs: provisional names of the resources.
        kinds: the kinds of the values in each column.
    """

    number: int
    columns: tuple[Sequence[Term | None], ...]
    refs: Mapping[Resource, ResourceRef]
    kinds: tuple[frozenset[CellKind], ...]


class HeldRows:
    """Rows that arrive in parts.

    Attributes:
        columns: with the common kinds of all values so far.
        refs: the names of resources.
        amounts: the resources that are quantities.
        unnamed: the resources whose labels have not been looked up.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self.refs: dict[Resource, ResourceRef] = {}
        self.amounts: dict[Resource, Quantity] = {}
        self.unnamed: dict[Resource, None] = {}
        self._values: list[list[Term | None]] = [[] for _ in self.columns]
        self._kinds: list[set[CellKind]] = [set() for _ in self.columns]
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, batch: RowBatch) -> None:
        """Append rows."""
        for resource, ref in batch.refs.items():
            if resource not in self.refs:
                self.refs[resource] = ref
                self.unnamed[resource] = None
        for values, more in zip(self._values, batch.columns, strict=True):
            values.extend(more)
        kinds = [known | new for known, new in zip(self._kinds, batch.kinds, strict=True)]
        if kinds != self._kinds:
            self._kinds = kinds
            self.columns = tuple(
                replace(column, kind=common_kind(found)) for column, found in zip(self.columns, kinds, strict=True)
            )
        # Set last, because other threads read complete rows only.
        self._count += batch.number

    def name(self, refs: Mapping[Resource, ResourceRef], values: Mapping[Resource, Quantity | str]) -> None:
        """Set the names of resources, and the quantities among them."""
        for resource in refs:
            self.unnamed.pop(resource, None)
        self.refs.update(refs)
        self.amounts.update((node, value) for node, value in values.items() if isinstance(value, Quantity))

    def term(self, row: int, column: int) -> Term | None:
        """The term of a cell."""
        return self._values[column][row]

    def cell(self, row: int, column: int) -> Cell:
        """The value of a cell."""
        value = self._values[column][row]
        if is_resource(value):
            return self.refs[value]
        known = literal_value(value)
        return self.text(row, column) or None if known is None else known

    def text(self, row: int, column: int) -> str:
        """The text of a cell, with all digits of a number."""
        return term_text(self._values[column][row], self.refs)

    def measure(self, row: int, column: int) -> Cell:
        """The value to sort by; for a quantity its amount in the base unit."""
        value = self._values[column][row]
        if self.amounts and is_resource(value) and value in self.amounts:
            amount = self.amounts[value].base_value
            if amount is None:
                amount = self.amounts[value].value
            if amount is not None:
                return float(amount)
        return self.cell(row, column)


# Sorting and filtering


def is_missing(cell: Cell) -> bool:
    """Whether a cell is empty or NaN."""
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def sort_key(cell: Cell) -> tuple[int, Any, str]:
    """Sort numbers before durations, times and texts, for mixed columns."""
    if isinstance(cell, (int, float)):
        return 0, cell, ""
    if isinstance(cell, timedelta):
        return 1, cell.total_seconds(), ""
    if isinstance(cell, datetime):
        # Take a time without a zone as UTC to compare it with others.
        return 2, (cell if cell.tzinfo else cell.replace(tzinfo=UTC)).timestamp(), ""
    if isinstance(cell, ResourceRef):
        return 3, label_order(cell.label), cell.iri
    return 3, label_order(cell or ""), ""


def sorted_rows(
    rows: TableRows, column: int, *, descending: bool = False, among: Sequence[int], limits: Limits = NO_LIMITS
) -> list[int]:
    """Sort rows by a column: missing values last in either direction, equal ones in the given order.

    Args:
        among: the numbers of the rows to sort.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """
    known: list[tuple[tuple[int, Any, str], int]] = []
    missing: list[int] = []
    runs: list[list[tuple[tuple[int, Any, str], int]]] = []
    first = itemgetter(0)
    for number, row in enumerate(among):
        if number % _CHECK_EVERY == 0:
            limits.check("sorting")
        cell = rows.measure(row, column)
        if is_missing(cell):
            missing.append(row)
            continue
        known.append((sort_key(cell), row))
        if len(known) == _RUN:
            known.sort(key=first, reverse=descending)
            runs.append(known)
            known = []
    known.sort(key=first, reverse=descending)
    runs.append(known)
    merged: list[int] = []
    # A single sort would block all other threads; a merge proceeds row by row.
    for number, (_, row) in enumerate(heapq.merge(*runs, key=first, reverse=descending)):
        if number % _CHECK_EVERY == 0:
            limits.check("sorting")
        merged.append(row)
    return merged + missing


def rows_with(
    rows: TableRows, sought: str, column: int | None = None, *, count: int, limits: Limits = NO_LIMITS
) -> list[int]:
    """The rows that contain a text in any column or one, ignoring case.

    A text with a colon or slash is also searched in IRIs.

    Args:
        count: the number of rows to search.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """
    needle = " ".join(sought.casefold().split())
    with_iris = ":" in needle or "/" in needle
    places = range(len(rows.columns)) if column is None else (column,)
    found = []
    for row in range(count):
        if row % _CHECK_EVERY == 0:
            limits.check("filtering")
        for place in places:
            if needle in rows.text(row, place).casefold():
                found.append(row)
                break
            if with_iris and isinstance(cell := rows.cell(row, place), ResourceRef) and needle in cell.iri.casefold():
                found.append(row)
                break
    return found
