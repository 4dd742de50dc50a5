"""A default graph with triples of its own beside named graphs: free queries see all where the server can be brought to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.remote.dataset import DatasetLayout, dataset_fields
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.oxigraph_server import oxigraph_server

ALL = "SELECT ?s WHERE { ?s <urn:p> ?o }"


@pytest.fixture
def store() -> Iterator[RemoteStore]:
    with oxigraph_server() as address:
        store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
        store.update("INSERT DATA { <urn:a> <urn:p> <urn:b> . GRAPH <urn:g> { <urn:b> <urn:p> 2 } }")
        yield store
        store.close()


def test_free_queries_see_the_default_graph_and_the_named_ones(store: RemoteStore) -> None:
    assert {row["s"] for row in store.select(ALL)} == {NamedNode("urn:a"), NamedNode("urn:b")}
    assert store.ask("ASK { <urn:a> ?p ?x . ?x ?p 2 }"), "across both"
    assert len(list(store.construct("CONSTRUCT WHERE { ?s ?p ?o }"))) == 2
    assert not store.layout().is_split
    assert len(store.graphs()) == 2


def test_a_query_that_names_its_graphs_is_left_alone(store: RemoteStore) -> None:
    (row,) = store.select(ALL.replace("WHERE", "FROM <urn:g> WHERE"))
    assert row["s"] == NamedNode("urn:b")


def test_without_such_a_way_the_layout_says_that_it_is_split() -> None:
    layout = DatasetLayout(has_named=True, default_is_union=False, default_is_own=True)
    assert layout.is_split
    assert dataset_fields(layout, ALL, lambda: pytest.fail("not needed")) == ()
