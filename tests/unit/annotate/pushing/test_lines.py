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
from hpc_explorer.rdf.formats import N_QUADS
from hpc_explorer.rdf.reading import read_bytes
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.rdf.writing import write_quads
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


@pytest.mark.parametrize(("text", "line"), [("5 .\n", 1), ("<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> 5 .\n", 2)])
def test_a_line_that_is_no_statement_is_said(text: str, line: int) -> None:
    with pytest.raises(NotInPlaces, match=f"line {line} "):
        Lines(text)
