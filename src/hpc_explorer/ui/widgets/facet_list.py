"""A list of suggestions with counts, loaded page by page."""

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
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.facet_rows import MORE, FacetDelegate, FacetModel
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme, font, icon, on_theme

_EMPTY_HEIGHT, _ANY_HEIGHT = 10 * GRID, 16_777_215
"""An empty list takes no room."""


class _Rows(QListView):
    """The list: a click or Enter chooses a row, the menu key or a right click opens its menu."""

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
        # Scrolling now would move the row under the pointer.
        by_mouse = event.reason() is Qt.FocusReason.MouseFocusReason
        if not by_mouse and not self.currentIndex().isValid() and self.rows.rowCount():
            self.setCurrentIndex(self.rows.index(0))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ignore the second click: another row may be there by now."""
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
        title: such as "Properties".
        nothing: the text of an empty list.
        name: the object name of the list.

    Attributes:
        rows: the list.
        words: the search text.

    Signals:
        chosen(FacetRow): a row was clicked, or Enter was pressed on it.
        menu_wanted(FacetRow, QPoint): open the menu of a row at this place.
        more_wanted(int): load more rows from this number on.
        again_wanted(): retry after an error.
        left_upwards(): focus the widget above.
        emptied(): the focused list has become empty.
    """

    chosen = Signal(object)
    menu_wanted = Signal(object, QPoint)
    more_wanted = Signal(int)
    again_wanted = Signal()
    left_upwards = Signal()
    emptied = Signal()

    def __init__(self, title: str, nothing: str, name: str) -> None:
        super().__init__()
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
        add_parts(above, self._heading, self._total, 1)
        self._above = above
        said = QVBoxLayout()
        said.setContentsMargins(GRID, 0, GRID, GRID // 2)
        said.setSpacing(GRID // 2)
        said.addWidget(self._said)
        said.addWidget(self._again, 0, Qt.AlignmentFlag.AlignLeft)
        column = column_in(self, 0, GRID // 2, 0, 0, spacing=GRID // 2)
        add_parts(column, above, self._waiting, said, (self.rows, 1), 0)
        self._column = column
        self.rows.picked.connect(self._pick)
        self.rows.menu_wanted.connect(self.menu_wanted)
        self.rows.left_upwards.connect(self.left_upwards)
        self._again.clicked.connect(self.again_wanted)
        self.setFocusProxy(self.rows)
        self._say("")
        self._waiting.hide()
        self._dress()
        on_theme(self._dress)

    @property
    def said(self) -> str:
        """The text shown instead of rows, if any."""
        return self._said.text() if self._said.isVisibleTo(self) else ""

    def add_tool(self, widget: QWidget) -> None:
        """Add a small widget beside the title."""
        self._above.addWidget(widget)

    def labels(self) -> list[str]:
        """The names of the rows."""
        return [row.label for row in self.rows.rows.rows if row is not MORE]

    def show_waiting(self) -> None:
        """Show that rows are loading; the old ones stay visible."""
        self._waiting.show()
        self._again.hide()

    def show_rows(self, rows: Sequence[FacetRow], total: str, *, has_more: bool, begins: bool = True) -> None:
        """Show suggestions.

        Args:
            total: the number of all suggestions.
            has_more: whether there are more than shown.
            begins: False to append to the shown ones.
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
        """Show why there are no suggestions."""
        self._waiting.hide()
        self.rows.rows.show((), has_more=False)
        self._total.setText("?")
        self._say(why)
        self._again.show()
        self.setMaximumHeight(_ANY_HEIGHT)

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._again.setIcon(icon("refresh", current_theme().muted))

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
