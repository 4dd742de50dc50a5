"""A SPARQL endpoint that answers the questions about one word only when it is told to: a real one behind a real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote_plus
from urllib.request import ProxyHandler, Request, build_opener

from tests.helpers.bad_server import Exchange, bad_server
from tests.helpers.oxigraph_server import oxigraph_server

_PATIENCE = 240.0


class SlowEndpoint:
    """What the tests hold of it.

    Attributes:
        address: where it takes queries.
        word: questions with this word wait; empty: none.
        held: set when a question with the word has come.
        go_on: to be set to let the questions with the word be answered.
        answered: how many questions with the word were answered, or would have been if anybody still waited.
    """

    def __init__(self, server: str, word: str) -> None:
        self.address = ""
        self.held = threading.Event()
        self.go_on = threading.Event()
        self.answered = 0
        self._server = server
        self.word = word
        self._opener = build_opener(ProxyHandler({}))

    def answer(self, exchange: Exchange) -> None:
        """Pass a question on to the real endpoint, when its time has come."""
        target = exchange.head.split()[1]
        if self.word and self.word in unquote_plus(target + exchange.body.decode()):
            self.held.set()
            self.go_on.wait(_PATIENCE)
            self.answered += 1
        headers = {name.title(): exchange.header(name) for name in ("accept", "content-type") if exchange.header(name)}
        request = Request(self._server + target, exchange.body or None, headers)
        with self._opener.open(request, timeout=_PATIENCE) as passed:
            exchange.answer("200 OK", passed.read(), passed.headers["Content-Type"])

    def insert(self, triples: str) -> None:
        """Put triples into it."""
        body = f"INSERT DATA {{ {triples} }}".encode()
        request = Request(f"{self._server}/update", body, {"Content-Type": "application/sparql-update"})
        self._opener.open(request, timeout=_PATIENCE).close()


@contextmanager
def slow_endpoint(word: str = "") -> Iterator[SlowEndpoint]:
    """Run it; at its end nothing is held any more."""
    with oxigraph_server() as server, bad_server() as front:
        endpoint = SlowEndpoint(server, word)
        endpoint.address = f"http://127.0.0.1:{front.server_address[1]}/query"
        front.behaviours["/query"] = endpoint.answer
        try:
            yield endpoint
        finally:
            endpoint.go_on.set()
