"""Asks the user before a query contacts other servers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QDialog, QWidget

from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import Answers, dialog_column, fit_height, open_dialog
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID


class ServerDialog(QDialog):
    """Names the servers that a query would contact with SERVICE.

    Attributes:
        allow: the button that allows it; Enter does not press it.
    """

    def __init__(self, servers: Iterable[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Ask another server")
        self.setFixedWidth(56 * GRID)
        column = dialog_column(self)
        column.addWidget(TextBlock(f"This query asks another server: {', '.join(servers)}.", weight=500))
        column.addWidget(
            TextBlock(
                "Nothing has been sent yet. If you allow it, a part of the query is sent there, and every query in "
                "this window may ask there until the window is closed."
            )
        )
        column.addSpacing(GRID)
        answers = Answers("Allow")
        answers.accepted.connect(self.accept)
        answers.rejected.connect(self.reject)
        answers.go.setDefault(False)
        answers.go.setAutoDefault(False)
        answers.leave.setDefault(True)  # sending cannot be undone
        column.addWidget(answers)
        self.allow = answers.go
        fit_height(self, column)


def ask_servers(bridge: SessionBridge, texts: Iterable[str], parent: QWidget, go_on: Callable[[], None]) -> None:
    """Call `go_on` at once if the queries need no new server, otherwise when the user allows it."""
    servers = bridge.servers_to_allow(texts)
    if not servers:
        go_on()
        return
    dialog = ServerDialog(servers, parent)

    def allow() -> None:
        bridge.jobs.allow_servers(servers)
        go_on()

    dialog.accepted.connect(allow)
    open_dialog(dialog)
