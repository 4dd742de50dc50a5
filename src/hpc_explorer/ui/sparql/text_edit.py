"""The text of the SPARQL editor: dispatches keys to the editor's actions and to the completion popup."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCursor

from hpc_explorer.query.completion.candidates import Completion
from hpc_explorer.ui.sparql.code_edit import CodeEdit, characters
from hpc_explorer.ui.sparql.completion_popup import CompletionPopup
from hpc_explorer.ui.widgets.keys import ENTER

_WALK = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class SparqlText(CodeEdit):
    """The text of the SPARQL editor.

    Attributes:
        popup: the completion popup; None before its first use.
        keys: additional actions by modifiers and key.
        put_in: inserts a completion.
        is_answering: whether a query is running that Escape stops.

    Signals:
        left(): the editor lost the keyboard focus.
    """

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.popup: CompletionPopup | None = None
        self.keys: dict[tuple[Qt.KeyboardModifier, Qt.Key], Callable[[], None]] = {}
        self.put_in: Callable[[Completion], None] = lambda one: None
        self.is_answering: Callable[[], bool] = lambda: False
        self.setAccessibleName("SPARQL")
        self.setAccessibleDescription("Ctrl+Space completes, Ctrl+Enter runs the query")

    @property
    def cursor_place(self) -> int:
        """The offset of the cursor in characters."""
        return characters(self.toPlainText(), self.textCursor().position())

    def replace_text(self, text: str) -> None:
        """Replace the whole text as one undo step."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)

    def takes(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape and not self.is_answering():
            # If there is nothing to close or stop here, the window handles Escape.
            return self._is_for_popup(event)
        return self._own(event) is not None or self._is_for_popup(event) or super().takes(event)

    def _own(self, event: QKeyEvent) -> Callable[[], None] | None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return self.keys.get((modifiers, Qt.Key(event.key())))

    def _is_for_popup(self, event: QKeyEvent) -> bool:
        popup = self.popup
        if popup is None or not popup.isVisible() or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        return event.key() in (*_WALK, *ENTER, Qt.Key.Key_Tab, Qt.Key.Key_Escape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self.popup
        if popup is not None and self._is_for_popup(event):
            if event.key() in _WALK and popup.completions:
                self.setAccessibleDescription(popup.walk(event.key()))
                return
            if event.key() in (*ENTER, Qt.Key.Key_Tab) and popup.current is not None:
                self.put_in(popup.current)
                return
            popup.hide()
            if event.key() == Qt.Key.Key_Escape:
                return
        own = self._own(event)
        if own is not None:
            own()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.left.emit()
