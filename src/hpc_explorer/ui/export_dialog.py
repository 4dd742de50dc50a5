"""The export dialog: what, in which syntax, into which file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

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
from hpc_explorer.ui.text import brief, caption
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


class ExportDialog(QDialog):
    """Asks what to export, how and where.

    Args:
        offers: what could be exported; the first is proposed.
        folder: where the file is proposed to be.
    """

    def __init__(self, offers: Sequence[Offer], folder: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.setMinimumWidth(64 * GRID)
        self._offers = tuple(offers)
        self._folder = folder
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(GRID)

        column.addWidget(caption("What"))
        self.what = QButtonGroup(self)
        for number, offer in enumerate(self._offers):
            button = QRadioButton(brief(offer.text, 70))
            button.setAccessibleName(offer.text)
            button.setToolTip(offer.text)
            button.setChecked(number == 0)
            self.what.addButton(button, number)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

        column.addSpacing(GRID)
        column.addWidget(caption("Syntax"))
        self.syntax = QButtonGroup(self)
        choices = QGridLayout()
        choices.setHorizontalSpacing(3 * GRID)
        for number, (syntax, about) in enumerate(SYNTAXES):
            choice = QRadioButton(syntax.name)
            choice.setAccessibleName(f"{syntax.name}. {about}")
            choice.setToolTip(about)
            choice.setChecked(number == 0)
            self.syntax.addButton(choice, number)
            choices.addWidget(choice, number // 3, number % 3)
        choices.setColumnStretch(3, 1)
        column.addLayout(choices)
        self._about = QLabel()
        self._about.setProperty("role", "small")
        column.addWidget(self._about)
        self.compressed = QCheckBox("Compress (.gz)")
        self.compressed.setAccessibleName("Compress the file with gzip")

        column.addSpacing(GRID)
        column.addWidget(caption("File"))
        self.file = QLineEdit()
        self.file.setAccessibleName("File to write")
        browse = QPushButton("Browse…")
        browse.setAccessibleName("Choose the file to write")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        place = QGridLayout()
        place.setHorizontalSpacing(GRID)
        place.addWidget(self.file, 0, 0)
        place.addWidget(browse, 0, 1)
        column.addLayout(place)
        column.addWidget(self.compressed, 0, Qt.AlignmentFlag.AlignLeft)
        self._warning = QLabel()
        self._warning.setProperty("role", "small")
        column.addWidget(self._warning)
        column.addSpacing(GRID)

        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export = buttons.addButton("Export", QDialogButtonBox.ButtonRole.AcceptRole)
        self.export.setDefault(True)
        for one in buttons.buttons():
            one.setAccessibleName(one.text().replace("&", ""))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)

        self.what.idToggled.connect(self._rename)
        self.syntax.idToggled.connect(self._respell)
        self.compressed.toggled.connect(self._respell)
        self.file.textEdited.connect(self._read_name)
        self.file.textChanged.connect(self._look)
        self._rename()
        self._respell()
        self.what.button(0).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def choice(self) -> ExportChoice:
        """What was decided."""
        extent = self._offers[self.what.checkedId()].extent
        return ExportChoice(extent, Path(self.file.text()).expanduser())

    @property
    def warning(self) -> str:
        """What is wrong with the file's name, or what will happen to the file."""
        return self._warning.text()

    def _syntax(self) -> Format:
        return SYNTAXES[self.syntax.checkedId()][0]

    def _extension(self) -> str:
        return f".{self._syntax().extension}" + (GZIP_SUFFIX if self.compressed.isChecked() else "")

    def _rename(self) -> None:
        stem = self._offers[max(self.what.checkedId(), 0)].file_stem
        self.file.setText(str(self._folder / f"{stem}{self._extension()}"))

    def _respell(self) -> None:
        """Give the file the extension of the chosen syntax; its name stays as the user made it."""
        self._about.setText(SYNTAXES[self.syntax.checkedId()][1])
        path = Path(self.file.text())
        path = path.with_suffix("") if is_gzip_name(path) else path
        stem = path.stem if format_of_name(path) is not None else path.name
        self.file.setText(str(path.with_name((stem or "graph") + self._extension())))

    def _read_name(self, text: str) -> None:
        """Follow the extension that the user types."""
        named = format_of_name(text)
        number = next((at for at, (syntax, _) in enumerate(SYNTAXES) if syntax is named), self.syntax.checkedId())
        for widget in (self.syntax, self.compressed):
            widget.blockSignals(True)
        self.syntax.button(number).setChecked(True)
        self.compressed.setChecked(is_gzip_name(text))
        for widget in (self.syntax, self.compressed):
            widget.blockSignals(False)
        self._about.setText(SYNTAXES[number][1])

    def _look(self, text: str) -> None:
        """Say what is wrong with the name, or what will happen to the file."""
        path = Path(text).expanduser()
        known = format_of_name(path) in [syntax for syntax, _ in SYNTAXES]
        problem = "" if known else f"End the name in {', '.join(f'.{syntax.extension}' for syntax, _ in SYNTAXES)}."
        if path.is_dir():
            problem = "This is a folder: add a name for the file."
        self.export.setEnabled(not problem)
        self._warning.setText(problem or ("This file will be replaced." if path.is_file() else ""))

    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, "Export to", self.file.text(), options=QFileDialog.Option.DontConfirmOverwrite
        )
        if chosen:
            self._folder = Path(chosen).parent
            self.file.setText(chosen)
            self._read_name(chosen)


def file_stem(text: str) -> str:
    """A short name for a file, made of a label."""
    kept = "".join(character if character.isalnum() or character in "-_." else "-" for character in text)
    return "-".join(part for part in kept.split("-") if part).strip(".-")[:60] or "graph"
