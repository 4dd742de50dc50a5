"""A relay before a real server that counts the requests of a client and the bytes that the server sends back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

_REQUEST = b" HTTP/1.1\r\n"
_PIECE = 2**16


@dataclass
class Traffic:
    """What went through a relay.

    Attributes:
        address: the address to use in place of the server's.
        requests: how many requests the client has sent.
        received: how many bytes of responses the client has been sent, headers included.
    """

    address: str = ""
    requests: int = 0
    received: int = 0

    def since(self, requests: int, received: int) -> tuple[int, int]:
        """The requests and the bytes since an earlier moment."""
        return self.requests - requests, self.received - received


@contextmanager
def counting_relay(target: str) -> Iterator[Traffic]:
    """Pass on what a client sends to `target`, the address of a server, and what comes back, as it comes.

    A connection that the client closes is closed at the server too.
    """
    place = urlsplit(target)
    traffic = Traffic()

    async def requests(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held = b""
        while piece := await reader.read(_PIECE):
            held += piece
            traffic.requests += held.count(_REQUEST)
            held = held[held.rfind(_REQUEST) + len(_REQUEST) if _REQUEST in held else 0 :][-len(_REQUEST) :]
            writer.write(piece)
            await writer.drain()

    async def responses(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            traffic.received += len(piece)
            writer.write(piece)
            await writer.drain()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(place.hostname, place.port)
        ways = [asyncio.ensure_future(requests(reader, back)), asyncio.ensure_future(responses(there, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            for ended in await asyncio.gather(*ways, return_exceptions=True):
                if isinstance(ended, Exception) and not isinstance(ended, ConnectionError):
                    raise ended
            for end in (writer, back):
                end.close()
                with suppress(ConnectionError):
                    await end.wait_closed()

    loop = asyncio.new_event_loop()
    started = threading.Event()
    stopping = asyncio.Event()

    async def serve() -> None:
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        traffic.address = f"http://127.0.0.1:{port}{place.path}"
        started.set()
        await stopping.wait()
        server.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), name="counting relay")
    thread.start()
    started.wait()
    try:
        yield traffic
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join()
        loop.close()
