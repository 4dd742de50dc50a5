"""The dialog that lists what is removed with a resource, and asks whether to remove the links to it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QRadioButton, QWidget

from hpc_explorer.app.forms.saving import AskedRemoval, asked_removal
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column, fit_height, open_dialog
from hpc_explorer.ui.widgets.edit_tab import WHY
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.wording import counted

WIDTH = 64 * GRID

MOST_LINKING = 8
"""The maximum number of linking resources named."""

"""What stands in an empty line for the reason of an edit."""


class RemoveDialog(QDialog):
    """What is removed with a resource.

    Attributes:
        told: what it says of the resource's own statements.
        links_too, links_stay: the choice about the links to it; hidden where there are none.
        why: the line for the reason.
        remove: the button.

    Signals:
        confirmed(ChangeSet): that is to be made.
    """

    confirmed = Signal(object)

    def __init__(self, asked: AskedRemoval, parent: QWidget) -> None:
        super().__init__(parent)
        self._removal = asked.removal
        self.setWindowTitle("Remove resource")
        self.setFixedWidth(WIDTH)
        column = dialog_column(self)
        column.addWidget(TextBlock(f"Remove {brief(asked.ref.label, 120)}?", weight=600))
        column.addWidget(TextBlock(asked.ref.iri, size=SMALL, muted=True))
        self.told = own_words(asked)
        column.addWidget(TextBlock(self.told))
        self.links_too = QRadioButton("Remove these links too")
        self.links_stay = QRadioButton("Keep them as links to a resource without statements")
        self.links_too.setChecked(True)
        self.linking = linking_rows(asked)
        links = asked.removal.links
        if links:
            heading = f"{counted(len(links), 'link')} to it"
            column.addWidget(caption(heading))
            for label, properties in self.linking[:MOST_LINKING]:
                column.addWidget(TextBlock(brief(label, 80), properties))
            if len(self.linking) > MOST_LINKING:
                column.addWidget(TextBlock(f"and {len(self.linking) - MOST_LINKING:,} more", muted=True))
            for choice in (self.links_too, self.links_stay):
                choice.setParent(self)
                column.addWidget(choice)
        if asked.removal.in_lists:
            places = counted(asked.removal.in_lists, "place")
            column.addWidget(
                TextBlock(f"It stands in {places} of lists, and stays there: a list is not cut.", muted=True)
            )
        self.why = QLineEdit()
        self.why.setAccessibleName("Why")
        self.why.setPlaceholderText(WHY)
        column.addWidget(self.why)
        self.remove = add_answers(self, column, "Remove", self._confirm)
        self.remove.setEnabled(bool(asked.removal.own) or bool(links))
        fit_height(self, column)
        (self.links_too if links else self.why).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def change(self) -> ChangeSet:
        """What is to be made by what is chosen."""
        change = self._removal.with_links if self.links_too.isChecked() else self._removal.own
        return replace(change, why=" ".join(self.why.text().split()))

    def _confirm(self) -> None:
        change = self.change
        self.accept()
        self.confirmed.emit(change)


def own_words(asked: AskedRemoval) -> str:
    """What is said of the statements that are the resource's own."""
    removed = asked.removal.own.removed
    if not removed:
        return "Nothing is said of it that could be removed."
    about = asked.ref.resource
    nodes = {quad.subject for quad in removed} - {about}
    words = f"{counted(len(removed), 'statement')} {'goes' if len(removed) == 1 else 'go'}"
    if nodes:
        words += f", with the {counted(len(nodes), 'node')} that {'holds' if len(nodes) == 1 else 'hold'} its values"
    words += ". It can be undone."
    if asked.is_typed:
        words += " What is typed into its form and not saved goes too."
    return words


def linking_rows(asked: AskedRemoval) -> tuple[tuple[str, str], ...]:
    """The name of each resource that links to it, and by which properties."""
    by: dict[Resource, dict[str, None]] = {}
    for quad in asked.removal.links:
        by.setdefault(quad.subject, {})[asked.properties.get(quad.predicate, quad.predicate.value)] = None  # type: ignore[arg-type]  # no quoted triples
    return tuple((ref.label, ", ".join(by.get(ref.resource, ()))) for ref in asked.removal.linking)


class Removals(QObject):
    """The way from the wish to remove a resource to the step that did it.

    Args:
        undo: each removal becomes a step of it.
        window: the dialog's parent.

    Signals:
        removed(object): a resource is gone.
    """

    removed = Signal(object)

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
            open_dialog(dialog)

        self._bridge.run(
            asked_removal,
            resource,
            is_typed,
            title="See what goes",
            on_result=show,
            replaces="removal",
        )

    def _remove(self, resource: Resource, change: ChangeSet) -> None:
        in_sight = self._navigator.place.focus == resource

        def made(step: EditStep | None) -> None:
            if step is None:
                self._bridge.said.emit("Nothing was said of it any more")
                return
            self._undo.push(step)
            self._bridge.said.emit(f"{step.words}; Undo brings it back")
            self._leave(resource, in_sight=in_sight)
            self.removed.emit(resource)

        self._bridge.run(
            EditStep.made,
            change,
            title=change.words,
            on_result=made,
            writes=True,
        )

    def _leave(self, resource: Resource, *, in_sight: bool) -> None:
        """Forget the places that are about it, and go back to where one came from if it was in sight."""
        self._navigator.forget(lambda other: other == resource)
        if in_sight and self._navigator.place.focus is None and self._navigator.can_go_back:
            self._navigator.back()
