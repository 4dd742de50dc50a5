"""Read measurements from files and messages: CSV, Parquet, InfluxDB's line protocol, the text format of Prometheus and
OpenMetrics, lines of JSON, and what `sar` and `sadf -d` print.

A line that cannot be read is reported and left out; the rest is read.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hpc_explorer.errors import DamagedSeries, SourceUnreadable
from hpc_explorer.monitor.series import Series, ordered
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.stores.series import read_columns

MOST_SERIES = 100_000
"""The most series of one file; a tag with a new value on each line would make one for each point."""

_MOST_REPORTED = 20
_LINE = re.compile(
    r"(?P<key>(?:[^ ,\\]|\\.)+(?:,(?:[^ \\]|\\.)+)?)"
    r" (?P<fields>(?:[^ \\\"]|\\.|\"(?:[^\"\\]|\\.)*\")+)(?: (?P<time>-?\d+))?\Z"
)
_SAR = re.compile(r"\S+ \S+ \((?P<host>[^)]*)\)\s+(?P<date>\d+[/.-]\d+[/.-]\d+)\s+\S+\s+\(\d+ CPU\)")
"""The first line of `sar`: system, host, date, and processors."""

_HOST_COLUMNS = frozenset({"host", "hostname", "node", "instance"})
_TIME_COLUMNS = frozenset({"timestamp", "time", "date", "datetime"})
_FIELD = re.compile(r'((?:[^,=\\]|\\.)+)=("(?:[^"\\]|\\.)*"|[^,]*)')
_SAMPLE = re.compile(
    r"(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})?\s+(?P<value>\S+)(?:\s+(?P<time>\S+))?(?:\s+#.*)?\Z"
)
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True)
class NamedSeries:
    """A series from a file.

    Args:
        name: of the measurement.
        labels: tags, such as the host.
        unit: empty if the file does not tell it.
    """

    name: str
    labels: Mapping[str, str]
    unit: str
    series: Series

    @property
    def host(self) -> str:
        """The machine that was measured, if a label names it."""
        return next((self.labels[key] for key in ("host", "hostname", "instance", "node") if key in self.labels), "")

    def __str__(self) -> str:
        tags = ", ".join(f"{key}={value}" for key, value in sorted(self.labels.items()))
        return f"{self.name} ({tags})" if tags else self.name


@dataclass
class _Points:
    """Points by series, and what could not be read."""

    where: str
    points: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[list[float], list[float]]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    number_lost: int = 0

    def add(self, name: str, labels: Mapping[str, str], time: float, value: float, line: int) -> None:
        key = (name, tuple(sorted(labels.items())))
        if key not in self.points:
            if len(self.points) >= MOST_SERIES:
                self.lose(f"more than {MOST_SERIES:,} series: a tag differs on too many lines", line)
                return
            self.points[key] = ([], [])
        times, values = self.points[key]
        times.append(time)
        values.append(value)

    def named(self, column: str) -> str:
        """The name of a column; a unit may follow in brackets, as in `rate [MB/s]`.

        Another unit is another series, which keeps its whole heading as its name.
        """
        found = re.fullmatch(r"(.*?)\s*[\[(]([^\])]*)[\])]", column)
        name, unit = (found[1], found[2]) if found else (column, "")
        if self.units.setdefault(name, unit) == unit:
            return name
        other = column if found else f"{column} (no unit)"
        self.units[other] = unit
        return other

    def lose(self, what: str, line: int) -> None:
        self.number_lost += 1
        if self.number_lost <= _MOST_REPORTED:
            self.lost.append(f"{what}: {self.where}:{line}")

    def result(self, *, may_be_empty: bool = False) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
        if self.number_lost > _MOST_REPORTED:
            self.lost.append(f"{self.number_lost - _MOST_REPORTED:,} more lines that cannot be read: {self.where}")
        found = []
        for (name, labels), (times, values) in self.points.items():
            series = ordered(times, values)
            found.append(NamedSeries(name, dict(labels), self.units.get(name, ""), series))
            self.lost += [f"{note}: {self.where}: {name}" for note in series.notes]
        if not found and not may_be_empty:
            raise DamagedSeries("no measurement in this file", self.where, self.lost[0] if self.lost else "")
        return tuple(found), tuple(self.lost)


def read_series(path: Path, *, whole_lines: bool = False) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
    """Read the series of a file; the format is recognised by its content.

    Args:
        whole_lines: leave out a last line without its end, as of a file that is being written.

    Returns:
        The series, and one line for each thing that could not be read or was out of order.

    Raises:
        SourceNotFound, SourceUnreadable: the file cannot be read.
        DamagedSeries: it has no measurement.
    """
    try:
        with path.open("rb") as stream:
            is_parquet = stream.read(4) == b"PAR1"
        text = "" if is_parquet else path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise input_error(error, path) from None
    except UnicodeDecodeError:
        raise SourceUnreadable("the file is not text in UTF-8", str(path), "give a text file") from None
    if whole_lines:
        text = text[: text.rfind("\n") + 1]
    points = _Points(str(path))
    if is_parquet:
        return _read_parquet(path, points)
    _read_text(text, points)
    return points.result()


def series_of_messages(messages: Iterable[bytes], where: str) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
    """The series of messages, each in one of the formats of files; there may be none.

    Returns:
        The series, and one line for each thing that could not be read or was out of order.
    """
    points = _Points(where)
    for number, message in enumerate(messages, 1):
        points.where = f"{where}, message {number}"
        try:
            _read_text(message.decode("utf-8-sig"), points)
        except UnicodeDecodeError:
            points.lose("not text in UTF-8", 1)
        except DamagedSeries as error:
            points.lose(error.what, 1)
    points.where = where
    return points.result(may_be_empty=True)


def _read_text(text: str, points: _Points) -> None:
    """Read a text in any of the formats; it is recognised by its content."""
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    if _SAR.match(text.lstrip()):
        _read_sar(text, points)
    elif text.startswith("# hostname;interval;timestamp;"):
        _read_sadf(text, points)
    elif text.lstrip().startswith(("# HELP", "# TYPE", "# UNIT")) or (_SAMPLE.match(first) and "," not in _bare(first)):
        _read_openmetrics(text, points)
    elif _LINE.match(first.strip()) and "=" in first:
        _read_line_protocol(text.splitlines(), points)
    elif first.lstrip().startswith("{"):
        _read_json_lines(text, points)
    else:
        _read_csv(text, points)


def _bare(line: str) -> str:
    return re.sub(r"\{.*\}", "", line)


def _read_csv(text: str, points: _Points) -> None:
    """A column of times and one or more columns of numbers; a unit may follow in brackets, as in `rate [MB/s]`."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    head = [name.strip() for name in next(reader, [])]
    times = [number for number, name in enumerate(head) if name.lower() in _TIME_COLUMNS]
    if not times:
        raise DamagedSeries("no column timestamp or time", f"{points.where}:1", "name the column of times so")
    names = {number: points.named(name) for number, name in enumerate(head)}
    tags = {number for number in names if names[number].lower() in _HOST_COLUMNS}
    for row in reader:
        line = reader.line_num
        if not row:
            continue
        if len(row) != len(head):
            points.lose(f"a row of {len(row)} fields instead of {len(head)}", line)
            continue
        time = _moment(row[times[0]])
        if time is None:
            points.lose(f"not a time: {row[times[0]][:40]!r}", line)
            continue
        labels = {names[number].lower(): row[number] for number in tags}
        for number, cell in enumerate(row):
            if number in times or number in tags or not cell.strip():
                continue
            value = _float(cell)
            if value is None:
                points.lose(f"not a number: {cell[:40]!r}", line)
            else:
                points.add(names[number], labels, time, value, line)


def _read_parquet(path: Path, points: _Points) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
    """A column of times, columns of numbers, and columns of texts, which are labels."""
    import numpy as np

    columns = read_columns(path)
    times = next((name for name in columns if name.lower() in _TIME_COLUMNS), None)
    if times is None:
        raise DamagedSeries("no column timestamp or time", str(path), "name the column of times so")
    when = columns.pop(times)
    if when.dtype == object:
        when = np.array([moment if (moment := _moment(str(text))) is not None else np.nan for text in when])
    labels = {name: values for name, values in columns.items() if values.dtype == object}
    codes = np.zeros(len(when), np.int64)
    groups: list[dict[str, str]] = [{}]
    for name, texts in labels.items():
        distinct, place = np.unique(texts.astype(str), return_inverse=True)
        pairs, codes = np.unique(codes * len(distinct) + place, return_inverse=True)
        groups = [
            {**groups[pair // len(distinct)], name.lower(): str(distinct[pair % len(distinct)])} for pair in pairs
        ]
        if len(groups) > MOST_SERIES:
            raise DamagedSeries(
                f"more than {MOST_SERIES:,} series: a column of texts differs in too many rows", str(path)
            )
    order = np.argsort(codes, kind="stable")
    bounds = np.searchsorted(codes[order], np.arange(len(groups) + 1))
    found = []
    for column, values in columns.items():
        if column in labels:
            continue
        name = points.named(column)
        for number, tags in enumerate(groups):
            rows = order[bounds[number] : bounds[number + 1]]
            series = ordered(when[rows], values[rows])
            found.append(NamedSeries(name, tags, points.units.get(name, ""), series))
            points.lost += [f"{note}: {path}: {name}" for note in series.notes]
    if not any(len(one.series) for one in found):
        raise DamagedSeries("no measurement in this file", str(path), points.lost[0] if points.lost else "")
    return tuple(one for one in found if len(one.series)), tuple(points.lost)


def _read_sar(text: str, points: _Points) -> None:
    """Tables with a time of day in front, each below its own head; times are taken as UTC."""
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line.strip())
    first = _SAR.match(lines[at].strip())
    assert first is not None
    day, host = _day(first["date"]), first["host"]
    if day is None:
        raise DamagedSeries(f"not a date: {first['date']!r}", f"{points.where}:{at + 1}", "set S_TIME_FORMAT=ISO")
    head: list[str] = []
    before = day
    for number, line in enumerate(lines[at + 1 :], at + 2):
        words = line.split()
        if not words or words[0].rstrip(":").lower() in ("average", "summary"):
            head = head if words else []
            continue
        half = words[1].upper() if len(words) > 1 and words[1].upper() in ("AM", "PM") else ""
        time = _time_of_day(words[0], half)
        cells = words[2:] if half else words[1:]
        if time is None:
            points.lose("not a line of sar", number)
        elif not head and cells and "RESTART" in line:
            continue
        elif not head or (cells and _float(cells[-1]) is None):
            head = cells
        elif len(cells) != len(head):
            points.lose(f"a row of {len(cells)} fields instead of {len(head)}", number)
        else:
            moment = day + time
            # The output of one day ends before midnight, but the clock may pass it in a long recording.
            if (before - moment).total_seconds() > 43_200:
                day += timedelta(days=1)
                moment = day + time
            before = moment
            labels, values = {"host": host}, []
            for name, cell in zip(head, cells, strict=True):
                value = _float(cell)
                if value is None or name in ("CPU", "DEV", "IFACE", "INTR", "TTY"):
                    labels[name.lower()] = cell
                else:
                    values.append((name, value))
            for name, value in values:
                points.add(name, labels, moment.timestamp(), value, number)
                if name.startswith("%"):
                    points.units[name] = "%"


def _day(text: str) -> datetime | None:
    for form in ("%m/%d/%y", "%m/%d/%Y", "%Y-%m-%d", "%d.%m.%Y", "%d.%m.%y"):
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _time_of_day(text: str, half: str) -> timedelta | None:
    found = re.fullmatch(r"(\d{1,2}):(\d{2}):(\d{2})", text)
    if found is None:
        return None
    hours, minutes, seconds = map(int, found.groups())
    if half:
        hours = hours % 12 + (12 if half == "PM" else 0)
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


def _read_sadf(text: str, points: _Points) -> None:
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
        time = _moment(cells[2].removesuffix(" UTC"))
        if time is None:
            points.lose(f"not a time: {cells[2][:40]!r}", number)
            continue
        labels, values = {"host": cells[0]}, []
        for name, cell in zip(head[3:], cells[3:], strict=True):
            value = _float(cell)
            if value is None or name in ("CPU", "DEV", "IFACE", "INTR", "TTY"):
                labels[name.lower()] = cell
            else:
                values.append((name, value))
        for name, value in values:
            points.add(name, labels, time, value, number)
            if name.startswith("%"):
                points.units[name] = "%"


def _read_line_protocol(lines: Iterable[str], points: _Points) -> None:
    """`measurement,tag=value field=number time`, with the time in nanoseconds."""
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        found = _LINE.match(line)
        if found is None or found["time"] is None:
            points.lose("not a line of the line protocol with a time", number)
            continue
        measurement, _, tags = _split_key(found["key"])
        labels = {_plain(key): _plain(value) for key, value in _FIELD.findall(tags)}
        for key, text in _FIELD.findall(found["fields"]):
            value = _float(text[:-1] if text[-1:] in "iu" and text[:-1].lstrip("-").isdecimal() else text)
            if value is not None:
                points.add(f"{_plain(measurement)}.{_plain(key)}", labels, int(found["time"]) / 1e9, value, number)
            elif not text.startswith('"') and text.lower() not in ("t", "f", "true", "false"):
                points.lose(f"not a number: {text[:40]!r}", number)


def _read_json_lines(text: str, points: _Points) -> None:
    """An object on each line, with a time, numbers, and texts as labels, as kickstart sends them while a job runs."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            given = json.loads(line)
        except (ValueError, RecursionError):
            points.lose("not JSON", number)
            continue
        if not isinstance(given, dict):
            points.lose("not an object of JSON", number)
            continue
        key = next((key for key in given if key.lower() in _TIME_COLUMNS or key == "ts"), None)
        time = None if key is None else _moment(str(given[key]))
        if time is None:
            points.lose("an object without a time", number)
            continue
        cells = {points.named(name): cell for name, cell in given.items() if name != key}
        labels = {name.lower(): cell for name, cell in cells.items() if isinstance(cell, str)}
        for name, cell in cells.items():
            if isinstance(cell, (int, float)) and not isinstance(cell, bool):
                points.add(name, labels, time, float(cell), number)


def _split_key(key: str) -> tuple[str, str, str]:
    found = re.match(r"((?:[^,\\]|\\.)*)(,?)(.*)", key, re.DOTALL)
    assert found is not None
    return found[1], found[2], found[3]


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _read_openmetrics(text: str, points: _Points) -> None:
    """Samples with a time: in seconds as OpenMetrics has it, in milliseconds as Prometheus has it."""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        unit = re.match(r"# UNIT (\S+) (\S+)", line)
        if unit:
            points.units[unit[1]] = unit[2]
        if not line or line.startswith("#"):
            continue
        found = _SAMPLE.match(line)
        value = None if found is None else _float(found["value"])
        time = None if found is None or found["time"] is None else _float(found["time"])
        if found is None or value is None:
            points.lose("not a sample", number)
        elif time is None:
            points.lose("a sample without a time", number)
        else:
            labels = {key: _plain(label) for key, label in _LABEL.findall(found["labels"] or "")}
            points.add(found["name"], labels, time / 1000 if time > 1e11 else time, value, number)


def _float(text: str) -> float | None:
    """A number; also NaN and infinity, which are left out when the series is put in order."""
    try:
        return float(text)
    except ValueError:
        return None


def _moment(text: str) -> float | None:
    """A time in ISO 8601 or in seconds, milliseconds or nanoseconds since 1970; UTC unless a zone is given."""
    text = text.strip()
    number = _float(text)
    if number is not None:
        while math.isfinite(number) and abs(number) > 1e11:
            number /= 1000
        return number if math.isfinite(number) else None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def lines_of(points: Iterable[tuple[float, float]], name: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Points in InfluxDB's line protocol."""
    key = ",".join([_escaped(name), *(f"{_escaped(tag)}={_escaped(labels[tag])}" for tag in sorted(labels))])
    for time, value in points:
        yield f"{key} value={value!r} {round(time * 1e9)}"


def _escaped(text: str) -> str:
    return re.sub(r"([ ,=\\])", r"\\\1", text)
