"""Which ready questions there are: those that ship, a user's own in the settings folder, and files that were named.

A later one replaces an earlier one of the same name.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hpc_explorer.app.settings import settings_file
from hpc_explorer.query.library import shipped_questions
from hpc_explorer.query.question import Question
from hpc_explorer.query.question_file import read_questions


def own_questions_folder() -> Path:
    """The folder whose Turtle files hold a user's own questions; it need not be there."""
    return settings_file().with_name("questions")


def known_questions(named: Iterable[Path] = ()) -> tuple[Question, ...]:
    """All ready questions, those that ship first, and by name among themselves.

    Raises:
        DamagedQuestions, SourceNotFound, SourceUnreadable, SourceSyntaxError, UnknownFormat: a file cannot be read.
    """
    known = {question.name: question for question in shipped_questions()}
    for file in (*sorted(own_questions_folder().glob("*.ttl")), *named):
        known.update({question.name: question for question in read_questions(file)})
    return tuple(known.values())
