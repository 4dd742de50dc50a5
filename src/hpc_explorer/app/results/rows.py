"""The rows of an answer, kept by column: what stands in a cell, how rows are sorted, and which of them have a text.

`HeldRows` takes rows as they stream in; `AnswerRows` are those of a table that is there as a whole. What sorts and
filters works on both, for 100,000 rows and more: to be called in a thread, it never holds the interpreter for long.
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

# Rows that are sorted in one go: the interpreter is held for about 2 ms.
_RUN = 1_000

# Rows between two looks at the limits.
_CHECK_EVERY = 2_000


class TableRows(Protocol):
    """Rows that a table shows."""

    @property
    def columns(self) -> Sequence[Column]:
        """What they stand under."""
        ...

    def __len__(self) -> int: ...

    def cell(self, row: int, column: int) -> Cell:
        """What stands there."""
        ...

    def text(self, row: int, column: int) -> str:
        """What is read there, in one line."""
        ...

    def measure(self, row: int, column: int) -> Cell:
        """What it is sorted by: the amount where it is a quantity, else the cell itself."""
        ...


class AnswerRows:
    """The rows of a table that is there as a whole."""

    def __init__(self, table: AnswerTable) -> None:
        self.table = table
        self.columns = table.columns
        self._texts = [
            cell_texts(column, [row[number] for row in table.rows]) for number, column in enumerate(table.columns)
        ]

    def __len__(self) -> int:
        return len(self.table.rows)

    def cell(self, row: int, column: int) -> Cell:
        """What stands there."""
        return self.table.rows[row][column]

    def text(self, row: int, column: int) -> str:
        """What is read there."""
        return self._texts[column][row]

    def measure(self, row: int, column: int) -> Cell:
        """What it is sorted by."""
        return self.table.rows[row][column]


@dataclass(frozen=True)
class RowBatch:
    """Some rows, by column.

    Args:
        columns: for each column its values from the first row on; None where it is unbound.
        refs: what the resources in it are called as long as nobody has looked up their labels.
        kinds: what the values of each column are; empty where all are unbound.
    """

    columns: tuple[Sequence[Term | None], ...]
    refs: Mapping[Resource, ResourceRef]
    kinds: tuple[frozenset[CellKind], ...]

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0


class HeldRows:
    """Rows that stream in.

    Attributes:
        columns: their kinds are those of all values that came.
        refs: how the resources are called.
        amounts: the resources that are quantities.
        unnamed: the resources whose labels have not been looked up.

    Args:
        columns: what they are called; their kinds come with the values.
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
        """Take rows behind those that are there."""
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
        # Last of all: who reads in a thread sees whole rows only.
        self._count += len(batch)

    def name(self, refs: Mapping[Resource, ResourceRef], values: Mapping[Resource, Quantity | str]) -> None:
        """Take what resources are called, and which of them stand for one value."""
        for resource in refs:
            self.unnamed.pop(resource, None)
        self.refs.update(refs)
        self.amounts.update((node, value) for node, value in values.items() if isinstance(value, Quantity))

    def term(self, row: int, column: int) -> Term | None:
        """The value itself."""
        return self._values[column][row]

    def cell(self, row: int, column: int) -> Cell:
        """What stands there."""
        value = self._values[column][row]
        if is_resource(value):
            return self.refs[value]
        known = literal_value(value)
        return self.text(row, column) or None if known is None else known

    def text(self, row: int, column: int) -> str:
        """What is read there: every digit of a number as the graph spells it."""
        return term_text(self._values[column][row], self.refs)

    def measure(self, row: int, column: int) -> Cell:
        """What it is sorted by: of a quantity the amount in its kind's base unit."""
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
    """Whether nothing stands there, or no number."""
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def sort_key(cell: Cell) -> tuple[int, Any, str]:
    """Numbers before times before texts, so that a mixed column has an order too."""
    if isinstance(cell, (int, float)):
        return 0, cell, ""
    if isinstance(cell, timedelta):
        return 1, cell.total_seconds(), ""
    if isinstance(cell, datetime):
        # A time without a zone is taken as UTC, so that both kinds have one order.
        return 2, (cell if cell.tzinfo else cell.replace(tzinfo=UTC)).timestamp(), ""
    if isinstance(cell, ResourceRef):
        return 3, label_order(cell.label), cell.iri
    return 3, label_order(cell or ""), ""


def sorted_rows(
    rows: TableRows, column: int, *, descending: bool = False, among: Sequence[int], limits: Limits = NO_LIMITS
) -> list[int]:
    """Rows in the order of the values of a column; what is missing stands last either way, equal ones as before.

    Args:
        among: the numbers of the rows that are sorted.

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
    # One sort of all would keep every other thread waiting until it is done; a merge goes on row by row.
    for number, (_, row) in enumerate(heapq.merge(*runs, key=first, reverse=descending)):
        if number % _CHECK_EVERY == 0:
            limits.check("sorting")
        merged.append(row)
    return merged + missing


def rows_with(
    rows: TableRows, sought: str, column: int | None = None, *, count: int, limits: Limits = NO_LIMITS
) -> list[int]:
    """The rows that have a text in any column, or in one, in any case of letters.

    What holds a colon or a slash is sought in the IRIs of resources too.

    Args:
        count: so many rows are looked at, from the first on.

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
