"""The export dialog: what, in which syntax, into which file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QRadioButton, QWidget

from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.formats import (
    GZIP_SUFFIX,
    JSON_LD,
    N_QUADS,
    N_TRIPLES,
    RDF_XML,
    TRIG,
    TURTLE,
    Format,
    format_of_name,
    is_gzip_name,
)
from hpc_explorer.ui.file_dialog import FileDialog
from hpc_explorer.ui.text import caption
from hpc_explorer.ui.theme import GRID


class Extent(Enum):
    """How much is exported."""

    GRAPH = "graph"
    RESOURCE = "resource"
    LINEAGE = "lineage"


@dataclass(frozen=True)
class Offer:
    """One answer to "what": its extent, its words, and a name for the file."""

    extent: Extent
    text: str
    file_stem: str


@dataclass(frozen=True)
class ExportChoice:
    """What the user decided; the ending of the file's name says in which syntax."""

    extent: Extent
    path: Path


SYNTAXES: tuple[tuple[Format, str], ...] = (
    (JSON_LD, "Names shortened by the HPC context, numbers as numbers: for programs and people."),
    (TURTLE, "The easiest to read and edit."),
    (TRIG, "Like Turtle, with the sources kept apart as named graphs."),
    (N_TRIPLES, "One triple a line, for line tools and comparisons."),
    (N_QUADS, "One triple a line, with the sources kept apart as named graphs."),
    (RDF_XML, "For older programs."),
)


class ExportDialog(FileDialog):
    """Asks what to export, how and where.

    Args:
        offers: what could be exported; the first is proposed.
        folder: where the file is proposed to be.

    Attributes:
        what, syntax: the buttons to choose from, in the order of the offers and of `SYNTAXES`.
        compressed: the box for gzip.
        export: the button that has it done.
    """

    def __init__(self, offers: Sequence[Offer], folder: Path, parent: QWidget) -> None:
        super().__init__("Export", folder, parent)
        self._offers = tuple(offers)
        self._column.addWidget(caption("What"))
        self.what = QButtonGroup(self)
        for number, offer in enumerate(self._offers):
            button = QRadioButton(brief(offer.text, 70))
            button.setAccessibleName(offer.text)
            button.setToolTip(offer.text)
            button.setChecked(number == 0)
            self.what.addButton(button, number)
            self._column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addSpacing(GRID)
        names, uses = [syntax.name for syntax, _ in SYNTAXES], [use for _, use in SYNTAXES]
        self.syntax = self._add_choices("Syntax", names, uses, in_row=3)
        self._use = self._add_remark()
        self._column.addSpacing(GRID)
        self._add_file()
        self.compressed = QCheckBox("Compress (.gz)")
        self.compressed.setAccessibleName("Compress the file with gzip")
        self._column.addWidget(self.compressed, 0, Qt.AlignmentFlag.AlignLeft)
        self.export = self._add_answers("Export")

        self.what.idToggled.connect(self._rename)
        self.syntax.idToggled.connect(self._respell)
        self.compressed.toggled.connect(self._respell)
        self._rename()
        self._respell()
        self.what.button(0).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def choice(self) -> ExportChoice:
        """What was decided."""
        return ExportChoice(self._offers[self.what.checkedId()].extent, self.path)

    def _ending(self) -> str:
        syntax, _ = SYNTAXES[self.syntax.checkedId()]
        return f".{syntax.extension}" + (GZIP_SUFFIX if self.compressed.isChecked() else "")

    def _proposed_stem(self) -> str:
        # While one button goes out and the next comes on, none is checked.
        return self._offers[max(self.what.checkedId(), 0)].file_stem

    def _rename(self) -> None:
        """Name the file after what is exported; its folder stays."""
        folder, _ = self._place()
        self.file.setText(str(folder / f"{self._proposed_stem()}{self._ending()}"))

    def _respell(self) -> None:
        """Give the file the ending of the chosen syntax; its name stays as the user made it."""
        self._use.setText(SYNTAXES[self.syntax.checkedId()][1])
        folder, name = self._place()
        plain = Path(name).stem if is_gzip_name(name) else name
        stem = Path(plain).stem if format_of_name(plain) is not None else plain
        self.file.setText(str(folder / f"{stem or self._proposed_stem()}{self._ending()}"))

    def _read_name(self, text: str) -> None:
        named = format_of_name(text)
        number = next((at for at, (syntax, _) in enumerate(SYNTAXES) if syntax is named), self.syntax.checkedId())
        for widget in (self.syntax, self.compressed):
            widget.blockSignals(True)
        self.syntax.button(number).setChecked(True)
        self.compressed.setChecked(is_gzip_name(text))
        for widget in (self.syntax, self.compressed):
            widget.blockSignals(False)
        self._use.setText(SYNTAXES[number][1])

    def _problem(self) -> str:
        if format_of_name(self.path) in [syntax for syntax, _ in SYNTAXES]:
            return ""
        return f"End the name in {', '.join(f'.{syntax.extension}' for syntax, _ in SYNTAXES)}."


def file_stem(text: str) -> str:
    """A short name for a file, made of a label."""
    kept = "".join(character if character.isalnum() or character in "-_." else "-" for character in text)
    return "-".join(part for part in kept.split("-") if part).strip(".-")[:60] or "graph"
