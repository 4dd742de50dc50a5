"""Asks which class a resource is to have besides its own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from hpc_explorer.app.forms.views import ClassChoice
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.forms.class_chooser import ClassChooser
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID

WIDTH = 64 * GRID


class AddClassDialog(QDialog):
    """Which class is to be added.

    Args:
        title: what the resource is called.
        classes: those that it does not have, the usual ones first.

    Attributes:
        chooser: the line and the list; Enter in the line takes the class that is chosen below.

    Signals:
        chosen(ClassChoice): that is to be added.
    """

    chosen = Signal(object)

    def __init__(self, title: str, classes: Sequence[ClassChoice], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Add a class")
        self.setFixedWidth(WIDTH)
        self.chooser = ClassChooser(classes, theme, self)
        column = dialog_column(self)
        column.addWidget(TextBlock(f"What else is {title}?" if title else "What else is it?", weight=600))
        column.addWidget(self.chooser)
        self.add = add_answers(self, column, "Add class", self._take)
        self.chooser.entered.connect(self._take)
        self.chooser.classes.doubleClicked.connect(lambda _: self._take())
        self.chooser.chosen_changed.connect(self._say_usable)
        self._say_usable()
        self.chooser.filter.setFocus()

    def _say_usable(self) -> None:
        self.add.setEnabled(self.chooser.cls is not None)

    def _take(self) -> None:
        cls = self.chooser.cls
        if cls is not None:
            self.accept()
            self.chosen.emit(cls)
