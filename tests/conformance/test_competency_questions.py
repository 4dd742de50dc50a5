"""The papers' competency questions, asked of the sample graphs as printed: no inference, exact rows."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.reading import read_source
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.loading import load_content
from hpc_explorer.stores.local import LocalStore

QUESTIONS = Path(__file__).parent / "questions"
SAMPLES = ("xplacer", "nsf", "npb", "fugaku", "seismic")
NUMERIC = {XSD.integer, XSD.decimal, XSD.double, XSD.float}

EXPECTED: dict[str, dict[str, Any]] = tomllib.loads(
    (QUESTIONS / "expected.toml").read_text(encoding="utf-8"), parse_float=Decimal
)


def store_of(*samples: str) -> LocalStore:
    store = LocalStore.in_memory()
    for name in samples:
        load_content(store, read_source(shipped_folder("sample_graphs") / f"{name}.ttl"), NamedNode(f"urn:{name}"))
    return store


@pytest.fixture(scope="module")
def stores() -> dict[str, LocalStore]:
    """Each sample by itself, and `together`."""
    return {name: store_of(name) for name in SAMPLES} | {"together": store_of(*SAMPLES)}


def question(name: str) -> str:
    """The text of a question, its parameters filled in."""
    text = (QUESTIONS / f"{name}.rq").read_text(encoding="utf-8")
    for parameter, value in EXPECTED[name].get("parameters", {}).items():
        text = re.sub(rf"\${parameter}\b", lambda _, value=value: value, text)
    assert "$" not in re.sub(r"(?m)^#.*", "", text), "a parameter was left open"
    return text


def plain(term: object) -> str | Decimal:
    """A term in the notation of `expected.toml`."""
    if isinstance(term, Literal):
        return Decimal(term.value) if term.datatype in NUMERIC else term.value
    assert isinstance(term, NamedNode)
    return f"<{term.value}>"


def answer(store: LocalStore, name: str) -> tuple[list[str], list[tuple[str | Decimal, ...]]]:
    rows = store.select(question(name))
    return list(rows.variables), [tuple(plain(row[column]) for column in rows.variables) for row in rows]


def test_every_question_has_expected_rows() -> None:
    assert {file.stem for file in QUESTIONS.glob("*.rq")} == set(EXPECTED)


@pytest.mark.parametrize("where", ["alone", "together"])
@pytest.mark.parametrize("name", EXPECTED)
def test_question_returns_exactly_the_expected_rows(name: str, where: str, stores: dict[str, LocalStore]) -> None:
    expected = EXPECTED[name]
    columns, rows = answer(stores[expected["sample"] if where == "alone" else where], name)
    assert columns == expected["columns"]
    expected_rows = [tuple(row) for row in expected["rows"]]
    if expected.get("ordered"):
        assert rows == expected_rows
    else:
        assert Counter(rows) == Counter(expected_rows)


@pytest.mark.parametrize("name", EXPECTED)
def test_other_stories_do_not_answer(name: str, stores: dict[str, LocalStore]) -> None:
    for other in SAMPLES:
        if other != EXPECTED[name]["sample"]:
            assert answer(stores[other], name)[1] == []
