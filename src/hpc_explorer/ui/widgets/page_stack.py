"""Pages of which one is in sight, that do not ask all others how high they would like to be."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget


class PageStack(QStackedWidget):
    """Pages that take the room they are given.

    Qt's own asks each page, also those out of sight, how high it is at every width that is tried, whenever a text in
    one of them changes. With pages in pages one new word in the window was 2,600 calls of Python, each of which waits
    for the interpreter while a job has it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def hasHeightForWidth(self) -> bool:
        return False

    def minimumSizeHint(self) -> QSize:
        """As wide as the widest page needs, and as high as the one in sight: a page out of sight makes none higher."""
        page, widest = self.currentWidget(), super().minimumSizeHint()
        if page is None:
            return widest
        margins = self.contentsMargins()
        high = max(page.minimumSizeHint().height(), page.minimumHeight()) + margins.top() + margins.bottom()
        return QSize(widest.width(), high)
