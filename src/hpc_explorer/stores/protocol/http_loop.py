"""An event loop in a separate thread, while the caller checks the time and the cancel token.

A blocking socket cannot be abandoned, but a task can, so the caller always returns in time.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from hpc_explorer.errors import EndpointTooSlow, EndpointUnreachable, ExplorerError
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.protocol.http_errors import check_limits, explorer_error

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

    import httpx

T = TypeVar("T")

LOOK = 0.02
"""Seconds between two looks at the clock and the cancel token."""

# Seconds for tasks to close their connections at the end; TLS needs a final message.
_LAST_SECONDS = 0.5


class LoopThread:
    """Runs the tasks of one client; the thread starts with the first task.

    Args:
        address: of the server, shown in errors.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._giving_back: set[asyncio.Task[None] | None] = set()

    def wait(self, work: Coroutine[Any, Any, T], what: str, patience: float, until: float, limits: Limits) -> T:
        """Wait for the result of a task for at most `patience` seconds, `until` and the limits.

        Raises:
            EndpointTooSlow: the time is up.
            ServerError: the task fails, with the reason.
            Cancelled: the operation was cancelled.
        """
        began = time.monotonic()
        end = min(began + patience, until)
        if began > until:
            work.close()
            check_limits(limits, self.address)
            raise EndpointTooSlow(f"{what} took too long", self.address, "narrow the question, or allow more time")
        future: Future[T] = self._submit(work)
        try:
            while True:
                try:
                    return future.result(timeout=LOOK)
                except TimeoutError:
                    # It may have finished since; or the task itself raised this error, which is raised again.
                    if future.done():
                        return future.result()
                check_limits(limits, self.address)
                if time.monotonic() > end:
                    raise EndpointTooSlow(
                        f"{what} did not come within {max(end - began, 0):.3g} s",
                        self.address,
                        "narrow the question, or allow more time",
                    )
        except ExplorerError:
            raise
        except Exception as error:  # named below, or raised as it is
            raise explorer_error(error, self.address, what) from error
        finally:
            future.cancel()

    def pause(self, seconds: float, until: float, limits: Limits) -> None:
        """Sleep, checking the limits."""
        import asyncio

        self.wait(asyncio.sleep(seconds), "a better moment", math.inf, until, limits)

    def let(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task that releases a connection, without waiting; ignored after `close`."""
        with self._starting:
            if self._loop is None or self._closed:
                work.close()
                return
            import asyncio

            async def noted() -> None:
                task = asyncio.current_task()
                self._giving_back.add(task)
                try:
                    await work
                finally:
                    self._giving_back.discard(task)

            asyncio.run_coroutine_threadsafe(noted(), self._loop)

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        import asyncio

        with self._starting:
            if self._closed:
                work.close()
                raise EndpointUnreachable("the connection was closed", self.address, "open the endpoint again")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="http requests", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self, client: httpx.AsyncClient | None) -> None:
        """Cancel all tasks, close the client, and stop the thread."""
        with self._starting:
            self._closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        import asyncio

        async def shut() -> None:
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            # A task cancelled while it releases a connection would leave the socket open.
            for task in others:
                if task not in self._giving_back and not task.cancelling():
                    task.cancel()
            if others:
                _, slow = await asyncio.wait(others, timeout=_LAST_SECONDS)
                for task in slow:
                    task.cancel()
                await asyncio.gather(*others, return_exceptions=True)
            if client is not None:
                await client.aclose()
            # Let the transports finish closing.
            await asyncio.sleep(0)
            await loop.shutdown_asyncgens()
            loop.stop()

        async def finish() -> None:
            # A partly read answer is closed in its own task, possibly after its reader was cancelled.
            await asyncio.sleep(0)
            while late := asyncio.all_tasks() - {asyncio.current_task()}:
                await asyncio.wait(late)

        loop.call_soon_threadsafe(lambda: loop.create_task(shut()))
        thread.join()
        loop.run_until_complete(finish())
        loop.close()
