"""FROM and FROM NAMED on a store of this machine (SPARQL 1.1 Query, section 13.2)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.rdf.terms import Literal, Quad
from hpc_explorer.stores.base import Store
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.stoppable import StoppableStore
from tests.helpers.graphs import ex

HEAD = "PREFIX : <http://example.org/> BASE <http://example.org/> "


@pytest.fixture(params=["memory", "disk", "stoppable"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A stands in g1 and g2, b in g1, c in g2 and d in g3: so the merge of all graphs is kept."""
    local = LocalStore.in_memory() if request.param == "memory" else LocalStore.on_disk(tmp_path / "store")
    stated = {"g1": "ab", "g2": "ac", "g3": "d"}
    local.add_quads(Quad(ex(one), ex("p"), Literal("v"), ex(graph)) for graph, all_ in stated.items() for one in all_)
    local.settle([ex(graph) for graph in stated])
    assert local.keeps_merge
    asked: Store = StoppableStore(local) if request.param == "stoppable" else local
    yield asked
    asked.close()


@pytest.mark.parametrize(
    ("clause", "default", "named"),
    [
        ("", "abcd", "aabcd"),
        ("FROM <http://example.org/g1>", "ab", ""),
        ("FROM :g1 FROM <g3>", "abd", ""),
        ("FROM :g1 FROM :g2", "abc", ""),
        ("FROM :g1 FROM :g1", "ab", ""),
        ("FROM :g1 FROM :g2 FROM NAMED :g2", "abc", "ac"),
        ("FROM :g3 FROM NAMED :g1 FROM NAMED :g2", "d", "aabc"),
        ("FROM NAMED :g1", "", "ab"),
        ("FROM :nothing", "", ""),
        ("FROM :nothing FROM :g3", "d", ""),
        ("FROM NAMED :nothing", "", ""),
    ],
)
def test_a_query_reads_the_graphs_it_names(store: Store, clause: str, default: str, named: str) -> None:
    def found(pattern: str) -> str:
        rows = store.select(f"{HEAD} SELECT ?s {clause} WHERE {{ {pattern} }}")
        return "".join(sorted(row["s"].value[-1] for row in rows))  # type: ignore[union-attr]  # resources

    assert found("?s :p ?o") == default
    assert found("GRAPH ?g { ?s :p ?o }") == named
    (row,) = store.select(f"{HEAD} SELECT (COUNT(*) AS ?n) {clause} WHERE {{ ?s ?p ?o }}")
    assert row["n"] == Literal(len(default))
    assert store.ask(f"{HEAD} ASK {clause} {{ ?s ?p ?o }}") is bool(default)
    triples = store.construct(f"{HEAD} CONSTRUCT {{ ?s ?p ?o }} {clause} WHERE {{ ?s ?p ?o }}")
    assert len(set(triples)) == len(default)


def test_select_everything_names_its_columns_as_the_query_does(store: Store) -> None:
    rows = store.select("SELECT * { ?z ?b ?a }")
    assert tuple(rows.variables) == ("z", "b", "a")
    assert {row["b"] for row in rows} == {ex("p")}
