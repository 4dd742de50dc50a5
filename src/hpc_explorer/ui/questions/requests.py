"""What the window asks about ready questions: which there are, what may stand in their blanks, and a user's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.query.question_files import (
    delete_question,
    export_question,
    import_questions,
    own_questions,
    readable_questions,
    save_question,
)
from hpc_explorer.app.query.question_saving import NamedBlank, blanks_of_text, question_of_text
from hpc_explorer.app.query.questions import OfferedChoices, offered_choices, questions_for
from hpc_explorer.app.query.run_query import start_queries
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InputError
from hpc_explorer.query.questions.library import shipped_questions
from hpc_explorer.query.questions.make_question import Blank
from hpc_explorer.query.questions.question import Parameter, Question, Value
from hpc_explorer.ui.bridge.jobs import Channel, Failed, JobsBridge

ReadableQuestions = tuple[tuple[Question, ...], tuple[InputError, ...], frozenset[str]]
"""Ready questions, why some cannot be read, and the names of a user's own."""


@dataclass(frozen=True)
class SavedBlanks:
    """What of a query could be a blank, and what questions are called already.

    Args:
        shipped, own: the names of questions that ship and of the user's own.
    """

    blanks: tuple[NamedBlank, ...]
    shipped: frozenset[str]
    own: frozenset[str]


class QuestionLibrary(QObject):
    """Asks `app` about ready questions, and changes a user's own.

    Args:
        jobs: runs the questions.

    Signals:
        changed(): a question was saved, taken in or deleted.
    """

    changed = Signal()

    def __init__(self, session: Session, jobs: JobsBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._questions, self._choices, self._blanks = (Channel(jobs) for _ in range(3))

    def drop(self) -> None:
        """Wait for no answer any more."""
        for channel in (self._questions, self._choices, self._blanks):
            channel.drop()

    def ask_questions(self, done: Callable[[ReadableQuestions], None], failed: Failed) -> None:
        """The ready questions that go with the graph, and why files of a user's own are left out."""

        def work(context: JobContext) -> ReadableQuestions:
            known, problems = readable_questions()
            found = questions_for(self._session, known, limits=context.limits)
            return tuple(one.question for one in found if one.variants), problems, frozenset(own_questions())

        self._questions.ask("Look for questions", work, done, failed)

    def ask_choices(
        self, parameter: Parameter, values: Mapping[str, Value], done: Callable[[OfferedChoices], None], failed: Failed
    ) -> None:
        """What may stand in a blank of a question, beside what stands in others."""

        def work(context: JobContext) -> OfferedChoices:
            start_queries(self._session)
            return offered_choices(self._session, parameter, values, limits=context.limits)

        self._choices.ask(f"Look for {parameter.label}", work, done, failed)

    def drop_choices(self) -> None:
        """Wait for no choices any more."""
        self._choices.drop()

    # A user's own

    def ask_blanks(self, text: str, done: Callable[[SavedBlanks], None], failed: Failed) -> None:
        """What of a query could be a blank of a question."""

        def work(context: JobContext) -> SavedBlanks:
            blanks = blanks_of_text(self._session, text, limits=context.limits)
            shipped = frozenset(question.name for question in shipped_questions())
            return SavedBlanks(blanks, shipped, frozenset(own_questions()))

        self._blanks.ask("Look for blanks", work, done, failed)

    def drop_blanks(self) -> None:
        """Wait for no blanks any more."""
        self._blanks.drop()

    def save_question(
        self,
        text: str,
        blanks: Sequence[Blank],
        *,
        name: str,
        title: str,
        words: str,
        rows_of: str,
        done: Callable[[Question], None],
        failed: Failed,
    ) -> None:
        """Save a query among the user's own questions, in place of one of the same name.

        Args:
            rows_of: the source whose rows of today are kept with it, by the name it can be opened by; empty: none are.
        """

        def work(context: JobContext) -> Question:
            question = question_of_text(
                self._session, text, blanks, name=name, title=title, words=words, rows_of=rows_of, limits=context.limits
            )
            save_question(question, replace=True)
            return question

        def tell(question: Question) -> None:
            done(question)
            self.changed.emit()

        self._blanks.ask("Save the question", work, tell, failed)

    def export_question(self, name: str, file: Path, done: Callable[[Question], None], failed: Failed) -> None:
        """Write a question into a file that can be handed on."""
        self._jobs.submit(f"Export to {file.name}", lambda context: export_question(name, file), done, failed)

    def import_questions(self, file: Path, done: Callable[[tuple[Question, ...]], None], failed: Failed) -> None:
        """Take the questions of a file among the user's own."""

        def tell(questions: tuple[Question, ...]) -> None:
            done(questions)
            self.changed.emit()

        self._jobs.submit(f"Take questions from {file.name}", lambda context: import_questions(file), tell, failed)

    def delete_question(self, name: str, done: Callable[[Question], None], failed: Failed) -> None:
        """Delete one of the user's own questions."""

        def tell(question: Question) -> None:
            done(question)
            self.changed.emit()

        self._jobs.submit("Delete the question", lambda context: delete_question(name), tell, failed)
