"""The dataset that a query over a local store reads: all graphs, or those that its FROM and FROM NAMED name.

SPARQL 1.1 Query, section 13.2: the default graph is the merge of the FROM graphs, and empty where only FROM NAMED is
there; GRAPH sees the FROM NAMED graphs, and none where only FROM is there. A graph that is not in the store is empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from pyoxigraph import Store

from hpc_explorer.errors import QuerySyntaxError
from hpc_explorer.rdf.sparql_shape import dataset_clause
from hpc_explorer.rdf.terms import DefaultGraph, NamedNode, Quad
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.protocol.federation import terms_meant

# How many quads are copied between two looks at the clock and the cancel token.
_PIECE = 1024


def dataset_of(engine: Store, query: str, merge_is_kept: bool, limits: Limits) -> tuple[Store, dict[str, Any]]:
    """The engine that answers a query, with the arguments that select its graphs.

    Args:
        merge_is_kept: whether the merge of the graphs exists, see `graph_merge`.
    """
    clause = dataset_clause(query)
    if clause is None:
        return engine, {"use_default_graph_as_union": not merge_is_kept}
    if len(clause.default) < 2:
        return engine, {}
    try:
        default = set(terms_meant(query, clause.default))
        named = set(terms_meant(query, clause.named))
    except QuerySyntaxError:
        # The engine says where in the text.
        return engine, {}
    if not merge_is_kept or not _overlap(engine, default):
        return engine, {"default_graph": list(default), "named_graphs": list(named)}
    # The engine's own union of several graphs gives a triple once for each of them.
    copy = Store()
    for graph in default:
        quads = (
            Quad(quad.subject, quad.predicate, quad.object, DefaultGraph())
            for quad in engine.quads_for_pattern(None, None, None, graph)
        )
        _extend(copy, quads, limits)
    for graph in named:
        _extend(copy, engine.quads_for_pattern(None, None, None, graph), limits)
    return copy, {"default_graph": DefaultGraph(), "named_graphs": list(named)}


def _overlap(engine: Store, graphs: set[NamedNode]) -> bool:
    """Whether two of the graphs state the same triple."""
    query = "ASK { GRAPH ?one { ?s ?p ?o } GRAPH ?other { ?s ?p ?o } FILTER(?other != ?one) }"
    return bool(engine.query(query, named_graphs=list(graphs)))


def _extend(copy: Store, quads: Iterator[Quad], limits: Limits) -> None:
    while piece := list(islice(quads, _PIECE)):
        limits.check()
        copy.extend(piece)
