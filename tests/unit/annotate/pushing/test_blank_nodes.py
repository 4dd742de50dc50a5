"""Which blank node of one reading of a graph is which of another."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.pushing.blank_nodes import same_nodes
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, renamed
from tests.helpers.datasets import quads
from tests.helpers.examples import examples
from tests.helpers.graphs import ex


@examples(80)
@given(quads(), st.randoms())
def test_blank_nodes_are_found_again(statements: list[Quad], chance: object) -> None:
    there = [renamed(quad, {BlankNode(f"b{n}"): BlankNode(f"other{n}") for n in range(5)}) for quad in statements]
    chance.shuffle(there)  # type: ignore[attr-defined]  # a Random
    names = same_nodes(there, statements)
    again = {renamed(quad, names) for quad in there}
    # Nodes that look alike from nearby and are not, may be taken for each other; everything else is found.
    if len({node for quad in statements for node in (quad.subject, quad.object) if isinstance(node, BlankNode)}) < 3:
        assert again == set(statements)
    assert len(set(names.values())) == len(names)


@st.composite
def trees(draw: st.DrawFn) -> list[Quad]:
    """Blank nodes below one another, from a resource on, each told by the properties that lead to it."""
    nodes = [BlankNode(f"n{number}") for number in range(draw(st.integers(1, 6)))]
    subjects: list[NamedNode | BlankNode] = [ex("m"), ex("other")]
    said = []
    for number, node in enumerate(nodes):
        graph = draw(st.sampled_from([ex("g"), ex("h")]))
        said.append(Quad(draw(st.sampled_from(subjects)), ex(f"p{number}"), node, graph))
        subjects.append(node)
    return said


@examples(60)
@given(trees(), st.booleans(), st.randoms())
def test_each_node_is_found_by_its_name_or_by_its_place(tree: list[Quad], by_name: bool, chance: Random) -> None:
    nodes = [quad.object for quad in tree if isinstance(quad.object, BlankNode)]
    here = [*tree, *(Quad(node, ex("name"), Literal(node.value)) for node in nodes)]
    meant = {BlankNode(f"other{number}"): node for number, node in enumerate(nodes)}
    names = {node: other for other, node in meant.items()}
    if by_name:
        # Who leads to a node says nothing: all by one property.
        here = [Quad(ex("m"), ex("p"), quad.object) if quad.object in names else quad for quad in here]
        there = [renamed(quad, names) for quad in here]
    else:
        there = [renamed(quad, names) for quad in [*tree, *(Quad(node, ex("name"), Literal("new")) for node in nodes)]]
    chance.shuffle(there)
    assert same_nodes(there, here) == meant
    # What only one side has gets no partner.
    assert same_nodes([*there, Quad(BlankNode("alone"), ex("name"), Literal("alone"))], here) == meant
    assert same_nodes(there, [*here, Quad(ex("m"), ex("new"), BlankNode("alone"))]) == meant


@examples(100)
@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from("ppq")), max_size=9), st.randoms())
def test_nodes_that_look_alike_are_taken_one_for_one(below: list[tuple[int, str]], chance: Random) -> None:
    """A tree is told by its shape alone: whoever of two alike is taken, what hangs on them goes along."""
    nodes = [BlankNode(f"b{number}") for number in range(len(below))]
    here = [
        Quad(nodes[number - above] if above <= number else ex("m"), ex(predicate), nodes[number])
        for number, (above, predicate) in enumerate(below)
    ]
    there = [renamed(quad, {node: BlankNode(f"other-{node.value}") for node in nodes}) for quad in here]
    chance.shuffle(there)
    names = same_nodes(there, here)
    assert {renamed(quad, names) for quad in there} == set(here)
    assert sorted(names.values(), key=str) == nodes


def alike(name: str, count: int) -> list[Quad]:
    return [Quad(ex("m"), ex("took"), BlankNode(f"{name}{number}")) for number in range(count)]


@pytest.mark.slow
def test_very_many_nodes_that_look_alike_are_taken_one_for_one() -> None:
    found = same_nodes(alike("x", 250), alike("y", 250))
    assert {str(node) for node in found} == {f"_:x{number}" for number in range(250)}
    assert {str(node) for node in found.values()} == {f"_:y{number}" for number in range(250)}
    # With others that are more on one side: those are nobody's.
    more = [Quad(ex("n"), ex("took"), BlankNode(f"z{number}")) for number in range(2)]
    assert same_nodes([*more, *alike("x", 250)], [more[0], *alike("x", 250)]).keys() == found.keys()


@pytest.mark.parametrize(("there", "here"), [(1, 2), (2, 1), (2, 3), (0, 1), (1, 0), (0, 0)])
def test_of_nodes_that_are_alike_and_not_as_many_none_is_taken(there: int, here: int) -> None:
    assert same_nodes(alike("x", there), alike("y", here)) == {}


def test_a_graph_without_a_name_is_found_by_what_it_states() -> None:
    here = [Quad(ex("m"), ex("p"), Literal(text), BlankNode(text)) for text in "ab"]
    there = [Quad(ex("m"), ex("p"), Literal(text), BlankNode(f"other{text}")) for text in "ba"]
    names = {BlankNode(f"other{text}"): BlankNode(text) for text in "ab"}
    assert same_nodes(there, here) == names
    more = Quad(ex("m"), ex("q"), Literal("more"), BlankNode("othera"))
    assert same_nodes([*there, more], here).keys() == names.keys() - {more.graph_name}


def test_a_place_with_two_new_nodes_tells_neither() -> None:
    here = alike("y", 2)
    there = [*alike("x", 1), Quad(BlankNode("x0"), ex("q"), Literal("1"))]
    assert same_nodes(there, here) == {}
    # Nor do two places that lead to one node, and on the other side to two.
    one = [Quad(ex("m"), ex(name), BlankNode("x")) for name in "pq"]
    two = [Quad(ex("m"), ex(name), BlankNode(name)) for name in "pq"]
    assert same_nodes(one, two) == same_nodes(two, one) == {}
