"""A table: columns with kinds and units, and rows of terms or plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from typing import Generic, TypeVar

from hpc_explorer.ontology.labels import words
from hpc_explorer.rdf.datatypes import NUMBERS
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term
from hpc_explorer.stores.base import Count, CountKind, Rows

Row = tuple[Term | None, ...]
"""One solution; None in an unbound column."""

T = TypeVar("T", covariant=True)


class CellKind(Enum):
    """The kind of a column or axis, which decides its alignment, formatting and sorting."""

    TEXT = "text"
    NUMBER = "number"
    TIME = "time"
    DURATION = "duration"
    RESOURCE = "resource"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Args:
        kind: the kind of all its values; text if they differ or there are none.
        unit: the unit of its numbers, or empty.
        name: the variable of a query, or empty.
    """

    title: str
    kind: CellKind = CellKind.TEXT
    unit: str = ""
    name: str = ""

    @property
    def heading(self) -> str:
        """The title with the unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True)
class Table(Generic[T]):
    """Rows under columns.

    Args:
        rows: each with one cell for each column.
        empty_text: shown if there are no rows.
        complete: False if rows were cut off.

    Raises:
        ValueError: a row has the wrong number of cells.
    """

    columns: tuple[Column, ...]
    rows: Sequence[tuple[T, ...]]
    title: str = ""
    empty_text: str = "Nothing."
    complete: bool = True

    def __post_init__(self) -> None:
        wrong = next((row for row in self.rows if len(row) != len(self.columns)), None)
        if wrong is not None:
            raise ValueError(f"{len(wrong)} cells in a table of {len(self.columns)} columns: {wrong}")

    @property
    def names(self) -> tuple[str, ...]:
        """The variables of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def total(self) -> Count:
        """The number of rows; a lower bound if they were cut off."""
        return Count(len(self.rows), CountKind.EXACT if self.complete else CountKind.AT_LEAST)

    def index(self, name: str) -> int:
        """The index of the column of a variable.

        Raises:
            KeyError: there is no such column.
        """
        for place, column in enumerate(self.columns):
            if column.name == name:
                return place
        raise KeyError(name)


TermTable = Table[Term | None]
"""The answer of a query; None where a variable is unbound."""


def table_of(rows: Rows, known: Iterable[Column] = (), *, at_most: int | None = None) -> TermTable:
    """The table of a store's rows.

    Args:
        known: the titles and units of some columns.
        at_most: the maximum number of rows; None: all.
    """
    names = tuple(rows.variables)
    taken = [tuple(map(row.get, names)) for row in islice(rows, None if at_most is None else at_most + 1)]
    cut_off = at_most is not None and len(taken) > at_most
    # Quoted triples print like terms.
    return term_table(columns_of(names, known), taken[:at_most], complete=not (cut_off or rows.limited))  # type: ignore[arg-type]


def columns_of(names: Iterable[str], known: Iterable[Column] = ()) -> tuple[Column, ...]:
    """The columns of variables without kinds; `known` has the titles and units of some."""
    called = {column.name: column for column in known}
    return tuple(called.get(name) or Column(words(name), name=name) for name in names)


def term_table(columns: Sequence[Column], rows: Sequence[Row], *, complete: bool = True) -> TermTable:
    """A table of terms; the kinds of its columns follow from the values."""
    typed = tuple(
        replace(column, kind=common_kind(kinds_in(row[place] for row in rows))) for place, column in enumerate(columns)
    )
    return Table(typed, tuple(rows), complete=complete)


def kinds_in(values: Iterable[Term | None]) -> frozenset[CellKind]:
    """The kinds of the values of a column."""
    types = {value.datatype if isinstance(value, Literal) else type(value) for value in values}
    return frozenset(_KINDS.get(one, CellKind.TEXT) for one in types - {type(None)})


_KINDS: Mapping[object, CellKind] = {
    **dict.fromkeys((NamedNode, BlankNode), CellKind.RESOURCE),
    **dict.fromkeys(NUMBERS, CellKind.NUMBER),
    **dict.fromkeys((XSD.dateTime, XSD.date, XSD.dateTimeStamp), CellKind.TIME),
    **dict.fromkeys((XSD.duration, XSD.dayTimeDuration, XSD.yearMonthDuration), CellKind.DURATION),
}


def common_kind(kinds: Iterable[CellKind]) -> CellKind:
    """The kind of a column with values of these kinds; text for several or none."""
    first, *others = [*kinds] or [CellKind.TEXT]
    return CellKind.TEXT if others else first
