"""The query itself: a group of patterns, and what is done with its solutions (SPARQL 1.1 Query, sections 11 to 16)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from hpc_explorer.query.model.conditions import LockedExpression, Operator
from hpc_explorer.query.model.patterns import Group, Values, element_variables
from hpc_explorer.rdf.terms import Literal, NamedNode, Variable


class Form(Enum):
    """What is asked for."""

    SELECT = "SELECT"
    ASK = "ASK"
    CONSTRUCT = "CONSTRUCT"
    DESCRIBE = "DESCRIBE"


class Duplicates(Enum):
    """What becomes of rows that are there twice."""

    KEPT = ""
    DISTINCT = "DISTINCT"
    REDUCED = "REDUCED"


class AggregateFunction(Enum):
    """How the values of a group become one (SPARQL 1.1 Query, section 18.5.1)."""

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
        variable: what is counted or summed; None: the rows, with COUNT only.
        separator: what stands between the values of GROUP_CONCAT; None: a space.
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
        where: what has to be so.
        columns: what is shown; none: all variables (`SELECT *`).
        group_by: variables, `(expression AS ?name)` or an expression.
        having: all of them have to be so.
        limit, offset: None: not given.
        after: the VALUES behind the query.
        graphs, named_graphs: FROM and FROM NAMED.
        prefixes: prefix and namespace, in their order.
        base: what relative IRIs are resolved against; empty where nothing is said.
        parameters: the variables that stand for what is chosen when the query is asked; in a text they begin with `$`;
            in the order in which they first stand there.
        form: SELECT, unless the query came from a text.
        head: what a CONSTRUCT builds or a DESCRIBE describes, as it was written, locked; empty for the others.
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
        """The variables of its patterns, each once, in the order in which they first stand there."""
        return tuple(dict.fromkeys(one for element in self.where.elements for one in element_variables(element)))

    @property
    def is_grouped(self) -> bool:
        """Whether its rows stand for groups of solutions."""
        return bool(self.group_by) or any(
            isinstance(one, NamedColumn) and isinstance(one.value, Aggregate) for one in self.columns
        )


def column_name(column: Column) -> Variable:
    """The variable under which a column's values come."""
    return column.name if isinstance(column, NamedColumn) else column
