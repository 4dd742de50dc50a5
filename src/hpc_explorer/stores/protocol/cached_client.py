"""An HTTP client for an endpoint that caches responses and reports their age.

- Responses are reused for `LIFETIME`; older ones only while the server is unreachable.
- Only complete and valid responses are cached, never errors.
- Responses to authenticated users or marked `no-store` (RFC 9111, section 5.2.2.5) are cached in memory, for this
  client only.
- An update clears the cache of the endpoint.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from hpc_explorer.errors import EndpointUnreachable, ExplorerError
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.protocol.answer_cache import AnswerCache, CachedAnswer
from hpc_explorer.stores.protocol.http_messages import HttpAnswer, HttpRequest

if TYPE_CHECKING:
    from hpc_explorer.stores.protocol.http import HttpClient

LIFETIME = timedelta(hours=1)
"""The time for which an answer is reused without a request."""

LARGEST_ANSWER = 32 * 1024 * 1024
"""The maximum unpacked size in bytes of a kept answer, which is held in memory while it is received."""

# Maximum size of the private cache in memory, compressed.
_LARGEST_OWN = 64 * 1024 * 1024

# The headers used by readers: format, server, and row limit.
_KEPT_HEADERS = ("content-type", "server", "x-sparql-maxrows")

# Seconds between attempts while a server is unreachable.
_OFFLINE = 30.0

# Only white space may follow the parsed content.
_LONGEST_END = 64 * 1024


class CachedClient:
    """A client of one endpoint with a cache.

    Args:
        client: sends the requests.
        cache: the persistent cache; None disables caching.
        refresh: whether to ignore responses cached before now.
    """

    def __init__(self, client: HttpClient, cache: AnswerCache | None, *, refresh: bool = False) -> None:
        self._client = client
        self._lasting = cache
        self._own = AnswerCache(None, largest=_LARGEST_OWN, clock=cache.clock) if cache is not None else None
        self._began = cache.clock() if cache is not None else 0.0
        self._not_before = self._began if refresh else 0.0
        self._oldest: float | None = None
        self._unreachable_until = 0.0
        self._always_asks = False

    def lift_deadline(self) -> None:
        """Let later calls end by their own limits only."""
        self._client.patience = replace(self._client.patience, until=None)

    def open(self, request: HttpRequest, limits: Limits = NO_LIMITS, *, question: str = "") -> HttpAnswer:
        """The response, as from `HttpClient.open`, or a cached one for the same question.

        Args:
            question: everything the response depends on besides endpoint and data; empty: never cached.
        """
        if self._lasting is None:
            return self._client.open(request, limits)
        if not request.safe:
            try:
                return self._client.open(request, limits)
            finally:
                self._forget()
        if not question or self._always_asks:
            return self._client.open(request, limits)
        now = self._lasting.clock()
        kept = self._find(question)
        if kept is not None and self._is_fresh(kept, now):
            return self._given(kept)
        if kept is not None and now < self._unreachable_until:
            return self._given(kept)
        try:
            answer = self._client.open(request, limits)
        except EndpointUnreachable:
            self._unreachable_until = self._lasting.clock() + _OFFLINE
            if kept is None:
                raise
            return self._given(kept)
        self._unreachable_until = 0.0
        return self._noted(answer, question, now)

    @property
    def age(self) -> timedelta | None:
        """The age of the oldest reused response; None if none was reused."""
        if self._oldest is None or self._lasting is None:
            return None
        return timedelta(seconds=max(self._lasting.clock() - self._oldest, 0.0))

    @property
    def is_offline(self) -> bool:
        """Whether the server was unreachable just now, so that only cached responses are used."""
        return self._unreachable_until > 0.0

    def always_ask(self) -> None:
        """Stop using and filling the cache."""
        self._always_asks = True

    def refresh(self) -> None:
        """Ignore responses cached before now."""
        if self._lasting is not None:
            self._began = self._not_before = self._lasting.clock()
            self._oldest = None
            self._unreachable_until = 0.0

    def close(self) -> None:
        """Close the connections and the cache."""
        self._client.close()
        for cache in (self._lasting, self._own):
            if cache is not None:
                cache.close()

    def _is_fresh(self, kept: CachedAnswer, now: float) -> bool:
        # A response from the future was cached before the clock was set back.
        return self._not_before <= kept.asked <= now <= kept.asked + LIFETIME.total_seconds()

    def _find(self, question: str) -> CachedAnswer | None:
        found = self._own.find(self._client.address, question) if self._own is not None else None
        if found is None and self._lasting is not None and not self._client.has_credentials:
            found = self._lasting.find(self._client.address, question)
        return found

    def _forget(self) -> None:
        for cache in (self._lasting, self._own):
            if cache is not None:
                cache.forget(self._client.address)

    def _given(self, kept: CachedAnswer) -> HttpAnswer:
        if kept.asked < self._began:
            self._oldest = min(self._oldest or kept.asked, kept.asked)
        pieces = iter((kept.body,))
        return HttpAnswer(kept.address, 200, kept.headers, lambda: next(pieces, b""), lambda: None)

    def _noted(self, answer: HttpAnswer, question: str, asked: float) -> HttpAnswer:
        """A response that is cached once its reader has validated all of it."""
        if not shows_truncation(answer) or answer.status != 200:
            return answer
        pieces: list[bytes] = []
        size = 0

        def next_piece() -> bytes:
            nonlocal size
            piece = answer.read(1 << 18)
            size += len(piece)
            if size <= LARGEST_ANSWER:
                pieces.append(piece)
            else:
                pieces.clear()
            return piece

        def keep() -> None:
            try:
                end = answer.read(_LONGEST_END)
                if len(end) == _LONGEST_END or answer.read(1) or size + len(end) > LARGEST_ANSWER:
                    return
            except ExplorerError:
                return
            private = self._client.has_credentials or "no-store" in answer.headers.get("cache-control", "").lower()
            cache = self._own if private else self._lasting
            if cache is not None:
                body = b"".join([*pieces, end])
                headers = {name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers}
                cache.keep(self._client.address, question, CachedAnswer(asked, answer.address, headers, body))

        return HttpAnswer(answer.address, answer.status, answer.headers, next_piece, answer.close, keep)


def shows_truncation(answer: HttpAnswer) -> bool:
    """Whether a truncated response can be detected (RFC 9112, section 6.3)."""
    return "content-length" in answer.headers or "chunked" in answer.headers.get("transfer-encoding", "").lower()
