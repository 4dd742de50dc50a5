"""Bounds of a range: typed texts, converted to the datatype of the values."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation

from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.building import FocusedQuery, conditions_on, with_quantity, with_range
from hpc_explorer.query.facets.bins import Histogram, ScaleKind
from hpc_explorer.query.model.conditions import Between, Comparison, Operator
from hpc_explorer.query.model.patterns import Filter, QuantityRange, Values
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.quantities import known_units
from hpc_explorer.rdf.terms import Literal, NamedNode

_WHOLE = re.compile(r"[+-]?\d+")
_FRACTION = re.compile(r"[+-]?\d*\.\d+")
_DAY = re.compile(r"\d{4,}-\d\d-\d\d")


def asked_values(focused: FocusedQuery) -> tuple[NamedNode | Literal, ...]:
    """The values that a query allows for its focus."""
    return tuple(
        row[0]
        for _, element in conditions_on(focused.query, focused.focus)
        if isinstance(element, Values)
        for row in element.rows
        if row[0] is not None
    )


def range_ends(focused: FocusedQuery, spread: Histogram) -> tuple[str, str]:
    """The range of a query's focus as text, in the unit of the distribution."""
    for _, element in conditions_on(focused.query, focused.focus):
        match element:
            case Filter(condition=Between() as between):
                return between.least.value, between.most.value
            case Filter(condition=Comparison(operator=operator, value=Literal() as value)):
                if operator in (Operator.AT_LEAST, Operator.MORE):
                    return value.value, ""
                if operator in (Operator.AT_MOST, Operator.LESS):
                    return "", value.value
            case QuantityRange():
                return _in_unit(element.least, element, spread), _in_unit(element.most, element, spread)
    return "", ""


def _in_unit(amount: Decimal | None, asked: QuantityRange, spread: Histogram) -> str:
    unit = known_units()[asked.unit]
    if amount is None or spread.unit is None or unit.factor is None or spread.unit.factor is None:
        return ""
    shown = amount if unit == spread.unit else amount * unit.factor / spread.unit.factor
    return format(shown.normalize(), "f")


def with_bounds(focused: FocusedQuery, spread: Histogram, least: str, most: str) -> FocusedQuery:
    """Set the range of the focus from typed texts; two empty texts remove it.

    Args:
        spread: the distribution that the range was chosen from.

    Raises:
        WrongParameter: a bound is not a number or date, or the range is empty.
    """
    if spread.kind is ScaleKind.QUANTITIES:
        assert spread.unit is not None
        assert spread.unit.iri is not None
        return with_quantity(focused, spread.unit.iri, amount_bound(least), amount_bound(most))
    if spread.kind is ScaleKind.NUMBERS:
        return with_range(focused, number_bound(least), number_bound(most))
    like = next(one.least for one in spread.bins if isinstance(one.least, Literal))
    return with_range(focused, moment_bound(least, like, is_most=False), moment_bound(most, like, is_most=True))


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
