"""Suggestions as rows of a list: the model and the painting."""

from __future__ import annotations

from collections.abc import Sequence
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
)
from PySide6.QtGui import (
    QFontMetrics,
    QPainter,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import (
    QStyleOptionViewItem,
    QWidget,
)

from hpc_explorer.app.views import FacetRow
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.row_delegate import RowDelegate, draw_elided
from hpc_explorer.ui.widgets.text import shortened
from hpc_explorer.ui.widgets.theme import GRID, SMALL, class_mark, current_theme, font

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole


_LONGEST = 400
"""The most characters of a name that are measured."""


MORE = FacetRow(None, "more…")
"""The last row if there are more."""


class FacetModel(QAbstractListModel):
    """A Qt model of suggestions; the last row loads more, if there are more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[FacetRow] = []

    def show(self, rows: Sequence[FacetRow], *, has_more: bool) -> None:
        """Replace the rows."""
        self.beginResetModel()
        self.rows = [*rows, *([MORE] if has_more else [])]
        self.endResetModel()

    def add(self, rows: Sequence[FacetRow], *, has_more: bool) -> None:
        """Append rows."""
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
        """The row of an index."""
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
            return plain_tip(shortened(row.tip)) if row.tip else None
        if role == Qt.ItemDataRole.DecorationRole and row.colour_key:
            return class_mark(row.colour_key, current_theme())
        if role == ROW_ROLE:
            return row
        return None


class FacetDelegate(RowDelegate):
    """Draws a row: a mark, the name with a remark, and the count at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(12 * GRID, 3 * GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: FacetRow = index.data(ROW_ROLE)
        mark, view = self.paint_background(painter, option, index), option.widget
        palette = view.palette()
        muted, text = palette.color(QPalette.ColorRole.PlaceholderText), palette.color(QPalette.ColorRole.Text)
        rect: QRect = option.rect.adjusted(GRID, 0, -GRID, 0)
        painter.save()
        if row is MORE:
            painter.setPen(palette.color(QPalette.ColorRole.Link))
            draw_elided(painter, rect, row.label, font())
            painter.restore()
            return
        if row.is_ticked is not None:
            _draw_box(painter, QRect(rect.left(), rect.center().y() - 6, 14, 14), view, row.is_ticked)
            rect.setLeft(rect.left() + 14 + GRID)
        if row.way:
            painter.setPen(muted)
            draw_elided(painter, QRect(rect.left(), rect.top(), 16, rect.height()), row.way, font())
            rect.setLeft(rect.left() + 16 + GRID // 2)
        if row.colour_key:
            mark.paint(painter, QRect(rect.left(), rect.center().y() - 4, 10, 10))
            rect.setLeft(rect.left() + 10 + GRID)
        if row.count:
            figures = font(SMALL, figures=True)
            used = QFontMetrics(figures).horizontalAdvance(row.count) + 2
            painter.setPen(muted)
            beside = QRect(rect.right() - used, rect.top(), used, rect.height())
            draw_elided(painter, beside, row.count, figures, Qt.AlignmentFlag.AlignRight)
            rect.setRight(rect.right() - used - GRID)
        painter.setPen(text)
        label, drawn_in = row.label[:_LONGEST], font()
        draw_elided(painter, rect, label, drawn_in)
        if row.detail:
            rect.setLeft(rect.left() + QFontMetrics(drawn_in).horizontalAdvance(label) + GRID)
            if rect.width() > 3 * GRID:
                painter.setPen(muted)
                draw_elided(painter, rect, row.detail[:_LONGEST], font(SMALL))
        painter.restore()


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
