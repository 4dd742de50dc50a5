"""A real HTTP server that misbehaves, on this machine, one way for each path."""

from __future__ import annotations

import gzip
import select
import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ROWS = b'{"head":{"vars":["n"]},"results":{"bindings":[{"n":{"type":"literal","value":"1"}}]}}'
QUADS = (
    b'{"head":{"vars":["s","p","o"]},"results":{"bindings":[{"s":{"type":"uri","value":"urn:s"},'
    b'"p":{"type":"uri","value":"urn:p"},"o":{"type":"typed-literal","value":"1","datatype":"urn:d"}}]}}'
)
JSON = "application/sparql-results+json"

# How many rows of an endless answer are sent in one piece.
_MANY = 200

# Seconds between two looks whether the other side is still there.
_LOOK = 0.02


class BadServer(socketserver.ThreadingTCPServer):
    """Answers as `behaviours` say, by path; notes the requests.

    Attributes:
        requests: the first lines and headers of all requests, in the order they came.
        abandoned: the paths of those whose other side went away before the end of the answer.
    """

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    # Where more wait to be taken in than are let wait, the system has them try again a second later.
    request_queue_size = 128

    def __init__(self, behaviours: dict[str, Callable[[Exchange], None]], tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.behaviours = behaviours
        self.tls = tls
        self.requests: list[str] = []
        self.abandoned: list[str] = []
        self.stopping = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """The other side went away, as it may."""


class Exchange(socketserver.StreamRequestHandler):
    """One connection: requests and what is answered to them.

    Attributes:
        head: the first line and the headers of the request that is being answered.
        body: its body.
    """

    server: BadServer
    head = ""
    body = b""

    def handle(self) -> None:
        """Answer requests until the other side has enough."""
        if self.server.tls is not None:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
            self.rfile, self.wfile = self.request.makefile("rb"), self.request.makefile("wb", 0)
        while not self.server.stopping.is_set():
            head = self._head()
            if not head:
                return
            self.head = head
            self.server.requests.append(head)
            path = head.split()[1].partition("?")[0]
            try:
                self.server.behaviours[path](self)
            except OSError:
                self.server.abandoned.append(path)
                return

    def _head(self) -> str:
        lines = []
        length = 0
        while (line := self.rfile.readline()) not in (b"", b"\r\n"):
            lines.append(line.decode())
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        self.body = self.rfile.read(length)
        return "".join(lines)

    def header(self, name: str) -> str:
        """The value of a header of the request; empty if it has none."""
        for line in self.head.splitlines()[1:]:
            found, _, value = line.partition(":")
            if found.strip().lower() == name:
                return value.strip()
        return ""

    def wait(self, seconds: float = 60.0) -> None:
        """Do nothing, until the server is stopped or the time is over.

        Raises:
            ConnectionError: the other side went away.
        """
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.server.stopping.wait(min(left, _LOOK)):
            if select.select([self.request], [], [], 0)[0] and not self.request.recv(1, socket.MSG_PEEK):
                raise ConnectionAbortedError

    def send(self, data: bytes) -> None:
        """Send as it is."""
        self.wfile.write(data)

    def answer(self, status: str, body: bytes, media_type: str = JSON, *headers: str) -> None:
        """A whole, proper answer."""
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", f"Content-Type: {media_type}", *headers]
        self.send("\r\n".join([*lines, "", ""]).encode() + body)

    def begin(self, length: int | None = None) -> None:
        """The head of a good answer, of a length that may be a lie; or to the end of the connection."""
        lines = ["HTTP/1.1 200 OK", f"Content-Type: {JSON}"]
        lines.append("Connection: close" if length is None else f"Content-Length: {length}")
        self.send("\r\n".join([*lines, "", ""]).encode())


def _slow_body(exchange: Exchange) -> None:
    exchange.begin(len(ROWS))
    exchange.send(ROWS[:40])
    exchange.wait()


def _dripping(exchange: Exchange) -> None:
    """One byte at a time: each piece comes in time, the whole never."""
    exchange.begin(10_000)
    while not exchange.server.stopping.is_set():
        exchange.send(b" ")
        exchange.wait(0.02)


def _cut(exchange: Exchange) -> None:
    exchange.begin(len(ROWS))
    exchange.send(ROWS[:60])
    exchange.request.shutdown(socket.SHUT_RDWR)


def _cut_without_length(exchange: Exchange) -> None:
    exchange.begin()
    exchange.send(ROWS[:60])
    exchange.request.shutdown(socket.SHUT_RDWR)


def _endless(exchange: Exchange) -> None:
    exchange.begin()
    exchange.send(b'{"head":{"vars":["n"]},"results":{"bindings":[')
    while not exchange.server.stopping.is_set():
        exchange.send(b'{"n":{"type":"literal","value":"1"}},' * _MANY)


def _busy_then(times: int, *headers: str) -> Callable[[Exchange], None]:
    left = [times]

    def behave(exchange: Exchange) -> None:
        if left[0]:
            left[0] -= 1
            exchange.answer("429 Too Many Requests", b"slow down", "text/plain", *headers)
        else:
            exchange.answer("200 OK", ROWS)

    return behave


def guarded(authorization: str, body: bytes = ROWS, media_type: str = JSON) -> Callable[[Exchange], None]:
    """Answers to whom it knows by this value of the Authorization header, and asks all others who they are."""
    scheme = authorization.partition(" ")[0]

    def behave(exchange: Exchange) -> None:
        if exchange.header("authorization") == authorization:
            exchange.answer("200 OK", body, media_type)
        else:
            exchange.answer("401 Unauthorized", b"", "text/plain", f'WWW-Authenticate: {scheme} realm="x"')

    return behave


PAGE = b"<html><head><title>Oops</title><style>p{}</style></head><body><h1>Internal error</h1><p>SR008: out of memory</p></body></html>"


def behaviours() -> dict[str, Callable[[Exchange], None]]:
    """Every way of misbehaving, and `/good`."""
    return {
        "/good": lambda e: e.answer("200 OK", ROWS),
        "/gzip": lambda e: e.answer("200 OK", gzip.compress(ROWS), JSON, "Content-Encoding: gzip"),
        "/bad-gzip": lambda e: e.answer("200 OK", b"no gzip at all", JSON, "Content-Encoding: gzip"),
        "/slow-first-byte": lambda e: e.wait(),
        "/slow-body": _slow_body,
        "/dripping": _dripping,
        "/cut": _cut,
        "/cut-without-length": _cut_without_length,
        "/silent": lambda e: e.request.shutdown(socket.SHUT_RDWR),
        "/busy-once": _busy_then(1),
        "/busy-once-with-time": _busy_then(1, "Retry-After: 1"),
        "/busy-for-a-minute": _busy_then(1_000, "Retry-After: 60"),
        "/busy-for-an-hour": _busy_then(1_000, "Retry-After: 3600"),
        "/busy-always": _busy_then(1_000),
        "/error-page": lambda e: e.answer("500 Internal Server Error", PAGE, "text/html"),
        "/refused": lambda e: e.answer(
            "400 Bad Request", b"Virtuoso 37000 Error SP030: no such function", "text/plain"
        ),
        "/private": lambda e: e.answer("401 Unauthorized", b"", "text/plain", 'WWW-Authenticate: Basic realm="x"'),
        "/round": lambda e: e.answer("302 Found", b"", "text/plain", "Location: /round"),
        "/moved": lambda e: e.answer("307 Temporary Redirect", b"", "text/plain", "Location: /good"),
        "/page": lambda e: e.answer("200 OK", b"<html><body>Welcome</body></html>", "text/html; charset=utf-8"),
        "/nonsense": lambda e: e.answer("200 OK", b"}{", JSON),
        "/limited": lambda e: e.answer("200 OK", QUADS, JSON, "X-SPARQL-MaxRows: 1"),
        "/endless": _endless,
        "/slow": lambda e: (e.wait(0.1), e.answer("200 OK", ROWS))[1],
    }


@contextmanager
def bad_server(tls: ssl.SSLContext | None = None) -> Iterator[BadServer]:
    """Run the server in a thread; all its connections are closed at the end."""
    with BadServer(behaviours(), tls) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, name="bad server")
        thread.start()
        try:
            yield server
        finally:
            server.stopping.set()
            server.shutdown()
            thread.join()
