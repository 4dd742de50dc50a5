"""Replace quads in the engine, atomically where SPARQL can name them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from pyoxigraph import Store

from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Quad, Triple


def exchange_quads(engine: Store, going: Collection[Quad], coming: Collection[Quad]) -> None:
    """Remove and add quads: atomically, or one by one if blank nodes are removed.

    Args:
        going: existing quads, in the engine's own spelling.
        coming: new quads, in the engine's own spelling.

    Raises:
        OSError: from the engine, for example because the disk is full.
    """
    if going and not any(map(_has_blank_node, (*going, *coming))):
        # A lenient reader accepts IRIs that SPARQL does not; these are changed one by one.
        with suppress(SyntaxError):
            engine.update(f"DELETE DATA {{ {_data(going)} }} ; INSERT DATA {{ {_data(coming)} }}")
            return
    engine.extend(coming)
    for quad in going:
        engine.remove(quad)


def _has_blank_node(quad: Quad) -> bool:
    """Whether SPARQL's DATA cannot name it: a blank node there is a new one, also in a quoted triple."""
    return any(isinstance(term, (BlankNode, Triple)) for term in quad)


def _data(quads: Iterable[Quad]) -> str:
    return " ".join(
        f"{quad.triple} ."
        if isinstance(quad.graph_name, DefaultGraph)
        else f"GRAPH {quad.graph_name} {{ {quad.triple} }}"
        for quad in quads
    )
