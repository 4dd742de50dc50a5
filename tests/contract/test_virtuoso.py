"""What Virtuoso does in its own way, and how the store says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from hpc_explorer.errors import DeadlineExceeded, EndpointFailed, EndpointTooSlow, Unsupported
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.graphs import ex
from tests.helpers.virtuoso_server import load, virtuoso_server

TRIPLES = 5_000
GRAPH = NamedNode("http://example.org/graph")
HEAVY = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o . ?a ?b ?c . ?x ?y ?z }"
"""Over a hundred thousand million solutions: no machine counts them within a second."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server with as many triples as make a heavy query."""
    with virtuoso_server() as address:
        load(address, [Quad(ex(f"s{number}"), RDF.value, ex(f"o{number}"), GRAPH) for number in range(TRIPLES)])
        yield address


@pytest.fixture
def open_store() -> Iterator[Callable[[str], RemoteStore]]:
    """Opens stores, and closes them after the test."""
    stores = []

    def opened(address: str) -> RemoteStore:
        stores.append(RemoteStore(address))
        return stores[-1]

    yield opened
    for store in stores:
        store.close()


def test_a_part_of_the_truth_is_no_answer(address: str, open_store: Callable[[str], RemoteStore]) -> None:
    """An "anytime" answer has a good status and wrong counts."""
    with pytest.raises(EndpointTooSlow, match="a part of the results"):
        list(open_store(f"{address}?timeout=1000").select(HEAVY))


def test_the_time_that_the_server_allows_is_up(open_store: Callable[[str], RemoteStore]) -> None:
    with virtuoso_server(settings="MaxQueryExecutionTime = 1\n") as hurried:
        load(hurried, [Quad(ex(f"s{number}"), RDF.value, ex(f"o{number}"), GRAPH) for number in range(TRIPLES)])
        with pytest.raises(EndpointFailed, match="timed out"):
            list(open_store(hurried).select(HEAVY))


def test_a_slow_query_is_abandoned_in_time(address: str, open_store: Callable[[str], RemoteStore]) -> None:
    store = open_store(address)
    with pytest.raises(DeadlineExceeded):
        list(store.select(HEAVY, limits=Limits.seconds(0.5)))
    assert store.ask("ASK { ?s ?p ?o }"), "the store is as usable as before"


def test_its_own_words_for_what_it_cannot_do(address: str, open_store: Callable[[str], RemoteStore]) -> None:
    with pytest.raises(EndpointFailed, match="transitive start not given"):
        list(open_store(address).select(f"SELECT * WHERE {{ ?s {RDF.value}+ ?o }}"))


def test_an_update_without_an_address_for_it(address: str, open_store: Callable[[str], RemoteStore]) -> None:
    store = open_store(address)
    assert not store.capabilities.writable
    with pytest.raises(Unsupported):
        store.update(f"CLEAR GRAPH {GRAPH}")
    assert store.size().value >= TRIPLES


def test_truth_values_and_a_description(address: str, open_store: Callable[[str], RemoteStore]) -> None:
    blank = BlankNode()
    about = [
        Quad(ex("a"), RDF.value, Literal("false", datatype=XSD.boolean), GRAPH),
        Quad(ex("a"), RDF.value, Literal("1", datatype=XSD.integer), GRAPH),
        Quad(ex("a"), RDF.value, Literal('"bnode", "value": "nodeID://b1"'), GRAPH),
        Quad(ex("a"), RDF.value, blank, GRAPH),
        Quad(blank, RDF.value, Literal("Gerät", language="de"), GRAPH),
    ]
    load(address, [*about, Quad(ex("b"), RDF.value, ex("a"), GRAPH)])
    store = open_store(address)
    values = {quad.object for quad in store.match(ex("a"))}
    assert {quad.object for quad in about[:3]} <= values
    assert len(values) == 4
    described = list(store.construct(f"DESCRIBE {ex('a')}"))
    assert len(described) == len(about), "what is stated of it, and of the blank node; not what links to it"
