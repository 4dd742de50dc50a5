"""The ready questions give equal answers, in equal order, in memory, in a workspace and at endpoints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hpc_explorer.app.query.question_checks import check_examples, graphs_of_examples
from hpc_explorer.app.query.questions import ask_question, parameter_choices, questions_for, variant_for
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.questions.examples import comparable
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.question import Question, Value
from hpc_explorer.stores.base import Limits
from tests.helpers.sample_places import sample_at

PLACES = ("workspace", "oxigraph server", "virtuoso")
QUESTIONS = shipped_questions()
PROV_ML = [question for question in QUESTIONS if question.name.startswith("prov-ml")]
GRAPHS = graphs_of_examples(QUESTIONS)


@pytest.fixture(scope="module")
def here() -> Iterator[Session]:
    with sample_at("memory", "sample:seismic") as session:
        yield session


@pytest.fixture(scope="module", params=PLACES)
def there(request: pytest.FixtureRequest) -> Iterator[Session]:
    """The same graph somewhere else."""
    with sample_at(request.param, "sample:seismic") as session:
        yield session


@pytest.mark.parametrize("question", PROV_ML, ids=lambda one: one.name)
def test_equal_answers(question: Question, here: Session, there: Session) -> None:
    values: dict[str, Value] = {}
    for parameter in question.parameters:
        choices = [parameter_choices(session, parameter, values) for session in (here, there)]
        assert choices[0].total == choices[1].total
        assert [one.label for one in choices[0].items] == [one.label for one in choices[1].items]
        values[parameter.name] = choices[0].items[0].value
    one, other = (ask_question(session, question, values, limits=Limits.seconds(60)).table for session in (here, there))
    assert one.columns == other.columns
    assert list(map(comparable, one.rows)) == list(map(comparable, other.rows))
    assert one.rows


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("graph", GRAPHS)
def test_equal_examples(graph: str, place: str) -> None:
    """And what may be chosen, and which questions go with the graph, are the same too."""
    with sample_at("memory", graph) as here, sample_at(place, graph) as there:
        fitting = questions_for(here, QUESTIONS)
        assert questions_for(there, QUESTIONS) == fitting
        for one in fitting:
            for parameter in one.question.parameters if one.variants else ():
                chosen = [
                    {comparable((choice.value,)) for choice in parameter_choices(session, parameter, {}).items}
                    for session in (here, there)
                ]
                assert chosen[0] == chosen[1], (one.question.name, parameter.name)
        differences = [
            (checked.question.name, checked.difference)
            for checked in check_examples(there, QUESTIONS, graph, limits=Limits.seconds(60))
            if checked.difference and not (place == "virtuoso" and is_of_virtuoso(checked.difference))
        ]
        assert differences == []


def is_of_virtuoso(difference: str) -> bool:
    """Whether two values differ only in that Virtuoso keeps an xsd:dateTimeStamp as an xsd:dateTime."""
    expected, _, found = difference.partition(" and not ")
    return expected.endswith(found.replace("#dateTime>", "#dateTimeStamp>"))


def test_the_same_variant_fits(there: Session) -> None:
    assert variant_for(there, PROV_ML[0]).label == "with PROV-ML terms"
