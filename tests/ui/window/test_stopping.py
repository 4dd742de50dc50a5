"""The button in the status bar stops a heavy query at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.app.query.run_query import prepare_queries, run_query
from hpc_explorer.app.settings import CONFIG_VARIABLE
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.local.stoppable import StoppableStore
from tests.helpers.processes import ticks
from tests.helpers.windows import PATIENCE, User, open_window

HEAVY = "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f } ORDER BY ?f ?d ?b LIMIT 5"
"""Sorts a thousand million solutions: it does not end by itself. How soon it stops is measured in `benchmarks/`."""


def test_a_click_stops_a_heavy_query(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "config"))
    session = Session.new()
    window = open_window(qapp, qtbot, session=session)
    user = User(qtbot, window)
    user.open_sample("xplacer")
    prepare_queries(session)
    store = session.stoppable_store
    assert isinstance(store, StoppableStore)
    (pid,) = store.processes
    began = ticks(pid)
    stopped: list[BaseException] = []
    window.bridge.jobs.run(run_query, session, HEAVY, title="Answer the query", on_error=stopped.append)
    user.until(lambda: "Answer the query" in window.jobs.text)
    user.until(lambda: ticks(pid) > began + 20)  # it is in the middle of the query
    user.click(user.button("Stop this work"))
    user.until(lambda: stopped)
    (error,) = stopped
    assert isinstance(error, Cancelled)
    assert pid not in store.processes
    user.until(lambda: not window.jobs.text)
    assert run_query(session, "ASK { ?m a hpc:AIModel }", limits=Limits.seconds(PATIENCE / 1000)) is True
    running = store.processes
    window.quit_now()
    assert running
    assert store.processes == ()
