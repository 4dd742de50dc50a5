"""The columns answer as the triples do, or say that they cannot."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hpc_explorer.errors import Cancelled
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.reading import read_source
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad
from hpc_explorer.stores.base import CancelToken, Limits, Row
from hpc_explorer.stores.changes import ChangeSet, apply_effect, effect_of
from hpc_explorer.stores.columns.columns import Columns, opened_columns
from hpc_explorer.stores.columns.drawing import draw_columns
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.loading import load_content
from hpc_explorer.stores.local import LocalStore

EX = "http://example.org/"
GRAPH, OTHER = NamedNode(f"{EX}graph"), NamedNode(f"{EX}other")
LINKS = [NamedNode(f"{EX}{name}") for name in ("used", "made", "part")]
NUMBERS = [NamedNode(f"{EX}{name}") for name in ("loss", "count")]
BEGAN, LABEL, MIXED = NamedNode(f"{EX}began"), NamedNode(f"{EX}label"), NamedNode(f"{EX}mixed")
THINGS = [NamedNode(f"{EX}t{number}") for number in range(9)] + [BlankNode("b1")]
CLASSES = [NamedNode(f"{EX}{name}") for name in ("Run", "Model")]


def _moment(number: int) -> Literal:
    day, second = divmod(number, 2)
    return Literal(f"2021-03-{day + 1:02}T23:59:5{second}.25Z", datatype=XSD.dateTime)


numbers = st.one_of(
    st.integers(-3, 3).map(lambda number: Literal(str(number), datatype=XSD.integer)),
    st.sampled_from(["0.5", "-1.25", "2.0E0", "1.0E2"]).map(lambda text: Literal(text, datatype=XSD.double)),
)
values = st.one_of(
    numbers,
    st.sampled_from(["a", 'q"uo\\te', "tab\tand\nline", "é", ""]).map(Literal),
    st.sampled_from(["0.10", "1.5"]).map(lambda text: Literal(text, datatype=XSD.decimal)),
    st.sampled_from(["en", "de-AT"]).map(lambda tag: Literal("a", language=tag)),
    st.just(Literal("NaN", datatype=XSD.double)),
    st.just(Literal("true", datatype=XSD.boolean)),
    st.just(Literal("123456789012345678", datatype=XSD.integer)),
    st.just(Literal("2021-03-01T00:00:00+01:00", datatype=XSD.dateTime)),
)
things = st.sampled_from(THINGS)
triples = st.one_of(
    st.tuples(things, st.just(RDF.type), st.sampled_from(CLASSES)),
    st.tuples(things, st.sampled_from(LINKS), things),
    st.tuples(things, st.sampled_from(NUMBERS), numbers),
    st.tuples(things, st.just(BEGAN), st.integers(0, 9).map(_moment)),
    st.tuples(things, st.just(LABEL), st.sampled_from(["a", "b", '\\\\ "q" \t']).map(Literal)),
    st.tuples(things, st.just(MIXED), st.one_of(values, things)),
)
graphs = st.lists(
    st.builds(lambda triple, graph: Quad(*triple, graph), triples, st.sampled_from([GRAPH, OTHER])), max_size=40
)

VARIABLES = ["?a", "?b", "?c", "?d"]
links = st.sampled_from([f"<{link.value}>" for link in LINKS] + [f"^<{LINKS[0].value}>", f"<{LINKS[0].value}>/<{LINKS[1].value}>",
    f"<{LINKS[0].value}>|^<{LINKS[2].value}>"])  # fmt: skip
patterns = st.one_of(
    st.builds("{} {} {} .".format, st.sampled_from(VARIABLES), links, st.sampled_from([*VARIABLES, f"<{EX}t1>"])),
    st.builds("{} a <{}> .".format, st.sampled_from(VARIABLES), st.sampled_from([cls.value for cls in CLASSES])),
    st.builds("{} {} <{}> .".format, st.sampled_from(VARIABLES), st.sampled_from([f"<{LINKS[2].value}>*",
        f"(^<{LINKS[0].value}>)*", f"a/<{LINKS[2].value}>*", f"<{LINKS[1].value}>/<{EX}unused>*"]),
        st.sampled_from([f"{EX}t1", f"{EX}t2", f"{EX}nowhere", CLASSES[0].value])),
    st.builds("{} <{}> {} .".format, st.sampled_from(VARIABLES), st.sampled_from([one.value for one in NUMBERS]),
        st.sampled_from(["?x", "?y", "1", "0.5E0"])),
    st.builds("{} <{}> ?m .".format, st.sampled_from(VARIABLES), st.just(BEGAN.value)),
    st.builds("{} <{}> {} .".format, st.sampled_from(VARIABLES), st.just(LABEL.value), st.sampled_from(["?l", '"a"'])),
    st.builds("{} <{}> ?z .".format, st.sampled_from(VARIABLES), st.just(MIXED.value)),
)  # fmt: skip
conditions = st.sampled_from(
    [
        "", "", "FILTER(?x > 0)", "FILTER(?x + 1 != 2 || ?y < 1)", "FILTER(!BOUND(?y))", 'FILTER(?l IN ("a", "b"))',
        f"FILTER(?a != <{EX}t1>)", 'FILTER(CONTAINS(?l, "a"))', 'FILTER(?m >= "2021-03-02T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>)',
        "BIND(HOURS(?m)*3600+MINUTES(?m)*60+SECONDS(?m) AS ?w)", "BIND(IF(?x < 0, -?x, ?x) AS ?w)", "BIND(?x / ?y AS ?w)",
    ]
)  # fmt: skip
heads = st.sampled_from(
    [
        ("*", ""), ("DISTINCT ?a ?b", ""), ("(COUNT(*) AS ?n)", ""), ("?a (COUNT(?b) AS ?n)", "GROUP BY ?a"),
        ("?a (COUNT(DISTINCT ?b) AS ?n)", "GROUP BY ?a"), ("?a (AVG(?x) AS ?n)", "GROUP BY ?a"), ("(SUM(?x) AS ?n)", ""),
        ("?b (MIN(?x) AS ?n) (MAX(?x) AS ?k)", "GROUP BY ?b HAVING (COUNT(*) > 1)"), ("?a (MIN(?m) AS ?n)", "GROUP BY ?a"),
        ("?a (MAX(?l) AS ?n)", "GROUP BY ?a"), ("(AVG(?w) AS ?n)", ""), ("?x (COUNT(*) AS ?n)", "GROUP BY ?x"), ("?z (COUNT(*) AS ?n)", "GROUP BY ?z"),
    ]
)  # fmt: skip


# What must be asked so that these variables have a value.
SOURCES = {
    "?b": f"?a <{LINKS[0].value}> ?b .",
    "?x": f"?a <{NUMBERS[0].value}> ?x .",
    "?y": f"?a <{NUMBERS[1].value}> ?y .",
    "?m": f"?a <{BEGAN.value}> ?m .",
    "?l": f"?a <{LABEL.value}> ?l .",
    "?z": f"?a <{MIXED.value}> ?z .",
    "?w": f"?a <{NUMBERS[0].value}> ?v . BIND(?v * 2 AS ?w)",
}


@st.composite
def queries(draw: st.DrawFn) -> str:
    """A query that is small enough to be answered at once, and may be one that the columns refuse."""
    inside = " ".join(draw(st.lists(patterns, min_size=0, max_size=3)))
    optional = draw(st.one_of(st.just(""), st.builds("OPTIONAL {{ {} }}".format, patterns)))
    either = draw(st.one_of(st.just(""), st.just(""), st.builds("{{ {} }} UNION {{ {} }}".format, patterns, patterns)))
    values = [
        f"VALUES ?a {{ <{EX}t1> <{EX}t2> <{EX}nowhere> }}",
        'VALUES ?l { "a" "none" }',
        "VALUES ?x { 1 -2 0.5e0 }",
    ]
    told = draw(st.sampled_from(["", "", "", *values]))
    (head, tail), condition = draw(heads), draw(conditions)
    asked = f"{head} {condition}"
    needed = " ".join(source for name, source in SOURCES.items() if name in asked and f"AS {name})" not in condition)
    return f"SELECT {head} WHERE {{ {told} {inside} {needed} {either} {optional} {condition} }} {tail}"


def _canonical(rows: Iterable[Row]) -> Counter[tuple[tuple[str, object], ...]]:
    """Rows to be compared: numbers by value, as averages may differ in their last digits."""

    def value(term: object) -> object:
        if isinstance(term, Literal) and term.datatype in (XSD.integer, XSD.decimal, XSD.double):
            try:
                number = float(term.value)
            except ValueError:
                return str(term)
            return float(f"{number:.9g}") if math.isfinite(number) else term.value
        return str(term)

    return Counter(tuple(sorted((name, value(term)) for name, term in row.items())) for row in rows)


def _compare(store: LocalStore, columns: Columns, query: str) -> bool:
    try:
        found = columns.select(query)
    except NotByColumns:
        return False
    rows = list(found)
    assert _canonical(rows) == _canonical(store.select(query)), query
    if " ORDER BY" in query:
        assert [_canonical([row]) for row in rows] == [_canonical([row]) for row in store.select(query)], query
    return True


def _drawn(store: LocalStore, folder: Path) -> Columns:
    file = folder / "columns.db"
    file.unlink(missing_ok=True)
    draw_columns(store, file)
    assert list(folder.iterdir()) == [file]
    columns = opened_columns(file)
    assert columns is not None
    return columns


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columns")


@settings(max_examples=20, deadline=None)
@given(graphs, st.lists(queries(), min_size=8, max_size=8), st.lists(graphs, max_size=3))
def test_answers_are_those_of_the_triples(
    folder: Path, quads: list[Quad], asked: list[str], edits: list[list[Quad]]
) -> None:
    store = LocalStore.in_memory()
    store.add_quads(quads)
    store.settle(set(store.graphs()))
    columns = _drawn(store, folder)
    try:
        for query in asked:
            _compare(store, columns, query)
        for number, edit in enumerate(edits):
            change = ChangeSet(tuple(quads[number :: len(edits)]), tuple(edit))
            effect = effect_of(store, change, restating=True)
            apply_effect(store, effect)
            store.settle(set(store.graphs()))  # who adds what another graph states has the graphs compared
            columns.change(store, (*effect.left, *effect.entered))
            for query in asked:
                _compare(store, columns, query)
        saved = folder / "saved.db"
        if columns.copy_to(saved):
            again = Columns(saved)
            try:
                for query in asked:
                    assert _compare(store, again, query) == _compare(store, columns, query)
            finally:
                again.close()
                saved.unlink()
    finally:
        columns.close()


KNOWN = [
    f"SELECT ?a (COUNT(?b) AS ?n) (AVG(?x) AS ?mean) WHERE {{ ?a a <{EX}Run> ; <{EX}used> ?b . ?b <{EX}loss> ?x }} GROUP BY ?a",
    f"SELECT ?l (MIN(?x) AS ?low) (MAX(?m) AS ?last) WHERE {{ ?a <{EX}label> ?l ; <{EX}loss> ?x ; <{EX}began> ?m }} GROUP BY ?l",
    f"""SELECT ?a ?w WHERE {{ ?a <{EX}began> ?m ; <{EX}loss> ?x OPTIONAL {{ ?a <{EX}part> ?b FILTER(?x > 0) }}
      BIND(HOURS(?m) * 3600 + MINUTES(?m) * 60 + SECONDS(?m) AS ?w) }} ORDER BY DESC(?x) ?a LIMIT 5""",
    f"SELECT ?a ?b WHERE {{ {{ ?a <{EX}used>/<{EX}made> ?b }} UNION {{ ?b ^<{EX}part> ?a }} }} ORDER BY ?a ?b",
    f"SELECT DISTINCT ?l ?a ?x WHERE {{ ?a <{EX}label> ?l ; <{EX}loss> ?x }} ORDER BY DESC(?l) ?a",
    f"SELECT (SUM(?x) AS ?sum) WHERE {{ VALUES ?a {{ <{EX}t1> <{EX}t3> }} ?a <{EX}loss> ?x }}",
]


@pytest.fixture
def story() -> LocalStore:
    store = LocalStore.in_memory()
    quads = []
    for number, thing in enumerate(THINGS):
        after = THINGS[(number + 3) % len(THINGS)]
        quads += [
            Quad(thing, RDF.type, CLASSES[number % 2], GRAPH),
            Quad(thing, LINKS[number % 3], after, GRAPH),
            Quad(thing, LINKS[0], after, OTHER),
            Quad(thing, NUMBERS[0], Literal(f"{number / 4}", datatype=XSD.double), GRAPH),
            Quad(thing, BEGAN, _moment(number), OTHER),
            Quad(thing, LABEL, Literal("ab"[number % 2]), GRAPH),
        ]
    store.add_quads(quads)
    store.settle(set(store.graphs()))
    return store


@pytest.mark.parametrize("query", KNOWN)
def test_what_is_asked_most_is_answered_by_columns(story: LocalStore, tmp_path: Path, query: str) -> None:
    columns = _drawn(story, tmp_path)
    assert list(story.select(query))
    assert _compare(story, columns, query)
    columns.close()


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT ?a WHERE {{ ?a <{EX}used>+ ?b }}",
        "SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p",
        f"SELECT ?a (GROUP_CONCAT(?l) AS ?all) WHERE {{ ?a <{EX}label> ?l }} GROUP BY ?a",
        f"SELECT ?a WHERE {{ ?a <{EX}label> ?l FILTER(REGEX(?l, 'a')) }}",
        f"SELECT ?a FROM <{EX}graph> WHERE {{ ?a <{EX}label> ?l }}",
        "ASK { ?s ?p ?o }",
        "SELECT no sense",
    ],
)
def test_what_is_not_answered_for_certain_is_refused(story: LocalStore, tmp_path: Path, query: str) -> None:
    columns = _drawn(story, tmp_path)
    with pytest.raises(NotByColumns):
        columns.select(query)
    columns.close()


def test_a_constant_with_quotes_is_a_constant(story: LocalStore, tmp_path: Path) -> None:
    columns = _drawn(story, tmp_path)
    query = f"""SELECT ?a WHERE {{ ?a <{EX}label> "a' OR true OR '" }}"""
    assert list(columns.select(query)) == []
    columns.close()


def test_an_answer_can_be_stopped(story: LocalStore, tmp_path: Path) -> None:
    columns = _drawn(story, tmp_path)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        columns.sql("SELECT count(*) FROM range(10000000000)", limits=Limits(cancel=cancel))
    columns.close()


def test_work_under_way_is_stopped(story: LocalStore, tmp_path: Path) -> None:
    from hpc_explorer.errors import DeadlineExceeded

    columns = _drawn(story, tmp_path)
    with pytest.raises(DeadlineExceeded):
        columns.sql(
            "SELECT sum(hash(a.range) + b.range) FROM range(10000000) a, range(100000) b", limits=Limits.seconds(0.2)
        )
    assert columns.sql("SELECT 1") == [(1,)]
    columns.close()


def test_a_file_of_another_version_or_damaged_is_not_opened(story: LocalStore, tmp_path: Path) -> None:
    import duckdb

    columns = _drawn(story, tmp_path)
    columns.close()
    with duckdb.connect(str(columns.file)) as database:
        database.execute("UPDATE about SET version = 0")
    assert opened_columns(columns.file) is None
    columns.file.write_bytes(b"no database")
    assert opened_columns(columns.file) is None
    assert opened_columns(tmp_path / "missing.db") is None


PLAIN = f'<{EX}t1> <{EX}label> "plain \\\\ \\"quoted\\"\\tétoile"@en .\n<{EX}t1> <{EX}used> <{EX}t2> .\n'


@pytest.mark.parametrize(
    "more",
    [
        "",
        "\n# a comment\n",
        f'_:b <{EX}label> "a" .\n',
        f'<{EX}t2> <{EX}label> "\\u00e9" .\n',
        f'<{EX}t2>   <{EX}label>   "spaced" .\n',
        f'<{EX}t2> <{EX}label> "dots . and > brackets" . # and a comment\n',
        f'<{EX}t2> <{EX}count> "12"^^<{XSD.int.value}> .\n<{EX}t2> <{EX}began> "2021-03-01T01:00:00+01:00"^^<{XSD.dateTime.value}> .\n',
        f'<{EX}t2> <{EX}label> "{"x" * 5_000_000}" .\n',
    ],
    ids=["plain", "comment", "blank", "escape", "spaces", "trailing", "numbers", "long"],
)
def test_a_file_of_lines_is_read_as_the_store_reads_it(tmp_path: Path, more: str) -> None:
    file = tmp_path / "graph.nt"
    file.write_text(PLAIN + more, encoding="utf-8")
    store = LocalStore.in_memory()
    load_content(store, read_source(file), GRAPH)
    draw_columns(store, tmp_path / "columns.db", n_triples=file)
    columns = Columns(tmp_path / "columns.db")
    for name in ("label", "count", "began", "used"):
        query = f"SELECT ?s ?o WHERE {{ ?s <{EX}{name}> ?o }}"
        found = list(store.select(query))
        if found:
            assert _canonical(columns.select(query)) == _canonical(found)
    columns.close()
