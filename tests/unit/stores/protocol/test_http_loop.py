"""Waiting for what runs in the thread of an event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from hpc_explorer.errors import ServerError
from hpc_explorer.stores.base import NO_LIMITS
from hpc_explorer.stores.protocol import http_loop
from hpc_explorer.stores.protocol.http_loop import LoopThread

PATIENCE = 60.0


@pytest.fixture
def loop() -> Iterator[LoopThread]:
    loop = LoopThread("http://server.example/")
    yield loop
    loop.close(None)


async def soon(number: int) -> int:
    await asyncio.sleep(0.002)
    return number


async def in_vain() -> None:
    raise TimeoutError("of its own")


def test_what_comes_between_two_looks_is_what_was_waited_for(loop: LoopThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_loop, "LOOK", 0.0)
    for number in range(200):
        until = time.monotonic() + PATIENCE
        assert loop.wait(soon(number), "an answer", PATIENCE, until, NO_LIMITS) == number


def test_a_timeout_of_the_work_itself_is_named(loop: LoopThread) -> None:
    with pytest.raises(ServerError, match="of its own"):
        loop.wait(in_vain(), "an answer", PATIENCE, time.monotonic() + PATIENCE, NO_LIMITS)
