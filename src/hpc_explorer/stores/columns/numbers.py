"""Numbers as SQL, computed exactly as the triple store does (decision 0059).

Integers and decimals are integers in units of `10**-scale`, so nothing is rounded. An overflow raises an SQL error, and
the triple store answers instead. Only doubles are stored as doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hpc_explorer.stores.columns.literals import LARGEST_INTEGER, Parts
from hpc_explorer.stores.columns.relation import DECIMAL, DOUBLE, INTEGER, NUMERIC, REFUSED, Column, NotByColumns

DIGITS = 18
"""The maximum number of decimal places; quotients of decimals are truncated to it."""

_EXACT = 10**15
"""Below this, each number of units has a distinct nearest double."""

_SHORT = 6
"""Shifts by up to this many digits use 64 bits."""


@dataclass(frozen=True)
class Number:
    """A number as SQL.

    Args:
        sql: a double, or a number of units of `10**-scale`; NULL where SPARQL has an error or no value.
        datatype: its datatype; decimal if it may be an integer or a decimal.
        scale: 0 for an integer; for a decimal enough places that nothing is lost.
        most: the largest absolute value, in units.
        double: the same number as a double; None if it must be computed from the units.
        is_certain: whether its datatype is known; it is unknown if some values are integers and others decimals.
        quotient: the SQL of an integer divided by another, for such a quotient.
    """

    sql: str
    datatype: str
    scale: int = 0
    most: int = LARGEST_INTEGER
    double: str | None = None
    is_certain: bool = True
    quotient: tuple[str, str] | None = None

    @property
    def as_double(self) -> str:
        """The number as a double, rounded as the triple store does."""
        if self.double is not None:
            return self.double
        if self.datatype == DOUBLE:
            return f"CASE WHEN isfinite({self.sql}) THEN {self.sql} WHEN {self.sql} IS NOT NULL THEN {REFUSED} END"
        told = f"CAST({self.sql} AS DOUBLE)" + (f" / 1e{self.scale}" if self.scale else "")
        if self.most < _EXACT:
            return told
        return f"CASE WHEN abs({self.sql}) < {_EXACT} THEN {told} WHEN {self.sql} IS NOT NULL THEN {REFUSED} END"

    def scaled(self, scale: int) -> Number:
        """The same number in smaller units."""
        more = scale - self.scale
        if not more:
            return self
        if scale > DIGITS:
            raise NotByColumns("a decimal with too many digits for the engine")
        sql = f"({self.sql} * {10**more})" if more <= _SHORT else f"(CAST({self.sql} AS HUGEINT) * {10**more})"
        return replace(self, sql=sql, datatype=DECIMAL, scale=scale, most=self.most * 10**more, quotient=None)

    @property
    def is_double(self) -> bool:
        """Whether it is a double."""
        return self.datatype == DOUBLE


def constant(parts: Parts) -> Number:
    """A numeric constant of a query.

    Raises:
        NotByColumns: it is not a number, or not stored exactly.
    """
    if parts.kind not in NUMERIC or parts.n is None:
        raise NotByColumns("a constant that is not a number")
    double = f"{parts.n!r}::DOUBLE"
    if parts.kind == DOUBLE:
        return Number(double, DOUBLE, double=double)
    text = str(int(parts.n)) if parts.t is None else parts.t
    whole, _, part = text.partition(".")
    units = int(whole + part)
    return Number(f"{units}::BIGINT", parts.kind, len(part), abs(units), double)


def of_literals(name: str, column: Column, doubles: int | None) -> Number:
    """The numeric values of a variable; texts become NULL, since arithmetic on them is an error.

    Args:
        name: its SQL name.
        doubles: the number of the kind `xsd:double`.

    Raises:
        NotByColumns: there are none, or they are not stored exactly.
    """
    column.must_be_numbers_or_texts()
    n = f"{name}n"
    match column.numbers:
        case ():
            raise NotByColumns("a value that is not a number")
        case (datatype,) if datatype == DOUBLE:
            return Number(n, DOUBLE, double=n)
        case (datatype,) if datatype == INTEGER:
            return Number(f"CAST({n} AS BIGINT)", INTEGER, 0, _EXACT - 1, n)
        case (*_, datatype) if datatype == DOUBLE:
            # The result's datatype is known only where every number is a double.
            sql = f"CASE WHEN {name}d = {doubles} THEN {n} WHEN {n} IS NOT NULL THEN {REFUSED} END"
            return Number(sql, DOUBLE, double=n)
        case datatypes:
            # A double holds 15 digits; a large number in the smallest units may need more.
            units = f"{n} * 1e{column.scale}" if column.scale else n
            whole = f"CAST(round({units}) AS BIGINT)"
            sql = f"CASE WHEN abs({units}) < {_EXACT} THEN {whole} WHEN {n} IS NOT NULL THEN {REFUSED} END"
            return Number(sql, DECIMAL, column.scale, _EXACT - 1, n, is_certain=len(datatypes) == 1)


def of_column(name: str, column: Column) -> Number:
    """A column of computed numbers."""
    datatype = column.datatypes[0]
    return Number(name, datatype, column.scale, LARGEST_INTEGER if datatype == INTEGER else 10 ** (20 + column.scale))


def sum_of(first: Number, op: str, second: Number) -> Number:
    """A sum, or a difference.

    Args:
        op: `+` or `-`.
    """
    if first.is_double or second.is_double:
        return Number(f"({_operand(first)} {op} {_operand(second)})", DOUBLE)
    scale = max(first.scale, second.scale)
    one, other = first.scaled(scale), second.scaled(scale)
    return _exact(f"({one.sql} {op} {other.sql})", first, second, scale, one.most + other.most)


def product_of(first: Number, second: Number) -> Number:
    """A product.

    Raises:
        NotByColumns: it may exceed 18 decimal places, which is an error in the triple store.
    """
    if first.is_double or second.is_double:
        return Number(f"({_operand(first)} * {_operand(second)})", DOUBLE)
    scale = first.scale + second.scale
    if scale > DIGITS:
        raise NotByColumns("a product of too many digits")
    return _exact(f"({first.sql} * {second.sql})", first, second, scale, first.most * second.most)


def quotient_of(first: Number, second: Number) -> Number:
    """A quotient of integers or decimals, truncated to 18 decimal places.

    Raises:
        NotByColumns: the operands are doubles, or division by a fraction may fail in the triple store.
    """
    if first.is_double or second.is_double or second.scale:
        raise NotByColumns("a quotient of numbers that are not integers")
    divisor = f"nullif({second.sql}, 0)"
    units = first.scaled(DIGITS)
    whole = (first.sql, divisor) if not first.scale and first.most < _EXACT and second.most < _EXACT else None
    return Number(f"({units.sql} // {divisor})", DECIMAL, DIGITS, units.most, quotient=whole)


def rounded(function: str, number: Number) -> Number:
    """Round down or up to an integer.

    Args:
        function: `floor` or `ceil`.

    Raises:
        NotByColumns: it may have too many digits to be rounded as a double.
    """
    if number.is_double:
        return Number(f"{function}({number.sql})", DOUBLE)
    if not number.scale:
        return number
    if number.quotient is not None:
        dividend, divisor = number.quotient
        double = f"CAST({dividend} AS DOUBLE) / {divisor}"
    elif number.most < _EXACT:
        double = number.as_double
    else:
        raise NotByColumns("a number of too many digits")
    most = number.most // 10**number.scale + 1
    return Number(f"CAST({function}({double}) AS BIGINT)", DECIMAL, 0, most, is_certain=number.is_certain)


def without_sign(number: Number) -> Number:
    """The absolute value."""
    return replace(number, sql=f"abs({number.sql})", double=None, quotient=None)


def negated(number: Number) -> Number:
    """The negated number."""
    return replace(number, sql=f"(- {number.sql})", double=None, quotient=None)


def one_of(numbers: Sequence[Number]) -> tuple[tuple[str, ...], Number]:
    """The SQL of each alternative of a condition, and the resulting number with empty SQL.

    Raises:
        NotByColumns: its datatype is unknown.
    """
    doubles = [number.is_double for number in numbers]
    if all(doubles):
        return tuple(number.sql for number in numbers), Number("", DOUBLE)
    if any(doubles):
        raise NotByColumns("a double in one case, but not in another")
    scale = max(number.scale for number in numbers)
    scaled = [number.scaled(scale) for number in numbers]
    same = len({number.datatype for number in numbers}) == 1 and all(number.is_certain for number in numbers)
    datatype = numbers[0].datatype if same else DECIMAL
    chosen = Number("", datatype, scale, max(number.most for number in scaled), is_certain=same)
    return tuple(number.sql for number in scaled), chosen


def compared(op: str, first: Number, second: Number) -> str:
    """A comparison by value, as SQL.

    Args:
        op: the SQL operator.
    """
    if first.double is not None and second.double is not None:
        return f"{first.double} {op} {second.double}"
    if first.is_double or second.is_double:
        return f"{first.as_double} {op} {second.as_double}"
    scale = max(first.scale, second.scale)
    return f"{first.scaled(scale).sql} {op} {second.scaled(scale).sql}"


def _operand(number: Number) -> str:
    return number.sql if number.is_double else number.as_double


def _exact(sql: str, first: Number, second: Number, scale: int, most: int) -> Number:
    """Combine two integers or decimals; the result has the wider datatype (SPARQL 1.1, section 17.3)."""
    known = first.is_certain and second.is_certain
    decimal = any(number.datatype == DECIMAL and number.is_certain for number in (first, second))
    datatype = INTEGER if first.datatype == second.datatype == INTEGER else DECIMAL
    return Number(sql, datatype, scale, most, is_certain=known or decimal)
