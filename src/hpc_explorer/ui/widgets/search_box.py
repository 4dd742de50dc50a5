"""The search box with its results below."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from hpc_explorer.app.views import ResourceRef, SearchHit, SearchResult
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.errors import ExplorerError
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.keys import ENTER, keeps_escape
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.resource_list import ResourceList, ResourceRow, row_of
from hpc_explorer.ui.widgets.theme import GRID, icon
from hpc_explorer.ui.widgets.timers import single_shot

PAUSE = 120
"""Milliseconds without a key after which what was typed is looked up."""

REMOTE_PAUSE = 250
"""The same where each search costs a server work."""

MOST_ROWS = 10
"""How many results are in sight at once; the others are scrolled to."""

Find = Callable[[str, Callable[[SearchResult], None], Callable[[BaseException], None]], None]
"""Looks a text up and calls one of the two back, unless a later text was asked for meanwhile."""


class SearchBox(QLineEdit):
    """A text line with search results below it.

    Arrow keys move through the results while the line keeps the focus; Enter opens the chosen one.

    Args:
        find: searches for a text.
        window: the window that shows the results above its other widgets.

    Signals:
        opened(ResourceRef): a result was chosen.
        given_up(): the search was cancelled.
    """

    opened = Signal(object)
    given_up = Signal()

    def __init__(self, find: Find, window: QWidget) -> None:
        super().__init__(window)
        self._find = find
        self._asked = ""
        self._answered = ""
        self._open_first = False
        self.results = SearchResults(window)
        self.results.list.opened.connect(self._open)
        self._pause = single_shot(self, PAUSE, self.look_up)
        self._loupe = self.addAction(icon("search", "#808080"), QLineEdit.ActionPosition.LeadingPosition)
        self.setAccessibleName("Search")
        self.setAccessibleDescription("Type a name, a prefixed name or an IRI; arrow keys choose, Enter opens")
        self.setClearButtonEnabled(True)
        self.setAcceptDrops(False)  # a file dropped here is for the window
        self.textEdited.connect(self._typed)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._loupe.setIcon(icon("search", theme.muted))
        self.results.list.rows.set_theme(theme)

    def set_usable(self, usable: bool, key: QKeySequence) -> None:
        """Enable or disable the box."""
        self.setEnabled(usable)
        hint = key.toString(QKeySequence.SequenceFormat.NativeText)
        self.setPlaceholderText(f"Search names, prefixed names, IRIs   {hint}" if usable else "Nothing is open yet")
        if not usable:
            self.clear()
            self._stop()

    def set_remote(self, remote: bool) -> None:
        """Whether each search queries a server."""
        self._pause.setInterval(REMOTE_PAUSE if remote else PAUSE)

    def _typed(self, text: str) -> None:
        self._open_first = False
        if text.strip():
            self._give_up()
            self._pause.start()
        else:
            self._stop()

    def _stop(self) -> None:
        """Cancel the search and hide the results."""
        self._pause.stop()
        self._give_up()
        self.results.hide()

    def _give_up(self) -> None:
        if self._asked:
            self._asked = ""
            self.given_up.emit()

    def look_up(self) -> None:
        """Search at once."""
        self._pause.stop()
        self._asked = self.text().strip()
        if self._asked:
            self._find(self._asked, self._show, self._fail)

    def _is_wanted(self) -> bool:
        return bool(self._asked) and self._asked == self.text().strip()

    def _show(self, result: SearchResult) -> None:
        if not self._is_wanted():
            return
        self._answered = self._asked
        if self._open_first and result.hits:
            self._open(result.hits[0].ref)
            return
        if self.hasFocus():
            self.results.show_result(self._answered, result, self)

    def _fail(self, error: BaseException) -> None:
        if not self._is_wanted():
            return
        self._answered = self._asked
        self.results.show_message(str(error) if isinstance(error, ExplorerError) else "The search failed", self)

    def _enter(self) -> None:
        """Open the chosen result, or the first one as soon as it arrives."""
        current = self.results.list.currentIndex()
        if self.text().strip() == self._answered and self.results.isVisible():
            self.results.list.open_row(current if current.isValid() else self.results.list.rows.index(0))
        elif self.text().strip():
            self._open_first = True
            self.look_up()

    def _open(self, ref: ResourceRef) -> None:
        self._open_first = False
        self._stop()
        self.clear()
        self.opened.emit(ref)

    def event(self, event: QEvent) -> bool:
        return keeps_escape(event, bool(self.text()) or self.results.isVisible()) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in ENTER:
            self._enter()
        elif key == Qt.Key.Key_Escape:
            if not self.results.isVisible():
                self.clear()
            self._stop()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            if self.results.isVisible():
                self.results.walk(key)
                self.setAccessibleDescription(self.results.current_text())
            elif self.text().strip():
                self.look_up()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.results.hide()


class SearchResults(QFrame):
    """The list of results below the box."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("popup")
        self.setAutoFillBackground(True)
        self.list = ResourceList("Search results", lines=2, parent=self)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._remark = Label(parent=self)
        self._remark.setProperty("role", "small")
        self._remark.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        self._remark.setWordWrap(True)
        layout = column_in(self, 1, GRID // 2, 1, GRID // 2)
        layout.addWidget(self.list)
        layout.addWidget(self._remark)
        window.installEventFilter(self)
        self.hide()

    def show_result(self, text: str, result: SearchResult, box: QWidget) -> None:
        """Show the results of a text."""
        self.list.rows.set_rows(tuple(_row(hit) for hit in result.hits))
        if not result.hits:
            self.show_message(f"Nothing is called “{text}”. Try fewer letters, or one word of the name.", box)
            return
        self.list.setCurrentIndex(self.list.rows.index(0))
        shown, total = len(result.hits), str(result.total)
        count = f"{shown} of {total}" if total != str(shown) else f"{total} found"
        nothing = f"Nothing is called “{text}”; these are spelled alike. " if result.hits[0].similar else ""
        self._remark.setText(nothing + count)
        height = min(shown, MOST_ROWS) * self.list.sizeHintForRow(0)
        self.list.setFixedHeight(height)
        self.list.show()
        self._place(box)

    def show_message(self, text: str, box: QWidget) -> None:
        """Show a message instead of results."""
        self.list.rows.set_rows(())
        self.list.hide()
        self._remark.setText(text)
        self._place(box)

    @property
    def remark(self) -> str:
        """The note below the results, or the message."""
        return self._remark.text()

    def walk(self, key: int) -> None:
        """Move to another result; wraps around."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: MOST_ROWS, Qt.Key.Key_PageUp: -MOST_ROWS}
        count = self.list.rows.rowCount()
        if count:
            row = self.list.currentIndex().row() + step[Qt.Key(key)]
            row = row % count if abs(step[Qt.Key(key)]) == 1 else max(0, min(row, count - 1))
            self.list.setCurrentIndex(self.list.rows.index(row))

    def current_text(self) -> str:
        """The chosen result for screen readers."""
        index: QModelIndex = self.list.currentIndex()
        return str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.hide()
        return False

    def _place(self, box: QWidget) -> None:
        corner = box.mapTo(self._window, QPoint(0, box.height() + 4))
        self.setFixedWidth(max(box.width(), 40 * GRID))
        self.move(corner)
        self.show()
        self.adjustSize()
        self.raise_()


def _row(hit: SearchHit) -> ResourceRow:
    """The label with its match; if another text matched, that text too."""
    similar = "similar spelling" if hit.similar else ""
    second = " · ".join(part for part in (similar, hit.ref.kind, hit.ref.curie) if part)
    if hit.matched == hit.ref.label:
        return row_of(hit.ref, second, hit.span)
    return row_of(hit.ref, f"{second} · {hit.matched}" if hit.matched not in (hit.ref.curie, hit.ref.iri) else second)
