"""Buttons of the bars: those that run a command, as the menus do, and others that look like them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QToolButton

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


class Choice(NamedTuple):
    """One of the values of a `ChoiceButton`.

    Attributes:
        text: what the button shows.
        title: what the menu shows; empty: the text.
        tip: the tool tip in the menu.
    """

    value: Any
    text: str
    title: str = ""
    tip: str = ""


class ChoiceButton(MenuButton):
    """A button that shows the chosen one of a few values, and offers all in its menu.

    Args:
        name: what is chosen, for screen readers: "Comparison".
        choices: the values; the first one is chosen at first.

    Attributes:
        value: the chosen value.

    Signals:
        chosen(object): the user chose another value.
    """

    chosen = Signal(object)

    def __init__(self, name: str, choices: Sequence[Choice], tip: str) -> None:
        super().__init__()
        self._name, self._choices = name, choices
        menu = QMenu(self)
        for one in choices:
            action = menu.addAction(one.title or one.text, partial(self._choose, one.value))
            action.setCheckable(True)
            if one.tip:
                action.setToolTip(plain_tip(one.tip))
        menu.setToolTipsVisible(any(one.tip for one in choices))
        self.setMenu(menu)
        self.setToolTip(tip)
        self.set_value(choices[0].value)

    def set_value(self, value: Any) -> None:
        """Show a value as the chosen one."""
        self.value: Any = value
        for one, action in zip(self._choices, self.menu().actions(), strict=True):
            action.setChecked(one.value == value)
            if one.value == value:
                self.setText(one.text)
                self.setAccessibleName(f"{self._name}: {one.title or one.text}")

    def _choose(self, value: Any) -> None:
        changes = value != self.value
        self.set_value(value)  # the menu has ticked its action
        if changes:
            self.chosen.emit(value)
