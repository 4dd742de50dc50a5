"""A button that opens a menu."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton

from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.ui.widgets.theme import GRID, icon


class MenuButton(QToolButton):
    """A button with a label and an arrow; a click, Space or the down arrow opens its menu."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self.setProperty("labelled", True)
        self.setProperty("opens", "menu")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(2 * GRID, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        at = QRect(self.width() - 2 * GRID - 6, (self.height() - 12) // 2, 12, 12)
        icon("chevron-down", self._theme.muted).paint(QPainter(self), at)
