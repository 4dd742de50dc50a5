"""What is common to all that values are typed into."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import Widget
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.ui.widgets.dialog_parts import row_in
from hpc_explorer.ui.widgets.theme import GRID

HINTS = {
    Widget.INTEGER: "a whole number",
    Widget.NUMBER: "a number",
    Widget.DATE: "2021-06-30",
    Widget.TIME: "14:30",
    Widget.DATE_TIME: "2021-06-30 14:30 UTC",
    Widget.DURATION: "1 h 30 min",
    Widget.IRI: "https://…",
    Widget.FILE: "the address of a file",
    Widget.LIST: "one item on each line",
    Widget.LINK: "type a name, or an IRI",
}
"""What stands in an empty entry: how to write what belongs there."""


class ValueEntry(QWidget):
    """What one value is typed into.

    Signals:
        changed(): something else is typed.
        entered(): Enter was pressed, to go on.
        settled(): what is typed is looked up no more.
    """

    changed = Signal()
    entered = Signal()
    settled = Signal()

    def __init__(self, of: Field, entry: Entry) -> None:
        super().__init__()
        self._of = of
        self._entry = entry
        self._touched = False
        self._row = row_in(self, spacing=GRID)

    @property
    def entry(self) -> Entry:
        """The typed entries."""
        return self._typed(self._entry) if self._touched else self._entry

    @property
    def lines(self) -> tuple[QWidget, ...]:
        """What takes the keyboard, in the order of Tab."""
        raise NotImplementedError

    @property
    def is_unsettled(self) -> bool:
        """Whether what is typed is being looked up, so that it is too early to call it wrong."""
        return False

    def take_keyboard(self) -> None:
        """Have its first line take the keyboard.

        The lines are no focus proxies of it, since Tab would stop at it as well (`follow`).
        """
        self.lines[0].setFocus(Qt.FocusReason.TabFocusReason)

    def call(self, name: str, description: str) -> None:
        """Tell screen readers what it is."""
        for line in self.lines:
            own = str(line.property("part") or "")
            line.setAccessibleName(f"{name}, {own}" if own else name)
            line.setAccessibleDescription(description)

    def mark_wrong(self, wrong: bool) -> None:
        """Mark it as one that cannot be read."""
        for line in self.lines:
            if bool(line.property("wrong")) != wrong:
                line.setProperty("wrong", wrong)
                line.style().unpolish(line)
                line.style().polish(line)

    def _typed(self, before: Entry) -> Entry:
        raise NotImplementedError

    def _touch(self) -> None:
        self._touched = True
        self.changed.emit()
