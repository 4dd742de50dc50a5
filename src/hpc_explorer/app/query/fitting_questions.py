"""The ready questions that fit the open graph."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.app.query.question_files import own_questions, readable_questions
from hpc_explorer.app.query.questions import questions_for
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError
from hpc_explorer.query.questions.question import Question
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class FittingQuestions:
    """The ready questions that fit a graph.

    Args:
        problems: errors in the user's own question files.
        own: the names of the user's own questions.
    """

    questions: tuple[Question, ...]
    problems: tuple[InputError, ...]
    own: frozenset[str]


def fitting_questions(session: Session, *, limits: Limits = NO_LIMITS) -> FittingQuestions:
    """The ready questions with a variant for the open graph's vocabulary."""
    known, problems = readable_questions()
    found = questions_for(session, known, limits=limits)
    return FittingQuestions(tuple(one.question for one in found if one.variants), problems, frozenset(own_questions()))
