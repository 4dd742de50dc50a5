"""A page without content yet: its purpose, and buttons to begin."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE


class EmptyPage(QWidget):
    """A page without content yet.

    Args:
        said: a title and a sentence.
        actions: the buttons.
    """

    def __init__(self, said: tuple[str, str], actions: Sequence[QAction] = ()) -> None:
        super().__init__()
        column = column_in(self, GRID, 2 * GRID, GRID, 2 * GRID, spacing=GRID)
        column.addWidget(TextBlock(said[0], size=TITLE, weight=600))
        column.addWidget(TextBlock(said[1], muted=True))
        bar = QWidget()
        flow = FlowLayout(bar, GRID)
        for action in actions:
            flow.addWidget(action_button(action, TEXT))
        bar.setVisible(bool(actions))
        column.addWidget(bar)
        column.addStretch(1)
