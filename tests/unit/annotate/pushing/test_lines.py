"""N-Triples and N-Quads changed line by line; which blank node is which; two changes put together."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.pushing.blank_nodes import same_nodes
from hpc_explorer.annotate.pushing.files import same_statements
from hpc_explorer.annotate.pushing.lines import Lines
from hpc_explorer.annotate.pushing.located import NotInPlaces
from hpc_explorer.annotate.pushing.three_way import Changes, merged, resolved
from hpc_explorer.annotate.pushing.values import Choice
from hpc_explorer.rdf.formats import N_QUADS
from hpc_explorer.rdf.reading import read_bytes
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, renamed
from hpc_explorer.rdf.writing import write_quads
from tests.helpers.datasets import GRAPHS, quads
from tests.helpers.examples import examples
from tests.helpers.graphs import ex


def written(statements: list[Quad]) -> str:
    stream = BytesIO()
    write_quads(statements, stream, N_QUADS)
    return stream.getvalue().decode()


@examples(80)
@given(quads(graphs=GRAPHS), quads(graphs=GRAPHS), st.data())
def test_lines_that_stay_are_as_they_were(before: list[Quad], more: list[Quad], data: st.DataObject) -> None:
    text = "# first\n\n" + written(before)
    places = Lines(text)
    assert same_statements(places.quads, before)
    removed = data.draw(st.lists(st.sampled_from(before), unique=True) if before else st.just([]))
    added = [quad for quad in dict.fromkeys(more) if quad not in before]
    result = places.changed(removed, added)
    wanted = [*(quad for quad in before if quad not in removed), *added]
    assert same_statements(Lines(result).quads, wanted)
    if wanted:
        assert same_statements(read_bytes(result.encode(), name="a.nq", base="urn:b").quads(), wanted)
    # A line ends at a line feed only: other ends of lines, as Unicode knows them, may stand in a literal.
    lines = written(before).split("\n")[:-1]
    stays = [line for line, quad in zip(lines, before, strict=True) if quad not in removed]
    assert not Counter(["# first", "", *stays]) - Counter(result.split("\n"))


@pytest.mark.parametrize(("text", "line"), [("5 .\n", 1), ("<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> 5 .\n", 2)])
def test_a_line_that_is_no_statement_is_said(text: str, line: int) -> None:
    with pytest.raises(NotInPlaces, match=f"line {line} "):
        Lines(text)


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


@pytest.mark.parametrize("count", [3, 250])
def test_nodes_that_look_alike_are_taken_one_for_one(count: int) -> None:
    def said(name: str) -> list[Quad]:
        return [Quad(ex("m"), ex("took"), BlankNode(f"{name}{number}")) for number in range(count)]

    found = same_nodes(said("x"), said("y"))
    assert {node.value[0] for node in found} == {"x"}
    assert sorted(found.values(), key=str) == sorted((quad.object for quad in said("y")), key=str)
    # Chosen for one another, they lead to what hangs on them.
    deeper = [[*said(name), *(Quad(BlankNode(f"{name}{n}"), ex("of"), BlankNode(f"{name}{n}z")) for n in range(count))] for name in "xy"]  # fmt: skip
    names = same_nodes(*deeper)
    assert {renamed(quad, names) for quad in deeper[0]} == set(deeper[1])


def test_a_graph_without_a_name_is_found_by_what_it_states() -> None:
    here = [Quad(ex("m"), ex("p"), Literal(text), BlankNode(text)) for text in "ab"]
    there = [Quad(ex("m"), ex("p"), Literal(text), BlankNode(f"other{text}")) for text in "ba"]
    assert same_nodes(there, here) == {BlankNode(f"other{text}"): BlankNode(text) for text in "ab"}


def test_a_place_with_two_new_nodes_tells_neither() -> None:
    here = [Quad(ex("m"), ex("p"), BlankNode(text)) for text in "ab"]
    there = [Quad(ex("m"), ex("p"), BlankNode("x")), Quad(BlankNode("x"), ex("q"), Literal("1"))]
    assert same_nodes(there, here) == {}
    assert same_nodes(there, []) == same_nodes([], here) == {}


@examples(200)
@given(*[st.frozensets(st.builds(Quad, *[st.sampled_from([ex(a) for a in "ab"])] * 2, st.sampled_from([ex(v) for v in "wxyz"]))) for _ in range(3)], st.sampled_from(Choice))  # fmt: skip
def test_both_sides_say_the_same_afterwards(
    base: frozenset[Quad], mine: frozenset[Quad], theirs: frozenset[Quad], choice: Choice
) -> None:
    merge = merged(Changes.between(base, mine), Changes.between(base, theirs), theirs)
    here, there = resolved(merge, dict.fromkeys(merge.conflicts, choice))
    result = (mine - here.removed) | here.added
    assert result == (theirs - there.removed) | there.added
    if choice is Choice.BOTH:
        assert not (mine - base) - result, "what somebody added is there"
        assert not (theirs - base) - result
    disputed = {(conflict.subject, conflict.predicate) for conflict in merge.conflicts}
    for quad in (mine ^ base) - (theirs ^ base):
        if (quad.subject, quad.predicate) not in disputed:
            assert (quad in result) == (quad in mine), "what I alone changed is as I changed it"
    for quad in (theirs ^ base) - (mine ^ base):
        if (quad.subject, quad.predicate) not in disputed:
            assert (quad in result) == (quad in theirs), "what they alone changed is as they changed it"
