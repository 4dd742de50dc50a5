"""Opens the dialog that asks in English, and shows the chosen reading as a query."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.ask.asking import interpret, known_phrases
from hpc_explorer.app.ask.taught import remember_choice
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.errors import Cancelled, ExplorerError
from hpc_explorer.language.reading import Interpretation, Reading
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.ui.ask.dialog import AskDialog
from hpc_explorer.ui.bridge.commands import Command, open_graph
from hpc_explorer.ui.bridge.session import SessionBridge

READING = "read a question"
_MOST_EARLIER = 50


class AskController(QObject):
    """Asks in English.

    Args:
        theme: returns the current theme.

    Signals:
        query_wanted(str, str): the SPARQL of a question, and its title.
        failed(str, BaseException): an action and its error.
    """

    query_wanted = Signal(str, str)
    failed = Signal(str, object)

    def __init__(self, bridge: SessionBridge, theme: Callable[[], Theme], window: QWidget) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._theme = theme
        self._window = window
        self._earlier: list[str] = []

    def commands(self) -> tuple[Command, ...]:
        """The command that opens the dialog."""
        return (
            Command("ask.english", "Ask in English…", "Ask", 0, "", "question", short="Ask in English")
            .runs(self.open, open_graph(self._bridge))
            .about("Type a question in English; it becomes a query that you can change."),
        )

    def open(self) -> None:
        """Open the dialog."""
        dialog = AskDialog(self._read, self._earlier, self._theme(), self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self._show)
        dialog.text_chosen.connect(lambda text: self.query_wanted.emit(text, "SPARQL"))
        dialog.finished.connect(lambda: self._bridge.drop(READING, "words of the graph"))
        dialog.open()
        self._bridge.run(
            known_phrases,
            title="Read the words of the graph",
            on_result=dialog.completer_of_line.offer,
            on_error=self._tell,
            replaces="words of the graph",
        )

    def _read(self, text: str, done: Callable[[Interpretation], None]) -> None:
        self._bridge.run(
            interpret, text, title="Read the question", on_result=done, on_error=self._tell, replaces=READING
        )

    def _tell(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            self.failed.emit("Ask in English", error)

    def _show(self, text: str, reading: Reading) -> None:
        if reading.query is None:
            return
        self._earlier = [*(one for one in self._earlier if one != text), text][-_MOST_EARLIER:]
        try:
            remember_choice(text, reading.sentence)
        except ExplorerError as error:
            self.failed.emit("Remember the reading", error)
        self.query_wanted.emit(sparql_text(reading.query), reading.sentence)
