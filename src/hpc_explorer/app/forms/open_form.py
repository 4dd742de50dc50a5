"""A form that is open, without Qt: its subject and title, how it starts, and the document that keeps what is typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.forms.filling import Filling
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
