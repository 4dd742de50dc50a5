"""The commands of the tab Edit for forms, and which form is shown when."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.loading import LikeIt
from hpc_explorer.app.forms.open_form import FormSubject, typed_document
from hpc_explorer.app.journal.editing import Draft
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command, Need, chosen_resource
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.forms.editor import FormEditor
from hpc_explorer.ui.forms.new_resource import FormBeginning
from hpc_explorer.ui.forms.remove_dialog import Removals
from hpc_explorer.ui.forms.unsaved import UnsavedForms
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.edit_tab import EditTab, EditView


class FormController(QObject):
    """Opens, begins and removes resources in the form of the tab Edit.

    Args:
        undo: receives each saved edit.

    Attributes:
        editor: the form in the window.
        page: its page.
        typed: the entries that are stored and not saved.
        findings: what the shapes report about the form.

    Signals:
        offered(str, str, str, object): a title, a text, the label of a button, and its callback.
    """

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
        self._bridge, self._navigator, self._tab = bridge, navigator, tab
        self.editor = editor = FormEditor(bridge, actions, undo, self)
        self.page, self._form = editor.page, editor.form
        self.typed, self.findings = editor.typed, editor.findings
        tab.mount(EditView.FORM, lambda: self.page)
        self._beginning = FormBeginning(bridge, self._draft, lambda: self.page.window(), self)
        self._beginning.begun.connect(self._go_on)
        self._beginning.likened.connect(self._begin_like)
        self._beginning.chosen.connect(navigator.edit)
        self._beginning.started.connect(self._take_keyboard)
        self._beginning.failed.connect(self._not_begun)
        self._removals = Removals(bridge, navigator, undo, self)
        self._removals.removed.connect(self._removed)
        self._unsaved = UnsavedForms(self.typed, self.page, self._go_on, self)
        self._unsaved.offered.connect(self.offered)
        self._unsaved.changed.connect(bridge.updated)
        editor.made.connect(navigator.edit)
        self.page.head.classes.opened.connect(lambda ref: navigator.explore(ref.resource))
        navigator.moved.connect(self._follow)
        bridge.graph_changed.connect(self._graph_changed)

    def commands(self) -> tuple[Command, ...]:
        """The commands of forms."""
        resource = chosen_resource(self._bridge, self._navigator)
        form = self._need("a form in the tab Edit", lambda: self.is_in_sight and self.filling is not None)
        typed = self._need(
            "something typed into the form that is not saved", lambda: self.is_in_sight and self.is_typed
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
            .runs(self.editor.find_field, form)
            .about("Go to a field of the form by its name, or add one for any other property."),
            Command("edit.add_class", "Add a class…", "Edit", 1, "", "add", short="Add class…")
            .runs(self.add_class, form)
            .about("Give the resource of the form another class; the form then has its fields too."),
            Command("edit.save", "Apply the form", "Edit", 1, "", "done", short="Apply")
            .runs(self.editor.save, typed)
            .about("Put the entries of the form into the graph, as one step. Save writes the graph to its file."),
            Command("edit.discard", "Discard what is typed", "Edit", 1, "", short="Discard")
            .runs(self.editor.discard, typed)
            .about("Discard what is typed into the form and not saved."),
            Command("edit.unsaved", "Forms not saved…", "Edit", 1)
            .runs(self._unsaved.choose, unsaved)
            .about("Choose a form that was typed and not saved, and continue it."),
            Command("edit.start", "Start editing", "Edit", 1)
            .runs(self._beginning.start, startable)
            .about(
                "Make a draft of the files that are open, in which they can be edited; they stay as they are "
                "until you save."
            ),
            Command("edit.like_it", "Describe one like this", "Edit", 1)
            .runs(self.describe_like, resource)
            .about(
                "Begin the form of something new with what is said of the chosen resource, without its name and "
                "identifiers."
            ),
            Command("edit.remove", "Remove this resource…", "Edit", 1)
            .runs(self.remove, resource)
            .about("See what is removed with the chosen resource, and remove it in one step that can be undone."),
        )

    def _need(self, what: str, is_met: Callable[[], bool]) -> Need:
        return Need(what, lambda: not self._bridge.is_empty and is_met())

    @property
    def is_in_sight(self) -> bool:
        """Whether the form is visible."""
        return self._navigator.place.view is View.EDIT and self._tab.view is EditView.FORM

    @property
    def _can_start(self) -> bool:
        if self._form.loaded is not None:
            return self._form.loaded.can_start
        return self._bridge.workspace is None and not self._bridge.is_remote

    def continue_unsaved(self, key: str) -> None:
        """Open a form that was typed and not saved, by its key."""
        self._unsaved.go_on_with(key)

    @property
    def filling(self) -> Filling | None:
        """The form with the typed entries; None if no form is open."""
        return self._form.filling

    @property
    def is_typed(self) -> bool:
        """Whether the form has unsaved entries."""
        return self._form.is_typed

    @property
    def can_type(self) -> bool:
        """Whether the open form can be edited."""
        return self._form.can_type

    @property
    def session(self) -> Session:
        """The session of the forms."""
        return self._bridge.session

    @property
    def is_waiting(self) -> bool:
        """Whether a check is pending or fields are still being created."""
        return self.editor.is_waiting

    # Opening

    def edit_chosen(self) -> None:
        """Show the chosen resource as a form, which takes the keyboard."""
        resource = self._navigator.place.selected or self._navigator.place.focus
        if resource is not None:
            self._take_keyboard()
            self._edit(resource)

    def edit_field(self, resource: Resource, properties: Sequence[NamedNode]) -> None:
        """Show a resource as a form, and put the keyboard in the field of one of these properties.

        Args:
            properties: the likeliest first; if the form has a field for none of them, the first gets one.
        """
        self.editor.go_to(properties, later=True)
        self._edit(resource)

    def _edit(self, resource: Resource) -> None:
        self._tab.show_view(EditView.FORM)
        if self._navigator.place.view is View.EDIT and self._navigator.place.focus == resource:
            self.editor.show(FormSubject(resource))
            return
        is_open = self._form.subject == FormSubject(resource) and self.filling is not None
        self._navigator.edit(resource)
        if is_open:
            self.editor.go_to()

    def describe(self) -> None:
        """Ask for a class and open the form of a new resource, after starting a draft if needed."""
        self._beginning.describe()

    def describe_like(self) -> None:
        """Open the form of a new resource with the values of the chosen one, after starting a draft if needed."""
        if self._chosen is not None:
            self._beginning.describe_like(lambda: self._chosen)

    def add_class(self) -> None:
        """Ask for another class of the resource, after starting a draft if needed."""
        if self._bridge.read_only_reason is not None:
            self.editor.wants_class = True  # asked once the form can be edited
            self._beginning.start()
        elif self._form.loaded is not None and self._form.loaded.view.read_only is not None:
            self._bridge.said.emit(sentence(self._form.loaded.view.read_only))
        else:
            self.editor.ask_class()

    def remove(self) -> None:
        """Ask what else to remove, and remove the chosen resource, after starting a draft if needed."""
        if self._chosen is not None:
            self._beginning.when_editable(self._remove)

    def _remove(self) -> None:
        resource = self._chosen
        if resource is not None:
            is_typed = self.typed.document(FormSubject(resource).key) is not None
            self._removals.ask(resource, self.page.window(), is_typed=is_typed)

    @property
    def _chosen(self) -> Resource | None:
        """The resource of the visible form, else the selected one."""
        place, subject = self._navigator.place, self._form.subject
        if self.is_in_sight and subject is not None:
            return None if subject.is_new else subject.resource
        return place.selected or place.focus

    def _removed(self, resource: Resource) -> None:
        self.typed.drop(FormSubject(resource).key)
        if self._form.subject is not None and self._form.subject.resource == resource:
            self.editor.close()

    # Following

    def _follow(self, place: Place, before: Place) -> None:
        subject = self._form.subject
        if place.view is not View.EDIT:
            return
        if place.focus is None:
            if subject is None or not subject.is_new:
                self.editor.close()
        elif subject is None or subject.resource != place.focus or subject.is_new:
            self.editor.show(FormSubject(place.focus))

    def _graph_changed(self) -> None:
        self.editor.finder.forget()
        self.typed.follow()
        if self._bridge.is_empty:
            self.editor.close()
        elif self._form.subject is not None:
            self.editor.show(self._form.subject)

    def _begin_like(self, subject: FormSubject, like: LikeIt) -> None:
        self.editor.tools.know(like.refs)
        self.typed.keep(subject.key, typed_document(subject, f"one like {like.title}", like.filling, ""))
        self._unsaved.go_on_with(subject.key)

    def _go_on(self, subject: FormSubject) -> None:
        """Open the form of a new resource, or one with unsaved entries."""
        self._tab.show_view(EditView.FORM)
        self._navigator.edit(None if subject.is_new else subject.resource)
        self._take_keyboard()
        if subject.is_new or self._form.subject != subject:  # the window may have been at its form before
            self.editor.show(subject)

    def _take_keyboard(self) -> None:
        self.editor.takes_keyboard = True

    def _draft(self) -> Draft | None:
        """The draft to continue, if there is one."""
        loaded = self._form.loaded
        return loaded.draft if loaded is not None and loaded.can_start else None

    def _not_begun(self, what: str, error: BaseException) -> None:
        self.editor.wants_class = False
        self._bridge.failed.emit(what, error)
