"""The query: a group of patterns and solution modifiers (SPARQL 1.1 Query, sections 11 to 16)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from hpc_explorer.query.model.conditions import LockedExpression, Operator
from hpc_explorer.query.model.patterns import Group, Values, element_variables
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable


class Form(Enum):
    """The form of a query."""

    SELECT = "SELECT"
    ASK = "ASK"
    CONSTRUCT = "CONSTRUCT"
    DESCRIBE = "DESCRIBE"


class Duplicates(Enum):
    """How repeated rows are treated."""

    KEPT = ""
    DISTINCT = "DISTINCT"
    REDUCED = "REDUCED"


class AggregateFunction(Enum):
    """Aggregates (SPARQL 1.1 Query, section 18.5.1)."""

    COUNT = "COUNT"
    SUM = "SUM"
    AVERAGE = "AVG"
    LEAST = "MIN"
    MOST = "MAX"
    SAMPLE = "SAMPLE"
    LIST = "GROUP_CONCAT"


@dataclass(frozen=True)
class Aggregate:
    """`COUNT(DISTINCT ?variable)` and the like.

    Args:
        variable: None: the rows, with COUNT only.
        separator: between the values of GROUP_CONCAT; None: a space.
    """

    function: AggregateFunction
    variable: Variable | None = None
    is_distinct: bool = False
    separator: str | None = None


@dataclass(frozen=True)
class NamedColumn:
    """`(value AS ?name)`."""

    value: Aggregate | LockedExpression
    name: Variable


Column: TypeAlias = Variable | NamedColumn
"""A column of the answer."""


@dataclass(frozen=True)
class Having:
    """`HAVING (aggregate operator value)`."""

    aggregate: Aggregate
    operator: Operator
    value: Literal


@dataclass(frozen=True)
class Order:
    """`ASC(key)` or `DESC(key)`."""

    key: Variable | Aggregate | LockedExpression
    is_descending: bool = False


@dataclass(frozen=True)
class QueryModel:
    """A query.

    Args:
        columns: empty: all variables (`SELECT *`).
        group_by: variables, `(expression AS ?name)` or an expression.
        having: conditions that are all required.
        after: the VALUES after the query.
        graphs, named_graphs: FROM and FROM NAMED.
        prefixes: prefix and namespace, in order.
        base: the IRI against which relative IRIs are resolved, or empty.
        parameters: variables whose values the user chooses when asking (`$name` in the text), in order.
        head: the template of CONSTRUCT or the terms of DESCRIBE as written, locked; otherwise empty.
    """

    where: Group = field(default_factory=Group)
    columns: tuple[Column, ...] = ()
    duplicates: Duplicates = Duplicates.KEPT
    group_by: tuple[Variable | NamedColumn | LockedExpression, ...] = ()
    having: tuple[Having | LockedExpression, ...] = ()
    order_by: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int | None = None
    after: Values | None = None
    graphs: tuple[NamedNode, ...] = ()
    named_graphs: tuple[NamedNode, ...] = ()
    prefixes: tuple[tuple[str, str], ...] = ()
    base: str = ""
    parameters: tuple[Variable, ...] = ()
    form: Form = Form.SELECT
    head: str = ""

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of the patterns, each once, in order of first use."""
        return tuple(dict.fromkeys(one for element in self.where.elements for one in element_variables(element)))

    @property
    def is_grouped(self) -> bool:
        """Whether a row stands for a group of solutions."""
        return bool(self.group_by) or any(
            isinstance(one, NamedColumn) and isinstance(one.value, Aggregate) for one in self.columns
        )


def column_name(column: Column) -> Variable:
    """The variable of a column."""
    return column.name if isinstance(column, NamedColumn) else column
