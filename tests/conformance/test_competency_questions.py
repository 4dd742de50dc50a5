"""The papers' competency questions, as they ship, asked of the sample graphs: no inference, exact rows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from hpc_explorer.app.operations.opening import open_sources
from hpc_explorer.app.operations.questions import ask_question, filled_in, questions_for
from hpc_explorer.app.session import Session
from hpc_explorer.query.library import named_question, shipped_questions
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal, NamedNode

SAMPLES = ("xplacer", "nsf", "npb", "fugaku", "seismic")
NUMERIC = {XSD.integer, XSD.decimal, XSD.double, XSD.float}

EXPECTED: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "expected_answers.toml").read_text(encoding="utf-8"), parse_float=Decimal
)


def session_of(*samples: str) -> Session:
    session = Session.new()
    open_sources(session, [f"sample:{name}" for name in samples])
    return session


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, Session]]:
    """Each sample by itself, and `together`."""
    sessions = {name: session_of(name) for name in SAMPLES} | {"together": session_of(*SAMPLES)}
    yield sessions
    for session in sessions.values():
        session.close()


def plain(term: object) -> str | Decimal:
    """A term in the notation of `expected_answers.toml`."""
    if isinstance(term, Literal):
        return Decimal(term.value) if term.datatype in NUMERIC else term.value
    assert isinstance(term, NamedNode)
    return f"<{term.value}>"


def test_every_question_that_ships_has_expected_rows() -> None:
    assert {question.name for question in shipped_questions()} == set(EXPECTED)


@pytest.mark.parametrize("where", ["alone", "together"])
@pytest.mark.parametrize("name", EXPECTED)
def test_question_returns_exactly_the_expected_rows(name: str, where: str, sessions: dict[str, Session]) -> None:
    expected = EXPECTED[name]
    session = sessions[expected["sample"] if where == "alone" else where]
    question = named_question(shipped_questions(), name)
    texts = {parameter: str(value) for parameter, value in expected.get("parameters", {}).items()}
    table = ask_question(session, question, filled_in(session, question, texts)).table
    assert [column.name for column in table.columns] == expected["columns"]
    assert [tuple(map(plain, row)) for row in table.rows] == [tuple(row) for row in expected["rows"]]


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_graph_is_asked_only_what_it_can_answer(sample: str, sessions: dict[str, Session]) -> None:
    own = {name for name, expected in EXPECTED.items() if expected["sample"] == sample}
    for one in questions_for(sessions[sample], shipped_questions()):
        if one.question.name in own:
            assert one.variants, one.question.name
        elif one.variants:
            # Another story may be written in the same terms; what the paper asks is not in it.
            values = {p.name: p.default for p in one.question.parameters if p.default is not None}
            assert ask_question(sessions[sample], one.question, values).table.rows == ()
