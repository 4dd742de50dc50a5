"""The dialog for exporting edits: which, in what format, to which file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.journal.export import JournalFormat
from hpc_explorer.app.journal.journal import JournalEntry
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.widgets.file_dialog import FileDialog
from hpc_explorer.ui.widgets.theme import GRID

FORMATS: tuple[tuple[JournalFormat, str, str, str], ...] = (
    ("rdf-patch", "RDF Patch", ".rdfp", "One line for each removed or added statement, for tools that replay changes."),
    ("sparql", "SPARQL Update", ".ru", "Runs on any endpoint."),
    ("prov", "PROV", ".ttl", "Each edit as an activity, with who, when and why, as Turtle."),
)
"""Formats, with label, file extension and description."""


class JournalExportDialog(FileDialog):
    """Asks which edits to export.

    Args:
        entry: the selected edit; None offers only all edits.
        folder: the initial folder.

    Attributes:
        what, format: button groups.
        export: the button that accepts.
    """

    def __init__(self, entry: JournalEntry | None, folder: Path, parent: QWidget) -> None:
        super().__init__("Export edits", folder, parent)
        self._entry = entry
        names = [*([f"The selected edit: {brief(entry.words or 'edit', 50)}"] if entry else []), "All edits, in order"]
        self.what = self._add_choices("What", names, in_row=1)
        self._column.addSpacing(GRID)
        self.format = self._add_choices("Format", [one[1] for one in FORMATS], [one[3] for one in FORMATS])
        self._use = self._add_remark()
        self._column.addSpacing(GRID)
        self._add_file()
        self.export = self._add_answers("Export")
        self.format.idToggled.connect(self._respell)
        self._respell()
        self.what.button(0).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def entry(self) -> JournalEntry | None:
        """The edit to export; None for all."""
        return self._entry if self.what.checkedId() == 0 else None

    @property
    def chosen_format(self) -> JournalFormat:
        """The format to write."""
        return FORMATS[self.format.checkedId()][0]

    def _respell(self) -> None:
        # No button is checked while the choice changes.
        _, _, suffix, use = FORMATS[max(self.format.checkedId(), 0)]
        self._use.setText(use)
        folder, name = self._place()
        stem = Path(name).stem if Path(name).suffix in {one[2] for one in FORMATS} else name
        self.file.setText(str(folder / f"{stem or 'edits'}{suffix}"))
