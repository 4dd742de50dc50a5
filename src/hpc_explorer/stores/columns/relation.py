"""A relation: SQL with columns for the variables of a part of a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.stores.columns.layout import LITERAL, PredicateFacts


class NotByColumns(Exception):
    """The columns cannot answer this query exactly; the triple store can."""


class ColumnType(Enum):
    """The type of a variable's values."""

    RESOURCE = "resource"
    LITERAL = "literal"
    NUMBER = "number"


STRING, DATE_TIME = XSD.string.value, XSD.dateTime.value
INTEGER, DECIMAL, DOUBLE = XSD.integer.value, XSD.decimal.value, XSD.double.value
NUMERIC = (INTEGER, DECIMAL, DOUBLE)
"""The numeric datatypes of the columns, each wider than the one before."""

REFUSED = "error('not by columns')"
"""SQL that aborts a query whose data cannot be computed exactly."""


@dataclass(frozen=True)
class Column:
    """A variable of a relation.

    Args:
        kind: a resource (one SQL column: its id), a literal of the graph (one column per part), or a computed number
            (one column).
        certain: whether it is bound in every row.
        datatypes: the possible datatypes of its literals.
        exact: whether number or moment represent a literal exactly.
        clock: the time zone of its moments, as in `PredicateFacts`.
        scale: the number of decimal places; the maximum for literals, the unit `10**-scale` for computed integers and
            decimals.
    """

    kind: ColumnType
    certain: bool = True
    datatypes: tuple[str, ...] = ()
    exact: bool = True
    clock: str = "none"
    scale: int = 0

    @property
    def parts(self) -> tuple[str, ...]:
        """The suffixes of its SQL columns."""
        return LITERAL if self.kind is ColumnType.LITERAL else ("",)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Its numeric datatypes."""
        return tuple(datatype for datatype in NUMERIC if datatype in self.datatypes)

    def maybe(self) -> Column:
        """The same column, possibly unbound."""
        return replace(self, certain=False)

    def must_be_numbers_or_texts(self) -> None:
        """Check that all values are exact numbers or texts, whose equality is known.

        Raises:
            NotByColumns: there may be other values.
        """
        others = [one for one in self.datatypes if one not in NUMERIC and one != STRING and not one.startswith("@")]
        if self.kind is not ColumnType.LITERAL or others or not self.exact:
            raise NotByColumns("a value that may be neither a number nor a text")

    def must_be_only(self, datatype: str) -> None:
        """Check that all values have this datatype.

        Raises:
            NotByColumns: there may be others, or inexact ones.
        """
        if self.kind is not ColumnType.LITERAL or self.datatypes != (datatype,) or not self.exact:
            raise NotByColumns(f"a value that may not be of the datatype {datatype}")

    def must_be_moments(self) -> None:
        """Check that all values are moments, all in UTC or all without a time zone.

        Raises:
            NotByColumns: they may be others.
        """
        self.must_be_only(DATE_TIME)
        if self.clock == "mixed":
            raise NotByColumns("moments in several time zones")


def literal_column(facts: PredicateFacts) -> Column:
    """The column of the objects of a predicate."""
    return Column(ColumnType.LITERAL, True, facts.kinds, facts.exact, facts.clock, facts.scale)


@dataclass(frozen=True)
class Relation:
    """Solutions as SQL.

    Args:
        sql: a SELECT whose columns are those of the variables.
        columns: the variables.
        rows: the estimated number of solutions, at least one.
    """

    sql: str
    columns: Mapping[str, Column]
    rows: float

    def sql_columns(self) -> Iterator[str]:
        """The names of its SQL columns."""
        for name, column in self.columns.items():
            yield from (f"{name}{part}" for part in column.parts)


@dataclass
class Names:
    """SQL names for variables, which SPARQL distinguishes by case and SQL does not; and for tables."""

    variables: dict[str, str] = field(default_factory=dict)
    tables: int = 0

    def of(self, variable: str) -> str:
        """The name of a variable; its parts are this and a letter."""
        return self.variables.setdefault(variable, f"v{len(self.variables)}_")

    def table(self) -> str:
        """A new name of a table."""
        self.tables += 1
        return f"t{self.tables}"


def text(value: str) -> str:
    """A string as SQL."""
    return "'" + value.replace("'", "''") + "'"


def snake_case(name: str) -> str:
    """Convert an operation's name to that of its translating method: `LeftJoin` becomes `left_join`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()
