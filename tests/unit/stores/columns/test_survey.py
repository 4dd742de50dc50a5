"""The counts of a file by its facts are those of its statements, counted one by one."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import BaseDirection, RdfFormat, parse, serialize

from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple
from hpc_explorer.stores.base import NO_LIMITS
from hpc_explorer.stores.columns import facts as facts_module
from hpc_explorer.stores.columns import raw_triples
from hpc_explorer.stores.columns.facts import Facts
from hpc_explorer.stores.columns.raw_triples import PARSED, QUADS, TRIPLES, Rows
from hpc_explorer.stores.columns.survey import Survey, survey
from hpc_explorer.stores.local.spellings import stored_form
from tests.helpers.datasets import BLANKS, IRIS, LITERALS
from tests.helpers.examples import examples

EX = "http://example.org/"
GRAPH = "urn:default"

_DATATYPES = ["double", "decimal", "float", "integer", "int", "boolean", "dateTime", "dateTimeStamp", "date"]
SPELLED = [
    Literal(text, datatype=XSD.term(name))
    for text in ["0.50", "0.5", "5", "05", "-0.0", "1e3", "true", "1", "2021-03-01T08:00:00.50Z", "2021-03-01", "x"]
    for name in _DATATYPES
]

STATEMENTS = st.lists(
    st.builds(
        Quad,
        st.one_of(IRIS, BLANKS),
        st.sampled_from([RDF.type, NamedNode(f"{EX}p"), NamedNode(f"{EX}q")]),
        st.one_of(IRIS, IRIS, BLANKS, LITERALS, st.sampled_from(SPELLED), st.builds(Triple, IRIS, IRIS, LITERALS)),
        st.sampled_from([DefaultGraph(), DefaultGraph(), NamedNode(f"{EX}g"), NamedNode(GRAPH)]),
    ),
    min_size=1,
    max_size=20,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("facts")


@pytest.fixture
def facts(folder: Path) -> Iterator[Facts]:
    made = Facts(folder / "columns.db", 0)
    yield made
    made.close()


def counted(quads: list[Quad]) -> Survey:
    """The counts, one statement after the other."""
    types: dict[object, set[str]] = defaultdict(set)
    for quad in quads:
        if quad.predicate == RDF.type and isinstance(quad.object, NamedNode):
            types[quad.subject].add(quad.object.value)
    found = Survey(triples=len(quads))
    found.type_sets = Counter(map(frozenset, types.values()))
    for quad in quads:
        found.graphs[GRAPH if isinstance(quad.graph_name, DefaultGraph) else quad.graph_name.value] += 1
        found.with_predicate[frozenset(types.get(quad.subject, ())), quad.predicate.value] += 1
        if isinstance(quad.object, Literal):
            found.with_datatype[quad.predicate.value, stored_form(quad.object).datatype.value] += 1
    return found


def same_counts(one: Survey, other: Survey) -> bool:
    def told(found: Survey) -> tuple[object, ...]:
        return found.triples, found.type_sets, found.with_predicate, found.with_datatype, found.graphs

    return told(one) == told(other)


def read(facts: Facts, lines: bytes, rows: Rows) -> bool:
    return facts.read_lines(lambda: io.BytesIO(lines), rows, limits=NO_LIMITS)


@examples(10)
@example([Quad(NamedNode(EX), RDF.type, Literal("a", language="en", direction=BaseDirection.LTR), DefaultGraph())])
@example([Quad(NamedNode(EX), NamedNode(f"{EX}p"), literal, DefaultGraph()) for literal in SPELLED])
@given(STATEMENTS)
def test_counts_are_those_of_the_statements(folder: Path, quads: list[Quad]) -> None:
    lines = serialize(quads, format=RdfFormat.N_QUADS)
    assert lines is not None
    facts = Facts(folder / "random.db", 0)
    try:
        assert read(facts, lines, PARSED)
        assert same_counts(survey(facts, GRAPH, {}, limits=NO_LIMITS), counted(quads))
        subjects = {quad.subject.value for quad in quads if isinstance(quad.subject, NamedNode)}
        assert sorted(facts.subjects()) == sorted(subjects)
    finally:
        facts.close()


REGULAR = [
    f"<{EX}a> <{EX}p> <{EX}b> .",
    f'<{EX}a> <{EX}p> "some > text # with . signs" .',
    f'<{EX}a> <{EX}p> "a \\"quoted\\" text"@en-GB .',
    f'<{EX}a> <{EX}p> "C:\\\\users \\u0041 it\\\'s"^^<{XSD.string.value}> .',
    f'<{EX}ä> <{EX}ü> "größer"^^<{EX}Maß> .',
    f"_:a <{EX}p> _:b .",
    "# a comment",
    "",
]


def test_regular_lines_are_read_without_a_parser(facts: Facts) -> None:
    lines = "".join(f"{line}\n" for line in REGULAR).encode()
    assert read(facts, lines, TRIPLES)
    assert same_counts(survey(facts, GRAPH, {}, limits=NO_LIMITS), counted(list(parse(lines, RdfFormat.N_TRIPLES))))
    texts = {text for (text,) in facts.database.execute("SELECT text FROM literals WHERE again IS NULL").fetchall()}
    assert texts == {"some > text # with . signs", 'a "quoted" text', "größer"}
    facts.ask_again(NO_LIMITS)
    assert facts.number("SELECT count(*) FROM literals WHERE text = 'C:\\users A it''s'") == 1


@pytest.mark.parametrize(
    "line",
    [
        f"<{EX}a>\t<{EX}p> <{EX}b> .",
        f"<{EX}a><{EX}p> <{EX}b> <{EX}g> .",
        f"<{EX}a> <{EX}p><{EX}b> <{EX}g> .",
        f"<{EX}a> <{EX}p> <{EX}b><{EX}g> .",
        f"<{EX}a> <{EX}p> <{EX}b>.",
        f"<{EX}a> <{EX}p> _:b.",
        f"<{EX}a> <{EX}p> _:b<{EX}g> .",
        f'<{EX}a> <{EX}p> "b"<{EX}g> .',
        f'<{EX}a> <{EX}p>"x> y" .',
        f"  <{EX}a> <{EX}p> <{EX}b> .",
        f"<{EX}a> <{EX}p> <{EX}b> . # <{EX}c> .",
        f'<{EX}a> <{EX}p> "b" . # "c" .',
        f"<{EX}\\u0061> <{EX}p> <{EX}b> .",
        f"<{EX}a> <{EX}p> <{EX}b> .\r<{EX}a> <{EX}p> <{EX}c> .",
        f'<{EX}a> <{EX}p> "b" .\r<{EX}a> <{EX}p> "c" .',
        f"<{EX}a> <{EX}p> <<( <{EX}a> <{EX}p> <{EX}b> )>> .",
        f'<{EX}a> <{EX}p> "a\x01b" .',
    ],
)
def test_odd_lines_need_a_parser(facts: Facts, line: str) -> None:
    assert len(list(parse(f"{line}\n".encode(), RdfFormat.N_QUADS))), "it is valid"
    for rows in (TRIPLES, QUADS):
        assert not read(facts, f"{line}\n".encode(), rows)


def test_two_terms_with_one_key_are_told_apart(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts_module, "KEYS", ("hash({}) % 2", raw_triples.KEYS[1]))
    lines = "".join(f"<{EX}s{number}> <{EX}p> <{EX}o{number}> .\n" for number in range(9)).encode()
    assert read(facts, lines, TRIPLES)
    assert same_counts(survey(facts, GRAPH, {}, limits=NO_LIMITS), counted(list(parse(lines, RdfFormat.N_TRIPLES))))
    monkeypatch.setattr(facts_module, "KEYS", ("hash({}) % 2",))
    assert not read(facts, lines, TRIPLES)


def test_names_with_the_same_hash_of_the_engine_are_told_apart(facts: Facts) -> None:
    run = "urn:hpc-explorer:run:salt.629f6fbed82c07cd/stage:"
    same = [
        (f"{run}evaluation.1/epoch:207/batch:39", f"{run}evaluation.1/epoch:200/batch:89"),
        (
            f"{run}validation.1/epoch:68/batch:5/metric:accuracy.0",
            f"{run}validation.1/epoch:63/batch:0/metric:accuracy.0",
        ),
    ]
    for prefix, names in zip(("<", "#<"), same, strict=True):
        hashed = "SELECT count(DISTINCT hash(name)) FROM (SELECT unnest(?) AS name)"
        assert facts.database.execute(hashed, [[f"{prefix}{name}>" for name in names]]).fetchall() == [(1,)]
    lines = "".join(f'<{name}> <{EX}p> "{name}" .\n' for names in same for name in names).encode()
    assert read(facts, lines, TRIPLES)
    assert {iri for (iri,) in facts.database.execute("SELECT iri FROM numbered").fetchall()} == {
        *(f"<{name}>" for names in same for name in names),
        f"<{EX}p>",
    }


def test_a_blank_graph_is_left_to_the_statements(facts: Facts) -> None:
    lines = f"<{EX}a> <{EX}p> <{EX}b> _:g .\n".encode()
    assert read(facts, lines, QUADS)
    assert not survey(facts, GRAPH, {}, limits=NO_LIMITS).fit
    assert isinstance(next(iter(parse(lines, RdfFormat.N_QUADS))).graph_name, BlankNode)
