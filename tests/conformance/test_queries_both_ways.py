"""Queries that others wrote, read into the model and written again, mean what they meant: equal rows, or equal algebra."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hpc_explorer.app.query.run_query import with_prefixes
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.sparql.blanks import filled
from hpc_explorer.query.sparql.reading import query_model
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.namespaces import DCTERMS, WELL_KNOWN
from hpc_explorer.stores.base import Limits, Store
from tests.conftest import SHARED_DATA

SAMPLES = ("xplacer", "nsf", "npb", "fugaku", "seismic")
SECONDS = 60

PROVML = SHARED_DATA / "provml" / "queries"
PROVML_QUERIES = sorted(path for path in PROVML.glob("q*.rq")) or [PROVML]
CRATES = SHARED_DATA / "provenance" / "ro-crate" / "sparql"
CRATE_QUERIES = sorted(CRATES.glob("cq*.py")) or [CRATES]
TABLES = SHARED_DATA / "tables"
TABLE_QUERIES = sorted(TABLES.glob("*/*.sparql")) or [TABLES]
SHIPPED: dict[str, str] = {
    name: filled(query.whole, values)
    for question in shipped_questions()
    for example in [dict(question.examples[0].values) if question.examples else {}]
    for name, query, values in (
        *((f"{question.name} {variant.label}", variant.select, example) for variant in question.variants),
        *((f"{question.name} {variant.label} fits", variant.fits, {}) for variant in question.variants),
        *((f"{question.name} {parameter.name}", parameter.choices, {}) for parameter in question.parameters),
    )
    if query is not None
}


@pytest.fixture(scope="module")
def samples() -> Iterator[Store]:
    """All sample graphs together."""
    session = Session.new()
    open_sources(session, [f"sample:{name}" for name in SAMPLES])
    yield session.store
    session.close()


def answer(store: Store, text: str) -> object:
    """What a store answers: rows in any order, or yes or no."""
    limits = Limits.seconds(SECONDS)
    if query_model(text).form.value == "ASK":
        return store.ask(text, limits=limits)
    rows = store.select(text, limits=limits)
    found = sorted(sorted((name, str(term)) for name, term in row.items()) for row in rows)
    return sorted(rows.variables), found


def written_again(text: str) -> str:
    """The text of the model of a text, which is the model of that text too."""
    model = query_model(text)
    written = sparql_text(model)
    assert query_model(written) == model
    return written


def needed(path: Path) -> Path:
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    return path


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_questions(samples: Store, name: str) -> None:
    text = SHIPPED[name]
    assert answer(samples, written_again(text)) == answer(samples, text)


@pytest.mark.parametrize("path", PROVML_QUERIES, ids=lambda path: path.stem)
def test_prov_ml_queries(samples: Store, path: Path) -> None:
    text = (needed(path).parent / "prefixes.rq").read_text() + path.read_text()
    assert answer(samples, written_again(text)) == answer(samples, text)


@pytest.mark.parametrize("path", CRATE_QUERIES, ids=lambda path: path.stem)
def test_competency_questions_of_workflow_run_crates(path: Path) -> None:
    script = needed(path).read_text()
    texts = re.findall(r'^QUERY\w* = """\\?\n(.*?)"""', script, re.DOTALL | re.MULTILINE)
    crate = re.search(r'CRATE = Path\("(\w+)"\)', script)
    assert texts
    assert crate is not None
    session = Session.new()
    try:
        open_sources(session, [str(path.parent / crate[1] / "ro-crate-metadata.json")])
        for text in (with_prefixes(one, {**WELL_KNOWN, "dct": DCTERMS}) for one in texts):
            assert answer(session.store, written_again(text)) == answer(session.store, text)
    finally:
        session.close()


@pytest.mark.parametrize("path", TABLE_QUERIES, ids=lambda path: path.stem)
def test_mappings_of_tables_have_the_same_algebra(path: Path) -> None:
    text = needed(path).read_text()
    assert algebra(written_again(text)) == algebra(text)


def algebra(text: str) -> object:
    """The algebra of a query, as another program reads it."""
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    return _plain(translateQuery(parseQuery(text)).algebra)


def _plain(value: Any) -> object:
    """A piece of algebra as plain values; triples are sorted, as their blank nodes are called otherwise each time."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return sorted((_plain(part) for part in value), key=repr)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return sorted(str(part) for part in value)
    return "blank" if type(value).__name__ == "BNode" else value
