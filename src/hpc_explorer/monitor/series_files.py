"""Read measurements from files: CSV, InfluxDB's line protocol, and the text format of Prometheus and OpenMetrics.

A line that cannot be read is reported and left out; the rest is read.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from hpc_explorer.errors import DamagedSeries, SourceUnreadable
from hpc_explorer.monitor.series import Series, ordered
from hpc_explorer.rdf.syntax.files import input_error

MOST_SERIES = 100_000
"""The most series of one file; a tag with a new value on each line would make one for each point."""

_MOST_REPORTED = 20
_LINE = re.compile(
    r"(?P<key>(?:[^ ,\\]|\\.)+(?:,(?:[^ \\]|\\.)+)?)"
    r" (?P<fields>(?:[^ \\\"]|\\.|\"(?:[^\"\\]|\\.)*\")+)(?: (?P<time>-?\d+))?\Z"
)
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

    def lose(self, what: str, line: int) -> None:
        self.number_lost += 1
        if self.number_lost <= _MOST_REPORTED:
            self.lost.append(f"{what}: {self.where}:{line}")

    def result(self) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
        if self.number_lost > _MOST_REPORTED:
            self.lost.append(f"{self.number_lost - _MOST_REPORTED:,} more lines that cannot be read: {self.where}")
        found = []
        for (name, labels), (times, values) in self.points.items():
            series = ordered(times, values)
            found.append(NamedSeries(name, dict(labels), self.units.get(name, ""), series))
            self.lost += [f"{note}: {self.where}: {name}" for note in series.notes]
        if not found:
            raise DamagedSeries("no measurement in this file", self.where, self.lost[0] if self.lost else "")
        return tuple(found), tuple(self.lost)


def read_series(path: Path) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
    """Read the series of a file; the format is recognised by its content.

    Returns:
        The series, and one line for each thing that could not be read or was out of order.

    Raises:
        SourceNotFound, SourceUnreadable: the file cannot be read.
        DamagedSeries: it has no measurement.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise input_error(error, path) from None
    except UnicodeDecodeError:
        raise SourceUnreadable("the file is not text in UTF-8", str(path), "give a text file") from None
    points = _Points(str(path))
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    if text.lstrip().startswith(("# HELP", "# TYPE", "# UNIT")) or (_SAMPLE.match(first) and "," not in _bare(first)):
        _read_openmetrics(text, points)
    elif _LINE.match(first.strip()) and "=" in first:
        _read_line_protocol(text.splitlines(), points)
    else:
        _read_csv(text, points)
    return points.result()


def _bare(line: str) -> str:
    return re.sub(r"\{.*\}", "", line)


def _read_csv(text: str, points: _Points) -> None:
    """A column of times and one or more columns of numbers; a unit may follow in brackets, as in `rate [MB/s]`."""
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    head = [name.strip() for name in next(reader, [])]
    times = [number for number, name in enumerate(head) if name.lower() in ("timestamp", "time", "date", "datetime")]
    if not times:
        raise DamagedSeries("no column timestamp or time", f"{points.where}:1", "name the column of times so")
    names = {}
    for number, name in enumerate(head):
        found = re.fullmatch(r"(.*?)\s*[\[(]([^\])]*)[\])]", name)
        names[number] = found[1] if found else name
        if found:
            points.units[found[1]] = found[2]
    tags = {number for number in names if names[number].lower() in ("host", "hostname", "node", "instance")}
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
