"""The relation of an endpoint's default graph to its named graphs, and the dataset of free queries.

SPARQL leaves open what the default graph contains (SPARQL 1.1 Query, section 13): nothing besides the named graphs,
separate triples, or the union of the named graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.errors import EndpointFailed, EndpointRefused
from hpc_explorer.rdf.sparql_shape import dataset_clause
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Limits

if TYPE_CHECKING:
    from hpc_explorer.stores.protocol.sparql_client import Fields, SparqlClient

# Number of triples to sample.
_SAMPLE = 100

# Maximum number of graphs in a union: the request names each of them twice.
_MOST_GRAPHS = 100

# SPARQL has no name for "the default graph and all named ones" (Protocol, section 2.1.4), but some servers have:
# Oxigraph's, and Jena's for its named union with its default graph.
_JOINING: tuple[Fields, ...] = (
    (("union-default-graph", "true"),),
    (("default-graph-uri", "urn:x-arq:DefaultGraph"), ("default-graph-uri", "urn:x-arq:UnionGraph")),
)


@dataclass(frozen=True)
class DatasetLayout:
    """The relation of an endpoint's default graph to its named graphs.

    Args:
        has_named: whether there are named graphs with triples in them.
        default_is_union: whether the default graph shows the triples of the named ones.
        default_is_own: whether it has triples that no named graph has.
        joining: request fields that add the named graphs to a separate default graph; empty if unsupported or
            unnecessary.
    """

    has_named: bool
    default_is_union: bool
    default_is_own: bool
    joining: Fields = ()

    @property
    def is_split(self) -> bool:
        """Whether free queries read only the default graph although named graphs have further triples."""
        return self.has_named and self.default_is_own and not self.default_is_union and not self.joining


def learnt_layout(client: SparqlClient, limits: Limits) -> DatasetLayout:
    """Determine the layout of an endpoint from a few of its triples."""
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
    """The request fields that make a triple of the default graph and one of a named graph both visible."""
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
    """The request fields that make the default graph the union of all graphs.

    SPARQL 1.1 Protocol, section 2.1.4. Queries with their own dataset clause are left alone.

    Args:
        named: returns the named graphs; called only if needed.
    """
    if not layout.has_named or layout.default_is_union or dataset_clause(query) is not None:
        return ()
    if layout.default_is_own:
        return layout.joining
    graphs = [graph.value for graph in named()]
    if len(graphs) > _MOST_GRAPHS:
        return ()
    return tuple((name, graph) for name in ("default-graph-uri", "named-graph-uri") for graph in graphs)
