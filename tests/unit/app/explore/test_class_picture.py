"""The picture of the classes: each once, with its links, as far as branches are open."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.explore.class_picture import (
    ALONE,
    MOST_ALONE,
    MOST_LINKS,
    OPENED_FIRST,
    ClassChoice,
    ClassPicture,
    class_picture,
    class_scene,
    every_class,
    first_opened,
    parents_of,
)
from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.views import ClassNode
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.scene import SceneNode
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import HPC, RDFS
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.local.loading import load_content
from tests.helpers.examples import examples
from tests.helpers.graphs import ex, store_of

Opened = Callable[[str], Session]


@pytest.fixture
def opened() -> Iterator[Opened]:
    sessions: list[Session] = []

    def open_one(turtle: str) -> Session:
        session = Session(store_of(turtle))
        sessions.append(session)
        return session

    yield open_one
    for session in sessions:
        session.close()


def iri(name: str) -> str:
    return ex(name).value


def drawn(session: Session, *names: str, properties: bool = False, instances: str = "") -> ClassPicture:
    """The picture with the branches of these classes open; none given: all."""
    tree = class_tree(session)
    branches = frozenset(map(iri, names)) if names else frozenset(every_class(tree))
    return class_picture(session, tree, ClassChoice(branches, properties, frozenset(map(iri, instances.split()))))


def card(picture: ClassPicture, name: str) -> SceneNode:
    found = picture.scene.node(iri(name))
    assert found is not None, f"{name} is not drawn"
    return found


def links(picture: ClassPicture, label: str = "") -> set[tuple[str, str]]:
    prefix = iri("")
    return {
        (edge.source.removeprefix(prefix), edge.target.removeprefix(prefix))
        for edge in picture.scene.edges
        if edge.label.startswith(label) and bool(edge.label) == bool(label)
    }


LADDER = "ex:B rdfs:subClassOf ex:A . ex:C rdfs:subClassOf ex:B . ex:D rdfs:subClassOf ex:B , ex:E . ex:E a owl:Class ."


def test_a_closed_branch_says_what_a_click_would_bring(opened: Opened) -> None:
    session = opened(LADDER)
    closed = drawn(session, "E")
    assert {node.label for node in closed.scene.nodes} == {"A", "D", "E"}
    assert (closed.drawn, closed.classes) == (3, 5)
    assert card(closed, "A").badges == ("+1",)
    # With B's own branch open, opening A brings B and C; D is there already.
    assert card(drawn(session, "B", "E"), "A").badges == ("+2",)
    everything = drawn(session)
    assert (card(everything, "A").badges, card(everything, "C").badges) == (("−",), ())


def test_a_class_with_two_parents_stands_once_and_is_linked_with_both(opened: Opened) -> None:
    picture = drawn(opened(LADDER))
    assert [node.label for node in picture.scene.nodes].count("D") == 1
    assert links(picture) == {("B", "A"), ("C", "B"), ("D", "B"), ("D", "E")}
    hangs = {edge.target for edge in picture.scene.edges if edge.source == iri("D") and edge.leads == "back"}
    assert hangs == {iri("B")}  # the weightier one


def test_a_class_hangs_by_an_open_branch_only(opened: Opened) -> None:
    picture = drawn(opened(LADDER + " ex:B rdfs:subClassOf ex:F . ex:A rdfs:subClassOf ex:F ."), "F", "E")
    edges = {(edge.target, edge.leads) for edge in picture.scene.edges if edge.source == iri("D")}
    assert edges == {(iri("B"), "aside"), (iri("E"), "back")}


def test_equivalent_classes_are_one_marked_card_with_all_names(opened: Opened) -> None:
    picture = drawn(
        opened(
            "ex:A owl:equivalentClass ex:B . ex:A a owl:Class ; rdfs:label 'Model' . ex:B a owl:Class . ex:x a ex:B ."
        )
    )
    (node,) = picture.scene.nodes
    assert (node.key, node.label, node.badges) == (iri("B"), "B", ("=",))
    assert "Model" in node.tooltip
    assert "stated to be equivalent" in node.tooltip
    assert picture.circles == 0


def test_a_circle_of_subclasses_is_one_card_and_is_told(opened: Opened) -> None:
    session = opened(
        "ex:A rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:C . ex:C rdfs:subClassOf ex:A . ex:D rdfs:subClassOf ex:A ."
    )
    picture = drawn(session)
    assert (len(picture.scene.nodes), picture.circles) == (2, 1)
    (merged,) = (node for node in picture.scene.nodes if node.key != iri("D"))
    assert "each is stated to be a subclass of the other" in merged.tooltip
    assert "=" in merged.badges


def test_a_place_by_inference_is_a_dashed_link_and_can_be_left_out(opened: Opened) -> None:
    session = opened("ex:A a owl:Class . ex:B rdfs:subClassOf ex:C . ex:x a ex:B .")
    store = session.local_store
    store.add_quads([Quad(ex("B"), RDFS.subClassOf, ex("A"), INFERRED)])
    picture = drawn(session)
    assert {(edge.target, edge.origin) for edge in picture.scene.edges} == {
        (iri("A"), "inferred"),
        (iri("C"), "asserted"),
    }
    assert picture.inferred == 1
    tree = class_tree(session, with_inferred=False)
    without = class_picture(session, tree, ClassChoice(frozenset(every_class(tree))))
    assert without.inferred == 0
    assert {edge.target for edge in without.scene.edges} == {iri("C")}


def test_after_inference_the_shipped_ontology_gives_places_to_what_only_names_its_classes() -> None:
    session = Session.new()
    text = f"""
        <{iri("Scan")}> <{RDFS.subClassOf.value}> <{HPC.Dataset.value}> . <{iri("s")}> a <{iri("Scan")}> .
        <{iri("m")}> a <{HPC.AIModel.value}> .
    """
    with session.changing():
        load_content(session.local_store, read_bytes(text.encode(), name="scan.ttl", base="urn:x"), ex("graph"))
        session.local_store.settle([ex("graph")])
    infer(session)
    tree = class_tree(session)
    above = {cls: {parent.ref.label for parent in parents} for cls, parents in parents_of(tree).items()}
    assert above[iri("Scan")] == {"Dataset"}
    assert above[HPC.Dataset.value] == {"Data"}
    picture = drawn(session)
    origins = {edge.source: edge.origin for edge in picture.scene.edges}
    assert (origins[iri("Scan")], origins[HPC.Dataset.value]) == ("asserted", "inferred")
    session.close()


# Properties


SCHEMA = (
    "ex:A a owl:Class . ex:B a owl:Class ; owl:equivalentClass ex:Same . ex:Same a owl:Class . ex:C rdfs:subClassOf ex:B ."
    "ex:p a owl:ObjectProperty ; rdfs:domain ex:A ; rdfs:range ex:Same . ex:q a owl:ObjectProperty ;"
    "rdfs:domain ex:A ; rdfs:range ex:C . ex:name a owl:DatatypeProperty ; rdfs:domain ex:A ; rdfs:range xsd:string ."
    "ex:r a owl:ObjectProperty ; rdfs:domain ex:A ; rdfs:range ex:A . ex:x ex:p ex:y . ex:x ex:p ex:z . ex:x a ex:A ."
)


def test_properties_are_links_from_domain_to_range_with_their_use(opened: Opened) -> None:
    picture = drawn(opened(SCHEMA), properties=True)
    assert {(edge.label, edge.source, edge.target) for edge in picture.scene.edges if edge.label} == {
        ("p · 2", iri("A"), iri("B")),
        ("q", iri("A"), iri("C")),
        ("r", iri("A"), iri("A")),
    }
    assert (picture.links, picture.links_left_out) == (3, 0)
    used = next(edge for edge in picture.scene.edges if edge.label == "p · 2")
    assert "in 2 triples of the graph" in used.tooltip
    assert arrange(picture.scene).places.keys() == {node.key for node in picture.scene.nodes}


def test_properties_of_classes_out_of_sight_are_counted(opened: Opened) -> None:
    session = opened(SCHEMA)
    assert not links(drawn(session, "nothing"), "p")
    closed = drawn(session, "nothing", properties=True)
    assert (closed.links, closed.links_out_of_sight) == (2, 1)


def test_of_too_many_links_only_those_of_the_chosen_class_are_drawn(opened: Opened) -> None:
    many = " ".join(
        f"ex:p{number} a owl:ObjectProperty ; rdfs:domain ex:A ; rdfs:range ex:{'AB'[number % 2]} ."
        for number in range(2 * MOST_LINKS)
    )
    session = opened("ex:A a owl:Class . ex:B a owl:Class . " + many)
    nothing_chosen = drawn(session, properties=True)
    assert (nothing_chosen.links, nothing_chosen.links_left_out) == (0, 2 * MOST_LINKS)
    tree = class_tree(session)
    of_b = class_picture(session, tree, ClassChoice(frozenset(), True, chosen=iri("B")))
    assert (of_b.links, of_b.links_left_out) == (MOST_LINKS, MOST_LINKS)
    assert {edge.target for edge in of_b.scene.edges} == {iri("B")}
    assert arrange(of_b.scene).places == arrange(nothing_chosen.scene).places  # nothing moves


# Instances


def test_the_first_instances_stand_beside_their_class_and_the_rest_is_counted(opened: Opened) -> None:
    things = " ".join(f"ex:x{number:04} a ex:A ." for number in range(1209))
    picture = drawn(opened("ex:B rdfs:subClassOf ex:A . " + things), instances="A")
    assert [node.label for node in picture.scene.nodes if node.group] == ["… and 1,204 more"]
    assert len(links(picture, "instance of")) == 6
    assert card(picture, "A").caption == "1,209 instances"
    assert not [node for node in drawn(opened(LADDER), instances="A").scene.nodes if node.group]


def test_an_instance_that_is_a_class_itself_has_one_card(opened: Opened) -> None:
    picture = drawn(opened("ex:A a owl:Class . ex:B a owl:Class , ex:A ."), instances="A")
    assert sorted(node.label for node in picture.scene.nodes) == ["A", "B"]
    assert links(picture, "instance of") == {("B", "A")}


# How it opens


def test_a_small_hierarchy_opens_whole_and_a_large_one_where_it_weighs(opened: Opened) -> None:
    small = class_tree(opened(LADDER))
    assert first_opened(small) == {iri("A"), iri("B"), iri("E")}
    wide = " ".join(f"ex:W{number} rdfs:subClassOf ex:Wide ." for number in range(100))
    deep = " ".join(
        f"ex:D{number} rdfs:subClassOf ex:Deep . ex:E{number} rdfs:subClassOf ex:D{number} ." for number in range(8)
    )
    session = opened(f"{wide} {deep} ex:L rdfs:subClassOf ex:Light .")
    tree = class_tree(session)
    branches = first_opened(tree)
    assert iri("Deep") in branches
    assert not branches & {iri("Wide"), iri("Light")}
    assert class_picture(session, tree, ClassChoice(branches)).drawn <= OPENED_FIRST


def test_classes_without_a_place_stand_as_one_card_until_it_is_opened(opened: Opened) -> None:
    session = opened(LADDER + " ".join(f"ex:Z{number} a owl:Class ." for number in range(MOST_ALONE + 1)))
    closed = drawn(session, "A")
    assert closed.scene.nodes[-1].key == ALONE
    assert closed.scene.nodes[-1].badges == (f"+{MOST_ALONE + 1}",)
    tree = class_tree(session)
    picture = class_picture(session, tree, ClassChoice(frozenset({ALONE})))
    assert picture.scene.node(iri("Z3")) is not None
    places = arrange(picture.scene).places
    assert len({places[iri(f"Z{number}")].x for number in range(MOST_ALONE)}) > 1  # rows, no strip


def test_the_picture_of_one_class_is_about_it(opened: Opened) -> None:
    scene = class_scene(opened(LADDER), ex("B"))
    focus = scene.focus()
    assert focus is not None
    assert (focus.label, scene.title, len(scene.nodes)) == ("B", "Classes below B", 3)


HIERARCHIES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=24)


@examples(60)
@given(HIERARCHIES, st.frozensets(st.integers(0, 9)))
def test_any_hierarchy_is_drawn_once_with_all_its_links(pairs: list[tuple[int, int]], opening: frozenset[int]) -> None:
    session = Session(store_of(" ".join(f"ex:c{a} rdfs:subClassOf ex:c{b} ." for a, b in pairs)))
    tree = class_tree(session)
    choice = ClassChoice(frozenset(iri(f"c{number}") for number in opening))
    picture = class_picture(session, tree, choice)
    classes, cards = every_class(tree), {node.key for node in picture.scene.nodes}
    stated = {(child.ref.iri, node.ref.iri) for node in classes.values() for child in node.children}
    assert {(edge.source, edge.target) for edge in picture.scene.edges} == {
        (child, parent) for child, parent in stated if {child, parent} <= cards
    }
    assert _brought(picture, tree, choice.opened) == {
        node.key: int(mark.removeprefix("+")) for node in picture.scene.nodes for mark in node.badges if "+" in mark
    }
    layout = arrange(picture.scene)
    assert layout.places.keys() == cards
    session.close()


def _brought(picture: ClassPicture, tree: tuple[ClassNode, ...], opened: frozenset[str]) -> dict[str, int]:
    """How many cards opening each closed branch really brings."""
    session = Session(store_of(""))
    before = {node.key for node in picture.scene.nodes}
    brought = {}
    for key in before - opened:
        after = class_picture(session, tree, ClassChoice(opened | {key}))
        number = len({node.key for node in after.scene.nodes} - before)
        if number:
            brought[key] = number
    session.close()
    return brought


def test_the_weightiest_parent_comes_first(opened: Opened) -> None:
    above = parents_of(class_tree(opened(LADDER)))
    assert [parent.ref.label for parent in above[iri("D")]] == ["B", "E"]
    assert iri("A") not in above
    assert isinstance(above[iri("B")][0].ref.resource, NamedNode)
