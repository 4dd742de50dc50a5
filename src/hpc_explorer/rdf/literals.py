"""A literal as a person reads it: numbers grouped, dates with a space before their time, the rest as it is spelled."""

from __future__ import annotations

import re

from hpc_explorer.rdf.datatypes import NUMBERS
from hpc_explorer.rdf.namespaces import RDF, XSD, PrefixMap
from hpc_explorer.rdf.terms import Literal

# Datatypes that a reader takes for granted: what is written shows what it is.
_UNSAID = NUMBERS | {XSD.string, XSD.boolean, XSD.dateTime, XSD.date, XSD.anyURI, RDF.langString}

_PLAIN_NUMBER = re.compile(r"([+-]?)(\d+)(\.\d+)?\Z")
_DATE_TIME = re.compile(r"(-?\d{4,}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?\Z")


def is_number(literal: Literal) -> bool:
    """Whether its datatype is one of XML Schema's numbers."""
    return literal.datatype in NUMBERS


def literal_text(literal: Literal) -> str:
    """The literal's value for reading; no digit of it is changed, added or left out."""
    if is_number(literal):
        return grouped(literal.value)
    if literal.datatype == XSD.dateTime:
        parts = _DATE_TIME.match(literal.value)
        if parts:
            zone = {"Z": " UTC", None: ""}.get(parts[3], f" {parts[3]}")
            return f"{parts[1]} {parts[2]}{zone}"
    return literal.value


def literal_detail(literal: Literal) -> str:
    """Its language, or its datatype where that does not go without saying; else nothing."""
    if literal.language is not None:
        return literal.language
    if literal.datatype in _UNSAID:
        return ""
    return PrefixMap().short(literal.datatype.value)


def grouped(number: str) -> str:
    """A number's spelling with its whole part in groups of three; other spellings (`1E6`, `NaN`) stay.

    >>> grouped("7630848"), grouped("0.9600"), grouped("1E6")
    ('7,630,848', '0.9600', '1E6')
    """
    parts = _PLAIN_NUMBER.match(number)
    if parts is None or (len(parts[2]) > 1 and parts[2].startswith("0")):
        return number
    return f"{parts[1]}{int(parts[2]):,}{parts[3] or ''}" if len(parts[2]) < 4000 else number
