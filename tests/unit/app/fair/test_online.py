"""Asking addresses: every outcome is one, and it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from hpc_explorer.app.fair.online import KEPT_FOR, OnlineChecks
from hpc_explorer.errors import Cancelled
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.protocol.answer_cache import AnswerCache
from hpc_explorer.stores.protocol.http import Timeouts
from tests.helpers.bad_server import BadServer, Exchange, bad_server

QUICK = Timeouts(connect=2.0, first_byte=0.3, between=0.3, whole=1.0)
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[BadServer]:
    def no_head(exchange: Exchange) -> None:
        if exchange.head.startswith("HEAD"):
            exchange.answer("405 Method Not Allowed", b"")
        else:
            exchange.answer("200 OK", b"a", "text/csv; charset=utf-8")

    def gone(exchange: Exchange) -> None:
        exchange.answer("410 Gone", b"", "text/plain")

    def there(exchange: Exchange) -> None:
        exchange.answer("200 OK", b"", "text/turtle")

    def moved(exchange: Exchange) -> None:
        exchange.answer("302 Found", b"", "text/plain", "Location: /there")

    with bad_server() as one:
        one.behaviours |= {"/no-head": no_head, "/gone": gone, "/there": there, "/moved-there": moved}
        yield one


def address(server: BadServer, path: str) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


@pytest.mark.parametrize(
    ("path", "status", "media_type", "final"),
    [
        ("/there", 200, "text/turtle", "/there"),
        ("/moved-there", 200, "text/turtle", "/there"),
        ("/gone", 410, "text/plain", "/gone"),
        ("/no-head", 200, "text/csv", "/no-head"),
        ("/round", 0, None, "/round"),
        ("/slow-first-byte", 0, None, "/slow-first-byte"),
        ("/silent", 0, None, "/silent"),
    ],
)
def test_what_answers(server: BadServer, path: str, status: int, media_type: str | None, final: str) -> None:
    # Only where the clock is what ends it, it is a short one: a busy machine may be slow to hear of any other answer.
    with OnlineChecks(patience=QUICK if "slow" in path else Timeouts(), now=lambda: NOON) as checks:
        seen = checks.seen(address(server, path))
    assert seen is not None
    assert (seen.status, seen.media_type, seen.when) == (status, media_type, NOON)
    assert seen.final_url == address(server, final)


def test_nobody_there_and_no_web_address() -> None:
    with OnlineChecks() as checks:
        seen = checks.seen("http://127.0.0.1:9/")
        assert seen is not None
        assert seen.status == 0
        assert checks.seen("http://[bad/") is not None
        assert checks.seen("urn:uuid:1") is None
        assert checks.seen("data.csv") is None


def test_an_outcome_is_kept_for_a_day_but_silence_is_not(server: BadServer) -> None:
    cache = AnswerCache(None)
    there, silent = address(server, "/there"), address(server, "/silent")
    first = OnlineChecks(cache, now=lambda: NOON)
    first.seen(f"{there}#a")
    first.seen(f"{there}#b")
    first.seen(silent)
    asked = len(server.requests)
    later = OnlineChecks(cache, now=lambda: NOON + timedelta(seconds=KEPT_FOR - 1))
    kept = later.seen(there)
    assert kept is not None
    assert (kept.status, kept.media_type, kept.when) == (200, "text/turtle", NOON)
    assert len(server.requests) == asked
    later.seen(silent)
    assert len(server.requests) > asked
    asked = len(server.requests)
    OnlineChecks(cache, now=lambda: NOON + timedelta(seconds=KEPT_FOR + 1)).seen(there)
    assert len(server.requests) == asked + 1
    cache.close()


def test_cancelled(server: BadServer) -> None:
    token = CancelToken()
    token.cancel()
    with OnlineChecks(limits=Limits(cancel=token)) as checks, pytest.raises(Cancelled):
        checks.seen(address(server, "/there"))
