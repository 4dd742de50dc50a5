"""Copies resources of an endpoint to a draft, to edit them offline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.app.journal.push import take_offline
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column, fit_height, open_dialog
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

MOST_NAMED = 5
"""The most resources named in the dialog."""

LONGEST_NAME = 80


class OfflineDialog(QDialog):
    """Shows the resources and asks for the update address.

    Args:
        names: labels of the first resources.
        number: the number of all resources.

    Attributes:
        update_address: the field for the update address.
        go: the button that accepts.
    """

    def __init__(self, names: Sequence[str], number: int, address: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Take offline")
        self.setMinimumWidth(64 * GRID)
        column = dialog_column(self)
        shown = ", ".join(brief(name, LONGEST_NAME) for name in names)
        more = f" and {number - len(names):,} more" if number > len(names) else ""
        column.addWidget(TextBlock(f"{shown}{more}", weight=600))
        column.addWidget(
            TextBlock(
                f"The statements of {address} about {'it' if number == 1 else 'them'} are loaded into a draft, which "
                "replaces the endpoint in this window. You can edit the draft without the network. Saving sends only "
                "your changes back.",
                muted=True,
            )
        )
        column.addSpacing(GRID)
        column.addWidget(caption("Address for updates"))
        self.update_address = QLineEdit()
        self.update_address.setAccessibleName("Address for updates")
        self.update_address.setPlaceholderText("The same, or /update beside /query")
        column.addWidget(self.update_address)
        column.addSpacing(GRID)
        self.go = add_answers(self, column, "Take offline")
        fit_height(self, column)
        self.go.setFocus(Qt.FocusReason.OtherFocusReason)


class OfflineController(QObject):
    """Runs the command "Take offline".

    Args:
        chosen: returns the chosen resources.
    """

    def __init__(
        self, bridge: SessionBridge, banner: Banner, chosen: Callable[[], Sequence[Resource]], window: QWidget
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._banner = banner
        self._chosen = chosen
        self._window = window

    def commands(self) -> tuple[Command, ...]:
        """The command."""
        there = Need(
            "a chosen resource of an endpoint",
            lambda: not self._bridge.is_empty and self._bridge.is_remote and bool(self._chosen()),
        )
        return (
            Command("resource.take_offline", "Take offline…", "File", 2, "", "load")
            .runs(self.ask, there)
            .about("Load the chosen resources of the endpoint into a draft, to edit them without the network."),
        )

    def ask(self) -> None:
        """Show the dialog for the chosen resources."""
        resources = tuple(one for one in self._chosen() if isinstance(one, NamedNode))
        if not resources or not self._bridge.sources:
            return
        address = self._bridge.sources[0].name

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> list[str]:
            named = references(session, resources[:MOST_NAMED], limits=limits)
            return [named[one].label for one in resources[:MOST_NAMED]]

        def show(names: list[str]) -> None:
            dialog = OfflineDialog(names, len(resources), address, self._window)
            dialog.accepted.connect(lambda: self._take(resources, dialog.update_address.text().strip()))
            open_dialog(dialog)

        self._bridge.run(
            work,
            title="Read the names of the chosen resources",
            on_result=show,
            replaces="names of what is taken offline",
        )

    def _take(self, resources: Sequence[NamedNode], update_address: str) -> None:
        def done(draft: Draft) -> None:
            self._banner.show_done(
                f"{counted(len(resources), 'resource')} taken offline",
                "Edits are kept in a draft until you send them to the endpoint.",
            )

        title = "Take offline"
        self._bridge.run(
            partial(take_offline, update_address=update_address),
            resources,
            title=title,
            on_result=done,
            closes=True,
        )
