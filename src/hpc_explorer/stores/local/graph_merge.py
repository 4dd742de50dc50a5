"""The merge of graphs that state the same triples, each once, kept in the engine's default graph.

The engine's own union would return such triples twice, against the set semantics of an RDF merge (SPARQL 1.1 Query,
section 13.1). The merge is created on first need; until then the default graph is empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pyoxigraph import Store

from hpc_explorer.rdf.terms import DefaultGraph, GraphName, Quad, Triple, Variable
from hpc_explorer.stores.base import Limits

MERGE = DefaultGraph()
"""The graph that it is in; never counted, listed or matched as one."""

# Number of quads between two checks of the limits.
_CHECK_EVERY = 1024


class GraphMerge:
    """The merge in one engine.

    Args:
        kept: whether the merge exists, if known.

    Attributes:
        kept: whether the merge exists.
    """

    def __init__(self, engine: Store, kept: bool | None = None) -> None:
        self._engine = engine
        self.kept = kept if kept is not None else self._first(MERGE) is not None

    def graphs(self) -> tuple[GraphName, ...]:
        """The graphs with names that hold at least one triple."""
        return tuple(graph for graph in self._engine.named_graphs() if self._first(graph) is not None)

    def _first(self, graph: GraphName) -> Quad | None:
        return next(self._engine.quads_for_pattern(None, None, None, graph), None)

    def size(self, limits: Limits) -> int:
        """The number of triples in the merge."""
        number = 0
        if self.kept:
            for number, _ in enumerate(self._engine.quads_for_pattern(None, None, None, MERGE), 1):
                if number % _CHECK_EVERY == 0:
                    limits.check()
        return number

    def placed(self, triples: Iterable[Triple]) -> Iterator[Quad]:
        """Triples as quads of the merge."""
        return (Quad(triple.subject, triple.predicate, triple.object, MERGE) for triple in triples)

    def settle(self, new_graphs: Collection[GraphName], *, disjoint: bool = False) -> None:
        """Update after loading `new_graphs`; creates the merge if they restate triples of other graphs.

        Args:
            disjoint: whether they are known to restate none, so no check is needed.
        """
        if self.kept:
            for graph in new_graphs:
                self._extend(graph)
        elif not disjoint and any(self._restates(graph) for graph in new_graphs):
            for graph in self.graphs():
                self._extend(graph)
            self.kept = True

    def settle_anew(self) -> None:
        """Recreate the merge if needed, after `drop` and a change of any graph."""
        self.settle(self.graphs())

    def drop(self) -> None:
        """Remove the merge, because its graphs change."""
        if self.kept:
            self._engine.clear_graph(MERGE)
            self.kept = False

    def _restates(self, graph: GraphName) -> bool:
        """Whether another graph states a triple of `graph`."""
        if isinstance(graph, DefaultGraph) or len(self.graphs()) < 2:
            return False
        query = "ASK { GRAPH ?one { ?s ?p ?o } GRAPH ?other { ?s ?p ?o } FILTER(?other != ?one) }"
        return bool(self._engine.query(query, substitutions={Variable("one"): graph}))

    def _extend(self, graph: GraphName) -> None:
        self._engine.bulk_extend(
            self.placed(quad.triple for quad in self._engine.quads_for_pattern(None, None, None, graph))
        )
