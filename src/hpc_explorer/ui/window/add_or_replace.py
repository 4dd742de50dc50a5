"""The question when something is opened while something else is open: add it, or replace what is open."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from hpc_explorer.ui.widgets.dialog_parts import ButtonBox, call_button, dialog_column
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID


class AddOrReplaceDialog(QDialog):
    """Asks how to open something.

    Args:
        title: what is to be opened.
        shown: what is open.
        why_not: why it cannot be added; None if it can.

    Attributes:
        add, replace: the buttons.

    Signals:
        chosen(bool): whether to add it; False to replace. The dialog is closed. Nothing if the user cancelled.
    """

    chosen = Signal(bool)

    def __init__(self, title: str, shown: str, why_not: str | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Open")
        self.setMinimumWidth(52 * GRID)
        column = dialog_column(self)
        column.addWidget(TextBlock(f"Open {title}", weight=600))
        column.addWidget(TextBlock(f"{shown} is open. Add to it, or replace it?", muted=True))
        if why_not is not None:
            column.addWidget(TextBlock(why_not, muted=True))
        column.addSpacing(GRID)
        box = ButtonBox(QDialogButtonBox.StandardButton.Cancel)
        box.rejected.connect(self.reject)
        self.replace = self._button("Replace", False, box)
        self.add = self._button("Add", True, box)
        self.add.setEnabled(why_not is None)
        first = self.add if why_not is None else self.replace
        first.setDefault(True)
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        column.addWidget(box)

    def _button(self, name: str, add: bool, box: QDialogButtonBox) -> QPushButton:
        button = box.addButton(name, QDialogButtonBox.ButtonRole.ActionRole)
        call_button(button, name)

        def choose() -> None:
            self.accept()
            self.chosen.emit(add)

        button.clicked.connect(choose)
        return button
