"""A group of fields with its heading, and the button that unfolds the rest."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.forms.field import FieldRow
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.text import LinkBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted


class FieldBox(QWidget):
    """The rows of one group of fields."""

    def __init__(self, label: str, unfold: Callable[[], None]) -> None:
        super().__init__()
        self.label = label
        self.rows: list[FieldRow] = []
        self._column = column_in(self, 0, GRID, 0, 0)
        title = caption(brief(label, 80))
        title.setContentsMargins(2 * GRID, 0, 0, GRID // 2)
        self._column.addWidget(title)
        self.more = LinkBlock("")
        self.more.clicked.connect(unfold)
        self._column.addSpacing(GRID // 2)
        below = QHBoxLayout()
        below.setContentsMargins(2 * GRID, 0, 0, 0)
        below.addWidget(self.more)
        self._column.addLayout(below)

    def add(self, row: FieldRow, order: Sequence[NamedNode]) -> None:
        """Insert a field.

        Args:
            order: the properties of the group, from top to bottom.
        """
        places = {predicate: number for number, predicate in enumerate(order)}
        place = bisect(self.rows, places[row.field.predicate], key=lambda one: places[one.field.predicate])
        self.rows.insert(place, row)
        self._column.insertWidget(place + 1, row)

    def drop(self, row: FieldRow) -> None:
        """Remove a field; its focus is cleared."""
        self.rows.remove(row)
        leave(row)
        self._column.removeWidget(row)
        row.hide()

    def fold(self, folded: Sequence[Field], *, hidden: bool) -> None:
        """Show how many fields are folded.

        Args:
            hidden: nothing can be typed, so that empty fields are of no use.
        """
        count = len(folded)
        self.more.say(counted(count, "more field"), _named(folded))
        self.more.setAccessibleName(f"{count} more fields of {self.label}: {', '.join(one.label for one in folded)}")
        self.more.setVisible(bool(folded) and not hidden)


def leave(part: QWidget) -> None:
    """Clear the focus if it is in a part that will be hidden, because Qt would move it elsewhere; close its menu."""
    menu = QApplication.activePopupWidget()
    if menu is not None and (button := menu.parentWidget()) is not None and part.isAncestorOf(button):
        menu.close()
    line = QApplication.focusWidget()
    if line is not None and part.isAncestorOf(line):
        line.clearFocus()


def _named(fields: Sequence[Field]) -> str:
    names = ", ".join(one.label for one in fields[:6])
    return brief(names + ("…" if len(fields) > 6 else ""), 90)
