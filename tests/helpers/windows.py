"""Somebody at the window: real clicks and keys, and waiting until what was asked for is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.app.results.answer import Answer
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ui.bridge.navigator import View
from hpc_explorer.ui.widgets import theme
from hpc_explorer.ui.window.add_or_replace import AddOrReplaceDialog
from hpc_explorer.ui.window.main_window import MainWindow

W = TypeVar("W", bound=QWidget)

PATIENCE = 240_000
"""Milliseconds that something may take before it counts as never."""

ALL_PANES = tuple(
    f"{level}:{pane}" for level in ("home", "page", "graph", "query") for pane in ("browser", "inspector")
)
"""Every pane open at every level."""

MODEL = "http://example.org/AIModel/MO000001"
"""decisionTree.onnx in the sample `xplacer`."""


def open_window(
    application: QApplication, qtbot: QtBot, settings: Settings | None = None, session: Session | None = None
) -> MainWindow:
    """A window, of its own session unless one is given, shown and ready for input."""
    if application.font().family() != theme.FAMILY:
        theme.prepare(application)
    # An earlier window would take on the palette too.
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    window = MainWindow(session or Session.new(), settings or Settings.load())
    qtbot.addWidget(window)
    window.resize(1280, 800)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    return window


class User:
    """Does with the window what a person does, and waits as a person does."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot = qtbot
        self.window = window
        self._told: list[str] = []
        window.statusBar().messageChanged.connect(self._told.append)

    @property
    def told(self) -> str:
        """What the status bar said last. It is there for some seconds only, which a busy machine may let pass."""
        return next((text for text in reversed(self._told) if text), "")

    def until(self, condition: Callable[[], object]) -> None:
        """Wait for something to be so."""
        self.qtbot.waitUntil(lambda: bool(condition()))

    def catch(self, condition: Callable[[], object]) -> None:
        """Wait for something that may be over soon: it is looked for after each turn of the event loop."""
        ends = time.monotonic() + PATIENCE / 1000
        while not condition():
            assert time.monotonic() < ends, "it never came to be so"
            QApplication.processEvents()

    def rest(self) -> None:
        """Wait until nothing is being done any more: no job, no layout, and what was made last is in sight."""
        self.until(lambda: not self.window.is_busy)
        QApplication.sendPostedEvents()

    def press(self, keys: str, widget: QWidget | None = None) -> None:
        """Press a key, such as "Ctrl+K", where the keyboard is."""
        target = widget or QApplication.focusWidget() or self.window
        if not target.isActiveWindow():
            target.activateWindow()
            self.until(target.isActiveWindow)
        self.qtbot.keySequence(target, keys)

    def type(self, text: str, widget: QWidget | None = None) -> None:
        """Type a text where the keyboard is."""
        target = widget or QApplication.focusWidget()
        assert target is not None, "the keyboard is nowhere"
        self.qtbot.keyClicks(target, text)

    def click(self, widget: QWidget) -> None:
        """Click in the middle of a widget, which must be in sight or in the menu at the end of its toolbar."""
        assert widget.isVisible(), f"{widget!r} is not in sight"
        if isinstance(widget, QAbstractButton) and widget.x() > widget.parentWidget().width():
            more = next(
                one for one in widget.parentWidget().findChildren(QToolButton) if one.accessibleName() == "More"
            )
            more.menu().aboutToShow.emit()
            text = widget.text().replace("&", "")
            next(one for one in more.menu().actions() if one.iconText() == text or one.text() == text).trigger()
            return
        self.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)

    def button(self, name: str, within: QWidget | None = None) -> QAbstractButton:
        """The visible button that a screen reader calls so."""
        found = [
            button
            for button in (within or self.window).findChildren(QAbstractButton)
            if button.isVisible() and (button.accessibleName() or button.text()) == name
        ]
        assert found, f"no button is called {name!r}"
        return found[0]

    def dialog(self, kind: type[W]) -> W:
        """The open dialog of this kind."""
        found: list[W] = []

        def look() -> bool:
            found[:] = [one for one in self.window.findChildren(kind) if one.isVisible()]
            return bool(found)

        self.until(look)
        return found[-1]

    def answer(self) -> Answer:
        """The answer that is shown once it is found."""
        self.rest()
        assert self.window.navigator.place.view in (View.ANSWER, View.REPRODUCE)
        answer = self.window.features.answers.tab.answer
        assert answer is not None
        return answer

    def open_sample(self, name: str = "xplacer") -> None:
        """Click a sample on the start page."""
        self.click(self.button(f"Open sample {name}", self.window.start_page))
        self.until(lambda: self.window.browser.classes.model().rowCount())
        self.rest()

    def open_files(self, paths: Iterable[Path]) -> None:
        """Drop files on the window."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        place, action = QPointF(200, 200), Qt.DropAction.CopyAction
        buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        entering = QDragEnterEvent(place.toPoint(), action, data, buttons, keys)
        QApplication.sendEvent(self.window, entering)
        assert entering.isAccepted()
        QApplication.sendEvent(self.window, QDropEvent(place, action, data, buttons, keys))
        self.add_to_open()
        self.rest()

    def add_to_open(self) -> None:
        """If the window asks whether to add what is opened or to replace what is open: add it."""
        for dialog in self.window.findChildren(AddOrReplaceDialog):
            if dialog.isVisible():
                self.click(dialog.add)

    def search(self, text: str) -> None:
        """Ctrl+K, type, and open the first result with Enter."""
        self.press("Ctrl+K")
        self.type(text)
        self.until(lambda: self.window.search.is_suggesting)
        self.press("Return")
        self.rest()

    def trace(self) -> None:
        """Ctrl+L, and Ctrl+Shift+A if the lineage is folded: each thing on a card of its own."""
        self.press("Ctrl+L")
        self.rest()
        if self.window.features.presenter.phases.view is not None:
            self.window.run("view.phases")
            self.rest()

    @property
    def reads(self) -> str:
        """The name at the top of the inspector."""
        view = self.window.inspector.view
        return view.ref.label if view is not None else ""

    def close(self, dialog: QDialog) -> None:
        """Press Escape in a dialog."""
        self.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        self.until(lambda: not dialog.isVisible())
