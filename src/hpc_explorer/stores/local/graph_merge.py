"""The merge of graphs that state the same triples, each triple once, kept in the engine's default graph.

The engine's own union of graphs would answer such a triple twice, against the set semantics of an RDF merge (SPARQL 1.1
Query, section 13.1). It is begun when it is first needed; until then the default graph is empty.
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
        kept: whether it is there, if known.

    Attributes:
        kept: whether it is there.
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
        """How many triples the engine holds for it."""
        number = 0
        if self.kept:
            for number, _ in enumerate(self._engine.quads_for_pattern(None, None, None, MERGE), 1):
                if number % _CHECK_EVERY == 0:
                    limits.check()
        return number

    def stated(self, quads: Iterable[Quad]) -> Iterator[Quad]:
        """Those among some quads that a graph states."""
        return (quad for quad in quads if quad.graph_name != MERGE)

    def placed(self, triples: Iterable[Triple]) -> Iterator[Quad]:
        """Triples as quads of it."""
        return (Quad(triple.subject, triple.predicate, triple.object, MERGE) for triple in triples)

    def settle(self, new_graphs: Collection[GraphName], *, disjoint: bool = False) -> None:
        """After loading `new_graphs`: see whether they restate triples of other graphs, and begin it if so.

        Args:
            disjoint: they are known to restate none, so nobody has to look.
        """
        if self.kept:
            for graph in new_graphs:
                self._extend(graph)
        elif not disjoint and any(self._restates(graph) for graph in new_graphs):
            for graph in self.graphs():
                self._extend(graph)
            self.kept = True

    def settle_anew(self) -> None:
        """After any graph may have changed, and `drop`: begin it again if it is needed."""
        self.settle(self.graphs())

    def drop(self) -> None:
        """Take it out, because what it was made of changes."""
        if self.kept:
            self._engine.clear_graph(MERGE)
            self.kept = False

    def _restates(self, graph: GraphName) -> bool:
        """Whether a triple of `graph` stands in another graph too."""
        if isinstance(graph, DefaultGraph) or len(self.graphs()) < 2:
            return False
        query = "ASK { GRAPH ?one { ?s ?p ?o } GRAPH ?other { ?s ?p ?o } FILTER(?other != ?one) }"
        return bool(self._engine.query(query, substitutions={Variable("one"): graph}))

    def _extend(self, graph: GraphName) -> None:
        self._engine.bulk_extend(
            self.placed(quad.triple for quad in self._engine.quads_for_pattern(None, None, None, graph))
        )
