"""Checks addresses, if the user allows it: one short request each, cached for a day.

Nothing is downloaded: HEAD is asked for, and GET without reading where a server does not know HEAD. What goes wrong is
an outcome as any other; only being cancelled is not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from urllib.parse import urldefrag

from hpc_explorer.errors import ServerError
from hpc_explorer.fair.surroundings import Seen
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.protocol.answer_cache import AnswerCache, CachedAnswer, cache_file
from hpc_explorer.stores.protocol.http import HttpClient, Timeouts
from hpc_explorer.stores.protocol.http_messages import HttpRequest
from hpc_explorer.stores.remote.web import is_web_address

KEPT_FOR = 24 * 3600.0
"""The lifetime of a cached outcome in seconds."""

PATIENCE = Timeouts(connect=5.0, first_byte=10.0, between=5.0, whole=20.0)
"""The timeout for one address."""

# The place of these outcomes in the cache; their keys are the addresses.
_PLACE = "fair checks"
_ACCEPT = "text/turtle, application/ld+json;q=0.9, */*;q=0.8"

NOTHING_ANSWERED = 0
"""The status if no server answered."""

# What servers say that do not know HEAD, or treat it otherwise than GET.
_NO_HEAD = (400, 403, 404, 405, 501)


@dataclass
class OnlineChecks:
    """Requests each address once; close it after use, as in a `with`.

    Args:
        cache: where outcomes are kept; None: only here.
        now: the time.
    """

    cache: AnswerCache | None = None
    limits: Limits = NO_LIMITS
    patience: Timeouts = PATIENCE
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _seen: dict[str, Seen] = field(default_factory=dict)

    @classmethod
    def of_user(cls, limits: Limits = NO_LIMITS) -> OnlineChecks:
        """With the user's own cache."""
        file = cache_file()
        return cls(None if file is None else AnswerCache(file), limits)

    @property
    def tally(self) -> tuple[int, int]:
        """The number of addresses requested, and of those that answered."""
        return len(self._seen), sum(one.status != NOTHING_ANSWERED for one in self._seen.values())

    def seen(self, address: str) -> Seen | None:
        """The response at an address; None if it is not an http(s) address.

        Raises:
            Cancelled, DeadlineExceeded: by the limits.
        """
        address = urldefrag(address.strip()).url
        if not is_web_address(address):
            return None
        if address not in self._seen:
            self.limits.check("asking online")
            self._seen[address] = self._kept(address) or self._asked(address)
        return self._seen[address]

    def _kept(self, address: str) -> Seen | None:
        kept = self.cache.find(_PLACE, address) if self.cache is not None else None
        if kept is None or not 0 <= self.now().timestamp() - kept.asked <= KEPT_FOR:
            return None
        with suppress(ValueError, KeyError, TypeError):
            told = json.loads(kept.body)
            when = datetime.fromtimestamp(kept.asked, UTC)
            return Seen(int(told["status"]), kept.address, told["media type"] or None, when)
        return None

    def _asked(self, address: str) -> Seen:
        when = self.now()
        status, final, media_type = self._outcome(address)
        # That nothing answered may be this machine's own fault: it is asked again the next time.
        if self.cache is not None and status != NOTHING_ANSWERED:
            body = json.dumps({"status": status, "media type": media_type}).encode()
            self.cache.keep(_PLACE, address, CachedAnswer(when.timestamp(), final, {}, body))
        return Seen(status, final, media_type or None, when)

    def _outcome(self, address: str) -> tuple[int, str, str]:
        status, final, media_type = NOTHING_ANSWERED, address, ""
        for method in ("HEAD", "GET"):
            client = HttpClient(address, patience=self.patience)
            try:
                with client.open_any(HttpRequest(method, address, _ACCEPT), self.limits) as answer:
                    status, final, media_type = answer.status, answer.address, answer.media_type
            except ServerError:
                # Too slow is an outcome, unless it is the caller whose time is up.
                self.limits.check("asking online")
            finally:
                client.close()
            if status not in _NO_HEAD:
                break
        return status, final, media_type

    def close(self) -> None:
        """Close the cache."""
        if self.cache is not None:
            self.cache.close()

    def __enter__(self) -> OnlineChecks:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
