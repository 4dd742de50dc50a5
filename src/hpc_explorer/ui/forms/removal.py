"""Removes a resource: finds out what goes with it, asks, and makes the edit."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.forms.removing import AskedRemoval, asked_removal
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.remove_dialog import RemoveDialog


class Removals(QObject):
    """The way from the wish to remove a resource to the step that did it.

    Args:
        undo: each removal becomes a step of it.
        window: the dialog's parent.

    Signals:
        removed(object): a resource is gone.
        said(str): something for the status bar.
        failed(str, BaseException): what was tried, and what went wrong.
    """

    removed = Signal(object)
    said = Signal(str)
    failed = Signal(str, object)

    def __init__(self, bridge: SessionBridge, navigator: Navigator, undo: UndoStack, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge, self._navigator, self._undo = bridge, navigator, undo

    def ask(self, resource: Resource, window: QWidget, *, is_typed: bool) -> None:
        """Say what goes with a resource, and remove it if that is wanted.

        Args:
            is_typed: whether something is typed into its form that is not saved.
        """

        def show(asked: AskedRemoval) -> None:
            dialog = RemoveDialog(asked, window)
            dialog.confirmed.connect(lambda change: self._remove(resource, change))
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

        self._bridge.run(
            asked_removal,
            resource,
            is_typed,
            title="See what goes",
            on_result=show,
            on_error=lambda error: self.failed.emit("Remove the resource", error),
            replaces="removal",
        )

    def _remove(self, resource: Resource, change: ChangeSet) -> None:
        in_sight = self._navigator.place.focus == resource

        def made(step: EditStep | None) -> None:
            if step is None:
                self.said.emit("Nothing was said of it any more")
                return
            self._undo.push(step)
            self.said.emit(f"{step.words}; Undo brings it back")
            self._leave(resource, in_sight=in_sight)
            self.removed.emit(resource)

        self._bridge.run(
            EditStep.made,
            change,
            title=change.words,
            on_result=made,
            on_error=lambda error: self.failed.emit(change.words, error),
            writes=True,
        )

    def _leave(self, resource: Resource, *, in_sight: bool) -> None:
        """Forget the places that are about it, and go back to where one came from if it was in sight."""
        self._navigator.forget(lambda other: other == resource)
        if in_sight and self._navigator.place.focus is None and self._navigator.can_go_back:
            self._navigator.back()
