"""Starts editing, and begins the forms of new resources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.forms.annotating import classes_to_describe
from hpc_explorer.app.forms.loading import LikeIt, one_like
from hpc_explorer.app.forms.offers import Proposal, proposal
from hpc_explorer.app.forms.open_form import FormSubject
from hpc_explorer.app.forms.views import ClassChoice
from hpc_explorer.app.journal.editing import Draft, continue_draft, start_editing
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.describe_dialog import Beginning, DescribeDialog
from hpc_explorer.ui.forms.tools import NEW_IRI, ask_is_taken
from hpc_explorer.ui.widgets.dialog_parts import open_dialog


class FormBeginning(QObject):
    """Asks for the class of a new resource, and starts a draft if the sources are read-only.

    Args:
        draft: says which draft is gone on with; None: a new one is begun.
        window: over which it asks.

    Signals:
        begun(FormSubject): something new is to be described.
        likened(FormSubject, LikeIt): something new, with what is said of another resource.
        chosen(Resource): what was asked for is there already, and is to be edited.
        started(): what is open is editable now.
        failed(str, BaseException): the title of what was attempted, and its error.
    """

    begun = Signal(object)
    likened = Signal(object, object)
    chosen = Signal(object)
    started = Signal()
    failed = Signal(str, object)

    def __init__(
        self,
        bridge: SessionBridge,
        draft: Callable[[], Draft | None],
        window: Callable[[], QWidget],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._draft, self._window = draft, window

    def start(self, then: Callable[[], None] = lambda: None) -> None:
        """Start or continue a draft, and go on."""

        def took(begun: Draft) -> None:
            for note in begun.notes:
                self._bridge.said.emit(note)
            self.started.emit()
            then()

        draft = self._draft()
        # A file that changed meanwhile is compared by the push, which asks where both sides changed the same.
        begin = start_editing if draft is None else partial(continue_draft, folder=draft.folder, bring_in=False)
        self._bridge.run(
            begin,
            title="Start editing",
            on_result=took,
            on_error=lambda error: self.failed.emit("Start editing", error),
            writes=True,
        )

    def when_editable(self, then: Callable[[], None]) -> None:
        """Do something after a draft was started, if one is needed."""
        if self._bridge.read_only_reason is not None:
            self.start(then)
        else:
            then()

    def describe(self) -> None:
        """Ask for a class and begin the form of a new resource, after starting a draft if needed."""
        if self._bridge.is_empty:
            self.start(self.describe)
        else:
            self.when_editable(self._ask_classes)

    def describe_like(self, of: Callable[[], Resource | None]) -> None:
        """Begin the form of a new resource with the values of another, after starting a draft if needed.

        Args:
            of: says which, once that is so.
        """

        def took(like: LikeIt) -> None:
            self.likened.emit(FormSubject(like.iri, like.classes), like)

        def ask() -> None:
            resource = of()
            if resource is not None:
                self._bridge.run(
                    one_like,
                    resource,
                    title="Read what is said of it",
                    on_result=took,
                    on_error=lambda error: self.failed.emit("Describe one like this", error),
                    replaces="new resource",
                )

        self.when_editable(ask)

    def _ask_classes(self) -> None:
        self._bridge.run(
            classes_to_describe, title="List the classes", on_result=self._open_dialog, replaces="new resource"
        )

    def _ask_proposal(self, cls: NamedNode, name: str, done: Callable[[Proposal], None]) -> None:
        self._bridge.run(proposal, cls, name, title="Find a free IRI", on_result=done, replaces=NEW_IRI)

    def _open_dialog(self, classes: Sequence[ClassChoice]) -> None:
        dialog = DescribeDialog(classes, self._ask_proposal, partial(ask_is_taken, self._bridge), self._window())
        dialog.begun.connect(self._begin)
        dialog.opened.connect(lambda ref: self.chosen.emit(ref.resource))
        open_dialog(dialog)

    def _begin(self, beginning: Beginning) -> None:
        self.begun.emit(FormSubject(beginning.iri, (beginning.cls,), beginning.name))
