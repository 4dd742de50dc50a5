"""A list of classes with a filter; the usual classes come first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.forms.views import ClassChoice
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.resource_list import ResourceList, ResourceRow
from hpc_explorer.ui.widgets.theme import GRID

LIST_HEIGHT = 24 * GRID

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 7, Qt.Key.Key_PageUp: -7}


class ClassChooser(QWidget):
    """A line that narrows a list of classes, and the list.

    Args:
        classes: what there is to choose from, the usual ones first.

    Attributes:
        filter, classes: the line and the list.

    Signals:
        chosen_changed(): another class is chosen.
        entered(): Enter was pressed in the line.
    """

    chosen_changed = Signal()
    entered = Signal()

    def __init__(self, classes: Sequence[ClassChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all = tuple(classes)
        self._shown: tuple[ClassChoice, ...] = ()
        self.filter = _ClassFilter("Type a class: dataset, model, cluster")
        self.classes = ResourceList("Classes", lines=2, parent=self)
        self.classes.setProperty("framed", True)
        self.classes.setFixedHeight(LIST_HEIGHT)
        column = column_in(self, spacing=GRID)
        column.addWidget(self.filter)
        column.addWidget(self.classes)
        self.setFocusProxy(self.filter)
        self.filter.textChanged.connect(self._filter)
        self.filter.walked.connect(self._walk)
        self.filter.left_downwards.connect(self.entered)
        self.classes.selectionModel().currentChanged.connect(lambda *_: self.chosen_changed.emit())
        self._filter("")

    @property
    def cls(self) -> ClassChoice | None:
        """The chosen class."""
        row = self.classes.currentIndex().row()
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        named = [one for one in self._all if all(word in one.ref.label.casefold() for word in words)]
        told = [
            one
            for one in self._all
            if one not in named
            and all(word in f"{one.ref.label} {one.ref.curie} {one.description}".casefold() for word in words)
        ]
        begins = text.casefold().strip()
        named.sort(
            key=lambda one: (one.ref.label.casefold() != begins, not one.ref.label.casefold().startswith(begins))
        )
        self._shown = tuple(named + told)
        self.classes.rows.set_rows(tuple(_row(one) for one in self._shown))
        if self._shown:
            self.classes.setCurrentIndex(self.classes.rows.index(0))
        self.chosen_changed.emit()

    def _walk(self, step: int) -> None:
        if self._shown:
            row = max(0, min(self.classes.currentIndex().row() + step, len(self._shown) - 1))
            self.classes.setCurrentIndex(self.classes.rows.index(row))
            self.filter.setAccessibleDescription(self._shown[row].ref.label)


class _ClassFilter(FilterLine):
    """Filters the classes; arrow keys move through them, Enter continues."""

    walked = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _STEPS:
            self.walked.emit(_STEPS[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Escape and not self.text():
            event.ignore()  # the dialog is closed
        else:
            super().keyPressEvent(event)


def _row(one: ClassChoice) -> ResourceRow:
    count = f"{one.instances} here" if one.in_use else ""
    second = " · ".join(part for part in (count, one.description.split("\n")[0], one.ref.curie) if part)
    return ResourceRow(one.ref.label, second, "\n".join((one.ref.iri, one.description)).strip(), one.ref)
