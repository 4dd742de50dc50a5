"""Connects the page of a form to the session: loads the form, stores and checks what is typed, and saves it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.validation.findings import Fix
from hpc_explorer.app.forms.fields import fields_for
from hpc_explorer.app.forms.filling import Filling, NewLink
from hpc_explorer.app.forms.loading import LoadedForm, loaded_form
from hpc_explorer.app.forms.open_form import FormSubject, OpenForm, classes_to_load
from hpc_explorer.app.forms.saving import save_form
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.errors import UnknownResource
from hpc_explorer.rdf.terms import NamedNode, iri_text, typed_iri
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.class_controller import FormClassController
from hpc_explorer.ui.forms.field_finder import ADDED_FIELD, FieldFinder
from hpc_explorer.ui.forms.findings import FormFindings
from hpc_explorer.ui.forms.head import FormHead
from hpc_explorer.ui.forms.page import FormPage
from hpc_explorer.ui.forms.tools import SessionTools, ask_is_taken
from hpc_explorer.ui.forms.typed import TypedForms
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.suggest_line import Suggestion
from hpc_explorer.ui.widgets.timers import single_shot

PAUSE = 250
"""Milliseconds without a key before errors are shown, because unfinished text is often invalid."""


class FormEditor(QObject):
    """The form in the window with its page.

    Args:
        undo: receives each saved edit.

    Attributes:
        form: the open form, without Qt.
        tools: lookups and dialogs for the entries.
        typed: the entries that are stored and not saved.
        takes_keyboard: whether the form takes the keyboard when it is shown next.
        wants_class: whether to ask for another class once the form can be edited.

    Signals:
        made(Resource): the form of a new resource was saved.
        named(str): the title of the new resource that is described; empty if none is.
    """

    made = Signal(object)
    named = Signal(str)

    def __init__(self, bridge: SessionBridge, actions: Actions, undo: UndoStack, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge, self._undo = bridge, undo
        self.form = OpenForm(lambda cls: self._classes.label(cls))
        self.takes_keyboard = self.wants_class = False
        self._fields_wanted: tuple[NamedNode, ...] = ()
        self.finder = FieldFinder(bridge, lambda: self.form.filling, lambda: self.form.can_type)
        self.tools = SessionTools(
            bridge,
            lambda: None if self.form.loaded is None else self.form.loaded.view,
            lambda: self.form.filling,
            lambda: self.page.window(),
            self,
        )
        self.tools.linked.connect(self._link)
        self.page = FormPage(self._made_head(actions), self.tools, actions.actions("edit.describe", "go.search"))
        self._classes = FormClassController(bridge, self.tools, self.page, self.form, self._take_classes)
        self.ask_class = self._classes.ask
        self.typed = TypedForms(bridge, self)
        self.typed.failed.connect(lambda error: self._bridge.failed.emit("Keep what is typed", error))
        self.findings = FormFindings(bridge, self.page.fields, self._take_fixed, self._make_fix)
        self._pause = single_shot(self, PAUSE, self._show_wrongs)
        self.page.fields.typed.connect(self._typed)

    def _made_head(self, actions: Actions) -> FormHead:
        save, discard, start, copy_iri, add_class = actions.actions(
            "edit.save", "edit.discard", "edit.start", "resource.copy_iri", "edit.add_class"
        )
        others = actions.actions("edit.like_it", "resource.history", "resource.where_from", "edit.remove")
        head = FormHead(save, discard, start, copy_iri, add_class, others, self.finder.find)
        head.finder.chosen.connect(self._found)
        head.iri_typed.connect(self._iri_typed)
        head.why.textEdited.connect(lambda _: self._keep())
        return head

    @property
    def is_waiting(self) -> bool:
        """Whether a check is pending or fields are still being created."""
        return self._pause.isActive() or self.page.fields.is_making

    # Loading

    def show(self, subject: FormSubject) -> None:
        """Load the form of a resource and show it."""
        if self.form.turn_to(subject):
            self.wants_class = False
        typed = self.typed.document(subject.key)
        more = [NamedNode(iri) for iri in (typed or {}).get("fields", {})]
        classes, without = classes_to_load(subject, self.form.filling, typed)
        self._bridge.run(
            loaded_form,
            None if subject.is_new else subject.resource,
            classes,
            without,
            more,
            self._bridge.source_names,
            title="Make the form",
            on_result=lambda made: self._take(subject, made),
            on_error=self._not_made,
            replaces="form",
        )

    def _not_made(self, error: BaseException) -> None:
        self.close()
        if not isinstance(error, UnknownResource):
            self._bridge.failed.emit("Make the form", error)

    def close(self) -> None:
        """Close the form."""
        self._bridge.drop("form")
        self.form.close()
        self.page.show_form(False)
        self.named.emit("")
        self._bridge.updated.emit()

    def _take(self, subject: FormSubject, made: LoadedForm) -> None:
        if subject != self.form.subject:
            return
        anew = self.form.filling is None
        typed = self.typed.document(subject.key)
        is_other = self.form.take(made, typed)
        if anew:
            self.page.head.why.setText(str((typed or {}).get("why", "")))
        self._show_head(subject, made)  # first: what comes and goes in it has the fields placed anew
        if is_other and self.form.filling is not None:
            keyboard = self.page.fields.keyboard if not anew else None
            self.page.fields.show_filling(self.form.filling, read_only=not self.form.can_type, anew=anew)
            if keyboard is not None:
                self.page.fields.put_keyboard(*keyboard)
        self.page.show_form(True)
        self._show_wrongs()
        self._mark()
        self._bridge.updated.emit()  # a button that cannot be pressed takes no keyboard
        if self.takes_keyboard:
            self.takes_keyboard = False
            if self.form.can_type:
                self.page.fields.begin()
            else:
                self.page.head.start.setFocus(Qt.FocusReason.OtherFocusReason)
        self.go_to()
        if self.wants_class and not made.can_start:
            self.wants_class = False
            self.ask_class()

    def _show_head(self, subject: FormSubject, loaded: LoadedForm) -> None:
        head = self.page.head
        head.show_resource(iri_text(subject.resource), is_new=subject.is_new)
        self.named.emit(self.form.title if subject.is_new else "")
        self._classes.show()
        head.show_notice(notice(loaded), can_start=loaded.can_start)
        head.start.setText(starting(loaded))
        head.start.setAccessibleName(head.start.text())

    # Typing

    def _typed(self, predicate: NamedNode) -> None:
        if self.form.filling is not None:
            self.form.filling = self.form.filling.with_entries(predicate, self.page.fields.entries(predicate))
            self._mark_and_keep()
            self._pause.start()
            self._bridge.updated.emit()

    def _mark_and_keep(self) -> None:
        self._mark()
        self._keep()

    def _mark(self) -> None:
        """Mark the changed fields and summarize the changes."""
        form = self.form
        if form.filling is None or form.loaded is None or form.subject is None:
            return
        self.page.fields.mark_changes(form.filling, form.loaded.prefixes)
        self.page.head.show_changes(form.summary())
        if form.subject.is_new:
            self.named.emit(form.title)

    def _keep(self) -> None:
        """Store what is typed on disk, or delete it if nothing is changed."""
        if self.form.subject is None:
            return
        document = self.form.document(self.page.head.why.text())
        if document is None:
            self.typed.drop(self.form.subject.key)
        else:
            self.typed.keep(self.form.subject.key, document)

    def _show_wrongs(self) -> None:
        """Show unreadable entries; if there are none, validate against the shapes."""
        self._pause.stop()
        form = self.form
        if form.filling is None or form.loaded is None or form.subject is None:
            return
        wrongs = form.wrongs()
        self.page.fields.show_wrongs(wrongs)
        if wrongs or not form.can_type:
            self.findings.drop()
        else:
            self.findings.ask(form.loaded.view, form.filling, form.subject.resource, form.loaded.prefixes)

    def _take_fixed(self, filling: Filling) -> None:
        """Show a filling with a fix, and focus the changed field."""
        before = self.form.filling
        if before is not None and filling.classes != before.classes:
            self._take_classes(filling)
            return
        self.form.filling = filling
        self.page.fields.show_filling(filling, read_only=False, anew=False)
        self._mark_and_keep()
        self._show_wrongs()
        for predicate, entries in filling.entries.items():
            if before is None or entries != before.entries.get(predicate):
                self.page.fields.go_to(predicate)
        self._bridge.updated.emit()

    def _make_fix(self, fix: Fix) -> None:
        """Apply a fix that changes more than one field, as one undo step."""
        self._bridge.run(
            EditStep.made,
            fix.change,
            title=fix.words,
            on_result=self._push,
            writes=True,
        )

    def _push(self, step: EditStep | None) -> None:
        if step is not None:
            self._undo.push(step)
            self._bridge.said.emit(f"Applied: {step.words}")

    def _take_classes(self, filling: Filling) -> None:
        self.form.change_classes(filling)
        self._classes.show()
        self._mark_and_keep()
        self.takes_keyboard = False  # it stays at the classes
        if self.form.subject is not None:
            self.show(self.form.subject)
        self._bridge.updated.emit()

    def _link(self, link: NewLink) -> None:
        if self.form.filling is not None:
            self.form.filling = self.form.filling.with_link(link)

    def _iri_typed(self, text: str) -> None:
        """Change the IRI of a new resource, and move its stored entries."""
        subject, head = self.form.subject, self.page.head
        if subject is None or not subject.is_new:
            return
        iri = typed_iri(text)
        if iri is None:
            head.say_of_iri("Not an IRI: write a whole address such as https://example.org/thing")
            return
        head.say_of_iri("")
        self.typed.drop(subject.key)
        self.form.subject = FormSubject(iri, subject.classes, subject.name)
        self._keep()
        taken = "The graph already has this IRI: choose another one"
        ask_is_taken(self._bridge, iri, lambda is_taken: head.say_of_iri(taken if is_taken else ""))

    # Saving

    def save(self, then: Callable[[], None] = lambda: None) -> None:
        """Put the form into the graph as one undo step.

        Args:
            then: called when it is done.
        """
        form = self.form
        if form.filling is None or form.loaded is None or form.subject is None or form.is_saving:
            return
        subject = form.subject
        wrongs = form.wrongs()
        if wrongs:
            self._show_wrongs()
            self.page.fields.go_to(wrongs[0].field.predicate)
            self._bridge.said.emit(
                f"{wrongs[0].field.label}: {wrongs[0].error.what}. Correct that before you apply the form"
            )
            return
        form.is_saving = True
        iri = subject.resource if subject.is_new and isinstance(subject.resource, NamedNode) else None
        self._bridge.run(
            partial(save_form, subject=iri, why=" ".join(self.page.head.why.text().split())),
            form.loaded.view,
            form.filling,
            title="Apply the form",
            on_result=lambda step: self._saved(subject, step, then),
            on_error=self._not_saved,
            writes=True,
        )
        self._bridge.updated.emit()

    def _saved(self, subject: FormSubject, step: EditStep | None, then: Callable[[], None]) -> None:
        is_open = self.form.saved(subject)
        self._push(step)
        self.typed.drop(subject.key)
        if is_open:
            self.page.head.why.clear()
            self.takes_keyboard = False
            if subject.is_new:
                self.made.emit(subject.resource)
            else:
                self.show(subject)
        self._bridge.updated.emit()
        then()

    def _not_saved(self, error: BaseException) -> None:
        self.form.is_saving = False
        self._bridge.failed.emit("Apply the form", error)
        self._bridge.updated.emit()

    def discard(self) -> None:
        """Discard unsaved entries, and close the form of a new resource."""
        subject = self.form.subject
        if subject is None or self.form.filling is None:
            return
        self.typed.drop(subject.key)
        if subject.is_new:
            self.close()
            return
        self.form.filling = None
        self.show(subject)

    # Fields

    def find_field(self) -> None:
        """Focus the field finder."""
        self.page.head.finder.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.page.head.finder.selectAll()

    def _found(self, one: Suggestion) -> None:
        self.page.head.finder.clear()
        if self.form.filling is not None and isinstance(one.key, NamedNode):
            self.go_to([one.key])

    def go_to(self, properties: Sequence[NamedNode] = (), *, later: bool = False) -> None:
        """Go to the field of the first property that has one; if none has, add one for the first.

        Args:
            properties: if empty, those of the last call with `later`.
            later: wait until the form is loaded.
        """
        self._fields_wanted = tuple(properties) or self._fields_wanted
        if later:
            return
        wanted, self._fields_wanted = self._fields_wanted, ()
        if not wanted or self.form.filling is None:
            return
        there = next((one for one in wanted if self.form.filling.field(one) is not None), None)
        if there is not None:
            self.page.fields.go_to(there)
        elif self.form.can_type:
            self._bridge.run(
                fields_for,
                [wanted[0]],
                title="Make a field",
                on_result=lambda fields: self._add_field(fields[0]),
                replaces=ADDED_FIELD,
            )

    def _add_field(self, field: Field) -> None:
        if self.form.filling is not None:
            self.form.filling = self.form.filling.with_field(field)
            self._mark()
            self.page.fields.go_to(field.predicate)


READ_ONLY = (
    "These files are open to be read. A draft keeps your edits beside them; the files stay as they are until you save."
)


def notice(loaded: LoadedForm) -> str:
    """Why nothing can be typed into a form, and what can be done about it; empty where it can."""
    words = loaded.view.read_only or ""
    if words and loaded.can_start:
        words = READ_ONLY if loaded.draft is None else _draft_words(loaded.draft)
    return sentence(words)


def starting(loaded: LoadedForm) -> str:
    """What the button says that makes what is open editable."""
    return "Start editing" if loaded.draft is None else "Go on with the draft"


def _draft_words(draft: Draft) -> str:
    count = "1 statement was" if draft.statements == 1 else f"{draft.statements:,} statements were"
    when = f", last on {draft.edited.astimezone():%d %B %Y at %H:%M}" if draft.edited is not None else ""
    return f"There is a draft of these files in which {count} edited and not saved{when}"
