"""What a piece of a query gives, as SQL: a relation with columns for each variable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.stores.columns.layout import LITERAL, PredicateFacts


class NotByColumns(Exception):
    """The columns cannot answer this query for certain; the store of triples can."""


class ColumnType(Enum):
    """What the values of a variable are."""

    RESOURCE = "resource"
    LITERAL = "literal"
    NUMBER = "number"


STRING, DATE_TIME = XSD.string.value, XSD.dateTime.value
INTEGER, DECIMAL, DOUBLE = XSD.integer.value, XSD.decimal.value, XSD.double.value
NUMERIC = (INTEGER, DECIMAL, DOUBLE)
"""The datatypes of numbers that the columns compute with, each wider than the one before."""

REFUSED = "error('not by columns')"
"""SQL that ends a query in which the data turn out to be such that the columns are not certain."""


@dataclass(frozen=True)
class Column:
    """A variable of a relation.

    Args:
        kind: a resource (one SQL column, its id), a literal of the graph (one for each of its parts), or a number that
            was computed (one).
        certain: whether it has a value in every row.
        datatypes: those its literals may have; of a computed number the one it has.
        exact: whether the number or moment of a literal says all of it.
        clock: what moments say of the time zone, as in `PredicateFacts`.
        scale: the digits behind the point. A literal has at most so many; a computed integer or decimal is kept as a
            whole number of units of `10**-scale`.
    """

    kind: ColumnType
    certain: bool = True
    datatypes: tuple[str, ...] = ()
    exact: bool = True
    clock: str = "none"
    scale: int = 0

    @property
    def parts(self) -> tuple[str, ...]:
        """The endings of its SQL columns."""
        return LITERAL if self.kind is ColumnType.LITERAL else ("",)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The datatypes of numbers among its datatypes."""
        return tuple(datatype for datatype in NUMERIC if datatype in self.datatypes)

    def maybe(self) -> Column:
        """The same, where it may be without a value."""
        return replace(self, certain=False)

    def must_be_numbers_or_texts(self) -> None:
        """Be sure that its values are numbers, known in full, or texts: of these it is known what equals what.

        Raises:
            NotByColumns: they may be something else.
        """
        others = [one for one in self.datatypes if one not in NUMERIC and one != STRING and not one.startswith("@")]
        if self.kind is not ColumnType.LITERAL or others or not self.exact:
            raise NotByColumns("a value that may be neither number nor text")

    def must_be_only(self, datatype: str) -> None:
        """Be sure that all values have this datatype.

        Raises:
            NotByColumns: they may not, or not all of each is known.
        """
        if self.kind is not ColumnType.LITERAL or self.datatypes != (datatype,) or not self.exact:
            raise NotByColumns(f"a value that may be no {datatype}")

    def must_be_moments(self) -> None:
        """Be sure that all values are moments, all in UTC or all without a time zone.

        Raises:
            NotByColumns: they may be others.
        """
        self.must_be_only(DATE_TIME)
        if self.clock == "mixed":
            raise NotByColumns("moments in several time zones")


def literal_column(facts: PredicateFacts) -> Column:
    """The column of what a predicate leads to."""
    return Column(ColumnType.LITERAL, True, facts.kinds, facts.exact, facts.clock, facts.scale)


@dataclass(frozen=True)
class Relation:
    """Solutions as SQL.

    Args:
        sql: a SELECT whose columns are those of the variables.
        columns: the variables.
        rows: about how many solutions there are, one at least.
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
    """SQL names for variables, which SPARQL tells apart by case and SQL does not; and for tables."""

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
    """The name that the parser gives an operation, as the name of what translates it: `LeftJoin` is `left_join`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()
