"""Servers of measurements: their addresses, and what is read from one.

`influx://HOST[:8086]/DATABASE[/MEASUREMENT]` is an InfluxDB 1.x, which is asked for what is new.
`amqp://HOST[:5672]/[VIRTUAL-HOST/]QUEUE[?exchange=NAME&key=PATTERN]` is a queue of an AMQP 0-9-1 broker such as
RabbitMQ. `influxs` and `amqps` are the same over TLS.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from hpc_explorer.errors import UsageError
from hpc_explorer.monitor.series_graph import SeriesOrigin
from hpc_explorer.monitor.series_points import NamedSeries
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.protocol.http import Login

_PORTS = {"influx": 8086, "influxs": 8086, "amqp": 5672, "amqps": 5671}
_FORMS = {
    "influx": "influx://HOST:8086/DATABASE, with /MEASUREMENT for one of its measurements",
    "amqp": "amqp://HOST:5672/[VIRTUAL-HOST/]QUEUE, with ?exchange=NAME&key=PATTERN to bind the queue",
}


@dataclass(frozen=True)
class LiveAddress:
    """The address of a server and what is read there.

    Args:
        kind: `influx` or `amqp`.
        path: database and measurement, or virtual host and queue; the latter may be missing of an InfluxDB.
        options: `exchange` and `key` of a queue.
        told: the name and password of the address; never shown.
    """

    kind: str
    is_encrypted: bool
    host: str
    port: int
    path: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    told: Credentials | None = field(default=None, repr=False, compare=False)

    @cached_property
    def server(self) -> str:
        """The server alone, as logins are kept for it: InfluxDB's is an http(s) address."""
        scheme = {"influx": "http", "amqp": "amqp"}[self.kind] + ("s" if self.is_encrypted else "")
        return f"{scheme}://{self._place}"

    @cached_property
    def shown(self) -> str:
        """The address without name and password; `live_address` reads it."""
        steps = "/".join(quote(step, safe="") for step in self.path)
        query = f"?{urlencode(self.options)}" if self.options else ""
        return f"{self.kind}{'s' if self.is_encrypted else ''}://{self._place}/{steps}{query}"

    @property
    def origin(self) -> SeriesOrigin:
        """Where its series come from."""
        return SeriesOrigin(self.shown, self.shown)

    def credentials(self, login: Login) -> Credentials | None:
        """Those of the address, or those that are kept for the server."""
        return self.told or login(self.server)

    @property
    def _place(self) -> str:
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def is_live_address(name: str) -> bool:
    """Whether a name is the address of a server of measurements."""
    return name.partition(":")[0].lower() in _PORTS and ":" in name


def live_address(name: str) -> LiveAddress:
    """Read an address.

    Raises:
        UsageError: it has no host, names nothing to read, or has parts that are not known.
    """
    scheme = name.partition(":")[0].lower()
    kind = scheme.removesuffix("s")
    shown = f"{scheme}://{name.partition(':')[2].lstrip('/').rpartition('@')[2]}"
    wrong = UsageError("not the address of a server of measurements", shown, f"write {_FORMS[kind]}")
    try:
        parts = urlsplit(name)
        host, port = parts.hostname, parts.port
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise wrong from None
    steps = tuple(unquote(step) for step in parts.path.strip("/").split("/") if step)
    known = {"exchange", "key"} if kind == "amqp" else set()
    if not host or port == 0 or len(steps) not in (1, 2) or any(key not in known for key, _ in options):
        raise wrong
    if kind == "amqp" and len(steps) == 1:
        steps = ("/", *steps)
    told = Credentials(unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return LiveAddress(kind, scheme.endswith("s"), host, port or _PORTS[scheme], steps, tuple(sorted(options)), told)


class LiveSource(Protocol):
    """A connection to a server of measurements. It connects when it is first used, and again after a failure."""

    def read(self, limits: Limits) -> Iterator[tuple[tuple[NamedSeries, ...], tuple[str, ...]]]:
        """What is new, in parts: series, and what could not be read. Take the next part when one is on the disk.

        Raises:
            ServerError: the server does not answer, or refuses.
        """

    def confirm(self) -> None:
        """All parts are on the disk.

        Raises:
            ServerError: the server does not answer.
        """

    def serve(self) -> bool:
        """Keep the connection alive. Returns whether so much has come that it should be read now."""

    def close(self) -> None:
        """Close the connection."""
