"""Shows texts of a graph, a file or a server unchanged.

Qt treats a text that looks like HTML as rich text and opens the images it names. In buttons and menus it treats `&` as
the mark of a shortcut.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import QLabel, QWidget


class Label(QLabel):
    """A label for plain text."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


def plain_tip(text: str) -> str:
    """A tooltip that Qt shows as plain text."""
    return RichText.convertFromPlainText(text) if RichText.mightBeRichText(text) else text


def without_shortcut(text: str) -> str:
    """A text for a button or menu without shortcut marks."""
    return text.replace("&", "&&")
