"""Check the examples of ready questions against the current answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hpc_explorer.app.query.questions import ask_question
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownQuestion, WrongParameter
from hpc_explorer.query.questions.examples import MOST_EXAMPLE_ROWS, difference
from hpc_explorer.query.questions.question import Example, Question
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class CheckedExample:
    """An example and how the current answer differs from it; empty if it does not."""

    question: Question
    example: Example
    difference: str


def graphs_of_examples(questions: Iterable[Question]) -> tuple[str, ...]:
    """The graphs of the questions' examples, sorted."""
    return tuple(sorted({example.graph for question in questions for example in question.examples}))


def check_examples(
    session: Session, questions: Iterable[Question], graph: str, *, limits: Limits = NO_LIMITS
) -> Iterator[CheckedExample]:
    """Check all examples recorded for a graph against the open graph.

    Args:
        graph: the open graph, or one that it is a copy of.

    Raises:
        StoreError: the store or its server failed.
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
