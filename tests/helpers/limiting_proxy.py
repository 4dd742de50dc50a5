"""A server before a real endpoint that cuts off answers after so many rows, as public endpoints do."""

from __future__ import annotations

import itertools
import json
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

_ROWS = "application/sparql-results+json"


@contextmanager
def limiting_proxy(
    target: str,
    most_rows: int,
    *,
    told: bool = True,
    at_query: Callable[[int], None] = lambda number: None,
    is_held: Callable[[int], bool] = lambda number: False,
    at_hangup: Callable[[int], None] = lambda number: None,
) -> Iterator[str]:
    """Forward queries to `target`; gives the address to send them to.

    Args:
        most_rows: the rows an answer may have.
        told: whether it says so in the header `X-SPARQL-MaxRows`, as Virtuoso does.
        at_query: called with the number of each query, from 1, before it is forwarded.
        is_held: whether a query waits before it is forwarded, as at a slow server.
        at_hangup: called with the number of a query that nobody waits for any more while it is held; it is not forwarded.
    """
    opener = build_opener(ProxyHandler({}))
    numbers = itertools.count(1)  # each connection has a thread of its own

    class Forwarder(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *words: object) -> None:
            """Nobody reads it."""

        def do_GET(self) -> None:
            self._forward(None)

        def do_POST(self) -> None:
            self._forward(self.rfile.read(int(self.headers["Content-Length"])))

        def _forward(self, body: bytes | None) -> None:
            mine = next(numbers)
            at_query(mine)
            while is_held(mine):
                if has_hung_up(self.connection):
                    self.close_connection = True
                    at_hangup(mine)
                    return
            wanted = {name: self.headers[name] for name in ("Accept", "Content-Type") if name in self.headers}
            query = self.path.partition("?")[2]
            try:
                with opener.open(Request(f"{target}?{query}" if query else target, body, wanted)) as answer:
                    status, media_type, data = answer.status, answer.headers["Content-Type"], answer.read()
            except HTTPError as error:
                status, media_type, data = error.code, error.headers["Content-Type"], error.read()
            if media_type.startswith(_ROWS):
                content = json.loads(data)
                if "results" in content:
                    content["results"]["bindings"] = content["results"]["bindings"][:most_rows]
                    data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(data)))
            if told:
                self.send_header("X-SPARQL-MaxRows", str(most_rows))
            self.end_headers()
            self.wfile.write(data)

    with ThreadingHTTPServer(("127.0.0.1", 0), Forwarder) as server:
        server.daemon_threads = True
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, name="limiting proxy")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/query"
        finally:
            server.shutdown()
            thread.join()


def has_hung_up(connection: socket.socket) -> bool:
    """Look for a moment whether the other side closed a connection."""
    readable, _, _ = select.select([connection], [], [], 0.02)
    try:
        return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
    except ConnectionError:
        return True
