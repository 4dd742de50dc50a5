"""Columns hold each literal as the engine of the triples keeps it, whichever way they are built."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.columns.building import build_columns
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.loading import load_content
from hpc_explorer.stores.local import LocalStore
from hpc_explorer.stores.spellings import stored_form

EX = "http://example.org/"

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
    "string": ["a", "a\x01b\\c", "a\x01b", 'q"\n\t\r\\'],
}  # fmt: skip

literals = st.sampled_from(
    [Literal(text, datatype=XSD.term(name)) for name, texts in SPELLINGS.items() for text in texts]
    + [Literal("a", language="de-AT"), Literal("5", datatype=NamedNode(f"{EX}own"))]
) | st.builds(
    lambda text, name: Literal(text, datatype=XSD.term(name)),
    st.from_regex(r"[+-]?[0-9]{0,9}\.?[0-9]{0,9}([eE][+-]?[0-9]{1,2})?", fullmatch=True),
    st.sampled_from(["integer", "decimal", "double", "float", "string"]),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("building")


@settings(max_examples=6)
@given(st.lists(literals, min_size=20, max_size=80), st.integers(1, 3))
def test_literals_are_kept_as_the_engine_keeps_them(folder: Path, said: list[Literal], predicates: int) -> None:
    """A file of lines, the store, and a file in which a triple stands twice say the same."""
    file = folder / "graph.nt"
    lines = [f"<{EX}s{number}> <{EX}p{number % predicates}> {literal} .\n" for number, literal in enumerate(said)]
    file.write_text("".join(lines), encoding="utf-8")
    twice = folder / "twice.nt"
    twice.write_text("".join([*lines, lines[0]]), encoding="utf-8")
    store = LocalStore.in_memory()
    load_content(store, read_source(file), NamedNode(f"{EX}graph"))
    expected = {f"{EX}s{number}": stored_form(literal) for number, literal in enumerate(said)}
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
