"""What is sent to servers with a text search of their own, and that none is believed in where nothing comes of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyoxigraph import Store as Engine

from hpc_explorer.app.explore.finding import search
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.remote import text_search
from hpc_explorer.stores.remote.remote import RemoteStore
from hpc_explorer.stores.remote.text_search import TEXT_SEARCHES, TextSearch, found_text_search, search_query
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of

# Stands for a search of its own on a server that has none: the last word alone, by plain SPARQL.
PLAIN = TextSearch("a test", "?s ?label ?text . FILTER(CONTAINS(?text, {words}))", joiner=" ", shortest_prefix=100)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with oxigraph_server() as address:
        store = RemoteStore(f"{address}/query", update_address=f"{address}/update")
        store.update(
            f'INSERT DATA {{ <urn:x:a> {RDFS.label} "salt body seismic" . <urn:x:b> {RDFS.label} "salt mine" . '
            f'<urn:x:salty> <urn:x:p> 1 . [] {RDFS.label} "of no IRI" }}'
        )
        store.close()
        yield f"{address}/query"


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ("Virtuoso", """?s ?label ?text . ?text <bif:contains> "'salt*' AND 'of'" ."""),
        ("Jena", '(?s ?score) <http://jena.apache.org/text#query> "salt* AND of*" .'),
        ("RDF4J", '[ <http://www.openrdf.org/contrib/lucenesail#query> "salt* AND of*" ]'),
        ("Blazegraph", '?text <http://www.bigdata.com/rdf/search#search> "salt* of*" ;'),
        ("QLever", '<http://qlever.cs.uni-freiburg.de/builtin-functions/contains-word> "salt* of" ;'),
    ],
)
def test_each_servers_own_pattern(server: str, expected: str) -> None:
    (way,) = (way for way in TEXT_SEARCHES if way.server.startswith(server))
    query = search_query(way, ["salt", "of"], LABEL_PREDICATES, 500)
    assert expected in query
    assert query.endswith("LIMIT 500")
    Engine().query(query)  # it is SPARQL, by the engine's grammar


def test_a_server_without_one_is_not_believed_to_have_one(endpoint: str) -> None:
    store = RemoteStore(endpoint)
    assert found_text_search(store, LABEL_PREDICATES, limits=NO_LIMITS) is None
    store.close()


def test_what_finds_a_name_that_is_there_is_believed(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_search, "TEXT_SEARCHES", (*TEXT_SEARCHES, PLAIN))
    session = session_of(endpoint)
    assert session.label_index().how == "by the endpoint's own text search, a test, and the IRIs of 4 triples"
    session.close()
    empty = LocalStore.in_memory()
    assert found_text_search(empty, LABEL_PREDICATES, limits=NO_LIMITS) is None, "nothing to try it with"
    empty.add_quads([Quad(NamedNode("urn:x:a"), RDFS.label, Literal("a 1 2"), NamedNode("urn:g"))])
    assert found_text_search(empty, LABEL_PREDICATES, limits=NO_LIMITS) is None, "no word to try it with"


def test_what_was_found_by_it_is_at_least_so_much(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    as_is = TextSearch("a test", PLAIN.pattern, joiner=" ", shortest_prefix=100)
    monkeypatch.setattr(text_search, "TEXT_SEARCHES", (as_is,))
    monkeypatch.setattr("hpc_explorer.app.workspace.label_search.MOST_SCANNED", 0)
    session = session_of(endpoint)
    assert session.label_index().how.endswith("; the words of IRIs are not searched")
    found = search(session, "salt")
    assert {hit.matched for hit in found.hits} == {"salt body seismic", "salt mine"}
    assert found.total == Count(2, CountKind.AT_LEAST)
    session.close()


def test_without_one_the_cost_is_told_and_all_are_found(endpoint: str) -> None:
    session = session_of(endpoint)
    assert session.label_index().how == "looks through 3 names and the IRIs of 4 triples at the endpoint"
    found = search(session, "salt")
    assert {hit.matched for hit in found.hits} == {"salt body seismic", "salt mine", "salty"}
    assert found.total == Count(3)
    session.close()
