"""A slow endpoint's first answer comes last: it never stands where a later one, or none, was asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.widgets.search_box import REMOTE_PAUSE
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.slow_endpoint import SlowEndpoint, slow_endpoint
from tests.helpers.windows import User


@pytest.fixture
def endpoint() -> Iterator[SlowEndpoint]:
    with slow_endpoint() as running:
        running.insert(
            "<urn:x:early> a <urn:x:Thing> ; <http://www.w3.org/2000/01/rdf-schema#label> 'early bird' . "
            "<urn:x:later> a <urn:x:Thing> ; <http://www.w3.org/2000/01/rdf-schema#label> 'later bird' ."
        )
        yield running


def found(window: MainWindow) -> list[str]:
    rows = window.search.popup.list.rows
    return [str(rows.index(row).data()) for row in range(rows.rowCount())]


def open_it(user: User, endpoint: SlowEndpoint) -> None:
    """Open the endpoint; from then on it does not tell of what is early."""
    user.window.features.opener.open([endpoint.address])
    user.until(lambda: user.window.browser.classes.model().rowCount())
    user.rest()
    endpoint.word = "early"


def begin(user: User, endpoint: SlowEndpoint) -> None:
    """Open the endpoint, and look for what it will not tell, until that is work that takes long."""
    open_it(user, endpoint)
    user.press("Ctrl+K")
    user.type("early")
    user.until(endpoint.held.is_set)
    user.until(lambda: user.window.jobs.is_shown)


def test_a_later_search_wins(window: MainWindow, user: User, endpoint: SlowEndpoint) -> None:
    begin(user, endpoint)
    window.search.selectAll()
    user.type("later")
    user.until(lambda: window.search.is_suggesting)
    shown = found(window)
    assert any("later bird" in label for label in shown)
    endpoint.go_on.set()
    user.rest()
    assert found(window) == shown


@pytest.mark.parametrize("key", ["Escape", "Backspace"])
def test_no_answer_to_what_was_given_up(window: MainWindow, user: User, endpoint: SlowEndpoint, key: str) -> None:
    begin(user, endpoint)
    window.search.selectAll()
    user.press(key)
    endpoint.go_on.set()
    user.rest()
    assert window.search.text() == ""
    assert not window.search.is_suggesting


def test_the_inspector_shows_what_was_chosen_last(window: MainWindow, user: User, endpoint: SlowEndpoint) -> None:
    open_it(user, endpoint)
    window.navigator.open(NamedNode("urn:x:early"))
    user.until(endpoint.held.is_set)
    window.navigator.open(NamedNode("urn:x:later"))
    user.until(lambda: user.reads == "later bird")
    endpoint.go_on.set()
    user.rest()
    assert user.reads == "later bird"


def test_the_picture_is_of_what_was_chosen_last(window: MainWindow, user: User, endpoint: SlowEndpoint) -> None:
    open_it(user, endpoint)
    window.navigator.explore(NamedNode("urn:x:early"))
    user.until(endpoint.held.is_set)
    window.navigator.explore(NamedNode("urn:x:later"))

    def drawn() -> str:
        focus = window.pictures.canvas.scene().focus()
        return focus.label if focus is not None else ""

    user.until(lambda: drawn() == "later bird")
    endpoint.go_on.set()
    user.rest()
    assert drawn() == "later bird"


@pytest.mark.parametrize("key", ["Escape", "x"])
def test_a_search_that_is_given_up_is_abandoned_while_the_server_still_thinks(
    window: MainWindow, user: User, endpoint: SlowEndpoint, key: str
) -> None:
    begin(user, endpoint)
    (searching,) = (job for job in window.bridge.jobs.active() if job.title == "Search")
    user.press(key)
    user.until(lambda: searching.state.finished)  # and not the search for the longer word, which comes soon
    assert not endpoint.answered, "it waited for the server"
    window.search.clear()


def test_a_server_is_asked_only_after_a_longer_pause(user: User, endpoint: SlowEndpoint) -> None:
    open_it(user, endpoint)
    user.press("Ctrl+K")
    user.type("earl")
    began = time.monotonic()
    user.type("y")
    user.until(endpoint.held.is_set)
    assert time.monotonic() - began > 0.9 * REMOTE_PAUSE / 1000, "a timer may be early by a twentieth"
    endpoint.go_on.set()
    user.rest()
