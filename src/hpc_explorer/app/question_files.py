"""Which ready questions there are: those that ship, a user's own in the settings folder, and files that were named.

A later one replaces an earlier one of the same name.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hpc_explorer.app.settings import settings_file
from hpc_explorer.errors import InputError
from hpc_explorer.query.library import shipped_questions
from hpc_explorer.query.question import Question
from hpc_explorer.query.question_file import read_questions


def own_questions_folder() -> Path:
    """The folder whose Turtle files hold a user's own questions; it need not be there."""
    return settings_file().with_name("questions")


def known_questions(named: Iterable[Path] = ()) -> tuple[Question, ...]:
    """All ready questions, those that ship first.

    Raises:
        DamagedQuestions, SourceNotFound, SourceUnreadable, SourceSyntaxError, UnknownFormat: a file cannot be read.
    """
    questions, problems = readable_questions(named)
    if problems:
        raise problems[0]
    return questions


def readable_questions(named: Iterable[Path] = ()) -> tuple[tuple[Question, ...], tuple[InputError, ...]]:
    """All ready questions that can be read, those that ship first; and why each of the other files is left out."""
    known = {question.name: question for question in shipped_questions()}
    problems: list[InputError] = []
    for file in (*sorted(own_questions_folder().glob("*.ttl")), *named):
        try:
            known.update({question.name: question for question in read_questions(file)})
        except InputError as problem:
            problems.append(problem)
    return tuple(known.values()), tuple(problems)
