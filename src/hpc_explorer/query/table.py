"""A table: columns that say what they hold, and rows of terms or of plain values."""

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
"""One solution; None where a column is unbound."""

T = TypeVar("T", covariant=True)


class CellKind(Enum):
    """What a column or an axis holds, which decides how it is aligned, written and sorted."""

    TEXT = "text"
    NUMBER = "number"
    TIME = "time"
    DURATION = "duration"
    RESOURCE = "resource"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Args:
        title: what a person calls it.
        kind: what all its values are; text where they are of several kinds, or there are none.
        unit: what its numbers are in; empty where they have none.
        name: the variable of a query; empty where the table is of no query.
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
        rows: as many cells each as there are columns.
        title: what stands above it.
        empty_text: what is said where there are no rows.
        complete: whether these are all rows; False where the store or the one who asked cut them off.

    Raises:
        ValueError: a row has more cells or fewer than there are columns.
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
        """How many rows there are; at least so many where they were cut off."""
        return Count(len(self.rows), CountKind.EXACT if self.complete else CountKind.AT_LEAST)

    def index(self, name: str) -> int:
        """The place of the column of a variable.

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
    """The table of rows that a store gives.

    Args:
        known: what some of the columns are called.
        at_most: so many rows are taken; None: all.
    """
    names = tuple(rows.variables)
    taken = [tuple(map(row.get, names)) for row in islice(rows, None if at_most is None else at_most + 1)]
    cut_off = at_most is not None and len(taken) > at_most
    # Quoted triples print like terms.
    return term_table(columns_of(names, known), taken[:at_most], complete=not (cut_off or rows.limited))  # type: ignore[arg-type]


def columns_of(names: Iterable[str], known: Iterable[Column] = ()) -> tuple[Column, ...]:
    """The columns of variables, before anything is known of their values.

    Args:
        known: what some of them are called.
    """
    called = {column.name: column for column in known}
    return tuple(called.get(name) or Column(words(name), name=name) for name in names)


def term_table(columns: Sequence[Column], rows: Sequence[Row], *, complete: bool = True) -> TermTable:
    """Terms under columns, each of the kind that its values have."""
    typed = tuple(
        replace(column, kind=common_kind(kinds_in(row[place] for row in rows))) for place, column in enumerate(columns)
    )
    return Table(typed, tuple(rows), complete=complete)


def kinds_in(values: Iterable[Term | None]) -> frozenset[CellKind]:
    """What the values of a column are."""
    types = {value.datatype if isinstance(value, Literal) else type(value) for value in values}
    return frozenset(_KINDS.get(one, CellKind.TEXT) for one in types - {type(None)})


_KINDS: Mapping[object, CellKind] = {
    **dict.fromkeys((NamedNode, BlankNode), CellKind.RESOURCE),
    **dict.fromkeys(NUMBERS, CellKind.NUMBER),
    **dict.fromkeys((XSD.dateTime, XSD.date, XSD.dateTimeStamp), CellKind.TIME),
    **dict.fromkeys((XSD.duration, XSD.dayTimeDuration, XSD.yearMonthDuration), CellKind.DURATION),
}


def common_kind(kinds: Iterable[CellKind]) -> CellKind:
    """The kind of a column whose values are of these; text where they are several, or none."""
    first, *others = [*kinds] or [CellKind.TEXT]
    return CellKind.TEXT if others else first
