"""A relay before a real server that counts the requests of a client and the bytes that the server sends back."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
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


@contextmanager
def counting_relay(target: str) -> Iterator[Traffic]:
    """Pass on what a client sends to `target`, the address of a server, and what comes back, as it comes.

    A connection that the client closes is closed at the server too.
    """
    place = urlsplit(target)
    traffic = Traffic()

    class Relay(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            assert isinstance(self.request, socket.socket)
            with socket.create_connection((place.hostname or "", place.port or 80)) as there:
                ways = (there, self.request, self._received)
                back = threading.Thread(target=_pass_on, args=ways, name="relay back", daemon=True)
                back.start()
                self._end = b""
                _pass_on(self.request, there, self._sent)
                back.join()

        def _sent(self, piece: bytes) -> None:
            # The words may be in two pieces, and are not counted twice.
            traffic.requests += (self._end + piece).count(_REQUEST)
            self._end = b"" if piece.endswith(_REQUEST) else (self._end + piece)[1 - len(_REQUEST) :]

        def _received(self, piece: bytes) -> None:
            traffic.received += len(piece)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Relay) as server:
        server.daemon_threads, server.block_on_close = True, False
        traffic.address = f"http://127.0.0.1:{server.server_address[1]}{place.path}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, name="counting relay")
        thread.start()
        try:
            yield traffic
        finally:
            server.shutdown()
            thread.join()


def _pass_on(here: socket.socket, there: socket.socket, told: Callable[[bytes], None]) -> None:
    """Send what comes from one side to the other until one of them is closed; then neither takes more."""
    with suppress(OSError):
        while piece := here.recv(_PIECE):
            told(piece)
            there.sendall(piece)
    for side in (here, there):
        with suppress(OSError):
            side.shutdown(socket.SHUT_RDWR)
