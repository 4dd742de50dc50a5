"""The class tree: equivalents merged, cycles survived, each instance counted once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.ontology.hierarchy import ClassTreeNode, class_tree, inferred_parents
from hpc_explorer.ontology.instances import count_usage
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.rdf.namespaces import RDF, RDFS
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import GRAPH, ex, store_of


def tree_of(store: LocalStore, root: NamedNode | None = None) -> tuple[ClassTreeNode, ...]:
    usage = count_usage(store)
    schema = build_schema(store, LocalStore.in_memory(), used_classes=usage.classes(), used_properties=usage.predicates)
    return class_tree(schema, usage, root)


def every_node(tree: tuple[ClassTreeNode, ...]) -> list[ClassTreeNode]:
    found: list[ClassTreeNode] = []
    work = list(tree)
    while work:
        node = work.pop()
        found.append(node)
        work.extend(node.children)
    return found


def test_an_instance_of_two_classes_counts_once_above_them() -> None:
    store = store_of("ex:A rdfs:subClassOf ex:C . ex:B rdfs:subClassOf ex:C . ex:x a ex:A , ex:B . ex:y a ex:A .")
    (top,) = tree_of(store)
    assert (top.cls, top.own, top.instances) == (ex("C"), 0, 2)
    assert [(node.cls, node.instances) for node in top.children] == [(ex("A"), 2), (ex("B"), 1)]


def test_equivalent_classes_share_a_place_and_their_subclasses() -> None:
    store = store_of(
        "ex:AIModel owl:equivalentClass ex:MLModel . ex:AIModel a owl:Class . ex:MLModel a owl:Class ."
        "ex:Tree rdfs:subClassOf ex:MLModel . ex:m a ex:AIModel . ex:n a ex:Tree ."
    )
    (top,) = tree_of(store)
    assert (top.cls, top.equivalents, top.own, top.instances) == (ex("AIModel"), (ex("MLModel"),), 1, 2)
    assert tree_of(store, ex("MLModel")) == (top,)
    assert tree_of(store, ex("Nothing")) == ()


def test_a_cycle_of_subclasses_is_one_place() -> None:
    store = store_of("ex:A rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:A . ex:C rdfs:subClassOf ex:A .")
    (top,) = tree_of(store)
    assert {top.cls, *top.equivalents} == {ex("A"), ex("B")}
    assert [node.cls for node in top.children] == [ex("C")]


@pytest.mark.slow
def test_a_chain_of_five_thousand_subclasses() -> None:
    store = LocalStore.in_memory()
    store.add_quads(Quad(ex(f"C{n}"), RDFS.subClassOf, ex(f"C{n + 1}"), GRAPH) for n in range(5000))
    store.add_quads([Quad(ex("x"), RDF.type, ex("C0"), GRAPH)])
    (top,) = tree_of(store)
    assert (top.cls, top.instances) == (ex("C5000"), 1)


names = st.sampled_from("ABCDEF")


@given(
    st.lists(st.tuples(names, names), max_size=12), st.lists(st.tuples(st.sampled_from("uvwxyz"), names), max_size=12)
)
def test_counts_agree_with_the_definition(subclasses: list[tuple[str, str]], types: list[tuple[str, str]]) -> None:
    store = LocalStore.in_memory()
    store.add_quads(Quad(ex(one), RDFS.subClassOf, ex(other), GRAPH) for one, other in subclasses)
    store.add_quads(Quad(ex(instance), RDF.type, ex(cls), GRAPH) for instance, cls in types)
    for node in every_node(tree_of(store)):
        below = {node.cls.value[-1]}
        while True:
            more = {one for one, other in subclasses if other in below} - below
            if not more:
                break
            below |= more
        assert node.instances == len({instance for instance, cls in types if cls in below})


def inferred_tree_of(stated: str, inferred: str) -> tuple[ClassTreeNode, ...]:
    store = store_of(stated)
    extra = store_of(inferred)
    store.add_quads(Quad(quad.subject, quad.predicate, quad.object, INFERRED) for quad in extra.match())
    usage = count_usage(store)
    schema = build_schema(store, LocalStore.in_memory(), used_classes=usage.classes(), used_properties=usage.predicates)
    return class_tree(schema, usage, None, inferred_parents(store.match(None, None, None, INFERRED), schema))


def places(tree: tuple[ClassTreeNode, ...]) -> dict[str, list[str]]:
    """Below each class the classes there; those that are there by inference with a question mark."""
    return {
        node.cls.value[-1]: [child.cls.value[-1] + "?" * (child.cls in node.inferred) for child in node.children]
        for node in every_node(tree)
    }


CHAIN = "ex:A rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:C . ex:D a owl:Class . ex:E a owl:Class ."


def test_what_only_repeats_the_stated_hierarchy_is_no_inferred_place() -> None:
    tree = inferred_tree_of(CHAIN, "ex:A rdfs:subClassOf ex:C .")
    assert places(tree) == {"C": ["B"], "B": ["A"], "A": [], "D": [], "E": []}


def test_an_inferred_place_is_told_where_it_begins_and_ends() -> None:
    tree = inferred_tree_of(
        CHAIN,
        "ex:A rdfs:subClassOf ex:D , ex:E . ex:B rdfs:subClassOf ex:D , ex:E . ex:C rdfs:subClassOf ex:D , ex:E ."
        "ex:D rdfs:subClassOf ex:E .",
    )
    assert places(tree) == {"E": ["D?"], "D": ["C?"], "C": ["B"], "B": ["A"], "A": []}


def test_classes_that_turn_out_to_be_above_each_other_are_one() -> None:
    (first, *_) = inferred_tree_of(CHAIN, "ex:C rdfs:subClassOf ex:A .")
    assert {first.cls, *first.equivalents} == {ex("A"), ex("B"), ex("C")}
    assert first.circle


def test_a_circle_is_told_from_what_is_stated_to_be_the_same() -> None:
    (same,) = tree_of(store_of("ex:A owl:equivalentClass ex:B . ex:A a owl:Class . ex:B a owl:Class ."))
    (round_and_round,) = tree_of(store_of("ex:A rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:A ."))
    assert (same.circle, round_and_round.circle) == (False, True)
