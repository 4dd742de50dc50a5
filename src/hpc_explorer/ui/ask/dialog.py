"""Ask in English: a line, what was understood below it, and the readings to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCompleter,
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from hpc_explorer.language.chart import Lexeme
from hpc_explorer.language.interpretation import Interpretation, Reading, Status
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.ask.word_colours import coloured, told, word_told
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column, widget_row
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, current_theme, on_theme
from hpc_explorer.ui.widgets.timers import single_shot

WIDTH, HEIGHT = 92 * GRID, 40 * GRID
PAUSE = 250
"""Milliseconds after the last key before a sentence is read."""

EXAMPLE = "Such as: AI models trained since March 2020, or: datasets without a licence"
SUGGESTED = "Suggested by a model"

_SPARQL = ("select", "prefix", "ask ", "ask{", "construct", "describe", "base")

Ask = Callable[[str, Sequence[Lexeme], Callable[[Interpretation], None]], None]
"""Reads a sentence with the meanings chosen for its words, and calls back unless a later one replaced it."""

Suggest = Callable[[str, Callable[[Interpretation], None], Callable[[], None]], None]
"""Asks a model about a sentence; calls the first back with what it proposes, or the second if that failed."""


def is_sparql(text: str) -> bool:
    """Whether a line is a SPARQL query."""
    return text.lstrip().casefold().startswith(_SPARQL)


class LastWordCompleter(QCompleter):
    """Completes the last word of a line."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__(line)
        self._line = line
        self._words: frozenset[str] = frozenset()
        self.setModel(QStringListModel(self))
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.setMaxVisibleItems(8)

    def offer(self, words: Sequence[str]) -> None:
        """Set the words, in the order in which they are offered."""
        model = self.model()
        assert isinstance(model, QStringListModel)
        model.setStringList(list(words))
        self._words = frozenset(word.casefold() for word in words)

    def splitPath(self, path: str) -> list[str]:
        """The part that is completed: two letters or more, and no whole word."""
        word = path.rpartition(" ")[2]
        return [word if len(word) > 1 and word.casefold() not in self._words else "\0"]

    def pathFromIndex(self, index) -> str:  # type: ignore[no-untyped-def]  # Qt's index
        """The line with the completed word."""
        before = self._line.text().rpartition(" ")[0]
        return f"{before} {index.data()}".lstrip()


class AskDialog(QDialog):
    """Asks a question in English.

    Args:
        ask: reads a sentence.
        suggest: asks a language model; None if the user named none.
        earlier: questions asked before, the latest last; Up and Down go through them.

    Attributes:
        line: where the sentence is typed.
        words: the sentence with the role of each word in colour; a click on a word tells its meaning.
        meaning: what the clicked word means, and what else it may mean.
        reading: what was understood, or why not.
        readings: the readings, best first.
        show_button: opens the chosen reading.
        draw_button, save_button: draw what the question matches, and save it as a ready question.
        suggest_button: asks a language model; hidden unless the user named one and the sentence is not understood.

    Signals:
        chosen(str, Reading): the question and the reading to show.
        text_chosen(str): a SPARQL query.
        draw_wanted(Reading, tuple): draw what a question matches; the meanings of its words.
        save_wanted(Reading): save a question.
        term_opened(NamedNode): a class, property or resource was clicked.
    """

    chosen = Signal(str, object)
    text_chosen = Signal(str)
    draw_wanted = Signal(object, object)
    save_wanted = Signal(object)
    term_opened = Signal(object)

    def __init__(self, ask: Ask, suggest: Suggest | None, earlier: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self._ask = ask
        self._suggest = suggest
        self._chosen: tuple[Lexeme, ...] = ()
        self._clicked: int | None = None
        self._earlier = list(earlier)
        self._place = len(self._earlier)
        self._found: Interpretation | None = None
        self._goes_on = False
        self.setWindowTitle("Ask in English")
        self.resize(WIDTH, HEIGHT)
        column = dialog_column(self)
        self.line = QLineEdit()
        self.line.setAccessibleName("Question")
        self.line.setPlaceholderText("Which AI models …")
        self.line.setClearButtonEnabled(True)
        self.completer_of_line = LastWordCompleter(self.line)
        self.line.setCompleter(self.completer_of_line)
        self.line.installEventFilter(self)
        self.words = QLabel()
        self.meaning = QLabel()
        for label, act in ((self.words, self._click), (self.meaning, self._click_meaning)):
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
            )
            label.linkActivated.connect(act)
        self.words.setAccessibleName("Words of the question")
        self.meaning.setAccessibleName("Meaning of the word")
        self.meaning.hide()
        self.reading = TextBlock(EXAMPLE, muted=True)
        self.readings = QListWidget()
        self.readings.setAccessibleName("Readings")
        self.readings.setWordWrap(True)
        self.readings.itemActivated.connect(lambda item: self._go())
        self.readings.currentRowChanged.connect(self._look)
        column.addWidget(self.line)
        column.addWidget(self.words)
        column.addWidget(self.meaning)
        column.addWidget(self.reading)
        column.addWidget(self.readings, 1)
        self.suggest_button = QPushButton("Ask the model for other words")
        self.draw_button = QPushButton("Draw in graph")
        self.save_button = QPushButton("Save as question…")
        row = widget_row(self.draw_button, self.save_button, self.suggest_button, stretch=-1)
        row.addStretch(1)
        column.addLayout(row)
        for button, act_on in (
            (self.suggest_button, self._ask_model), (self.draw_button, self._draw), (self.save_button, self._save)
        ):  # fmt: skip
            button.setAutoDefault(False)
            button.setAccessibleName(button.text())
            button.clicked.connect(act_on)
        self.suggest_button.hide()
        self.show_button = add_answers(self, column, "Show", self._go)
        self._look()
        self._pause = single_shot(self, PAUSE, self._read)
        self.line.textChanged.connect(self._typed)
        on_theme(self._look)
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down go through the earlier questions."""
        if watched is self.line and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
            popup = self.completer_of_line.popup()
            if step is not None and self._earlier and not (popup is not None and popup.isVisible()):
                self._place = min(max(self._place + step, 0), len(self._earlier))
                self.line.setText(self._earlier[self._place] if self._place < len(self._earlier) else "")
                return True
        return super().eventFilter(watched, event)

    def _typed(self, text: str) -> None:
        self._found = None
        self._goes_on = False
        self._chosen = ()
        self._clicked = None
        self.readings.clear()
        self.words.clear()
        self._tell_word()
        self.suggest_button.hide()
        self._look()
        self.show_button.setEnabled(is_sparql(text))
        if not text.strip():
            self._pause.stop()
            self.reading.say(EXAMPLE)
        elif is_sparql(text):
            self._pause.stop()
            self.reading.say("This is SPARQL. Show opens it as a query.")
        else:
            self._pause.start()

    def _read(self) -> None:
        text = self.line.text()
        self._ask(text, self._chosen, lambda found: self._show(text, found))

    def _show(self, text: str, found: Interpretation) -> None:
        if text != self.line.text():
            return
        self._found = found
        self.readings.clear()
        for reading in found.readings:
            rows = f"\n{reading.size}" if reading.size else ""
            marked = f"\n{SUGGESTED}: {reading.suggestion}" if reading.suggestion else ""
            self.readings.addItem(QListWidgetItem(f"{reading.sentence}{rows}{marked}"))
        if found.readings:
            self.readings.setCurrentRow(0)
        self.suggest_button.setVisible(self._suggest is not None and found.status is Status.REFUSED)
        self._look()
        if self._goes_on:
            self._goes_on = False
            # Words that were left out are seen first.
            if found.status is Status.UNDERSTOOD and not found.notes:
                self._go()
            elif found.readings:
                self.readings.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def selected(self) -> Reading | None:
        """The chosen reading."""
        row = self.readings.currentRow()
        if self._found is None or not 0 <= row < len(self._found.readings):
            return None
        return self._found.readings[row]

    def _look(self) -> None:
        reading = self.selected
        is_question = reading is not None and reading.query is not None
        self.show_button.setEnabled(reading is not None)
        self.draw_button.setEnabled(is_question)
        self.save_button.setEnabled(is_question)
        if self._found is None:
            return
        self.words.setText(coloured(self._found, reading, current_theme()))
        self._tell_word()
        self.reading.say(told(self._found, reading))

    def _draw(self) -> None:
        if self.selected is not None and self._found is not None:
            self.draw_wanted.emit(self.selected, self._found.meanings)
            self.accept()

    def _save(self) -> None:
        if self.selected is not None:
            self.save_wanted.emit(self.selected)
            self.accept()

    def _ask_model(self) -> None:
        text = self.line.text()
        if self._suggest is None or not text.strip():
            return
        self.suggest_button.setEnabled(False)
        self.reading.say("Asking the model …")

        def done(found: Interpretation | None = None) -> None:
            self.suggest_button.setEnabled(True)
            if found is not None:
                self._show(text, found)

        self._suggest(text, done, done)

    # The meaning of a word

    def _click(self, link: str) -> None:
        kind, _, place = link.partition(":")
        if kind == "word" and place.isdigit():
            self._clicked = int(place)
            self._tell_word()
        else:
            self._replace(link)

    def _tell_word(self) -> None:
        is_told = self._found is not None and self._clicked is not None
        self.meaning.setVisible(is_told)
        if self._found is not None and self._clicked is not None:
            self.meaning.setText(word_told(self._found, self.selected, self._clicked, self._chosen))

    def _click_meaning(self, link: str) -> None:
        kind, _, place = link.partition(":")
        if self._found is None or not place.isdigit():
            return
        if kind == "open":
            self.accept()
            self.term_opened.emit(NamedNode(self._found.meanings[int(place)].terms[0].value))
            return
        self._chosen = ()
        if kind == "mean":
            self._chosen = (self._found.meanings[int(place)].lexeme,)
        self._read()

    def _go(self) -> None:
        text = self.line.text()
        if is_sparql(text):
            self.accept()
            self.text_chosen.emit(text)
            return
        if self._found is None:
            self._goes_on = bool(text.strip())
            return
        if self._found.status is Status.AMBIGUOUS and self.line.hasFocus():
            # The first Enter goes to the readings; the next one takes the chosen reading.
            self.readings.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        reading = self.selected
        if reading is not None:
            self.accept()
            self.chosen.emit(text, reading)

    def _replace(self, link: str) -> None:
        """Take a similar word in place of an unknown one."""
        start, end, word = link.split(" ", 2)
        text = self.line.text()
        self.line.setText(text[: int(start)] + word + text[int(end) :])
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
