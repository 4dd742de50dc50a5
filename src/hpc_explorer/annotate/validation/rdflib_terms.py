"""Our terms as rdflib's and back, every literal as it is spelled. Imported where it is needed: rdflib is slow to."""

from __future__ import annotations

import datetime
from decimal import Decimal
from functools import lru_cache

from rdflib import BNode, URIRef
from rdflib import Literal as RdflibLiteral
from rdflib.term import Node

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Term

_STRING = XSD.string

# What pySHACL wants a literal of a datatype to have become in Python, beyond rdflib's own verdict.
_PYTHON_TYPES: dict[NamedNode, type] = {
    XSD.integer: int,
    XSD.float: float,
    XSD.decimal: Decimal,
    XSD.boolean: bool,
    XSD.date: datetime.date,
    XSD.time: datetime.time,
    XSD.dateTime: datetime.datetime,
}


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


def accepts(text: str, datatype: NamedNode) -> bool:
    """Whether a literal of this text and datatype passes `sh:datatype` in pySHACL."""
    literal = RdflibLiteral(text, datatype=URIRef(datatype.value), normalize=False)
    if literal.ill_typed is True:
        return False
    wanted = _PYTHON_TYPES.get(datatype)
    return wanted is None or isinstance(literal.value, wanted)
