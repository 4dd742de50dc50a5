"""Pages of which one is in sight, that do not ask all others how high they would like to be."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget


class PageStack(QStackedWidget):
    """Pages that take the room they are given.

    Qt's own asks each page, also those out of sight, how high it is at every width that is tried, whenever a text in
    one of them changes. With pages in pages one new word in the window was 2,600 calls of Python, each of which waits
    for the interpreter while a job has it.
    """

    def hasHeightForWidth(self) -> bool:
        return False
