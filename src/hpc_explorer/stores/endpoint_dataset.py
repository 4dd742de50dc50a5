"""How an endpoint's default graph goes with its named graphs, and the dataset that a free query is asked over.

SPARQL lets each service choose what its default graph holds (SPARQL 1.1 Query, section 13): nothing
beside its named graphs, triples of its own, or the union of the named graphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.sparql_client import Fields, SparqlClient

# How many triples are looked at to learn how the default graph goes with the named ones.
_SAMPLE = 100

# Of more graphs than this no union is asked for: the request would name each of them twice.
_MOST_GRAPHS = 100

_FROM = re.compile(r"\bFROM\s+(?:NAMED\s+)?\S+", re.IGNORECASE)


@dataclass(frozen=True)
class DatasetLayout:
    """How an endpoint's default graph goes with its named graphs.

    Args:
        has_named: whether there are named graphs with triples in them.
        default_is_union: whether the default graph shows the triples of the named ones.
        default_is_own: whether it holds triples that no named graph has.
    """

    has_named: bool
    default_is_union: bool
    default_is_own: bool


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
    return DatasetLayout(has_named, default_is_union=union, default_is_own=own)


def dataset_fields(layout: DatasetLayout, query: str, named: Callable[[], Collection[NamedNode]]) -> Fields:
    """The fields that make the default graph the union of the named ones, where it is empty otherwise.

    SPARQL 1.1 Protocol, section 2.1.4. A query that says itself where it reads from is left alone.

    Args:
        named: gives the named graphs; asked only where they matter.
    """
    if not layout.has_named or layout.default_is_union or layout.default_is_own or _FROM.search(query):
        return ()
    graphs = [graph.value for graph in named()]
    if len(graphs) > _MOST_GRAPHS:
        return ()
    return tuple((name, graph) for name in ("default-graph-uri", "named-graph-uri") for graph in graphs)
