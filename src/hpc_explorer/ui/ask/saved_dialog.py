"""The saved workflows, to be run again or deleted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QListWidget, QPushButton, QWidget

from hpc_explorer.app.ask.workflows import SavedWorkflow, delete_workflow
from hpc_explorer.ui.widgets.dialog_parts import Answers, dialog_column
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID

NONE_YET = "No workflow was saved yet. A workflow that you asked for in English can be saved before or after it runs."


class SavedWorkflowsDialog(QDialog):
    """Lists the saved workflows.

    Attributes:
        list: their names with their sentences.
        delete: the button that deletes the chosen one.

    Signals:
        chosen(SavedWorkflow): open this one.
    """

    chosen = Signal(object)

    def __init__(self, workflows: Sequence[SavedWorkflow], parent: QWidget) -> None:
        super().__init__(parent)
        self._workflows = list(workflows)
        self.setWindowTitle("Saved workflows")
        self.resize(80 * GRID, 48 * GRID)
        column = dialog_column(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Saved workflows")
        self.list.setWordWrap(True)
        self.list.itemActivated.connect(lambda _: self._open())
        self._none = TextBlock(NONE_YET, muted=True)
        column.addWidget(self._none)
        column.addWidget(self.list, 1)
        box = Answers("Open")
        box.accepted.connect(self._open)
        box.rejected.connect(self.reject)
        self.delete = QPushButton("Delete")
        self.delete.setAccessibleName("Delete")
        self.delete.clicked.connect(self._delete)
        box.add_first(self.delete)
        self.open_button = box.go
        column.addWidget(box)
        self._fill()

    def _fill(self) -> None:
        self.list.clear()
        self.list.addItems([f"{one.name}\n{one.sentence}" for one in self._workflows])
        there = bool(self._workflows)
        self._none.setVisible(not there)
        self.open_button.setEnabled(there)
        self.delete.setEnabled(there)
        if there:
            self.list.setCurrentRow(0)

    def _open(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._workflows):
            self.accept()
            self.chosen.emit(self._workflows[row])

    def _delete(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._workflows):
            delete_workflow(self._workflows.pop(row).name)
            self._fill()
