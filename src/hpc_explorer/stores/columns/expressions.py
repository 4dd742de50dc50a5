"""Expressions of SPARQL as SQL. An error, which SPARQL has where SQL has nothing, becomes NULL.

What SQL would answer otherwise than SPARQL is refused: the columns answer for certain or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode
from hpc_explorer.stores.columns.literals import parts_of
from hpc_explorer.stores.columns.patterns import Facts, literal_condition
from hpc_explorer.stores.columns.relation import (
    DATE_TIME,
    DECIMAL,
    DOUBLE,
    INTEGER,
    NUMERIC,
    STRING,
    Column,
    Kind,
    Names,
    NotByColumns,
    snake_case,
    text,
)

_MICROSECONDS = {"HOURS": (86_400_000_000, 3_600_000_000), "MINUTES": (3_600_000_000, 60_000_000)}
_OF_DATE = {"YEAR": "year", "MONTH": "month", "DAY": "day"}
_ROUNDING = {"ABS": "abs", "CEIL": "ceil", "FLOOR": "floor"}


@dataclass(frozen=True)
class Expression:
    """An expression as SQL.

    Args:
        sql: NULL where SPARQL has an error or no value.
        datatype: of the number it gives; `""` for a truth value.
    """

    sql: str
    datatype: str


class Expressions:
    """Translates the expressions over one relation.

    Args:
        columns: its variables, by SQL name.
    """

    def __init__(self, columns: Mapping[str, Column], facts: Facts, names: Names) -> None:
        self._columns, self._facts, self._names = columns, facts, names

    def truth(self, expression: Any) -> str:
        """A condition.

        Raises:
            NotByColumns: it cannot be translated for certain.
        """
        translated = self._of(expression)
        if translated.datatype:
            raise NotByColumns("a number as a condition")
        return translated.sql

    def number(self, expression: Any) -> Expression:
        """An expression that gives a number; likewise."""
        translated = self._of(expression)
        if not translated.datatype:
            raise NotByColumns("a truth value as a value")
        return translated

    def column(self, variable: Any) -> tuple[str, Column] | None:
        """The SQL name and the column of a variable; None where the relation does not have it."""
        name = self._names.of(str(variable))
        return (name, self._columns[name]) if name in self._columns else None

    def _of(self, expression: Any) -> Expression:
        from rdflib import Literal as RdflibLiteral
        from rdflib import Variable
        from rdflib.plugins.sparql.parserutils import Expr

        if isinstance(expression, Variable):
            return self._variable(expression)
        if isinstance(expression, RdflibLiteral):
            return _constant(own_term(expression))
        if isinstance(expression, Expr):
            translate = getattr(self, f"_{snake_case(expression.name)}", None)
            if translate is not None:
                result: Expression = translate(expression)
                return result
            name = expression.name.removeprefix("Builtin_")
            if name in _MICROSECONDS or name in _OF_DATE or name == "SECONDS":
                return self._of_moment(name, expression.arg)
            if name in _ROUNDING:
                number = self.number(expression.arg)
                return Expression(f"{_ROUNDING[name]}({number.sql})", number.datatype)
        raise NotByColumns(f"the expression {getattr(expression, 'name', type(expression).__name__)}")

    def _variable(self, variable: Any) -> Expression:
        found = self.column(variable)
        if found is None:
            raise NotByColumns("a variable that has no value")
        name, column = found
        datatype = column.number_type
        return Expression(f"{name}n" if column.kind is Kind.LITERAL else name, datatype)

    # Truth

    def _conditional_and_expression(self, expression: Any) -> Expression:
        return Expression(" AND ".join(f"({self.truth(part)})" for part in (expression.expr, *expression.other)), "")

    def _conditional_or_expression(self, expression: Any) -> Expression:
        return Expression(" OR ".join(f"({self.truth(part)})" for part in (expression.expr, *expression.other)), "")

    def _unary_not(self, expression: Any) -> Expression:
        return Expression(f"NOT ({self.truth(expression.expr)})", "")

    def _builtin_bound(self, expression: Any) -> Expression:
        found = self.column(expression.arg)
        if found is None:
            return Expression("false", "")
        name, column = found
        return Expression(f"{name}{column.parts[0]} IS NOT NULL", "")

    def _relational_expression(self, expression: Any) -> Expression:
        if expression.op in ("IN", "NOT IN"):
            each = [self._compared("=", expression.expr, other) for other in expression.other]
            found = " OR ".join(f"({one})" for one in each) or "false"
            return Expression(found if expression.op == "IN" else f"NOT ({found})", "")
        return Expression(self._compared(expression.op, expression.expr, expression.other), "")

    def _compared(self, op: str, first: Any, second: Any) -> str:
        sql = {"=": "=", "!=": "<>"}.get(op, op)
        for one, other, turned in ((first, second, False), (second, first, True)):
            term = _term(other)
            if term is None:
                continue
            found = self.column(one) if is_variable(one) else None
            if isinstance(term, (NamedNode, BlankNode)):
                return self._compared_with_resource(op, found, term)
            parts = parts_of(term)
            if parts.kind in NUMERIC and parts.n is not None:
                break
            if found is None:
                raise NotByColumns("a constant compared with an expression")
            name, column = found
            if parts.kind == DATE_TIME and parts.m is not None:
                column.must_be_only(DATE_TIME)
                if column.clock != ("Z" if parts.t is None else "none"):
                    raise NotByColumns("moments with and without a time zone")
                return f"{parts.m} {sql} {name}m" if turned else f"{name}m {sql} {parts.m}"
            if parts.kind == STRING and parts.t is not None:
                column.must_be_only(STRING)
                return f"{text(parts.t)} {sql} {name}t" if turned else f"{name}t {sql} {text(parts.t)}"
            if parts.kind.startswith("@") and op in ("=", "!=") and column.kind is Kind.LITERAL:
                same = literal_condition(term, name, "", self._facts)
                return f"{'NOT ' if op == '!=' else ''}({same or 'false'})"
            raise NotByColumns("a constant of another datatype")
        moments = self._moments(first, second)
        if moments is not None:
            return f"{moments[0]} {sql} {moments[1]}"
        return f"{self.number(first).sql} {sql} {self.number(second).sql}"

    def _compared_with_resource(self, op: str, found: tuple[str, Column] | None, term: NamedNode | BlankNode) -> str:
        if found is None or found[1].kind is not Kind.RESOURCE or op not in ("=", "!="):
            raise NotByColumns("a resource compared with an expression")
        number = self._facts.number_for(term)
        return f"{found[0]} {'=' if op == '=' else '<>'} {number}"

    def _moments(self, first: Any, second: Any) -> tuple[str, str] | None:
        """The moments of two variables, if that is what both are."""
        if not is_variable(first) or not is_variable(second):
            return None
        found = [self.column(first), self.column(second)]
        if any(one is None or one[1].datatypes != (DATE_TIME,) for one in found):
            return None
        (name, column), (other, second_column) = found  # type: ignore[misc]  # none of them is None
        column.must_be_only(DATE_TIME)
        second_column.must_be_only(DATE_TIME)
        if column.clock != second_column.clock or column.clock == "mixed":
            raise NotByColumns("moments with and without a time zone")
        return f"{name}m", f"{other}m"

    # Numbers

    def _additive_expression(self, expression: Any) -> Expression:
        return self._reckoned(expression)

    def _multiplicative_expression(self, expression: Any) -> Expression:
        return self._reckoned(expression)

    def _reckoned(self, expression: Any) -> Expression:
        first = self.number(expression.expr)
        sql, datatype = first.sql, first.datatype
        for op, other in zip(expression.op, expression.other, strict=True):
            second = self.number(other)
            datatype = wider(datatype, second.datatype)
            if op == "/":
                datatype = wider(datatype, DECIMAL)
                if datatype == DOUBLE:
                    raise NotByColumns("a division of doubles")
                sql = f"({sql} / nullif({second.sql}, 0))"
            else:
                sql = f"({sql} {op} {second.sql})"
        return Expression(sql, datatype)

    def _unary_minus(self, expression: Any) -> Expression:
        number = self.number(expression.expr)
        return Expression(f"(- {number.sql})", number.datatype)

    def _unary_plus(self, expression: Any) -> Expression:
        return self.number(expression.expr)

    def _builtin_if(self, expression: Any) -> Expression:
        condition = self.truth(expression.arg1)
        first, second = self.number(expression.arg2), self.number(expression.arg3)
        sql = f"CASE WHEN {condition} THEN {first.sql} WHEN NOT ({condition}) THEN {second.sql} END"
        return Expression(f"({sql})", wider(first.datatype, second.datatype))

    def _builtin_coalesce(self, expression: Any) -> Expression:
        numbers = [self.number(part) for part in expression.arg]
        datatype = numbers[0].datatype
        for number in numbers:
            datatype = wider(datatype, number.datatype)
        return Expression(f"coalesce({', '.join(number.sql for number in numbers)})", datatype)

    def _of_moment(self, name: str, argument: Any) -> Expression:
        """What a clock showed: the moments are all told in UTC, or all without a time zone."""
        found = self.column(argument) if is_variable(argument) else None
        if found is None:
            raise NotByColumns("a part of what is no variable")
        variable, column = found
        column.must_be_only(DATE_TIME)
        if column.clock == "mixed":
            raise NotByColumns("clocks of several time zones")
        if name in _OF_DATE:
            return Expression(f"CAST({_OF_DATE[name]}(make_timestamp({variable}m)) AS DOUBLE)", INTEGER)
        if name == "SECONDS":
            return Expression(f"((({variable}m % 60000000) + 60000000) % 60000000 / 1000000.0::DOUBLE)", DECIMAL)
        whole, part = _MICROSECONDS[name]
        return Expression(f"CAST((({variable}m % {whole}) + {whole}) % {whole} // {part} AS DOUBLE)", INTEGER)

    # Text

    def _builtin_contains(self, expression: Any) -> Expression:
        return self._of_text("contains", expression)

    def _builtin_strstarts(self, expression: Any) -> Expression:
        return self._of_text("starts_with", expression)

    def _builtin_strends(self, expression: Any) -> Expression:
        return self._of_text("ends_with", expression)

    def _of_text(self, function: str, expression: Any) -> Expression:
        found = self.column(expression.arg1) if is_variable(expression.arg1) else None
        term = _term(expression.arg2)
        if found is None or not isinstance(term, Literal) or term.datatype != XSD.string:
            raise NotByColumns("a search in what is no variable")
        found[1].must_be_only(STRING)
        return Expression(f"{function}({found[0]}t, {text(term.value)})", "")


def wider(first: str, second: str) -> str:
    """The datatype of what is reckoned with two numbers (SPARQL 1.1, section 17.1)."""
    return max(first, second, key=NUMERIC.index)


def own_term(term: Any) -> NamedNode | BlankNode | Literal:
    """A term of the parser as one of ours."""
    from rdflib import BNode, URIRef
    from rdflib import Literal as RdflibLiteral

    if isinstance(term, URIRef):
        return NamedNode(str(term))
    if isinstance(term, RdflibLiteral):
        if term.language:
            return Literal(str(term), language=term.language)
        return (
            Literal(str(term)) if term.datatype is None else Literal(str(term), datatype=NamedNode(str(term.datatype)))
        )
    if isinstance(term, BNode):
        raise NotByColumns("a blank node")
    raise NotByColumns(f"the term {term!r}")


def is_variable(expression: Any) -> bool:
    """Whether a piece of algebra is a variable."""
    from rdflib import Variable

    return isinstance(expression, Variable)


def _term(expression: Any) -> NamedNode | BlankNode | Literal | None:
    from rdflib import Literal as RdflibLiteral
    from rdflib import URIRef

    return own_term(expression) if isinstance(expression, (URIRef, RdflibLiteral)) else None


def _constant(term: NamedNode | BlankNode | Literal) -> Expression:
    if isinstance(term, Literal):
        if term.datatype == XSD.boolean and term.value in ("true", "false"):
            return Expression(term.value, "")
        parts = parts_of(term)
        if parts.kind in NUMERIC and parts.n is not None:
            return Expression(f"{parts.n!r}::DOUBLE", parts.kind)
    raise NotByColumns("a constant that is no number")
