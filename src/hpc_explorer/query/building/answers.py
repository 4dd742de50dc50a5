"""Steps that change the result: groups and aggregates, order, limit, and duplicates."""

from __future__ import annotations

from dataclasses import replace

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.building.connections import bound_variables, check_known, new_variable
from hpc_explorer.query.model.query import (
    Aggregate,
    AggregateFunction,
    Duplicates,
    NamedColumn,
    Order,
    QueryModel,
    column_name,
)
from hpc_explorer.rdf.terms import Variable


def with_aggregate(
    query: QueryModel,
    function: AggregateFunction,
    variable: Variable | None,
    per: tuple[Variable, ...] = (),
) -> QueryModel:
    """Group the query and add an aggregate column; other aggregates over the same groups stay.

    A count is of distinct values; other functions take all values.

    Args:
        variable: the aggregated variable; None: the rows, with COUNT only.
        per: the grouping variables; none: all rows are one group.

    Raises:
        WrongParameter: a variable is unknown, or no variable is given to sum.
    """
    known = bound_variables(query)
    for one in (variable, *per):
        check_known(one, known)
    if variable is None and function is not AggregateFunction.COUNT:
        raise WrongParameter("there is nothing to sum or compare", function.value, "choose what it is of")
    aggregate = Aggregate(function, variable, function is AggregateFunction.COUNT and variable is not None)
    per = tuple(dict.fromkeys(per))
    if query.is_grouped and query.group_by == per:
        if any(isinstance(one, NamedColumn) and one.value == aggregate for one in query.columns):
            return query
        changed = query
    else:
        changed = replace(query, columns=per, group_by=per, having=())
    word = {"AVG": "average", "MIN": "least", "MAX": "most", "GROUP_CONCAT": "list"}.get(function.value)
    hint = "_".join((word or function.value.lower(), variable.value if variable else "rows"))
    column = NamedColumn(aggregate, new_variable(query, hint))
    changed = replace(changed, columns=(*changed.columns, column))
    return replace(changed, order_by=tuple(one for one in query.order_by if _can_order(changed, one.key)))


def without_aggregates(query: QueryModel) -> QueryModel:
    """Remove grouping and aggregates."""
    if not (query.columns or query.is_grouped):
        return query
    changed = replace(query, columns=(), group_by=(), having=())
    return replace(changed, order_by=tuple(one for one in query.order_by if _can_order(changed, one.key)))


def with_order(
    query: QueryModel, key: Variable | Aggregate | None, is_descending: bool = False, *, then: bool = False
) -> QueryModel:
    """Set the order; None: unordered.

    Args:
        then: whether to append a further sort key.

    Raises:
        WrongParameter: there is no such column.
    """
    if key is None:
        return replace(query, order_by=())
    if not _can_order(query, key):
        raise WrongParameter(
            "the rows cannot be sorted by this",
            str(key) if isinstance(key, Variable) else f"{key.function.value}({key.variable or '*'})",
            "choose one of the columns",
        )
    earlier = tuple(one for one in query.order_by if one.key != key) if then else ()
    return replace(query, order_by=(*earlier, Order(key, is_descending)))


def with_limit(query: QueryModel, limit: int | None, offset: int | None = None) -> QueryModel:
    """Set LIMIT and OFFSET; None: no limit.

    Raises:
        WrongParameter: a number is negative.
    """
    if (limit or 0) < 0 or (offset or 0) < 0:
        raise WrongParameter("a number of rows is less than none", f"{limit}, {offset}", "give 0 or more")
    return replace(query, limit=limit, offset=offset)


def with_duplicates(query: QueryModel, duplicates: Duplicates) -> QueryModel:
    """Set how duplicate rows are handled."""
    return replace(query, duplicates=duplicates)


def _can_order(query: QueryModel, key: object) -> bool:
    if isinstance(key, Aggregate):
        return query.is_grouped and (key.variable is None or key.variable in bound_variables(query))
    if not isinstance(key, Variable):
        return True
    if query.is_grouped:
        return key in query.group_by or key in {column_name(one) for one in query.columns}
    return key in bound_variables(query) or key in {column_name(one) for one in query.columns}
