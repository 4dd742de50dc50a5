"""Read what `sar` and `sadf -d` print."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from hpc_explorer.monitor.series_points import PointsRead, moment_in, number_in

_SAR = re.compile(
    r"\S+ \S+ \((?P<host>[^)]*)\)\s+(?P<date>\d+(?:[/.-]\d+[/.-]\d+\.?|年\d+月\d+日))\s+\S+\s+\(\d+ CPU\)"
)
"""The first line of `sar`: system, host, date, and processors."""

_LABELS = frozenset({"CPU", "DEV", "IFACE", "INTR", "TTY"})
"""Columns that say what a row is about, also where that is a number."""

_FORMS = (
    "%Y-%m-%d",
    "%m/%d/%y",
    "%m/%d/%Y",
    "%d/%m/%y",
    "%d/%m/%Y",
    "%d.%m.%Y",
    "%d.%m.%y",
    "%d-%m-%Y",
    "%Y年%m月%d日",
)
_HALF_DAY = timedelta(hours=12)


def is_sar(text: str) -> bool:
    """Whether a text begins as `sar` prints it."""
    return _SAR.match(text.lstrip()) is not None


class _Clock:
    """Finds the date of times of day.

    It is the date of the first line until midnight is passed. Where a file has one table after another, each ends with
    its average, and the next begins on the day on which one of the same first time began.
    """

    def __init__(self, day: datetime) -> None:
        self._day = day
        self._before: datetime | None = None
        self._begins: dict[timedelta, datetime] = {}

    def head(self, time: timedelta, *, is_next: bool) -> None:
        """Take in the time in front of the heads of a table.

        Args:
            is_next: whether another table has ended.
        """
        seems_later = self._before is not None and self._day + time - self._before > _HALF_DAY
        if time in self._begins and (is_next or seems_later):
            self._before = self._begins[time]
            self._day = self._before - time
        self._begins.setdefault(time, self.moment(time))

    def moment(self, time: timedelta) -> datetime:
        """The moment of a time of day that is not before the last one."""
        moment = self._day + time
        if self._before is not None and self._before - moment > _HALF_DAY:
            self._day += timedelta(days=1)
            moment = self._day + time
        self._before = moment
        return moment


def read_sar(text: str, points: PointsRead) -> None:
    """Tables with a time of day in front, each below its own heads; times are taken as UTC.

    A date such as 05/11/26 is taken as month, day, year, and that is reported.
    """
    heads: list[str] = []
    clock, host, has_ended = None, "", False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        begin = _SAR.match(line.strip())
        if begin is not None:
            clock, host, heads, has_ended = _clock(begin["date"], points, number), begin["host"], [], False
            continue
        half = words[1].upper() if len(words) > 1 and words[1].upper() in ("AM", "PM") else ""
        time = _time_of_day(words[0], half) if words else None
        if not words or clock is None:
            heads = []
            continue
        cells = words[2:] if half else words[1:]
        if time is None:
            has_ended = has_ended or words[0].endswith(":")
            if not words[0].endswith(":") and words[0].lower() not in ("average", "summary"):
                points.lose("not a line of sar", number)
        elif cells and (cells[0] == "COM" or "RESTART" in cells):
            heads = []
        elif not heads or (cells and _cell(cells[-1]) is None):
            clock.head(time, is_next=has_ended)
            heads, has_ended = cells, False
        elif len(cells) != len(heads):
            points.lose(f"a row of {len(cells)} fields instead of {len(heads)}", number)
        else:
            _add_row(points, host, clock.moment(time).timestamp(), zip(heads, cells, strict=True), number)


def _clock(date: str, points: PointsRead, line: int) -> _Clock | None:
    days = []
    for form in _FORMS:
        with suppress(ValueError):
            days.append(datetime.strptime(date.rstrip("."), form).replace(tzinfo=UTC))
    if not days:
        points.lose(f"not a date: {date!r}; set S_TIME_FORMAT=ISO", line)
        return None
    if days[0] != days[-1]:
        points.lose(f"{date} is taken as {days[0]:%Y-%m-%d}; set S_TIME_FORMAT=ISO if that is wrong", line)
    return _Clock(days[0])


def _add_row(points: PointsRead, host: str, time: float, cells: Iterable[tuple[str, str]], line: int) -> None:
    labels, values = {"host": host}, []
    for name, cell in cells:
        value = _cell(cell)
        if value is None or name in _LABELS:
            labels[name.lower()] = cell
        else:
            values.append((name, value))
    for name, value in values:
        points.add(name, labels, time, value, line)
        if name.startswith("%"):
            points.units[name] = "%"


def _cell(text: str) -> float | None:
    """A number, also with a decimal comma."""
    return number_in(text.replace(",", ".", 1) if text.count(",") == 1 else text)


def _time_of_day(text: str, half: str) -> timedelta | None:
    found = re.fullmatch(r"(\d{1,2})[:時](\d{2})[:分](\d{2})秒?", text)
    if found is None:
        return None
    hours, minutes, seconds = map(int, found.groups())
    if half:
        hours = hours % 12 + (12 if half == "PM" else 0)
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


def read_sadf(text: str, points: PointsRead) -> None:
    """`host;interval;time;values`, below a head that begins with `#` and may come again."""
    head: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.strip().split(";")
        if line.startswith("#"):
            head = [name.strip() for name in line.lstrip("# ").split(";")]
            continue
        if not line.strip() or "LINUX-RESTART" in line:
            continue
        if len(cells) != len(head):
            points.lose(f"a row of {len(cells)} fields instead of {len(head)}", number)
            continue
        time = moment_in(cells[2].removesuffix(" UTC"))
        if time is None:
            points.lose(f"not a time: {cells[2][:40]!r}", number)
            continue
        _add_row(points, cells[0], time, zip(head[3:], cells[3:], strict=True), number)
