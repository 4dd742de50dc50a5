"""Every format out and back in: the same dataset, every literal as it was spelled."""

from __future__ import annotations

import gzip
import io
import os
import stat
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import OutputNotWritable, UnknownFormat
from hpc_explorer.rdf.namespaces import HPC, RDF, XSD
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import FORMATS, JSON_LD, N3, N_QUADS, N_TRIPLES, RDF_XML, TRIG, TURTLE, Format
from hpc_explorer.rdf.syntax.reading import read_bytes, read_source
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Triple
from tests.helpers import datasets
from tests.helpers.datasets import EX, same
from tests.helpers.examples import examples
from tests.helpers.graphs import text_of
from tests.helpers.speed import slowness

MODEL = NamedNode(f"{EX}AIModel/MO000001")
NAME = HPC.term("name")
QUAD = Quad(MODEL, NAME, Literal("decisionTree.onnx"))

PREFIXES = st.dictionaries(
    st.sampled_from(["ex", "urn", "hpc", "", "a.b", "_", "p-1", "doi", "é", "1x", "xml", "xmlns", "rdf", "ns1"]),
    st.sampled_from([EX, "urn:", "urn:p:", f"{EX}a/", str(HPC), f"{EX}ns#", f"{EX}a", str(RDF)]),
)


def reread(text: str, format: Format) -> list[Quad]:
    document = text or "# nothing\n"
    return list(read_bytes(document.encode(), name=f"x.{format.extension}", base="http://base.example/").quads())


@given(datasets.quads(graphs=datasets.GRAPHS), PREFIXES)
def test_dataset_formats_give_back_the_same_dataset(quads: list[Quad], prefixes: dict[str, str]) -> None:
    for format in (N_QUADS, TRIG):
        assert same(reread(text_of(quads, format, prefixes), format), quads), format


@given(datasets.quads(predicates=st.one_of(datasets.PREDICATES, datasets.ODD_PREDICATES)), PREFIXES)
def test_graph_formats_give_back_the_same_graph(quads: list[Quad], prefixes: dict[str, str]) -> None:
    for format in (TURTLE, N_TRIPLES, N3):
        assert same(reread(text_of(quads, format, prefixes), format), quads), format


@given(datasets.quads(literals=datasets.XML_LITERALS), PREFIXES)
def test_rdf_xml_gives_back_the_same_graph(quads: list[Quad], prefixes: dict[str, str]) -> None:
    assert same(reread(text_of(quads, RDF_XML, prefixes), RDF_XML), quads)


@given(datasets.quads(literals=datasets.XML_LITERALS), PREFIXES)
@examples(30)
def test_a_second_reader_understands_the_rdf_xml(quads: list[Quad], prefixes: dict[str, str]) -> None:
    """Expat finds it well-formed with all namespaces declared."""
    from xml.parsers.expat import ParserCreate

    ParserCreate(namespace_separator=" ").Parse(text_of(quads, RDF_XML, prefixes).encode(), True)


@given(datasets.quads(predicates=st.one_of(datasets.PREDICATES, datasets.ODD_PREDICATES)))
def test_rdf_xml_is_right_or_refused_by_name(quads: list[Quad]) -> None:
    try:
        text = text_of(quads, RDF_XML)
    except OutputNotWritable:
        return
    assert same(reread(text, RDF_XML), quads)


@pytest.mark.parametrize(
    ("quad", "what"),
    [
        (Quad(MODEL, NamedNode(EX), Literal("x")), "cannot write this predicate"),
        (Quad(MODEL, NamedNode(f"{EX}123"), Literal("x")), "cannot write this predicate"),
        (Quad(MODEL, RDF.term("li"), Literal("x")), "reserves the name"),
        (Quad(MODEL, NAME, Literal("a\x01b")), "no character U\\+0001"),
        (Quad(MODEL, NAME, Triple(MODEL, NAME, Literal("x"))), "no quoted triples"),
    ],
)
def test_what_xml_cannot_hold_is_refused_by_name(quad: Quad, what: str) -> None:
    with pytest.raises(OutputNotWritable, match=what):
        text_of([quad], RDF_XML)


def test_carriage_returns_survive_xml() -> None:
    quad = Quad(MODEL, NAME, Literal("one\r\ntwo\rthree\n\tfour]]>"))
    assert reread(text_of([quad], RDF_XML), RDF_XML) == [quad]


def test_turtle_is_readable() -> None:
    node = NamedNode(f"{EX}b")
    quads = [QUAD, Quad(node, NAME, Literal("x")), Quad(MODEL, RDF.type, HPC.AIModel)]
    text = text_of(quads, TURTLE, {"ex": EX, "hpc": str(HPC), "unused": "http://unused.example/"})
    assert "@prefix hpc:" in text
    assert "unused" not in text
    model, other = text.index("MO000001"), text.index("ex:b ")
    assert model < text.index("a hpc:AIModel") < text.index("decisionTree.onnx") < other


def test_literals_are_written_as_they_are_spelled() -> None:
    spelled = [
        Literal("01", datatype=XSD.integer),
        Literal("1.0E0", datatype=XSD.double),
        Literal("NaN", datatype=XSD.double),
    ]
    quads = [Quad(MODEL, NAME, literal) for literal in spelled]
    for format in FORMATS:
        assert {quad.object for quad in reread(text_of(quads, format), format)} == set(spelled), format


def test_formats_without_graphs_get_each_triple_once() -> None:
    quads = [QUAD, Quad(MODEL, NAME, QUAD.object, NamedNode(f"{EX}g"))]
    buffer = io.BytesIO()
    assert write_quads(quads, buffer, N_TRIPLES) == 1
    assert buffer.getvalue().count(b"\n") == 1
    assert write_quads(quads, io.BytesIO(), N_QUADS) == 2


@pytest.mark.parametrize("format", FORMATS, ids=str)
@pytest.mark.parametrize("packed", ["", ".gz"])
def test_files_of_every_name(tmp_path: Path, format: Format, packed: str) -> None:
    path = tmp_path / f"out.{format.extension}{packed}"
    assert write_quads([QUAD], path) == 1
    assert path.read_bytes().startswith(b"\x1f\x8b") == bool(packed)
    content = read_source(path)
    assert content.format == format
    assert list(content.quads()) == [QUAD]


def test_equal_graphs_give_equal_packed_files(tmp_path: Path) -> None:
    one, two = tmp_path / "one.nt.gz", tmp_path / "two.nt.gz"
    write_quads([QUAD], one)
    write_quads([QUAD], two)
    assert one.read_bytes() == two.read_bytes()
    assert gzip.decompress(one.read_bytes()) == f"{QUAD.triple} .\n".encode()


def test_a_name_that_promises_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match="no known extension"):
        write_quads([QUAD], tmp_path / "out.txt")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_hundred_thousand_triples_take_seconds() -> None:
    quads = [
        Quad(
            NamedNode(f"{EX}row/{number // 5}"), HPC.term(f"p{number % 5}"), Literal(str(number), datatype=XSD.integer)
        )
        for number in range(100_000)
    ]
    for format in (TURTLE, RDF_XML, N_QUADS, JSON_LD):
        started = time.thread_time()
        text_of(quads, format)
        assert time.thread_time() - started < 10 * slowness(), format


# --- files written whole or not at all


def test_a_failure_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "out.nt"
    path.write_text("before")

    def failing():  # type: ignore[no-untyped-def]
        yield QUAD
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError, match="the source broke"):
        write_quads(failing(), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_kept_and_links_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "target.nt", tmp_path / "link.nt"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    write_quads([QUAD], link)
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert target.read_text() == f"{QUAD.triple} .\n"


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    path, usual = tmp_path / "new.nt", tmp_path / "usual"
    write_quads([QUAD], path)
    usual.write_text("")
    assert path.stat().st_mode == usual.stat().st_mode


def test_a_missing_folder_is_a_named_error(tmp_path: Path) -> None:
    path = tmp_path / "no" / "out.ttl"
    with pytest.raises(OutputNotWritable, match="no such folder") as caught:
        write_quads([QUAD], path)
    assert caught.value.where == str(path)


def test_a_folder_in_its_place_is_a_named_error(tmp_path: Path) -> None:
    path = tmp_path / "out.ttl"
    path.mkdir()
    with pytest.raises(OutputNotWritable, match="that is a folder"):
        write_quads([QUAD], path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_a_named_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OutputNotWritable, match="may not be written"):
            write_quads([QUAD], tmp_path / "out.ttl")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_a_named_error() -> None:
    with pytest.raises(OutputNotWritable, match="the disk is full"):
        write_quads([QUAD], Path("/dev/full"), N_TRIPLES)


@given(st.binary(max_size=200))
@examples(20)
def test_atomic_output_writes_what_it_is_given(tmp_path: Path, data: bytes) -> None:
    with atomic_output(tmp_path / "x") as stream:
        stream.write(data)
    assert (tmp_path / "x").read_bytes() == data


def test_blank_nodes_of_odd_names_are_written_as_xml_allows() -> None:
    quads = [Quad(BlankNode("1a"), NAME, BlankNode("b.c"))]
    assert same(reread(text_of(quads, RDF_XML), RDF_XML), quads)
