"""The tab Ask on a real server, behind a proxy that counts: few requests a click, and rows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.app.settings import CONFIG_VARIABLE
from tests.helpers.limiting_proxy import limiting_proxy
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.windows import User, open_window
from tests.ui.test_ask_journeys import Pointing

SAMPLE = Path(__file__).parents[2] / "sample_graphs/xplacer.ttl"

MOST_REQUESTS = 6


class Counted:
    """A server with the sample, and how many requests it got."""

    def __init__(self) -> None:
        self.requests = 0
        self._lock = threading.Lock()

    def note(self, number: int) -> None:
        with self._lock:
            self.requests += 1


@contextmanager
def counted_server() -> Iterator[tuple[str, Counted]]:
    counted = Counted()
    with oxigraph_server() as server:
        body = SAMPLE.read_bytes()
        request = Request(f"{server}/store?default", body, {"Content-Type": "text/turtle"}, method="PUT")
        build_opener(ProxyHandler({})).open(request).close()
        with limiting_proxy(f"{server}/query", 1_000_000, told=False, at_query=counted.note) as address:
            yield address, counted


def test_a_click_costs_few_requests_and_shows_rows(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "config"))
    with counted_server() as (address, counted):
        window = open_window(qapp, qtbot)
        window.opener.open([address])
        user = User(qtbot, window)
        user.until(lambda: window.browser.classes.model().rowCount())
        user.rest()
        one = Pointing(user)
        costs: dict[str, int] = {}

        def cost(name: str, click: object, *words: str) -> None:
            before = counted.requests
            click(*words)  # type: ignore[operator]  # a gesture of `one`
            costs[name] = counted.requests - before

        cost("class", one.a, "GPU")
        cost("property", one.has, "name")
        cost("value", one.is_, "Nvidia V100")
        cost("variable", one.at, "GPU")
        cost("backward", one.of, "coprocessor", "hpc:coprocessorModel")
        cost("on", one.of, "target machine")
        cost("narrow", one.a, "AI model")
        rows = len(one.rows("target_machine_of"))
        window.close()
    assert rows == 2
    assert max(costs.values()) <= MOST_REQUESTS, costs
