"""What holds for every test of the window: no screen is needed, and Qt has nothing to complain about."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.app.settings import CONFIG_VARIABLE, Settings
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.ui.widgets.theme import use_theme
from hpc_explorer.ui.window.garbage import YOUNG
from hpc_explorer.ui.window.main_window import MainWindow
from tests.helpers.sparql_writer import Writer, sparql_writer
from tests.helpers.windows import ALL_PANES, PATIENCE, User, open_window

os.environ["QT_QPA_PLATFORM"] = "offscreen"

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A warning of Qt fails the test that caused it (`qt_log_ignore` announces one)."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"), append=False)
            # What the platform without a screen says of sizes, stacking and grabs.
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


gc.set_threshold(*YOUNG)  # as in the program


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Destroy the widgets of a test in this thread: destroyed in a thread of a later test, they would crash Qt.

    A fixture cannot do it: a test's arguments are alive until all its fixtures are torn down.
    """
    # Only what the test itself made is looked through: a collection of everything takes 0.4 s.
    gc.freeze()
    use_theme(LIGHT)
    try:
        return (yield)
    finally:
        # Without a screen, Qt deletes what is copied as the process ends, after Python, which would crash.
        if isinstance(QApplication.instance(), QApplication):
            QApplication.clipboard().clear()
        # What a window connected keeps its Python objects alive as long as Qt has not deleted it.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()


def _handle_events() -> None:
    """Wait for the next event, and handle it and those that follow; 10 ms at most, as a thread may change something without one."""
    loop, turns = QEventLoop(), 0

    def take_turn() -> None:
        nonlocal turns
        turns += 1
        if turns > 1:  # the first time, no event has come yet
            loop.quit()

    dispatcher = QAbstractEventDispatcher.instance()
    dispatcher.aboutToBlock.connect(take_turn)
    QTimer.singleShot(10, loop, loop.quit)
    loop.exec()
    dispatcher.aboutToBlock.disconnect(take_turn)


class PatientBot(QtBot):
    """Waits as long as a busy machine may need: nothing is a failure for being slow."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        """Look again whenever all events there were are handled, which is sooner than each 10 ms."""
        ends = time.monotonic() + timeout / 1000
        while not callback():
            if time.monotonic() > ends:
                raise TimeoutError(f"waitUntil timed out in {timeout} milliseconds")
            _handle_events()

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: QWidget, *, timeout: int = PATIENCE) -> Any:
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """In place of that of pytest-qt."""
    return PatientBot(request)


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """The window on its start page, with all drawers open; it leaves no work behind."""
    monkeypatch.setenv(CONFIG_VARIABLE, str(tmp_path / "config"))
    window = open_window(qapp, qtbot, Settings(open_panes=ALL_PANES))
    yield window
    window.quit_now()


@pytest.fixture
def user(qtbot: QtBot, window: MainWindow) -> User:
    """Somebody who sits before the window."""
    return User(qtbot, window)


@pytest.fixture
def writer(qapp: QApplication, qtbot: QtBot) -> Iterator[Writer]:
    """Somebody at the editor of SPARQL."""
    with sparql_writer(qapp, qtbot) as found:
        yield found
