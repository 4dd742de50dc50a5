"""The request of a push to an endpoint: what it asks for, and what it is not made of."""

from __future__ import annotations

import pytest

from hpc_explorer.annotate.pushing.endpoint import CannotPush, kept_apart, push_request, same_value, update_address_of
from hpc_explorer.annotate.pushing.three_way import Changes
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, Quad
from tests.helpers.graphs import ex


def test_it_counts_what_was_seen() -> None:
    old, new = Quad(ex("m"), ex("p"), Literal("old")), Quad(ex("m"), ex("p"), Literal("new"))
    other = Quad(ex("m"), ex("p"), Literal("other"))
    text = push_request(Changes(frozenset([old]), frozenset([new])), [old, other], lambda graph: ex("g"))
    assert text.startswith(f"DELETE {{\nGRAPH {ex('g')} {{")
    assert "FILTER(?kept0 = 2)" in text
    assert "FILTER(?all0 = 2)" in text
    only_added = push_request(Changes(frozenset(), frozenset([new])), [], lambda graph: graph)
    assert only_added.startswith("INSERT")
    assert "GRAPH" not in only_added
    assert "FILTER(?all0 = 0)" in only_added


def test_what_does_not_go_into_a_request() -> None:
    many = frozenset(Quad(ex("m"), ex("p"), ex(f"v{number}")) for number in range(20_001))
    with pytest.raises(CannotPush, match=r"one request: export the edits, as an RDF Patch"):
        push_request(Changes(frozenset(), many), [], lambda graph: graph)
    alone = Quad(BlankNode("alone"), ex("p"), Literal("1"), DefaultGraph())
    with pytest.raises(CannotPush, match="leads to"):
        push_request(Changes(frozenset([alone]), frozenset()), [alone], lambda graph: graph)


def test_a_virtuoso_is_waited_for_in_each_graph_that_changes() -> None:
    news = frozenset(Quad(ex("m"), ex("p"), Literal("new"), ex(graph)) for graph in ("h", "g"))
    text = push_request(Changes(frozenset(), news), [], lambda graph: graph, is_virtuoso=True)
    waits, _, rest = text.rpartition(" ;\n")
    assert [line.split(" ", 1)[0] for line in waits.splitlines()] == ["INSERT", "DELETE", "INSERT", "DELETE"]
    assert waits.index(str(ex("g"))) < waits.index(str(ex("h"))), "always in one order"
    assert rest == push_request(Changes(frozenset(), news), [], lambda graph: graph)


def test_what_a_virtuoso_has_one_form_for_is_left_as_it_is() -> None:
    def size(text: str, name: str = "m") -> Quad:
        return Quad(ex(name), ex("p"), Literal(text, datatype=XSD.decimal))

    change = Changes(frozenset([size("1.5"), size("2", "n")]), frozenset([size("1.50"), size("3", "n")]))
    left, respelled = kept_apart(change)
    assert left == Changes(frozenset([size("2", "n")]), frozenset([size("3", "n")]))
    assert respelled == Changes(frozenset([size("1.50")]), frozenset([size("1.5")]))


def test_one_value_spelled_in_two_ways() -> None:
    def decimal(text: str) -> Literal:
        return Literal(text, datatype=XSD.decimal)

    assert same_value(decimal("1.50"), decimal("1.5"))
    assert same_value(Literal("12", datatype=XSD.integer), decimal("12"))
    assert not same_value(decimal("1.5"), decimal("1.51"))
    assert not same_value(Literal("a", language="en"), Literal("a"))
    assert not same_value(ex("a"), Literal("a"))
    assert not same_value(Literal("5"), Literal("5", datatype=XSD.integer))


def test_where_updates_go() -> None:
    assert update_address_of("http://h/ds/query") == "http://h/ds/update"
    assert update_address_of("http://h/sparql") == "http://h/sparql"
