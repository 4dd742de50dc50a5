"""Asks in English, shows the chosen reading as a query, and runs workflows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.errors import ExplorerError, UnknownResource
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.ui.bridge.commands import Command, open_graph
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import open_dialog

if TYPE_CHECKING:
    # Read when they are used, so that the window starts sooner.
    from hpc_explorer.language.chart import Lexeme
    from hpc_explorer.language.expressions import Call
    from hpc_explorer.language.interpretation import Interpretation, Reading
    from hpc_explorer.language.word_meanings import WordMeaning

READING = "read a question"
_WORDS = "words of the graph"
_MOST_EARLIER = 50


class AskController(QObject):
    """Asks in English.

    Args:
        folder: returns the folder of the last saved file.

    Signals:
        query_wanted(str, str): the SPARQL of a question, and its title.
        draw_wanted(tuple): draw these resources in the graph view.
        save_wanted(str): save this SPARQL query as a ready question.
    """

    query_wanted = Signal(str, str)
    draw_wanted = Signal(tuple)
    save_wanted = Signal(str)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        folder: Callable[[], str],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._navigator = navigator
        self._folder = folder
        self._window = window
        self._scripts_in: Path | None = None

    def commands(self) -> tuple[Command, ...]:
        """The commands that open the dialogs."""
        return (
            Command("ask.english", "Ask in English…", "Ask", 0, "Ctrl+J", "question", short="Ask in English")
            .runs(partial(self._read_grammar, self.open), open_graph(self._bridge))
            .about("Type a question in English; it becomes a query that you can change."),
            Command("ask.workflows", "Saved workflows…", "Ask", 0, "", "question")
            .runs(partial(self._read_grammar, self.open_saved), open_graph(self._bridge))
            .about("Run a workflow again that you asked for in English and saved, also on other tables."),
        )

    def _read_grammar(self, then: Callable[[], None]) -> None:
        """Read the rules of the language, which takes a fifth of a second, and go on."""
        self._bridge.jobs.import_first("hpc_explorer.app.ask.workflows", then, "Read the rules of the language")

    def ask(self, text: str) -> None:
        """Open the dialog with a sentence in its line."""
        self._read_grammar(partial(self.open, text))

    def open(self, text: str = "") -> None:
        """Open the dialog with the line."""
        from hpc_explorer.app.ask.asking import known_phrases
        from hpc_explorer.app.ask.suggesting import helper
        from hpc_explorer.app.ask.taught import chosen_readings
        from hpc_explorer.ui.ask.dialog import AskDialog

        model = self._suggest if helper() is not None else None
        earlier = list(chosen_readings())[-_MOST_EARLIER:]
        dialog = AskDialog(self._read, model, earlier, self._window)
        dialog.chosen.connect(self._show)
        dialog.text_chosen.connect(lambda text: self.query_wanted.emit(text, "SPARQL"))
        dialog.draw_wanted.connect(self._draw)
        dialog.save_wanted.connect(lambda reading: self.save_wanted.emit(sparql_text(reading.query)))
        dialog.term_opened.connect(self._navigator.open)
        dialog.finished.connect(lambda: self._bridge.drop(READING, _WORDS))
        open_dialog(dialog)
        dialog.line.setText(text)
        self._bridge.run(
            known_phrases,
            title="Read the words of the graph",
            on_result=dialog.completer_of_line.offer,
            replaces=_WORDS,
        )

    def _read(self, text: str, chosen: Sequence[Lexeme], done: Callable[[Interpretation], None]) -> None:
        from hpc_explorer.app.ask.choosing import interpret_with_tables

        self._bridge.run(
            interpret_with_tables,
            text,
            chosen,
            title="Read the question",
            on_result=done,
            replaces=READING,
        )

    def _suggest(self, text: str, done: Callable[[Interpretation], None], failed: Callable[[], None]) -> None:
        from hpc_explorer.app.ask.suggesting import suggest

        def tell(error: BaseException) -> None:
            failed()
            self._bridge.failed.emit("Ask the model", error)

        self._bridge.run(suggest, text, title="Ask the model", on_result=done, on_error=tell, replaces=READING)

    def _show(self, text: str, reading: Reading) -> None:
        from hpc_explorer.app.ask.taught import remember_choice

        try:
            remember_choice(text, reading.sentence)
        except ExplorerError as error:
            self._bridge.failed.emit("Remember the reading", error)
        if reading.query is not None:
            self.query_wanted.emit(sparql_text(reading.query), reading.sentence)
        elif reading.expression is not None:
            self.open_workflow(text, reading.expression)

    def _draw(self, reading: Reading, meanings: tuple[WordMeaning, ...]) -> None:
        from hpc_explorer.app.ask.asking import matched_resources

        def draw(found: tuple[Resource, ...]) -> None:
            if found:
                self.draw_wanted.emit(found)
            else:
                nothing = UnknownResource("the question names and finds no resource", reading.sentence, "show its rows")
                self._bridge.failed.emit("Draw in graph", nothing)

        self._bridge.run(
            matched_resources,
            reading,
            meanings,
            title="Look for what the question matches",
            on_result=draw,
            replaces="matched part of the graph",
        )

    # Workflows

    def open_saved(self) -> None:
        """Open the list of saved workflows."""
        from hpc_explorer.app.ask.workflows import saved_workflows
        from hpc_explorer.ui.ask.saved_dialog import SavedWorkflowsDialog

        dialog = SavedWorkflowsDialog(saved_workflows(), self._window)
        dialog.chosen.connect(lambda saved: self.open_workflow(saved.sentence, saved.expression))
        open_dialog(dialog)

    def open_workflow(self, sentence: str, expression: Call) -> None:
        """Show a workflow before it runs."""
        from hpc_explorer.ui.ask.workflow_dialog import WorkflowDialog

        dialog = WorkflowDialog(
            self._bridge, sentence, expression, Path(self._folder()), self._scripts_in, self._window
        )
        dialog.scripts_named.connect(self._remember_scripts)
        dialog.lineage_wanted.connect(self._show_lineage)
        open_dialog(dialog)

    def _remember_scripts(self, folder: Path) -> None:
        self._scripts_in = folder

    def _show_lineage(self, path: Path) -> None:
        """Open the record of a run, and show the lineage of the file that it saved."""
        from hpc_explorer.app.ask.running import open_record

        def show(found: NamedNode | None) -> None:
            if found is not None:
                self._navigator.trace(found, downstream=False)
            else:
                missing = UnknownResource("the record has no such file", str(path), "it was changed since: run again")
                self._bridge.failed.emit("Show its lineage", missing)

        self._bridge.run(
            open_record,
            path,
            title="Open the record of the run",
            on_result=show,
            writes=True,
        )
