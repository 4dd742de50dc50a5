"""Convert typed dates, times and durations to XML Schema.

Source: XML Schema 1.1 part 2 (W3C Recommendation, 2012), sections 3.3.6 to 3.3.9.
"""

from __future__ import annotations

import re
from datetime import date, time

from hpc_explorer.errors import WrongEntry

_ZONE = r"(?P<zone> ?(?:Z|UTC|[+-]\d\d:?\d\d))?"
_TIME = r"(?P<time>\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)"
_DATE = r"(?P<date>\d{4}-\d{1,2}-\d{1,2})"
_DATE_ENTRY = re.compile("(?a)" + _DATE + _ZONE)
_TIME_ENTRY = re.compile("(?a)" + _TIME + _ZONE)
_DATE_TIME_ENTRY = re.compile("(?a)" + _DATE + r"(?:T| +)" + _TIME + _ZONE)


def read_date(text: str) -> str:
    """A date from text such as "2021-06-30".

    Raises:
        WrongEntry: the text is not valid.
    """
    parts = _DATE_ENTRY.fullmatch(text)
    if parts is None:
        raise WrongEntry("not a date", text, "write year, month and day: 2021-06-30")
    return _date(parts["date"], text) + _zone(parts["zone"], text)


def read_time(text: str) -> str:
    """A time of day from text such as "14:30" or "14:30:05 UTC".

    Raises:
        WrongEntry: the text is not valid.
    """
    parts = _TIME_ENTRY.fullmatch(text)
    if parts is None:
        raise WrongEntry("not a time", text, "write hours and minutes: 14:30")
    return _time(parts["time"], text) + _zone(parts["zone"], text)


def read_date_time(text: str) -> str:
    """A date and time from text such as "2021-06-30 14:30 UTC" or "2021-06-30T14:30:00Z".

    Raises:
        WrongEntry: the text is not valid.
    """
    parts = _DATE_TIME_ENTRY.fullmatch(text)
    if parts is None:
        raise WrongEntry("not a date with a time", text, "write both: 2021-06-30 14:30")
    return f"{_date(parts['date'], text)}T{_time(parts['time'], text)}{_zone(parts['zone'], text)}"


def _date(spelled: str, text: str) -> str:
    year, month, day = (int(part) for part in spelled.split("-"))
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        raise WrongEntry("not a calendar date", text, "check the month and the day") from None


def _time(spelled: str, text: str) -> str:
    hour, minute, *second = spelled.split(":")
    seconds = second[0] if second else "00"
    try:
        time(int(hour), int(minute), int(seconds.partition(".")[0]))
    except ValueError:
        raise WrongEntry("no such time of day", text, "hours go from 0 to 23, minutes and seconds to 59") from None
    return f"{int(hour):02}:{minute}:{seconds}"


def _zone(spelled: str | None, text: str) -> str:
    if spelled is None:
        return ""
    zone = spelled.strip()
    if zone in ("Z", "UTC"):
        return "Z"
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    if hours * 60 + minutes > 14 * 60 or minutes > 59:
        raise WrongEntry("no such time zone", text, "zones go from -14:00 to +14:00")
    return f"{zone[:3]}:{zone[-2:]}"


_ISO_DURATION = re.compile(
    r"(?a)-?P(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?",
)
_WORDS_OF_DURATION = re.compile(
    r"(?a)(?:(\d+) ?d(?:ays?)?)? ?(?:(\d+) ?h(?:ours?)?)? ?"
    r"(?:(\d+) ?min(?:utes?)?)? ?(?:(\d+(?:\.\d+)?) ?s(?:ec(?:onds?)?)?)?"
)


def read_duration(text: str) -> str:
    """A duration from text such as "1 h 30 min", "90 s" or "PT1H30M".

    Raises:
        WrongEntry: the text is not valid.
    """
    if _ISO_DURATION.fullmatch(text):
        return text
    parts = _WORDS_OF_DURATION.fullmatch(text)
    if parts is None or not any(parts.groups()):
        raise WrongEntry("not a duration", text, "write it as 1 h 30 min, 90 s or PT1H30M")
    days, *clock = parts.groups()
    of_day = "".join(f"{number}{letter}" for number, letter in zip(clock, "HMS", strict=True) if number)
    return f"P{days + 'D' if days else ''}{'T' + of_day if of_day else ''}"
