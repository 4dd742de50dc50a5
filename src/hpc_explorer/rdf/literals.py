"""Literals as text for people: grouped digits, a space between date and time, other values unchanged."""

from __future__ import annotations

import re

from hpc_explorer.rdf.datatypes import NUMBERS
from hpc_explorer.rdf.namespaces import RDF, XSD, PrefixMap
from hpc_explorer.rdf.terms import Literal

# Datatypes that are obvious from the value and not shown.
_UNSAID = NUMBERS | {XSD.string, XSD.boolean, XSD.dateTime, XSD.date, XSD.anyURI, RDF.langString}

_PLAIN_NUMBER = re.compile(r"([+-]?)(\d+)(\.\d+)?\Z")
_DATE_TIME = re.compile(r"(-?\d{4,}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?\Z")


def is_number(literal: Literal) -> bool:
    """Whether the datatype is an XML Schema number."""
    return literal.datatype in NUMBERS


def literal_text(literal: Literal) -> str:
    """The value for display. Every digit is kept."""
    if is_number(literal):
        return grouped(literal.value)
    if literal.datatype == XSD.dateTime:
        parts = _DATE_TIME.match(literal.value)
        if parts:
            zone = {"Z": " UTC", None: ""}.get(parts[3], f" {parts[3]}")
            return f"{parts[1]} {parts[2]}{zone}"
    return literal.value


def literal_detail(literal: Literal) -> str:
    """The language, or a datatype that is not obvious; otherwise empty."""
    if literal.language is not None:
        return literal.language
    if literal.datatype in _UNSAID:
        return ""
    return PrefixMap().short(literal.datatype.value)


def grouped(number: str) -> str:
    """A number with its integer part in groups of three; other spellings (`1E6`, `NaN`) are unchanged.

    >>> grouped("7630848"), grouped("0.9600"), grouped("1E6")
    ('7,630,848', '0.9600', '1E6')
    """
    parts = _PLAIN_NUMBER.match(number)
    if parts is None or (len(parts[2]) > 1 and parts[2].startswith("0")):
        return number
    return f"{parts[1]}{int(parts[2]):,}{parts[3] or ''}" if len(parts[2]) < 4000 else number
