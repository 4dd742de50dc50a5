"""The full description and reason of an edit, shown below the list."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from hpc_explorer.app.journal.journal import JournalEntry
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.changes.journal_list import full_text, what
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, shortened
from hpc_explorer.ui.widgets.theme import GRID

LONGEST_WORDS = 120
"""The most characters of a description; its tooltip has all."""

HIGHEST, LEAST = 14 * GRID, 5 * GRID
"""The maximum and minimum height in pixels; longer text scrolls."""


class EntryText(QScrollArea):
    """The description and reason of an edit, as high as the text needs; hidden without an edit.

    Attributes:
        what, why: the two texts.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("The chosen edit in full")
        self.what = TextBlock("", weight=600)
        self.why = TextBlock("")
        page = QWidget()
        page.setObjectName("answered")
        self._column = column_in(page, 0, GRID, GRID, GRID // 2, spacing=2)
        add_parts(self._column, self.what, self.why, 1)
        self.setWidget(page)

    def show_entry(self, entry: JournalEntry | None) -> None:
        """Show the description and reason of an edit."""
        self.setVisible(entry is not None)
        if entry is None:
            return
        self.what.say(brief(what(entry), LONGEST_WORDS))
        self.setToolTip(plain_tip(shortened(full_text(entry))))
        self.why.say(f"Why: {entry.why}")
        self.why.setVisible(bool(entry.why))
        self.verticalScrollBar().setValue(0)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(40 * GRID, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        high = self._column.totalHeightForWidth(self.contentsRect().width())
        around = self.parentWidget()
        room = HIGHEST if around is None else max(LEAST, 2 * around.height() // 5)
        self.setFixedHeight(min(high, room, HIGHEST))
        # Only text that scrolls needs the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if high > self.height() else Qt.FocusPolicy.NoFocus)


def told_above(told: EntryText, changes: QWidget) -> QWidget:
    """The description of an edit above its changes."""
    page = QWidget()
    column = column_in(page, spacing=GRID // 2)
    column.addWidget(told)
    column.addWidget(changes, 1)
    return page
