"""The lexical spaces of datatypes: XML Schema Definition Language 1.1, Part 2, section 3."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from hpc_explorer.rdf.datatypes import DERIVED_INTEGERS, INTEGERS
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import NamedNode

_YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_TIME = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
_OFFSET = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))"
_ZONE = f"{_OFFSET}?"
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_FLOAT = rf"{_NUMBER}(?:[eE][+-]?\d+)?|[+-]?INF|NaN"
_IN_DAYS = r"(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"
_SIXTY_FOUR = r"[A-Za-z0-9+/]"

_WRITTEN = {
    XSD.boolean: "true|false|1|0",
    XSD.decimal: _NUMBER,
    XSD.double: _FLOAT,
    XSD.float: _FLOAT,
    XSD.dateTime: rf"{_YEAR}-{_MONTH}-{_DAY}T{_TIME}{_ZONE}",
    XSD.dateTimeStamp: rf"{_YEAR}-{_MONTH}-{_DAY}T{_TIME}{_OFFSET}",
    XSD.date: rf"{_YEAR}-{_MONTH}-{_DAY}{_ZONE}",
    XSD.time: rf"{_TIME}{_ZONE}",
    XSD.gYear: rf"{_YEAR}{_ZONE}",
    XSD.gYearMonth: rf"{_YEAR}-{_MONTH}{_ZONE}",
    XSD.gMonth: rf"--{_MONTH}{_ZONE}",
    XSD.gMonthDay: rf"--{_MONTH}-{_DAY}{_ZONE}",
    XSD.gDay: rf"---{_DAY}{_ZONE}",
    XSD.duration: rf"-?P(?=.)(?:\d+Y)?(?:\d+M)?{_IN_DAYS}",
    XSD.dayTimeDuration: rf"-?P(?=.){_IN_DAYS}",
    XSD.yearMonthDuration: r"-?P(?=.)(?:\d+Y)?(?:\d+M)?",
    XSD.hexBinary: r"(?:[0-9a-fA-F]{2})*",
    XSD.base64Binary: rf"(?:(?:{_SIXTY_FOUR} ?){{4}})*(?:(?:{_SIXTY_FOUR} ?){{2,3}}(?:= ?)?=)?",
    XSD.language: r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*",
    XSD.normalizedString: r"[^\r\n\t]*",
    XSD.token: r"(?! )(?!.* (?: |$))[^\r\n\t]*",
    **dict.fromkeys(INTEGERS, r"[+-]?\d+"),
}

_LEAST_AND_MOST: dict[NamedNode, tuple[int | None, int | None]] = {
    **{XSD.term(name): (-(2**bits) // 2, 2**bits // 2 - 1) for name, bits in (("byte", 8), ("short", 16), ("int", 32))},
    XSD.long: (-(2**63), 2**63 - 1),
    XSD.unsignedByte: (0, 2**8 - 1),
    XSD.unsignedShort: (0, 2**16 - 1),
    XSD.unsignedInt: (0, 2**32 - 1),
    XSD.unsignedLong: (0, 2**64 - 1),
    XSD.positiveInteger: (1, None),
    XSD.nonNegativeInteger: (0, None),
    XSD.negativeInteger: (None, -1),
    XSD.nonPositiveInteger: (None, 0),
}

_OF_DAYS = re.compile(rf"({_YEAR})?-?-?({_MONTH})-({_DAY})", re.ASCII)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@lru_cache(maxsize=65_536)
def is_well_formed(text: str, datatype: NamedNode) -> bool:
    """Whether a text is in the lexical space of a datatype; always true for unknown datatypes."""
    written = _pattern(datatype)
    if written is None:
        return True
    if not written.fullmatch(text):
        return False
    if datatype in DERIVED_INTEGERS:
        return _is_within(text, *_LEAST_AND_MOST[datatype])
    dated = _OF_DAYS.match(text) if datatype in (XSD.date, XSD.dateTime, XSD.dateTimeStamp, XSD.gMonthDay) else None
    return dated is None or _is_day(dated[1], int(dated[2]), int(dated[3]))


@cache
def _pattern(datatype: NamedNode) -> re.Pattern[str] | None:
    written = _WRITTEN.get(datatype)
    return None if written is None else re.compile(written, re.ASCII)


def _is_within(text: str, least: int | None, most: int | None) -> bool:
    # Python does not parse numbers with thousands of digits, which exceed all bounds.
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > 40:
        return least is None if text.startswith("-") else most is None
    return (least is None or int(text) >= least) and (most is None or int(text) <= most)


def _is_day(year: str | None, month: int, day: int) -> bool:
    """Whether a month has a day; without a year, February has 29 days."""
    # The last four digits determine leap years, because 10,000 is a multiple of 400.
    number = 0 if year is None else int(year[-4:])
    is_leap = number % 4 == 0 and (number % 100 != 0 or number % 400 == 0)
    return day <= _DAYS[month - 1] + (month == 2 and is_leap)
