"""What sums up solutions, and what they are sorted by, as SQL."""

from __future__ import annotations

from typing import Any

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.stores.columns.expressions import Expressions, is_variable
from hpc_explorer.stores.columns.relation import DATE_TIME, DECIMAL, INTEGER, STRING, Column, Kind, NotByColumns


def aggregated(aggregate: Any, name: str, expressions: Expressions, *, grouped: bool) -> tuple[list[str], Column]:
    """The SQL columns of an aggregate, and what its variable is."""
    kind = aggregate.name.removeprefix("Aggregate_")
    distinct = "DISTINCT " if aggregate.distinct else ""
    if kind == "Count":
        return [f"{_counted(aggregate.vars, distinct, expressions)} AS {name}"], Column(Kind.NUMBER, True, (INTEGER,))
    found = expressions.column(aggregate.vars) if is_variable(aggregate.vars) else None
    if kind == "Sample":
        if found is None:
            raise NotByColumns("any value of what is no variable")
        source, column = found
        return [f"any_value({source}{part}) AS {name}{part}" for part in column.parts], column
    if kind in ("Min", "Max") and found is not None and found[1].kind is Kind.LITERAL:
        return _extreme(kind.lower(), name, *found, grouped=grouped)
    number = expressions.number(aggregate.vars)
    sql, datatype = number.sql, number.datatype
    whole = f"count(*) = count({sql})"
    if kind in ("Min", "Max"):
        value = f"CASE WHEN {whole} THEN {kind.lower()}({sql}) ELSE error('not by columns') END"
        return [f"{value} AS {name}"], Column(Kind.NUMBER, False, (datatype,))
    if kind == "Sum":
        value = f"CASE WHEN {whole} THEN coalesce(sum({distinct}{sql}), 0) END"
    elif kind == "Avg":
        value = f"CASE WHEN count(*) = 0 THEN 0 WHEN {whole} THEN avg({distinct}{sql}) END"
        datatype = DECIMAL if datatype == INTEGER else datatype
    else:
        raise NotByColumns(f"the aggregate {kind}")
    return [f"{value} AS {name}"], Column(Kind.NUMBER, False, (datatype,))


def _counted(counted: Any, distinct: str, expressions: Expressions) -> str:
    if counted == "*":
        if distinct:
            raise NotByColumns("a count of different solutions")
        return "count(*)"
    found = expressions.column(counted) if is_variable(counted) else None
    if found is None:
        raise NotByColumns("a count of what is no variable")
    name, column = found
    if column.kind is Kind.LITERAL:
        if not distinct:
            return f"count({name}d)"
        whole = ", ".join(f"{name}{part}" for part in column.parts)
        return f"count(DISTINCT CASE WHEN {name}d IS NOT NULL THEN row({whole}) END)"
    return f"count({distinct}{name})"


def _extreme(function: str, name: str, source: str, column: Column, *, grouped: bool) -> tuple[list[str], Column]:
    """The least or greatest of literals, which is one of them."""
    if not column.certain:
        raise NotByColumns("the least of what may have no value")
    if column.datatypes == (STRING,):
        key = f"{source}t"
    elif column.datatypes == (DATE_TIME,) and column.exact and column.clock != "mixed":
        key = f"{source}m"
    else:
        column.number_type  # noqa: B018  # raises where there is none
        # Numbers come after other literals, or before: what the engine says of a mixture is its own affair.
        key = f"CASE WHEN {source}n IS NULL THEN error('not by columns') ELSE {source}n END"
    parts = [
        f"arg_{function}(CASE WHEN true THEN row({source}{part}) END, {key})[1] AS {name}{part}"
        for part in column.parts
    ]
    return parts, column if grouped else column.maybe()


def sorted_resource(expression: Any, expressions: Expressions) -> str | None:
    """The SQL name of a variable that stands for resources; None if it is something else."""
    found = expressions.column(expression) if is_variable(expression) else None
    return found[0] if found is not None and found[1].kind is Kind.RESOURCE else None


def sort_keys(expression: Any, expressions: Expressions) -> list[str]:
    """What values are sorted by. Between a number and a text SPARQL knows no order, so that any will do."""
    found = expressions.column(expression) if is_variable(expression) else None
    if found is None:
        return [expressions.number(expression).sql]
    name, column = found
    if column.kind is Kind.NUMBER:
        return [name]
    if not column.exact or column.clock == "mixed" or XSD.float.value in column.datatypes:
        raise NotByColumns("an order of values that are not known in full")
    return [f"{name}{part}" for part in ("n", "m", "t")]
