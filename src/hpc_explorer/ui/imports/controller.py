"""Statements made of files that are no graphs, as a part of the window: tables are converted, models described."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.undo import UndoStack
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.imports.converter import TableConverter
from hpc_explorer.ui.imports.models import ModelDescriber
from hpc_explorer.ui.widgets.banner import Banner


class ImportsController(QObject):
    """Opens the windows in which a table is converted, and a model described.

    Args:
        undo: what is added becomes a step of it.
        folder: where files are looked for.
        theme: the colours there are now.
        open_source: opens a file beside what is open.

    Signals:
        said(str): something for the status bar.
        failed(str, BaseException): what was tried, and what went wrong.
        wrote_to(str): the folder that was written to.
    """

    said = Signal(str)
    failed = Signal(str, object)
    wrote_to = Signal(str)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        banner: Banner,
        undo: UndoStack,
        folder: Callable[[], str],
        theme: Callable[[], Theme],
        open_source: Callable[[str], None],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._banner, self._folder, self._theme, self._open_source = banner, folder, theme, open_source
        self._tables = TableConverter(bridge, undo, window)
        self._models = ModelDescriber(bridge, navigator, undo, window)
        self._tables.wrote.connect(self._offer_table)
        self._models.failed.connect(self.failed)
        for part in (self._tables, self._models):
            part.said.connect(self.said)

    def commands(self) -> tuple[Command, ...]:
        """What makes statements of files."""
        return (
            Command("file.convert_table", "Convert a table…", "File")
            .runs(self.convert_table)
            .about(
                "Make statements of a CSV, Excel, JSON or Parquet table, with units and links, and see them as you go."
            ),
            Command("file.describe_model", "Describe a model's file…", "File")
            .runs(self.describe_model)
            .about("Read what an ONNX or scikit-learn model says of itself, without running it, into a description."),
        )

    def take(self, tables: Sequence[Path], models: Sequence[Path]) -> None:
        """Convert the first table and describe the first model of those dropped; the others are said to be left out."""
        if tables:
            self.convert_table(tables[0])
        if models:
            self.describe_model(models[0])
        if left := (*tables[1:], *models[1:]):
            names = ", ".join(path.name for path in left)
            self.said.emit(f"Tables and models are taken one at a time: {names} left out")

    def convert_table(self, path: Path | None = None) -> None:
        """Open the window in which a table is converted, with a table in it if there is one."""
        wizard = self._tables.dialog(Path(self._folder()), self._theme())
        wizard.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        wizard.open()
        if path is not None:
            wizard.open_table(path)

    def describe_model(self, path: Path | None = None) -> None:
        """Open the window in which a model is described, with its file in it if there is one."""
        dialog = self._models.dialog(Path(self._folder()), self._theme())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        if path is not None:
            dialog.open_model(path)

    def _offer_table(self, path: Path) -> None:
        self.wrote_to.emit(str(path.parent))
        self._banner.show_done("Converted the table", str(path), "Open it", lambda: self._open_source(str(path)))
