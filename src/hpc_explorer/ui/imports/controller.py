"""Imports of files that are not RDF: converts tables, describes model files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.imports.models import ModelAdded, ModelLook, add_model, look_at_model
from hpc_explorer.app.imports.table_adding import TableAdded
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.imports.model_dialog import ModelChoice, ModelDialog
from hpc_explorer.ui.imports.wizard import TableWizard
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import open_dialog


class ImportsController(QObject):
    """Opens the windows of the imports.

    Args:
        undo: receives a step for each import.
        folder: returns the initial folder of file dialogs.
        open_source: opens a file in addition to the open ones.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        banner: Banner,
        undo: UndoStack,
        folder: Callable[[], str],
        open_source: Callable[[str], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge, self._navigator, self._undo, self._window = bridge, navigator, undo, window
        self._banner, self._folder, self._open_source = banner, folder, open_source

    def commands(self) -> tuple[Command, ...]:
        """The commands of the imports."""
        return (
            Command("file.convert_table", "Convert a table…", "File")
            .runs(self.convert_table)
            .about(
                "Convert a CSV, Excel, JSON or Parquet table to statements, with units and links and a live preview."
            ),
            Command("file.describe_model", "Describe a model file…", "File")
            .runs(self.describe_model)
            .about("Describe an ONNX or scikit-learn model by its file. The model is not run."),
        )

    def take(self, tables: Sequence[Path], models: Sequence[Path]) -> None:
        """Convert the first table and describe the first model of the dropped files; report the others as left out."""
        if tables:
            self.convert_table(tables[0])
        if models:
            self.describe_model(models[0])
        if left := (*tables[1:], *models[1:]):
            names = ", ".join(path.name for path in left)
            self._bridge.said.emit(f"Only one table and one model at a time: {names} left out")

    def convert_table(self, path: Path | None = None) -> None:
        """Open the window that converts a table.

        Args:
            path: the table; None lets the user choose.
        """
        wizard = TableWizard(self._bridge, Path(self._folder()), self._window)
        wizard.added.connect(self._table_added)
        wizard.wrote.connect(self._offer_table)
        # Qt takes as long to place and style its parts as it took to make them.
        QTimer.singleShot(0, wizard, lambda: open_dialog(wizard))
        if path is not None:
            wizard.open_table(path)

    def describe_model(self, path: Path | None = None) -> None:
        """Open the dialog that describes a model file.

        Args:
            path: the file; None lets the user choose.
        """
        dialog = ModelDialog(self._look_at_model, Path(self._folder()), self._window)
        dialog.chosen.connect(self._add_model)
        dialog.finished.connect(lambda _: self._bridge.drop("model"))
        open_dialog(dialog)
        if path is not None:
            dialog.open_model(path)

    def _table_added(self, added: TableAdded) -> None:
        self._undo.take(added.step, added.resumed)
        self._bridge.said.emit(f"Added {added.report.statements:,} statements of {added.report.path.name}")

    def _offer_table(self, path: Path) -> None:
        self._bridge.wrote_to.emit(str(path.parent))
        self._banner.show_done("Converted the table", str(path), "Open it", lambda: self._open_source(str(path)))

    def _look_at_model(self, path: Path, done: Callable[[ModelLook], None], failed: Failed) -> None:
        self._bridge.run(look_at_model, path, title="Read the model", on_result=done, on_error=failed, replaces="model")

    def _add_model(self, choice: ModelChoice) -> None:
        def done(added: ModelAdded) -> None:
            self._undo.take(added.step, added.resumed)
            self._bridge.said.emit(f"Described {choice.path.name}")
            self._navigator.edit(added.model)

        self._bridge.run(
            partial(add_model, trees=choice.trees),
            choice.path,
            choice.iri,
            title=f"Describe {choice.path.name}",
            on_result=done,
            writes=True,
        )
