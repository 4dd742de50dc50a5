"""Asking about a session: what counts once the graph is closed, and what does not."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.replacing import close_all
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ui.bridge.session import SessionBridge
from tests.helpers.windows import PATIENCE


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[SessionBridge]:
    session = Session.new()
    open_sources(session, ["sample:xplacer"])
    bridge = SessionBridge(session)
    yield bridge
    bridge.close()


@pytest.mark.parametrize("replaces", [None, "a name"])
@pytest.mark.parametrize("closes", [False, True])
def test_an_answer_counts_only_for_the_graph_that_was_asked_unless_it_has_no_name(
    bridge: SessionBridge, qtbot: QtBot, replaces: str | None, closes: bool
) -> None:
    answers: list[str] = []
    begun, let = threading.Event(), threading.Event()

    def late(session: Session, text: str) -> str:
        begun.set()
        let.wait(PATIENCE / 1000)
        return text

    bridge.run(late, "late", title="Ask", on_result=answers.append, replaces=replaces)
    assert begun.wait(PATIENCE / 1000)
    bridge.run(close_all, title="Close", on_result=lambda _: answers.append("closed"), writes=True, closes=closes)
    qtbot.waitUntil(lambda: "closed" in answers)
    let.set()
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert ("late" in answers) is not (closes and replaces is not None)
    assert bridge.is_empty


def test_what_closes_the_graph_comes_after_the_change_before_it(bridge: SessionBridge, qtbot: QtBot) -> None:
    order: list[str] = []
    let = threading.Event()

    def change(session: Session) -> None:
        let.wait(PATIENCE / 1000)
        order.append("changed")

    bridge.run(change, title="Change", writes=True)
    bridge.run(close_all, title="Close", on_result=lambda _: order.append("closed"), closes=True)
    let.set()
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert order == ["changed", "closed"]


def test_what_is_dropped_by_its_name_does_not_come(bridge: SessionBridge, qtbot: QtBot) -> None:
    answers: list[str] = []
    for name in ("one", "two", "three"):
        bridge.run(lambda session, name=name: name, title="Ask", on_result=answers.append, replaces=name)
    bridge.drop("one", "three")
    qtbot.waitUntil(lambda: not bridge.is_busy)
    assert answers == ["two"]
