"""A resource of a real server taken offline, edited, and pushed back, while somebody else edits it there."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from hpc_explorer.annotate.pushing.values import Choice
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.ui.changes.offline import OfflineDialog
from hpc_explorer.ui.changes.push_dialog import PushDialog
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.graphs import ex
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.windows import User
from tests.ui.changes.test_page import GRAPH, Editor


class Server:
    """A real server."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._opener = build_opener(ProxyHandler({}))

    def _send(self, path: str, data: str, kind: str) -> bytes:
        request = Request(f"{self.address}{path}", data.encode(), {"Content-Type": kind, "Accept": "text/csv"})
        with self._opener.open(request, timeout=60) as answer:
            return bytes(answer.read())

    def load(self, turtle: str) -> None:
        self._send("/store?default", turtle, "text/turtle")

    def update(self, text: str) -> None:
        self._send("/update", text, "application/sparql-update")

    def values(self, subject: str, predicate: str) -> list[str]:
        query = f"SELECT ?v {{ <http://example.org/{subject}> <{predicate}> ?v }} ORDER BY ?v"
        return self._send("/query", query, "application/sparql-query").decode().split("\r\n")[1:-1]


@pytest.fixture
def server() -> Iterator[Server]:
    with oxigraph_server() as address:
        made = Server(address)
        made.load(GRAPH)
        yield made


def test_offline_and_back(window: MainWindow, user: User, server: Server) -> None:
    window.open_sources([f"{server.address}/query"])
    user.until(lambda: window.browser.classes.model().rowCount())
    user.rest()
    window.navigator.explore(ex("model"))
    user.rest()
    user.window.run("resource.take_offline")
    question = user.dialog(OfflineDialog)
    user.click(question.go)
    user.rest()
    user.until(lambda: window.bridge.workspace is not None)
    assert window.banner.title == "1 resource taken offline"
    user.press("F4", window)
    user.rest()
    editor = Editor(user)
    editor.set_accuracy("0.95", "0.96")
    editor.make(
        [(ex("model"), RDFS.label, Literal("Model 7"))], [(ex("model"), RDFS.label, Literal("Model A"))], "Label"
    )
    label = RDFS.label.value
    server.update(f'DELETE DATA {{ <http://example.org/model> <{label}> "Model 7" }}')
    server.update(f'INSERT DATA {{ <http://example.org/model> <{label}> "Model B" }}')
    window.run("file.push")
    dialog = user.dialog(PushDialog)
    user.rest()
    assert [(card.view.mine, card.view.theirs) for card in dialog.cards] == [(("Model A",), ("Model B",))]
    dialog.cards[0].sides[Choice.BOTH].button.setFocus()
    user.press("Space")
    user.click(dialog.go)
    user.rest()
    assert dialog.said.text() == "Saved: +2 \u22121 statements"
    user.close(dialog)
    assert server.values("model", label) == ["Model A", "Model B"]
    assert server.values("model", "http://example.org/accuracy") == ["0.96"]
    assert server.values("model", "http://example.org/note") == ["of ana"]
    user.until(lambda: not window.features.changes.unpushed.sources)
