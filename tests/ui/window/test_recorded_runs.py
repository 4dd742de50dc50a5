"""Runs that other programs recorded, in the window: opened by their folder, and what could not be read is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from hpc_explorer.ui.explore.browser import explained
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.foreign_sources import DATA
from tests.helpers.windows import User


@pytest.fixture
def user(qtbot: QtBot, window: MainWindow) -> User:
    return User(qtbot, window)


def test_an_mlflow_folder_opens_and_its_model_is_traced(window: MainWindow, user: User) -> None:
    window.open_sources([str(DATA / "mlruns-3.17")])
    user.until(lambda: not window.bridge.is_empty)
    user.rest()
    assert not window.banner.isVisible()
    user.search("salt version 1")
    window.run("go.upstream")
    user.rest()
    labels = {node.label for node in window.pictures.canvas.scene().nodes}
    assert {"salt version 1", "tiles", "learning_rate"} <= labels


def test_what_could_not_be_read_is_said_in_the_window(window: MainWindow, user: User, tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.write_bytes((DATA / "openlineage.ndjson").read_bytes() + b'{"eventType": "STA')
    window.open_sources([str(path)])
    user.until(window.banner.isVisible)
    assert window.banner.title == "Not all of events.ndjson was read"
    assert f"a half-written line: {path}:3" in window.banner.text
    (source,) = window.bridge.sources
    assert f"Not read: a half-written line: {path}:3" in explained(source)
