"""The points of time series in a workspace: Parquet files that are added, never changed.

Each addition is a file of points and a file of spans, which are summaries of up to `SPAN` points in a row. A list names
the files that count, and is replaced in one step after they are on the disk. So a reader sees all of an addition or
nothing, also after a kill, and reads on while points are added. A large series is drawn from its spans.

A series is named by its IRI; the files have a number made from it.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hpc_explorer.errors import DamagedSeries, OutputNotWritable, StoreDamaged, StoreLocked
from hpc_explorer.rdf.syntax.files import atomic_output, output_error
from hpc_explorer.stores.local.folder_lock import FolderLock

if TYPE_CHECKING:
    import numpy as np
    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SPAN = 256
"""The most points in a span."""

MOST_PARTS = 64
"""More files than this are joined into one at the next addition."""

_LIST, _LOCK, _MARKS = "parts.json", "writing", "marks.json"


@dataclass(frozen=True, eq=False)
class SeriesPoints:
    """Points in order of time.

    Args:
        times: seconds since 1970, strictly increasing.
        values: as many as times.
    """

    times: Array
    values: Array

    @classmethod
    def none(cls) -> SeriesPoints:
        """No points."""
        import numpy as np

        return cls(np.zeros(0), np.zeros(0))

    def between(self, begin: float, end: float) -> SeriesPoints:
        """The points in an interval, its ends included."""
        import numpy as np

        first, last = np.searchsorted(self.times, begin, "left"), np.searchsorted(self.times, end, "right")
        return SeriesPoints(self.times[first:last], self.values[first:last])


@dataclass(frozen=True)
class Extent:
    """When a series begins and ends, in seconds since 1970, and its number of points."""

    begin: float
    end: float
    points: int


@dataclass(frozen=True, eq=False)
class DrawnSeries:
    """A series at the resolution of a picture.

    Args:
        times: the begin of each interval, or the time of each point.
        low, high, mean: of the points in each interval; equal for single points.
        points: the number of points that this shows.
        is_summary: whether an entry may stand for several points.
    """

    times: Array
    low: Array
    high: Array
    mean: Array
    points: int
    is_summary: bool


class SeriesStore:
    """The series of a folder.

    Several threads and programs may read; one adds at a time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()

    def add(self, series: Mapping[str, SeriesPoints]) -> int:
        """Add points. A point at a time that its series has already is left out.

        Returns:
            The number of points that are new; they are on the disk.

        Raises:
            OutputNotWritable: the folder cannot be written, or the disk is full.
            StoreLocked: another program adds points now.
            StoreDamaged: the list of files cannot be read.
        """
        given = {_key(iri): points for iri, points in series.items() if len(points.times)}
        if not given:
            return 0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise output_error(error, self.folder) from None
        with self._lock:
            lock = FolderLock.exclusive(self.folder / _LOCK)
            if lock is None:
                raise StoreLocked("another program adds points", str(self.folder), "try again when it is done")
            try:
                return self._add(given)
            finally:
                lock.release()

    def mark(self, source: str) -> float | None:
        """The time up to which a source was read completely, in seconds since 1970; None if it never was."""
        found = self._marks().get(source)
        return float(found) if isinstance(found, (int, float)) else None

    def set_mark(self, source: str, time: float) -> None:
        """Keep the time up to which a source was read completely; all its points are in the store.

        Raises:
            OutputNotWritable: the folder cannot be written, or the disk is full.
        """
        with self._lock, atomic_output(self.folder / _MARKS) as stream:
            stream.write(json.dumps({**self._marks(), source: time}).encode())

    def _marks(self) -> dict[str, Any]:
        """Without a readable file, sources are read from their beginning, and known points are left out."""
        try:
            found = json.loads((self.folder / _MARKS).read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _add(self, given: Mapping[int, SeriesPoints]) -> int:
        parts = self._parts()
        given = self._unknown(parts, given)
        if not given:
            return 0
        if len(parts) >= MOST_PARTS:
            with _connection() as connection:
                rows = connection.execute(
                    f"SELECT series, time, value FROM {_files(self._points(parts))} ORDER BY series, time"
                ).fetchnumpy()
            joined = _by_series(rows)
            for key, points in given.items():
                joined[key] = _merged(joined[key], points) if key in joined else points
            self._write([], parts, joined)
        else:
            self._write(parts, [], given)
        return sum(len(points.times) for points in given.values())

    def _unknown(self, parts: list[int], given: Mapping[int, SeriesPoints]) -> dict[int, SeriesPoints]:
        """The points at times that the files do not have."""
        import numpy as np

        extents = self._extents(parts, given)
        found = {}
        for key, points in given.items():
            extent = extents.get(key)
            if extent is not None and points.times[0] <= extent.end and points.times[-1] >= extent.begin:
                known = self._read(parts, key, float(points.times[0]), float(points.times[-1])).times
                new = ~np.isin(points.times, known)
                points = SeriesPoints(points.times[new], points.values[new])
            if len(points.times):
                found[key] = points
        return found

    def _write(self, kept: list[int], replaced: list[int], series: Mapping[int, SeriesPoints]) -> None:
        """Write a file of points and one of spans, then the list, then remove the files that it no longer names."""
        import numpy as np

        number = max((*kept, *replaced, 0)) + 1
        keys = sorted(series)
        points = {
            "series": np.repeat(np.array(keys, np.int64), [len(series[key].times) for key in keys]),
            "time": np.concatenate([series[key].times for key in keys]),
            "value": np.concatenate([series[key].values for key in keys]),
        }
        columns: dict[str, list[Any]] = {name: [] for name in _SPAN_COLUMNS}
        for key in keys:
            for name, values in _spans(key, series[key]).items():
                columns[name].append(values)
        spans = {name: np.concatenate(values) for name, values in columns.items()}
        try:
            _write_parquet(points, self._file("points", number))
            _write_parquet(spans, self._file("spans", number))
        except OSError as error:
            raise output_error(error, self.folder) from None
        with atomic_output(self.folder / _LIST) as stream:
            stream.write(json.dumps({"version": 1, "parts": [*kept, number]}).encode())
        for old in replaced:
            for kind in ("points", "spans"):
                self._file(kind, old).unlink(missing_ok=True)

    def extents(self, series: Iterable[str]) -> dict[str, Extent]:
        """When series begin and end; those without points are left out."""
        named = {_key(iri): iri for iri in series}
        return {named[key]: extent for key, extent in self._reading(lambda parts: self._extents(parts, named)).items()}

    def points(self, series: str, begin: float = float("-inf"), end: float = float("inf")) -> SeriesPoints:
        """The points of a series in an interval, its ends included."""
        found: SeriesPoints = self._reading(lambda parts: self._read(parts, _key(series), begin, end))
        return found

    def drawn(self, series: str, begin: float, end: float, *, most: int = 2_000) -> DrawnSeries:
        """A series in an interval, as points or, if there are more than `most`, as that many intervals at most."""
        found: DrawnSeries = self._reading(lambda parts: self._drawn(parts, _key(series), begin, end, most))
        return found

    def _reading(self, read: Any) -> Any:
        """Read the files of the list; once more if they were joined meanwhile."""
        import duckdb

        for again in (True, False):
            parts = self._parts()
            try:
                return read(parts)
            except duckdb.Error as error:
                if not again or parts == self._parts():
                    what = f"the points of time series cannot be read ({str(error).splitlines()[0]})"
                    raise StoreDamaged(what, str(self.folder), "import them again") from None
        raise AssertionError

    def _parts(self) -> list[int]:
        try:
            return [int(number) for number in json.loads((self.folder / _LIST).read_text())["parts"]]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreDamaged(
                f"the list of time series cannot be read ({error})", str(self.folder / _LIST), "import them again"
            ) from None

    def _file(self, kind: str, number: int) -> Path:
        return self.folder / f"{kind}-{number:08}.parquet"

    def _points(self, parts: list[int]) -> list[Path]:
        return [self._file("points", number) for number in parts]

    def _spans_of(self, parts: list[int]) -> list[Path]:
        return [self._file("spans", number) for number in parts]

    def _extents(self, parts: list[int], keys: Iterable[int]) -> dict[int, Extent]:
        wanted = list(keys)
        if not parts or not wanted:
            return {}
        with _connection() as connection:
            rows = connection.execute(
                f"SELECT series, min(begin), max(until), sum(number)::BIGINT FROM {_files(self._spans_of(parts))}"
                " WHERE series IN (SELECT unnest($keys)) GROUP BY series",
                {"keys": wanted},
            ).fetchall()
        return {key: Extent(begin, end, number) for key, begin, end, number in rows}

    def _read(self, parts: list[int], key: int, begin: float, end: float) -> SeriesPoints:
        import numpy as np

        if not parts:
            return SeriesPoints.none()
        with _connection() as connection:
            rows = connection.execute(
                f"SELECT time, value FROM {_files(self._points(parts))}"
                " WHERE series = $key AND time BETWEEN $begin AND $until ORDER BY time",
                {"key": key, "begin": begin, "until": end},
            ).fetchnumpy()
        return SeriesPoints(np.asarray(rows["time"], float), np.asarray(rows["value"], float))

    def _drawn(self, parts: list[int], key: int, begin: float, end: float, most: int) -> DrawnSeries:
        import numpy as np

        number, spans, first, last = 0, 0, 0.0, 0.0
        if parts and end > begin:
            with _connection() as connection:
                row = connection.execute(
                    f"SELECT sum(number)::BIGINT, count(*), min(begin), max(until) FROM {_files(self._spans_of(parts))}"
                    " WHERE series = $key AND begin <= $until AND until >= $begin",
                    {"key": key, "begin": begin, "until": end},
                ).fetchone()
            if row is not None and row[0]:
                number, spans, first, last = row
        if number <= most + 2 * SPAN:
            points = self._read(parts, key, begin, end)
            if len(points.times) <= most:
                return drawn_points(points, most)
        low, high = max(begin, first), min(end, last)
        width = (high - low) / most or 1.0
        if spans >= 2 * most:
            source, where = self._spans_of(parts), "begin <= $until AND until >= $begin"
            values = "min(begin) AS time, min(low) AS low, max(high) AS high, sum(total) / sum(number) AS mean"
            counted, moment = "sum(number)", "begin"
        else:
            source, where = self._points(parts), "time BETWEEN $begin AND $until"
            values = "min(time) AS time, min(value) AS low, max(value) AS high, avg(value) AS mean"
            counted, moment = "count(*)", "time"
        with _connection() as connection:
            rows = connection.execute(
                f"SELECT {values}, ({counted})::BIGINT AS number FROM {_files(source)} WHERE series = $key AND {where}"
                f" GROUP BY floor(({moment} - $low) / $width) ORDER BY time",
                {"key": key, "begin": begin, "until": end, "low": low, "width": width},
            ).fetchnumpy()
        times, lows, highs, means = (np.asarray(rows[name], float) for name in ("time", "low", "high", "mean"))
        return DrawnSeries(times, lows, highs, means, int(np.sum(rows["number"])), is_summary=True)


def drawn_points(points: SeriesPoints, most: int) -> DrawnSeries:
    """Points at the resolution of a picture, as `SeriesStore.drawn`."""
    import numpy as np

    times, values = points.times, points.values
    if len(times) <= most:
        return DrawnSeries(times, values, values, values, len(times), is_summary=False)
    places = np.floor((times - times[0]) / ((times[-1] - times[0]) / most))
    starts = np.concatenate([[0], np.flatnonzero(np.diff(places)) + 1])
    sizes = np.diff(np.append(starts, len(times)))
    return DrawnSeries(
        times[starts],
        np.minimum.reduceat(values, starts),
        np.maximum.reduceat(values, starts),
        np.add.reduceat(values, starts) / sizes,
        len(times),
        is_summary=True,
    )


def read_columns(path: Path) -> dict[str, Any]:
    """The columns of a Parquet file: numbers and times (in seconds since 1970) as float64, others as texts.

    Raises:
        DamagedSeries: it is not a Parquet file or is damaged.
    """
    import duckdb
    import numpy as np

    name = str(path).replace("'", "''")
    try:
        with _connection() as connection:
            described = connection.execute(f"SELECT * FROM read_parquet('{name}') LIMIT 0").description or ()
            shown, numbers = [], set()
            for column, type, *_ in described:
                quoted = '"' + column.replace('"', '""') + '"'
                kind = str(type).upper()
                if kind.startswith(("TIMESTAMP", "DATE")):
                    shown.append(f"epoch({quoted}) AS {quoted}")
                    numbers.add(column)
                elif kind.startswith(_NUMERIC):
                    shown.append(f"CAST({quoted} AS DOUBLE) AS {quoted}")
                    numbers.add(column)
                else:
                    shown.append(f"coalesce(CAST({quoted} AS VARCHAR), '') AS {quoted}")
            rows = connection.execute(f"SELECT {', '.join(shown)} FROM read_parquet('{name}')").fetchnumpy()
    except duckdb.Error as error:
        what = f"not a valid Parquet file ({str(error).splitlines()[0]})"
        raise DamagedSeries(what, str(path), "write it anew") from None
    return {
        column: np.ma.filled(np.ma.asarray(values, float), np.nan) if column in numbers else np.asarray(values, object)
        for column, values in rows.items()
    }


_NUMERIC = (
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT",
    "DOUBLE", "DECIMAL", "BOOLEAN",
)  # fmt: skip
"""What the names of numeric types begin with."""

_SPAN_COLUMNS = ("series", "begin", "until", "low", "high", "total", "number")


def _spans(key: int, points: SeriesPoints) -> dict[str, Any]:
    import numpy as np

    starts = np.arange(0, len(points.times), SPAN)
    ends = np.append(starts[1:], len(points.times))
    return {
        "series": np.full(len(starts), key, np.int64),
        "begin": points.times[starts],
        "until": points.times[ends - 1],
        "low": np.minimum.reduceat(points.values, starts),
        "high": np.maximum.reduceat(points.values, starts),
        "total": np.add.reduceat(points.values, starts),
        "number": ends - starts,
    }


def _by_series(rows: Mapping[str, Any]) -> dict[int, SeriesPoints]:
    """Rows sorted by series and time, as points of each series."""
    import numpy as np

    keys, starts = np.unique(np.asarray(rows["series"]), return_index=True)
    times, values = np.asarray(rows["time"], float), np.asarray(rows["value"], float)
    ends = np.append(starts[1:], len(times))
    return {
        int(key): SeriesPoints(times[start:end], values[start:end])
        for key, start, end in zip(keys, starts, ends, strict=True)
    }


def _merged(one: SeriesPoints, other: SeriesPoints) -> SeriesPoints:
    """Points of two series that have no time in common."""
    import numpy as np

    times = np.concatenate([one.times, other.times])
    order = np.argsort(times, kind="stable")
    return SeriesPoints(times[order], np.concatenate([one.values, other.values])[order])


@cache
def _engine() -> DuckDBPyConnection:
    import duckdb

    return duckdb.connect(config={"threads": max(1, min(4, os.cpu_count() or 1))})


@contextmanager
def _connection() -> Iterator[DuckDBPyConnection]:
    """A connection to the one engine of this process, which takes 20 ms to start and holds nothing."""
    import duckdb

    try:
        with _engine().cursor() as connection:
            yield connection
    except (duckdb.FatalException, duckdb.InternalException):  # it answers nothing from then on
        _engine.cache_clear()
        raise


def _files(paths: Iterable[Path]) -> str:
    names = ", ".join("'" + str(path).replace("'", "''") + "'" for path in paths)
    return f"read_parquet([{names}])"


def _write_parquet(columns: Mapping[str, Any], path: Path) -> None:
    import duckdb

    part = path.with_name(f".{path.name}.part")
    try:
        with _connection() as connection:
            connection.register("rows", dict(columns))
            target = str(part).replace("'", "''")
            connection.execute(f"COPY (SELECT * FROM rows) TO '{target}' (FORMAT parquet, COMPRESSION snappy)")
    except duckdb.Error as error:
        part.unlink(missing_ok=True)
        what = f"points of time series cannot be written ({str(error).splitlines()[0]})"
        raise OutputNotWritable(what, str(path), "make room on the disk") from None
    handle = os.open(part, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    os.replace(part, path)


def _key(iri: str) -> int:
    """The number of a series in the files: 63 bits of the SHA-256 of its IRI."""
    return int.from_bytes(hashlib.sha256(iri.encode()).digest()[:8], "big") >> 1
