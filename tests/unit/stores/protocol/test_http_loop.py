"""Waiting for what runs in the thread of an event loop."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import AsyncIterator, Iterator

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


def test_an_answer_that_is_dropped_half_read_is_finalised_before_the_loop_closes(loop: LoopThread) -> None:
    """Asyncio finalises each generator in a task of its own; if one never ran, asyncio would log "Task was destroyed"."""
    finalised = threading.Event()

    async def raw() -> AsyncIterator[bytes]:
        try:
            while True:
                yield b"a piece"
        finally:
            finalised.set()

    async def unpacked() -> AsyncIterator[bytes]:
        async for piece in raw():
            yield piece

    async def first_of(pieces: AsyncIterator[bytes]) -> bytes:
        return await anext(pieces)

    answer = unpacked()
    loop.wait(first_of(answer), "an answer", PATIENCE, time.monotonic() + PATIENCE, NO_LIMITS)
    del answer
    loop.close(None)
    gc.collect()
    assert finalised.is_set()
