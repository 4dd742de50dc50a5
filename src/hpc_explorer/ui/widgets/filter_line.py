"""A text line that filters a list below it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from hpc_explorer.ui.widgets.keys import ENTER, keeps_escape
from hpc_explorer.ui.widgets.theme import current_theme, icon, on_theme


class FilterLine(QLineEdit):
    """A filter; the down arrow goes to the list, Escape clears the text.

    Signals:
        left_downwards(): focus the list.
    """

    left_downwards = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setAcceptDrops(False)  # the window handles dropped files
        self._sign = self.addAction(icon("search", "#808080"), QLineEdit.ActionPosition.LeadingPosition)
        self._dress()
        on_theme(self._dress)

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._sign.setIcon(icon("search", current_theme().muted))

    def event(self, event: QEvent) -> bool:
        return keeps_escape(event, bool(self.text())) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, *ENTER):
            self.left_downwards.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
        else:
            super().keyPressEvent(event)
