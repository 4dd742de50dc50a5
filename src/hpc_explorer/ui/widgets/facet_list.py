"""One list of suggestions: what there is, how often, and more of it a page at a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.views import FacetRow
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.facet_rows import MORE, FacetDelegate, FacetModel
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, font, icon

_EMPTY_HEIGHT, _ANY_HEIGHT = 10 * GRID, 16_777_215
"""A list without rows leaves its room to the others."""


class _Rows(QListView):
    """The rows as a widget: Enter or a click chooses one, the menu key or a right click offers the ways to do so."""

    picked = Signal(object)
    menu_wanted = Signal(object, QPoint)
    left_upwards = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.rows = FacetModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(FacetDelegate(self))
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMinimumHeight(3 * 3 * GRID)
        self._is_second = False
        self.clicked.connect(self._pick)

    def _pick(self, index: QModelIndex) -> None:
        row = self.rows.row_at(index)
        if row is not None:
            self.picked.emit(row)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_mouse = event.reason() is Qt.FocusReason.MouseFocusReason  # a scroll now would move what is clicked
        if not by_mouse and not self.currentIndex().isValid() and self.rows.rowCount():
            self.setCurrentIndex(self.rows.index(0))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click chooses once: where the second press falls, another row may stand by now."""
        self._is_second = True

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._is_second:
            self._is_second = False
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (*ENTER, Qt.Key.Key_Space):
            self._pick(self.currentIndex())
        elif event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row = self.rows.row_at(index)
        if row is not None and row is not MORE:
            at = self.visualRect(index).bottomLeft() if by_key else event.pos()
            self.setCurrentIndex(index)
            self.menu_wanted.emit(row, self.viewport().mapToGlobal(at))


class FacetList(QWidget):
    """A list of suggestions with its title.

    Args:
        title: what is suggested, such as "Properties".
        nothing: what is said where there is nothing to suggest.
        name: the object name of the list.

    Attributes:
        rows: the list itself.
        words: what it is searched for.

    Signals:
        chosen(FacetRow): a row was clicked, or Enter was pressed on it.
        menu_wanted(FacetRow, QPoint): a row was right-clicked; where its menu is to open.
        more_wanted(int): more rows are wanted, from this number on.
        again_wanted(): what failed is to be tried again.
        left_upwards(): the keyboard wants to go to what is above.
        emptied(): there are no rows any more where the keyboard was.
    """

    chosen = Signal(object)
    menu_wanted = Signal(object, QPoint)
    more_wanted = Signal(int)
    again_wanted = Signal()
    left_upwards = Signal()
    emptied = Signal()

    def __init__(self, title: str, nothing: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._nothing = nothing
        self.words = ""
        self._heading = caption(title)
        self._total = Label()
        self._total.setProperty("role", "small")
        self._total.setFont(font(SMALL, figures=True))
        self.rows = _Rows(title)
        self.rows.setObjectName(name)
        self._said = TextBlock("", muted=True)
        self._again = QPushButton("Try again")
        self._waiting = QProgressBar()
        self._waiting.setRange(0, 0)
        self._waiting.setTextVisible(False)
        self._waiting.setFixedHeight(2)
        self._waiting.setAccessibleName(f"Looking for {title.lower()}")
        above = QHBoxLayout()
        above.setContentsMargins(GRID, 0, GRID, 0)
        above.setSpacing(GRID)
        above.addWidget(self._heading)
        above.addWidget(self._total)
        above.addStretch(1)
        self._above = above
        said = QVBoxLayout()
        said.setContentsMargins(GRID, 0, GRID, GRID // 2)
        said.setSpacing(GRID // 2)
        said.addWidget(self._said)
        said.addWidget(self._again, 0, Qt.AlignmentFlag.AlignLeft)
        column = column_in(self, 0, GRID // 2, 0, 0, spacing=GRID // 2)
        column.addLayout(above)
        column.addWidget(self._waiting)
        column.addLayout(said)
        column.addWidget(self.rows, 1)
        column.addStretch(0)
        self._column = column
        self.rows.picked.connect(self._pick)
        self.rows.menu_wanted.connect(self.menu_wanted)
        self.rows.left_upwards.connect(self.left_upwards)
        self._again.clicked.connect(self.again_wanted)
        self.setFocusProxy(self.rows)
        self._say("")
        self._waiting.hide()

    @property
    def said(self) -> str:
        """What is said in place of rows; empty where there are some."""
        return self._said.text() if self._said.isVisibleTo(self) else ""

    def add_tool(self, widget: QWidget) -> None:
        """Put a small widget beside the title."""
        self._above.addWidget(widget)

    def labels(self) -> list[str]:
        """The names of the rows, "more…" not among them."""
        return [row.label for row in self.rows.rows.rows if row is not MORE]

    def show_waiting(self) -> None:
        """Say that the rows are being looked for; the old ones stay in sight until then."""
        self._waiting.show()
        self._again.hide()

    def show_rows(self, rows: Sequence[FacetRow], total: str, *, has_more: bool, begins: bool = True) -> None:
        """Show suggestions.

        Args:
            total: how many there are in all.
            has_more: whether there are more than are shown.
            begins: False: they come after those that are there.
        """
        self._waiting.hide()
        had_keyboard = self.rows.hasFocus()
        if begins:
            at = self.rows.currentIndex().row()
            self.rows.rows.show(rows, has_more=has_more)
            if self.rows.hasFocus() and rows:
                self.rows.setCurrentIndex(self.rows.rows.index(min(max(at, 0), len(rows) - 1)))
            self._total.setText(total)
            self._say("" if rows else (f"Nothing here is called “{self.words}”." if self.words else self._nothing))
        else:
            at = len(self.rows.rows.rows) - 1
            self.rows.rows.add(rows, has_more=has_more)
            self.rows.setCurrentIndex(self.rows.rows.index(max(at, 0)))
        if had_keyboard and not rows:
            self.emptied.emit()

    def show_error(self, why: str) -> None:
        """Say why there are no suggestions; that is not the same as none."""
        self._waiting.hide()
        self.rows.rows.show((), has_more=False)
        self._total.setText("?")
        self._say(why)
        self._again.show()
        self.setMaximumHeight(_ANY_HEIGHT)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.rows.rows.theme = theme
        self._again.setIcon(icon("refresh", theme.muted))
        self.rows.viewport().update()

    def _say(self, text: str) -> None:
        self._said.say(text)
        self._said.setVisible(bool(text))
        self._again.hide()
        self.rows.setVisible(not text)
        self.setMaximumHeight(_EMPTY_HEIGHT if text and self._again.isHidden() else _ANY_HEIGHT)
        self._column.setStretch(self._column.count() - 1, 1 if text else 0)

    def _pick(self, row: FacetRow) -> None:
        if row is MORE:
            self.more_wanted.emit(len(self.rows.rows.rows) - 1)
        else:
            self.chosen.emit(row)
