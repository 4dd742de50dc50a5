"""RDF terms: the store engine's own, under the names of RDF 1.1 Concepts.

Other modules import terms from here, so that only `rdf` and `stores` depend on the engine.
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
    RdfFormat,
    Triple,
    Variable,
    parse,
)

Resource: TypeAlias = NamedNode | BlankNode
"""A subject, and a node of a picture or a lineage."""

Term: TypeAlias = NamedNode | BlankNode | Literal
"""An object. Quoted triples (RDF 1.2) are objects too, but are not followed."""

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
    "term_of_n_triples",
]


def is_resource(term: object) -> TypeGuard[Resource]:
    """Whether a term can have properties: a named or blank node."""
    return isinstance(term, (NamedNode, BlankNode))


def iri_text(resource: Resource) -> str:
    """The IRI of a named node, or `_:label` for a blank node."""
    return resource.value if isinstance(resource, NamedNode) else f"_:{resource.value}"


def resource_of(text: str) -> Resource:
    """The resource for a text written by `iri_text`.

    Raises:
        ValueError: the text is neither an IRI nor a blank node label.
    """
    return BlankNode(text[2:]) if text.startswith("_:") else NamedNode(text)


def typed_iri(text: str) -> NamedNode | None:
    """The IRI in typed text, without surrounding spaces; None if it is not an absolute IRI."""
    text = text.strip()
    try:
        return NamedNode(text) if ":" in text else None
    except ValueError:
        return None


def resource_of_n_triples(text: str) -> Resource:
    """The resource for an N-Triples text: `<IRI>` or `_:label`.

    Raises:
        ValueError: the text is neither.
    """
    return resource_of(text[1:-1] if text[:1] == "<" else text)


def term_of_n_triples(text: str) -> Term:
    """The term for an N-Triples text; a literal keeps its spelling.

    Raises:
        ValueError, SyntaxError: the text is no term.
    """
    if not text.startswith(('"', "<<")):
        return resource_of_n_triples(text)
    (quad,) = parse(f"<urn:s> <urn:p> {text} .", RdfFormat.N_TRIPLES)
    term: Term = quad.object
    return term


def renamed(quad: Quad, names: Mapping[BlankNode, BlankNode]) -> Quad:
    """A quad with renamed blank nodes."""
    subject, predicate, object_, graph = quad
    if not any(isinstance(term, BlankNode) for term in (subject, object_, graph)):
        return quad
    return Quad(
        names.get(subject, subject) if isinstance(subject, BlankNode) else subject,
        predicate,
        names.get(object_, object_) if isinstance(object_, BlankNode) else object_,
        names.get(graph, graph) if isinstance(graph, BlankNode) else graph,
    )
