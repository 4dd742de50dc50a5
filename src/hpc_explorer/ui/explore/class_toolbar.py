"""The row of buttons above the picture of the classes."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.theme import GRID


class ClassToolbar(QWidget):
    """A button for each command of the class view."""

    def __init__(self, actions: Iterable[QAction]) -> None:
        super().__init__()
        row = OneLine(self, GRID)
        for action in actions:
            row.addWidget(action_button(action, TEXT))
