"""Positions of numbers, dates and times on an axis, and which values are comparable."""

from __future__ import annotations

import math
import re
import struct
from datetime import date
from decimal import Decimal

from hpc_explorer.rdf.datatypes import FRACTIONS, INTEGERS
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal

MOMENTS = frozenset({XSD.dateTime, XSD.date})
"""The datatypes on a time axis."""

# Lexical forms of XML Schema Definition Language 1.1, Part 2, sections 3.3 and 3.4.
_WHOLE = re.compile(r"[+-]?\d+\Z", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)\Z", re.ASCII)
_DOUBLE = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_ZONE = r"(?P<zone>Z|[+-](?:0\d|1[0-4]):[0-5]\d)?\Z"
_ENDS_WITH_ZONE = re.compile(r"(Z|[+-]\d\d:\d\d)\Z", re.ASCII)
_DATE = re.compile(rf"(?P<day>\d{{4}}-\d\d-\d\d){_ZONE}", re.ASCII)
_TIME = r"(?P<time>(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
_MOMENT = re.compile(rf"(?P<day>\d{{4}}-\d\d-\d\d)T{_TIME}{_ZONE}", re.ASCII)

# The engine's integers have 64 bits; its decimals 128 bits, with 18 digits after the decimal point.
_BEYOND_INTEGERS = 2**63
_DECIMAL_PLACES = 18
_BEYOND_DECIMALS = Decimal(2**127).scaleb(-_DECIMAL_PLACES)

_EPOCH = date(1970, 1, 1).toordinal()


def place_of(value: Literal) -> float | None:
    """A literal's position on its axis: a number, or seconds since 1970; None for others."""
    exact = exact_of(value)
    return None if exact is None else float(exact)


def exact_of(value: Literal) -> Decimal | None:
    """The number, or the seconds since 1970 (UTC, also without a time zone), of a literal.

    None for others, and for values that are infinite or outside the engine's range, which no range query finds.
    """
    text, datatype = value.value, value.datatype
    if datatype in INTEGERS:
        whole = int(text) if _WHOLE.match(text) else _BEYOND_INTEGERS
        return Decimal(whole) if -_BEYOND_INTEGERS <= whole < _BEYOND_INTEGERS else None
    if datatype == XSD.decimal:
        number = Decimal(text) if _DECIMAL.match(text) else _BEYOND_DECIMALS
        places = len(text.partition(".")[2].rstrip("0"))
        return number if abs(number) < _BEYOND_DECIMALS and places <= _DECIMAL_PLACES else None
    if datatype in FRACTIONS:
        double = float(text) if _DOUBLE.match(text) else math.inf
        double = _of_32_bits(double) if datatype == XSD.float else double
        return Decimal(double) if math.isfinite(double) else None
    if datatype in MOMENTS:
        moment = (_DATE if datatype == XSD.date else _MOMENT).match(text)
        return None if moment is None else _seconds(**{"time": "00:00:00", **moment.groupdict()})
    return None


def comparable_with(value: Literal) -> str:
    """A key of values that can be compared: dates, times with and without time zone; empty for numbers."""
    if value.datatype not in MOMENTS:
        return ""
    return f"{value.datatype.value} {_ENDS_WITH_ZONE.search(value.value) is not None}"


def _of_32_bits(number: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.inf


def _seconds(day: str, time: str, zone: str | None) -> Decimal | None:
    try:
        days = date.fromisoformat(day).toordinal() - _EPOCH
    except ValueError:
        return None
    hours, minutes, seconds = time.split(":")
    found = 60 * (60 * (24 * days + int(hours)) + int(minutes)) + Decimal(seconds)
    if zone is not None and zone != "Z":
        away = 3600 * int(zone[1:3]) + 60 * int(zone[4:])
        found -= away if zone[0] == "+" else -away
    return found
