"""A page with a message and an optional button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE


class MessagePage(QWidget):
    """A title above a text.

    Signals:
        clicked(): the button was clicked.
    """

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._title = TextBlock("", size=TITLE, weight=600)
        self._words = TextBlock("", muted=True)
        self._button = QPushButton()
        self._button.clicked.connect(self.clicked)
        column = column_in(self, 3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID, spacing=GRID)
        add_parts(column, 1, self._title, self._words)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(2)

    def say(self, title: str, words: str, button: str = "") -> None:
        """Show a message.

        Args:
            button: the label of the button; empty for none.
        """
        self._title.say(title)
        self._words.say(words)
        self._button.setVisible(bool(button))
        self._button.setText(button)

    def text(self) -> str:
        """The title and the text, one line each."""
        return "\n".join(part for part in (self._title.text(), self._words.text()) if part)
