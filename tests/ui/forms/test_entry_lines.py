"""Lines and texts of a form leave to the window what they have no use for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from hpc_explorer.ui.forms.entry_lines import EntryLine, EntrySuggest, EntryText

_CONTROL = Qt.KeyboardModifier.ControlModifier
UNDO = (Qt.Key.Key_Z, _CONTROL)
REDO = ((Qt.Key.Key_Z, _CONTROL | Qt.KeyboardModifier.ShiftModifier), (Qt.Key.Key_Y, _CONTROL))

Entry = EntryLine | EntryText | EntrySuggest


@pytest.fixture(params=["line", "text", "suggest"])
def entry(request: pytest.FixtureRequest, qtbot: QtBot) -> Entry:
    made: Entry
    if request.param == "line":
        made = EntryLine("as it was")
    elif request.param == "text":
        made = EntryText("as it was", "")
    else:
        made = EntrySuggest(lambda text, answer: None, lambda text: True)
    qtbot.addWidget(made)
    made.show()
    return made


def keeps(entry: Entry, key: tuple[Qt.Key, Qt.KeyboardModifier]) -> bool:
    """Whether the entry wants a key for itself, before the window's commands have it."""
    event = QKeyEvent(QEvent.Type.ShortcutOverride, *key)
    event.ignore()
    QApplication.sendEvent(entry, event)
    return event.isAccepted()


def test_undo_and_redo_are_the_windows_where_nothing_was_typed(entry: Entry) -> None:
    assert [keeps(entry, key) for key in (UNDO, *REDO)] == [False, False, False]


def test_undo_and_redo_are_the_entrys_where_something_was(entry: Entry, qtbot: QtBot) -> None:
    qtbot.keyClicks(entry, "x")
    assert keeps(entry, UNDO)
    assert not any(keeps(entry, key) for key in REDO)
    entry.undo()
    assert not keeps(entry, UNDO)
    assert keeps(entry, REDO[0])
