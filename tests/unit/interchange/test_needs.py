"""What a resource needs: value nodes always, links by name and class, or in full as deep as asked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.interchange.needs import what_it_needs
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex, store_of

STORY = (
    "ex:model a hpc:AIModel ; hpc:name 'm' ; hpc:file ex:file ; hpc:memorySize [ qudt:value 1 ; qudt:unit unit:BYTE ] ."
    "ex:file a hpc:File ; hpc:name 'f' ; hpc:size [ qudt:value 2 ] ; hpc:project ex:project ."
    "ex:project a hpc:Project ; hpc:name 'p' ; hpc:description 'long' ; hpc:aiModel ex:model ."
    "hpc:AIModel rdfs:label 'AI model' ."
)


def test_what_it_links_to_comes_by_name_and_class() -> None:
    needs = what_it_needs(store_of(STORY), [ex("model")])
    about = {quad.subject for quad in needs.quads if isinstance(quad.subject, NamedNode)}
    assert about == {ex("model"), ex("file")}
    assert {quad.predicate for quad in needs.quads if quad.subject == ex("file")} == {RDF.type, HPC.term("name")}
    assert sum(isinstance(quad.subject, BlankNode) for quad in needs.quads) == 2
    assert needs.sentence == "1 resource in full; 1 more by name and class; 1 that the graph says neither of"


def test_a_link_further_is_told_in_full_and_the_next_by_name() -> None:
    needs = what_it_needs(store_of(STORY), [ex("model")], depth=1)
    assert {quad.predicate for quad in needs.quads if quad.subject == ex("file")} == {
        RDF.type, HPC.term("name"), HPC.size, HPC.project,
    }  # fmt: skip
    assert HPC.description not in {quad.predicate for quad in needs.quads if quad.subject == ex("project")}
    # The unit is a link like any other: described, with nothing said of it.
    assert needs.sentence == "3 resources in full, up to 1 link away; 1 more by name and class"


def test_a_circle_ends() -> None:
    store = store_of(STORY)
    needs = what_it_needs(store, [ex("model")], depth=50)
    assert set(needs.quads) == {quad for quad in store.match() if quad.subject != HPC.AIModel}
    assert needs.named == 0


links = st.lists(
    st.tuples(*(st.sampled_from([ex(letter) for letter in "abcd"]),) * 2, st.sampled_from(["p", "q"])), max_size=12
)


@given(links, st.integers(0, 3))
def test_more_depth_never_takes_anything_away(pairs: list[tuple[NamedNode, NamedNode, str]], depth: int) -> None:
    store = LocalStore.in_memory()
    store.add_quads([Quad(one, ex(by), other) for one, other, by in pairs])
    store.add_quads([Quad(ex(letter), HPC.term("name"), Literal(letter)) for letter in "abcd"])
    shallow, deeper = (what_it_needs(store, [ex("a")], depth=at) for at in (depth, depth + 1))
    assert set(shallow.quads) <= set(deeper.quads)
    assert len(set(deeper.quads)) == len(deeper.quads)
    store.close()
