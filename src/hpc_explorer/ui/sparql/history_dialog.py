"""A dialog to choose one of the earlier queries."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from hpc_explorer.app.query.history import QueryHistory, RanQuery
from hpc_explorer.canvas.text import brief
from hpc_explorer.rdf.sparql_tokens import TokenKind, sparql_tokens
from hpc_explorer.ui.sparql.code_edit import CodeEdit
from hpc_explorer.ui.sparql.highlighting import SparqlHighlighter
from hpc_explorer.ui.widgets.dialog_parts import dialog_column
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.theme import GRID

_LONGEST_LINE = 110
_ROLE = Qt.ItemDataRole.UserRole


class QueryHistoryDialog(QDialog):
    """A search box, the matching queries, and the whole text of the selected one.

    Signals:
        chosen(str): the text of the chosen query.
    """

    chosen = Signal(str)

    def __init__(self, history: QueryHistory, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Query history")
        self._history = history
        self.box = QLineEdit()
        self.box.setPlaceholderText("Search the queries")
        self.box.setAccessibleName("Search the queries")
        self.box.setAccessibleDescription("Arrow keys select, Enter inserts the query into the editor")
        self.list = QListWidget()
        self.list.setProperty("framed", True)
        self.list.setAccessibleName("Queries")
        self.list.setSpacing(GRID // 4)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.whole = CodeEdit()
        self.whole.setReadOnly(True)
        self.whole.setAccessibleName("The selected query")
        self.whole.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.whole.setTabChangesFocus(True)
        self._colours = SparqlHighlighter(self.whole.document())
        self.remark = Label()
        self.remark.setProperty("role", "small")
        column = dialog_column(self)
        for widget, stretch in ((self.box, 0), (self.list, 3), (self.whole, 2), (self.remark, 0)):
            column.addWidget(widget, stretch)
        self.box.textChanged.connect(self._fill)
        self.box.installEventFilter(self)
        self.list.currentItemChanged.connect(self._show)
        self.list.itemClicked.connect(self._choose)
        self.resize(88 * GRID, 64 * GRID)
        self._fill("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in ENTER:
                self._choose(self.list.currentItem())
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
                self.list.keyPressEvent(event)
                return True
        return False

    def _fill(self, words: str) -> None:
        self.list.clear()
        for one in self._history.matching(words):
            item = QListWidgetItem(f"{brief(one_line(one.text), _LONGEST_LINE)}\n{outcome(one)}")
            item.setData(_ROLE, one)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        if not self.list.count():
            self.whole.setPlainText("")
            none = "There are no queries yet." if not self._history.queries else f"No query contains “{words}”."
            self.remark.setText(none)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        one: RanQuery = item.data(_ROLE)
        self.whole.setPlainText(one.text)
        self.remark.setText(outcome(one))
        self.box.setAccessibleDescription(f"{one_line(one.text)}. {outcome(one)}")

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.accept()
            self.chosen.emit(item.data(_ROLE).text)


def one_line(text: str) -> str:
    """A query on one line, without declarations and comments."""
    tokens = [token for token in sparql_tokens(text) if token.kind is not TokenKind.COMMENT]
    start = next((token.start for token in tokens if token.is_word("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")), 0)
    return " ".join("".join(token.text for token in tokens if token.start >= start).split())


def outcome(one: RanQuery) -> str:
    """The time and the result of a query."""
    try:
        when = datetime.fromisoformat(one.when).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        when = one.when
    if one.rows is None:
        return f"{when} · did not finish"
    seconds = f" in {one.seconds:.2f} s" if one.seconds is not None else ""
    form = one_line(one.text).partition(" ")[0].upper()
    if form == "ASK":
        return f"{when} · answered{seconds}"
    what = "row" if form == "SELECT" else "triple"
    return f"{when} · {one.rows} {what}{'s' * (one.rows.value != 1)}{seconds}"
