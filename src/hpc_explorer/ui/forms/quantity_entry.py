"""What a quantity is typed into: a number and its unit, which is completed."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from hpc_explorer.annotate.forms.entries import quantity_parts
from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.forms.entry_lines import EntryLine, EntrySuggest
from hpc_explorer.ui.forms.value_entry import FormTools, ValueEntry
from hpc_explorer.ui.widgets.suggest_line import Suggestion
from hpc_explorer.ui.widgets.theme import GRID, font


class QuantityEntry(ValueEntry):
    """A number, and its unit, which is completed; both may be typed into the first line."""

    def __init__(self, of: Field, entry: Entry, tools: FormTools) -> None:
        super().__init__(of, entry)
        number, unit = _parts(entry.text)
        self.number = EntryLine(number, "number", "number")
        self.number.setFont(font(figures=True))
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.number.setMinimumWidth(8 * GRID)
        self.number.setMaximumWidth(18 * GRID)
        self.unit = EntrySuggest(
            lambda text, answer: tools.find_units(of, text, answer), lambda text: text == self._known, "unit"
        )
        self.unit.setPlaceholderText("unit")
        self.unit.setText(unit)
        self.unit.setMinimumWidth(7 * GRID)
        self.unit.setMaximumWidth(16 * GRID)
        self._known = unit
        self.number.textEdited.connect(self._touch)
        self.number.entered.connect(self._go_on)
        self.unit.textEdited.connect(self._touch)
        self.unit.chosen.connect(self._choose)
        self.unit.entered.connect(self.entered)
        self._row.addWidget(self.number, 18)
        self._row.addWidget(self.unit, 16)
        self._row.addStretch(1)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        return (self.number, self.unit)

    def set_theme(self, theme: Theme) -> None:
        self.unit.set_theme(theme)

    def _go_on(self) -> None:
        """Enter in the number: to its unit, unless that is there already or nothing is typed."""
        number, unit = _parts(self.number.text())
        if number and unit and not self.unit.text().strip():
            self.number.setText(number)
            self.unit.setText(unit)
            self._touch()
        if self.number.text().strip() and not self.unit.text().strip():
            self.unit.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.entered.emit()

    def _choose(self, one: Suggestion) -> None:
        self._known = str(one.key)
        self.unit.setText(self._known)
        self._touch()

    def _typed(self, before: Entry) -> Entry:
        return replace(before, text=f"{self.number.text().strip()} {self.unit.text().strip()}".strip())


def _parts(text: str) -> tuple[str, str]:
    """Number and unit as they are written; what is no number stands with the number, to be seen and mended."""
    return quantity_parts(text) or (text.strip(), "")
