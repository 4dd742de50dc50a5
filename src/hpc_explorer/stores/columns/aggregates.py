"""Aggregates and sort keys as SQL."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from hpc_explorer.stores.columns.expressions import Expressions
from hpc_explorer.stores.columns.layout import LITERAL
from hpc_explorer.stores.columns.literals import LARGEST_DECIMAL, LARGEST_INTEGER
from hpc_explorer.stores.columns.numbers import DIGITS, Number
from hpc_explorer.stores.columns.relation import (
    DECIMAL,
    DOUBLE,
    INTEGER,
    NUMERIC,
    REFUSED,
    STRING,
    Column,
    ColumnType,
    NotByColumns,
)


def aggregate_column(
    aggregate: Any, name: str, expressions: Expressions, keys: Collection[str] | None
) -> tuple[list[str], Column]:
    """Translate an aggregate to SQL columns (SPARQL 1.1, section 18.5.1).

    Args:
        name: the SQL name of its variable.
        keys: the SQL names of the grouping variables; None if all solutions are one group.

    Raises:
        NotByColumns: an exact translation is not possible.
    """
    kind = aggregate.name.removeprefix("Aggregate_")
    distinct = "DISTINCT " if aggregate.distinct else ""
    if kind == "Count":
        return [f"{_counted(aggregate.vars, distinct, expressions)} AS {name}"], Column(
            ColumnType.NUMBER, True, (INTEGER,)
        )
    found = expressions.column(aggregate.vars)
    if kind == "Sample":
        if found is None:
            raise NotByColumns("SAMPLE of an expression")
        source, column = found
        if source in (keys or ()):
            # A variable of GROUP BY has one value in each group; the parser reads it as SAMPLE.
            return [f"{source}{part} AS {name}{part}" for part in column.parts], column
        if str(aggregate.res) == str(aggregate.vars):
            raise NotByColumns("a variable that GROUP BY does not name")
        return _sample(name, source, column)
    if kind in ("Min", "Max") and found is not None and found[1].kind is ColumnType.LITERAL:
        return _extreme(kind.lower(), name, *found, grouped=keys is not None)
    if kind not in ("Min", "Max", "Sum", "Avg"):
        raise NotByColumns(f"the aggregate {kind}")
    number = expressions.number(aggregate.vars)
    value, summed = _summed(kind.lower(), distinct, number)
    if kind == "Sum" and summed.datatypes == (INTEGER,):
        value = f"CASE WHEN count(*) = 0 THEN 0 ELSE {value} END"
    elif keys is None and kind in ("Sum", "Avg"):
        # Without values, sum and mean are the integer 0.
        value = f"CASE WHEN count(*) = 0 THEN {REFUSED} ELSE {value} END"
    return [f"{value} AS {name}"], summed


def _summed(function: str, distinct: str, number: Number) -> tuple[str, Column]:
    """The minimum, maximum, sum or mean of numbers; an error in one value is an error in the result, as in the
    engine."""
    # The mean of integers or decimals is a decimal; but 1 and 1.0 are distinct values.
    if not number.is_certain and (function != "avg" or distinct):
        raise NotByColumns("a value with several possible datatypes")
    x = number.as_double if number.is_double and number.double is None else number.sql
    if function in ("min", "max"):
        if number.is_double and number.double is None:
            raise NotByColumns("the minimum of computed doubles, which may include two zeros")
        value, column = f"{function}({x})", Column(ColumnType.NUMBER, False, (number.datatype,), scale=number.scale)
    elif number.is_double:
        total = f"sum({distinct}{x})"
        value = total if function == "sum" else f"{total} / count({distinct}{x})"
        column = Column(ColumnType.NUMBER, False, (DOUBLE,))
    else:
        # No partial sum of the engine may overflow, whatever the order of the values.
        limit = LARGEST_INTEGER if number.datatype == INTEGER else LARGEST_DECIMAL * 10**number.scale
        value = f"CASE WHEN sum(abs({x})) > {limit} THEN {REFUSED} ELSE sum({distinct}{x}) END"
        column = Column(ColumnType.NUMBER, False, (number.datatype,), scale=number.scale)
        if function == "avg":
            value = f"CAST({value} AS HUGEINT) * {10 ** (DIGITS - number.scale)} // count({distinct}{x})"
            column = Column(ColumnType.NUMBER, False, (DECIMAL,), scale=DIGITS)
    return f"CASE WHEN count(*) = count({x}) THEN {value} END", column


def _sample(name: str, source: str, column: Column) -> tuple[list[str], Column]:
    """One of the values, with all its parts."""
    if column.kind is not ColumnType.LITERAL:
        return [f"any_value({source}) AS {name}"], column
    whole = f"row({', '.join(f'{source}{part}' for part in column.parts)})"
    any_one = f"any_value(CASE WHEN {source}d IS NOT NULL THEN {whole} END)"
    return [f"{any_one}[{place}] AS {name}{part}" for place, part in enumerate(column.parts, 1)], column.maybe()


def _counted(counted: Any, distinct: str, expressions: Expressions) -> str:
    if counted == "*":
        if distinct:
            raise NotByColumns("a count of distinct solutions")
        return "count(*)"
    found = expressions.column(counted)
    if found is None:
        raise NotByColumns("a count of an expression")
    name, column = found
    if column.kind is ColumnType.LITERAL:
        if not distinct:
            return f"count({name}d)"
        whole = ", ".join(f"{name}{part}" for part in column.parts)
        return f"count(DISTINCT CASE WHEN {name}d IS NOT NULL THEN row({whole}) END)"
    if distinct:
        check_distinguishable(column)
    return f"count({distinct}{name})"


def _extreme(function: str, name: str, source: str, column: Column, *, grouped: bool) -> tuple[list[str], Column]:
    """The minimum or maximum of literals."""
    if not column.certain:
        raise NotByColumns("the minimum of a variable that may be unbound")
    d, t, n, m = (f"{source}{part}" for part in LITERAL)
    parts = {"d": f"min({d})", "t": "CAST(NULL AS VARCHAR)", "n": "CAST(NULL AS DOUBLE)", "m": "CAST(NULL AS BIGINT)"}
    if column.datatypes == (STRING,):
        parts["t"] = f"{function}({t})"
    elif not column.numbers:
        column.must_be_moments()
        parts["m"] = f"{function}({m})"
        if column.clock != "Z":
            parts["t"] = f"arg_{function}({t}, {m})"
    else:
        column.must_be_numbers_or_texts()
        # The order of equal numbers of two datatypes, or of a number and a text, is undefined.
        alike = f"count({n}) = count(*) AND min({d}) = max({d})" if len(column.datatypes) > 1 else "true"
        parts["d"], parts["n"] = (
            f"CASE WHEN count(*) = 0 THEN NULL WHEN {alike} THEN {value} ELSE {REFUSED} END"
            for value in (parts["d"], f"{function}({n})")
        )
        if DECIMAL in column.datatypes:
            parts["t"] = f"arg_{function}({t}, {n})"
    return [f"{sql} AS {name}{part}" for part, sql in parts.items()], column if grouped else column.maybe()


def check_distinguishable(column: Column) -> None:
    """Check that SQL distinguishes the values as SPARQL does: SQL equates 0.0 and -0.0, which a sum can give.

    Raises:
        NotByColumns: it may not distinguish them.
    """
    if column.kind is ColumnType.NUMBER and column.datatypes == (DOUBLE,):
        raise NotByColumns("computed doubles that must be distinguished")


def sorted_resource(expression: Any, expressions: Expressions) -> str | None:
    """The SQL name of a variable whose values are resources; None for anything else."""
    found = expressions.column(expression)
    return found[0] if found is not None and found[1].kind is ColumnType.RESOURCE else None


def sort_keys(expression: Any, expressions: Expressions, before: Sequence[str]) -> tuple[list[str], str]:
    """Translate a sort key to SQL, with a condition under which the triple store sorts the same way.

    Args:
        before: the earlier sort keys.

    Raises:
        NotByColumns: the triple store may sort differently.
    """
    found = expressions.column(expression)
    if found is None or found[1].kind is ColumnType.NUMBER:
        number = expressions.number(expression)
        return [number.as_double if number.is_double else number.sql], "true"
    name, column = found
    if column.datatypes == (STRING,):
        return [f"{name}t"], "true"
    if not column.numbers:
        column.must_be_moments()
        return [f"{name}m"], "true"
    if any(datatype not in (*NUMERIC, STRING) for datatype in column.datatypes) or not column.exact:
        raise NotByColumns("an order of values of several kinds")
    if column.datatypes == column.numbers:
        return [f"{name}n"], "true"
    # Numbers and texts are sorted separately here.
    among = f"OVER (PARTITION BY {', '.join(before)})" if before else "OVER ()"
    alike = f"count({name}n) {among} IN (0, count({name}d) {among})"
    return [f"{name}n", f"CASE WHEN {name}n IS NULL THEN {name}t END"], alike
