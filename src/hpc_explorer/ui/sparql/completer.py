"""Completion in the SPARQL editor: shows completions at the cursor, and inserts the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, Qt, QTimer
from PySide6.QtGui import QTextCursor

from hpc_explorer.app.query.completion import known_terms, more_terms
from hpc_explorer.query.completion.candidates import Completion, Completions, offered
from hpc_explorer.query.completion.cursor_context import cursor_context_at
from hpc_explorer.query.completion.edits import edits_of
from hpc_explorer.query.completion.known_terms import KnownTerms
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.sparql.code_edit import utf16
from hpc_explorer.ui.sparql.completion_popup import CompletionPopup
from hpc_explorer.ui.sparql.text_edit import SparqlText
from hpc_explorer.ui.widgets.timers import single_shot

COMPLETES_AFTER = 150
"""Milliseconds after the last key until completions are shown."""


class SparqlCompleter(QObject):
    """Shows completions below the cursor: known ones at once, and more after a request.

    Args:
        edit: the editor; its `popup` is created on first use.
    """

    def __init__(self, edit: SparqlText) -> None:
        super().__init__(edit)
        self._edit = edit
        self._bridge: SessionBridge | None = None
        self._known = KnownTerms()
        self._known_of = -1
        self._on_demand = False
        self._shown: tuple[tuple[Completion, ...], str] = (), ""
        self._soon = single_shot(self, COMPLETES_AFTER, self._complete_typed)
        edit.put_in = self._put_in
        edit.cursorPositionChanged.connect(self._moved)
        edit.left.connect(self.hide)

    @property
    def is_open(self) -> bool:
        """Whether completions are visible."""
        return self._edit.popup is not None and self._edit.popup.isVisible()

    # Known terms

    def set_session(self, bridge: SessionBridge) -> None:
        """Set the bridge for requests."""
        self._bridge = bridge
        self.learn()

    def forget(self) -> None:
        """Discard the known terms after a change of the graph."""
        self._known = KnownTerms()
        self._known_of = -1
        self.hide()
        self.learn()

    def learn(self) -> None:
        """Request the terms of the graph, if the editor is visible and they are outdated."""
        bridge = self._bridge
        if (
            bridge is None
            or not self._edit.isVisible()
            or bridge.is_empty
            or self._known_of == bridge.session.generation
        ):
            return
        self._known_of = bridge.session.generation
        bridge.run(
            known_terms,
            title="Look at classes and properties",
            on_result=self._take_known,
            on_error=lambda error: None,
            replaces="known terms",
        )

    def _take_known(self, known: KnownTerms) -> None:
        self._known = known
        if self._on_demand or self.is_open:
            self._offer(on_demand=self._on_demand)

    # Triggers

    def complete(self) -> None:
        """Show completions at the cursor, including the values of a property."""
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.learn()
        self._soon.stop()
        self._on_demand = True
        self._offer(on_demand=True)

    def complete_soon(self) -> None:
        """Show completions shortly after the last key."""
        self._soon.start()

    def wait(self) -> None:
        """Cancel pending completions."""
        self._soon.stop()

    def _complete_typed(self) -> None:
        """Show completions for a partial token at the cursor."""
        self._on_demand = False
        self.learn()
        cursor = self._edit.cursor_place
        position = cursor_context_at(self._edit.toPlainText(), cursor)
        is_written = position.typed.strip() != "" and position.end == cursor
        if not is_written or not self._edit.hasFocus():
            self.hide()
            return
        self._offer(on_demand=False)

    def hide(self) -> None:
        """Hide the completions."""
        self._on_demand = False
        if self._edit.popup is not None:
            self._edit.popup.hide()

    def _moved(self) -> None:
        popup = self._edit.popup
        if popup is None or not popup.isVisible() or not popup.completions:
            return
        if self._edit.cursor_place < popup.completions[0].start:
            popup.hide()

    # Display

    def _offer(self, *, on_demand: bool) -> None:
        text, cursor = self._edit.toPlainText(), self._edit.cursor_place
        found = offered(text, cursor, self._known)
        self._show_offered(found, on_demand)
        wants_values = on_demand and found.values is not None
        if self._bridge is not None and (found.unknown_classes or wants_values):

            def take(known: KnownTerms) -> None:
                self._known = known
                if text == self._edit.toPlainText() and cursor == self._edit.cursor_place:
                    self._show_offered(offered(text, cursor, known), on_demand)

            self._bridge.run(
                more_terms,
                self._known,
                found,
                wants_values,
                title="Look for completions",
                on_result=take,
                on_error=lambda error: None,
                replaces="completions",
            )

    def _show_offered(self, found: Completions, on_demand: bool) -> None:
        text = self._edit.toPlainText()
        shown = found.completions
        if not on_demand and len(shown) == 1 and text[shown[0].start : shown[0].end] == shown[0].text.strip():
            shown = ()
        remark = ""
        if on_demand and found.values is not None:
            remark = "Looking for values …"
        elif on_demand and not shown:
            remark = "No completions exist here" if self._known.properties else "Reading the graph …"
        elif found.left:
            remark = f"{len(shown):,} of {len(shown) + found.left:,}: type more letters"
        if not shown and not remark:
            self.hide()
            return
        self._shown = shown, remark
        self._place()

    def _place(self) -> None:
        """Place the popup at the cursor."""
        (shown, remark), edit, window = self._shown, self._edit, self._edit.window()
        if edit.popup is None or edit.popup.parentWidget() is not window:
            edit.popup = CompletionPopup(window)
            edit.popup.chosen.connect(self._put_in)
        place = edit.textCursor()
        place.setPosition(utf16(edit.toPlainText(), shown[0].start if shown else edit.cursor_place))
        line = edit.cursorRect(place)
        corner = edit.viewport().mapTo(window, line.topLeft())
        edit.popup.offer(shown, remark, QRect(corner, line.size()), window.rect())

    def place_anew(self) -> None:
        """Move the popup with the cursor after a resize."""
        if self.is_open:
            # The layout is not finished yet.
            QTimer.singleShot(0, self, self._place_again)

    def _place_again(self) -> None:
        if self.is_open:
            self._place()

    def _put_in(self, completion: Completion) -> None:
        """Insert a completion and declare its prefixes, as one undo step."""
        text = self._edit.toPlainText()
        self.hide()
        cursor = self._edit.textCursor()
        edits = edits_of(text, completion)
        cursor.beginEditBlock()
        for start, end, new in sorted(edits, reverse=True):
            cursor.setPosition(utf16(text, start))
            cursor.setPosition(utf16(text, end), QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(new)
        cursor.endEditBlock()
        at = (
            completion.start
            + sum(len(new) - (end - start) for start, end, new in edits)
            + (completion.end - completion.start)
        )
        cursor.setPosition(utf16(self._edit.toPlainText(), at))
        self._edit.setTextCursor(cursor)
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.wait()
