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


class Kind(Enum):
    """What the values of a variable are."""

    RESOURCE = "resource"
    LITERAL = "literal"
    NUMBER = "number"


STRING, DATE_TIME = XSD.string.value, XSD.dateTime.value
INTEGER, DECIMAL, DOUBLE = XSD.integer.value, XSD.decimal.value, XSD.double.value
NUMERIC = (INTEGER, DECIMAL, DOUBLE)
"""The datatypes that can be reckoned with here, each wider than the one before."""


@dataclass(frozen=True)
class Column:
    """A variable of a relation.

    Args:
        kind: a resource (one SQL column, its id), a literal of the graph (one for each of its parts), or a number that
            was reckoned (one).
        certain: whether it has a value in every row.
        datatypes: those its literals may have; of a number the one it has.
        exact: whether the number or moment of a literal says all of it.
        clock: what moments say of the time zone, as in `PredicateFacts`.
    """

    kind: Kind
    certain: bool = True
    datatypes: tuple[str, ...] = ()
    exact: bool = True
    clock: str = "none"

    @property
    def parts(self) -> tuple[str, ...]:
        """The endings of its SQL columns."""
        return LITERAL if self.kind is Kind.LITERAL else ("",)

    def maybe(self) -> Column:
        """The same, where it may be without a value."""
        return replace(self, certain=False)

    @property
    def number_type(self) -> str:
        """The datatype that numbers have that are reckoned with its values.

        Raises:
            NotByColumns: there are none, or not all of each is known.
        """
        if self.kind is Kind.NUMBER:
            return self.datatypes[0]
        types = [datatype for datatype in NUMERIC if datatype in self.datatypes]
        if self.kind is not Kind.LITERAL or not types or not self.exact or XSD.float.value in self.datatypes:
            raise NotByColumns("a value that is no number")
        return types[-1]

    def must_be_only(self, datatype: str) -> None:
        """Be sure that all values have this datatype.

        Raises:
            NotByColumns: they may not, or not all of each is known.
        """
        if self.kind is not Kind.LITERAL or self.datatypes != (datatype,) or not self.exact:
            raise NotByColumns(f"a value that may be no {datatype}")


def literal_column(facts: PredicateFacts) -> Column:
    """The column of what a predicate leads to."""
    return Column(Kind.LITERAL, True, facts.kinds, facts.exact, facts.clock)


@dataclass(frozen=True)
class Relation:
    """Solutions as SQL.

    Args:
        sql: a SELECT whose columns are those of the variables.
        columns: the variables.
        rows: about how many solutions there are.
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
