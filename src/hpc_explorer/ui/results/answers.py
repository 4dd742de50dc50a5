"""Asks the questions whose answers have a tab: runs them in a thread, shows, saves and repeats them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.export.choices import file_stem
from hpc_explorer.app.results.answer import Answer
from hpc_explorer.app.results.answer_files import DOCUMENT_SUFFIXES, write_answer
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.results.answer_tab import AnswerTab
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import open_dialog
from hpc_explorer.ui.widgets.file_dialog import SaveDialog

Question = Callable[[Session], Answer]
"""Finds an answer; an operation for `SessionBridge.run`."""

_KINDS = {".csv": "CSV", ".json": "JSON", ".md": "Markdown", ".jsonld": "JSON-LD", ".zip": "RO-Crate"}


class Answers(QObject):
    """Asks questions, and shows the latest answer in the tab.

    Args:
        tab: shows the latest answer.
        recipes: shows how the resource of a page was made; its answer is saved and copied by the same commands.
        folder: returns the folder that file dialogs start in.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        tab: AnswerTab,
        recipes: AnswerTab,
        navigator: Navigator,
        banner: Banner,
        folder: Callable[[], str],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._tab, self._recipes = tab, recipes
        self._navigator = navigator
        self._banner = banner
        self._folder = folder
        self._window = window
        self._asked: tuple[str, Question] | None = None
        self._waiting = False
        for one in (tab, recipes):
            one.selected.connect(navigator.select)
            one.opened.connect(navigator.open)
        tab.again_wanted.connect(self.ask_again)
        bridge.graph_changed.connect(self._graph_changed)

    @property
    def tab(self) -> AnswerTab:
        """The tab in sight, or that of the latest answer."""
        return self._recipes if self._navigator.place.view is View.REPRODUCE else self._tab

    def commands(self) -> tuple[Command, ...]:
        """The commands for the answer."""
        answer = Need("an answer", lambda: self.tab.answer is not None)
        rows = Need("an answer with a table or a plot", lambda: _has_rows(self.tab.answer))
        documents = Need("an answer that can be saved as JSON-LD and RO-Crate", lambda: _has_documents(self.tab.answer))
        return (
            *(
                Command(
                    f"answer.save{suffix.replace('.', ':')}",
                    f"Save answer as {name}…",
                    "File/Save answer",
                    2,
                    short=f"Save as {name}…",
                )
                .runs(partial(self.save, suffix), needs)
                .about(f"Write {what} to a file.")
                for suffix, name, what, needs in (
                    (".csv", "CSV", "the first table of the answer, or the values of its plot,", rows),
                    (".json", "JSON", "the whole answer, for other programs,", answer),
                    (".md", "Markdown", "the whole answer, for reading,", answer),
                    (".jsonld", "JSON-LD", "the statements behind the answer", documents),
                    (".zip", "RO-Crate", "how to reproduce it, as a Workflow Run RO-Crate,", documents),
                )
            ),
            Command("answer.copy", "Copy answer", "Edit", 2, "", short="Copy")
            .runs(self.copy, answer)
            .about("Copy the whole answer as Markdown."),
            Command("answer.iris", "IRIs in answers", "View", 3, "", short="IRIs")
            .runs(self.toggle_iris, answer)
            .marked(lambda: self.tab.with_iris)
            .about("Show IRIs instead of labels in the tables of an answer."),
        )

    def ask(self, title: str, question: Question) -> None:
        """Show the tab, and ask a question.

        Args:
            title: the title of the job, such as "What it reached".
        """
        self._asked = (title, question)
        self._tab.show_progress(title)
        self._navigator.show_view(View.ANSWER)
        self._bridge.updated.emit()
        self._find(title, question)

    def _find(self, title: str, question: Question) -> None:
        self._waiting = True
        if "numpy" not in sys.modules:
            # Plots are drawn with it, and loading it takes 0.1 s: not on the window's thread.
            self._bridge.jobs.run(partial(import_module, "numpy"), title="Prepare plots")
        self._bridge.run(
            question,
            title=title,
            on_result=self._show,
            on_error=lambda error: self._failed(title, error),
            replaces="answer",
        )

    def ask_again(self) -> None:
        """Repeat the last question."""
        if self._asked is not None:
            self.ask(*self._asked)

    def show(self, answer: Answer) -> None:
        """Show the tab with an existing answer."""
        self._bridge.drop("answer")
        self._asked = None
        self._navigator.show_view(View.ANSWER)
        self._show(answer)

    def save(self, suffix: str) -> None:
        """Show a file dialog, and write the answer.

        Args:
            suffix: .csv, .json, .md, or that of one of its documents.
        """
        answer = self.tab.answer
        if answer is None:
            return
        proposed = Path(self._folder()) / f"{file_stem(answer.title)}{suffix}"
        dialog = SaveDialog(f"Save answer as {_KINDS[suffix]}", proposed, self._window)
        dialog.accepted.connect(lambda: self.write(answer, dialog.path))
        open_dialog(dialog)

    def write(self, answer: Answer, path: Path) -> None:
        """Write an answer in the format of the file's suffix."""
        title = f"Save {path.name}"
        self._bridge.jobs.run(
            write_answer,
            answer,
            path,
            title=title,
            on_result=lambda written: self._written(written.absolute()),
        )

    def copy(self) -> None:
        """Copy the answer as Markdown."""
        self.tab.copy()
        self._bridge.said.emit("Copied the answer as Markdown")

    def toggle_iris(self) -> None:
        """Switch the tables between IRIs and labels."""
        self.tab.show_iris(not self.tab.with_iris)

    def _show(self, answer: Answer) -> None:
        self._waiting = False
        self._tab.show_answer(answer)
        if self._navigator.place.view is View.ANSWER:
            self._tab.take_focus()
        self._bridge.updated.emit()

    def _failed(self, title: str, error: BaseException) -> None:
        self._waiting = False
        if isinstance(error, Cancelled):
            self._tab.show_nothing()
        else:
            self._tab.show_error(title, error)
        self._bridge.updated.emit()

    def _written(self, path: Path) -> None:
        folder = QUrl.fromLocalFile(str(path.parent))
        self._banner.show_done("Saved the answer", str(path), "Show in folder", lambda: _open(folder))
        self._bridge.wrote_to.emit(str(path.parent))

    def _graph_changed(self) -> None:
        if self._bridge.is_empty:
            self._bridge.drop("answer")
            self._asked, self._waiting = None, False
            self._tab.show_nothing()
            self._bridge.updated.emit()
        elif self._waiting and self._asked is not None:
            self._find(*self._asked)  # the request was dropped, or used the old graph
        else:
            self._tab.mark_outdated()


def _has_rows(answer: Answer | None) -> bool:
    return answer is not None and bool(answer.tables or answer.plots)


def _has_documents(answer: Answer | None) -> bool:
    return answer is not None and {one.suffix for one in answer.documents} >= set(DOCUMENT_SUFFIXES)


def _open(folder: QUrl) -> None:
    QDesktopServices.openUrl(folder)
