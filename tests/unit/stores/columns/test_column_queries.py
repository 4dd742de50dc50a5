"""The columns answer as the triples do, or say that they cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from hpc_explorer.errors import Cancelled, DeadlineExceeded
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import CancelToken, Limits, Row
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns, open_columns
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.column_comparison import built_columns, edited, filled_store, turtle_quads
from tests.helpers.column_graphs import PREFIXES, Edit
from tests.helpers.column_proof import Tally, differences, random_case, smaller

EX = "http://example.org/"
GRAPH, USED, LABEL = (NamedNode(f"{EX}{name}") for name in ("graph", "used", "label"))


def _thing(number: int) -> NamedNode:
    return NamedNode(f"{EX}t{number}")


# The graphs and queries that are compared: some hundreds, and 100,000 where the examples are new.
_NEW = not settings.default.derandomize
_PARTS, _QUERIES, _EDITS = (10, 67, 2) if _NEW else (1, 20, 1)
_GRAPHS = max(5, settings.default.max_examples // 10)

_ANSWERED = 0.25
"""At least this share of the queries is answered by the columns: a refusal is no pass."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("columns")


@pytest.mark.hypothesis
@pytest.mark.parametrize("part", range(_PARTS))
def test_answers_are_those_of_the_triples(folder: Path, part: int) -> None:
    tally = Tally()

    # The draws below a seed are not hypothesis's own: another seed is no smaller example.
    @settings(max_examples=_GRAPHS, phases=[Phase.explicit, Phase.reuse, Phase.generate])
    @given(st.integers(0, 2**48))
    def compare_from(seed: int) -> None:
        for difference in list(differences(random_case(seed, _QUERIES, _EDITS), folder, tally)):
            raise AssertionError(f"seed {seed}: {smaller(difference, folder)}")

    compare_from()
    assert tally.share >= _ANSWERED, f"{tally.answered} of {tally.asked} queries were answered by the columns"


def _canonical(rows: Iterable[Row]) -> Counter[frozenset[tuple[str, object]]]:
    """Rows in any order."""
    return Counter(frozenset(row.items()) for row in rows)


@pytest.fixture
def columns(tmp_path: Path) -> Iterator[Columns]:
    """Those of a few things that use each other and have labels; nothing else is in their folder."""
    quads = [
        quad
        for number in range(9)
        for quad in (
            Quad(_thing(number), USED, _thing(number + 3), GRAPH),
            Quad(_thing(number), LABEL, Literal("a"), GRAPH),
        )
    ]
    with built_columns(filled_store(quads), tmp_path) as columns:
        assert list(tmp_path.iterdir()) == [columns.file]
        yield columns


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
def test_what_is_not_answered_for_certain_is_refused(columns: Columns, query: str) -> None:
    with pytest.raises(NotByColumns):
        columns.select(query)


def test_a_constant_with_quotes_is_a_constant(columns: Columns) -> None:
    query = f"""SELECT ?a WHERE {{ ?a <{EX}label> "a' OR true OR '" }}"""
    assert list(columns.select(query)) == []


def test_an_answer_can_be_stopped(columns: Columns) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        columns.sql("SELECT count(*) FROM range(10000000000)", limits=Limits(cancel=cancel))


def test_work_under_way_is_stopped(columns: Columns) -> None:
    with pytest.raises(DeadlineExceeded):
        columns.sql(
            "SELECT sum(hash(a.range) + b.range) FROM range(10000000) a, range(100000) b", limits=Limits.seconds(0.2)
        )
    assert columns.sql("SELECT 1") == [(1,)]


def test_a_file_of_another_version_or_damaged_is_not_opened(columns: Columns, tmp_path: Path) -> None:
    import duckdb

    columns.close()
    opened = open_columns(columns.file)
    assert opened is not None
    opened.close()
    with duckdb.connect(str(columns.file)) as database:
        database.execute("UPDATE about SET version = 0")
    assert open_columns(columns.file) is None
    columns.file.write_bytes(b"no database")
    assert open_columns(columns.file) is None
    assert open_columns(tmp_path / "missing.db") is None


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
    build_columns(store, tmp_path / "columns.db", n_triples=file)
    columns = Columns(tmp_path / "columns.db")
    for name in ("label", "count", "began", "used"):
        query = f"SELECT ?s ?o WHERE {{ ?s <{EX}{name}> ?o }}"
        found = list(store.select(query))
        if found:
            assert _canonical(columns.select(query)) == _canonical(found)
    columns.close()


THINGS_SAID = """:a :size 1 ; :began '2021-03-01T08:00:00Z'^^xsd:dateTime ; :near :b ; :near :c ; :tag 'x', 'y'@en .
:b :size 2 ; :near :a ; :tag 'x' . :c :size 3.5 ."""


@pytest.mark.parametrize(
    ("gone", "come"),
    [
        ("", ":d :size 4 ; :near :a ; :near :e ."),
        ("", ":d :size 4e0 ; :began '2021-03-01T08:00:00'^^xsd:dateTime ; :tag 'z'@fr ."),
        ("", ":a :mass 1.25 . :d :mass 2 ; :made :e, :f ; :tag 'x'^^:own ."),
        ("", ":a :size 7 . :b :near :c, :d . :c :tag 'x' ."),
        (":a :size 1 .", ":a :size 8 ."),
        (":a :near :b ; :tag 'x' . :b :tag 'x' .", ""),
        (":b :size 2 ; :near :a ; :tag 'x' .", ":e :near :b ."),
        (":c :size 3.5 .", ":d :size 3.5 . :c :near :d ; :began '2020-01-01T00:00:00+01:00'^^xsd:dateTime ."),
    ],
)
def test_an_edit_is_answered_by_the_columns_and_by_a_copy_of_them(tmp_path: Path, gone: str, come: str) -> None:
    store = filled_store(turtle_quads(THINGS_SAID))
    queries = [
        f"{PREFIXES}SELECT * {{ {pattern} }}"
        for name in ("size", "began", "near", "tag", "mass", "made")
        for pattern in (
            f"?s :{name} ?o",
            f"?s :{name} ?o . ?s :near ?t",
            f"?s :{name} ?o . ?t :near ?s",
            f":d :{name} ?o",
        )
    ]

    def agree(columns: Columns) -> int:
        answered = 0
        for query in queries:
            try:
                found = _canonical(columns.select(query))
            except NotByColumns:
                continue
            assert found == _canonical(store.select(query)), query
            answered += 1
        return answered

    with built_columns(store, tmp_path) as columns:
        for edit in (
            Edit(tuple(turtle_quads(gone)), tuple(turtle_quads(come))),
            Edit((), tuple(turtle_quads(":z :near :a ."))),
        ):
            edited(store, columns, edit)
            answered = agree(columns)
            assert answered >= len(queries) // 2
        if columns.copy_to(tmp_path / "copy.db"):
            copy = Columns(tmp_path / "copy.db")
            try:
                assert agree(copy) == answered
                assert copy.predicates == columns.predicates
                edited(store, copy, Edit((), tuple(turtle_quads(":y :size 9 ; :near :z ."))))
                assert agree(copy) >= len(queries) // 2
            finally:
                copy.close()
