"""Translate comparisons of SPARQL expressions to SQL: of resources, moments, texts and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns import numbers
from hpc_explorer.stores.columns.algebra import term_of
from hpc_explorer.stores.columns.literals import parts_of
from hpc_explorer.stores.columns.patterns import literal_condition
from hpc_explorer.stores.columns.relation import DATE_TIME, NUMERIC, STRING, Column, ColumnType, NotByColumns, text

if TYPE_CHECKING:
    from hpc_explorer.stores.columns.expressions import Expressions

_SIGNS = {"=": "=", "!=": "<>"}


def compared(expressions: Expressions, op: str, first: Any, second: Any) -> str:
    """Translate a comparison of two expressions.

    Args:
        op: a SPARQL operator.

    Raises:
        NotByColumns: it cannot be translated for certain.
    """
    sql = _SIGNS.get(op, op)
    for one, other, turned in ((first, second, False), (second, first, True)):
        term = term_of(other)
        if term is None:
            continue
        found = expressions.column(one)
        if isinstance(term, NamedNode):
            if found is None or found[1].kind is not ColumnType.RESOURCE or op not in _SIGNS:
                raise NotByColumns("a resource compared with an expression")
            return f"{found[0]} {sql} {expressions.facts.number_for(term)}"
        parts = parts_of(term)
        if parts.kind in NUMERIC and parts.n is not None:
            break
        if found is None:
            raise NotByColumns("a constant compared with an expression")
        name, column = found
        if parts.kind == DATE_TIME and parts.m is not None:
            column.must_be_moments()
            if column.clock != _clock_of(term):
                raise NotByColumns("moments with and without a time zone")
            return f"{parts.m} {sql} {name}m" if turned else f"{name}m {sql} {parts.m}"
        if parts.kind == STRING and parts.t is not None:
            column.must_be_only(STRING)
            return f"{text(parts.t)} {sql} {name}t" if turned else f"{name}t {sql} {text(parts.t)}"
        if parts.kind.startswith("@") and op in _SIGNS:
            column.must_be_numbers_or_texts()
            same = f"{name}d IS NOT NULL AND {literal_condition(term, name, '', expressions.facts) or 'false'}"
            return f"CASE WHEN {name}d IS NOT NULL THEN {'NOT ' if op == '!=' else ''}({same}) END"
        raise NotByColumns("a constant of another datatype")
    resources = _resources(expressions, first, second)
    if resources is not None and op in _SIGNS:
        return f"{resources[0]} {sql} {resources[1]}"
    moments = _moments(expressions, first, second)
    if moments is not None:
        return f"{moments[0]} {sql} {moments[1]}"
    return _compared_numbers(expressions, op, first, second)


def _compared_numbers(expressions: Expressions, op: str, first: Any, second: Any) -> str:
    """Compare numbers that may be mixed with texts: no number equals a text or is less than one."""
    sql = numbers.compared(_SIGNS.get(op, op), expressions.number(first), expressions.number(second))
    among_texts = [found[0] for one in (first, second) if (found := with_texts(expressions, one)) is not None]
    if len(among_texts) == 2:
        raise NotByColumns("two values that may be texts")
    if op not in _SIGNS or not among_texts:
        return sql
    (name,) = among_texts
    number = expressions.number(
        second if (found := expressions.column(first)) is not None and found[0] == name else first
    )
    there = f"{name}d IS NOT NULL AND {number.sql} IS NOT NULL"
    return f"CASE WHEN {there} THEN coalesce({sql}, {'false' if op == '=' else 'true'}) END"


def with_texts(expressions: Expressions, expression: Any) -> tuple[str, Column] | None:
    """A variable whose values may be texts beside numbers."""
    found = expressions.column(expression)
    if found is None or found[1].kind is not ColumnType.LITERAL or found[1].datatypes == found[1].numbers:
        return None
    return found


def _resources(expressions: Expressions, first: Any, second: Any) -> tuple[str, str] | None:
    """The numbers of two variables, if resources are what both are."""
    one, other = expressions.column(first), expressions.column(second)
    if one is None or other is None or not one[1].kind is other[1].kind is ColumnType.RESOURCE:
        return None
    return one[0], other[0]


def _moments(expressions: Expressions, first: Any, second: Any) -> tuple[str, str] | None:
    """The moments of two variables, if that is what both are."""
    one, other = expressions.column(first), expressions.column(second)
    if one is None or other is None or not one[1].datatypes == other[1].datatypes == (DATE_TIME,):
        return None
    for _, column in (one, other):
        column.must_be_moments()
    if one[1].clock != other[1].clock:
        raise NotByColumns("moments with and without a time zone")
    return f"{one[0]}m", f"{other[0]}m"


def _clock_of(moment: Literal) -> str:
    """What a moment says of the time zone, as in `PredicateFacts`."""
    if moment.value.endswith("Z"):
        return "Z"
    return "mixed" if moment.value[-6] in "+-" else "none"
