"""The fields for every row of a table: its IRI, its class, and the texts for missing values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from hpc_explorer.annotate.tables.mapping import TableMapping
from hpc_explorer.annotate.tables.template import parse_template
from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.imports.column_form import listed, unlisted
from hpc_explorer.ui.imports.term_line import TermLine
from hpc_explorer.ui.widgets.dialog_parts import field_label, row_in
from hpc_explorer.ui.widgets.theme import GRID


class RowForm(QWidget):
    """The form.

    Args:
        mapping: returns the mapping to change.
        make_class: makes a class from a name.

    Attributes:
        subject, cls, absent: the fields.

    Signals:
        changed(TableMapping): the mapping with the user's change.
        failed(str): the text of a field is invalid.
    """

    changed = Signal(object)
    failed = Signal(str)

    def __init__(self, mapping: Callable[[], TableMapping | None], make_class: Callable[[str], NamedNode]) -> None:
        super().__init__()
        self._mapping = mapping
        self.subject = QLineEdit()
        self.subject.setAccessibleName("IRI of a row")
        self.subject.setToolTip("{Column} is replaced by the text of a column, {#} by the row number.")
        self.subject.textEdited.connect(self._read_subject)
        self.cls = TermLine("Class of a row", make_class)
        self.cls.setPlaceholderText("Search the ontology")
        self.cls.chosen.connect(lambda term: self._change(classes=() if term is None else (term,)))
        self.absent = QLineEdit()
        self.absent.setAccessibleName("Texts for missing values")
        self.absent.setPlaceholderText("None, n/a")
        self.absent.setMaximumWidth(22 * GRID)
        self.absent.textEdited.connect(lambda text: self._change(absent=unlisted(text)))
        row = row_in(self, spacing=GRID)
        for name, field, stretch in (
            ("A row is", self.subject, 3),
            ("of class", self.cls, 2),
            ("no value", self.absent, 0),
        ):
            row.addWidget(field_label(name, field))
            row.addWidget(field, stretch)

    def show_mapping(self, mapping: TableMapping) -> None:
        """Show a mapping."""
        self.subject.setText(mapping.subject.text)
        self.subject.setCursorPosition(0)
        self.absent.setText(listed(mapping.absent))
        self.cls.show_term(mapping.classes[0] if mapping.classes else None)

    def _change(self, **changes: object) -> None:
        mapping = self._mapping()
        if mapping is not None:
            self.changed.emit(replace(mapping, **changes))  # type: ignore[arg-type]  # each field has its own type

    def _read_subject(self, text: str) -> None:
        try:
            template = parse_template(text.strip())
        except ExplorerError as error:
            self.failed.emit(f"{error.what}: {error.remedy}")
            return
        self._change(subject=template)
