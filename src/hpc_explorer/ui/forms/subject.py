"""What a form is about, and what is typed into it as a document that can be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.forms.filling import Filling
from hpc_explorer.app.forms.filling_document import document_of
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text, resource_of


@dataclass(frozen=True)
class FormSubject:
    """What a form is about: a resource, or something new.

    Args:
        resource: its node; of something new the one it will be.
        classes: those of something new.
        name: what something new is called.
    """

    resource: Resource
    classes: tuple[NamedNode, ...] = ()
    name: str = ""

    @property
    def is_new(self) -> bool:
        """Whether it is to be made."""
        return bool(self.classes)

    @property
    def key(self) -> str:
        """What is typed about it is kept under this name."""
        return f"new {iri_text(self.resource)}" if self.is_new else iri_text(self.resource)


def typed_document(subject: FormSubject, title: str, filling: Filling, why: str) -> dict[str, Any]:
    """What is typed into a form, as it is kept."""
    return {
        "iri": iri_text(subject.resource),
        "classes": [cls.value for cls in subject.classes],
        "name": subject.name,
        "title": title or "something new",
        "why": why,
        **document_of(filling),
    }


def subject_of(document: Mapping[str, Any]) -> FormSubject:
    """What a document was typed about."""
    iri = str(document["iri"])
    classes = tuple(NamedNode(cls) for cls in document.get("classes", ()))
    if classes:
        return FormSubject(NamedNode(iri), classes, str(document.get("name", "")))
    return FormSubject(resource_of(iri))


def named(filling: Filling, name: str) -> Filling:
    """The form of something new with its name in the field for names that comes first."""
    fields = [one for one in filling.fields if one.predicate in LABEL_PREDICATES]
    if not name or not fields:
        return filling
    field = fields[0]
    kind = field.kinds[0]
    return filling.with_entries(field.predicate, [Entry(name, kind, field.languages[0] if field.languages else "")])
