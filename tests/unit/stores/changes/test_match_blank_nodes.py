"""A change goes over to another reading of the same file with the names that this one gives."""

from __future__ import annotations

import pytest

from hpc_explorer.errors import Unsupported
from hpc_explorer.rdf.namespaces import DCAT
from hpc_explorer.rdf.terms import BlankNode, Literal, Quad
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.match_blank_nodes import match_blank_nodes, nodes_of
from tests.helpers.graphs import ex, store_of

FILES = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix ex: <https://example.org/> .
ex:d dcat:distribution [ dcat:mediaType "text/csv" ; dcat:accessService [ dcat:endpointURL ex:one ] ] ,
  [ dcat:mediaType "text/csv" ; dcat:accessService [ dcat:endpointURL ex:two ] ] .
"""


def services(text: str) -> tuple[object, dict[str, BlankNode]]:
    store = store_of(text)
    found = {}
    for quad in store.match(None, DCAT.accessService):
        (address,) = store.match(quad.object, DCAT.endpointURL)
        assert isinstance(quad.subject, BlankNode)
        found[str(address.object.value)] = quad.subject
    return store, found


def test_nodes_that_differ_only_far_away_are_told_apart() -> None:
    first, before = services(FILES)
    second, after = services(FILES)
    new = BlankNode("new")
    for address, node in before.items():
        change = ChangeSet(added=(Quad(node, DCAT.byteSize, Literal(7)), Quad(new, DCAT.theme, node)))
        known = nodes_of(first, change)
        assert [each.node for each in known] == [node]
        assert match_blank_nodes(change, known, second).added == (
            Quad(after[address], DCAT.byteSize, Literal(7)),
            Quad(new, DCAT.theme, after[address]),
        )


def test_nodes_that_are_alike_stay_two() -> None:
    alike = FILES.replace("ex:two", "ex:one")
    first, second = store_of(alike), store_of(alike)
    nodes = [quad.object for quad in first.match(ex("d"), DCAT.distribution)]
    change = ChangeSet(removed=tuple(Quad(node, DCAT.mediaType, Literal("text/csv")) for node in nodes))
    there = match_blank_nodes(change, nodes_of(first, change), second)
    assert {quad.subject for quad in there.removed} == {
        quad.object for quad in second.match(ex("d"), DCAT.distribution)
    }


def test_a_node_that_is_gone_is_told() -> None:
    first, before = services(FILES)
    change = ChangeSet(added=(Quad(before["https://example.org/two"], DCAT.byteSize, Literal(7)),))
    with pytest.raises(Unsupported, match="not in the file any more"):
        match_blank_nodes(change, nodes_of(first, change), store_of(FILES.replace("ex:two", "ex:three")))
