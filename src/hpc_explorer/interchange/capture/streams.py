"""Redis streams that `hpc_explorer.capture` records into: their addresses, and reading one without taking from it.

Reading needs the package `redis` (extra `brokers`). It leaves the entries to the collectors (`app/capture/stream.py`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from hpc_explorer.capture.spool import Record, parse_frames
from hpc_explorer.errors import EndpointFailed, EndpointUnreachable, SourceNotFound, Unsupported, UsageError
from hpc_explorer.interchange.capture.reading import spool_quads
from hpc_explorer.interchange.capture.statements import ProvMlStatements
from hpc_explorer.interchange.statements import Findings
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.wording import counted

STREAM = "hpc-explorer"
"""The name of the stream, unless another is given."""

_SCHEMES = ("redis://", "rediss://")
_ENTRIES = 200
_BITS = 64  # of the second part of an entry's id


@dataclass(frozen=True)
class StreamAddress:
    """A stream of a broker.

    Args:
        server: such as `redis://host:6379/0`.
        stream: the name of the stream.
        group: the consumer group; each group gets all records, and its collectors share them.
        delete: whether collected entries are deleted from the stream.
    """

    server: str
    stream: str = STREAM
    group: str = "hpc-explorer"
    delete: bool = False

    @cached_property
    def iri(self) -> str:
        """The address of the stream without a password: its IRI, and what messages name. `stream_address` reads it."""
        parts = urlsplit(self.server)
        database = parts.path.strip("/")
        # A stream whose name is a number needs the database before it.
        before = f"/{database}" if database not in ("", "0") or self.stream.isdecimal() else ""
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{before}/{quote(self.stream, safe='')}"

    @cached_property
    def digest(self) -> str:
        """A short name of this stream and group. Workspaces keep it, so it must not change."""
        parts = urlsplit(self.server)
        named = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path} {self.stream} {self.group}"
        return hashlib.sha256(named.encode()).hexdigest()[:12]


def is_stream_address(name: str) -> bool:
    """Whether the name of a source is the address of a stream."""
    return name.lower().startswith(_SCHEMES)


def stream_address(name: str) -> StreamAddress:
    """The stream at `redis://HOST:PORT[/DATABASE][/STREAM]`.

    Raises:
        UsageError: the address has further parts, or no valid host and port.
    """
    try:
        parts = urlsplit(name)
        known = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known:
        raise UsageError("not the address of a stream", name.rpartition("@")[2], "redis://HOST:6379/STREAM")
    steps = [unquote(step) for step in parts.path.split("/") if step]
    database = steps.pop(0) if steps and steps[0].isdecimal() else "0"
    if len(steps) > 1:
        raise UsageError(
            "not the address of a stream", f"redis://{parts.netloc.rpartition('@')[2]}{parts.path}", "write / as %2F"
        )
    server = urlunsplit((parts.scheme.lower(), parts.netloc, f"/{database}", parts.query, ""))
    return StreamAddress(server, steps[0] if steps else STREAM)


@dataclass(frozen=True)
class Entry:
    """An entry of the stream.

    Args:
        identity: its id in the stream.
        records: its records.
        problems: what could not be read in it.
    """

    identity: bytes
    records: list[Record]
    problems: list[str] = field(default_factory=list)

    @property
    def number(self) -> int:
        """Its id as a number; later entries have greater ones."""
        return number_of(self.identity)


def number_of(identity: bytes) -> int:
    """The id of an entry as one number."""
    first, _, second = identity.partition(b"-")
    return int(first) << _BITS | int(second or 0)


def entry_of(identity: bytes, fields: dict[bytes, bytes]) -> Entry:
    """An entry as Redis gives it."""
    frames = fields.get(b"frames", b"")
    process = fields.get(b"process", b"?").decode("utf-8", "replace")
    part = parse_frames(process, 0, frames.splitlines(keepends=True))
    problems = [] if not part.damages else [f"{len(part.damages)} damaged records in entry {identity.decode()}"]
    if not frames:
        problems = [f"entry {identity.decode()} is not one of capture's"]
    return Entry(identity, part.records, problems)


class Server:
    """A connection to the server of a stream. It connects at the first request, and again after a failure.

    Attributes:
        client: the client of the package `redis`.

    Raises:
        Unsupported: the package `redis` is missing.
        UsageError: the address is wrong.
    """

    def __init__(self, address: StreamAddress) -> None:
        try:
            import redis
        except ImportError:
            raise Unsupported(
                "a stream needs the package redis", address.iri, "pip install 'hpc-explorer[brokers]'"
            ) from None
        self.redis = redis
        self.address = address
        try:
            self.client: Any = redis.Redis.from_url(address.server, socket_connect_timeout=5, socket_timeout=30)
        except ValueError as error:
            raise UsageError(
                f"not the address of a Redis server ({error})", address.iri, "redis://HOST:6379/0"
            ) from None

    @contextmanager
    def errors_named(self) -> Iterator[None]:
        """Turn errors of the client into named ones.

        Raises:
            EndpointUnreachable: the server does not answer.
            EndpointFailed: it refuses.
        """
        try:
            yield
        except (self.redis.ConnectionError, self.redis.TimeoutError) as error:
            raise EndpointUnreachable(
                f"the server does not answer ({error})", self.address.iri, "start it, or use the spool"
            ) from None
        except self.redis.RedisError as error:
            raise EndpointFailed(f"the server refuses ({error})", self.address.iri, "check the stream's name") from None


class StreamLog:
    """Reads a stream from its beginning, or from an entry on.

    Raises:
        Unsupported, UsageError: as `Server`.
    """

    def __init__(self, address: StreamAddress) -> None:
        self._server = Server(address)
        self._stream = address.stream

    def last(self) -> int:
        """The number of the last entry; 0 if there is none.

        Raises:
            EndpointUnreachable, EndpointFailed: by the server.
        """
        with self._server.errors_named():
            found = self._server.client.xrevrange(self._stream, count=1)
        return number_of(found[0][0]) if found else 0

    def after(self, number: int) -> Iterator[list[Entry]]:
        """The entries after the one with this number, in parts.

        Raises:
            EndpointUnreachable, EndpointFailed: by the server.
        """
        while True:
            start = f"({number >> _BITS}-{number & ((1 << _BITS) - 1)}"
            with self._server.errors_named():
                found = self._server.client.xrange(self._stream, min=start, count=_ENTRIES)
            if not found:
                return
            entries = [entry_of(*entry) for entry in found]
            number = entries[-1].number
            yield entries

    def close(self) -> None:
        """Close the connection."""
        self._server.client.close()


def read_stream(address: StreamAddress, findings: Findings) -> Iterator[Quad]:
    """The statements of a stream; `findings.ends` has the number of the last entry that was read.

    Raises:
        SourceNotFound: the stream has no entry.
        EndpointUnreachable, EndpointFailed, Unsupported: by the server, or the package `redis` is missing.
    """
    statements = ProvMlStatements()
    unknown: Counter[str] = Counter()
    log = StreamLog(address)
    try:
        if not log.last():
            raise SourceNotFound("no records in this stream", address.iri, "check its name, or record into it first")
        for entries in log.after(0):
            for entry in entries:
                yield from spool_quads(statements, entry.records, unknown)
                for problem in entry.problems:
                    findings.lost(problem, address.iri)
                findings.ends[address.stream] = entry.number
    finally:
        log.close()
    for what, number in unknown.items():
        findings.lost(f"{counted(number, 'record')} not understood ({what})", address.iri)
    for why, number in statements.lost.items():
        findings.lost(f"{counted(number, 'record')} not written by the recorder", why)
