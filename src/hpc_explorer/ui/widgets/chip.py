"""A button for a class of a resource."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import GRID, SMALL, class_mark, current_theme, font


class Chip(QAbstractButton):
    """A class with its colour and name.

    Args:
        name: its name; its label by default.
        inferred: it is inferred; the outline is dashed.
        gone: it will be removed; the name is struck out.
    """

    def __init__(
        self,
        ref: ResourceRef,
        parent: QWidget | None = None,
        *,
        name: str = "",
        inferred: bool = False,
        gone: bool = False,
    ) -> None:
        super().__init__(parent)
        self._inferred, self._gone = inferred, gone
        self.setText(name or ref.label)
        self.setShortcut("")  # Qt creates one for an "&" in the text
        self.setAccessibleName(f"Class {self.text()}" + (", inferred" if inferred else ""))
        self.setToolTip(plain_tip(f"{ref.iri}\nInferred from the sources" if inferred else ref.iri))
        letters = font(SMALL, 500)
        letters.setStrikeOut(gone)
        self.setFont(letters)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._colour_key = ref.colour_key
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + 5 * GRID, 3 * GRID)

    def minimumSizeHint(self) -> QSize:
        return QSize(6 * GRID, 3 * GRID)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        role = QPalette.ColorRole
        palette = self.palette()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
        line = QPen(palette.color(role.Accent if self.hasFocus() else role.Dark if self._inferred else role.Mid))
        line.setStyle(Qt.PenStyle.DashLine if self._inferred else Qt.PenStyle.SolidLine)
        painter.setPen(line)
        painter.setBrush(palette.color(role.Light) if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(outline, outline.height() / 2, outline.height() / 2)
        mark = class_mark(self._colour_key, current_theme())
        mark.paint(painter, QRect(QPoint(GRID - 2, self.height() // 2 - 8), QSize(16, 16)))
        painter.setPen(palette.color(role.PlaceholderText if self._gone else role.WindowText))
        inner = self.rect().adjusted(GRID + 20, 0, -GRID, 0)
        text = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
