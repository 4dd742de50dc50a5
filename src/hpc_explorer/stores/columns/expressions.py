"""Translate SPARQL expressions to SQL. An error in SPARQL becomes NULL.

Expressions that SQL would evaluate differently than the triple store are rejected: the columns answer exactly or not at
all (decision 0059).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns import numbers
from hpc_explorer.stores.columns.algebra import is_variable, own_term, term_of
from hpc_explorer.stores.columns.literals import parts_of
from hpc_explorer.stores.columns.numbers import Number
from hpc_explorer.stores.columns.patterns import Facts, literal_condition
from hpc_explorer.stores.columns.relation import (
    DATE_TIME,
    DECIMAL,
    DOUBLE,
    INTEGER,
    NUMERIC,
    STRING,
    Column,
    ColumnType,
    Names,
    NotByColumns,
    snake_case,
    text,
)

_MICROSECONDS = {"HOURS": (86_400_000_000, 3_600_000_000), "MINUTES": (3_600_000_000, 60_000_000)}
_OF_DATE = {"YEAR": "year", "MONTH": "month", "DAY": "day"}


class Expressions:
    """Translates expressions over one relation.

    Args:
        columns: its variables, by SQL name.

    Attributes:
        facts: the tables that the relation reads.
    """

    def __init__(self, columns: Mapping[str, Column], facts: Facts, names: Names) -> None:
        self._columns, self.facts, self._names = columns, facts, names

    def truth(self, expression: Any) -> str:
        """Translate a condition.

        Raises:
            NotByColumns: it cannot be translated for certain.
        """
        translated = self._of(expression)
        if isinstance(translated, Number):
            raise NotByColumns("a number as a condition")
        return translated

    def number(self, expression: Any) -> Number:
        """Translate a numeric expression."""
        translated = self._of(expression)
        if not isinstance(translated, Number):
            raise NotByColumns("a truth value as a value")
        return translated

    def column(self, variable: Any) -> tuple[str, Column] | None:
        """The SQL name and column of a variable; None if it is not a variable of this relation."""
        if not is_variable(variable):
            return None
        name = self._names.of(str(variable))
        return (name, self._columns[name]) if name in self._columns else None

    def _of(self, expression: Any) -> Number | str:
        """Translate to a number or the SQL of a condition."""
        from rdflib import Literal as RdflibLiteral
        from rdflib.plugins.sparql.parserutils import Expr

        if is_variable(expression):
            return self._variable(expression)
        if isinstance(expression, RdflibLiteral):
            term = own_term(expression)
            assert isinstance(term, Literal)
            if term.datatype == XSD.boolean and term.value in ("true", "false"):
                return term.value
            return numbers.constant(parts_of(term))
        if isinstance(expression, Expr):
            translate = getattr(self, f"_{snake_case(expression.name)}", None)
            if translate is not None:
                result: Number | str = translate(expression)
                return result
            name = expression.name.removeprefix("Builtin_")
            if name in _MICROSECONDS or name in _OF_DATE or name == "SECONDS":
                return self._of_moment(name, expression.arg)
        raise NotByColumns(f"the expression {getattr(expression, 'name', type(expression).__name__)}")

    def _variable(self, variable: Any) -> Number:
        found = self.column(variable)
        if found is None:
            raise NotByColumns("a variable without values")
        name, column = found
        if column.kind is ColumnType.NUMBER:
            return numbers.of_column(name, column)
        return numbers.of_literals(name, column, self.facts.kind_of(DOUBLE))

    # Truth

    def _conditional_and_expression(self, expression: Any) -> str:
        return " AND ".join(f"({self.truth(part)})" for part in (expression.expr, *expression.other))

    def _conditional_or_expression(self, expression: Any) -> str:
        return " OR ".join(f"({self.truth(part)})" for part in (expression.expr, *expression.other))

    def _unary_not(self, expression: Any) -> str:
        return f"NOT ({self.truth(expression.expr)})"

    def _builtin_bound(self, expression: Any) -> str:
        found = self.column(expression.arg)
        if found is None:
            return "false"
        name, column = found
        return f"{name}{column.parts[0]} IS NOT NULL"

    def _relational_expression(self, expression: Any) -> str:
        if expression.op in ("IN", "NOT IN"):
            each = [compared(self, "=", expression.expr, other) for other in expression.other]
            found = " OR ".join(f"({one})" for one in each)
            return found if expression.op == "IN" else f"NOT ({found})"
        return compared(self, expression.op, expression.expr, expression.other)

    # Numbers

    def _additive_expression(self, expression: Any) -> Number:
        return self._computed(expression)

    def _multiplicative_expression(self, expression: Any) -> Number:
        return self._computed(expression)

    def _computed(self, expression: Any) -> Number:
        number = self.number(expression.expr)
        for op, other in zip(expression.op, expression.other, strict=True):
            second = self.number(other)
            if op in ("+", "-"):
                number = numbers.sum_of(number, op, second)
            else:
                number = (numbers.product_of if op == "*" else numbers.quotient_of)(number, second)
        return number

    def _unary_minus(self, expression: Any) -> Number:
        return numbers.negated(self.number(expression.expr))

    def _unary_plus(self, expression: Any) -> Number:
        return self.number(expression.expr)

    def _builtin_abs(self, expression: Any) -> Number:
        return numbers.without_sign(self.number(expression.arg))

    def _builtin_floor(self, expression: Any) -> Number:
        return numbers.rounded("floor", self.number(expression.arg))

    def _builtin_ceil(self, expression: Any) -> Number:
        return numbers.rounded("ceil", self.number(expression.arg))

    def _builtin_if(self, expression: Any) -> Number:
        condition = self.truth(expression.arg1)
        (first, second), chosen = numbers.one_of([self._value(expression.arg2), self._value(expression.arg3)])
        return replace(chosen, sql=f"(CASE ({condition}) WHEN true THEN {first} WHEN false THEN {second} END)")

    def _builtin_coalesce(self, expression: Any) -> Number:
        each, chosen = numbers.one_of([self._value(part) for part in expression.arg])
        return replace(chosen, sql=f"coalesce({', '.join(each)})")

    def _value(self, expression: Any) -> Number:
        """A number that is passed on unchanged, as a text would be too."""
        if with_texts(self, expression) is not None:
            raise NotByColumns("a value that may be a text")
        return self.number(expression)

    def _of_moment(self, name: str, argument: Any) -> Number:
        """A component of a date and time: all moments are in UTC, or all have no time zone."""
        found = self.column(argument)
        if found is None:
            raise NotByColumns("a part of an expression")
        variable, column = found
        column.must_be_moments()
        if name in _OF_DATE:
            return Number(f"{_OF_DATE[name]}(make_timestamp({variable}m))", INTEGER, 0, 9999)
        if name == "SECONDS":
            return Number(f"((({variable}m % 60000000) + 60000000) % 60000000)", DECIMAL, 6, 60_000_000)
        whole, part = _MICROSECONDS[name]
        return Number(f"((({variable}m % {whole}) + {whole}) % {whole} // {part})", INTEGER, 0, 60)

    # Text

    def _builtin_contains(self, expression: Any) -> str:
        return self._of_text("contains", expression)

    def _builtin_strstarts(self, expression: Any) -> str:
        return self._of_text("starts_with", expression)

    def _builtin_strends(self, expression: Any) -> str:
        return self._of_text("ends_with", expression)

    def _of_text(self, function: str, expression: Any) -> str:
        found = self.column(expression.arg1)
        term = term_of(expression.arg2)
        if found is None or not isinstance(term, Literal) or term.datatype != XSD.string:
            raise NotByColumns("a search in an expression")
        found[1].must_be_only(STRING)
        return f"{function}({found[0]}t, {text(term.value)})"


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
    """A variable whose values may be numbers or texts."""
    found = expressions.column(expression)
    if found is None or found[1].kind is not ColumnType.LITERAL or found[1].datatypes == found[1].numbers:
        return None
    return found


def _resources(expressions: Expressions, first: Any, second: Any) -> tuple[str, str] | None:
    """The numbers of two variables, if both are resources."""
    one, other = expressions.column(first), expressions.column(second)
    if one is None or other is None or not one[1].kind is other[1].kind is ColumnType.RESOURCE:
        return None
    return one[0], other[0]


def _moments(expressions: Expressions, first: Any, second: Any) -> tuple[str, str] | None:
    """The moments of two variables, if both are moments."""
    one, other = expressions.column(first), expressions.column(second)
    if one is None or other is None or not one[1].datatypes == other[1].datatypes == (DATE_TIME,):
        return None
    for _, column in (one, other):
        column.must_be_moments()
    if one[1].clock != other[1].clock:
        raise NotByColumns("moments with and without a time zone")
    return f"{one[0]}m", f"{other[0]}m"


def _clock_of(moment: Literal) -> str:
    """The time zone of a moment, as in `PredicateFacts`."""
    if moment.value.endswith("Z"):
        return "Z"
    return "mixed" if moment.value[-6] in "+-" else "none"
