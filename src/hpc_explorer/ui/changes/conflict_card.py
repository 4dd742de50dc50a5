"""One conflict of a push: the choices mine, theirs and both side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QRadioButton, QWidget

from hpc_explorer.annotate.pushing.values import Choice
from hpc_explorer.app.journal.push_viewing import ConflictView
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL

LONGEST_NAME = 120
MOST_VALUES = 12
"""The most values listed for a side."""

TITLES = {Choice.MINE: "Mine", Choice.THEIRS: "Theirs", Choice.BOTH: "Both"}
_NOTHING = "(nothing)"


class ConflictCard(QFrame):
    """A property of a resource whose values were changed on both sides.

    Signals:
        decided(): the user chose another side.
    """

    decided = Signal()

    def __init__(self, view: ConflictView, choice: Choice | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = view
        self.setObjectName("conflict")
        self.setProperty("decided", choice is not None)
        self.setAccessibleName(f"{view.ref.label}, {view.label}: {view.conflict.kind.value}")
        column = column_in(self, GRID, GRID, GRID, GRID, spacing=GRID // 2)
        column.addWidget(TextBlock(brief(view.ref.label, LONGEST_NAME), view.label, weight=600))
        before = f"Before: {_joined(view.base)}" if view.base else "Before: nothing"
        column.addWidget(TextBlock(f"{before} · {view.conflict.kind.value}", size=SMALL, muted=True))
        row = QHBoxLayout()
        row.setSpacing(GRID)
        self._group = QButtonGroup(self)
        self.sides: dict[Choice, _Side] = {}
        for number, one in enumerate(Choice):
            values = {Choice.MINE: view.mine, Choice.THEIRS: view.theirs, Choice.BOTH: view.both}[one]
            side = _Side(TITLES[one], values, f"{view.ref.label}, {view.label}")
            side.button.setChecked(one is choice)
            self._group.addButton(side.button, number)
            self.sides[one] = side
            row.addWidget(side, 1)
        column.addLayout(row)
        self._group.idToggled.connect(self._tell)

    @property
    def choice(self) -> Choice | None:
        """The chosen side."""
        number = self._group.checkedId()
        return list(Choice)[number] if number >= 0 else None

    def choose(self, choice: Choice) -> None:
        """Choose a side."""
        self.sides[choice].button.setChecked(True)

    def _tell(self, number: int, on: bool) -> None:
        if on:
            self.setProperty("decided", True)
            self.style().polish(self)
            self.decided.emit()


class _Side(QFrame):
    """One of the three columns: a radio button and the resulting values."""

    def __init__(self, title: str, values: Sequence[str], of: str) -> None:
        super().__init__()
        self.setObjectName("side")
        self.button = QRadioButton(title)
        self.button.setAccessibleName(f"{of}: {title}: {_joined(values) if values else _NOTHING}")
        self.button.toggled.connect(self._mark)
        column = column_in(self, GRID, GRID // 2, GRID, GRID // 2, spacing=2)
        column.addWidget(self.button)
        for value in values[:MOST_VALUES]:
            column.addWidget(TextBlock(value))
        if len(values) > MOST_VALUES:
            column.addWidget(TextBlock(f"and {len(values) - MOST_VALUES:,} more", muted=True))
        if not values:
            column.addWidget(TextBlock(_NOTHING, muted=True))
        column.addStretch(1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.button.click()
        self.button.setFocus()

    def _mark(self, on: bool) -> None:
        self.setProperty("chosen", on)
        self.style().polish(self)


def _joined(values: Sequence[str]) -> str:
    shown = ", ".join(brief(value, LONGEST_NAME) for value in values[:MOST_VALUES])
    return f"{shown} and {len(values) - MOST_VALUES:,} more" if len(values) > MOST_VALUES else shown
