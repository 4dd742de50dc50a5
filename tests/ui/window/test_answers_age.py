"""Answers that were kept, in the window: how old they are stands below, and F5 asks anew."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.stores.protocol.answer_cache import CACHE_VARIABLE
from hpc_explorer.ui.window.answers_age import age_text
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.slow_endpoint import SlowEndpoint, slow_endpoint
from tests.helpers.windows import User

THING = "<urn:x:one> a <urn:x:Thing> ; <http://www.w3.org/2000/01/rdf-schema#label> 'the first thing' ."


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept answers."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def endpoint(kept: Path) -> Iterator[SlowEndpoint]:
    with slow_endpoint() as running:
        running.insert(THING)
        yield running


def ask_before(endpoint: SlowEndpoint, kept: Path, minutes: int) -> None:
    """Another program asked all that the window asks, some minutes ago."""
    session = Session.new()
    open_sources(session, [endpoint.address])
    class_tree(session)
    session.close()
    with sqlite3.connect(kept / "answers.sqlite") as database:
        database.execute("UPDATE answers SET asked = asked - ?", (60 * minutes + 30,))
    database.close()


def opened(user: User, address: str) -> None:
    user.window.features.opener.open([address])
    user.until(lambda: user.window.browser.classes.model().rowCount())
    user.rest()


def test_the_age_is_shown_and_f5_asks_anew(window: MainWindow, user: User, endpoint: SlowEndpoint, kept: Path) -> None:
    ask_before(endpoint, kept, 12)
    endpoint.insert("<urn:x:two> a <urn:x:Thing> .")
    opened(user, endpoint.address)
    assert window.answers_age.isVisible()
    # As many as have passed since, where a machine is slow.
    assert re.fullmatch("answers of 1[2-9] minutes ago", window.answers_age.text)
    assert window.features.overview.size_label.text() == "2 triples"
    user.press("F5", window)
    user.until(lambda: window.features.overview.size_label.text() == "3 triples")
    user.rest()
    assert not window.answers_age.isVisible()


def test_the_button_asks_anew_too(window: MainWindow, user: User, endpoint: SlowEndpoint, kept: Path) -> None:
    ask_before(endpoint, kept, 1)
    endpoint.insert("<urn:x:two> a <urn:x:Thing> .")
    opened(user, endpoint.address)
    user.click(user.button("Refresh: query the endpoint again"))
    user.until(lambda: window.features.overview.size_label.text() == "3 triples")
    user.rest()
    assert not window.answers_age.isVisible()


def test_a_server_that_is_away_is_told_and_what_is_kept_stays(window: MainWindow, user: User, kept: Path) -> None:
    with slow_endpoint() as endpoint:
        endpoint.insert(THING)
        ask_before(endpoint, kept, 180)
    opened(user, endpoint.address)
    assert window.answers_age.text == "no connection · answers of 3 hours ago"
    user.press("F5", window)
    user.rest()
    assert window.answers_age.text == "no connection · answers of 3 hours ago"
    assert window.features.overview.size_label.text() == "2 triples"
    assert not window.banner.isVisible()
    user.window.run("go.questions")
    assert user.told.startswith("The questions for what is open could not be found")


def test_answers_that_came_now_have_no_age(window: MainWindow, user: User, endpoint: SlowEndpoint) -> None:
    assert not window.commands.by_id["source.refresh"].isEnabled()
    opened(user, endpoint.address)
    assert window.commands.by_id["source.refresh"].isEnabled()
    assert not window.answers_age.isVisible()
    user.press("Ctrl+W", window)
    user.until(window.start_page.isVisible)
    user.open_sample("xplacer")
    assert not window.commands.by_id["source.refresh"].isEnabled()


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(0), "answers of 1 second ago"),
        (timedelta(seconds=59), "answers of 59 seconds ago"),
        (timedelta(minutes=1, seconds=59), "answers of 1 minute ago"),
        (timedelta(hours=23, minutes=59), "answers of 23 hours ago"),
        (timedelta(days=400), "answers of 400 days ago"),
        (None, ""),
    ],
)
def test_ages_in_words(age: timedelta | None, words: str) -> None:
    assert age_text(age, offline=False) == words


def test_no_connection_and_nothing_kept() -> None:
    assert age_text(None, offline=True) == "no connection"
