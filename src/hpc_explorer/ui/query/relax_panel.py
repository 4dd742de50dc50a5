"""Why a query finds nothing: each of its conditions with how many rows there would be without it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QScrollArea, QVBoxLayout, QWidget

from hpc_explorer.app.query.facets import Relief
from hpc_explorer.canvas.text import brief
from hpc_explorer.stores.base import Count, CountKind
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, TITLE, font

LONGEST = 200


class RelaxPanel(QScrollArea):
    """Stands in place of the rows where there are none.

    Attributes:
        buttons: one for each condition that can be taken away, in the order they stand.

    Signals:
        relax_wanted(Relief): this is to be taken away.
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
        """Say that what would help is being looked for."""
        column = self._begin()
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedHeight(4)
        bar.setAccessibleName("Counting the rows without each condition")
        column.addWidget(bar)
        column.addStretch(1)

    def show_reliefs(self, reliefs: Sequence[Relief]) -> None:
        """Show what would help, that which gives most first."""
        column = self._begin()
        # Of those that give as much, the last that was asked for.
        last_first = list(reliefs)[::-1]
        last_first.sort(key=_usefulness)
        self.reliefs = tuple(last_first)
        if not reliefs:
            column.addWidget(TextBlock("No single condition is the cause: take one back, or begin anew.", muted=True))
        elif not any(relief.count.value or relief.count.kind is CountKind.UNKNOWN for relief in reliefs):
            column.addWidget(TextBlock("Taking one condition away is not enough: take away two.", muted=True))
        else:
            column.addWidget(TextBlock("Without one of them there would be rows:", muted=True))
        for relief in self.reliefs:
            column.addWidget(self._row(relief))
        column.addStretch(1)

    def show_error(self, why: str) -> None:
        """Say why it cannot be told."""
        column = self._begin()
        column.addWidget(TextBlock(f"What would help cannot be told: {why}", muted=True))
        column.addStretch(1)

    def _begin(self) -> QVBoxLayout:
        self.buttons, self.reliefs = [], ()
        page = QWidget()
        page.setObjectName("answered")
        column = QVBoxLayout(page)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addWidget(TextBlock("Nothing meets all conditions", size=TITLE, weight=600))
        self.setWidget(page)
        return column

    def _row(self, relief: Relief) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2 * GRID)
        button = QPushButton("Take away")
        button.setAccessibleName(f"Take away “{brief(relief.words, LONGEST)}”, which gives {relief.count} rows")
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
    """Known rows first, the most of them first; then what is not known; then what would not help."""
    if relief.count.kind is CountKind.UNKNOWN:
        return 1, 0
    return (0, -relief.count.value) if relief.count.value else (2, 0)
