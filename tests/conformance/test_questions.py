"""Every ready question keeps examples, and answers with exactly their rows in memory, in a workspace and over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from hpc_explorer.app.query.question_checks import check_examples, graphs_of_examples
from hpc_explorer.app.query.questions import ask_question, default_value, filled_in, parameter_choices, questions_for
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import sample_names
from hpc_explorer.errors import WrongParameter
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.question import Question, Value
from hpc_explorer.stores.base import Limits
from tests.helpers.sample_places import sample_at

QUESTIONS = shipped_questions()
GRAPHS = graphs_of_examples(QUESTIONS)

Sessions = dict[str, Session]


@pytest.fixture(scope="module", params=["memory", "workspace", "oxigraph server"])
def there(request: pytest.FixtureRequest) -> Iterator[Sessions]:
    """The sample graphs, each by itself."""
    with ExitStack() as places:
        yield {graph: places.enter_context(sample_at(request.param, graph)) for graph in GRAPHS}


@pytest.fixture(scope="module")
def here() -> Iterator[Sessions]:
    with ExitStack() as places:
        yield {graph: places.enter_context(sample_at("memory", graph)) for graph in GRAPHS}


def test_there_are_forty_seven_and_each_has_rows_to_show() -> None:
    assert len(QUESTIONS) == 47
    # Two samples are there to be assessed, not asked.
    assessed = {"sample:xplacer-before", "sample:xplacer-after"}
    assert set(GRAPHS) | assessed == {f"sample:{name}" for name, _ in sample_names()}
    for question in QUESTIONS:
        assert any(example.rows for example in question.examples), question.name
        assert question.source, question.name
        assert question.text.endswith((".", "?")), question.name
        assert {column.name for column in question.columns} == {*question.examples[0].columns}, question.name


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_every_example_answers_with_its_rows(question: Question, there: Sessions) -> None:
    for graph, session in there.items():
        for checked in check_examples(session, [question], graph, limits=Limits.seconds(60)):
            assert checked.difference == "", (graph, checked.example.values)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_every_value_of_an_example_can_be_chosen(question: Question, here: Sessions) -> None:
    for example in question.examples:
        session = here[example.graph]
        chosen: dict[str, Value] = {}
        for name, value in example.values:
            parameter = question.parameter(name)
            assert parameter is not None
            offered = parameter_choices(session, parameter, chosen, limits=Limits.seconds(60))
            assert parameter.is_free or value in [choice.value for choice in offered.items]
            chosen[name] = value


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_somewhere_the_defaults_answer(question: Question, here: Sessions) -> None:
    """Who asks without choosing gets rows on at least one sample."""
    answered = 0
    for example in question.examples:
        session = here[example.graph]
        try:
            values = filled_in(session, question, {}, limits=Limits.seconds(60))
        except WrongParameter:
            continue
        answered += bool(ask_question(session, question, values, limits=Limits.seconds(60)).table.rows)
    assert answered or not question.parameters[0].default


@pytest.mark.parametrize("graph", GRAPHS)
def test_what_fits_has_something_to_choose(graph: str, here: Sessions) -> None:
    """A question that is offered for a graph offers something for each of its blanks there."""
    session = here[graph]
    for one in questions_for(session, QUESTIONS, limits=Limits.seconds(60)):
        for parameter in one.question.parameters if one.variants else ():
            there_are = parameter_choices(session, parameter, {}, limits=Limits.seconds(60))
            assert there_are.items, (one.question.name, parameter.name)
            proposed = default_value(session, parameter, {}, limits=Limits.seconds(60))
            assert proposed is None or parameter.is_free or proposed in [choice.value for choice in there_are.items]
