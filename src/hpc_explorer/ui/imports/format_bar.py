"""How a table lies in its file, as it was found and can be set: sheet, delimiter, encoding, heading and units."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QWidget

from hpc_explorer.annotate.tables.mapping import TableFormat
from hpc_explorer.annotate.tables.reading import TEXT_ENDINGS
from hpc_explorer.app.imports.table_preview import TableLook
from hpc_explorer.ui.widgets.dialog_parts import field_label
from hpc_explorer.ui.widgets.number_box import WholeNumberBox
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
_ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-16-be")


class TableFormatBar(QWidget):
    """The fields of a table's format; those that its kind of file does not have are not shown.

    Attributes:
        sheet, delimiter, encoding, heading, units: the fields.
        note: what was noticed about the file.

    Signals:
        changed(): the user set one of them.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sheet = _combo("Sheet")
        self.delimiter = _combo("Delimiter")
        for sign, name in _DELIMITERS.items():
            self.delimiter.addItem(name, sign)
        self.encoding = _combo("Encoding")
        self.encoding.addItems(list(_ENCODINGS))
        self.heading = WholeNumberBox()
        self.heading.setAccessibleName("Row that names the columns")
        self.heading.setRange(0, 999)
        self.heading.setSpecialValueText("none")
        self.heading.setValue(1)
        self.units = QCheckBox("units below it")
        self.units.setAccessibleName("The row below the heading has the units of the columns")
        self.note = TextBlock("", size=SMALL, muted=True)
        self._labels: dict[QWidget, QLabel] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        for name, field in (
            ("Sheet", self.sheet),
            ("Cells apart by", self.delimiter),
            ("Encoding", self.encoding),
            ("Heading in row", self.heading),
        ):
            self._labels[field] = field_label(name, field)
            row.addWidget(self._labels[field])
            row.addWidget(field)
        row.addWidget(self.units)
        row.addWidget(self.note, 1)
        for box in (self.sheet, self.delimiter, self.encoding):
            box.activated.connect(lambda _: self.changed.emit())
        self.heading.valueChanged.connect(lambda _: self.changed.emit())
        self.units.toggled.connect(lambda _: self.changed.emit())

    def show_look(self, look: TableLook) -> None:
        """Show how a table was found to lie."""
        is_text = _is_text(look)
        with (
            QSignalBlocker(self.sheet),
            QSignalBlocker(self.delimiter),
            QSignalBlocker(self.encoding),
            QSignalBlocker(self.heading),
            QSignalBlocker(self.units),
        ):
            self.sheet.clear()
            self.sheet.addItems(list(look.sheets))
            self.sheet.setCurrentText(look.format.sheet)
            if is_text:
                _choose(self.delimiter, look.format.delimiter)
                _choose(self.encoding, look.format.encoding)
            self.heading.setValue(look.format.heading)
            self.units.setChecked(look.format.units)
        has_sheets = bool(look.sheets)
        for field, shown in (
            (self.sheet, has_sheets),
            (self.delimiter, is_text),
            (self.encoding, is_text),
            (self.heading, is_text or has_sheets),
        ):
            self._labels[field].setVisible(shown)
            field.setVisible(shown)
        self.units.setVisible(is_text or has_sheets)
        self.note.say(look.note)

    def format_for(self, look: TableLook) -> TableFormat:
        """The format that is set now, as far as the kind of file of a table has it."""
        is_text = _is_text(look)
        return TableFormat(
            sheet=self.sheet.currentText() if look.sheets else "",
            delimiter=self.delimiter.currentData() if is_text else "",
            encoding=self.encoding.currentText() if is_text else "",
            heading=self.heading.value(),
            units=self.units.isChecked(),
        )


def _is_text(look: TableLook) -> bool:
    return look.path.suffix.lower() in TEXT_ENDINGS


def _combo(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return box


def _choose(box: QComboBox, value: str) -> None:
    """Choose what has a value, which is added if it is not there."""
    place = box.findData(value) if box.findData(value) >= 0 else box.findText(value)
    if place < 0:
        box.addItem(value, value)
        place = box.count() - 1
    box.setCurrentIndex(place)
