"""Somebody who writes SPARQL in the editor, with real keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.sparql.editor import SparqlEditor
from hpc_explorer.ui.widgets import theme
from tests.helpers.sessions import session_of


class Writer:
    """Somebody at the keyboard."""

    def __init__(self, qtbot: QtBot, editor: SparqlEditor, bridge: SessionBridge) -> None:
        self.qtbot = qtbot
        self.editor = editor
        self.bridge = bridge
        self.told: list[str] = []
        self.ran: list[str] = []
        editor.changed.connect(self.told.append)
        editor.run_wanted.connect(self.ran.append)

    def until(self, condition: object) -> None:
        assert callable(condition)
        self.qtbot.waitUntil(lambda: bool(condition()))

    def type(self, text: str) -> None:
        self.qtbot.keyClicks(self.editor.edit, text)

    def press(self, keys: str) -> None:
        self.qtbot.keySequence(self.editor.edit, keys)

    def write(self, text: str) -> None:
        """Show a text, the cursor where `|` stands, or at its end."""
        at = text.find("|")
        self.editor.set_text(text.replace("|", "", 1))
        cursor = self.editor.edit.textCursor()
        cursor.setPosition(at if at >= 0 else len(text))
        self.editor.edit.setTextCursor(cursor)

    @property
    def offered(self) -> list[str]:
        popup = self.editor.edit.popup
        return [one.text for one in popup.completions] if popup is not None and popup.isVisible() else []

    @property
    def said(self) -> str:
        return self.editor.message.text() if self.editor.message.isVisible() else ""


@contextmanager
def sparql_writer(qapp: QApplication, qtbot: QtBot) -> Iterator[Writer]:
    """The editor alone in a window, over XPlacer."""
    if qapp.font().family() != theme.FAMILY:
        theme.prepare(qapp)
    session = session_of("sample:xplacer")
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(760, 520)
    bridge = SessionBridge(session, window)
    editor = SparqlEditor(window)
    column = QVBoxLayout(window)
    column.addWidget(editor)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    editor.set_session(bridge)
    editor.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(editor.edit.hasFocus)
    qtbot.waitUntil(lambda: not bridge.is_busy)
    yield Writer(qtbot, editor, bridge)
    window.close()
    bridge.close()
