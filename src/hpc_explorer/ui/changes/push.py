"""The command that pushes edits to their sources."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.ui.bridge.commands import Command, edited_workspace
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.push_dialog import PushDialog
from hpc_explorer.ui.widgets.dialog_parts import open_dialog


class PushController(QObject):
    """Opens the push dialog.

    Signals:
        pushed(): something was written.
    """

    pushed = Signal()

    def __init__(self, bridge: SessionBridge, window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._window = window

    def commands(self) -> tuple[Command, ...]:
        """The command."""
        return (
            Command("file.push", "Push…", "File", 2, "F9", "push")
            .runs(self.ask, edited_workspace(self._bridge))
            .about("Write your edits to the files and endpoints they belong to, after comparing both."),
        )

    def ask(self) -> None:
        """Open the dialog."""
        dialog = PushDialog(self._bridge, self._window)
        dialog.pushed.connect(self.pushed)
        open_dialog(dialog)
