"""From a table to statements: the window that asks, and what becomes of its answer in this one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.imports.table_adding import TableAdded
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.imports.wizard import TableWizard


class TableConverter(QObject):
    """Converts tables.

    Args:
        undo: what is added becomes a step of it.

    Signals:
        wrote(Path): a table was written into a file.
        said(str): something for the status bar.
    """

    wrote = Signal(object)
    said = Signal(str)

    def __init__(self, bridge: SessionBridge, undo: UndoStack, window: QWidget) -> None:
        super().__init__(window)
        self._bridge, self._undo, self._window = bridge, undo, window

    def dialog(self, folder: Path, theme: Theme) -> TableWizard:
        """The window that asks; what is converted there goes into a file, or into what is open."""
        wizard = TableWizard(self._bridge, folder, theme, self._window)
        wizard.added.connect(self._added)
        wizard.wrote.connect(self.wrote)
        return wizard

    def _added(self, added: TableAdded) -> None:
        self._undo.take(added.step, added.resumed)
        self.said.emit(f"Added {added.report.statements:,} statements of {added.report.path.name}")
