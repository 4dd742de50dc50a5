"""What was written is compared with what was meant: equal whatever the labels of blank nodes, and told where it is not."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.syntax import writing
from hpc_explorer.rdf.syntax.formats import FORMATS, JSON_LD, N_QUADS, RDF_XML, TURTLE, Format
from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement, Form, frame_of
from hpc_explorer.rdf.syntax.read_back import Fingerprint, ReadBack
from hpc_explorer.rdf.syntax.writing import text_read_back, write_and_read_back
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad

P, Q = NamedNode("http://example.org/p"), NamedNode("http://example.org/q")
A = NamedNode("http://example.org/a")

nodes = st.sampled_from([BlankNode(letter) for letter in "abcde"])
resources = st.one_of(nodes, st.sampled_from([A, NamedNode("http://example.org/b")]))
values = st.one_of(resources, st.builds(Literal, st.sampled_from(["1", "2"])))
statements = st.lists(st.builds(Quad, resources, st.sampled_from([P, Q]), values), max_size=14, unique=True)


def compared(meant: list[Quad], read: list[Quad]) -> ReadBack:
    one, other = Fingerprint(by_label=False, itemised=True), Fingerprint(by_label=False, itemised=True)
    for quad in dict.fromkeys(meant):
        one.add(quad)
    for quad in dict.fromkeys(read):
        other.add(quad)
    return one.compared_with(other)


def renamed(quad: Quad, names: dict[str, str]) -> Quad:
    def new(term: object) -> object:
        return BlankNode(names[term.value]) if isinstance(term, BlankNode) else term

    return Quad(new(quad.subject), quad.predicate, new(quad.object))  # type: ignore[arg-type]


@given(statements, st.permutations("abcde"), st.randoms())
def test_other_labels_and_another_order_make_no_difference(quads: list[Quad], letters: list[str], random) -> None:  # type: ignore[no-untyped-def]
    names = dict(zip("abcde", letters, strict=True))
    others = [renamed(quad, names) for quad in quads]
    random.shuffle(others)
    found = compared(quads, others)
    assert found.is_same
    assert not found.loosely


@given(statements, statements)
def test_graphs_are_the_same_just_where_the_engine_finds_them_so(one: list[Quad], other: list[Quad]) -> None:
    from hpc_explorer.rdf.terms import CanonicalizationAlgorithm, Dataset

    datasets = [Dataset(quads) for quads in (one, other)]
    for dataset in datasets:
        dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    assert compared(one, other).is_same == (datasets[0] == datasets[1])


@given(statements)
def test_a_statement_that_is_missing_or_too_many_is_seen(quads: list[Quad]) -> None:
    more = [*quads, Quad(A, P, Literal("another"))]
    assert compared(more, quads).left_out == 1
    assert compared(quads, more).added == 1


def test_a_knot_of_nodes_that_look_alike_is_compared_at_once_and_says_so() -> None:
    """The canonical form of this graph takes the engine half a minute."""
    knot = [BlankNode() for _ in range(12)]
    quads = [Quad(one, P, other) for one in knot for other in knot if one != other]
    found = compared(quads, quads)
    assert found.is_same
    assert found.loosely == 132
    assert "132 at similar blank nodes" in found.sentence
    assert not compared(quads, quads[1:]).is_same


@pytest.mark.parametrize("format", FORMATS, ids=str)
@given(statements)
def test_every_format_reads_back_the_same(format: Format, quads: list[Quad]) -> None:
    _, found = text_read_back(quads, format)
    assert found.is_same
    assert found.statements == len(quads)


@pytest.mark.parametrize("form", [Form.COMPACTED, Form.EXPANDED, Form.FLATTENED])
@given(statements)
def test_every_form_of_json_ld_reads_back_the_same(form: Form, quads: list[Quad]) -> None:
    _, found = text_read_back(quads, JSON_LD, arrangement=Arrangement(form))
    assert found == ReadBack(len(quads))


def test_a_context_of_ones_own_shortens_and_reads_back_the_same() -> None:
    context = {"name": str(HPC) + "name", "size": {"@id": str(HPC) + "size", "@type": str(HPC) + "bytes"}}
    quads = [
        Quad(A, HPC.term("name"), Literal("m")),
        Quad(A, HPC.size, Literal("01", datatype=HPC.bytes)),
    ]
    text, found = text_read_back(quads, JSON_LD, arrangement=Arrangement(context=context))
    assert json.loads(text) == {"@context": context, "@id": A.value, "name": "m", "size": "01"}
    assert found == ReadBack(2)


def test_a_frame_may_leave_out_and_says_how_much() -> None:
    model, other = NamedNode("http://example.org/model"), NamedNode("http://example.org/other")
    quads = [
        Quad(model, RDF.type, HPC.AIModel),
        Quad(model, HPC.file, BlankNode("f")),
        Quad(BlankNode("f"), HPC.size, Literal("1")),
        Quad(other, RDF.type, HPC.Dataset),
    ]
    text, found = text_read_back(quads, JSON_LD, arrangement=Arrangement(Form.FRAMED, frame_of(classes=[HPC.AIModel])))
    assert json.loads(text)["hpc:file"] == {"hpc:size": "1"}
    assert found == ReadBack(3, left_out=1)
    assert found.sentence == "read back: 3 statements, 1 left out"


@pytest.mark.parametrize("name", ["x.nq", "x.jsonld", "x.ttl.gz"])
def test_what_does_not_read_back_the_same_leaves_the_file_as_it_was(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer with a fault: it loses every second statement."""
    path = tmp_path / name
    path.write_bytes(b"before")
    whole = writing._Writing.write

    def faulty(self: object, quads: object, output: BytesIO) -> None:
        kept = list(quads)[::2]  # type: ignore[call-overload]
        self._meant.add(Quad(A, P, Literal("lost")))  # type: ignore[attr-defined]
        whole(self, kept, output)  # type: ignore[arg-type]

    monkeypatch.setattr(writing._Writing, "write", faulty)
    with pytest.raises(OutputNotWritable, match="does not read back the same"):
        write_and_read_back([Quad(A, P, Literal("kept"))], path)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_stands_in_the_old_spelling_of_the_ontology_is_compared_as_it_stands(tmp_path: Path) -> None:
    quads = [Quad(A, NamedNode("https://example.org/HPC-Ontology#name"), Literal("m"))]
    assert write_and_read_back(quads, tmp_path / "x.ttl") == ReadBack(1)


@pytest.mark.slow
def test_a_literal_longer_than_the_engine_reads_at_once_is_read_back(tmp_path: Path) -> None:
    quads = [Quad(A, P, Literal("x" * 17_000_000)), Quad(A, Q, BlankNode("b"))]
    for name in ("x.nq", "x.jsonld"):
        assert write_and_read_back(quads, tmp_path / name) == ReadBack(2)


def test_named_graphs_are_compared_too() -> None:
    named = [Quad(A, P, BlankNode("b"), NamedNode("http://example.org/g")), Quad(A, P, BlankNode("b"), DefaultGraph())]
    assert text_read_back(named, N_QUADS)[1] == text_read_back(named, JSON_LD)[1] == ReadBack(2)
    assert text_read_back(named, TURTLE)[1] == text_read_back(named, RDF_XML)[1] == ReadBack(1, graphs=1, merged=1)
    assert text_read_back(named, TURTLE)[1].sentence == (
        "read back: the same 1 statement, without the name of a graph; 1 fewer, as several graphs state the same"
    )
    assert not compared(named[:1], [Quad(A, P, BlankNode("b"))]).is_same
