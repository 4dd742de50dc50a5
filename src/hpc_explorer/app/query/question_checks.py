"""Ask the examples of ready questions again, and tell which answers differ from the rows that are kept with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hpc_explorer.app.query.questions import QuestionAnswer, ask_question
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownQuestion, WrongParameter
from hpc_explorer.query.questions.examples import MOST_EXAMPLE_ROWS, difference, example_of
from hpc_explorer.query.questions.question import Example, Question
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class CheckedExample:
    """An example that was asked again.

    Args:
        difference: how the answer differs from the rows that are kept; empty where it does not.
    """

    question: Question
    example: Example
    difference: str


def graphs_of_examples(questions: Iterable[Question]) -> tuple[str, ...]:
    """The graphs on which questions have examples, each once, in order."""
    return tuple(sorted({example.graph for question in questions for example in question.examples}))


def check_examples(
    session: Session, questions: Iterable[Question], graph: str, *, limits: Limits = NO_LIMITS
) -> Iterator[CheckedExample]:
    """Ask the open graph all examples that were kept of a graph.

    Args:
        graph: that of the examples: the open one, or one that the open one is a copy of.

    Raises:
        StoreError: the store or its server failed; that says nothing of the answer.
    """
    for question in questions:
        for example in question.examples:
            if example.graph == graph:
                yield CheckedExample(question, example, _difference(session, question, example, limits))


def _difference(session: Session, question: Question, example: Example, limits: Limits) -> str:
    try:
        found = ask_question(
            session, question, dict(example.values), at_most=max(MOST_EXAMPLE_ROWS, len(example.rows)), limits=limits
        )
    except (UnknownQuestion, WrongParameter) as problem:
        return str(problem)
    return difference(example, found.table)


def todays_example(answer: QuestionAnswer, graph: str) -> Example:
    """The answer as an example to be kept with its question; see `query.examples.example_of`.

    Raises:
        WrongParameter: it cannot be compared with later.
    """
    return example_of(graph, answer.values, answer.table)
