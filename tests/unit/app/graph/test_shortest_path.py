"""A shortest chain of links between two resources, whichever way each link points."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.graph import shortest_path as joining
from hpc_explorer.app.graph.shortest_path import MOST_LINKS, shortest_chain
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.local.local import LocalStore

GRAPH, LINKED = NamedNode("urn:graph"), NamedNode("urn:linked")


def node(number: int) -> NamedNode:
    return NamedNode(f"urn:n{number}")


def session_of(links: list[tuple[int, int]], *more: Quad) -> Session:
    store = LocalStore.in_memory()
    store.add_quads([*(Quad(node(one), LINKED, node(other), GRAPH) for one, other in links), *more])
    return Session(store)


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=18))
def test_it_is_as_long_as_the_shortest_and_every_step_is_a_link(links: list[tuple[int, int]]) -> None:
    graph = networkx.Graph([(0, 0), (1, 1), *links])
    with closing(session_of(links)) as session:
        found = shortest_chain(session, node(0), node(1))
    if not networkx.has_path(graph, 0, 1) or networkx.shortest_path_length(graph, 0, 1) > MOST_LINKS:
        assert found is None
        return
    assert found is not None
    assert (found[0], found[-1]) == (node(0), node(1))
    assert len(found) == networkx.shortest_path_length(graph, 0, 1) + 1
    linked = {frozenset((node(one), node(other))) for one, other in links}
    assert all(frozenset(pair) in linked for pair in pairwise(found))


def test_a_common_class_or_value_joins_nothing() -> None:
    kind, value = NamedNode("urn:Kind"), Literal("same")
    quads = [
        Quad(node(one), predicate, end, GRAPH)
        for one in (0, 1)
        for predicate, end in ((RDF.type, kind), (LINKED, value))
    ]
    with closing(session_of([], *quads)) as session:
        assert shortest_chain(session, node(0), node(1)) is None


def test_too_long_a_chain_is_not_looked_for() -> None:
    links = [(number, number + 1) for number in range(2, 40)]
    with closing(session_of(links)) as session:
        found = shortest_chain(session, node(2), node(2 + MOST_LINKS))
        assert found == tuple(node(2 + step) for step in range(MOST_LINKS + 1))
        assert shortest_chain(session, node(2), node(3 + MOST_LINKS)) is None


def test_a_hub_is_not_looked_through_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "MOST_LOOKED_AT", 100)
    links = [(2, number) for number in range(3, 300)] + [(0, 2), (1, 299)]
    with closing(session_of(links)) as session:
        assert shortest_chain(session, node(0), node(2)) == (node(0), node(2))
        assert shortest_chain(session, node(0), node(400)) is None
