"""Ready questions in the window: which go with what is open, the form of one, and asking it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.answer import Answer
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.operations.question_answers import question_answer
from hpc_explorer.app.session import Session
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.errors import ExplorerError
from hpc_explorer.query.question import Question, Value
from hpc_explorer.ui.answers import Answers
from hpc_explorer.ui.browser import Browser
from hpc_explorer.ui.question_dialog import QuestionDialog
from hpc_explorer.ui.session_bridge import ReadableQuestions, SessionBridge

NOTHING = "No ready question goes with what is open"


class ReadyQuestions(QObject):
    """Keeps the list on what is open, and asks what is chosen.

    Args:
        theme: the colours just now.

    Signals:
        said(str): a word on what could not be done.
        failed(str, BaseException): a file of a user's own questions cannot be read; told once.
    """

    said = Signal(str)
    failed = Signal(str, object)

    def __init__(
        self, bridge: SessionBridge, browser: Browser, answers: Answers, theme: Callable[[], Theme], window: QWidget
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._browser = browser
        self._answers = answers
        self._theme = theme
        self._window = window
        self._asked: dict[str, dict[str, Value]] = {}
        self._told: tuple[str, ...] = ()
        self._nothing = NOTHING
        browser.questions.wanted.connect(self.open)
        bridge.graph_changed.connect(self._follow)

    def _follow(self) -> None:
        if self._bridge.is_empty:
            self._browser.show_questions(())
        else:
            self._bridge.ask_questions(self._show, self._cannot_tell)

    def _show(self, found: ReadableQuestions) -> None:
        questions, problems = found
        self._nothing = NOTHING
        self._browser.show_questions(questions)
        told = tuple(map(str, problems))
        if problems and told != self._told:
            self.failed.emit("Read your own questions", problems[0])
        self._told = told

    def _cannot_tell(self, error: BaseException) -> None:
        """A server that is away is told of already; why there are no questions is said to whoever looks for them."""
        self._nothing = f"It cannot be told which questions go with what is open: {error}"
        self._browser.show_questions(())
        if not isinstance(error, ExplorerError):
            self.failed.emit("Look for questions", error)

    def go_to_list(self) -> None:
        """Move the keyboard to the list, where there is one."""
        questions = self._browser.questions
        if questions.count() == 0:
            self.said.emit(self._nothing)
            return
        questions.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if questions.currentRow() < 0:
            questions.setCurrentRow(0)

    def open(self, question: Question) -> None:
        """Open the form of a question; one without blanks is asked at once."""
        if not question.parameters:
            self._ask(question, {})
            return
        dialog = QuestionDialog(
            question, self._asked.get(question.name, {}), self._bridge.ask_choices, self._theme(), self._window
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._ask(question, dialog.values))
        dialog.rejected.connect(self._bridge.drop_choices)
        dialog.open()

    def _ask(self, question: Question, values: dict[str, Value]) -> None:
        self._asked[question.name] = values

        def find(session: Session, context: JobContext) -> Answer:
            return question_answer(session, question, values, progress=context.progress, limits=context.limits)

        self._answers.ask(question.title, find)
