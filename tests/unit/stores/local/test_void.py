"""A profile in the words of VoID."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse, serialize

from hpc_explorer.app.export.exporting import void_document
from hpc_explorer.app.query.run_query import run_query
from hpc_explorer.errors import StoreError
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.terms import BlankNode, GraphName, Literal, NamedNode, Quad
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.profile import count_profile
from hpc_explorer.stores.local.void import profile_from, read_profile, void_of, write_profile
from tests.helpers.graphs import GRAPH, ex, store_of
from tests.helpers.sessions import session_of

_PREFIX = "PREFIX void: <http://rdfs.org/ns/void#> "


def described(text: str) -> LocalStore:
    store = LocalStore.in_memory()
    load_content(store, read_bytes(text.encode(), name="void.ttl", base="urn:x"), NamedNode("urn:void"))
    return store


def test_its_numbers_are_those_of_the_graph() -> None:
    session = session_of("sample:xplacer")
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


NODES = [ex("a"), ex("b"), BlankNode("c"), ex("C"), ex("D")]
GRAPHS: list[GraphName] = [ex("g"), ex("h"), BlankNode("dataset"), BlankNode("property0")]
OBJECTS = [*NODES, Literal("x"), Literal("x", language="en"), Literal(1), Literal("01", datatype=Literal(1).datatype)]
QUADS = st.builds(
    Quad,
    st.sampled_from(NODES),
    st.sampled_from([RDF.type, ex("p"), ex("q")]),
    st.sampled_from(OBJECTS),
    st.sampled_from(GRAPHS),
)


@given(st.lists(QUADS, max_size=25))
def test_a_description_is_the_whole_profile(quads: list[Quad]) -> None:
    store = LocalStore.in_memory()
    store.add_quads(quads)
    store.settle(store.graphs())
    profile = count_profile(store)
    assert profile_from(void_of(profile)) == profile
    turtle = serialize(void_of(profile, ex("data")), format=RdfFormat.TURTLE)
    assert turtle is not None
    assert profile_from(quad.triple for quad in parse(turtle, RdfFormat.TURTLE, rename_blank_nodes=True)) == profile


def test_it_is_kept_in_a_file_and_one_that_lacks_a_number_is_refused(tmp_path: Path) -> None:
    profile = count_profile(store_of('ex:a a ex:C, ex:D ; ex:p 1, "x" . ex:b a ex:C .'))
    file = tmp_path / "profile.ttl"
    write_profile(profile, file)
    assert read_profile(file) == profile
    whole = file.read_text()
    for text in (
        "",
        "{}",
        whole.replace("void:entities", "void:documents"),
        whole.replace("void:properties", "void:p"),
    ):
        file.write_text(text)
        with pytest.raises(StoreError, match="counts cannot be read"):
            read_profile(file)
    file.unlink()
    with pytest.raises(StoreError, match="counts cannot be read"):
        read_profile(file)
