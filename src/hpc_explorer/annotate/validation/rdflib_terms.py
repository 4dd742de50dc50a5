"""Convert terms to rdflib and back, with the spelling of literals. Imported when needed, because rdflib is slow to
import."""

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
    """The term in rdflib; plain strings have no datatype, as in rdflib's parsers."""
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
    """The term for an rdflib node."""
    if isinstance(node, URIRef):
        return NamedNode(str(node))
    if isinstance(node, BNode):
        return BlankNode(str(node))
    if not isinstance(node, RdflibLiteral):
        raise TypeError(f"not an RDF term: {node!r}")
    if node.language is not None:
        return Literal(str(node), language=node.language)
    return Literal(str(node), datatype=NamedNode(str(node.datatype)) if node.datatype is not None else _STRING)
