"""The lines, texts and lists of a form, which ignore the keys and the wheel where the form uses them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit

from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.suggest_line import Suggest, SuggestLine
from hpc_explorer.ui.widgets.theme import GRID

MOST_LINES = 10
"""The maximum number of visible lines of a text."""


class EntryLine(QLineEdit):
    """A line of a form: Enter goes on, and undo is left to the window where nothing was typed.

    Signals:
        entered(): Enter was pressed.
    """

    entered = Signal()

    def __init__(self, text: str = "", hint: str = "", part: str = "") -> None:
        super().__init__(text)
        self.setPlaceholderText(hint)
        self.setProperty("part", part)
        self.setAcceptDrops(False)  # a file dropped here is for the window
        self.setCursorPosition(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        can_undo, can_redo = self.isUndoAvailable(), self.isRedoAvailable()
        return leaves_undo(event, can_undo=can_undo, can_redo=can_redo) or super().event(event)


def leaves_undo(event: QEvent, *, can_undo: bool, can_redo: bool) -> bool:
    """Whether the window should handle an undo or redo key, because the entry has nothing to undo or redo.

    Args:
        can_undo, can_redo: whether there is something in the entry to be taken back, or to be done again.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
    if not control or event.key() not in (Qt.Key.Key_Z, Qt.Key.Key_Y):
        return False
    again = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier) or event.key() == Qt.Key.Key_Y
    if can_redo if again else can_undo:
        return False
    event.ignore()
    return True


class EntryText(QPlainTextEdit):
    """A text that grows up to a few lines; Tab leaves it, and Alt with an arrow moves a line."""

    def __init__(self, text: str, hint: str) -> None:
        super().__init__(text)
        self.setProperty("entry", True)
        self.setPlaceholderText(hint)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.document().setDocumentMargin(4)
        self.document().documentLayout().documentSizeChanged.connect(lambda size: self._fit())
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(20 * GRID, 5 * GRID)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in steps:
            self._move_line(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        document = self.document()
        can_undo, can_redo = document.isUndoAvailable(), document.isRedoAvailable()
        return leaves_undo(event, can_undo=can_undo, can_redo=can_redo) or super().event(event)

    def _move_line(self, step: int) -> None:
        lines = self.toPlainText().split("\n")
        cursor = self.textCursor()
        here, column = cursor.blockNumber(), cursor.positionInBlock()
        there = here + step
        if not 0 <= there < len(lines):
            return
        lines[here], lines[there] = lines[there], lines[here]
        cursor.beginEditBlock()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText("\n".join(lines))
        cursor.endEditBlock()
        cursor.setPosition(self.document().findBlockByNumber(there).position() + column)
        self.setTextCursor(cursor)

    def _fit(self) -> None:
        line = QFontMetrics(self.font()).lineSpacing()
        lines = max(2, min(int(self.document().size().height()), MOST_LINES))
        self.setFixedHeight(lines * line + 2 * GRID)


class EntrySuggest(SuggestLine):
    """A line with suggestions, in a form."""

    def __init__(self, suggest: Suggest, is_whole: Callable[[str], bool], part: str = "") -> None:
        super().__init__(suggest, is_whole)
        self.setProperty("part", part)

    def event(self, event: QEvent) -> bool:
        can_undo, can_redo = self.isUndoAvailable(), self.isRedoAvailable()
        return leaves_undo(event, can_undo=can_undo, can_redo=can_redo) or super().event(event)


class EntryChoice(QComboBox):
    """A list to choose from; the wheel changes it only if it has the keyboard focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
