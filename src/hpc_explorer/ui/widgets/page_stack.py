"""A stack of pages, and pages that say what is missing or how to begin."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.tab_order import follow
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE


class PageStack(QStackedWidget):
    """A stack of pages.

    Qt's own stack asks each page, also hidden ones, for its height at every tried width whenever a text changes. In
    nested stacks, one new word caused 2,600 calls of Python, each waiting for the interpreter during a job.
    """

    def __init__(self) -> None:
        super().__init__()
        self._late: dict[QWidget, QWidget] = {}
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def add_late(self, page: QWidget) -> None:
        """Add a page that becomes a part of the window when it is first shown; until then Qt does not style it."""
        holder = QWidget()
        holder.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # it holds the page's place in the tab order too
        self.addWidget(holder)
        self._late[holder] = page

    def setCurrentIndex(self, index: int) -> None:
        """Show a page by its number."""
        holder = self.widget(index)
        if holder in self._late:
            page = self._late.pop(holder)
            self.insertWidget(index, page)
            follow(holder, page)
            self.removeWidget(holder)
            holder.deleteLater()
        super().setCurrentIndex(index)

    def setCurrentWidget(self, page: QWidget) -> None:
        """Show a page."""
        holder = next((holder for holder, late in self._late.items() if late is page), page)
        self.setCurrentIndex(self.indexOf(holder))

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


class EmptyPage(QWidget):
    """A page without content yet.

    Args:
        said: a title and a sentence.
        actions: the buttons.
    """

    def __init__(self, said: tuple[str, str], actions: Sequence[QAction] = ()) -> None:
        super().__init__()
        column = column_in(self, GRID, 2 * GRID, GRID, 2 * GRID, spacing=GRID)
        column.addWidget(TextBlock(said[0], size=TITLE, weight=600))
        column.addWidget(TextBlock(said[1], muted=True))
        bar = QWidget()
        flow = FlowLayout(bar, GRID)
        for action in actions:
            flow.addWidget(action_button(action, TEXT))
        column.addWidget(bar)
        bar.setVisible(bool(actions))  # shown before, it would be a window of its own
        column.addStretch(1)
