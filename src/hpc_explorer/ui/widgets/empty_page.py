"""A page on which there is nothing yet: what it is for, and what begins it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE


class EmptyPage(QWidget):
    """What there is to do where nothing is shown.

    Args:
        said: a title, and a sentence below it.
        actions: the buttons that begin something.
    """

    def __init__(self, said: tuple[str, str], actions: Sequence[QAction] = ()) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, 2 * GRID, GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addWidget(TextBlock(said[0], size=TITLE, weight=600))
        column.addWidget(TextBlock(said[1], muted=True))
        bar = QWidget()
        flow = FlowLayout(bar, GRID)
        for action in actions:
            flow.addWidget(action_button(action, TEXT))
        bar.setVisible(bool(actions))
        column.addWidget(bar)
        column.addStretch(1)
