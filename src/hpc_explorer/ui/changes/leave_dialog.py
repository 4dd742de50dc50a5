"""The question before unsaved changes are left: save, keep, discard or cancel."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QWidget

from hpc_explorer.app.journal.saving import Unwritten
from hpc_explorer.ui.widgets.dialog_parts import dialog_column
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted


class Leaving(Enum):
    """What to do with unsaved changes."""

    SAVE = "Save"
    KEEP = "Keep as draft"
    DISCARD = "Discard"


class LeaveDialog(QDialog):
    """Asks what to do with changes before they are closed.

    Args:
        found: the changes.
        forms: the number of forms with entries that are not in the graph yet.
        can_save: whether there is something to save.

    Signals:
        chosen(Leaving): the answer; the dialog is closed. Nothing if the user cancelled.
    """

    chosen = Signal(object)

    def __init__(self, found: Unwritten, forms: int, can_save: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Unsaved changes")
        self.setMinimumWidth(56 * GRID)
        column = dialog_column(self)
        words = found.words or f"{counted(forms, 'form')} not finished"
        column.addWidget(TextBlock(f"{words[0].upper()}{words[1:]}", weight=600))
        for line in _explained(found, forms):
            column.addWidget(TextBlock(line, muted=True))
        column.addSpacing(GRID)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addStretch(1)
        for choice in (Leaving.DISCARD, None, Leaving.KEEP, Leaving.SAVE):
            if choice is Leaving.SAVE and not can_save:
                continue
            name = "Cancel" if choice is None else choice.value
            if choice is Leaving.KEEP and not found.in_draft:
                name = "Keep in the workspace"
            if choice is Leaving.SAVE and found.total and not found.has_file:
                name = "Save as…"
            button = QPushButton(name)
            button.setAccessibleName(name)
            button.clicked.connect(lambda _=False, choice=choice: self._choose(choice))
            row.addWidget(button)
            if choice is Leaving.DISCARD:
                row.addSpacing(2 * GRID)
        button.setDefault(True)
        button.setFocus(Qt.FocusReason.OtherFocusReason)
        column.addLayout(row)

    def _choose(self, choice: Leaving | None) -> None:
        if choice is None:
            self.reject()
        else:
            self.accept()
            self.chosen.emit(choice)


def _explained(found: Unwritten, forms: int) -> list[str]:
    lines = []
    if found.total:
        what = "it" if found.total == 1 else "them"
        lines.append(f"A draft keeps {what} on this computer. You can go on with it when you open the graph again.")
    if forms:
        what = "it" if forms == 1 else "them"
        lines.append(f"{counted(forms, 'form')} with entries that are not in the graph yet. A draft keeps {what} too.")
    return lines
