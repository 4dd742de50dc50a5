"""What a document is, told by its content; its name decides only between syntaxes that the content fits."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import ExplorerError, InputError, SourceUnreadable, UnknownFormat, UnsupportedSyntax
from hpc_explorer.rdf.syntax.formats import (
    FORMATS,
    JSON_LD,
    N3,
    N_QUADS,
    N_TRIPLES,
    RDF_XML,
    TRIG,
    TURTLE,
    Format,
    format_of_media_type,
    format_of_name,
)
from hpc_explorer.rdf.syntax.sniffing import HEAD_BYTES, encoding_of, sniff

XMLNS_RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'

DOCUMENTS: list[tuple[str, Format]] = [
    ("<http://a.b> <http://a.b> <http://a.b> .\n", N_TRIPLES),
    ('# a comment\n_:x <http://a.b> "x"@en .\n', N_TRIPLES),
    ("<urn:hpc> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:x> .\n", N_TRIPLES),
    ('<http://a.b> <http://a.b> "1"^^<http://a.b> <http://g.h> .\n', N_QUADS),
    ('<http://a.b> <http://a.b> "{ <not a graph> ; }" .\n<http://a.b> <http://a.b> "x" _:g .\n', N_QUADS),
    ("<a> <b> <c> .", TURTLE),
    ("@prefix x: <http://x.y/> .\nx:a\\/b\\#c x:b x:c .\nx:d x:b x:c .", TURTLE),
    ("@prefix x: <http://x.y/> .\nx:a x:b 1 .", TURTLE),
    ("@base <http://x.y/> .", TURTLE),
    ("PREFIX x: <http://x.y/>\nx:a x:b 1.5 , 2 .", TURTLE),
    ("[] <http://a.b> 1 .", TURTLE),
    ("[ <http://a.b> 1 ] .", TURTLE),
    ("(1 2) <http://a.b> 1 .", TURTLE),
    ('<http://a.b> <http://a.b> """one\ntwo "three" {""" .', TURTLE),
    ("<http://g.h> { <http://a.b> <http://a.b> 1 }", TRIG),
    ("@prefix x: <http://x.y/> . GRAPH x:g { x:a x:b x:c }", TRIG),
    ("{ <http://a.b> <http://a.b> 1 . }", TRIG),
    ("@prefix : <http://x.y/#> . :a :says { :c :d :e } .", N3),
    ("@prefix : <http://x.y/#> . { ?a :b ?c } => { ?c :b ?a } .", N3),
    ('{"@id": "http://a.b"}', JSON_LD),
    ('  [\n {"@id": "http://a.b"}]', JSON_LD),
    ("{}", JSON_LD),
    ("[]", JSON_LD),
    (f'<?xml version="1.0"?>\n<rdf:RDF {XMLNS_RDF}/>', RDF_XML),
    (f"<rdf:RDF {XMLNS_RDF}/>", RDF_XML),
    (f'<!-- made by hand --><!DOCTYPE rdf:RDF [<!ENTITY x "http://x.y/">]>\n<rdf:RDF {XMLNS_RDF}/>', RDF_XML),
    (f'<foaf:Person xmlns:foaf="http://f.g/" {XMLNS_RDF} rdf:about="http://a.b"/>', RDF_XML),
]


@pytest.mark.parametrize(("text", "format"), DOCUMENTS)
def test_content_tells_the_format(text: str, format: Format) -> None:
    assert sniff(text.encode(), "x") == format


@pytest.mark.parametrize(("text", "format"), DOCUMENTS)
def test_every_lying_name_is_seen_through(text: str, format: Format) -> None:
    """Under any name a document is read in a syntax that it is a document of."""
    supersets = {
        N_TRIPLES: {N_TRIPLES, TURTLE, TRIG, N3, N_QUADS}, TURTLE: {TURTLE, TRIG, N3}, TRIG: {TRIG, N3}, N3: {N3, TRIG},
    }  # fmt: skip
    for promised in FORMATS:
        assert sniff(text.encode(), "x", promised) in supersets.get(format, {format})


@pytest.mark.parametrize(("text", "format"), DOCUMENTS)
def test_a_byte_order_mark_changes_nothing(text: str, format: Format) -> None:
    assert sniff(text.encode("utf-8-sig"), "x") == format
    assert sniff(text.encode("utf-16"), "x") == format


def test_a_name_is_believed_where_the_content_is_no_help() -> None:
    assert sniff(b"# nothing but a comment\n", "x", N_QUADS) == N_QUADS
    assert sniff(b"ex:a ex:b ex:c .\n", "x", TURTLE) == TURTLE


def test_a_head_that_is_cut_inside_a_line_still_tells() -> None:
    lines = b"".join(b"<http://a.b> <http://a.b> <http://a.b/%d> .\n" % number for number in range(5000))
    for cut in range(HEAD_BYTES, HEAD_BYTES + 50):
        head = (b"#" * (cut - HEAD_BYTES) + b"\n" + lines)[:HEAD_BYTES]
        assert sniff(head, "x", N_TRIPLES) == N_TRIPLES


@pytest.mark.parametrize(
    ("data", "error", "what"),
    [
        (b"\x00\x01\x02\x03" * 20, UnknownFormat, "binary"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", UnknownFormat, "PNG"),
        (b"PK\x03\x04\x14\x00", UnknownFormat, "ZIP"),
        (b"$HDT\x01", UnknownFormat, "HDT"),
        (b"<!DOCTYPE html>\n<html><body>", UnknownFormat, "web page"),
        (b"<html lang='en'>", UnknownFormat, "web page"),
        (b"a,b,c\n1,2,3\n4,5,6\n", UnknownFormat, "table"),
        (b"a\tb\n1\t2\n3\t4\n", UnknownFormat, "table"),
        (b"Dear reader,\n\nthis is prose.\n", UnknownFormat, "not a known RDF syntax"),
        (b"[section]\nkey = value\n", UnknownFormat, "not a known RDF syntax"),
        (b"[2023-02-21T11:44:43] started\n", UnknownFormat, "not a known RDF syntax"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', UnknownFormat, "root element is <svg>"),
        ('<http://a.b> <http://a.b> "é" .'.encode("utf-16-le"), SourceUnreadable, "UTF-16 without"),
        ('<http://a.b> <http://a.b> "é" .'.encode("utf-16-be"), SourceUnreadable, "UTF-16 without"),
        (b"Prefix(owl:=<http://x.y#>)\nOntology(<http://a.b>)", UnsupportedSyntax, "functional"),
        (b"# by hand\nOntology(<http://a.b>\n)", UnsupportedSyntax, "functional"),
        (b"Prefix: owl: <http://x.y#>\nOntology: <http://a.b>\n", UnsupportedSyntax, "Manchester"),
        (b'<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>', UnsupportedSyntax, "OWL/XML"),
        (b'<prov:document xmlns:prov="http://www.w3.org/ns/prov#"/>', UnsupportedSyntax, "PROV-XML"),
        (b"document\n  prefix ex <http://x.y/>\nendDocument", UnsupportedSyntax, "PROV-N"),
        (b"format-version: 1.2\n", UnsupportedSyntax, "OBO"),
        (b"PREFIX x: <http://x.y/>\n# ask\nSELECT ?s WHERE { ?s ?p ?o }", UnsupportedSyntax, "SPARQL"),
        (b"CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", UnsupportedSyntax, "SPARQL"),
    ],
)
@pytest.mark.parametrize("promised", [None, RDF_XML])
def test_what_is_no_rdf_is_named(data: bytes, error: type[ExplorerError], what: str, promised: Format | None) -> None:
    with pytest.raises(error, match=what) as caught:
        sniff(data, "some.owl", promised)
    assert caught.value.where == "some.owl"
    assert caught.value.remedy


@given(st.binary(max_size=400), st.sampled_from([None, *FORMATS]))
def test_any_bytes_have_a_format_or_a_named_error(data: bytes, promised: Format | None) -> None:
    with contextlib.suppress(InputError):
        assert sniff(data, "x", promised) in FORMATS


@given(st.text(max_size=300), st.sampled_from([None, *FORMATS]))
def test_any_text_has_a_format_or_a_named_error(text: str, promised: Format | None) -> None:
    with contextlib.suppress(InputError):
        assert sniff(text.encode("utf-8", "replace"), "x", promised) in FORMATS


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        (b"x", "utf-8"),
        ("x".encode("utf-8-sig"), "utf-8-sig"),
        ("x".encode("utf-16"), "utf-16"),
        (b"\xfe\xff\x00x", "utf-16"),
        ("x".encode("utf-32"), "utf-32"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?>', "iso8859-1"),
        (b"<?xml version='1.0' encoding='utf-8'?>", "utf-8"),
        (b'<?xml version="1.0" encoding="no-such"?>', "utf-8"),
    ],
)
def test_encodings(head: bytes, codec: str) -> None:
    assert encoding_of(head) == codec


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.ttl", TURTLE), ("a.TTL", TURTLE), ("a.ttl.gz", TURTLE), ("dir.ttl/a.nt", N_TRIPLES), ("a.b.nq", N_QUADS),
        ("a.owl", RDF_XML), ("a.json", JSON_LD), ("a.jsonld.GZ", JSON_LD), ("a.n3", N3), ("a.trig", TRIG),
        ("a", None), ("a.gz", None), ("a.txt", None), (".ttl", None),
    ],
)  # fmt: skip
def test_names(name: str, format: Format | None) -> None:
    assert format_of_name(name) == format


def test_media_types() -> None:
    assert format_of_media_type("text/turtle; charset=utf-8") == TURTLE
    assert format_of_media_type("APPLICATION/LD+JSON") == JSON_LD
    assert format_of_media_type("text/html") is None


def test_no_two_formats_share_a_name() -> None:
    for attribute in ("extensions", "media_types"):
        names = [name for format in FORMATS for name in getattr(format, attribute)]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("data", [b"", b" \n\t\n"])
def test_an_empty_file_is_an_empty_graph(data: bytes) -> None:
    assert sniff(data, "x") == TURTLE
    assert sniff(data, "x", TRIG) == TRIG
    assert sniff(data, "x", RDF_XML) == TURTLE, "as XML it would be an error"
