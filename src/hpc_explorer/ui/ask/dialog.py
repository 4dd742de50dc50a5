"""Ask in English: a line, what was understood below it, and the readings to choose from."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QDialog, QLabel, QLineEdit, QListWidget, QListWidgetItem, QWidget

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.language.reading import Interpretation, Reading, Status
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.wording import counted

WIDTH, HEIGHT = 92 * GRID, 40 * GRID
PAUSE = 250
"""Milliseconds after the last key before a sentence is read."""

EXAMPLE = "Such as: AI models trained since March 2020, or: datasets without a licence"
UNDERSTOOD = "Press Enter to see the rows."
WORKFLOW = "This is a workflow. Run it with: hpc-explorer ask SOURCE “…” --run"

_SPARQL = ("select", "prefix", "ask ", "ask{", "construct", "describe", "base")

Ask = Callable[[str, Callable[[Interpretation], None]], None]
"""Reads a sentence and calls back unless a later one replaced it."""


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
        earlier: questions asked before, the latest last; Up and Down go through them.

    Attributes:
        line: where the sentence is typed.
        words: the sentence with the role of each word in colour.
        reading: what was understood, or why not.
        readings: the readings, best first.
        show_button: opens the chosen reading.

    Signals:
        chosen(str, Reading): the question and the reading to show.
        text_chosen(str): a SPARQL query.
    """

    chosen = Signal(str, object)
    text_chosen = Signal(str)

    def __init__(self, ask: Ask, earlier: Sequence[str], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._ask = ask
        self._earlier = list(earlier)
        self._place = len(self._earlier)
        self._theme = theme
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
        self.words.setTextFormat(Qt.TextFormat.RichText)
        self.words.setWordWrap(True)
        self.words.linkActivated.connect(self._replace)
        self.reading = TextBlock(EXAMPLE, muted=True)
        self.readings = QListWidget()
        self.readings.setAccessibleName("Readings")
        self.readings.setWordWrap(True)
        self.readings.itemActivated.connect(lambda item: self._go())
        self.readings.currentRowChanged.connect(self._look)
        column.addWidget(self.line)
        column.addWidget(self.words)
        column.addWidget(self.reading)
        column.addWidget(self.readings, 1)
        self.show_button = add_answers(self, column, "Show", self._go)
        self.show_button.setEnabled(False)
        self._pause = single_shot(self, PAUSE, self._read)
        self.line.textChanged.connect(self._typed)
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
        self.show_button.setEnabled(is_sparql(text))
        self.readings.clear()
        self.words.clear()
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
        self._ask(text, lambda found: self._show(text, found))

    def _show(self, text: str, found: Interpretation) -> None:
        if text != self.line.text():
            return
        self._found = found
        self.words.setText(coloured(found, self._theme))
        self.reading.say(_told(found))
        self.readings.clear()
        for reading in found.readings:
            rows = "" if reading.rows is None else f"\n{counted(reading.rows, 'row')}"
            self.readings.addItem(QListWidgetItem(f"{reading.sentence}{rows}"))
        if found.readings:
            self.readings.setCurrentRow(0)
        self._look()
        if self._goes_on:
            self._goes_on = False
            if found.status is Status.UNDERSTOOD:
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
        self.show_button.setEnabled(reading is not None and reading.query is not None)
        if reading is not None and reading.query is None:
            self.reading.say(WORKFLOW)
        elif self._found is not None:
            self.reading.say(_told(self._found))

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
        if reading is not None and reading.query is not None:
            self.accept()
            self.chosen.emit(text, reading)

    def _replace(self, link: str) -> None:
        """Take a similar word in place of an unknown one."""
        start, end, word = link.split(" ", 2)
        text = self.line.text()
        self.line.setText(text[: int(start)] + word + text[int(end) :])
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)


def _told(found: Interpretation) -> str:
    corrected = " ".join(f"“{one.written}” was read as “{one.read}”." for one in found.corrected)
    if found.status is Status.REFUSED:
        return found.problem
    if found.status is Status.AMBIGUOUS:
        return f"{corrected} This can be read in several ways. Choose one.".strip()
    return f"{corrected} {UNDERSTOOD}".strip()


def coloured(found: Interpretation, theme: Theme) -> str:
    """The sentence as rich text: each word in the colour of its role, unknown words with similar ones as links."""
    colours = {
        "class": theme.accent, "property": theme.success, "value": theme.text, "name": theme.text,
        "comparison": theme.warning, "negation": theme.warning, "operation": theme.warning, "lineage": theme.warning,
        "column": theme.success,
    }  # fmt: skip
    roles: dict[int, str] = {}
    meanings: dict[int, str] = {}
    for lexeme in found.readings[0].lexemes if found.readings else ():
        for at in range(lexeme.start, lexeme.end):
            roles[at], meanings[at] = lexeme.role, lexeme.meaning
    unknown = {one.start: one for one in found.unknown}
    parts = []
    for at, token in enumerate(found.tokens):
        text = html.escape(token.text)
        if token.start in unknown:
            word = unknown[token.start]
            near = ", ".join(
                f'<a href="{word.start} {word.end} {html.escape(one, quote=True)}">{html.escape(one)}</a>'
                for one in word.near[:3]
            )
            asked = f" (did you mean {near}?)" if near else ""
            parts.append(f'<u style="color:{theme.error}">{text}</u>{asked}')
        elif at in roles:
            weight = "600" if roles[at] in ("value", "name") else "500"
            meaning = html.escape(meanings[at], quote=True)
            colour = colours.get(roles[at], theme.text)
            parts.append(f'<span style="color:{colour};font-weight:{weight}" title="{meaning}">{text}</span>')
        else:
            parts.append(f'<span style="color:{theme.muted}">{text}</span>')
    return " ".join(parts)
