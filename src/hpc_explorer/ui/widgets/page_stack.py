"""A stack of pages that does not ask hidden pages for their heights."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget


class PageStack(QStackedWidget):
    """A stack of pages.

    Qt's own stack asks each page, also hidden ones, for its height at every tried width whenever a text changes. In
    nested stacks, one new word caused 2,600 calls of Python, each waiting for the interpreter during a job.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def hasHeightForWidth(self) -> bool:
        return False

    def minimumSizeHint(self) -> QSize:
        """The width of the widest page and the height of the visible one."""
        page, widest = self.currentWidget(), super().minimumSizeHint()
        if page is None:
            return widest
        margins = self.contentsMargins()
        high = max(page.minimumSizeHint().height(), page.minimumHeight()) + margins.top() + margins.bottom()
        return QSize(widest.width(), high)
