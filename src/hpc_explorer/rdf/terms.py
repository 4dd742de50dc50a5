"""RDF terms: the store engine's own, under the names of RDF 1.1 Concepts.

Every other module imports terms from here, so that the engine is named in `rdf` and `stores` only.
"""

from __future__ import annotations

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
]


def is_resource(term: object) -> TypeGuard[Resource]:
    """Whether a term is a node of the graph that can have properties of its own."""
    return isinstance(term, (NamedNode, BlankNode))


def iri_text(resource: Resource) -> str:
    """The IRI of a named node, or `_:label` for a blank node."""
    return resource.value if isinstance(resource, NamedNode) else f"_:{resource.value}"
