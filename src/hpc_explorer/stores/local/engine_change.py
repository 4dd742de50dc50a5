"""One change of the engine's quads: at once for readers, where its SPARQL can name them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from pyoxigraph import Store

from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Quad, Triple


def exchange_quads(engine: Store, going: Collection[Quad], coming: Collection[Quad]) -> None:
    """Take quads out and put others in: at once, or where blank nodes are taken out, one by one.

    Args:
        going: quads that are there, in the engine's own spelling.
        coming: quads that are not, likewise.

    Raises:
        OSError: the engine's own; the disk may be full.
    """
    if going and not any(map(_has_blank_node, (*going, *coming))):
        # A lenient reader lets IRIs in that SPARQL does not: those go the other way.
        with suppress(SyntaxError):
            engine.update(f"DELETE DATA {{ {_data(going)} }} ; INSERT DATA {{ {_data(coming)} }}")
            return
    engine.extend(coming)
    for quad in going:
        engine.remove(quad)


def _has_blank_node(quad: Quad) -> bool:
    """Whether SPARQL's DATA could not name it: a blank node there is a new one, and a quoted triple may have one."""
    return any(isinstance(term, (BlankNode, Triple)) for term in quad)


def _data(quads: Iterable[Quad]) -> str:
    return " ".join(
        f"{quad.triple} ."
        if isinstance(quad.graph_name, DefaultGraph)
        else f"GRAPH {quad.graph_name} {{ {quad.triple} }}"
        for quad in quads
    )
