"""A LIMIT put into a text: at its place, and never a larger one."""

from __future__ import annotations

import pytest
from pyoxigraph import QuerySolutions, Store

from hpc_explorer.query.sparql.limiting import limited, own_limit

TEXTS = [
    "SELECT * { ?s ?p ?o }",
    "SELECT * { ?s ?p ?o } # LIMIT 3",
    "SELECT * WHERE { { SELECT * { ?s ?p ?o } LIMIT 20 } } ORDER BY ?s",
    "SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s HAVING (COUNT(*) > 0) OFFSET 1",
    "SELECT * { ?s ?p ?o } ORDER BY ?o VALUES ?s { <http://e.org/1> <http://e.org/2> }",
    'SELECT * { ?s ?p ?o FILTER(STR(?o) != "} LIMIT 2") }',
    "SELECT * { ?s ?p ?o } LIMIT 500",
]


@pytest.fixture
def store() -> Store:
    store = Store()
    triples = "".join(f"<http://e.org/{number}> <http://e.org/p{place}> 1 ." for number in range(20) for place in "ab")
    store.update(f"INSERT DATA {{ {triples} }}")
    return store


def count(store: Store, text: str) -> int:
    found = store.query(text)
    assert isinstance(found, QuerySolutions)
    return sum(1 for _ in found)


@pytest.mark.parametrize("text", TEXTS)
def test_no_more_rows_come_than_are_wanted(store: Store, text: str) -> None:
    assert count(store, text) > 2
    assert count(store, limited(text, 2)) == 2
    assert count(store, limited(text, 1000)) == count(store, text)


def test_a_smaller_limit_of_its_own_stays() -> None:
    text = "SELECT * { ?s ?p ?o } LIMIT 5 OFFSET 2"
    assert limited(text, 10) == text
    assert own_limit(text) == 5
    assert own_limit("SELECT * { { SELECT * { ?s ?p ?o } LIMIT 5 } }") is None
