"""Connects the form page to the session: loads a form, stores what is typed, and saves it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.validation.findings import Fix
from hpc_explorer.app.forms.changes import ClassChange, FieldChange, LinkClass, summary_of
from hpc_explorer.app.forms.fields import fields_for
from hpc_explorer.app.forms.filling import Filling, NewLink
from hpc_explorer.app.forms.loading import LikeIt, LoadedForm, loaded_form
from hpc_explorer.app.forms.open_form import (
    FormSubject,
    classes_to_load,
    filling_for,
    form_title,
    typed_document,
    typed_name,
)
from hpc_explorer.app.forms.saving import save_form
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.errors import UnknownResource
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text, typed_iri
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command, Need, chosen_resource
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.class_controller import FormClassController
from hpc_explorer.ui.forms.field_finder import ADDED_FIELD, FieldFinder
from hpc_explorer.ui.forms.findings import FormFindings
from hpc_explorer.ui.forms.head import FormHead
from hpc_explorer.ui.forms.new_resource import FormBeginning
from hpc_explorer.ui.forms.page import FormPage
from hpc_explorer.ui.forms.removal import Removals
from hpc_explorer.ui.forms.titles import notice, starting
from hpc_explorer.ui.forms.tools import SessionTools, ask_is_taken
from hpc_explorer.ui.forms.typed import TypedForms
from hpc_explorer.ui.forms.unsaved import UnsavedForms
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.edit_tab import EditTab, EditView
from hpc_explorer.ui.widgets.suggest_line import Suggestion
from hpc_explorer.ui.widgets.timers import single_shot

PAUSE = 250
"""Milliseconds without a key before errors are shown, because unfinished text is often invalid."""


class FormController(QObject):
    """Controls the form page.

    Args:
        undo: receives each saved edit.

    Attributes:
        filling: the form with the typed entries; None if no form is open.
        tools: lookups and dialogs for the entries.

    Signals:
        changed(): a form was opened, closed or edited.
        said(str): a message for the status bar.
        failed(str, BaseException): the name of a task, and its error.
        offered(str, str, str, object): a title, a text, the label of a button, and its callback.
    """

    changed = Signal()
    said = Signal(str)
    failed = Signal(str, object)
    offered = Signal(str, str, str, object)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        tab: EditTab,
        actions: Actions,
        undo: UndoStack,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._navigator, self._tab, self._undo = bridge, navigator, tab, undo
        self._subject: FormSubject | None = None
        self._loaded: LoadedForm | None = None
        self.filling: Filling | None = None
        self._saving = False
        self._takes_keyboard = False
        self._wants_class = False
        self._fields_wanted: tuple[NamedNode, ...] = ()
        self._finder = FieldFinder(bridge, lambda: self.filling, lambda: self.can_type)
        self.tools = SessionTools(
            bridge,
            lambda: None if self._loaded is None else self._loaded.view,
            lambda: self.filling,
            lambda: self.page.window(),
            self,
        )
        self.tools.linked.connect(self._link)
        self.tools.said.connect(self.said)
        self.tools.failed.connect(self.failed)
        self._beginning = FormBeginning(bridge, self.tools, self._draft, lambda: self.page.window(), self)
        self._beginning.begun.connect(self._begin)
        self._beginning.likened.connect(self._begin_like)
        self._beginning.chosen.connect(navigator.edit)
        self._beginning.started.connect(self._started)
        self._beginning.said.connect(self.said)
        self._beginning.failed.connect(self._not_begun)
        save, discard, start, copy_iri, add_class = actions.actions(
            "edit.save", "edit.discard", "edit.start", "resource.copy_iri", "edit.add_class"
        )
        others = actions.actions("edit.like_it", "resource.history", "resource.where_from", "edit.remove")
        head = FormHead(save, discard, start, copy_iri, add_class, others, self._finder.find)
        self.page = FormPage(head, self.tools, actions.actions("edit.describe", "go.search"))
        self._classes = FormClassController(
            bridge,
            self.tools,
            self.page,
            lambda: self.filling,
            lambda: self._loaded,
            self._title,
            self._take_classes,
        )
        self.typed = TypedForms(bridge, self)
        self.findings = FormFindings(bridge, self.page.fields, self._take_mended, self._make_fix)
        tab.mount(EditView.FORM, self.page, self.set_theme)
        self._pause = single_shot(self, PAUSE, self._say_wrongs)
        navigator.moved.connect(self._follow)
        bridge.graph_changed.connect(self._graph_changed)
        self.page.fields.typed.connect(self._typed)
        head.finder.chosen.connect(self._found)
        head.classes.opened.connect(lambda ref: navigator.explore(ref.resource))
        head.iri_typed.connect(self._iri_typed)
        head.why.textEdited.connect(lambda _: self._keep())
        self.removals = Removals(bridge, navigator, undo, self)
        self.removals.removed.connect(self._removed)
        self.removals.said.connect(self.said)
        self.removals.failed.connect(self.failed)
        self._unsaved = UnsavedForms(self.typed, self.page, self._go_on, self)
        self._unsaved.changed.connect(self.changed)
        self._unsaved.offered.connect(self.offered)
        self.typed.failed.connect(lambda error: self.failed.emit("Keep what is typed", error))

    # What the window asks

    def commands(self) -> tuple[Command, ...]:
        """The commands of forms."""
        resource = chosen_resource(self._bridge, self._navigator)
        form = self._need("a form in the tab Edit", lambda: self._is_in_sight and self.filling is not None)
        typed = self._need(
            "something typed into the form that is not saved", lambda: self._is_in_sight and self.is_typed
        )
        unsaved = self._need("forms that are not saved", lambda: bool(self.typed.rows()))
        startable = self._need("a form of files that are open to be read", lambda: self._can_start)
        return (
            Command("edit.resource", "Edit this resource", "Edit", 1, "Ctrl+E", "edit", short="Edit")
            .runs(self.edit_chosen, resource)
            .about("Show the chosen resource as a form."),
            Command("edit.describe", "Describe something new…", "Edit", 1, "Ctrl+Shift+N", "add")
            .runs(self.describe)
            .about("Choose what it is, and fill in the form of its class."),
            Command("edit.find_field", "Find or add a field", "Edit", 1, "Ctrl+F")
            .runs(self.find_field, form)
            .about("Go to a field of the form by its name, or add one for any other property."),
            Command("edit.add_class", "Add a class…", "Edit", 1, "Ctrl+Alt+Shift+C", "add", short="Add class…")
            .runs(self.add_class, form)
            .about("Say what else the resource of the form is: its form has the fields of that class too."),
            Command("edit.save", "Save the form", "Edit", 1, "Ctrl+S", "done", short="Save")
            .runs(self.save, typed)
            .about("Make what is typed into the form part of the graph, as one step that can be undone."),
            Command("edit.discard", "Discard what is typed", "Edit", 1, "Ctrl+Alt+Z", short="Discard")
            .runs(self.discard, typed)
            .about("Drop what is typed into the form and not saved."),
            Command("edit.unsaved", "Forms not saved…", "Edit", 1)
            .runs(self._unsaved.choose, unsaved)
            .about("Choose which of the forms to go on with that were typed and not saved."),
            Command("edit.start", "Start editing", "Edit", 1)
            .runs(self.start_editing, startable)
            .about(
                "Make a draft of the files that are open, in which they can be edited; they stay as they are "
                "until you push."
            ),
            Command("edit.like_it", "Describe one like this", "Edit", 1, "Ctrl+Alt+Shift+N")
            .runs(self.describe_like, resource)
            .about(
                "Begin the form of something new with what is said of the chosen resource, without its name and "
                "identifiers."
            ),
            Command("edit.remove", "Remove this resource…", "Edit", 1, "Ctrl+Shift+Backspace")
            .runs(self.remove, resource)
            .about(
                "See what goes with the chosen resource, and take it out of the graph as one step that can be undone."
            ),
        )

    def _need(self, what: str, is_met: Callable[[], bool]) -> Need:
        return Need(what, lambda: not self._bridge.is_empty and is_met())

    @property
    def _is_in_sight(self) -> bool:
        return self._navigator.place.view is View.EDIT and self._tab.view is EditView.FORM

    @property
    def _can_start(self) -> bool:
        if self._loaded is not None:
            return self._loaded.can_start
        return self._bridge.workspace is None and not self._bridge.is_remote

    @property
    def is_typed(self) -> bool:
        """Whether the form has unsaved entries."""
        if self.filling is None or self._saving:
            return False
        return self.filling.is_new or bool(self._changes())

    @property
    def can_type(self) -> bool:
        """Whether the open form can be edited."""
        return self._loaded is not None and self._loaded.view.read_only is None

    @property
    def session(self) -> Session:
        """The session of the forms."""
        return self._bridge.session

    @property
    def is_waiting(self) -> bool:
        """Whether a check is pending or fields are still being created."""
        return self._pause.isActive() or self.page.fields.is_making

    def _changes(self) -> tuple[FieldChange | ClassChange | LinkClass, ...]:
        if self.filling is None or self._loaded is None:
            return ()
        prefixes = self._loaded.prefixes
        return (*self.filling.class_changes(self._classes.label, prefixes), *self.filling.changes(prefixes))

    # What is in the form

    def edit_chosen(self) -> None:
        """Show the chosen resource as a form, which takes the keyboard."""
        resource = self._navigator.place.selected or self._navigator.place.focus
        if resource is None:
            return
        self._tab.show_view(EditView.FORM)
        self._takes_keyboard = True
        if self._navigator.place.view is View.EDIT and self._navigator.place.focus == resource:
            self._show(FormSubject(resource))
        else:
            self._navigator.edit(resource)

    def edit_field(self, resource: Resource, properties: Sequence[NamedNode]) -> None:
        """Show a resource as a form, in which the field of one of these properties takes the keyboard.

        Args:
            properties: the likeliest first; where the form has a field for none of them, the first gets one.
        """
        self._tab.show_view(EditView.FORM)
        self._fields_wanted = tuple(properties)
        if self._navigator.place.view is View.EDIT and self._navigator.place.focus == resource:
            self._show(FormSubject(resource))
        elif self._subject == FormSubject(resource) and self.filling is not None:
            self._navigator.edit(resource)
            self._go_to_wanted()
        else:
            self._navigator.edit(resource)

    def _go_to_wanted(self) -> None:
        wanted, self._fields_wanted = self._fields_wanted, ()
        if not wanted or self.filling is None:
            return
        there = next((one for one in wanted if self.filling.field(one) is not None), None)
        if there is not None:
            self.page.fields.go_to(there)
        elif self.can_type:
            self._ask_field(wanted[0])

    def describe(self) -> None:
        """Ask for a class and open the form of a new resource, after starting a draft if needed."""
        self._beginning.describe()

    def describe_like(self) -> None:
        """Open the form of a new resource with the values of the chosen one, after starting a draft if needed."""
        if self._chosen is not None:
            self._beginning.describe_like(lambda: self._chosen)

    def remove(self) -> None:
        """Ask what else to remove, and remove the chosen resource, after starting a draft if needed."""
        if self._chosen is not None:
            self._beginning.when_editable(self._remove)

    def _remove(self) -> None:
        resource = self._chosen
        if resource is not None:
            is_typed = self.typed.document(FormSubject(resource).key) is not None
            self.removals.ask(resource, self.page.window(), is_typed=is_typed)

    @property
    def _chosen(self) -> Resource | None:
        """The resource of the visible form, else the selected one."""
        place = self._navigator.place
        if place.view is View.EDIT and self._tab.view is EditView.FORM and self._subject is not None:
            return None if self._subject.is_new else self._subject.resource
        return place.selected or place.focus

    def _removed(self, resource: Resource) -> None:
        self.typed.drop(FormSubject(resource).key)
        if self._subject is not None and self._subject.resource == resource:
            self._close()

    def _begin(self, subject: FormSubject) -> None:
        self._tab.show_view(EditView.FORM)
        self._navigator.edit(None)
        self._takes_keyboard = True
        self._show(subject)

    def _begin_like(self, subject: FormSubject, like: LikeIt) -> None:
        self.tools.know(like.refs)
        self.typed.keep(subject.key, typed_document(subject, f"one like {like.title}", like.filling, ""))
        self._unsaved.go_on_with(subject.key)

    def _follow(self, place: Place, before: Place) -> None:
        if place.view is not View.EDIT:
            return
        if place.focus is None:
            if self._subject is None or not self._subject.is_new:
                self._close()
        elif self._subject is None or self._subject.resource != place.focus or self._subject.is_new:
            self._show(FormSubject(place.focus))

    def _show(self, subject: FormSubject) -> None:
        if self._subject != subject:
            self._loaded, self.filling = None, None
            self._wants_class = False
        self._subject = subject
        typed = self.typed.document(subject.key)
        more = [NamedNode(iri) for iri in (typed or {}).get("fields", {})]
        about = None if subject.is_new else subject.resource
        classes, without = classes_to_load(subject, self.filling, typed)
        self._bridge.run(
            loaded_form,
            about,
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
        self._close()
        if not isinstance(error, UnknownResource):
            self.failed.emit("Make the form", error)

    def _close(self) -> None:
        self._bridge.drop("form")
        self._subject, self._loaded, self.filling = None, None, None
        self.page.show_form(False)
        self.changed.emit()

    def _take(self, subject: FormSubject, made: LoadedForm) -> None:
        if subject != self._subject:
            return
        anew = self.filling is None
        same = not anew and self._loaded is not None and self._loaded.view == made.view
        typed = self.typed.document(subject.key)
        filling = filling_for(subject, made, self.filling, typed)
        self._loaded, self.filling = made, filling
        if anew:
            self.page.head.why.setText(str((typed or {}).get("why", "")))
        read_only = made.view.read_only is not None
        self._show_head()  # first: what comes and goes in it has the fields placed anew
        if not same:
            keyboard = self.page.fields.keyboard if not anew else None
            self.page.fields.show_filling(filling, read_only=read_only, anew=anew)
            if keyboard is not None:
                self.page.fields.put_keyboard(*keyboard)
        self.page.show_form(True)
        self._say_wrongs()
        self._mark()
        self.changed.emit()  # a button that cannot be pressed takes no keyboard
        if self._takes_keyboard:
            self._takes_keyboard = False
            if read_only:
                self.page.head.start.setFocus(Qt.FocusReason.OtherFocusReason)
            else:
                self.page.fields.begin()
        self._go_to_wanted()
        if self._wants_class and not made.can_start:
            self._wants_class = False
            self.add_class()

    def _show_head(self) -> None:
        if self._subject is None or self._loaded is None:
            return
        subject, head = self._subject, self.page.head
        head.show_resource(self._title(), iri_text(subject.resource), is_new=subject.is_new)
        self._classes.show()
        head.show_notice(notice(self._loaded), can_start=self._loaded.can_start)
        head.start.setText(starting(self._loaded))
        head.start.setAccessibleName(head.start.text())

    def _title(self) -> str:
        if self._subject is None or self._loaded is None:
            return ""
        return form_title(self._subject, self._loaded.view, self.filling)

    # Its classes

    def add_class(self) -> None:
        """Ask for another class of the resource, after starting a draft if needed."""
        if self._bridge.read_only_reason is not None:
            self._wants_class = True  # asked once the form is there again, to be filled in
            self._beginning.start()
        elif self._loaded is not None and self._loaded.view.read_only is not None:
            self.said.emit(sentence(self._loaded.view.read_only))
        else:
            self._classes.ask()

    def _take_classes(self, filling: Filling) -> None:
        if self._subject is None:
            return
        self.filling = filling
        if self._subject.is_new:
            self._subject = replace(self._subject, classes=filling.classes)
        self._classes.show()
        self._mark()
        self._keep()
        self._takes_keyboard = False  # it stays at the classes
        self._show(self._subject)
        self.changed.emit()

    # What is typed

    def _typed(self, predicate: NamedNode) -> None:
        if self.filling is None or self._subject is None:
            return
        self.filling = self.filling.with_entries(predicate, self.page.fields.entries(predicate))
        self._mark()
        self._keep()
        self._pause.start()
        self.changed.emit()

    def _mark(self) -> None:
        """Mark the changed fields and summarize the changes."""
        if self.filling is None or self._loaded is None or self._subject is None:
            return
        self.page.fields.mark_changes(self.filling, self._loaded.prefixes)
        read_only = self._loaded.view.read_only is not None
        self.page.head.show_changes("" if read_only else summary_of(self._changes(), is_new=self._subject.is_new))
        if self._subject.is_new:
            self.page.head.say_title(self._title())

    def _say_wrongs(self) -> None:
        """Show unreadable entries; if there are none, validate against the shapes."""
        self._pause.stop()
        if self.filling is None or self._loaded is None or self._subject is None:
            return
        wrongs = self.filling.wrongs(self._loaded.prefixes)
        self.page.fields.show_wrongs(wrongs)
        if wrongs or not self.can_type:
            self.findings.drop()
        else:
            self.findings.ask(self._loaded.view, self.filling, self._subject.resource, self._loaded.prefixes)

    def _take_mended(self, filling: Filling) -> None:
        """Show a filling with a fix, and focus the changed field."""
        before = {} if self.filling is None else self.filling.entries
        if self.filling is not None and filling.classes != self.filling.classes:
            self._take_classes(filling)
            return
        self.filling = filling
        self.page.fields.show_filling(filling, read_only=False, anew=False)
        self._mark()
        self._keep()
        self._say_wrongs()
        for predicate, entries in filling.entries.items():
            if entries != before.get(predicate):
                self.page.fields.go_to(predicate)
        self.changed.emit()

    def _make_fix(self, fix: Fix) -> None:
        """Apply a fix that changes more than one field, as one undo step."""

        def made(step: EditStep | None) -> None:
            if step is not None:
                self._undo.push(step)
                self.said.emit(f"Saved: {step.words}")

        self._bridge.run(
            EditStep.made,
            fix.change,
            title=fix.words,
            on_result=made,
            on_error=lambda error: self.failed.emit(fix.words, error),
            writes=True,
        )

    def _keep(self) -> None:
        """Store what is typed on disk, or delete it if nothing is changed."""
        if self.filling is None or self._subject is None:
            return
        if not self._subject.is_new and not self._changes():
            self.typed.drop(self._subject.key)
            return
        subject = self._subject
        title = (
            typed_name(self.filling) if subject.is_new else self._loaded.view.title if self._loaded is not None else ""
        )
        self.typed.keep(subject.key, typed_document(subject, title, self.filling, self.page.head.why.text()))

    def _iri_typed(self, text: str) -> None:
        """Change the IRI of a new resource, and move its stored entries."""
        if self._subject is None or not self._subject.is_new:
            return
        iri = typed_iri(text)
        if iri is None:
            self.page.head.say_of_iri("Not an IRI: write a whole address such as https://example.org/thing")
            return
        self.page.head.say_of_iri("")
        self.typed.drop(self._subject.key)
        self._subject = FormSubject(iri, self._subject.classes, self._subject.name)
        self._keep()
        ask_is_taken(
            self._bridge,
            iri,
            lambda taken: self.page.head.say_of_iri(
                "The graph speaks of this IRI already: choose another one" if taken else ""
            ),
        )

    def _go_on(self, subject: FormSubject) -> None:
        """Open a form with unsaved entries."""
        self._tab.show_view(EditView.FORM)
        self._takes_keyboard = True
        if subject.is_new:
            self._navigator.edit(None)
            self._show(subject)
        else:
            self._navigator.edit(subject.resource)
            if self._subject != subject:  # the window was at its form before, and does not move
                self._show(subject)

    # Saving

    def save(self) -> None:
        """Save the form as one undo step."""
        if self.filling is None or self._loaded is None or self._subject is None or self._saving:
            return
        subject, filling = self._subject, self.filling
        wrongs = filling.wrongs(self._loaded.prefixes)
        if wrongs:
            self._say_wrongs()
            self.page.fields.go_to(wrongs[0].field.predicate)
            self.said.emit(f"{wrongs[0].field.label}: {wrongs[0].error.what}. Correct that before you save")
            return
        self._saving = True
        iri = subject.resource if subject.is_new and isinstance(subject.resource, NamedNode) else None
        self._bridge.run(
            partial(save_form, subject=iri, why=" ".join(self.page.head.why.text().split())),
            self._loaded.view,
            filling,
            title="Save the form",
            on_result=lambda step: self._saved(subject, step),
            on_error=self._not_saved,
            writes=True,
        )
        self.changed.emit()

    def _saved(self, subject: FormSubject, step: EditStep | None) -> None:
        self._saving = False
        if step is not None:
            self._undo.push(step)
            self.said.emit(f"Saved: {step.words}")
        self.typed.drop(subject.key)
        if self._subject == subject:
            self.page.head.why.clear()
            self._takes_keyboard = False
            self.filling = None if subject.is_new else Filling(self.filling.form) if self.filling else None
            if subject.is_new:
                self._subject = None
                self._navigator.edit(subject.resource)
            else:
                self._show(subject)
        self.changed.emit()

    def _not_saved(self, error: BaseException) -> None:
        self._saving = False
        self.failed.emit("Save the form", error)
        self.changed.emit()

    def discard(self) -> None:
        """Discard unsaved entries, and close the form of a new resource."""
        if self._subject is None or self.filling is None:
            return
        subject = self._subject
        self.typed.drop(subject.key)
        if subject.is_new:
            self._close()
            return
        self.filling = None
        self._show(subject)

    def start_editing(self) -> None:
        """Start or continue a draft of the open files."""
        self._beginning.start()

    def _draft(self) -> Draft | None:
        """The draft to continue, if there is one."""
        return self._loaded.draft if self._loaded is not None and self._loaded.can_start else None

    def _started(self) -> None:
        self._takes_keyboard = True

    def _not_begun(self, what: str, error: BaseException) -> None:
        self._wants_class = False
        self.failed.emit(what, error)

    def _graph_changed(self) -> None:
        self._finder.forget()
        self.typed.follow()
        if self._bridge.is_empty:
            self._close()
        elif self._subject is not None:
            self._show(self._subject)

    # Finding a field

    def find_field(self) -> None:
        """Focus the field finder."""
        self.page.head.finder.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.page.head.finder.selectAll()

    def _found(self, one: Suggestion) -> None:
        self.page.head.finder.clear()
        predicate = one.key
        if self.filling is None or not isinstance(predicate, NamedNode):
            return
        if self.filling.field(predicate) is not None:
            self.page.fields.go_to(predicate)
        else:
            self._ask_field(predicate)

    def _ask_field(self, predicate: NamedNode) -> None:
        self._bridge.run(
            fields_for,
            [predicate],
            title="Make a field",
            on_result=lambda fields: self._add_field(fields[0]),
            replaces=ADDED_FIELD,
        )

    def _add_field(self, field: Field) -> None:
        if self.filling is not None:
            self.filling = self.filling.with_field(field)
            self._mark()
            self.page.fields.go_to(field.predicate)

    # What entries need

    def _link(self, link: NewLink) -> None:
        if self.filling is not None:
            self.filling = self.filling.with_link(link)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.tools.set_theme(theme)
        self.page.set_theme(theme)
