"""The fields for a table's file and its layout: sheet, delimiter, encoding, heading and units."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QLabel, QLineEdit, QPushButton, QWidget

from hpc_explorer.annotate.tables.mapping import TableFormat
from hpc_explorer.annotate.tables.reading import TABLE_ENDINGS, TEXT_ENDINGS
from hpc_explorer.app.imports.table_preview import TableLook
from hpc_explorer.ui.widgets.dialog_parts import field_label, row_in
from hpc_explorer.ui.widgets.number_box import WholeNumberBox
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.ui.widgets.typed_path import typed_path

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
_ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-16-be")


class TableFileLine(QLineEdit):
    """The path of a table.

    Args:
        folder: returns the initial folder of the file dialog.

    Attributes:
        browse: the button that opens the dialog.

    Signals:
        chosen(Path): the user typed or chose a file.
    """

    chosen = Signal(object)

    def __init__(self, folder: Callable[[], Path]) -> None:
        super().__init__()
        self._folder = folder
        self.setAccessibleName("Table")
        self.setPlaceholderText("A table: CSV, TSV, Excel, JSON records or Parquet")
        self.returnPressed.connect(self._choose_typed)
        self.browse = QPushButton("Browse…")
        self.browse.setAccessibleName("Choose the table")
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._ask)

    def _choose_typed(self) -> None:
        text = self.text().strip()
        if text:
            self.chosen.emit(typed_path(text))

    def _ask(self) -> None:
        endings = " ".join(f"*{ending}" for ending in TABLE_ENDINGS)
        title, files = "Table to convert", f"Tables ({endings})"
        chosen, _ = QFileDialog.getOpenFileName(self.window(), title, str(self._folder()), files)
        if chosen:
            self.chosen.emit(Path(chosen))


class TableFormatBar(QWidget):
    """The layout of a table; only the fields that apply to its kind of file are visible.

    Attributes:
        sheet, delimiter, encoding, heading, units: the fields.
        note: assumptions about the file.

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
        row = row_in(self, spacing=GRID)
        for name, field in (
            ("Sheet", self.sheet),
            ("Delimiter", self.delimiter),
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
        """Show the detected layout."""
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
        """The format that the user set, without what does not apply to the kind of file."""
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
    """Select the item with a value; add it if missing."""
    place = box.findData(value) if box.findData(value) >= 0 else box.findText(value)
    if place < 0:
        box.addItem(value, value)
        place = box.count() - 1
    box.setCurrentIndex(place)
