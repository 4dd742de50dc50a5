"""RDF terms: the store engine's own, under the names of RDF 1.1 Concepts.

Every other module imports terms from here, so that the engine is named in `rdf` and `stores` only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypeGuard

from pyoxigraph import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    Triple,
    Variable,
)

Resource: TypeAlias = NamedNode | BlankNode
"""What can stand as a subject, and what a node of a picture or a lineage can be."""

Term: TypeAlias = NamedNode | BlankNode | Literal
"""What can stand as an object. Quoted triples (RDF 1.2) are objects too, but never walked."""

GraphName: TypeAlias = NamedNode | BlankNode | DefaultGraph
"""The name of a graph in a dataset."""

__all__ = [
    "BlankNode",
    "CanonicalizationAlgorithm",
    "Dataset",
    "DefaultGraph",
    "GraphName",
    "Literal",
    "NamedNode",
    "Quad",
    "Resource",
    "Term",
    "Triple",
    "Variable",
    "iri_text",
    "is_resource",
    "renamed",
    "resource_of",
    "resource_of_n_triples",
]


def is_resource(term: object) -> TypeGuard[Resource]:
    """Whether a term is a node of the graph that can have properties of its own."""
    return isinstance(term, (NamedNode, BlankNode))


def iri_text(resource: Resource) -> str:
    """The IRI of a named node, or `_:label` for a blank node."""
    return resource.value if isinstance(resource, NamedNode) else f"_:{resource.value}"


def resource_of(text: str) -> Resource:
    """The resource that `iri_text` writes so.

    Raises:
        ValueError: it is neither an IRI nor a blank node's label.
    """
    return BlankNode(text[2:]) if text.startswith("_:") else NamedNode(text)


def typed_iri(text: str) -> NamedNode | None:
    """The IRI that a person typed, spaces around it left out; None where that is none, or has no scheme."""
    text = text.strip()
    try:
        return NamedNode(text) if ":" in text else None
    except ValueError:
        return None


def resource_of_n_triples(text: str) -> Resource:
    """The resource that `str` writes so, as N-Triples does: `<IRI>` or `_:label`.

    Raises:
        ValueError: it is neither.
    """
    return resource_of(text[1:-1] if text[:1] == "<" else text)


def renamed(quad: Quad, names: Mapping[BlankNode, BlankNode]) -> Quad:
    """A quad with other names for its blank nodes."""
    subject, predicate, object_, graph = quad
    if not any(isinstance(term, BlankNode) for term in (subject, object_, graph)):
        return quad
    return Quad(
        names.get(subject, subject) if isinstance(subject, BlankNode) else subject,
        predicate,
        names.get(object_, object_) if isinstance(object_, BlankNode) else object_,
        names.get(graph, graph) if isinstance(graph, BlankNode) else graph,
    )
