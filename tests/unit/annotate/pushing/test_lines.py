"""N-Triples and N-Quads changed line by line."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.pushing.files import same_statements
from hpc_explorer.annotate.pushing.lines import Lines
from hpc_explorer.annotate.pushing.located import NotInPlaces
from hpc_explorer.rdf.syntax.formats import N_QUADS
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import NamedNode, Quad
from tests.helpers.datasets import GRAPHS, quads
from tests.helpers.examples import examples


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


def line(subject: str, predicate: str, value: str) -> str:
    return f"<urn:{subject}> <urn:{predicate}> <urn:{value}> ."


TEXT = ["# first", line("a", "p", "1") + " # one", "", line("b", "p", "2"), line("a", "q", "3"), line("b", "p", "2"), line("c", "p", "4")]  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("is_closed", [True, False])
@pytest.mark.parametrize(
    ("removed", "added", "lines"),
    [
        ([], [], TEXT),
        # A value takes the line of one of the same property, before the comment there.
        (["a p 1"], ["a p 5"], [TEXT[0], line("a", "p", "5") + " # one", *TEXT[2:]]),
        (["b p 2"], ["b p 5"], [*TEXT[:3], line("b", "p", "5"), TEXT[4], TEXT[6]]),
        (["c p 4"], ["c p 5", "c p 6"], [*TEXT[:6], line("c", "p", "5"), line("c", "p", "6")]),
        # Others go behind what is said of their subject, or to the end.
        ([], ["a r 6", "a q 7"], [*TEXT[:5], line("a", "r", "6"), line("a", "q", "7"), *TEXT[5:]]),
        ([], ["d p 7"], [*TEXT, line("d", "p", "7")]),
        ([], ["c q 8", "d p 7", "c q 8"], [*TEXT, line("c", "q", "8"), line("d", "p", "7")]),
        (["a q 3"], ["a r 9"], [*TEXT[:4], line("a", "r", "9"), *TEXT[5:]]),
        # A line goes as a whole, but for its comment.
        (["a p 1"], [], [TEXT[0], " # one", *TEXT[2:]]),
        (["b p 2", "a q 3"], [], [*TEXT[:3], TEXT[6]]),
        (["c p 4"], [], TEXT[:6]),
        (["x p 1"], [], TEXT),
    ],
)
def test_each_line_is_in_its_place(
    removed: list[str], added: list[str], lines: list[str], is_closed: bool, end: str
) -> None:
    def quads_of(texts: list[str]) -> list[Quad]:
        return [Quad(*(NamedNode(f"urn:{name}") for name in text.split())) for text in texts]

    places = Lines(end.join(TEXT) + end * is_closed)
    assert places.changed(quads_of(removed), quads_of(added)) == end.join(lines) + end * is_closed


@pytest.mark.parametrize(("text", "line"), [("5 .\n", 1), ("<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> 5 .\n", 2)])
def test_a_line_that_is_no_statement_is_said(text: str, line: int) -> None:
    with pytest.raises(NotInPlaces, match=f"line {line} "):
        Lines(text)
