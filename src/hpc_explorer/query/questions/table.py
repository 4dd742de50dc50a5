"""The answer of a question as a table: rows of terms under columns that say what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.ontology.labels import words
from hpc_explorer.query.questions.question import Column
from hpc_explorer.rdf.literals import is_number
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, Term, is_resource
from hpc_explorer.stores.base import Count

Row = tuple[Term | None, ...]
"""One solution; None where a column is unbound."""

_DATES = frozenset((XSD.dateTime, XSD.date, XSD.dateTimeStamp))
_DURATIONS = frozenset((XSD.duration, XSD.dayTimeDuration, XSD.yearMonthDuration))


class ColumnKind(Enum):
    """What all values of a column are; text where they are of several kinds, or there are none."""

    RESOURCE = "resource"
    NUMBER = "number"
    DATE = "date"
    DURATION = "duration"
    TEXT = "text"


@dataclass(frozen=True)
class TableColumn:
    """A column of an answer.

    Args:
        name: its variable.
        title: what a person calls it.
        unit: what its numbers are in; empty where they have none.
    """

    name: str
    title: str
    kind: ColumnKind
    unit: str = ""

    @property
    def heading(self) -> str:
        """The title with the unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True)
class Table:
    """The rows that answer a question.

    Args:
        total: how many there are; at least so many where the store or the one who asked cut them off.
    """

    columns: tuple[TableColumn, ...]
    rows: tuple[Row, ...]
    total: Count

    def index(self, name: str) -> int:
        """The place of the column of a variable.

        Raises:
            KeyError: there is no such column.
        """
        for place, column in enumerate(self.columns):
            if column.name == name:
                return place
        raise KeyError(name)


def table_of(names: tuple[str, ...], rows: tuple[Row, ...], known: Iterable[Column], total: Count) -> Table:
    """Rows with their columns named and typed.

    Args:
        names: the variables.
        known: what some of the columns are called.
    """
    called = {column.name: column for column in known}
    columns = tuple(
        TableColumn(
            name,
            called[name].title if name in called else words(name),
            _kind(row[place] for row in rows),
            called[name].unit if name in called else "",
        )
        for place, name in enumerate(names)
    )
    return Table(columns, rows, total)


def _kind(values: Iterable[Term | None]) -> ColumnKind:
    kinds = {kind_of(value) for value in values if value is not None}
    return kinds.pop() if len(kinds) == 1 else ColumnKind.TEXT


def kind_of(value: Term) -> ColumnKind:
    """What one value is."""
    if not isinstance(value, Literal):
        return ColumnKind.RESOURCE if is_resource(value) else ColumnKind.TEXT
    if is_number(value):
        return ColumnKind.NUMBER
    if value.datatype in _DATES:
        return ColumnKind.DATE
    return ColumnKind.DURATION if value.datatype in _DURATIONS else ColumnKind.TEXT
