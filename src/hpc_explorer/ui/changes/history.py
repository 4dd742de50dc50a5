"""The controller of the history dialog."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.journal.change_viewing import view_change
from hpc_explorer.app.journal.change_views import ChangeView
from hpc_explorer.app.journal.history import ResourceHistory, blame_lines, resource_history
from hpc_explorer.app.journal.journal import JournalEntry, blame
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.commands import Command, chosen_resource
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.history_dialog import HistoryDialog
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.widgets.dialog_parts import open_dialog


class HistoryController(QObject):
    """Opens the history of a resource, or of a statement."""

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        inspector: Inspector,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._navigator = navigator
        self._window = window
        inspector.where_from_wanted.connect(self.show_statement)

    def commands(self) -> tuple[Command, ...]:
        """The commands."""
        resource = chosen_resource(self._bridge, self._navigator)
        return (
            Command("resource.history", "History…", "Edit", 3, "", "history", short="History")
            .runs(lambda: self._show_chosen(values_first=False), resource)
            .about("Show the edits of the chosen resource, with when, who and why."),
            Command("resource.where_from", "Where it comes from…", "Edit", 3)
            .runs(lambda: self._show_chosen(values_first=True), resource)
            .about("Show the file or edit that each statement about the chosen resource comes from."),
        )

    def show_statement(self, quad: Quad) -> None:
        """Show the origin of a statement."""
        self._ask(quad.subject, quad, values_first=True)  # type: ignore[arg-type]  # no quoted triples

    def _show_chosen(self, *, values_first: bool) -> None:
        resource = self._navigator.place.selected
        if resource is not None:
            self._ask(resource, None, values_first=values_first)

    def _ask(self, resource: Resource, chosen: Quad | None, *, values_first: bool) -> None:
        def show(history: ResourceHistory) -> None:
            dialog = HistoryDialog(
                history,
                self._ask_entry,
                self._ask_blame,
                self._window,
                chosen,
                values_first=values_first,
            )
            dialog.opened.connect(self._navigator.explore)
            dialog.finished.connect(self._drop)
            open_dialog(dialog)

        self._bridge.run(
            resource_history,
            resource,
            title="Read the history",
            on_result=show,
            replaces="history",
        )

    def _drop(self) -> None:
        self._bridge.drop("edit of a history", "blame")

    def _ask_entry(self, entry: JournalEntry, done: Callable[[ChangeView], None]) -> None:
        self._bridge.run(
            partial(view_change, now=False),
            entry.change,
            title="Read the edit",
            on_result=done,
            replaces="edit of a history",
        )

    def _ask_blame(self, quad: Quad, done: Callable[[tuple[str, ...]], None]) -> None:
        def work(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[str, ...]:
            return blame_lines(blame(session, quad.triple, quad.graph_name, limits=limits))

        self._bridge.run(work, title="Find the origin", on_result=done, replaces="blame")
