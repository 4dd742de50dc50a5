"""The tab Ask on a real server, behind a proxy that counts: few requests a click, and rows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.app.query.facet_lists import Facet
from hpc_explorer.app.settings import CONFIG_VARIABLE
from tests.helpers.limiting_proxy import limiting_proxy
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.windows import User, open_window
from tests.ui.query.test_journeys import Pointing

SAMPLE = Path(__file__).parents[3] / "sample_graphs/xplacer.ttl"

MOST_REQUESTS = 6

LISTS_AND_ROWS = 3
"""Requests under way at once after a value is ticked: for the rows, the classes and the properties."""


class Counted:
    """A server with the sample, and how many requests it got.

    Attributes:
        is_slow: whether it lets requests wait.
        waiting: the numbers of the requests that it let wait.
        hung_up: those of them whose connection was closed before they were answered.
    """

    def __init__(self) -> None:
        self.requests = 0
        self.is_slow = False
        self.waiting: set[int] = set()
        self.hung_up: set[int] = set()
        self._lock = threading.Lock()

    def note(self, number: int) -> None:
        with self._lock:
            self.requests += 1
            if self.is_slow:
                self.waiting.add(number)

    def is_held(self, number: int) -> bool:
        return self.is_slow and number in self.waiting

    def note_hangup(self, number: int) -> None:
        with self._lock:
            self.hung_up.add(number)


@contextmanager
def counted_server() -> Iterator[tuple[str, Counted]]:
    counted = Counted()
    with oxigraph_server() as server:
        body = SAMPLE.read_bytes()
        request = Request(f"{server}/store?default", body, {"Content-Type": "text/turtle"}, method="PUT")
        build_opener(ProxyHandler({})).open(request).close()
        with limiting_proxy(
            f"{server}/query",
            1_000_000,
            told=False,
            at_query=counted.note,
            is_held=counted.is_held,
            at_hangup=counted.note_hangup,
        ) as address:
            yield address, counted


@pytest.fixture
def served(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Pointing, Counted]]:
    """The tab Ask on the server."""
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "config"))
    with counted_server() as (address, counted):
        window = open_window(qapp, qtbot)
        window.features.opener.open([address])
        user = User(qtbot, window)
        user.until(lambda: window.browser.classes.model().rowCount())
        user.rest()
        yield Pointing(user), counted
        window.quit_now()


def test_a_click_costs_few_requests_and_shows_rows(served: tuple[Pointing, Counted]) -> None:
    one, counted = served
    costs: dict[str, int] = {}

    def cost(name: str, click: Callable[..., None], *words: str) -> None:
        before = counted.requests
        click(*words)
        costs[name] = counted.requests - before

    cost("class", one.a, "GPU")
    cost("property", one.has, "name")
    cost("value", one.is_, "Nvidia V100")
    cost("variable", one.at, "GPU")
    cost("backward", one.of, "coprocessor", "hpc:coprocessorModel")
    cost("on", one.of, "target machine")
    cost("narrow", one.a, "AI model")
    assert len(one.rows("target_machine_of")) == 2
    assert max(costs.values()) <= MOST_REQUESTS, costs


def test_what_a_click_asked_for_is_given_up_when_the_next_one_comes(served: tuple[Pointing, Counted]) -> None:
    one, counted = served
    one.a("GPU")
    one.has("name")
    names = one.rows("name")
    assert len(names) == 2
    facet = one.tab.facets.lists[Facet.VALUES].rows

    def tick(row: int) -> None:
        place = facet.visualRect(facet.rows.index(row)).center()
        one.user.qtbot.mouseClick(facet.viewport(), Qt.MouseButton.LeftButton, pos=place)

    counted.is_slow = True
    tick(0)
    one.user.until(lambda: len(counted.waiting) >= LISTS_AND_ROWS)
    of_the_first = set(counted.waiting)
    assert not counted.hung_up
    tick(1)
    one.user.until(lambda: counted.hung_up == of_the_first)
    one.user.until(lambda: len(counted.waiting - of_the_first) >= LISTS_AND_ROWS)
    counted.is_slow = False
    one.rest()
    assert counted.hung_up == of_the_first
    assert one.rows("name") == names
    assert [row.is_ticked for row in facet.rows.rows] == [True, True]


def test_a_list_that_is_about_something_else_by_now_takes_no_click(served: tuple[Pointing, Counted]) -> None:
    one, counted = served
    one.a("GPU")
    properties = one.tab.facets.lists[Facet.PROPERTIES].rows

    def press(label: str) -> None:
        number = next(number for number, row in enumerate(properties.rows.rows) if row.label == label)
        place = properties.visualRect(properties.rows.index(number)).center()
        one.user.qtbot.mouseClick(properties.viewport(), Qt.MouseButton.LeftButton, pos=place)

    counted.is_slow = True
    press("name")
    asked, focus = one.tab.query(), one.tab.focus()
    press("vendor")
    assert (one.tab.query(), one.tab.focus()) == (asked, focus)
    counted.is_slow = False
    one.rest()
    assert len(one.rows("name")) == 2
