"""Ready questions in the window: the list for the open graph, the form of a question, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from hpc_explorer.app.query.question_answers import question_answer
from hpc_explorer.app.query.question_files import delete_question, export_question, import_questions
from hpc_explorer.app.query.questions import FittingQuestions, OfferedChoices, fitting_questions, offered_choices
from hpc_explorer.errors import ExplorerError
from hpc_explorer.query.questions.question import Parameter, Question, Value
from hpc_explorer.ui.bridge.commands import Command, open_graph
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.explore.browser import Browser
from hpc_explorer.ui.questions.dialog import QuestionDialog
from hpc_explorer.ui.questions.save_dialog import SaveQuestionDialog
from hpc_explorer.ui.results.answers import Answers
from hpc_explorer.ui.results.server_dialog import ask_servers
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column, fit_height, open_dialog
from hpc_explorer.ui.widgets.file_dialog import SaveDialog
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID

NOTHING = "No ready question fits the open graph"


class QuestionsController(QObject):
    """Keeps the list of questions up to date, and asks the chosen one."""

    def __init__(self, bridge: SessionBridge, browser: Browser, answers: Answers, window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._browser = browser
        self._answers = answers
        self._window = window
        self._asked: dict[str, dict[str, Value]] = {}
        self._nothing = NOTHING
        browser.questions.wanted.connect(self.open)
        browser.questions.export_wanted.connect(self._export)
        browser.questions.delete_wanted.connect(self._delete)
        browser.questions.import_wanted.connect(self._import)
        bridge.graph_changed.connect(self._follow)

    def _follow(self) -> None:
        if self._bridge.is_empty:
            self._browser.show_questions(())
        else:
            self._bridge.run(
                fitting_questions,
                title="Look for questions",
                on_result=self._show,
                on_error=self._fail,
                replaces="ready questions",
            )

    def _show(self, found: FittingQuestions) -> None:
        self._nothing = NOTHING
        self._browser.show_questions(found.questions, "\n".join(map(str, found.problems)), found.own)

    def _fail(self, error: BaseException) -> None:
        """Keep the reason for the empty list; a server error was reported before."""
        self._nothing = f"The questions for what is open could not be found: {error}"
        self._browser.show_questions(())
        if not isinstance(error, ExplorerError):
            self._bridge.failed.emit("Look for questions", error)

    def commands(self) -> tuple[Command, ...]:
        """The command to go to the list."""
        return (
            Command("go.questions", "Ready questions", "Go", 1, "", "question")
            .runs(self.go_to_list, open_graph(self._bridge))
            .about("Choose a question for the open graph, and fill in its parameters."),
        )

    def go_to_list(self) -> None:
        """Move the keyboard focus to the list."""
        questions = self._browser.questions
        if questions.count() == 0:
            self._bridge.said.emit(self._nothing)
            return
        questions.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if questions.currentRow() < 0:
            questions.setCurrentRow(0)

    def go_to(self, start: str) -> None:
        """Select the first question whose name begins with a text."""
        if self._browser.questions.choose(start):
            self.go_to_list()
        else:
            self._bridge.said.emit(self._nothing)

    def open(self, question: Question) -> None:
        """Open the form of a question, or ask it at once if it has no parameters.

        If it queries other servers, the user has to allow them first.
        """
        choices = (parameter.choices for parameter in question.parameters)
        queries = (*(variant.select for variant in question.variants), *filter(None, choices))
        texts = [query.whole for query in queries]
        ask_servers(self._bridge, texts, self._window, lambda: self._open(question))

    def _open(self, question: Question) -> None:
        if not question.parameters:
            self._ask(question, {})
            return
        dialog = QuestionDialog(question, self._asked.get(question.name, {}), self._ask_choices, self._window)
        dialog.accepted.connect(lambda: self._ask(question, dialog.values))
        dialog.rejected.connect(lambda: self._bridge.drop("choices"))
        open_dialog(dialog)

    def _ask_choices(
        self, parameter: Parameter, values: Mapping[str, Value], done: Callable[[OfferedChoices], None], failed: Failed
    ) -> None:
        self._bridge.run(
            offered_choices,
            parameter,
            values,
            title=f"Look for {parameter.label}",
            on_result=done,
            on_error=failed,
            replaces="choices",
        )

    def _ask(self, question: Question, values: dict[str, Value]) -> None:
        self._asked[question.name] = values
        self._answers.ask(question.title, partial(question_answer, question=question, values=values))

    # The user's own questions

    def save(self, text: str) -> None:
        """Open the dialog that saves a query as a question."""
        dialog = SaveQuestionDialog(self._bridge, text, self._window)
        dialog.saved.connect(self._saved)
        open_dialog(dialog)

    def _saved(self, question: Question) -> None:
        self._bridge.said.emit(f"Saved the question “{question.title}”")
        self._follow()

    def _export(self, question: Question) -> None:
        dialog = SaveDialog("Export question", Path.home() / f"{question.name}.ttl", self._window)

        def write() -> None:
            path = dialog.path
            self._bridge.jobs.run(
                export_question,
                question.name,
                path,
                title=f"Export to {path.name}",
                on_result=lambda _: self._bridge.said.emit(f"{question.title} is in {path}"),
            )

        dialog.accepted.connect(write)
        open_dialog(dialog)

    def _import(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Import questions", str(Path.home()), "Turtle (*.ttl)")
        if chosen:
            self.take(Path(chosen))

    def take(self, file: Path) -> None:
        """Import the questions of a file."""

        def tell(questions: tuple[Question, ...]) -> None:
            titles = ", ".join(question.title for question in questions[:3])
            more = f" and {len(questions) - 3} more" if len(questions) > 3 else ""
            self._bridge.said.emit(f"Imported: {titles}{more}")
            self._follow()

        self._bridge.jobs.run(
            import_questions,
            file,
            title=f"Import questions from {file.name}",
            on_result=tell,
        )

    def _delete(self, question: Question) -> None:
        dialog = DeleteQuestionDialog(question, self._window)

        def tell(_: Question) -> None:
            self._bridge.said.emit(f"{question.title} is deleted")
            self._follow()

        dialog.accepted.connect(
            lambda: self._bridge.jobs.run(
                delete_question,
                question.name,
                title="Delete the question",
                on_result=tell,
            )
        )
        open_dialog(dialog)


class DeleteQuestionDialog(QDialog):
    """Asks for confirmation before one of the user's own questions is deleted."""

    def __init__(self, question: Question, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Delete question")
        self.setFixedWidth(56 * GRID)
        column = dialog_column(self)
        column.addWidget(TextBlock(question.title, weight=500))
        column.addWidget(TextBlock("It is deleted from your questions permanently. Exported copies stay."))
        column.addSpacing(GRID)
        self.delete = add_answers(self, column, "Delete")
        fit_height(self, column)
