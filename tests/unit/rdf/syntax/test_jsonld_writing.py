"""JSON-LD out: the form of the paper's listings, and the same dataset when it is read back."""

from __future__ import annotations

import itertools
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import InputError, OutputNotWritable, RemoteContextRefused, SourceSyntaxError
from hpc_explorer.rdf.namespaces import HPC, QUDT, RDF, UNIT, WELL_KNOWN, XSD, PrefixMap
from hpc_explorer.rdf.syntax.jsonld_forms import Arrangement, Form, arranged, read_frame
from hpc_explorer.rdf.syntax.jsonld_writing import jsonld_document, to_jsonld
from hpc_explorer.rdf.syntax.reading import read_bytes
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Triple
from tests.helpers import datasets
from tests.helpers.datasets import EX, same
from tests.helpers.speed import slowness

FUGAKU = NamedNode("https://www.top500.org/system/179807")
MODEL = NamedNode(f"{EX}AIModel/MO000001")


def reread(text: str) -> list[Quad]:
    return list(read_bytes(text.encode(), name="out.jsonld", base="http://base.example/").quads())


def number(text: str, kind: NamedNode = XSD.integer) -> Literal:
    return Literal(text, datatype=kind)


def test_form_of_listing_2() -> None:
    rmax = BlankNode("B17f29")
    document = jsonld_document(
        [
            Quad(FUGAKU, RDF.type, HPC.Cluster),
            Quad(FUGAKU, HPC.term("name"), Literal("Supercomputer Fugaku")),
            Quad(FUGAKU, HPC.top500Rank, number("1")),
            Quad(FUGAKU, HPC.totalClusterCPUCoreCount, number("7630848")),
            Quad(FUGAKU, HPC.hasRmax, rmax),
            Quad(rmax, RDF.type, QUDT.QuantityValue),
            Quad(rmax, QUDT.unit, UNIT.TeraFLOPS),
            Quad(rmax, QUDT.value, number("442010.00", XSD.decimal)),
        ]
    )
    assert document == {
        "@context": {
            prefix: str(WELL_KNOWN[prefix]) for prefix in ("hpc", "qudt", "xsd")
        },
        "@id": FUGAKU.value,
        "@type": "hpc:Cluster",
        "hpc:name": "Supercomputer Fugaku",
        "hpc:hasRmax": {
            "@type": "qudt:QuantityValue",
            "qudt:unit": {"@id": "http://qudt.org/vocab/unit/TeraFLOPS"},
            "qudt:value": {"@type": "xsd:decimal", "@value": "442010.00"},
        },
        "hpc:top500Rank": 1,
        "hpc:totalClusterCPUCoreCount": 7630848,
    }  # fmt: skip
    assert list(document) == [
        "@context", "@id", "@type", "hpc:name", "hpc:hasRmax", "hpc:top500Rank", "hpc:totalClusterCPUCoreCount",
    ]  # fmt: skip


def test_form_of_listing_4_has_native_booleans_and_sorted_references() -> None:
    sources = [NamedNode(f"{EX}dataset/DA00000{index}") for index in (3, 1, 2)]
    document = jsonld_document(
        [
            Quad(MODEL, HPC.isTunable, number("false", XSD.boolean)),
            *(Quad(MODEL, HPC.wasDerivedFromDataset, source) for source in sources),
            Quad(MODEL, HPC.subject, Literal("Supervised ")),
        ]
    )
    assert document["hpc:isTunable"] is False
    assert document["hpc:subject"] == "Supervised "
    assert document["hpc:wasDerivedFromDataset"] == [{"@id": f"{EX}dataset/DA00000{index}"} for index in (1, 2, 3)]


@pytest.mark.parametrize(
    ("literal", "written"),
    [
        (Literal("x"), "x"),
        (number("48"), 48),
        (number("01"), {"@type": "xsd:integer", "@value": "01"}),
        (number("-0"), {"@type": "xsd:integer", "@value": "-0"}),
        (number("9007199254740991"), 9007199254740991),
        (number("9007199254740993"), {"@type": "xsd:integer", "@value": "9007199254740993"}),
        (number("true", XSD.boolean), True),
        (number("1", XSD.boolean), {"@type": "xsd:boolean", "@value": "1"}),
        (number("2.5E0", XSD.double), 2.5),
        (number("2.5", XSD.double), {"@type": "xsd:double", "@value": "2.5"}),
        (number("1.0E0", XSD.double), {"@type": "xsd:double", "@value": "1.0E0"}),
        (number("NaN", XSD.double), {"@type": "xsd:double", "@value": "NaN"}),
        (number("3.0000000000000004E-1", XSD.double), {"@type": "xsd:double", "@value": "3.0000000000000004E-1"}),
        (number("192.0", XSD.decimal), {"@type": "xsd:decimal", "@value": "192.0"}),
        (Literal("Haus", language="de"), {"@language": "de", "@value": "Haus"}),
    ],
)
def test_literals_are_native_only_where_that_is_exact(literal: Literal, written: Any) -> None:
    quad = Quad(MODEL, HPC.value, literal)
    assert jsonld_document([quad])["hpc:value"] == written
    assert reread(to_jsonld([quad])) == [quad]


def test_a_text_direction_is_kept() -> None:
    from pyoxigraph import BaseDirection

    quad = Quad(MODEL, HPC.value, Literal("x", language="ar", direction=BaseDirection.RTL))
    assert reread(to_jsonld([quad])) == [quad]


def test_lists_are_lists() -> None:
    one, two = BlankNode("one"), BlankNode("two")
    quads = [
        Quad(MODEL, HPC.inputShape, one),
        Quad(one, RDF.first, number("224")), Quad(one, RDF.rest, two),
        Quad(two, RDF.first, number("3")), Quad(two, RDF.rest, RDF.nil),
        Quad(MODEL, HPC.labels, RDF.nil),
    ]  # fmt: skip
    document = jsonld_document(quads)
    assert document["hpc:inputShape"] == {"@list": [224, 3]}
    assert document["hpc:labels"] == {"@list": []}
    assert same(reread(to_jsonld(quads)), quads)


def test_a_shared_blank_node_stands_by_itself() -> None:
    shared, a, b = BlankNode("shared"), NamedNode(f"{EX}a"), NamedNode(f"{EX}b")
    quads = [Quad(a, HPC.has, shared), Quad(b, HPC.has, shared), Quad(shared, HPC.term("name"), Literal("x"))]
    nodes = jsonld_document(quads)["@graph"]
    assert [node["@id"] for node in nodes] == [a.value, b.value, "_:shared"]
    assert same(reread(to_jsonld(quads)), quads)


def test_circles_of_blank_nodes_are_written_and_read_back() -> None:
    nodes = [BlankNode(f"c{index}") for index in range(4)]
    circle = [Quad(node, HPC.next, nodes[(index + 1) % 4]) for index, node in enumerate(nodes)]
    alone = [Quad(BlankNode("self"), HPC.next, BlankNode("self"))]
    for quads in (circle, alone, circle + alone):
        assert same(reread(to_jsonld(quads)), quads)


def test_a_blank_node_in_two_graphs_keeps_its_label() -> None:
    node, graph = BlankNode("n"), NamedNode(f"{EX}g")
    quads = [Quad(MODEL, HPC.has, node), Quad(node, HPC.term("name"), Literal("x"), graph)]
    assert same(reread(to_jsonld(quads)), quads)


def test_named_graphs_are_written_beside_the_default_one() -> None:
    graph = NamedNode(f"{EX}run/1")
    quads = [Quad(MODEL, HPC.term("name"), Literal("x")), Quad(MODEL, HPC.version, Literal("1"), graph)]
    document = jsonld_document(quads)
    assert document["@graph"][1] == {"@id": graph.value, "@graph": [{"@id": MODEL.value, "hpc:version": "1"}]}
    assert set(reread(to_jsonld(quads))) == set(quads)


def test_a_type_that_is_no_resource_is_a_property() -> None:
    quads = [Quad(MODEL, RDF.type, Literal("model")), Quad(MODEL, RDF.type, HPC.AIModel)]
    assert set(reread(to_jsonld(quads))) == set(quads)


def test_no_prefix_is_used_that_an_iri_could_be_taken_for() -> None:
    quads = [Quad(NamedNode("hpc:name"), HPC.term("name"), NamedNode("urn:x"))]
    document = jsonld_document(quads, {**WELL_KNOWN, "urn": "http://example.org/urn#"})
    assert document["@context"] == {}
    assert reread(to_jsonld(quads)) == quads


def test_only_the_prefixes_in_use_are_declared() -> None:
    document = jsonld_document(
        [Quad(MODEL, RDF.type, NamedNode(f"{EX}AIModel/Tree"))], PrefixMap({"ex": f"{EX}AIModel/"})
    )
    assert document == {"@context": {"ex": f"{EX}AIModel/"}, "@id": MODEL.value, "@type": "ex:Tree"}


def test_nothing_is_a_document_that_is_read_as_nothing() -> None:
    assert reread(to_jsonld([])) == []


def test_long_chains_of_blank_nodes_do_not_nest_without_end() -> None:
    nodes = [BlankNode(f"n{index}") for index in range(3000)]
    quads = [Quad(MODEL, HPC.next, nodes[0])]
    quads += [Quad(one, HPC.next, other) for one, other in itertools.pairwise(nodes)]
    text = to_jsonld(quads)
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) < 200
    assert len(reread(text)) == len(quads)


def test_quoted_triples_are_refused_by_name() -> None:
    quoted = Triple(MODEL, HPC.term("name"), Literal("x"))
    with pytest.raises(OutputNotWritable, match="quoted triples"):
        to_jsonld([Quad(MODEL, HPC.says, quoted)])


@given(datasets.quads(graphs=datasets.GRAPHS))
def test_reading_back_gives_the_same_dataset(quads: list[Quad]) -> None:
    assert same(reread(to_jsonld(quads)), quads)


@given(
    datasets.quads(
        predicates=st.one_of(datasets.PREDICATES, datasets.ODD_PREDICATES),
        subjects=st.one_of(datasets.IRIS, datasets.BLANKS),
    ),
    st.dictionaries(
        st.sampled_from(["ex", "urn", "hpc", "", "a.b", "_", "p-1", "doi", "é"]),
        st.sampled_from([EX, "urn:", f"{EX}a/", str(HPC), "http://example.org/ns#", "http://example.org/a"]),
    ),
)
def test_whatever_the_prefixes(quads: list[Quad], prefixes: dict[str, str]) -> None:
    assert same(reread(to_jsonld(quads, prefixes)), quads)


@given(datasets.lists(), datasets.quads())
def test_lists_of_all_sorts_come_back(quads: list[Quad], more: list[Quad]) -> None:
    assert same(reread(to_jsonld(quads + more)), quads + more)


@given(
    datasets.quads(
        graphs=datasets.GRAPHS, literals=datasets.LITERALS.filter(lambda literal: literal.datatype != XSD.double)
    )
)
def test_pyld_reads_the_same_quads(quads: list[Quad]) -> None:
    """A second reader, which is not the engine. It respells doubles, even those that are given as text."""
    from pyld import jsonld

    text = jsonld.to_rdf(json.loads(to_jsonld(quads)), {"format": "application/n-quads"})
    other = read_bytes(text.encode() or b"# nothing\n", name="x.nq", base="http://base.example/").quads()
    assert same(other, quads)


@pytest.mark.slow
def test_a_hundred_thousand_triples_take_seconds() -> None:
    quads = []
    for index in range(20_000):
        node, quantity = NamedNode(f"{EX}row/{index}"), BlankNode(f"q{index}")
        quads += [
            Quad(node, RDF.type, HPC.TableRow), Quad(node, HPC.cycle, number(str(index))),
            Quad(node, HPC.executionTime, quantity),
            Quad(quantity, QUDT.value, number("1.5", XSD.decimal)), Quad(quantity, QUDT.unit, UNIT.SEC),
        ]  # fmt: skip
    started = time.thread_time()
    text = to_jsonld(quads)
    assert time.thread_time() - started < 10 * slowness()
    assert len(reread(text)) == len(quads)


# --- frames


PAIR = [
    Quad(MODEL, RDF.type, HPC.AIModel), Quad(MODEL, HPC.project, NamedNode(f"{EX}project/PR1")),
    Quad(NamedNode(f"{EX}project/PR1"), RDF.type, HPC.Project),
    Quad(NamedNode(f"{EX}project/PR1"), HPC.term("name"), Literal("Xplacer")),
    Quad(MODEL, HPC.totalMemory, number("7630848")),
]  # fmt: skip


def framed(frame: dict[str, object]) -> Any:
    return arranged(jsonld_document(PAIR), Arrangement(Form.FRAMED, frame))


def test_a_frame_arranges() -> None:
    frame = {"@context": {"hpc": str(HPC)}, "@type": "hpc:AIModel", "hpc:project": {"@embed": "@always"}}
    document = framed(frame)
    assert document["@id"] == MODEL.value
    assert document["hpc:project"] == {"@id": f"{EX}project/PR1", "@type": "hpc:Project", "hpc:name": "Xplacer"}
    assert set(reread(to_jsonld(PAIR, arrangement=Arrangement(Form.FRAMED, frame)))) == set(PAIR)


def test_a_frame_may_name_a_known_context() -> None:
    frame = {"@context": "https://hpc-fair.github.io/ontology/context.jsonld", "@type": "hpc:Project"}
    assert framed(frame)["hpc:name"] == "Xplacer"


def test_a_frame_with_an_unknown_context_is_refused_by_name() -> None:
    with pytest.raises(RemoteContextRefused, match=r"example\.com/ctx"):
        framed({"@context": "https://example.com/ctx", "@type": "hpc:Project"})


def test_a_frame_that_is_none_is_a_named_error() -> None:
    with pytest.raises(InputError, match="frame is not valid"):
        framed({"@context": {"x": 5}})


def test_a_frame_file_with_a_fault_says_where(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "frame.json"
    path.write_text('{\n "@type": }')
    with pytest.raises(SourceSyntaxError) as caught:
        read_frame(path)
    assert caught.value.where == f"{path}:2:11"
    path.write_text("[]")
    with pytest.raises(SourceSyntaxError, match="JSON object"):
        read_frame(path)
