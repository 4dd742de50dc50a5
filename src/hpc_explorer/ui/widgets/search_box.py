"""The search box with its results below."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from hpc_explorer.app.views import SearchHit, SearchResult
from hpc_explorer.errors import ExplorerError
from hpc_explorer.ui.widgets.keys import keeps_escape
from hpc_explorer.ui.widgets.suggest_line import Suggestion, Suggestions, SuggestLine
from hpc_explorer.ui.widgets.theme import current_theme, icon, on_theme

PAUSE = 120
"""Milliseconds without a key after which what was typed is looked up."""

REMOTE_PAUSE = 250
"""The same where each search costs a server work."""

QUESTION = 3
"""A text of this many words may be a question, if nothing is called so."""

Find = Callable[[str, Callable[[SearchResult], None], Callable[[BaseException], None]], None]
"""Looks a text up and calls one of the two back, unless a later text was asked for meanwhile."""


class SearchBox(SuggestLine):
    """A line that searches the graph. Enter opens the chosen result, or the first one as soon as it arrives.

    Args:
        find: searches for a text.

    Signals:
        opened(ResourceRef): a result was chosen.
        asked(str): a text is no name but a question in English.
    """

    opened = Signal(object)
    asked = Signal(str)

    def __init__(self, find: Find, window: QWidget) -> None:
        super().__init__(self._search, parent=window, lines=2)
        self._find = find
        self._pause.setInterval(PAUSE)
        self._loupe = self.addAction(icon("search", "#808080"), QLineEdit.ActionPosition.LeadingPosition)
        self.setAccessibleName("Search")
        self.setAccessibleDescription("Type a name, a prefixed name or an IRI; arrow keys choose, Enter opens")
        self.setClearButtonEnabled(True)
        self.chosen.connect(self._open)
        self._dress()
        on_theme(self._dress)

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._loupe.setIcon(icon("search", current_theme().muted))

    def set_usable(self, usable: bool, key: QKeySequence) -> None:
        """Enable or disable the box."""
        self.setEnabled(usable)
        hint = key.toString(QKeySequence.SequenceFormat.NativeText)
        self.setPlaceholderText(f"Search names, prefixed names, IRIs   {hint}" if usable else "Nothing is open yet")
        if not usable:
            self.clear()
            self.leave_suggestions()

    def set_remote(self, remote: bool) -> None:
        """Whether each search queries a server."""
        self._pause.setInterval(REMOTE_PAUSE if remote else PAUSE)

    def look_up(self) -> None:
        """Search at once."""
        if self.text().strip():
            super().look_up()

    def _search(self, text: str, answer: Callable[[Suggestions], None]) -> None:
        def failed(error: BaseException) -> None:
            answer(Suggestions((), str(error) if isinstance(error, ExplorerError) else "The search failed"))

        self._find(text, lambda result: answer(_suggestions(text, result)), failed)

    def _open(self, one: Suggestion) -> None:
        self.clear()
        if one.ref is None:
            self.asked.emit(one.label)
        else:
            self.opened.emit(one.ref)

    def _enter(self) -> None:
        if self.text().strip() and not self.is_looking:
            self._take_first = True
            self.look_up()
        else:
            super()._enter()

    def event(self, event: QEvent) -> bool:
        return keeps_escape(event, bool(self.text())) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.is_suggesting:
            self.clear()
            self.leave_suggestions()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.selectAll()


def _suggestions(text: str, result: SearchResult) -> Suggestions:
    if not result.hits and len(text.split()) >= QUESTION:
        return Suggestions((Suggestion(text, text, "Ask in English"),), "Nothing has this name.")
    if not result.hits:
        return Suggestions((), f"Nothing is called “{text}”. Try fewer letters, or one word of the name.")
    shown, total = len(result.hits), str(result.total)
    count = f"{shown} of {total}" if total != str(shown) else f"{total} found"
    nothing = f"Nothing is called “{text}”; these are spelled alike. " if result.hits[0].similar else ""
    return Suggestions(tuple(map(_suggestion, result.hits)), nothing + count)


def _suggestion(hit: SearchHit) -> Suggestion:
    """The label with its match; if another text matched, that text too."""
    similar = "similar spelling" if hit.similar else ""
    second = " · ".join(part for part in (similar, hit.ref.kind, hit.ref.curie) if part)
    span = hit.span if hit.matched == hit.ref.label else (0, 0)
    if hit.matched not in (hit.ref.label, hit.ref.curie, hit.ref.iri):
        second = f"{second} · {hit.matched}"
    return Suggestion(hit.ref.resource, hit.ref.label, second, hit.ref, span)
