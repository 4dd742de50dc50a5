"""Read measurements from files and messages: CSV, Parquet, InfluxDB's line protocol, the text format of Prometheus and
OpenMetrics, lines of JSON, and what `sar` and `sadf -d` print.

A line that cannot be read is reported and left out; the rest is read.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hpc_explorer.errors import DamagedSeries, SourceUnreadable
from hpc_explorer.monitor.sar_files import is_sar, read_sadf, read_sar
from hpc_explorer.monitor.series import ordered
from hpc_explorer.monitor.series_points import MOST_SERIES, NamedSeries, PointsRead, moment_in, number_in, seconds_in
from hpc_explorer.rdf.syntax.files import input_error
from hpc_explorer.stores.series import read_columns

_LINE = re.compile(
    r"(?P<key>(?:[^ ,\\]|\\.)+(?:,(?:[^ \\]|\\.)+)?)"
    r" (?P<fields>(?:[^ \\\"]|\\.|\"(?:[^\"\\]|\\.)*\")+)(?: (?P<time>-?\d+))?\Z"
)
_HOST_COLUMNS = frozenset({"host", "hostname", "node", "instance"})
_TIME_COLUMNS = frozenset({"timestamp", "time", "date", "datetime"})
_FIELD = re.compile(r'((?:[^,=\\]|\\.)+)=("(?:[^"\\]|\\.)*"|[^,]*)')
_SAMPLE = re.compile(
    r"(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>(?:[^\"{}]|\"(?:[^\"\\]|\\.)*\")*)\})?"
    r"\s+(?P<value>[^\s#]\S*)(?:\s+(?P<time>[^\s#]\S*))?(?:\s+#.*)?\Z"
)
_SUFFIX = re.compile(r"_(?:total|sum|created)\Z")
"""What a sample has after the name of its metric, whose unit it has."""

_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


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
    points = PointsRead(str(path))
    if is_parquet:
        return _read_parquet(path, points)
    _read_text(text, points)
    return points.result()


def series_of_messages(messages: Iterable[bytes], where: str) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
    """The series of messages, each in one of the formats of files; there may be none.

    Returns:
        The series, and one line for each thing that could not be read or was out of order.
    """
    points = PointsRead(where)
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


def _read_text(text: str, points: PointsRead) -> None:
    """Read a text in any of the formats; it is recognised by its content."""
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    if is_sar(text):
        read_sar(text, points)
    elif text.startswith("# hostname;interval;timestamp;"):
        read_sadf(text, points)
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


def _read_csv(text: str, points: PointsRead) -> None:
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
        time = moment_in(row[times[0]])
        if time is None:
            points.lose(f"not a time: {row[times[0]][:40]!r}", line)
            continue
        labels = {names[number].lower(): row[number] for number in tags}
        for number, cell in enumerate(row):
            if number in times or number in tags or not cell.strip():
                continue
            value = number_in(cell)
            if value is None:
                points.lose(f"not a number: {cell[:40]!r}", line)
            else:
                points.add(names[number], labels, time, value, line)


def _read_parquet(path: Path, points: PointsRead) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
    """A column of times, columns of numbers, and columns of texts, which are labels."""
    import numpy as np

    columns = read_columns(path)
    times = next((name for name in columns if name.lower() in _TIME_COLUMNS), None)
    if times is None:
        raise DamagedSeries("no column timestamp or time", str(path), "name the column of times so")
    when = columns.pop(times)
    if when.dtype == object:
        when = np.array([moment if (moment := moment_in(str(text))) is not None else np.nan for text in when])
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


def _read_line_protocol(lines: Iterable[str], points: PointsRead) -> None:
    """`measurement,tag=value field=number time`, with the time in any of the precisions of InfluxDB."""
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
            value = number_in(text[:-1] if text[-1:] in "iu" and text[:-1].lstrip("-").isdecimal() else text)
            if value is not None:
                points.add(
                    f"{_plain(measurement)}.{_plain(key)}", labels, seconds_in(int(found["time"])), value, number
                )
            elif not text.startswith('"') and text.lower() not in ("t", "f", "true", "false"):
                points.lose(f"not a number: {text[:40]!r}", number)


def _read_json_lines(text: str, points: PointsRead) -> None:
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
        time = None if key is None else moment_in(str(given[key]))
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


def _read_openmetrics(text: str, points: PointsRead) -> None:
    """Samples with a time: in seconds as OpenMetrics has it, in milliseconds as Prometheus has it.

    An exemplar, which may follow a sample after `#`, is no sample.
    """
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        unit = re.match(r"# UNIT (\S+) (\S+)", line)
        if unit:
            points.units[unit[1]] = unit[2]
        if not line or line.startswith("#"):
            continue
        found = _SAMPLE.match(line)
        value = None if found is None else number_in(found["value"])
        time = None if found is None or found["time"] is None else number_in(found["time"])
        if found is None or value is None:
            points.lose("not a sample", number)
        elif time is None:
            points.lose("a sample without a time", number)
        else:
            labels = {key: _plain(label) for key, label in _LABEL.findall(found["labels"] or "")}
            points.add(found["name"], labels, seconds_in(time), value, number)
            unit_of_all = points.units.get(_SUFFIX.sub("", found["name"]))
            if unit_of_all and not found["name"].endswith(("_bucket", "_count")):
                points.units.setdefault(found["name"], unit_of_all)


def lines_of(points: Iterable[tuple[float, float]], name: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Points in InfluxDB's line protocol."""
    key = ",".join([_escaped(name), *(f"{_escaped(tag)}={_escaped(labels[tag])}" for tag in sorted(labels))])
    for time, value in points:
        yield f"{key} value={value!r} {round(time * 1e9)}"


def _escaped(text: str) -> str:
    return re.sub(r"([ ,=\\])", r"\\\1", text)
