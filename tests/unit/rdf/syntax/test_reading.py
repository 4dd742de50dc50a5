"""Reading sources: whatever their name, packing and encoding; and a named error for everything else."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat

from hpc_explorer.errors import (
    ExplorerError,
    InputError,
    SourceNotFound,
    SourceSyntaxError,
    SourceUnreadable,
    UnknownFormat,
    UnsupportedSyntax,
)
from hpc_explorer.rdf.aliases import CANONICAL, undo_aliases
from hpc_explorer.rdf.namespaces import HPC, RDF, XSD
from hpc_explorer.rdf.syntax.formats import FORMATS, JSON_LD, N3, N_QUADS, N_TRIPLES, RDF_XML, TRIG, TURTLE, Format
from hpc_explorer.rdf.syntax.reading import SourceContent, read_bytes, read_source
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from tests.helpers.datasets import same
from tests.helpers.examples import examples

EX = "http://example.org/"
A, P = NamedNode(f"{EX}a"), NamedNode(f"{EX}p")
QUAD = Quad(A, P, Literal("caf\u00e9", language="fr"))

RDF_XML_TEXT = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://example.org/">'
    '<rdf:Description rdf:about="http://example.org/a"><ex:p xml:lang="fr">caf\u00e9</ex:p></rdf:Description></rdf:RDF>'
)
TEXTS: dict[Format, str] = {
    TURTLE: '@prefix ex: <http://example.org/> .\nex:a ex:p "caf\u00e9"@fr .\n',
    N_TRIPLES: '<http://example.org/a> <http://example.org/p> "caf\u00e9"@fr .\n',
    N_QUADS: '<http://example.org/a> <http://example.org/p> "caf\u00e9"@fr .\n',
    TRIG: '@prefix ex: <http://example.org/> .\n{ ex:a ex:p "caf\u00e9"@fr }\n',
    N3: '@prefix ex: <http://example.org/> .\nex:a ex:p "caf\u00e9"@fr .\n',
    RDF_XML: RDF_XML_TEXT,
    JSON_LD: '{"@id": "http://example.org/a", "http://example.org/p": {"@value": "caf\u00e9", "@language": "fr"}}',
}


def text_content(text: str, name: str = "x.ttl") -> SourceContent:
    return read_bytes(text.encode(), name=name, base="http://base.example/dir/doc")


@pytest.mark.parametrize("format", FORMATS, ids=str)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_all_formats_in_all_encodings(tmp_path: Path, format: Format, packed: bool, encoding: str) -> None:
    path = tmp_path / f"doc.{format.extension}"
    data = TEXTS[format].encode(encoding)
    path.write_bytes(gzip.compress(data) if packed else data)
    content = read_source(path)
    assert content.format == format
    assert list(content.quads()) == [QUAD]
    assert list(content.quads()) == [QUAD]


@pytest.mark.parametrize("format", FORMATS, ids=str)
@pytest.mark.parametrize("name", ["doc", "doc.txt", "doc.owl", "doc.nt", "doc.jsonld"])
def test_names_that_lie(tmp_path: Path, format: Format, name: str) -> None:
    path = tmp_path / name
    path.write_text(TEXTS[format], encoding="utf-8")
    assert list(read_source(path).quads()) == [QUAD]


def test_rdf_xml_in_the_encoding_it_declares() -> None:
    for encoding in ("ISO-8859-1", "windows-1252", "UTF-16"):
        data = f'<?xml version="1.0" encoding="{encoding}"?>\n{RDF_XML_TEXT}'.encode(encoding)
        assert list(read_bytes(data, name="x.rdf", base=EX).quads()) == [QUAD]


def test_relative_iris_are_relative_to_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "doc.ttl"
    path.parent.mkdir()
    path.write_text("<> <#p> <other.csv> .")
    content = read_source(path)
    assert content.base == path.as_uri()
    (quad,) = content.quads()
    assert [term.value for term in quad.triple] == [
        path.as_uri(), path.as_uri() + "#p", path.with_name("other.csv").as_uri(),
    ]  # fmt: skip
    (quad,) = read_source(path, base="http://base.example/doc").quads()
    assert quad.object == NamedNode("http://base.example/other.csv")


def test_blank_nodes_of_different_sources_never_meet() -> None:
    documents = [text_content("_:x <http://example.org/p> 1 ."), text_content('{"@id":"_:x","http://example.org/p":1}')]
    subjects = [quad.subject for content in documents for _ in range(2) for quad in content.quads()]
    assert all(isinstance(subject, BlankNode) for subject in subjects)
    assert len(set(subjects)) == 4


def test_named_graphs_are_kept() -> None:
    content = text_content("<http://g.h> { <http://a.b> <http://a.b> 1 } <http://a.b> <http://a.b> 2 .", "x.trig")
    assert {quad.graph_name for quad in content.quads()} == {NamedNode("http://g.h"), Quad(A, P, A).graph_name}


def test_literals_are_read_as_they_are_spelled() -> None:
    (one, two) = text_content(
        '<http://a.b> <http://a.b> 01 , "1.0E0"^^<http://www.w3.org/2001/XMLSchema#double> .'
    ).quads()
    assert one.object == Literal("01", datatype=XSD.integer)
    assert two.object == Literal("1.0E0", datatype=XSD.double)


def test_prefixes_are_known_when_the_quads_are_read() -> None:
    content = text_content("@prefix ex: <http://example.org/> .\nex:a ex:p 1 .\n@prefix late: <http://late.example/> .")
    list(content.quads())
    assert content.prefixes == {"ex": EX, "late": "http://late.example/"}


def test_the_prefixes_of_rdf_xml_are_those_of_its_outermost_element() -> None:
    text = (
        f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY ex "{EX}">]><!-- ex --><rdf:RDF xmlns="http://own.example/"'
        ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="&ex;"><ex:C xmlns:in="http://in.example/"/></rdf:RDF>'
    )
    content = read_bytes(text.encode(), name="x.rdf", base="http://base.example/")
    list(content.quads())
    assert content.prefixes == {"": "http://own.example/", "rdf": str(RDF), "ex": EX}


# --- aliases


ALIASED = """@prefix hpc: <https://example.org/HPC-Ontology#> .
@prefix old: <https://github.com/HPC-FAIR/HPC-Ontology#> .
<http://example.org/a> a hpc:AIModel , old:AIModel ; hpc:name "x" ; <http://example.org/p> [ a old:Thing ] .
"""


@pytest.mark.parametrize("packed", [False, True])
def test_aliases_are_read_as_one_and_recorded(packed: bool) -> None:
    data = gzip.compress(ALIASED.encode()) if packed else ALIASED.encode()
    content = read_bytes(data, name="x.ttl", base=EX)
    quads = list(content.quads())
    assert {quad.object for quad in quads if quad.predicate == RDF.type} == {HPC.AIModel, HPC.Thing}
    assert content.prefixes == {"hpc": CANONICAL, "old": CANONICAL}
    assert content.aliases.namespaces == (
        ("https://example.org/HPC-Ontology#", CANONICAL), ("https://github.com/HPC-FAIR/HPC-Ontology#", CANONICAL),
    )  # fmt: skip
    from pyoxigraph import parse

    original = list(parse(ALIASED, RdfFormat.TURTLE))
    assert same(undo_aliases(set(quads), content.aliases), original)


def test_an_alias_far_into_a_file_is_found() -> None:
    lines = "".join(f"<http://example.org/{number}> <http://example.org/p> {number} .\n" for number in range(50_000))
    content = text_content(lines + '<http://example.org/a> <https://example.org/HPC-Ontology#name> "x" .')
    assert list(content.quads())[-1].predicate == HPC.term("name")


# --- long literals and large files

LONG = 17_000_000
"""Characters: more than the 16 MiB that the engine takes as one word."""


@pytest.mark.parametrize("format", FORMATS, ids=str)
def test_a_literal_longer_than_the_engine_reads_at_once(tmp_path: Path, format: Format) -> None:
    text = TEXTS[format].replace("caf\u00e9", "x" * LONG)
    path = tmp_path / f"long.{format.extension}"
    path.write_text(text)
    started = time.thread_time()
    (quad,) = read_source(path).quads()
    assert isinstance(quad.object, Literal)
    assert len(quad.object.value) == LONG
    assert time.thread_time() - started < 10


def test_beside_a_long_literal_all_else_is_as_ever(tmp_path: Path) -> None:
    """Spelling, lines, languages, datatypes, escapes, and what only looks like a string."""
    long = "x" * LONG
    text = f"""@prefix ex: <http://example.org/> .
# a comment with "one quotation mark
ex:a ex:p 01 , 1.0E0 , "short" , '''{long}\\n"\n'''@en-GB , "{long}\\u00e9\\t\\"q\\""^^ex:type .
<http://example.org/it's> ex:p "it's", _:b1 .
"""
    path = tmp_path / "x.ttl.gz"
    path.write_bytes(gzip.compress(text.encode(), 1))
    values = {quad.object for quad in read_source(path).quads() if isinstance(quad.object, Literal)}
    assert values == {
        Literal("01", datatype=XSD.integer), Literal("1.0E0", datatype=XSD.double), Literal("short"), Literal("it's"),
        Literal(long + '\n"\n', language="en-GB"), Literal(long + '\u00e9\t"q"', datatype=NamedNode(f"{EX}type")),
    }  # fmt: skip
    path.write_bytes(gzip.compress(f"{text}<http://broken".encode(), 1))
    with pytest.raises(SourceSyntaxError) as caught:
        list(read_source(path).quads())
    assert caught.value.where == f"{path}:6:1"


def test_a_long_identifier_is_a_named_error() -> None:
    text = f'{{"@id": "data:,{"x" * LONG}", "http://example.org/p": 1}}'
    with pytest.raises(SourceUnreadable, match="memory"):
        list(text_content(text, "x.jsonld").quads())


def test_quads_come_before_the_end_is_read() -> None:
    """A file that breaks at its end has given its first quads by then."""
    lines = "".join(f"<http://example.org/{number}> <http://example.org/p> {number} .\n" for number in range(20_000))
    quads = text_content(lines + "<http://broken").quads()
    assert next(quads).subject == NamedNode(f"{EX}0")
    with pytest.raises(SourceSyntaxError) as caught:
        list(quads)
    assert caught.value.where.startswith("x.ttl:20001:")


# --- bad input


@pytest.mark.parametrize(
    ("name", "text", "place", "what"),
    [
        ("x.ttl", '<http://a.b> <http://a.b> "x\n<http://c.d> .', ":1:27", "unexpected end"),
        ("x.ttl", "@prefix x: <http://x.y/> .\nx:a x:b x:c .\nx:a x:b y:c .", ":3:9", "prefix y: has not been declared"),
        ("x.ttl", "<http://a.b> <http://a.b> ", ":1:27", "unexpected end"),
        ("x.ttl", "<http://a.b> <http://a.b> <http://a b> .", ":1:", "IRI"),
        ("x.nt", "<http://a.b> <http://a.b> <http://c.d> .\n<http://a.b> oops .", ":2:", ""),
        ("x.nq", "<http://a.b> <http://a.b> <http://c.d> <http://g.h> .\n<http://a.b>", ":2:", ""),
        ("x.jsonld", '{"@id": "http://a.b",\n "http://p.q/" 1}', ":2:16", ""),
        ("x.jsonld", '{"@id": "http://a.b",\n "http://p.q/": [1,', ":2:", "end of file"),
        ("x.jsonld", '{"@id": "http://a.b",\n "http://p.q/": {"@value": {}}}', "", ""),
        ("x.rdf", f"{RDF_XML_TEXT[:90]}\n\n <rdf:Descr", ":3:", ""),
        ("x.rdf", RDF_XML_TEXT.replace("</ex:p>", "\n</ex:q>"), ":2:", "ex:q"),
        ("x.rdf", RDF_XML_TEXT.replace("rdf:about=", "\n rdf:about='http://x.y' rdf:ID="), ":", ""),
        ("x.trig", "<http://g.h> { <http://a.b> <http://a.b> 1\n <http://c.d> }", ":2:", ""),
    ],
)  # fmt: skip
def test_syntax_errors_say_where_and_why(name: str, text: str, place: str, what: str) -> None:
    with pytest.raises(SourceSyntaxError) as caught:
        list(text_content(text, name).quads())
    assert caught.value.where.startswith(name + place)
    assert what in caught.value.what
    assert caught.value.what
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "excerpt", "remedy"),
    [
        ("x.ttl", "@prefix x: <x:> .\nx:a x:b 1\n\n# text\nx:a x:b 2 .", "▸x:a x:b 2 .", "end the statement on line 2 with a dot"),
        ("x.ttl", "@prefix x: <x:> . x:a x:b 1 x:a x:b 2 .", "@prefix x: <x:> . x:a x:b 1 ▸x:a x:b 2 .", "end the statement before it with a dot"),
        ("x.ttl", "\n<x:a> rdfs:label 1 .", "<x:a> ▸rdfs:label 1 .",
         "add this line at the top of the file: @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."),
        ("x.ttl", "<x:a> y:b 1 .", "<x:a> ▸y:b 1 .", "declare the prefix at the top of the file"),
        ("x.ttl", '<x:a> <x:b> "one .\n<x:a> <x:b> "two" .', '<x:a> <x:b> "one .▸', "close the quotes on this line, or put the text in three quotes"),
        ("x.ttl", f"<x:{'a' * 200}> y:b <x:{'c' * 200}> .", f"…{'a' * 38}> ▸y:b <x:{'c' * 53}…", "declare the prefix at the top of the file"),
        ("x.jsonld", '{"@id": "x:a",\n "x:b" 1,\n "x:c": 2}', ' "x:b" ▸1,', "correct it there"),
    ],
)  # fmt: skip
def test_syntax_errors_mark_the_place_and_name_the_likely_cause(
    name: str, text: str, excerpt: str, remedy: str
) -> None:
    with pytest.raises(SourceSyntaxError) as caught:
        list(text_content(text, name).quads())
    assert (caught.value.excerpt, caught.value.remedy) == (excerpt, remedy)


def rest_of(text: bytes, name: str) -> tuple[set[tuple[str, str]], tuple[str, ...]]:
    content = read_bytes(text, name=name, base=EX, skip_damaged=True)
    return {(str(quad.predicate), str(quad.object)) for quad in content.quads()}, content.missing


STATEMENTS = (
    "@prefix ex: <http://example.org/> .",
    'ex:a ex:p 123, 456 ; ex:q "abc"@en-gb, "x"^^ex:dt ; # a "comment" .',
    "  ex:r ex:long, true, 1.25e10 .",
    "ex:b a ex:C ; ex:p [ ex:q 789 ], ( 1 22 ) .",
    'ex:c ex:d """one .',
    'two .""", 77 .',
)


def test_of_a_text_that_breaks_off_anywhere_only_whole_values_are_read() -> None:
    text = "\n".join(STATEMENTS).encode()
    whole = {value for value in rest_of(text, "x.ttl")[0] if "_:" not in value[1]}
    assert len(whole) > 10
    for end in range(len(STATEMENTS[0]), len(text)):
        read, missing = rest_of(text[:end], "x.ttl")
        # Where the dot of a number is the last character, nothing shows that the number went on.
        assert {value for value in read if "_:" not in value[1]} <= whole or text[:end].endswith(b"true, 1.")
        assert missing or not text[:end].strip().endswith((b",", b";", b'"', b"9"))


def test_a_long_literal_beside_a_damaged_statement_is_read() -> None:
    text = f'<x:a> <x:b> "{"x" * 17_000_000}" .\n<x:a> <x:b> oops .\n<x:a> <x:b> "3" .\n'.encode()
    read, missing = rest_of(text, "x.nt")
    assert sorted(len(value) for _, value in read) == [3, 17_000_002]
    assert len(missing) == 1


@given(st.lists(st.integers(0, 99), max_size=12), st.sets(st.integers(0, 11)), st.sampled_from(["x.ttl", "x.nq"]))
def test_statements_beside_damaged_ones_are_read(numbers: list[int], damaged: set[int], name: str) -> None:
    lines = [f'<{EX}{at}> <{EX}p> "{number}" .' for at, number in enumerate(numbers)]
    for at in damaged:
        lines.insert(at, f'<{EX}damaged> "no property" <{EX}o> .')
    read, missing = rest_of("\n".join(lines).encode(), name)
    assert read == {(f"<{EX}p>", f'"{number}"') for number in numbers}
    assert len(missing) >= len(damaged)
    assert bool(missing) == bool(damaged)


@pytest.mark.parametrize(
    ("name", "data", "error", "what"),
    [
        ("x.ttl", '<http://a.b> <http://a.b> "ok" .\n<http://a.b> <http://a.b> "caf\u00e9" .'.encode("latin-1"),
         SourceUnreadable, "not UTF-8 at byte 64, line 2"),
        ("x.jsonld", '{"@id": "http://a.b",\n"http://p.q/": "caf\u00e9"}'.encode("latin-1"),
         SourceUnreadable, "not UTF-8 at byte 42, line 2"),
        ("x.rdf", RDF_XML_TEXT.encode("latin-1"), SourceUnreadable, "not UTF-8 at byte"),
        ("x.ttl", TEXTS[TURTLE].encode("utf-16")[:-1], SourceUnreadable, "not UTF-16 at byte"),
        ("x.ttl", bytes(range(256)), UnknownFormat, "binary"),
        ("x.n3", b"@prefix : <http://x.y/> .\n:a :b :c . { ?x :b ?y } => { ?y :b ?x } .", UnsupportedSyntax, "N3 rules"),
        ("x.ttl.gz", gzip.compress(TEXTS[TURTLE].encode() * 50)[:-20], SourceUnreadable, "cut short"),
        ("x.ttl.gz", gzip.compress(os.urandom(200_000).hex().encode())[:5000], SourceUnreadable, "cut short"),
        ("x.ttl", b"\x1f\x8bnot gzip after all", SourceUnreadable, "damaged"),
    ],
    ids=lambda told: f"{len(told)} bytes" if isinstance(told, bytes) else None,
)  # fmt: skip
def test_other_bad_input_is_named(name: str, data: bytes, error: type[ExplorerError], what: str) -> None:
    with pytest.raises(error, match=what) as caught:
        list(read_bytes(data, name=name, base=EX).quads())
    assert caught.value.where == name
    assert caught.value.remedy


@pytest.mark.parametrize("before", ["", f"<!-- {'x' * 200_000} -->"], ids=["at once", "far from the beginning"])
@pytest.mark.parametrize("letter", ["", "\u00e9"])
def test_an_xml_entity_bomb_is_refused_at_once(before: str, letter: str) -> None:
    entities = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + number)} "{f"&{chr(97 + number)};" * 10}">' for number in range(9)
    )
    if letter:
        entities = entities.replace("&", f"&{letter}").replace("ENTITY ", f"ENTITY {letter}")
    bomb = f"<!DOCTYPE rdf:RDF [{before}{entities}]>{RDF_XML_TEXT}".replace("caf\u00e9", f"&{letter}j;")
    started = time.thread_time()
    with pytest.raises(SourceUnreadable, match="10,000,000,000 characters"):
        list(text_content(bomb, "x.rdf").quads())
    assert time.thread_time() - started < 5, "before ten thousand million characters are made"


def test_a_long_xml_entity_that_is_used_over_and_over_is_refused() -> None:
    text = f"<!DOCTYPE rdf:RDF [<!ENTITY a '{'x' * 900_000}'>]>{RDF_XML_TEXT}".replace("'", '"')
    with pytest.raises(SourceUnreadable, match="4,500,000,000 characters in all"):
        list(text_content(text.replace("caf\u00e9", "&a;" * 5_000), "x.rdf").quads())


def test_the_entities_of_ontologies_are_read() -> None:
    text = f'<!DOCTYPE rdf:RDF [<!ENTITY ex "{EX}"><!ENTITY a "&ex;a">]>{RDF_XML_TEXT}'
    assert list(text_content(text.replace('"http://example.org/a"', '"&a;"'), "x.owl").quads()) == [QUAD]


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="no such file"):
        read_source(tmp_path / "missing.ttl")
    with pytest.raises(SourceNotFound):
        read_source(tmp_path / ("x" * 20) / "missing.ttl")
    with pytest.raises(SourceUnreadable, match="a folder"):
        read_source(tmp_path)


def test_a_name_that_is_too_long_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExplorerError):
        read_source(tmp_path / ("x" * 5000))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in its file system")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ttl")
    with pytest.raises(SourceUnreadable, match="not a regular file"):
        read_source(tmp_path / "pipe.ttl")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "secret.ttl"
    path.write_text(TEXTS[TURTLE])
    path.chmod(0)
    with pytest.raises(SourceUnreadable, match="may not be read"):
        read_source(path)


def test_a_file_that_is_gone_meanwhile_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(TEXTS[TURTLE])
    content = read_source(path)
    path.unlink()
    with pytest.raises(SourceUnreadable, match="cannot be read"):
        list(content.quads())


DOCUMENTS = st.sampled_from(FORMATS).flatmap(lambda format: st.tuples(st.just(format), st.just(TEXTS[format].encode())))


@given(DOCUMENTS, st.integers(0, 400), st.integers(0, 400), st.binary(max_size=6), st.booleans())
@examples(400)
def test_damaged_documents_are_read_or_named(
    document: tuple[Format, bytes], start: int, length: int, inserted: bytes, packed: bool
) -> None:
    """A piece of a document replaced by other bytes: never anything but quads or a named error."""
    format, data = document
    if packed:
        data = gzip.compress(data, mtime=0)
    damaged = data[:start] + inserted + data[start + length :]
    with contextlib.suppress(InputError):
        list(read_bytes(damaged, name=f"x.{format.extension}", base=EX).quads())


@given(st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.sampled_from(["@id", "ex:a", "_:b", "@type"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["@id", "@type", "@context", "@graph", "@value", "@list", "@reverse", "@vocab", "@import", "@nest",
                         "@included", "@base", "@container", "@language", "@set", "@index", "urn:p", "p", "", "@x"]),
        inner, max_size=4,
    ),
    max_leaves=12,
))  # fmt: skip
@examples(400)
def test_any_json_is_read_or_named(document: object) -> None:
    with contextlib.suppress(InputError):
        list(text_content(json.dumps(document), "x.jsonld").quads())


@pytest.mark.parametrize("quote", ['"', "'", '"""', "'''"])
@pytest.mark.parametrize("name", ["x.ttl", "x.trig", "x"])
def test_a_literal_may_hold_every_control_character(quote: str, name: str) -> None:
    controls = "".join(map(chr, (*range(9), 11, 12, *range(14, 32), 127))) * 20
    text = f"<http://a.example/s> <http://a.example/p> {quote}{controls}{quote} ."
    (quad,) = read_bytes(text.encode(), name=name, base="http://a.example/").quads()
    assert quad.object == Literal(controls)
