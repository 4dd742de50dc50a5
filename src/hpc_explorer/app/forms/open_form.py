"""The open form, without Qt: its subject and title, what is typed into it, and the document that stores that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hpc_explorer.app.forms.changes import ClassChange, FieldChange, LinkClass, summary_of
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.forms.filling import Filling, Wrong
from hpc_explorer.app.forms.filling_document import document_of, restored
from hpc_explorer.app.forms.loading import LoadedForm
from hpc_explorer.app.forms.views import FormView
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text, resource_of


@dataclass(frozen=True)
class FormSubject:
    """The resource that a form describes.

    Args:
        resource: its node; for a new resource, the IRI that it will get.
        classes: the classes of a new resource; empty for an existing one.
        name: the name of a new resource.
    """

    resource: Resource
    classes: tuple[NamedNode, ...] = ()
    name: str = ""

    @property
    def is_new(self) -> bool:
        """Whether the resource does not exist yet."""
        return bool(self.classes)

    @property
    def key(self) -> str:
        """The key under which typed entries are stored."""
        return f"new {iri_text(self.resource)}" if self.is_new else iri_text(self.resource)


def typed_document(subject: FormSubject, title: str, filling: Filling, why: str) -> dict[str, Any]:
    """The JSON document that stores what is typed into a form."""
    return {
        "iri": iri_text(subject.resource),
        "classes": [cls.value for cls in subject.classes],
        "name": subject.name,
        "title": title or "something new",
        "why": why,
        **document_of(filling),
    }


def subject_of(document: Mapping[str, Any]) -> FormSubject:
    """The subject of a stored document."""
    iri = str(document["iri"])
    classes = tuple(NamedNode(cls) for cls in document.get("classes", ()))
    if classes:
        return FormSubject(NamedNode(iri), classes, str(document.get("name", "")))
    return FormSubject(resource_of(iri))


def named(filling: Filling, name: str) -> Filling:
    """The filling with a name typed into its first name field."""
    fields = [one for one in filling.fields if one.predicate in LABEL_PREDICATES]
    if not name or not fields:
        return filling
    field = fields[0]
    kind = field.kinds[0]
    return filling.with_entries(field.predicate, [Entry(name, kind, field.languages[0] if field.languages else "")])


def form_title(subject: FormSubject, view: FormView, filling: Filling | None) -> str:
    """The title of a form: the name of its resource, or the name typed for a new one."""
    if not subject.is_new:
        return view.title
    cls = next((ref.label for one in view.form.classes if (ref := view.refs.get(one)) is not None), "resource")
    return typed_name(filling) or f"New {cls}"


def typed_name(filling: Filling | None) -> str:
    """The name typed for a new resource; empty if there is none yet."""
    if filling is None:
        return ""
    for predicate in LABEL_PREDICATES:
        name = next((entry.text for entry in filling.entries.get(predicate, ()) if not entry.is_blank), "")
        if name:
            return name
    return ""


def classes_to_load(
    subject: FormSubject, filling: Filling | None, document: Mapping[str, Any] | None
) -> tuple[tuple[NamedNode, ...], tuple[NamedNode, ...]]:
    """The classes to add and to remove when a form is loaded: those of the filling, else those of the document."""
    if filling is not None:
        return filling.classes_added, filling.classes_removed
    kept = document or {}
    added = tuple(NamedNode(iri) for iri in kept.get("classes_added", ()))
    return subject.classes or added, tuple(NamedNode(iri) for iri in kept.get("classes_removed", ()))


def filling_for(
    subject: FormSubject, loaded: LoadedForm, filling: Filling | None, document: Mapping[str, Any] | None
) -> Filling:
    """The filling of a form that was just loaded.

    Args:
        filling: the filling before a reload; its entries are carried over.
        document: the stored entries, used if there is no filling.
    """
    if filling is not None:
        return filling.rebased(loaded.view.form)
    empty = Filling(loaded.view.form, is_new=subject.is_new, classes_added=subject.classes)
    if document is not None:
        return restored(empty, document, loaded.more)
    return named(empty, subject.name) if subject.is_new else empty


class OpenForm:
    """The form in the window, one at a time.

    Args:
        class_label: returns the name of a class.

    Attributes:
        subject: the resource; None if no form is open.
        loaded: the form as loaded; None until it is.
        filling: the form with the typed entries; None until it is loaded.
        is_saving: whether it is being saved.
    """

    def __init__(self, class_label: Callable[[NamedNode], str]) -> None:
        self._class_label = class_label
        self.subject: FormSubject | None = None
        self.loaded: LoadedForm | None = None
        self.filling: Filling | None = None
        self.is_saving = False

    def turn_to(self, subject: FormSubject) -> bool:
        """Open the form of a resource, and return whether it is another one than before."""
        is_other = self.subject != subject
        if is_other:
            self.loaded, self.filling = None, None
        self.subject = subject
        return is_other

    def close(self) -> None:
        """Close the form."""
        self.subject, self.loaded, self.filling = None, None, None

    def take(self, loaded: LoadedForm, document: Mapping[str, Any] | None) -> bool:
        """Take over a loaded form, and return whether its fields must be shown again.

        Args:
            document: the stored entries of the subject.
        """
        if self.subject is None:
            return False
        is_same = self.filling is not None and self.loaded is not None and self.loaded.view == loaded.view
        self.filling = filling_for(self.subject, loaded, self.filling, document)
        self.loaded = loaded
        return not is_same

    @property
    def can_type(self) -> bool:
        """Whether the form can be edited."""
        return self.loaded is not None and self.loaded.view.read_only is None

    @property
    def title(self) -> str:
        """The title of the form."""
        if self.subject is None or self.loaded is None:
            return ""
        return form_title(self.subject, self.loaded.view, self.filling)

    @property
    def is_typed(self) -> bool:
        """Whether the form has unsaved entries."""
        if self.filling is None or self.is_saving:
            return False
        return self.filling.is_new or bool(self.changes())

    def changes(self) -> tuple[FieldChange | ClassChange | LinkClass, ...]:
        """The differences from the graph."""
        if self.filling is None or self.loaded is None:
            return ()
        prefixes = self.loaded.prefixes
        return (*self.filling.class_changes(self._class_label, prefixes), *self.filling.changes(prefixes))

    def summary(self) -> str:
        """The changes in words; empty for a form that cannot be edited."""
        if self.subject is None or not self.can_type:
            return ""
        return summary_of(self.changes(), is_new=self.subject.is_new)

    def wrongs(self) -> tuple[Wrong, ...]:
        """The entries that cannot be read."""
        if self.filling is None or self.loaded is None:
            return ()
        return self.filling.wrongs(self.loaded.prefixes)

    def change_classes(self, filling: Filling) -> None:
        """Take over entries with other classes."""
        self.filling = filling
        if self.subject is not None and self.subject.is_new:
            self.subject = replace(self.subject, classes=filling.classes)

    def document(self, why: str) -> dict[str, Any] | None:
        """The document that stores what is typed; None if nothing is.

        Args:
            why: the typed reason for the change.
        """
        if self.subject is None or self.filling is None or not (self.subject.is_new or self.changes()):
            return None
        shown = self.loaded.view.title if self.loaded is not None else ""
        return typed_document(
            self.subject, typed_name(self.filling) if self.subject.is_new else shown, self.filling, why
        )

    def saved(self, subject: FormSubject) -> bool:
        """End saving, drop what was saved, and return whether the form is still open."""
        self.is_saving = False
        if self.subject != subject:
            return False
        if subject.is_new:
            self.subject, self.filling = None, None
        elif self.filling is not None:
            self.filling = Filling(self.filling.form)
        return True
