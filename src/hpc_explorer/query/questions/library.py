"""The questions that ship with the program: HPC ontology Q1 to Q5, PROV-ML Q1 to Q7, and twenty common ones."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from hpc_explorer.errors import UnknownQuestion
from hpc_explorer.query.questions.question import Question
from hpc_explorer.query.questions.question_file import read_questions
from hpc_explorer.shipped import shipped_folder

_PAPERS = ("hpc", "prov-ml")


@cache
def shipped_questions() -> tuple[Question, ...]:
    """The questions of `ontology/questions`, those of the papers first; cached."""
    folder = shipped_folder("ontology") / "questions"
    files = sorted(folder.glob("*.ttl"), key=lambda file: (file.stem not in _PAPERS, file.stem))
    return tuple(question for file in files for question in read_questions(file))


def named_question(questions: Iterable[Question], name: str) -> Question:
    """Find a question by its name.

    Raises:
        UnknownQuestion: there is none with this name.
    """
    known = {question.name: question for question in questions}
    if name not in known:
        raise UnknownQuestion("no such question", name, f"there are: {', '.join(sorted(known))}")
    return known[name]
