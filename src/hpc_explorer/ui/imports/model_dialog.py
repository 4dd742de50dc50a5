"""The dialog that shows a model file and asks for the model's IRI."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QGridLayout, QLineEdit, QScrollArea, QWidget

from hpc_explorer.annotate.models.reading import MODEL_ENDINGS
from hpc_explorer.app.imports.models import MOST_NODES, ModelLook, facts_in_words
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import ExplorerError
from hpc_explorer.rdf.terms import NamedNode, typed_iri
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.widgets.dialog_parts import add_answers, add_parts, browse_row, dialog_column, replace_content
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme
from hpc_explorer.ui.widgets.typed_path import typed_path

WIDTH, FACTS_HEIGHT = 72 * GRID, 40 * GRID

LONGEST_FACT = 400
"""The most characters shown of a fact."""

INTRODUCTION = "ONNX, or a scikit-learn model saved with pickle or joblib. The file is only read; nothing in it is run."

Look = Callable[[Path, Callable[[ModelLook], None], Failed], None]
"""Reads a model file; a later call replaces an earlier one."""


@dataclass(frozen=True)
class ModelChoice:
    """The model to describe.

    Args:
        trees: whether to describe the nodes of decision trees.
    """

    path: Path
    iri: NamedNode
    trees: bool


class ModelDialog(QDialog):
    """The dialog.

    Args:
        look: reads a file.
        folder: the initial folder.

    Attributes:
        file, iri, trees: the fields.
        facts: the content of the file as text.

    Signals:
        chosen(ModelChoice): describe this model.
    """

    chosen = Signal(object)

    def __init__(self, look: Look, folder: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self._look_at, self._folder = look, folder
        self._look: ModelLook | None = None
        self.setWindowTitle("Describe a model file")
        self.setFixedWidth(WIDTH)
        self.file = QLineEdit()
        self.file.setAccessibleName("The model's file")
        self.file.setPlaceholderText("model.onnx, model.joblib, model.pkl")
        self._remark = TextBlock("", size=SMALL)
        self._facts = QScrollArea()
        self._facts.setAccessibleName("Content of the file")
        self._facts.setProperty("framed", True)
        self._facts.setWidgetResizable(True)
        self._facts.setFixedHeight(FACTS_HEIGHT)
        self._facts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.iri = QLineEdit()
        self.iri.setAccessibleName("IRI of the model")
        self.trees = QCheckBox("Describe the nodes of its decision trees")
        self.facts = ""
        column = dialog_column(self)
        add_parts(
            column,
            TextBlock(INTRODUCTION, size=SMALL, muted=True),
            caption("File"),
            browse_row(self.file, "Look for a model's file", self._browse),
            self._remark,
            caption("Content"),
            self._facts,
            caption("IRI"),
            self.iri,
            self.trees,
        )
        self.add_button = add_answers(self, column, "Add to the graph", self._accept)
        self.file.editingFinished.connect(self._read_typed)
        self.iri.textChanged.connect(lambda _: self._say_usable())
        self._say("")
        self._show(None)

    def open_model(self, path: Path) -> None:
        """Read a file."""
        self.file.setText(str(path))
        self._read(path)

    def _browse(self) -> None:
        endings = " ".join(f"*{ending}*" for ending in MODEL_ENDINGS)
        name, _ = QFileDialog.getOpenFileName(
            self, "A model's file", str(self._folder), f"Models ({endings});;All files (*)"
        )
        if name:
            self.open_model(Path(name))

    def _read_typed(self) -> None:
        path = typed_path(self.file.text())
        if self.file.text().strip() and (self._look is None or self._look.path != path):
            self._read(path)

    def _read(self, path: Path) -> None:
        self._show(None)
        self._say("Reading…")
        self._look_at(path, self._show, self._refuse)

    def _refuse(self, error: BaseException) -> None:
        text = f"{error.what}. {error.remedy}".strip() if isinstance(error, ExplorerError) else str(error)
        self._say(text[:1].upper() + text[1:], wrong=True)

    def _say(self, text: str, *, wrong: bool = False) -> None:
        palette = self._remark.palette()
        normal = self.palette().color(QPalette.ColorRole.PlaceholderText)
        palette.setColor(QPalette.ColorRole.WindowText, current_theme().error if wrong else normal)
        self._remark.setPalette(palette)
        self._remark.say(text)
        self._remark.setVisible(bool(text))
        self.file.setAccessibleDescription(text)

    def _show(self, look: ModelLook | None) -> None:
        self._look = look
        rows = facts_in_words(look.facts) if look is not None else ()
        self.facts = "\n".join(f"{name}: {value}" for name, value in rows)
        replace_content(self._facts, _table(rows))
        self._facts.setAccessibleDescription(self.facts)
        nodes = sum(map(len, look.facts.trees)) if look is not None else 0
        self.trees.setVisible(nodes > 0)
        self.trees.setText(f"Describe the {nodes:,} nodes of its decision trees")
        self.trees.setChecked(0 < nodes <= MOST_NODES)
        self.iri.setText("" if look is None else look.iri.value)
        self.iri.setEnabled(look is not None)
        if look is not None:
            self._say("")
            self.iri.setFocus()
        self._say_usable()

    def _say_usable(self) -> None:
        self.add_button.setEnabled(self._look is not None and typed_iri(self.iri.text()) is not None)

    def _accept(self) -> None:
        iri = typed_iri(self.iri.text())
        if self._look is not None and iri is not None:
            self.accept()
            self.chosen.emit(ModelChoice(self._look.path, iri, self.trees.isChecked()))


def _table(rows: tuple[tuple[str, str], ...]) -> QWidget:
    table = QWidget()
    grid = QGridLayout(table)
    grid.setContentsMargins(GRID, GRID, GRID, GRID)
    grid.setHorizontalSpacing(2 * GRID)
    grid.setVerticalSpacing(GRID // 2)
    grid.setColumnMinimumWidth(0, 14 * GRID)
    grid.setColumnStretch(1, 1)
    for row, (name, value) in enumerate(rows):
        grid.addWidget(TextBlock(name, muted=True), row, 0)
        grid.addWidget(TextBlock(brief(value, LONGEST_FACT)), row, 1)
    grid.setRowStretch(len(rows), 1)
    return table
