"""The base of delegates that paint rows of their own on the background of the style."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem


class RowDelegate(QStyledItemDelegate):
    """A delegate whose `paint` begins with `paint_background`."""

    def paint_background(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QIcon:
        """Paint a row without its text and icon; returns the icon."""
        self.initStyleOption(option, index)
        mark, view = QIcon(option.icon), option.widget
        option.text, option.icon = "", QIcon()
        view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, view)
        return mark


def draw_elided(
    painter: QPainter, rect: QRect, text: str, used: QFont, side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
) -> None:
    """Draw a text in one line, shortened to fit."""
    painter.setFont(used)
    text = QFontMetrics(used).elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | side, text)
