"""Texts of a graph, a file or a server are shown as they are written.

Qt takes a text for rich text where it looks like HTML, and then opens the pictures that it names. In the text of a
button or menu it takes `&` for the mark of a shortcut.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import QLabel, QWidget


class Label(QLabel):
    """A label that shows its text as it is written."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


def plain_tip(text: str) -> str:
    """A tooltip that Qt shows as it is written; only a text that looks like HTML is changed."""
    return RichText.convertFromPlainText(text) if RichText.mightBeRichText(text) else text


def without_shortcut(text: str) -> str:
    """A text for a button or menu in which `&` is no mark of a shortcut."""
    return text.replace("&", "&&")
