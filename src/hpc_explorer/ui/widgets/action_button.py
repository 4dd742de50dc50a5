"""Buttons of the bars: those that run a command, as the menus do, and others that look like them."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton

from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import GRID, current_theme, icon

ICON, TEXT, BOTH = (
    Qt.ToolButtonStyle.ToolButtonIconOnly,
    Qt.ToolButtonStyle.ToolButtonTextOnly,
    Qt.ToolButtonStyle.ToolButtonTextBesideIcon,
)
"""What can be seen on it."""


def action_button(action: QAction, shows: Qt.ToolButtonStyle = ICON, *, short: bool = False) -> QToolButton:
    """A button for an action, reached by Tab too.

    Args:
        action: may get its text later.
        shows: one of `ICON`, `TEXT` and `BOTH`; with a text it has a frame.
        short: whether screen readers say what is on the button, not the action's whole text.
    """
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(shows)
    button.setProperty("labelled", shows is not ICON)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def name() -> None:
        button.setAccessibleName(action.iconText() if short else action.text().replace("&", ""))

    if action.text():
        name()
    else:
        action.changed.connect(name, Qt.ConnectionType.SingleShotConnection)
    return button


def labelled_button(text: str, tip: str, name: str, *, checkable: bool = False) -> QToolButton:
    """A button with a text and a frame, reached by Tab too.

    Args:
        name: what screen readers call it.
    """
    button = QToolButton()
    button.setText(text)
    button.setToolTip(plain_tip(tip))
    button.setAccessibleName(name)
    button.setCheckable(checkable)
    button.setProperty("labelled", True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


class MenuButton(QToolButton):
    """A button with a label and an arrow; a click, Space or the down arrow opens its menu."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("labelled", True)
        self.setProperty("opens", "menu")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(2 * GRID, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        at = QRect(self.width() - 2 * GRID - 6, (self.height() - 12) // 2, 12, 12)
        icon("chevron-down", current_theme().muted).paint(QPainter(self), at)
