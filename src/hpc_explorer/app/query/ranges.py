"""Bounds of a range: typed texts, converted to the datatype of the values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from enum import Enum

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.building import FocusedQuery, conditions_on, with_comparison, with_quantity, with_range
from hpc_explorer.query.facets.bins import Histogram, ScaleKind
from hpc_explorer.query.model.conditions import Between, Comparison, Not, OneOf, Operator
from hpc_explorer.query.model.patterns import AbsentGroup, Filter, Group, QuantityRange, Values
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode

_WHOLE = re.compile(r"[+-]?\d+")
_FRACTION = re.compile(r"[+-]?\d*\.\d+")
_DAY = re.compile(r"\d{4,}-\d\d-\d\d")


class How(Enum):
    """How values are compared with one bound, or with two."""

    BETWEEN = "between"
    ABOVE = "above"
    AT_LEAST = "at least"
    BELOW = "below"
    AT_MOST = "at most"
    EQUAL = "equal to"
    NOT = "not"

    @property
    def has_least(self) -> bool:
        """Whether it uses a lower bound, or a single value."""
        return self not in (How.BELOW, How.AT_MOST)

    @property
    def has_most(self) -> bool:
        """Whether it uses an upper bound."""
        return self in (How.BETWEEN, How.BELOW, How.AT_MOST)


_OPERATORS = {
    How.ABOVE: Operator.MORE,
    How.AT_LEAST: Operator.AT_LEAST,
    How.BELOW: Operator.LESS,
    How.AT_MOST: Operator.AT_MOST,
    How.EQUAL: Operator.EQUAL,
    How.NOT: Operator.UNEQUAL,
}


@dataclass(frozen=True)
class Asked:
    """A comparison with typed bounds.

    Args:
        least: the lower bound, or the only value; empty: no bound.
        most: the upper bound; empty: no bound.
    """

    least: str = ""
    most: str = ""
    how: How = How.BETWEEN


@dataclass(frozen=True)
class RangeChoice:
    """A distribution to choose a range from, and the chosen range.

    Args:
        edges: the edges of the bars, one more than there are bars; times as seconds since 1970.
        counts: the number of values in each bar.
        unit: the unit of the edges, or empty.
        units: the units that may be chosen.
        asked: the comparison in the query.
        note: a remark on the figures, or empty.
        ends: the smallest and greatest value of each bar as typed; empty in an empty bar.
    """

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    is_time: bool = False
    unit: str = ""
    units: tuple[str, ...] = ()
    asked: Asked = field(default_factory=Asked)
    note: str = ""
    ends: tuple[tuple[str, str], ...] = ()


def asked_values(focused: FocusedQuery) -> tuple[NamedNode | Literal, ...]:
    """The values that a query allows or excludes for its focus."""
    found: list[NamedNode | Literal] = []
    for _, element in conditions_on(focused.query, focused.focus):
        match element:
            case Values():
                found += [row[0] for row in element.rows if row[0] is not None]
            case Filter(condition=OneOf(is_negated=True) as one_of):
                found += one_of.values
    return tuple(found)


def excludes_values(focused: FocusedQuery) -> bool:
    """Whether the query excludes values of its focus instead of listing those that are allowed."""
    own = (element for _, element in conditions_on(focused.query, focused.focus))
    return any(isinstance(one, Filter) and isinstance(one.condition, OneOf) for one in own)


def asked_range(focused: FocusedQuery, spread: Histogram) -> Asked:
    """The comparison on a query's focus as text, in the unit of the distribution."""
    for _, element in conditions_on(focused.query, focused.focus):
        match element:
            case Filter(condition=Between() as between):
                one_day = _day_of(between)
                if one_day:
                    return Asked(one_day, "", How.EQUAL)
                return Asked(between.least.value, between.most.value)
            case Filter(condition=Not(condition=Between() as between)):
                return Asked(_day_of(between), "", How.NOT)
            case Filter(condition=Comparison(operator=operator, value=Literal() as value)):
                how = next(how for how, one in _OPERATORS.items() if one is operator)
                return Asked(value.value, "", how) if how.has_least else Asked("", value.value, how)
            case AbsentGroup(group=Group(elements=(QuantityRange() as quantity,))):
                return Asked(_in_unit(quantity.least, quantity, spread), "", How.NOT)
            case QuantityRange():
                return _asked_quantity(element, spread)
    return Asked()


def _asked_quantity(quantity: QuantityRange, spread: Histogram) -> Asked:
    least, most = _in_unit(quantity.least, quantity, spread), _in_unit(quantity.most, quantity, spread)
    if least and most:
        return Asked(least, "", How.EQUAL) if least == most else Asked(least, most)
    if least:
        return Asked(least, "", How.AT_LEAST if quantity.least_included else How.ABOVE)
    return Asked("", most, How.AT_MOST if quantity.most_included else How.BELOW)


def _day_of(between: Between) -> str:
    """The day that a range of times spans exactly, or empty."""
    day = between.least.value[:10]
    same = between.most.value[:10] == day
    is_whole = between.least.value[10:].startswith("T00:00:00") and between.most.value[10:].startswith("T23:59:59.999")
    return day if same and is_whole else ""


def _in_unit(amount: Decimal | None, asked: QuantityRange, spread: Histogram) -> str:
    unit = known_units()[asked.unit]
    if amount is None or spread.unit is None or unit.factor is None or spread.unit.factor is None:
        return ""
    shown = amount if unit == spread.unit else amount * unit.factor / spread.unit.factor
    return format(shown.normalize(), "f")


def with_bounds(focused: FocusedQuery, spread: Histogram, asked: Asked) -> FocusedQuery:
    """Set the comparison on the focus from typed texts; two empty texts remove it.

    Args:
        spread: the distribution that the range was chosen from.

    Raises:
        WrongParameter: a bound is not a number or date, or the range is empty.
    """
    least, most = (asked.least if asked.how.has_least else ""), (asked.most if asked.how.has_most else "")
    if spread.kind is ScaleKind.QUANTITIES:
        assert spread.unit is not None
        assert spread.unit.iri is not None
        is_one = asked.how in (How.EQUAL, How.NOT)
        return with_quantity(
            focused,
            spread.unit.iri,
            amount_bound(least),
            amount_bound(least if is_one else most),
            included=asked.how not in (How.ABOVE, How.BELOW),
            excluded=asked.how is How.NOT,
        )
    if spread.kind is ScaleKind.NUMBERS:
        low, high = number_bound(least), number_bound(most)
    else:
        like = next(one.least for one in spread.bins if isinstance(one.least, Literal))
        # A day without a time ends with its last moment: "above" and "at most" mean this one.
        low = moment_bound(least, like, is_most=asked.how is How.ABOVE)
        high = moment_bound(most, like, is_most=asked.how is not How.BELOW)
        last = moment_bound(least, like, is_most=True)
        if asked.how in (How.EQUAL, How.NOT) and low is not None and last is not None and low != last:
            day = Between(focused.focus, low, last)
            return with_comparison(focused, day if asked.how is How.EQUAL else Not(day))
    if asked.how is How.BETWEEN:
        return with_range(focused, low, high)
    value = low if asked.how.has_least else high
    return with_comparison(focused, value and Comparison(focused.focus, _OPERATORS[asked.how], value))


def number_bound(text: str) -> Literal | None:
    """A typed number as a literal; None for an empty text.

    Raises:
        WrongParameter: it is not a number.
    """
    text = text.replace(",", "").strip()
    if not text:
        return None
    if _WHOLE.fullmatch(text):
        return Literal(text, datatype=XSD.integer)
    if _FRACTION.fullmatch(text):
        return Literal(text, datatype=XSD.decimal)
    try:
        float(text)
    except ValueError:
        raise WrongParameter("this is not a number", text, "enter one such as 16 or 0.5") from None
    return Literal(text, datatype=XSD.double)


def amount_bound(text: str) -> Decimal | None:
    """A typed amount; None for an empty text.

    Raises:
        WrongParameter: it is not a number.
    """
    text = text.replace(",", "").strip()
    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        raise WrongParameter("this is not a number", text, "enter one such as 16 or 0.5") from None


def moment_bound(text: str, like: Literal, *, is_most: bool) -> Literal | None:
    """A typed date or time as a literal like the values; None for an empty text.

    If the values have a time of day, a date alone means its start, or its end if it is the upper bound.

    Args:
        like: one of the values.

    Raises:
        WrongParameter: it is not a date.
    """
    text = text.strip()
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise WrongParameter("this is not a date", text, "enter one such as 2024-03-01") from None
    if like.datatype == XSD.date:
        zone = like.value[10:]
        return Literal(f"{moment.date().isoformat()}{zone}", datatype=XSD.date)
    has_zone = datetime.fromisoformat(like.value).tzinfo is not None
    if _DAY.fullmatch(text) and is_most:
        moment = moment.replace(hour=23, minute=59, second=59, microsecond=999_999)
    if has_zone and moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    if not has_zone:
        moment = moment.replace(tzinfo=None)
    return Literal(moment.isoformat().replace("+00:00", "Z"), datatype=like.datatype)
