"""Explains an empty result: each condition with the number of rows without it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QScrollArea, QVBoxLayout, QWidget

from hpc_explorer.app.query.facets import Relief
from hpc_explorer.canvas.text import brief
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.ui.widgets.dialog_parts import column_in, replace_content, row_in
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE, font

LONGEST = 200


class RelaxPanel(QScrollArea):
    """Replaces the rows when there are none.

    Attributes:
        buttons: one for each condition that can be removed, in the order shown.

    Signals:
        relax_wanted(Relief): a condition to remove.
    """

    relax_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ask-relax")
        self.setAccessibleName("Nothing meets all conditions")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.buttons: list[QPushButton] = []
        self.reliefs: tuple[Relief, ...] = ()

    def show_waiting(self) -> None:
        """Show that the rows are being counted."""
        column = self._begin()
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedHeight(4)
        bar.setAccessibleName("Counting the rows without each condition")
        column.addWidget(bar)
        column.addStretch(1)

    def show_reliefs(self, reliefs: Sequence[Relief]) -> None:
        """Show the conditions, those whose removal gives most rows first."""
        column = self._begin()
        # Among equals, the condition added last comes first.
        last_first = list(reliefs)[::-1]
        last_first.sort(key=_usefulness)
        self.reliefs = tuple(last_first)
        if not reliefs:
            column.addWidget(TextBlock("No single condition is the cause: undo a step, or start again.", muted=True))
        elif not any(relief.count.value or relief.count.kind is CountKind.UNKNOWN for relief in reliefs):
            column.addWidget(TextBlock("Removing one condition is not enough: remove two.", muted=True))
        else:
            column.addWidget(TextBlock("Without one of these conditions there are rows:", muted=True))
        for relief in self.reliefs:
            column.addWidget(self._row(relief))
        column.addStretch(1)

    def show_error(self, why: str) -> None:
        """Show why the rows could not be counted."""
        column = self._begin()
        column.addWidget(TextBlock(f"The rows without each condition could not be counted: {why}", muted=True))
        column.addStretch(1)

    def _begin(self) -> QVBoxLayout:
        self.buttons, self.reliefs = [], ()
        page = QWidget()
        page.setObjectName("answered")
        column = column_in(page, 2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID, spacing=GRID)
        column.addWidget(TextBlock("Nothing meets all conditions", size=TITLE, weight=600))
        replace_content(self, page)
        return column

    def _row(self, relief: Relief) -> QWidget:
        row = QWidget()
        line = row_in(row, spacing=2 * GRID)
        button = QPushButton("Remove")
        button.setAccessibleName(f"Remove “{brief(relief.words, LONGEST)}”, which gives {relief.count} rows")
        button.clicked.connect(lambda: self.relax_wanted.emit(relief))
        self.buttons.append(button)
        count = Label(f"{relief.count} row{'' if relief.count == Count(1) else 's'}")
        count.setFont(font(figures=True, weight=600 if relief.count.value else 400))
        count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        count.setFixedWidth(12 * GRID)
        line.addWidget(button)
        line.addWidget(count)
        line.addWidget(TextBlock(brief(relief.words, LONGEST)), 1, Qt.AlignmentFlag.AlignVCenter)
        return row


def _usefulness(relief: Relief) -> tuple[int, int]:
    """Sort known counts first, highest first; then unknown ones; then zero."""
    if relief.count.kind is CountKind.UNKNOWN:
        return 1, 0
    return (0, -relief.count.value) if relief.count.value else (2, 0)
