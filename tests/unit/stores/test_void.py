"""A profile in the words of VoID."""

from __future__ import annotations

from hpc_explorer.app.operations import open_sources, run_query
from hpc_explorer.app.operations.exporting import void_document
from hpc_explorer.app.session import Session
from hpc_explorer.rdf.reading import read_bytes
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.loading import load_content
from hpc_explorer.stores.local import LocalStore
from hpc_explorer.stores.profile import count_profile
from hpc_explorer.stores.void import void_of
from tests.helpers.graphs import GRAPH, ex, store_of

_PREFIX = "PREFIX void: <http://rdfs.org/ns/void#> "


def described(text: str) -> LocalStore:
    store = LocalStore.in_memory()
    load_content(store, read_bytes(text.encode(), name="void.ttl", base="urn:x"), NamedNode("urn:void"))
    return store


def test_its_numbers_are_those_of_the_graph() -> None:
    session = Session.new()
    open_sources(session, ["sample:xplacer"])
    void = described(void_document(session))
    by_class = void.select(
        _PREFIX + "SELECT ?c ?n { ?d a void:Dataset ; void:classPartition [ void:class ?c ; void:entities ?n ] }"
    )
    assert {row["c"]: row["n"].value for row in by_class} == {  # type: ignore[union-attr]
        cls: str(number) for cls, number in session.usage().classes().items()
    }
    whole = void.select(_PREFIX + "SELECT ?n { ?d void:triples ?n ; void:classPartition [] } LIMIT 1")
    counted = run_query(session, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    assert next(iter(whole))["n"].value in str(counted)  # type: ignore[union-attr]
    session.close()


def test_partitions_nest_and_graphs_are_subsets() -> None:
    store = store_of("ex:a a ex:C, ex:D ; ex:p 1, 2 . ex:b ex:p 3 .", "ex:a ex:p 1 .")
    lines = {f"{triple.predicate.value.rpartition('#')[2]} {triple.object}" for triple in void_of(count_profile(store))}
    assert {f"class {ex('C')}", f"property {ex('p')}", f"subset {GRAPH}"} <= lines
    numbers = [
        int(triple.object.value)  # type: ignore[union-attr]
        for triple in void_of(count_profile(store), ex("data"))
        if triple.subject == ex("data") and triple.predicate.value.endswith("#triples")
    ]
    assert numbers == [5], "a triple of two graphs counts once"
