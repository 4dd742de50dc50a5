"""Lists of resources: search results, instances, values of a property."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyleOptionViewItem,
    QWidget,
)

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.row_delegate import RowDelegate, draw_elided
from hpc_explorer.ui.widgets.theme import BODY, GRID, SMALL, class_mark, current_theme, font

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class ResourceRow:
    """A row with a resource or a literal.

    Args:
        label: the main text.
        second: a muted line or remark.
        tip: the tooltip.
        target: the resource that a click opens, if any.
        span: the characters of the label that match the search.
    """

    label: str
    second: str
    tip: str
    target: ResourceRef | None
    span: tuple[int, int] = (0, 0)


def row_of(ref: ResourceRef, second: str = "", span: tuple[int, int] = (0, 0)) -> ResourceRow:
    """The row of a resource."""
    return ResourceRow(ref.label, second, ref.iri, ref, span)


class ResourceListModel(QAbstractListModel):
    """A Qt model of resources that loads more rows when the end becomes visible."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ResourceRow] = []
        self._ask_more: Callable[[int], None] | None = None
        self._asked = False

    def set_rows(self, rows: tuple[ResourceRow, ...], ask_more: Callable[[int], None] | None = None) -> None:
        """Replace the rows.

        Args:
            ask_more: loads more rows and calls `add_rows`; receives the number of rows.
        """
        self.beginResetModel()
        self._rows = list(rows)
        self._ask_more = ask_more
        self._asked = False
        self.endResetModel()

    def add_rows(self, rows: tuple[ResourceRow, ...], *, last: bool) -> None:
        """Append rows."""
        if last:
            self._ask_more = None
        self._asked = False
        if rows:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows.extend(rows)
            self.endInsertRows()

    def row_at(self, index: Index) -> ResourceRow | None:
        """The row of an index."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:
        return self._ask_more is not None and not self._asked

    def fetchMore(self, parent: Index) -> None:
        if self._ask_more is not None and not self._asked:
            self._asked = True
            self._ask_more(len(self._rows))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (row.label, row.second) if part)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(row.tip) if row.tip else row.tip
        if role == Qt.ItemDataRole.DecorationRole and row.target is not None:
            return class_mark(row.target.colour_key, current_theme())
        if role == ROW_ROLE:
            return row
        return None


class ResourceDelegate(RowDelegate):
    """Draws a row: mark, label with the match in bold, and the remark.

    Args:
        lines: 2 for the remark below the label, 1 for the remark at its right.
    """

    def __init__(self, lines: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines = lines

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, 5 * GRID if self._lines == 2 else 3 * GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        icon, palette = self.paint_background(painter, option, index), option.widget.palette()
        rect: QRect = option.rect.adjusted(GRID, 0, -GRID, 0)
        icon.paint(painter, QRect(rect.left(), rect.top() + (rect.height() - 10) // 2, 10, 10))
        rect.setLeft(rect.left() + 10 + GRID)
        muted = palette.color(QPalette.ColorRole.PlaceholderText)
        text = palette.color(QPalette.ColorRole.Text)
        painter.save()
        if self._lines == 2:
            upper = QRect(rect.left(), rect.top() + 4, rect.width(), 17)
            lower = QRect(rect.left(), rect.top() + 21, rect.width(), 14)
            painter.setPen(text)
            _draw_matched(painter, upper, row.label, row.span)
            painter.setPen(muted)
            draw_elided(painter, lower, row.second, font(SMALL))
        else:
            used = 0
            if row.second:
                used = min(QFontMetrics(font(SMALL)).horizontalAdvance(row.second) + 2, rect.width() // 2) + GRID
                painter.setPen(muted)
                beside = QRect(rect.right() - used + GRID, rect.top(), used - GRID, rect.height())
                draw_elided(painter, beside, row.second, font(SMALL))
            painter.setPen(text)
            draw_elided(painter, rect.adjusted(0, 0, -used, 0), row.label, font())
        painter.restore()


def _draw_matched(painter: QPainter, rect: QRect, text: str, span: tuple[int, int]) -> None:
    """Draw a label with its match in bold, shortened to fit."""
    start, end = span
    rest = QRect(rect)
    for part, weight in ((text[:start], 400), (text[start:end], 600), (text[end:], 400)):
        if part and rest.width() > 0:
            used = font(BODY, weight)
            draw_elided(painter, rest, part, used)
            rest.setLeft(rest.left() + QFontMetrics(used).horizontalAdvance(part))


class ResourceList(QListView):
    """A list of resources.

    Args:
        name: the accessible name.
        lines: lines of each row, 1 or 2.

    Signals:
        opened(ResourceRef): a row was clicked, or Enter was pressed on it.
    """

    opened = Signal(object)

    def __init__(self, name: str, lines: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ResourceListModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(ResourceDelegate(lines, self))
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.clicked.connect(self.open_row)

    def open_row(self, index: Index) -> None:
        """Emit `opened` for a row."""
        row = self.rows.row_at(index)
        if row is not None and row.target is not None:
            self.opened.emit(row.target)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.open_row(self.currentIndex())
        else:
            super().keyPressEvent(event)
