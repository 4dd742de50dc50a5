"""Take the records of a Redis stream, as one consumer of a group. Needs the package `redis` (extra `brokers`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hpc_explorer.errors import EndpointUnreachable
from hpc_explorer.interchange.capture.streams import Entry, Server, StreamAddress, entry_of

_ENTRIES = 200
_ABANDONED = 60_000  # milliseconds after which the entries of a collector that ended are taken over


class Stream:
    """A connection to the stream.

    Raises:
        Unsupported: the package `redis` is missing.
        UsageError: the address is wrong.
        EndpointUnreachable: the server does not answer.
        EndpointFailed: it refuses.
    """

    def __init__(self, address: StreamAddress, consumer: str) -> None:
        self._server = Server(address)
        self._address = address
        self._consumer = consumer
        self._owns_old = False

    def read(self) -> Iterator[list[Entry]]:
        """The entries for this consumer, in parts: unfinished ones, those of ended collectors, and new ones."""
        try:
            with self._server.errors_named():
                yield from self._read()
        except EndpointUnreachable:
            self._owns_old = False
            raise

    def _read(self) -> Iterator[list[Entry]]:
        client, address = self._server.client, self._address
        try:
            client.xgroup_create(address.stream, address.group, id="0", mkstream=True)
        except self._server.redis.ResponseError as error:
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
                yield [entry_of(*entry) for entry in taken if entry[1]]
            if start == b"0-0":
                break
        while entries := self._own(b">"):
            yield entries

    def _own(self, start: bytes) -> list[Entry]:
        address = self._address
        answer: Any = self._server.client.xreadgroup(
            address.group, self._consumer, {address.stream: start}, count=_ENTRIES
        )
        found = answer.items() if isinstance(answer, dict) else answer or ()
        return [entry_of(*entry) for _, entries in found for entry in _flat(entries) if entry[1]]

    def confirm(self, entries: Sequence[Entry]) -> None:
        """Confirm entries whose statements are on disk."""
        identities = [entry.identity for entry in entries]
        try:
            self._server.client.xack(self._address.stream, self._address.group, *identities)
            if self._address.delete:
                self._server.client.xdel(self._address.stream, *identities)
        except self._server.redis.RedisError:
            self._owns_old = False  # they come again, and give the same statements

    def close(self) -> None:
        """Close the connection."""
        self._server.client.close()


def _flat(entries: Any) -> Any:
    """RESP3 nests the entries once more."""
    return entries[0] if entries and isinstance(entries[0], list) else entries
