"""N-Triples and N-Quads changed line by line; which blank node is which; two changes put together."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

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
from hpc_explorer.rdf.terms import BlankNode, Literal, Quad, renamed
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


def test_a_line_that_is_no_statement_is_said() -> None:
    with pytest.raises(NotInPlaces, match="line 2"):
        Lines("<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> 5 .\n")


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


def test_a_node_that_changed_is_found_by_its_place() -> None:
    here = [Quad(ex("m"), ex("took"), BlankNode("t")), Quad(BlankNode("t"), ex("value"), Literal("1"))]
    there = [Quad(ex("m"), ex("took"), BlankNode("x")), Quad(BlankNode("x"), ex("value"), Literal("2"))]
    assert same_nodes(there, here) == {BlankNode("x"): BlankNode("t")}


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
