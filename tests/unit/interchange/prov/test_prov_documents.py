"""PROV-JSON, PROV-N and PROV-XML: what they say as PROV-O, and what a round trip keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.annotate.pushing.files import same_statements
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError
from hpc_explorer.interchange.prov.from_statements import records_of
from hpc_explorer.interchange.prov.prov_json import prov_json, read_prov_json
from hpc_explorer.interchange.prov.prov_n import prov_n, read_prov_n
from hpc_explorer.interchange.prov.records import ELEMENTS, RELATIONS, TIMES, Record, statements_of
from hpc_explorer.interchange.statements import Findings
from hpc_explorer.rdf.namespaces import PROV, RDF, RDFS, XSD
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term
from tests.helpers.sessions import session_of

EX = "http://example.org/"
FORMATS = {"json": (prov_json, read_prov_json), "provn": (prov_n, read_prov_n)}

names = st.text("abcZ019_-.~@+*?!$&'(),;=%é漢", min_size=1, max_size=8).map(
    lambda text: NamedNode(EX + text.replace("%", "%25"))
)
# The signs that the syntaxes give a meaning come often.
signs = st.one_of(
    st.sampled_from("\\\"'\n\t\r%@{}[]()<>,;:=-/ ab"),
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00"),
)
hard = st.sampled_from(
    ["\\", "a\\nb", '"', 'x"""y', '\\"', "it's", "%%", "@en", "line\nline", "-", "tab\t", " ", "", "_:b", "ex:a"]
)
texts = st.one_of(hard, st.text(signs, max_size=12))
times = st.datetimes().map(lambda moment: Literal(moment.isoformat(), datatype=XSD.dateTime))
literals = st.one_of(
    texts.map(Literal),
    hard.map(Literal),
    st.sampled_from(["en", "fr", "de-at"]).flatmap(lambda tag: texts.map(lambda text: Literal(text, language=tag))),
    st.integers().map(lambda number: Literal(str(number), datatype=XSD.integer)),
    st.integers(-99, 99).map(lambda number: Literal(str(number), datatype=XSD.int)),
    st.floats(allow_nan=False).map(lambda number: Literal(repr(number), datatype=XSD.double)),
    st.booleans().map(lambda value: Literal(str(value).lower(), datatype=XSD.boolean)),
    times,
    texts.map(lambda text: Literal(text, datatype=NamedNode(EX + "unit"))),
)
attributes = st.lists(
    st.tuples(
        st.sampled_from([PROV.type, PROV.label, PROV.location, PROV.role, PROV.value, NamedNode(EX + "tag")]),
        st.one_of(literals, names),
    ),
    max_size=3,
    unique=True,
)
bundles = st.sampled_from([DefaultGraph(), DefaultGraph(), NamedNode(EX + "bundle1")])


@st.composite
def elements(draw: st.DrawFn) -> Record:
    kind = draw(st.sampled_from(sorted(ELEMENTS)))
    record = Record(kind, draw(names), attributes=draw(attributes), bundle=draw(bundles))
    if kind == "activity":
        record.arguments = draw(st.dictionaries(st.sampled_from(["startTime", "endTime"]), times))
    return record


@st.composite
def relations(draw: st.DrawFn) -> Record:
    kind = draw(st.sampled_from(sorted(RELATIONS)))
    relation = RELATIONS[kind]
    arguments: dict[str, Term] = {name: draw(names) for name in relation.arguments[:2]}
    record = Record(kind, bundle=draw(bundles), arguments=arguments)
    if relation.qualified is not None:
        for name in relation.arguments[2:]:
            if draw(st.booleans()):
                arguments[name] = draw(times if name in TIMES else names)
        record.attributes = draw(attributes)
        if draw(st.booleans()):
            record.id = NamedNode(f"{EX}relation/{draw(st.integers(0, 10**9))}")
    return record


def unique(records: list[Record]) -> list[Record]:
    """One record for each identifier: two records of one name have statements that no longer say which is whose."""
    seen: dict[object, Record] = {}
    for number, record in enumerate(records):
        seen.setdefault((record.id or number, record.kind in ELEMENTS), record)
    return list(seen.values())


def read(text: str, ending: str) -> tuple[list[Quad], Findings]:
    findings = Findings()
    document = Document(f"made.{ending}", data=text.encode())
    return list(FORMATS[ending][1](document, "http://base.example/made", findings)), findings


@pytest.mark.parametrize("ending", sorted(FORMATS))
@given(records=st.lists(st.one_of(elements(), relations()), min_size=1, max_size=8).map(unique))
def test_what_a_document_says_is_written_and_read_back(ending: str, records: list[Record]) -> None:
    stated = list(dict.fromkeys(quad for record in records for quad in statements_of(record)))
    made = records_of(stated)
    assert (made.left_out.total(), made.typed, made.implied) == (0, 0, 0)
    text = FORMATS[ending][0](made.records, {"ex": EX})
    again, findings = read(text, ending)
    assert findings.missing == []
    assert same_statements(again, stated), text


@pytest.mark.parametrize("ending", sorted(FORMATS))
def test_a_document_with_everything_comes_back_the_same(ending: str) -> None:
    text = (DATA / "everything.json").read_text(encoding="utf-8")
    stated, _ = read(text, "json")
    made = records_of(stated)
    assert (made.left_out.total(), made.typed, made.implied) == (0, 0, 0)
    again, _ = read(FORMATS[ending][0](made.records, {}), ending)
    assert same_statements(again, stated)


DATA = Path(__file__).parents[1] / "data"


def test_what_a_prov_document_cannot_say_is_counted() -> None:
    node, size = NamedNode(EX + "a"), BlankNode()
    made = records_of(
        [
            Quad(node, RDF.type, PROV.Entity, DefaultGraph()),
            Quad(node, NamedNode(EX + "size"), size, DefaultGraph()),
            Quad(size, RDFS.label, Literal("12 kB"), DefaultGraph()),
            Quad(NamedNode(EX + "b"), RDFS.label, Literal("untyped"), DefaultGraph()),
        ]
    )
    assert dict(made.left_out) == {NamedNode(EX + "size"): 1, RDFS.label: 1}
    assert made.typed == 1


def test_a_qualified_relation_has_its_direct_one(tmp_path: Path) -> None:
    path = tmp_path / "a.provn"
    path.write_text(
        'document\n  prefix ex <http://example.org/>\n  used(ex:u; ex:run, ex:data, 2024-01-01T00:00:00, [prov:role="in"])\n'
        "endDocument\n"
    )
    store = session_of(path).store
    run, data, use = (NamedNode(EX + name) for name in ("run", "data", "u"))
    assert next(store.match(run, PROV.used, data), None) is not None
    assert next(store.match(run, PROV.qualifiedUsage, use), None) is not None
    assert next(store.match(use, PROV.hadRole, Literal("in")), None) is not None


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", '{"prefix": {"ex": "http://example.org/"}, "entity": {"ex:a": {}, "ex:b": {"prov:la', "cut short"),
        ("a.json", '{"entity": {"zz:a": {}}}', "the prefix zz is not declared"),
        ("a.json", '{"entity": {"prov:a": {}}, "used": 3}', "used is not an object"),
        ("a.provn", "document\n prefix ex <http://example.org/>\n entity(ex:a)\n entity(ex:b", "cut short"),
        ("a.provn", "document\n prefix ex <http://example.org/>\n entity(ex:a)\n dance(ex:b)\nendDocument", "dance"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_rest_is_read(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    session = session_of(path)
    (line,) = session.sources[0].missing
    assert said in line
    assert str(path) in line
    assert len({quad.subject for quad in session.store.match(None, RDF.type, PROV.Entity)}) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.provn", "document\n prefix ex <http://example.org/>\n entity(ex:a))\nendDocument"),
        ("a.provn", "document\n entity(\n"),
        ("a.xml", f'<prov:document xmlns:prov="{PROV}"><prov:entity'),
        ("a.xml", f'<!DOCTYPE a [<!ENTITY b "c">]><prov:document xmlns:prov="{PROV}"/>'),
        ("a.json", '{"entity": '),
        ("a.json", '{"entity": {"prov:a": NaN'),
        ("a.json", '{"entity": {"prov:a": {"ex:b": NaN} "prov:c": {}}}'),
        ("a.json", '{"entity": {"prov:a": {"ex:b": NaN}, "prov:a": {}}}'),
    ],
)
def test_a_broken_document_is_refused_in_one_line(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        open_sources(Session.new(), [str(path)])
    assert str(path) in str(caught.value)


@given(st.text(max_size=200))
def test_no_text_after_the_beginning_ends_in_an_unnamed_error(tail: str) -> None:
    for ending, begin in (("json", '{"entity": {"prov:a": '), ("provn", "document\n entity(prov:a)\n")):
        try:
            read(begin + tail, ending)
        except InputError as error:
            assert "made" in str(error)
