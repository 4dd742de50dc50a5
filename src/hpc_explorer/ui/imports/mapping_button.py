"""The button with the mapping menu: suggest, open and save."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QMenu

from hpc_explorer.annotate.tables.mapping_file import SHIPPED, shipped_mappings
from hpc_explorer.ui.widgets.action_button import MenuButton


class MappingButton(MenuButton):
    """The button.

    Args:
        folder: returns the initial folder of file dialogs.

    Signals:
        suggestion_wanted(): use the suggested mapping.
        wanted(str): use a shipped mapping, or a YAML or Tarql file.
        save_wanted(Path): save the mapping to this file.
    """

    suggestion_wanted = Signal()
    wanted = Signal(str)
    save_wanted = Signal(object)

    def __init__(self, folder: Callable[[], Path]) -> None:
        super().__init__()
        self._folder = folder
        self._table: Path | None = None
        self.setText("Mapping")
        self.setAccessibleName("Mapping")
        menu = QMenu(self)
        menu.addAction("Suggest again", self.suggestion_wanted.emit)
        ready = menu.addMenu("Shipped mappings")
        for name in shipped_mappings():
            ready.addAction(name, partial(self.wanted.emit, f"{SHIPPED}{name}"))
        for title, files in (
            ("Open mapping…", "Mappings (*.yaml *.yml)"),
            ("Import a Tarql file…", "Tarql (*.sparql *.rq *.tarql)"),
        ):
            menu.addAction(title, partial(self._ask_which, title.rstrip("…"), files))
        menu.addSeparator()
        menu.addAction("Save mapping…", self._ask_where)
        self.setMenu(menu)

    def set_table(self, path: Path | None) -> None:
        """Set the table, whose name is proposed for the mapping file; None disables saving."""
        self._table = path

    def _ask_which(self, title: str, files: str) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self.window(), title, str(self._folder()), files)
        if chosen:
            self.wanted.emit(chosen)

    def _ask_where(self) -> None:
        if self._table is None:
            return
        proposed = self._table.with_suffix(".yaml")
        chosen, _ = QFileDialog.getSaveFileName(self.window(), "Save mapping", str(proposed), "Mappings (*.yaml)")
        if chosen:
            self.save_wanted.emit(Path(chosen))
