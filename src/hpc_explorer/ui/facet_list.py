"""One list of suggestions: what there is, how often, and more of it a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QProgressBar,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.ui.text import TextBlock, caption, shortened
from hpc_explorer.ui.theme import GRID, SMALL, class_mark, font, icon

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole

_EMPTY_HEIGHT, _ANY_HEIGHT = 10 * GRID, 16_777_215
"""A list without rows leaves its room to the others."""

_LONGEST = 400
"""Characters of a name that are measured; no row is so wide."""


@dataclass(frozen=True)
class FacetRow:
    """A suggestion as it is read.

    Args:
        key: what it stands for; given back when it is chosen.
        label: its name.
        count: how often, as a person reads it.
        detail: a muted remark after the name.
        tip: shown on hover.
        way: → or ← before a property: from the focus, or to it.
        colour_key: the class whose mark stands before it; empty: none.
        is_ticked: whether the query asks for it; None: it cannot be ticked.
    """

    key: object
    label: str
    count: str = ""
    detail: str = ""
    tip: str = ""
    way: str = ""
    colour_key: str = ""
    is_ticked: bool | None = None

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        way = {"→": "to", "←": "from"}.get(self.way, "")
        count = {"": "", "?": "not counted"}.get(self.count, self.count)
        ticked = "chosen" if self.is_ticked else ""
        return ", ".join(part for part in (way, self.label, self.detail, count, ticked) if part)


MORE = FacetRow(None, "more…")
"""The row after the last one, where there are more."""


class FacetModel(QAbstractListModel):
    """The rows as Qt's views read them; the last leads to more, where there are more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[FacetRow] = []
        self.theme = LIGHT

    def show(self, rows: Sequence[FacetRow], *, has_more: bool) -> None:
        """Show these in place of the old ones."""
        self.beginResetModel()
        self.rows = [*rows, *([MORE] if has_more else [])]
        self.endResetModel()

    def add(self, rows: Sequence[FacetRow], *, has_more: bool) -> None:
        """Show these after the others."""
        if self.rows and self.rows[-1] is MORE:
            last = len(self.rows) - 1
            self.beginRemoveRows(QModelIndex(), last, last)
            self.rows.pop()
            self.endRemoveRows()
        added = [*rows, *([MORE] if has_more else [])]
        if added:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(added) - 1)
            self.rows += added
            self.endInsertRows()

    def row_at(self, index: Index) -> FacetRow | None:
        """What stands in a row."""
        return self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.label[:_LONGEST]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return shortened(row.spoken)
        if role == Qt.ItemDataRole.ToolTipRole:
            return shortened(row.tip) if row.tip else None
        if role == Qt.ItemDataRole.DecorationRole and row.colour_key:
            return class_mark(row.colour_key, self.theme)
        if role == ROW_ROLE:
            return row
        return None


class FacetDelegate(QStyledItemDelegate):
    """Draws a row: its tick or way, its mark, its name with a remark, and the count at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(12 * GRID, 3 * GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: FacetRow = index.data(ROW_ROLE)
        self.initStyleOption(option, index)
        mark, view = QIcon(option.icon), option.widget
        option.text = ""
        option.icon = QIcon()
        view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, view)
        palette = view.palette()
        muted, text = palette.color(QPalette.ColorRole.PlaceholderText), palette.color(QPalette.ColorRole.Text)
        rect: QRect = option.rect.adjusted(GRID, 0, -GRID, 0)
        painter.save()
        if row is MORE:
            painter.setPen(palette.color(QPalette.ColorRole.Link))
            _draw(painter, rect, row.label, font())
            painter.restore()
            return
        if row.is_ticked is not None:
            _draw_box(painter, QRect(rect.left(), rect.center().y() - 6, 14, 14), view, row.is_ticked)
            rect.setLeft(rect.left() + 14 + GRID)
        if row.way:
            painter.setPen(muted)
            _draw(painter, QRect(rect.left(), rect.top(), 16, rect.height()), row.way, font())
            rect.setLeft(rect.left() + 16 + GRID // 2)
        if row.colour_key:
            mark.paint(painter, QRect(rect.left(), rect.center().y() - 4, 10, 10))
            rect.setLeft(rect.left() + 10 + GRID)
        if row.count:
            figures = font(SMALL, figures=True)
            used = QFontMetrics(figures).horizontalAdvance(row.count) + 2
            painter.setPen(muted)
            beside = QRect(rect.right() - used, rect.top(), used, rect.height())
            _draw(painter, beside, row.count, figures, Qt.AlignmentFlag.AlignRight)
            rect.setRight(rect.right() - used - GRID)
        painter.setPen(text)
        label, drawn_in = row.label[:_LONGEST], font()
        _draw(painter, rect, label, drawn_in)
        if row.detail:
            rect.setLeft(rect.left() + QFontMetrics(drawn_in).horizontalAdvance(label) + GRID)
            if rect.width() > 3 * GRID:
                painter.setPen(muted)
                _draw(painter, rect, row.detail[:_LONGEST], font(SMALL))
        painter.restore()


def _draw(
    painter: QPainter, rect: QRect, text: str, used: QFont, side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
) -> None:
    painter.setFont(used)
    text = QFontMetrics(used).elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | side, text)


def _draw_box(painter: QPainter, rect: QRect, view: QWidget, is_ticked: bool) -> None:
    palette = view.palette()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    role = QPalette.ColorRole.Accent if is_ticked else QPalette.ColorRole.Dark
    painter.setPen(QPen(palette.color(role), 1))
    painter.setBrush(palette.color(role) if is_ticked else palette.color(QPalette.ColorRole.Base))
    painter.drawRoundedRect(rect.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    if is_ticked:
        painter.setPen(QPen(palette.color(QPalette.ColorRole.HighlightedText), 1.6))
        left, top = rect.left(), rect.top()
        painter.drawPolyline([QPoint(left + 3, top + 7), QPoint(left + 6, top + 10), QPoint(left + 11, top + 4)])


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

    def _pick(self, index: Index) -> None:
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
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
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
        self._total = QLabel()
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID // 2, 0, 0)
        column.setSpacing(GRID // 2)
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
        """Take over the colours."""
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
