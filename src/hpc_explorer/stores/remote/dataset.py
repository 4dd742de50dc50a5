"""How an endpoint's default graph goes with its named graphs, and the dataset that a free query is asked over.

SPARQL lets each service choose what its default graph holds (SPARQL 1.1 Query, section 13): nothing
beside its named graphs, triples of its own, or the union of the named graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from hpc_explorer.errors import EndpointFailed, EndpointRefused
from hpc_explorer.rdf.sparql_shape import dataset_clause
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.protocol.sparql_client import Fields, SparqlClient

# How many triples are looked at to learn how the default graph goes with the named ones.
_SAMPLE = 100

# Of more graphs than this no union is asked for: the request would name each of them twice.
_MOST_GRAPHS = 100

# SPARQL has no name for "the default graph and all named ones" (Protocol, section 2.1.4), but some servers have:
# Oxigraph's, and Jena's for its named union with its default graph.
_JOINING: tuple[Fields, ...] = (
    (("union-default-graph", "true"),),
    (("default-graph-uri", "urn:x-arq:DefaultGraph"), ("default-graph-uri", "urn:x-arq:UnionGraph")),
)


@dataclass(frozen=True)
class DatasetLayout:
    """How an endpoint's default graph goes with its named graphs.

    Args:
        has_named: whether there are named graphs with triples in them.
        default_is_union: whether the default graph shows the triples of the named ones.
        default_is_own: whether it holds triples that no named graph has.
        joining: for a default graph that holds its own triples only, the fields of a request under which it shows those
            of the named graphs too; empty where the endpoint knows none, or none is needed.
    """

    has_named: bool
    default_is_union: bool
    default_is_own: bool
    joining: Fields = ()

    @property
    def is_split(self) -> bool:
        """Whether a free query sees the default graph alone, while there are named graphs with triples of their own."""
        return self.has_named and self.default_is_own and not self.default_is_union and not self.joining


def learnt_layout(client: SparqlClient, limits: Limits) -> DatasetLayout:
    """How an endpoint's default graph goes with its named graphs, from a few of its triples."""
    named = "SELECT ?s ?p ?o ?g WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT"
    has_named = bool(list(client.select(f"{named} 1", limits)))
    if not has_named:
        own, union = client.holds("?s ?p ?o", limits), False
    else:
        union = client.holds(f"{{ {named} 1 }} ?s ?p ?o", limits)
        own = client.holds(
            f"{{ SELECT ?s ?p ?o WHERE {{ ?s ?p ?o }} LIMIT {_SAMPLE} }} "
            "FILTER NOT EXISTS { GRAPH ?h { ?s ?p ?o } }",
            limits,
        )
    joining = _joining(client, limits) if has_named and own and not union else ()
    return DatasetLayout(has_named, default_is_union=union, default_is_own=own, joining=joining)


def _joining(client: SparqlClient, limits: Limits) -> Fields:
    """The fields under which one triple of the default graph and one of a named graph are both in the default graph."""
    plain = "?s ?p ?o FILTER(isIRI(?s) && !isBlank(?o))"
    found = []
    for where in (f"{plain} FILTER NOT EXISTS {{ GRAPH ?h {{ ?s ?p ?o }} }}", f"GRAPH ?g {{ {plain} }}"):
        rows = list(client.select(f"SELECT ?s ?p ?o WHERE {{ {where} }} LIMIT 1", limits))
        if not rows:
            return ()
        found.append("{s} {p} {o} .".format(**rows[0]))
    for fields in _JOINING:
        try:
            if client.ask(f"ASK {{ {' '.join(found)} }}", limits, fields):
                return fields
        except (EndpointRefused, EndpointFailed):
            continue
    return ()


def dataset_fields(layout: DatasetLayout, query: str, named: Callable[[], Collection[NamedNode]]) -> Fields:
    """The fields that make the default graph the union of all graphs, where it is not.

    SPARQL 1.1 Protocol, section 2.1.4. A query that says itself where it reads from is left alone.

    Args:
        named: gives the named graphs; asked only where they matter.
    """
    if not layout.has_named or layout.default_is_union or dataset_clause(query) is not None:
        return ()
    if layout.default_is_own:
        return layout.joining
    graphs = [graph.value for graph in named()]
    if len(graphs) > _MOST_GRAPHS:
        return ()
    return tuple((name, graph) for name in ("default-graph-uri", "named-graph-uri") for graph in graphs)
