"""Our terms as rdflib's and back, every literal as it is spelled. Imported where it is needed: rdflib is slow to."""

from __future__ import annotations

from functools import lru_cache

from rdflib import BNode, URIRef
from rdflib import Literal as RdflibLiteral
from rdflib.term import Node

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term

_STRING = XSD.string


@lru_cache(maxsize=65_536)
def to_rdflib(term: Term) -> Node:
    """The term in rdflib's terms; a plain string has no datatype there, as its parsers have it."""
    if isinstance(term, NamedNode):
        return URIRef(term.value)
    if isinstance(term, BlankNode):
        return BNode(term.value)
    if term.language is not None:
        return RdflibLiteral(term.value, lang=term.language)
    if term.datatype == _STRING:
        return RdflibLiteral(term.value)
    return RdflibLiteral(term.value, datatype=URIRef(term.datatype.value), normalize=False)


def from_rdflib(node: Node) -> Term:
    """The term that an rdflib node is."""
    if isinstance(node, URIRef):
        return NamedNode(str(node))
    if isinstance(node, BNode):
        return BlankNode(str(node))
    if not isinstance(node, RdflibLiteral):
        raise TypeError(f"no term of a graph: {node!r}")
    if node.language is not None:
        return Literal(str(node), language=node.language)
    return Literal(str(node), datatype=NamedNode(str(node.datatype)) if node.datatype is not None else _STRING)
