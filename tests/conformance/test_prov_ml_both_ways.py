"""PROV-ML Q1 to Q7 with the terms of PROV-ML and without them (seed 004, section 5.4): equal answers, for all choices."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from hpc_explorer.app.explore.inference import infer
from hpc_explorer.app.query.questions import ask_question, parameter_choices, questions_for
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.question import Question, Value
from hpc_explorer.query.table import TermTable
from hpc_explorer.rdf.namespaces import PROVML, RDF
from hpc_explorer.rdf.syntax.formats import N_TRIPLES
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.graphs import text_of
from tests.helpers.sessions import session_of

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
QUESTIONS = [question for question in shipped_questions() if question.name.startswith("prov-ml-")]
WORKFLOWS, EPOCHS, BATCHES = 8, 3, 40

Pair = tuple[Session, Session]


def opened(path: Path) -> Session:
    return session_of(path)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """The graph of the benchmarks, small, with the terms of PROV-ML and without them."""
    folder = tmp_path_factory.mktemp("graphs")
    sys.path.insert(0, str(BENCHMARKS))
    writer = importlib.import_module("provml_graph")
    sys.path.remove(str(BENCHMARKS))
    whole, writer.BATCHES = writer.BATCHES, BATCHES
    for name, with_provml in (("with", True), ("without", False)):
        writer.write_graph(folder / f"{name}.nt", "1/100", with_provml=with_provml)
    writer.BATCHES = whole
    pair = opened(folder / "with.nt"), opened(folder / "without.nt")
    yield pair
    for session in pair:
        session.close()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """The sample as it ships; and with what follows from it, but without the classes of PROV-ML."""
    above = tmp_path_factory.mktemp("graphs") / "without.nt"
    first, inferred = opened_sample(), opened_sample()
    infer(inferred)
    kept = [
        quad
        for quad in inferred.store.match()
        if not (
            quad.predicate == RDF.type
            and isinstance(quad.object, NamedNode)
            and quad.object.value.startswith(str(PROVML))
        )
    ]
    above.write_text(text_of(kept, N_TRIPLES), encoding="utf-8")
    inferred.close()
    pair = first, opened(above)
    yield pair
    for session in pair:
        session.close()


def opened_sample() -> Session:
    return session_of("sample:seismic")


def test_each_graph_is_asked_in_its_own_terms(generated: Pair, sample: Pair) -> None:
    for pair in (generated, sample):
        for session, terms in zip(pair, ("with", "without"), strict=True):
            found = questions_for(session, QUESTIONS)
            assert {variant.label for one in found for variant in one.variants} == {f"{terms} PROV-ML terms"}
            assert len(found) == 7


def all_choices(session: Session, question: Question) -> list[dict[str, Value]]:
    """Every way to fill in the blanks, those among them that may be left open also so."""
    given = [
        [choice.value for choice in parameter_choices(session, parameter, {}).items] + [None] * parameter.is_optional
        for parameter in question.parameters
    ]
    return [
        {one.name: value for one, value in zip(question.parameters, values, strict=True) if value is not None}
        for values in product(*given)
    ]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_equal_answers_on_the_sample(question: Question, sample: Pair) -> None:
    assert answered(question, sample) > 0


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_equal_answers_on_the_generated_graph(question: Question, generated: Pair) -> None:
    rows = answered(question, generated)
    models, sets = WORKFLOWS * EPOCHS, WORKFLOWS
    assert (
        rows
        == {
            "prov-ml-q1": models,
            "prov-ml-q2": 4 * models,
            "prov-ml-q3": 5 * sets,  # batch size, optimizer, and rate of the training; rate and accuracy of the epoch
            "prov-ml-q4": EPOCHS * sets,
            # By first slice, last slice, both, and neither.
            "prov-ml-q5": 4 * EPOCHS * sets,
            "prov-ml-q6": 3 * sets,
            "prov-ml-q7": 4 * EPOCHS * sets,
        }[question.name]
    )


def answered(question: Question, pair: Pair) -> int:
    """Ask both graphs for all choices; the answers are equal, row for row. Returns the number of rows in all."""
    ways = all_choices(pair[0], question)
    assert ways == all_choices(pair[1], question)
    number = 0
    for values in ways:
        one, other = (ask_question(session, question, values).table for session in pair)
        assert one == other, values
        number += len(one.rows)
    return number


def test_what_goes_with_a_first_slice(generated: Pair) -> None:
    (question,) = (one for one in QUESTIONS if one.name == "prov-ml-q5")
    first, last = question.parameters
    for session in generated:
        starts = parameter_choices(session, first, {}).items
        assert [choice.label for choice in starts] == ["0", "100", "200", "300", "400", "500", "600", "700"]
        ends = parameter_choices(session, last, {first.name: starts[3].value}).items
        assert [choice.label for choice in ends] == ["329"]


def test_means_are_exact(generated: Pair) -> None:
    """The mean time of the batches of an epoch, reckoned here from their times."""
    (question,) = (one for one in QUESTIONS if one.name == "prov-ml-q4")
    session = generated[0]
    dataset = parameter_choices(session, question.parameters[0], {}).items[0].value
    table: TermTable = ask_question(session, question, {"dataset": dataset}).table
    assert len(table.rows) == EPOCHS
    from datetime import datetime
    from decimal import Decimal

    from hpc_explorer.rdf.namespaces import PROV

    for row in table.rows:
        seconds = []
        for quad in session.store.match(None, PROV.wasInformedBy, row[table.index("epoch")]):
            start, end = (
                datetime.fromisoformat(next(iter(session.store.match(quad.subject, said, None))).object.value)
                for said in (PROV.startedAtTime, PROV.endedAtTime)
            )
            seconds.append(Decimal((end - start).total_seconds()).quantize(Decimal("0.001")))
        assert len(seconds) == BATCHES
        assert Decimal(row[table.index("average")].value) == sum(seconds) / len(seconds)
        assert Decimal(row[table.index("shortest")].value) == min(seconds)
        assert Decimal(row[table.index("longest")].value) == max(seconds)
