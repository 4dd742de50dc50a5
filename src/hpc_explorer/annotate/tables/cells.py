"""Convert the text of a cell to a literal of a datatype (XML Schema Part 2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime

from hpc_explorer.annotate.tables.mapping import NumberFormat
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode

_PLAIN = re.compile(r"([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?\Z", re.ASCII)
_YEAR = re.compile(r"-?\d{4,}\Z", re.ASCII)
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>\"{}|\\^`]+\Z")
_STRING = XSD.string
_NAMING = frozenset({"http", "https", "urn", "doi", "ark", "info", "tag"})
_TRUTHS = {"true": "true", "1": "true", "yes": "true", "false": "false", "0": "false", "no": "false"}
_SPECIAL = {"nan": "NaN", "inf": "INF", "+inf": "INF", "-inf": "-INF", "infinity": "INF", "-infinity": "-INF"}


class CellFault(ValueError):
    """The text of a cell is invalid for its column."""


def literal_of(text: str, datatype: NamedNode, numbers: NumberFormat, date_format: str = "") -> Literal:
    """Convert a cell's text to a literal.

    A number keeps its digits: `442,010.00` becomes `442010.00`.

    Args:
        text: without surrounding whitespace.
        date_format: a `strptime` format; empty for ISO 8601.

    Raises:
        CellFault: the text is invalid; gives the reason.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise CellFault("the text is not valid Unicode") from None
    if "\0" in text:
        # Only N-Triples can represent it, and no program displays it.
        raise CellFault("the text has a NUL character")
    if datatype == _STRING:
        return Literal(text)
    return Literal(_READERS[datatype](text, numbers, date_format), datatype=datatype)


def _plain_number(text: str, numbers: NumberFormat) -> str:
    """A number with a decimal point and no group separators."""
    thousands, point = numbers.thousands, numbers.decimal
    if thousands and thousands in text:
        place = next((place for place, sign in enumerate(text) if sign in "eE"), len(text))
        mantissa, exponent = text[:place], text[place:]
        whole, mark, fraction = mantissa.partition(point)
        first, *groups = whole.split(thousands)
        if not 1 <= len(first.lstrip("+-")) <= 3 or any(len(group) != 3 for group in groups):
            raise CellFault(f"{thousands!r} does not stand between groups of three digits")
        text = first + "".join(groups) + mark + fraction + exponent
    if point != ".":
        if "." in text:
            raise CellFault("not a number")
        text = text.replace(point, ".")
    return text


def _parts(text: str, numbers: NumberFormat) -> tuple[str, str, str, int]:
    """Sign, integer digits, fraction and exponent."""
    found = _PLAIN.match(_plain_number(text, numbers))
    if found is None:
        raise CellFault("not a number")
    return found[1].replace("+", ""), found[2], found[3] or "", int(found[4] or 0)


def _decimal(text: str, numbers: NumberFormat, _: str) -> str:
    sign, whole, fraction, exponent = _parts(text, numbers)
    if exponent >= 0:
        fraction = fraction.ljust(exponent, "0")
        whole, fraction = whole + fraction[:exponent], fraction[exponent:]
    else:
        whole = whole.rjust(1 - exponent, "0")
        whole, fraction = whole[:exponent], whole[exponent:] + fraction
    whole = whole.lstrip("0") or "0"
    return f"{sign}{whole}.{fraction}" if fraction else sign + whole


def _integer(text: str, numbers: NumberFormat, _: str) -> str:
    whole, _point, fraction = _decimal(text, numbers, "").partition(".")
    if fraction.strip("0"):
        raise CellFault("not a whole number")
    return "0" if whole == "-0" else whole


def _not_negative(text: str, numbers: NumberFormat, _: str) -> str:
    number = _integer(text, numbers, "")
    if number.startswith("-"):
        raise CellFault("less than 0")
    return number


def _positive(text: str, numbers: NumberFormat, _: str) -> str:
    number = _not_negative(text, numbers, "")
    if number == "0":
        raise CellFault("not greater than 0")
    return number


def _double(text: str, numbers: NumberFormat, _: str) -> str:
    if text.lower() in _SPECIAL:
        return _SPECIAL[text.lower()]
    sign, whole, fraction, exponent = _parts(text, numbers)
    number = f"{sign}{whole}.{fraction}" if fraction else sign + whole
    return f"{number}E{exponent}" if exponent else number


def _boolean(text: str, _: NumberFormat, __: str) -> str:
    if text.lower() not in _TRUTHS:
        raise CellFault("neither true nor false")
    return _TRUTHS[text.lower()]


def _date(text: str, _: NumberFormat, date_format: str) -> str:
    try:
        if date_format:
            return datetime.strptime(text, date_format).date().isoformat()  # noqa: DTZ007 - a day has no zone
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise CellFault(f"not a date{_as(date_format)}") from None


def _moment(text: str, _: NumberFormat, date_format: str) -> str:
    try:
        # Timezones are optional: xsd:dateTime is valid without one.
        moment = datetime.strptime(text, date_format) if date_format else datetime.fromisoformat(text)  # noqa: DTZ007
    except ValueError:
        raise CellFault(f"not a date and time{_as(date_format)}") from None
    return moment.isoformat()


def _as(date_format: str) -> str:
    return f" as {date_format}" if date_format else ""


def _year(text: str, _: NumberFormat, __: str) -> str:
    if not _YEAR.match(text):
        raise CellFault("not a year")
    return text


def resource_of(text: str) -> NamedNode:
    """The resource of an IRI in a cell.

    Raises:
        CellFault: invalid, or of a scheme that identifies no resource, such as `javascript:` or `file:`.
    """
    if not _IRI.match(text) or text.partition(":")[0].lower() not in _NAMING:
        raise CellFault("not an IRI that names a thing")
    try:
        return NamedNode(text)
    except ValueError:
        raise CellFault("not a valid IRI") from None


def _iri(text: str, _: NumberFormat, __: str) -> str:
    if not _IRI.match(text):
        raise CellFault("not an IRI")
    return text


_READERS: Mapping[NamedNode, Callable[[str, NumberFormat, str], str]] = {
    XSD.integer: _integer,
    XSD.nonNegativeInteger: _not_negative,
    XSD.positiveInteger: _positive,
    XSD.decimal: _decimal,
    XSD.double: _double,
    XSD.float: _double,
    XSD.boolean: _boolean,
    XSD.date: _date,
    XSD.dateTime: _moment,
    XSD.gYear: _year,
    XSD.anyURI: _iri,
}

NUMBERS = frozenset({XSD.integer, XSD.nonNegativeInteger, XSD.positiveInteger, XSD.decimal, XSD.double, XSD.float})
"""The datatypes of a quantity's number."""

DATATYPES = frozenset({XSD.string, *_READERS})
"""The datatypes of mappings."""
