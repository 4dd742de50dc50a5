"""Read points from an InfluxDB 1.x by its HTTP interface.

All points since the last complete reading are asked for, and those a while before it, because a host may send its
points late. What is known already is left out when points are stored.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from hpc_explorer.errors import AnswerDamaged, EndpointFailed
from hpc_explorer.monitor.live import LiveAddress
from hpc_explorer.monitor.series import ordered
from hpc_explorer.monitor.series_points import NamedSeries
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.protocol.http import HttpClient, Login, Timeouts
from hpc_explorer.stores.protocol.http_messages import HttpAnswer, HttpRequest

LATE = 3600.0
"""A point that arrives up to this many seconds late is found."""

_SHORTLY = 30.0
_OFTEN = 60

_CHUNK = 20_000
_PART = 200_000
"""The most rows of a chunk of the answer, and the number of values after which a part is handed on."""

_LONGEST_LINE = 64 << 20


class InfluxSource:
    """A database, or one measurement of it.

    Args:
        mark: the time up to which it was read completely, in seconds since 1970; None if it never was.
        keep_mark: keeps the mark of a complete reading.
        login: finds the name and password for the server.
    """

    def __init__(
        self, address: LiveAddress, mark: float | None, keep_mark: Callable[[float], None], login: Login
    ) -> None:
        self.address = address
        self._mark, self._keep_mark = mark, keep_mark
        self._newest = mark
        self._looks = 0
        patience = Timeouts(connect=5.0, first_byte=60.0)
        self._client = HttpClient(address.server, credentials=address.told, patience=patience, login=login)

    def read(self, limits: Limits) -> Iterator[tuple[tuple[NamedSeries, ...], tuple[str, ...]]]:
        """See `LiveSource`."""
        since = None
        if self._mark is not None:
            since = self._mark - (LATE if self._looks % _OFTEN == 0 else _SHORTLY)
        self._looks += 1
        request = HttpRequest(
            "POST",
            f"{self.address.server}/query",
            "application/json",
            urlencode(
                {
                    "db": self.address.path[0],
                    "q": self._query(since),
                    "epoch": "ns",
                    "chunked": "true",
                    "chunk_size": _CHUNK,
                }
            ).encode(),
            "application/x-www-form-urlencoded",
        )
        columns = _Columns()
        with self._client.open(request, limits) as answer:
            for line in _lines(answer, self.address.shown):
                self._add(line, columns)
                if columns.values >= _PART:
                    yield self._part(columns)
                    columns = _Columns()
        yield self._part(columns)

    def confirm(self) -> None:
        """See `LiveSource`."""
        if self._newest is not None and self._newest != self._mark:
            # A host whose clock is fast does not hide what others measure until then.
            self._mark = min(self._newest, time.time())
            self._keep_mark(self._mark)

    def serve(self) -> bool:
        """See `LiveSource`; the connection needs nothing."""
        return False

    def close(self) -> None:
        """See `LiveSource`."""
        self._client.close()

    def _query(self, since: float | None) -> str:
        """InfluxQL: identifiers are in double quotes."""
        named = self.address.path[1] if len(self.address.path) > 1 else None
        source = "/.*/" if named is None else '"' + named.replace("\\", "\\\\").replace('"', '\\"') + '"'
        where = "" if since is None else f" WHERE time > {int(since * 1e9)}"
        return f"SELECT * FROM {source}{where} GROUP BY *"

    def _add(self, line: bytes, columns: _Columns) -> None:
        try:
            for result in json.loads(line)["results"]:
                if "error" in result:
                    raise EndpointFailed(
                        f"the server refuses: {result['error']}", self.address.shown, "check the names in the address"
                    )
                for table in result.get("series", ()):
                    columns.add(table)
        except (ValueError, LookupError, TypeError, AttributeError):
            raise AnswerDamaged("not an answer of InfluxDB", self.address.shown, "check the address") from None

    def _part(self, columns: _Columns) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
        series, lost = columns.series(self.address.shown)
        newest = max((float(one.series.times[-1]) for one in series if len(one.series)), default=None)
        if newest is not None and (self._newest is None or newest > self._newest):
            self._newest = newest
        return series, lost


class _Columns:
    """Fields of tables as series; texts and truth values are no measurements."""

    def __init__(self) -> None:
        self.values = 0
        self._points: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[list[float], list[float]]] = {}

    def add(self, table: dict[str, Any]) -> None:
        """Add a table of an answer.

        Raises:
            LookupError, TypeError, AttributeError: it is not one.
        """
        name, rows = table["name"], table["values"]
        tags = tuple(sorted((str(key), str(text)) for key, text in table.get("tags", {}).items() if text))
        for place, column in enumerate(table["columns"]):
            if column == "time":
                continue
            times, values = self._points.setdefault((f"{name}.{column}", tags), ([], []))
            for row in rows:
                value = row[place]
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    times.append(row[0] / 1e9)
                    values.append(value)
            self.values += len(rows)

    def series(self, where: str) -> tuple[tuple[NamedSeries, ...], tuple[str, ...]]:
        """The series, and what was out of order."""
        found, lost = [], []
        for (name, tags), (times, values) in self._points.items():
            if times:
                one = NamedSeries(name, dict(tags), "", ordered(times, values))
                found.append(one)
                lost += [f"{note}: {where}: {one}" for note in one.series.notes]
        return tuple(found), tuple(lost)


def _lines(answer: HttpAnswer, where: str) -> Iterator[bytes]:
    rest = b""
    while piece := answer.read(1 << 16):
        *whole, rest = (rest + piece).split(b"\n")
        yield from (line for line in whole if line.strip())
        if len(rest) > _LONGEST_LINE:
            raise AnswerDamaged("not an answer of InfluxDB", where, "check the address")
    if rest.strip():
        yield rest
