"""Relative IRIs, made whole (RFC 3986, section 5.2)."""

from __future__ import annotations

from hpc_explorer.rdf.terms import NamedNode


def resolved(reference: str, base: str) -> NamedNode:
    """The IRI that a reference means.

    Args:
        reference: an IRI, absolute or relative.
        base: what a relative one is relative to; empty: nothing is.

    Raises:
        ValueError: it is relative and there is no base, or what comes out is no IRI.
    """
    if not base:
        return NamedNode(reference)
    from pyoxigraph import RdfFormat, parse

    try:
        (quad,) = parse(f"<x:s> <x:p> <{reference}> .", format=RdfFormat.TURTLE, base_iri=base)
    except SyntaxError as error:
        raise ValueError(str(error)) from None
    assert isinstance(quad.object, NamedNode)
    return quad.object
