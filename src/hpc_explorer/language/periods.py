"""Find times in a sentence: days, months, years, parts of them, times of day, and times that depend on today.

Without an offset they are UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone

from hpc_explorer.language.lexicon import number_words
from hpc_explorer.language.words import SentenceToken, TokenKind

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 0}
_EDGES = {"beginning": True, "start": True, "end": False}
_NAMED_CLOCKS = {"noon": "12:00:00", "midnight": "00:00:00"}
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_DAYS_AGO = {"today": 0, "yesterday": 1}
_THIS, _BEFORE, _ROLLING = ("this", "current"), ("last", "previous"), ("past", "last", "previous", "recent")
_UNITS = ("day", "week", "month", "quarter", "year")

WORDS = frozenset((*_MONTHS, *_ORDINALS, *_EDGES, *_NAMED_CLOCKS, *_DAYS_AGO, *_ROLLING, *_UNITS, "half", "ago"))
"""The words of times."""


@dataclass(frozen=True)
class Period:
    """A span of time: the first moment, and the first after it, in ISO 8601; equal for the start or end of a span."""

    first: str
    after: str

    @property
    def is_day(self) -> bool:
        """Whether it is one day."""
        return "T" not in self.first and _date(self.after) - _date(self.first) == _DAY

    def at(self, clock: str, more: timedelta = timedelta()) -> str:
        """A time of day of the first day."""
        return (datetime.fromisoformat(f"{self.first[:10]}T{clock}+00:00") + more).isoformat()


@dataclass(frozen=True)
class PartPeriod:
    """A month without its year, or a day without its year or month."""

    month: int | None = None
    day: int | None = None

    def within(self, other: Period) -> Period | None:
        """The day or month that it is in the year, or month, of another time."""
        beside = _date(other.first)
        try:
            if self.day is None:
                return _month(beside.year, self.month or 1)
            if self.month is None and not other.is_day:
                return None
            return _day(date(beside.year, self.month or beside.month, self.day))
        except ValueError:
            return None


@dataclass(frozen=True)
class Clock:
    """A time of day, with seconds."""

    text: str


Time = Period | PartPeriod | Clock


def times(tokens: Sequence[SentenceToken], at: int, *, today: date | None = None) -> Iterator[tuple[int, Time, float]]:
    """The times that begin at a token: where each ends, the time, and its price.

    Args:
        today: for "last week"; None: of the clock.
    """
    try:
        found = _moment(tokens, at) or _part(tokens, at) or _edge(tokens, at) or _relative(tokens, at, today)
        if found is not None:
            end, period = found
            is_sure = end > at + 1 or tokens[at].kind is TokenKind.DATE
            yield end, period, 0.0 if is_sure else 0.2
            return
        clock = _clock(tokens, at)
        if clock is not None:
            yield *clock, 0.0
            return
        yield from _parts(tokens, at)
    except (ValueError, OverflowError):
        return


def _key(tokens: Sequence[SentenceToken], at: int) -> str:
    return tokens[at].key or tokens[at].text if at < len(tokens) else ""


def _after(tokens: Sequence[SentenceToken], at: int, *words: str) -> int:
    """The place after a word that may stand there."""
    return at + 1 if _key(tokens, at) in words else at


def _year(tokens: Sequence[SentenceToken], at: int) -> int | None:
    return int(_key(tokens, at)) if re.fullmatch(r"[12]\d{3}", _key(tokens, at)) else None


def _day_of_month(tokens: Sequence[SentenceToken], at: int, *, ordinal: bool = False) -> int | None:
    sign = "(st|nd|rd|th)" if ordinal else "(st|nd|rd|th)?"
    found = re.fullmatch(rf"(\d{{1,2}}){sign}", _key(tokens, at))
    return int(found[1]) if found and 1 <= int(found[1]) <= 31 else None


def _moment(tokens: Sequence[SentenceToken], at: int) -> tuple[int, Period] | None:
    """A day, month or year, or a time of a day."""
    found = _calendar(tokens, at)
    if found is None or not found[1].is_day:
        return found
    end, day = found
    place = _after(tokens, end, "at", ",")
    clock = _clock(tokens, place)
    return found if clock is None else _with_offset(tokens, clock[0], day, clock[1])


def _with_offset(tokens: Sequence[SentenceToken], at: int, day: Period, clock: Clock) -> tuple[int, Period]:
    """A time of a day, with the offset from UTC that may follow it."""
    offset = _clock(tokens, at + 1) if _key(tokens, at) in ("+", "-") else None
    zone: timezone = UTC
    end = _after(tokens, at, "utc", "gmt", "z")
    if offset is not None:
        end, shift = offset
        hours, minutes, _ = map(int, shift.text.split(":"))
        zone = timezone((-1 if _key(tokens, at) == "-" else 1) * timedelta(hours=hours, minutes=minutes))
    moment = datetime.fromisoformat(f"{day.first}T{clock.text}").replace(tzinfo=zone).astimezone(UTC)
    return end, Period(moment.isoformat(), (moment + timedelta(seconds=1)).isoformat())


def _calendar(tokens: Sequence[SentenceToken], at: int) -> tuple[int, Period] | None:
    if at >= len(tokens):
        return None
    token = tokens[at]
    if token.kind is TokenKind.DATE:
        if len(token.text) == 7:
            year, month = map(int, token.text.split("-"))
            return at + 1, _month(year, month)
        if len(token.text) == 10:
            return at + 1, _day(date.fromisoformat(token.text))
        moment = datetime.fromisoformat(token.text.replace("Z", "+00:00"))
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        return at + 1, Period(moment.isoformat(), (moment + timedelta(seconds=1)).isoformat())
    written = _MONTHS.get(_key(tokens, at))
    if written is not None:
        day = _day_of_month(tokens, at + 1)
        place = at + 1 if day is None else at + 2
        place = _after(tokens, place, ",", "of")
        year_of = _year(tokens, place)
        if year_of is None:
            return None
        return place + 1, _month(year_of, written) if day is None else _day(date(year_of, written, day))
    day = _day_of_month(tokens, at)
    place = _after(tokens, at + 1, "of")
    written = _MONTHS.get(_key(tokens, place)) if day is not None else None
    if day is not None and written is not None:
        place = _after(tokens, place + 1, ",", "of")
        year_of = _year(tokens, place)
        return None if year_of is None else (place + 1, _day(date(year_of, written, day)))
    quarter = re.fullmatch(r"q([1-4])", _key(tokens, at))
    if quarter:
        place = _after(tokens, at + 1, "of", "in")
        year_of = _year(tokens, place)
        return None if year_of is None else (place + 1, _quarter(year_of, int(quarter[1])))
    if token.kind is TokenKind.NUMBER and re.fullmatch(r"(19|20)\d\d", token.text):
        return at + 1, Period(f"{int(token.text):04}-01-01", f"{int(token.text) + 1:04}-01-01")
    return None


def _part(tokens: Sequence[SentenceToken], at: int) -> tuple[int, Period] | None:
    """The first week of a month, the second half of a month or year, the third quarter of a year."""
    number, unit = _ORDINALS.get(_key(tokens, at)), _key(tokens, at + 1)
    if number is None or unit not in ("half", "quarter", "week", "day", "month") or _key(tokens, at + 2) != "of":
        return None
    found = _calendar(tokens, _after(tokens, at + 3, "the"))
    if found is None or "T" in found[1].first:
        return None
    end, whole = found
    first, after = _date(whole.first), _date(whole.after)
    days = (after - first).days
    if unit in ("week", "day") and days > 7:
        step = _WEEK if unit == "week" else _DAY
        start = after - step if number == 0 else first + step * (number - 1)
        return end, Period(f"{start}", f"{start + step}")
    if unit == "half" and 28 <= days <= 31:
        middle = first.replace(day=16)
    elif unit == "half" and days > 360:
        middle = first.replace(month=7)
    elif unit in ("quarter", "month") and days > 360:
        place = number or (4 if unit == "quarter" else 12)
        return end, _quarter(first.year, place) if unit == "quarter" else _month(first.year, place)
    else:
        return None
    return (end, Period(f"{first}", f"{middle}")) if number == 1 else (
        (end, Period(f"{middle}", f"{after}")) if number in (0, 2) else None)  # fmt: skip


def _edge(tokens: Sequence[SentenceToken], at: int) -> tuple[int, Period] | None:
    """The beginning or end of a day, month or year."""
    is_start = _EDGES.get(_key(tokens, at))
    if is_start is None or _key(tokens, at + 1) != "of":
        return None
    found = _calendar(tokens, _after(tokens, at + 2, "the"))
    if found is None:
        return None
    end, whole = found
    moment = whole.first if is_start else whole.after
    return end, Period(moment, moment)


def _relative(tokens: Sequence[SentenceToken], at: int, today: date | None) -> tuple[int, Period] | None:
    """Yesterday, this year, last week, the past three months, two years ago."""
    today = today or datetime.now(UTC).date()
    word, ago = _key(tokens, at), _DAYS_AGO.get(_key(tokens, at))
    if ago is not None:
        return at + 1, _day(today - ago * _DAY)
    unit = _key(tokens, at + 1).removesuffix("s")
    if unit in _UNITS and unit != _key(tokens, at + 1):
        number = _number(tokens, at)
        return (
            (at + 3, _around(_shifted(today, unit, number), unit)) if number and _key(tokens, at + 2) == "ago" else None
        )
    if unit in _UNITS and word in ("a", "an", "one") and _key(tokens, at + 2) == "ago":
        return at + 3, _around(_shifted(today, unit, 1), unit)
    if unit in _UNITS and word in _THIS:
        return at + 2, _around(today, unit)
    if unit in _UNITS and word in _BEFORE:
        return at + 2, _around(_shifted(today, unit, 1), unit)
    place, number = (at + 1, 1) if unit in _UNITS else (at + 2, _number(tokens, at + 1))
    unit = _key(tokens, place).removesuffix("s")
    if word in _ROLLING and number and unit in _UNITS:
        return place + 1, Period(f"{_shifted(today, unit, number)}", f"{today + _DAY}")
    return None


def _number(tokens: Sequence[SentenceToken], at: int) -> int:
    """A whole number in digits or as a word; 0 if there is none."""
    key = _key(tokens, at)
    return int(key) if re.fullmatch(r"\d{1,4}", key) else number_words().get(key, 0)


def _shifted(day: date, unit: str, number: int) -> date:
    """The day that is some days, weeks, months or years earlier; the last of its month if that is shorter."""
    if unit in ("day", "week"):
        return day - number * (_WEEK if unit == "week" else _DAY)
    months = day.year * 12 + day.month - 1 - number * {"month": 1, "quarter": 3, "year": 12}[unit]
    first = date(months // 12, months % 12 + 1, 1)
    return min(first + timedelta(days=day.day - 1), _date(_month(first.year, first.month).after) - _DAY)


def _around(day: date, unit: str) -> Period:
    """The day, week from Monday, month, quarter or year of a day."""
    if unit == "day":
        return _day(day)
    if unit == "week":
        monday = day - day.weekday() * _DAY
        return Period(f"{monday}", f"{monday + _WEEK}")
    if unit == "month":
        return _month(day.year, day.month)
    if unit == "quarter":
        return _quarter(day.year, (day.month + 2) // 3)
    return Period(f"{date(day.year, 1, 1)}", f"{date(day.year + 1, 1, 1)}")


def _clock(tokens: Sequence[SentenceToken], at: int) -> tuple[int, Clock] | None:
    """A time of day, such as 16:00, 4 pm or noon."""
    named = _NAMED_CLOCKS.get(_key(tokens, at))
    if named is not None:
        return at + 1, Clock(named)
    glued = re.fullmatch(r"(\d{1,2})(am|pm)", _key(tokens, at))
    half = glued[2] if glued else _key(tokens, at + 1)
    if half in ("am", "pm") and (glued or re.fullmatch(r"\d{1,2}", _key(tokens, at))):
        hour = int(glued[1] if glued else _key(tokens, at))
        if 1 <= hour <= 12:
            return at + (1 if glued else 2), Clock(f"{hour % 12 + 12 * (half == 'pm'):02}:00:00")
        return None
    if at >= len(tokens) or tokens[at].kind is not TokenKind.CLOCK:
        return None
    parts = [int(part) for part in tokens[at].text.split(":")]
    hours, minutes, seconds = (*parts, 0)[:3]
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    return at + 1, Clock(f"{hours:02}:{minutes:02}:{seconds:02}")


def _parts(tokens: Sequence[SentenceToken], at: int) -> Iterator[tuple[int, PartPeriod, float]]:
    """A month or a day that lacks its year."""
    month = _MONTHS.get(_key(tokens, at))
    if month is not None and (_key(tokens, at) != "may" or tokens[at].text[:1].isupper()):
        day = _day_of_month(tokens, at + 1)
        yield (at + 1, PartPeriod(month), 0.1) if day is None else (at + 2, PartPeriod(month, day), 0.0)
        return
    day = _day_of_month(tokens, at)
    place = _after(tokens, at + 1, "of")
    month = _MONTHS.get(_key(tokens, place))
    if day is not None and month is not None:
        yield place + 1, PartPeriod(month, day), 0.0
    elif _day_of_month(tokens, at, ordinal=True) is not None:
        yield at + 1, PartPeriod(None, day), 0.0


def _date(text: str) -> date:
    return date.fromisoformat(text[:10])


def _day(day: date) -> Period:
    return Period(day.isoformat(), (day + _DAY).isoformat())


def _month(year: int, month: int) -> Period:
    return Period(f"{date(year, month, 1)}", f"{date(year + month // 12, month % 12 + 1, 1)}")


def _quarter(year: int, number: int) -> Period:
    return Period(_month(year, number * 3 - 2).first, _month(year, number * 3).after)
