"""RDF Patch: what is written is read back; what others write is read; what is none is refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import SourceSyntaxError
from hpc_explorer.rdf.syntax.rdf_patch import Transaction, patch_lines, read_patch
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad
from tests.helpers.graphs import ex

ID = "urn:uuid:0686c69d-8f89-4496-acb5-744f0157a8db"

TERMS = st.one_of(
    st.sampled_from([ex("a"), NamedNode("http://example.org/Ä b".replace(" ", "%20")), BlankNode("n1")]),
    st.text().map(Literal),
    st.sampled_from(["<_:n>", 'a "quoted" <_:x> text', "back\\slash", "two\nlines"]).map(Literal),
    st.builds(Literal, st.text(max_size=5), language=st.just("de")),
    st.builds(Literal, st.sampled_from(["01", "1"]), datatype=st.just(ex("number"))),
)
QUADS = st.builds(
    Quad,
    st.sampled_from([ex("a"), BlankNode("n1"), BlankNode("n2")]),
    st.just(ex("p")),
    TERMS,
    st.sampled_from([DefaultGraph(), ex("g"), BlankNode("g")]),
)
SOME = st.lists(QUADS, max_size=4, unique=True)


@given(
    st.lists(
        st.tuples(SOME, SOME, st.sampled_from(["", "edit 3 · Ada · Label"])).map(
            lambda parts: Transaction(
                tuple(parts[0]), tuple(quad for quad in parts[1] if quad not in parts[0]), parts[2]
            )
        ),
        max_size=4,
    )
)
def test_what_is_written_is_read_back(transactions: list[Transaction]) -> None:
    lines = list(patch_lines(transactions, identifier=ID, prefixes={"ex": "http://example.org/"}))
    text = "".join(f"{line}\n" for line in lines)
    assert list(read_patch(text.split("\n"), "patch")) == transactions
    assert lines[0] == f"H id <{ID}> ."


def test_what_others_write_is_read() -> None:
    patch = """H id <uuid:0686c69d-8f89-4496-acb5-744f0157a8db> .
    H prev <uuid:3ee0eca0-6d5f-4b4d-85db-f69ab1167eb1> .
    TX .
    PA "rdf" "http://www.w3.org/1999/02/22-rdf-syntax-ns#" .
    A <http://example.org/a> <http://example.org/p> <_:b0> .
    A _:b0 <http://example.org/p> "one <_:two>"@en <http://example.org/g> .
    TC .
    TX .
    D <http://example.org/a> <http://example.org/p> "gone" .
    TA .
    D <http://example.org/a> <http://example.org/p> "out" .
    A <http://example.org/a> <http://example.org/p> "out" .
    """
    first, rest = read_patch(patch.splitlines(), "patch")
    assert first == Transaction(
        (),
        (
            Quad(ex("a"), ex("p"), BlankNode("b0")),
            Quad(BlankNode("b0"), ex("p"), Literal("one <_:two>", language="en"), ex("g")),
        ),
    )
    assert rest == Transaction((), (Quad(ex("a"), ex("p"), Literal("out")),)), "the later row holds"


@pytest.mark.parametrize(
    ("patch", "where", "what"),
    [
        ("A <urn:s> <urn:p> <urn:o>", "f:1", "dot"),
        ("TX .\nTX .", "f:2", "within another"),
        ("TC .", "f:1", "no transaction"),
        ("TX .\nA <urn:s> <urn:p> <urn:o> .", "f:2", "cut off"),
        ("A <urn:s> <urn:p> .", "f:1", "not a statement"),
        ("A ex:s ex:p ex:o .", "f:1", "not a statement"),
        ("Q <urn:s> .", "f:1", "'Q'"),
        ("# nothing\nA .", "f:2", "not a statement"),
    ],
)
def test_what_is_no_patch_is_refused_with_its_line(patch: str, where: str, what: str) -> None:
    with pytest.raises(SourceSyntaxError, match=what) as raised:
        list(read_patch(patch.splitlines(), "f"))
    assert raised.value.where == where
