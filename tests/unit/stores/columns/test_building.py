"""Columns hold each literal as the engine of the triples keeps it, whichever way they are built."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.syntax.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.columns import building, facts, raw_triples
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.spellings import stored_form
from tests.helpers.column_comparison import built_columns, edited, filled_store
from tests.helpers.column_graphs import Edit
from tests.helpers.examples import examples

EX = "http://example.org/"
LONG = EX + "s" * 1000
GRAPH = NamedNode(f"{EX}graph")

SPELLINGS = {
    "integer": ["01", "+1", "-0", " 1 ", "2.5", "abc", "9223372036854775807", "123456789012345678901", "-12345678901234"],
    "byte": ["300", "7"],
    "nonNegativeInteger": ["-1"],
    "decimal": ["5.0", "0.10", "1.", ".5", "-0.0", "-0", "1E5", "0.0000000000000000001", "1234567890123.50"],
    "double": ["1e0", "1.0E2", "-0.0", "1e400", "NaN", "+INF", "1_0", "0.1"],
    "float": ["0.10", "1e1"],
    "boolean": ["1", "true", "no"],
    "dateTime": [
        "2021-03-01T08:00:00.000", "2021-03-01T08:00:00.500+01:00", "2021-03-01T08:00:00+00:00", "2021-03-01T24:00:00Z",
        "2021-03-01T08:00:60Z", "2021-02-30T08:00:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.5Z", "2021-03-01T08:00:00.1234567Z", "2021-03-01T08:00:00+14:30", "-0044-03-15T00:00:00Z",
    ],
    "dateTimeStamp": ["2021-03-01T08:00:00.50Z", "2021-03-01T08:00:00"],
    "date": ["2021-03-01", "2021-03-01+00:00", "2021-02-30"],
    "time": ["08:00:00.50"],
    "duration": ["P1Y12M"],
    "dayTimeDuration": ["PT3600S"],
    "string": ["a", "long" * 1000, "a\x01b\\c", "a\x01b", 'q"\n\t\r\\'],
}  # fmt: skip

SPELLED = [
    *(Literal(text, datatype=XSD.term(name)) for name, texts in SPELLINGS.items() for text in texts),
    Literal("a", language="de-AT"),
    Literal("5", datatype=NamedNode(f"{EX}own")),
]

literals = st.sampled_from(SPELLED) | st.builds(
    lambda text, name: Literal(text, datatype=XSD.term(name)),
    st.from_regex(r"[+-]?[0-9]{0,9}\.?[0-9]{0,9}([eE][+-]?[0-9]{1,2})?", fullmatch=True),
    st.sampled_from(["integer", "decimal", "double", "float", "string"]),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("building")
    (folder / "anew").mkdir()
    return folder


@pytest.fixture(scope="module", autouse=True)
def limits_that_are_met() -> Iterator[None]:
    """Pieces of few rows, which no chunk of a file ends with; rows too long at first; predicates without a column."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "CHUNK", 3_000)
        patch.setattr(raw_triples, "PIECE", 500)
        patch.setattr(raw_triples, "LONGEST", 2_000)
        patch.setattr(facts, "MOST_RESPELLED", 15)
        patch.setattr(building, "MOST_WIDE", 2)
        yield


@examples(10)
@example(SPELLED, 3)
@example(SPELLED[:15], 1)
@example(SPELLED[15:30], 1)
@example(SPELLED[30:45], 1)
@example(SPELLED[45:], 1)
@example([Literal(f"\x01\\{number}") for number in range(40)], 1)
@given(st.lists(literals, min_size=20, max_size=80), st.integers(1, 3))
def test_literals_are_kept_as_the_engine_keeps_them(folder: Path, said: list[Literal], predicates: int) -> None:
    """A file of lines, the store, and a file in which a triple stands twice say the same."""
    file = folder / "graph.nt"
    lines = [f"<{LONG}{number}> <{EX}p{number % predicates}> {literal} .\n" for number, literal in enumerate(said)]
    file.write_text("".join(lines), encoding="utf-8")
    twice = folder / "twice.nt"
    twice.write_text("".join([*lines, lines[0]]), encoding="utf-8")
    store = LocalStore.in_memory()
    load_content(store, read_source(file), GRAPH)
    expected = {f"{LONG}{number}": stored_form(literal) for number, literal in enumerate(said)}
    for source in (file, None, twice):
        built = folder / "columns.db"
        build_columns(store, built, n_triples=source)
        columns = Columns(built)
        try:
            assert columns.triples == len(said)
            found = {}
            for number in range(min(predicates, len(said))):
                for row in columns.select(f"SELECT ?s ?o {{ ?s <{EX}p{number}> ?o }}"):
                    assert isinstance(row["s"], NamedNode)
                    found[row["s"].value] = row["o"]
            assert found == expected
        finally:
            columns.close()
            built.unlink()


@examples(30)
@given(
    st.lists(literals | st.sampled_from([NamedNode(f"{EX}t1"), NamedNode(f"{EX}t2")]), min_size=2, max_size=12),
    st.data(),
)
def test_an_edit_tells_of_predicates_what_building_anew_does(
    folder: Path, said: list[Literal | NamedNode], data: st.DataObject
) -> None:
    """As far as new subjects are concerned, each with one value, and no predicate leads to values of another sort."""
    quads = []
    for number, value in enumerate(said):
        name = f"p{number % 3}" if isinstance(value, Literal) else "link"
        quads.append(Quad(NamedNode(f"{EX}s{number}"), NamedNode(EX + name), value, GRAPH))
    number = data.draw(st.integers(1, len(quads)))
    store = filled_store(quads[:number])
    with built_columns(store, folder) as edited_columns:
        edited(store, edited_columns, Edit((), tuple(quads[number:])))
        told = _known(edited_columns)
        with built_columns(filled_store(quads), folder / "anew") as anew:
            assert told == _known(anew)


def _known(columns: Columns) -> dict[str, tuple[object, ...]]:
    return {
        one.iri: (one.links, one.values, one.subjects, set(one.kinds), one.exact, one.clock, one.scale)
        for one in columns.predicates
    }
