"""A dialog to choose what to compare a resource with: another of its class, or a search result."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPushButton, QWidget

from hpc_explorer.app.lineage.comparing import Alike
from hpc_explorer.app.views import SearchResult
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.dialog_parts import ButtonBox, add_parts, dialog_column
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.resource_list import ResourceList, row_of
from hpc_explorer.ui.widgets.search_box import PAUSE, Find
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot

LONGEST_NAME = 90


class CompareDialog(QDialog):
    """Asks for the second resource.

    Args:
        one: the first resource, and others of its class.
        find: searches for a text.

    Attributes:
        box: the search field.
        list: the choices.

    Signals:
        chosen(Resource): compare with this.
    """

    chosen = Signal(object)

    def __init__(self, one: Alike, find: Find, drop: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Compare")
        self.resize(56 * GRID, 52 * GRID)
        self._one = one
        self._find = find
        self.box = QLineEdit()
        self.box.setPlaceholderText("Search a name, or choose below")
        self.box.setAccessibleName("Compare with")
        self.box.setAccessibleDescription("Type a name; arrow keys choose, Enter compares")
        self._said = caption("")
        self.list = ResourceList("What it can be compared with", 2)
        self.list.opened.connect(lambda ref: self._take(ref.resource))
        self._pause = single_shot(self, PAUSE, self._look_up)
        buttons = ButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            button.setAccessibleName("Cancel")
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)  # Enter compares
        column = dialog_column(self)
        add_parts(
            column,
            TextBlock(f"Compare {brief(one.ref.label, LONGEST_NAME)} with", weight=600),
            self.box,
            self._said,
            (self.list, 1),
            buttons,
        )
        self.box.textEdited.connect(lambda _: self._pause.start())
        self.finished.connect(lambda _: drop())
        self._offer_alike()

    @property
    def said(self) -> str:
        """The text above the list."""
        return self._said.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            index = self.list.currentIndex()
            self.list.open_row(index if index.isValid() else self.list.rows.index(0))
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self.box.hasFocus():
            row = self.list.currentIndex().row() + (1 if event.key() == Qt.Key.Key_Down else -1)
            if 0 <= row < self.list.rows.rowCount():
                self.list.setCurrentIndex(self.list.rows.index(row))
        else:
            super().keyPressEvent(event)

    def _offer_alike(self) -> None:
        self.list.rows.set_rows(tuple(row_of(ref, ref.kind) for ref in self._one.others))
        of = (
            f"Others of the class {self._one.kind}"
            if self._one.kind
            else "It has no class. Search for the other resource"
        )
        self._said.setText(
            of if self._one.others or not self._one.kind else f"There is no other of the class {self._one.kind}"
        )

    def _look_up(self) -> None:
        text = self.box.text().strip()
        if text:
            self._find(text, self._offer_found, lambda error: self._said.setText(f"Not found: {error}"))
        else:
            self._offer_alike()

    def _offer_found(self, result: SearchResult) -> None:
        if not self.box.text().strip():
            return
        found = [hit for hit in result.hits if hit.ref.resource != self._one.ref.resource]
        self.list.rows.set_rows(tuple(row_of(hit.ref, hit.ref.kind) for hit in found))
        self._said.setText(f"{len(found):,} found" if found else "Nothing found")

    def _take(self, resource: object) -> None:
        self.accept()
        self.chosen.emit(resource)
