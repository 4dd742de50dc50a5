"""Read the records of a Redis stream, as one consumer of a group. Needs the package `redis` (extra `brokers`)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from hpc_explorer.capture.spool import Record, parse_frames
from hpc_explorer.errors import EndpointFailed, EndpointUnreachable, Unsupported, UsageError

_ENTRIES = 200
_ABANDONED = 60_000  # milliseconds after which the entries of a collector that ended are taken over


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
    stream: str = "hpc-explorer"
    group: str = "hpc-explorer"
    delete: bool = False

    @cached_property
    def shown(self) -> str:
        """The address without a password."""
        parts = urlsplit(self.server)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path} {self.stream}"

    @cached_property
    def digest(self) -> str:
        """A short name of this stream and group."""
        return hashlib.sha256(f"{self.shown} {self.group}".encode()).hexdigest()[:12]


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


class Stream:
    """A connection to the stream.

    Raises:
        Unsupported: the package `redis` is missing.
        UsageError: the address is wrong.
        EndpointUnreachable: the server does not answer.
        EndpointFailed: it refuses.
    """

    def __init__(self, address: StreamAddress, consumer: str) -> None:
        try:
            import redis
        except ImportError:
            raise Unsupported(
                "a stream needs the package redis", address.shown, "pip install 'hpc-explorer[brokers]'"
            ) from None
        self._redis = redis
        self._address = address
        self._consumer = consumer
        try:
            self._client = redis.Redis.from_url(address.server, socket_connect_timeout=5, socket_timeout=30)
        except ValueError as error:
            raise UsageError(
                f"not the address of a Redis server ({error})", address.shown, "redis://HOST:6379/0"
            ) from None
        self._owns_old = False

    def read(self) -> Iterator[list[Entry]]:
        """The entries for this consumer, in parts: unfinished ones, those of ended collectors, and new ones."""
        client, address = self._client, self._address
        try:
            try:
                client.xgroup_create(address.stream, address.group, id="0", mkstream=True)
            except self._redis.ResponseError as error:
                if "BUSYGROUP" not in str(error):
                    raise
            if not self._owns_old:
                start = b"0"
                while entries := self._own(start):
                    start = entries[-1].identity
                    yield entries
                self._owns_old = True
            start = b"0-0"
            while True:
                answer: Any = client.xautoclaim(
                    address.stream, address.group, self._consumer, _ABANDONED, start, count=_ENTRIES
                )
                start, taken = answer[:2]
                if taken:
                    yield [_entry(*entry) for entry in taken if entry[1]]
                if start == b"0-0":
                    break
            while entries := self._own(b">"):
                yield entries
        except (self._redis.ConnectionError, self._redis.TimeoutError) as error:
            self._owns_old = False
            raise EndpointUnreachable(
                f"the server does not answer ({error})", address.shown, "start it, or collect the spool"
            ) from None
        except self._redis.RedisError as error:
            raise EndpointFailed(f"the server refuses ({error})", address.shown, "check the stream's name") from None

    def _own(self, start: bytes) -> list[Entry]:
        address = self._address
        answer: Any = self._client.xreadgroup(address.group, self._consumer, {address.stream: start}, count=_ENTRIES)
        found = answer.items() if isinstance(answer, dict) else answer or ()
        return [_entry(*entry) for _, entries in found for entry in _flat(entries) if entry[1]]

    def confirm(self, entries: Sequence[Entry]) -> None:
        """Confirm entries whose statements are on disk."""
        identities = [entry.identity for entry in entries]
        try:
            self._client.xack(self._address.stream, self._address.group, *identities)
            if self._address.delete:
                self._client.xdel(self._address.stream, *identities)
        except self._redis.RedisError:
            self._owns_old = False  # they come again, and give the same statements

    def close(self) -> None:
        """Close the connection."""
        self._client.close()


def _flat(entries: Any) -> Any:
    """RESP3 nests the entries once more."""
    return entries[0] if entries and isinstance(entries[0], list) else entries


def _entry(identity: bytes, fields: dict[bytes, bytes]) -> Entry:
    frames = fields.get(b"frames", b"")
    process = fields.get(b"process", b"?").decode("utf-8", "replace")
    part = parse_frames(process, 0, frames.splitlines(keepends=True))
    problems = [] if not part.damages else [f"{len(part.damages)} damaged records in entry {identity.decode()}"]
    if not frames:
        problems = [f"entry {identity.decode()} is not one of capture's"]
    return Entry(identity, part.records, problems)
