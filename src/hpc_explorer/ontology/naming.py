"""The search names of resources: labels, or the last part of the IRI without a label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from hpc_explorer.ontology.labels import LABEL_PREDICATES, local_name, search_words
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, iri_text, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.names.label_index import LabelEntry

_MANY = 64
"""The labels of a resource with fewer statements are found among these, not asked for one predicate after another."""


def label_entries(
    store: Store, schema: SchemaIndex, *, subjects: Iterable[str] | None = None, limits: Limits = NO_LIMITS
) -> Iterator[LabelEntry]:
    """All search names of a local store: labelled resources first, then terms, then the unlabelled.

    Args:
        subjects: the distinct subject IRIs, if known.
    """
    named: set[Resource] = set()
    for predicate in LABEL_PREDICATES:
        for quad in store.match(None, predicate, None, limits=limits):
            if isinstance(quad.object, Literal) and is_resource(quad.subject):
                named.add(quad.subject)
                yield label_entry(schema, quad.subject, quad.object.value)
    for term, label in schema_labels(schema).items():
        if term not in named:
            named.add(term)
            yield label_entry(schema, term, label)
    # Unlabelled resources are found by the last part of the IRI.
    if subjects is not None:
        taken = {resource.value for resource in named}
        yield from (_unlabelled(iri) for iri in subjects if iri not in taken)
        return
    previous = None
    for quad in store.match(limits=limits):
        if quad.subject != previous and isinstance(quad.subject, NamedNode) and quad.subject not in named:
            named.add(quad.subject)
            yield _unlabelled(quad.subject.value)
        previous = quad.subject


def entries_of(store: Store, schema: SchemaIndex, resources: Iterable[Resource]) -> Iterator[LabelEntry]:
    """The search names of some resources of a local store, as `label_entries` gives them."""
    for resource in resources:
        some = list(islice(store.match(resource), _MANY))
        entries = [
            label_entry(schema, resource, quad.object.value)
            for predicate in LABEL_PREDICATES
            for quad in (store.match(resource, predicate) if len(some) == _MANY else some)
            if quad.predicate == predicate and isinstance(quad.object, Literal)
        ]
        if not entries and isinstance(resource, NamedNode):
            term = schema.properties.get(resource) or schema.classes.get(resource)
            if term is not None:
                entries = [label_entry(schema, resource, term.label)]
            elif some:
                entries = [_unlabelled(resource.value)]
        yield from entries


def schema_labels(schema: SchemaIndex) -> dict[NamedNode, str]:
    """The labels of the classes and properties."""
    labels = {cls: info.label for cls, info in schema.classes.items()}
    return labels | {term: info.label for term, info in schema.properties.items()}


@lru_cache(maxsize=65_536)
def _words_of_name(name: str) -> str:
    """The further search words of an unlabelled resource."""
    words = search_words(name)
    return "" if words == name else words


def _unlabelled(iri: str) -> LabelEntry:
    name = local_name(iri)
    return LabelEntry(iri, name, _words_of_name(name), 0)


def label_entry(schema: SchemaIndex, resource: Resource, text: str) -> LabelEntry:
    """One search name of a resource with its further search words."""
    name = local_name(resource.value) if isinstance(resource, NamedNode) else ""
    rank = 1 if resource in schema.classes else 2 if resource in schema.properties else 0
    return LabelEntry(iri_text(resource), text, f"{search_words(text)} {name} {search_words(name)}", rank)
