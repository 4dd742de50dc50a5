"""Typed entries as a JSON document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from hpc_explorer.annotate.file_facts import FileFacts
from hpc_explorer.annotate.forms.form import Field
from hpc_explorer.annotate.forms.kinds import ValueKind, Widget
from hpc_explorer.annotate.forms.values import Value
from hpc_explorer.app.forms.changes import LinkClass
from hpc_explorer.app.forms.entry import Entry
from hpc_explorer.app.forms.filling import Filling, NewLink
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Quad, iri_text, is_resource, resource_of

_Part = TypeVar("_Part")


def document_of(filling: Filling) -> dict[str, Any]:
    """The typed entries as JSON; values of the graph are referred to by position."""
    return {
        "fields": {
            predicate.value: [
                {
                    "text": entry.text,
                    "language": entry.language,
                    "kind": _kind_document(entry.kind),
                    "before": None if entry.before is None or one is None else _place(one, entry.before),
                }
                for entry in entries
            ]
            for predicate, entries in filling.entries.items()
            for one in (filling.field(predicate),)
        },
        "links": [
            {
                "iri": one.iri.value,
                "class": one.cls.value,
                "name": one.name,
                "file": None if one.file is None else one.file.document(),
            }
            for one in filling.new_links
        ],
        "classes_added": [cls.value for cls in filling.classes_added],
        "classes_removed": [cls.value for cls in filling.classes_removed],
        "link_classes": [
            {
                "about": iri_text(one.statement.subject),
                "class": one.statement.object.value,
                "graph": one.statement.graph_name.value,
                "words": one.words,
            }
            for one in filling.link_classes
            if is_resource(one.statement.subject)
            and isinstance(one.statement.object, NamedNode)
            and isinstance(one.statement.graph_name, NamedNode)
        ],
    }


def restored(filling: Filling, document: Mapping[str, Any], fields: Sequence[Field] = ()) -> Filling:
    """The filling with the entries of a document; invalid parts are left out.

    Args:
        fields: those of properties that the form has not got.
    """
    for cls in _each(document.get("classes_added"), NamedNode):
        filling = filling.with_class(cls)
    for cls in _each(document.get("classes_removed"), NamedNode):
        filling = filling.without_class(cls)
    for link_class in _each(document.get("link_classes"), _link_class):
        filling = filling.with_link_class(link_class)
    for added in fields:
        filling = filling.with_field(added)
    saved = document.get("fields")
    typed = saved if isinstance(saved, dict) else {}
    for predicate in _each(list(typed), NamedNode):
        one = filling.field(predicate)
        if one is not None:
            filling = filling.with_entries(predicate, _each(typed[predicate.value], partial(_entry, one)))
    for link in _each(document.get("links"), _new_link):
        filling = filling.with_link(link)
    return filling


def _each(saved: object, read: Callable[[Any], _Part]) -> Iterator[_Part]:
    """The valid parts of a list."""
    for one in saved if isinstance(saved, list) else []:
        try:
            part = read(one)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
        yield part


def _link_class(saved: Mapping[str, Any]) -> LinkClass:
    about, cls, graph = resource_of(saved["about"]), NamedNode(saved["class"]), NamedNode(saved["graph"])
    return LinkClass(Quad(about, RDF.type, cls, graph), _text(saved["words"]))


def _new_link(saved: Mapping[str, Any]) -> NewLink:
    file = FileFacts.of_document(saved["file"]) if saved.get("file") else None
    return NewLink(NamedNode(saved["iri"]), NamedNode(saved["class"]), _text(saved["name"]), file)


def _text(saved: object) -> str:
    if not isinstance(saved, str):
        raise TypeError
    return saved


def _place(of: Field, value: Value) -> int | None:
    return of.values.index(value) if value in of.values else None


def _kind_document(kind: ValueKind) -> dict[str, str | None]:
    return {
        "widget": kind.widget.value,
        "datatype": kind.datatype.value if kind.datatype else None,
        "class": kind.cls.value if kind.cls else None,
    }


def _entry(of: Field, saved: Mapping[str, Any]) -> Entry:
    place = saved.get("before")
    before = of.values[place] if isinstance(place, int) and 0 <= place < len(of.values) else None
    known = [*of.kinds, *(of.kind_of(value) for value in of.values)]
    kind = next((kind for kind in known if _kind_document(kind) == saved.get("kind")), None)
    if kind is None:
        wanted = dict(saved.get("kind") or {})
        kind = ValueKind(
            Widget(wanted.get("widget", Widget.TEXT.value)),
            NamedNode(wanted["datatype"]) if wanted.get("datatype") else None,
            NamedNode(wanted["class"]) if wanted.get("class") else None,
        )
    return Entry(_text(saved.get("text", "")), kind, _text(saved.get("language", "")), before)
