"""The SPARQL editor with highlighting, completion, checks, execution and history."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from hpc_explorer.app.query.checking import HowAnswered, QueryFault, how_answered, query_fault, update_fault
from hpc_explorer.app.query.history import QueryHistory
from hpc_explorer.app.query.other_answers import OtherAnswer, other_answer
from hpc_explorer.app.query.recall import WRITING, QueryRecall
from hpc_explorer.app.query.run_query import query_form, with_prefixes
from hpc_explorer.errors import Cancelled, ExplorerError, InputError
from hpc_explorer.query.completion.cursor_context import cursor_context_at
from hpc_explorer.query.sparql.formatting import formatted
from hpc_explorer.stores.base import Count
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.results.answer_table import AnswerTableView
from hpc_explorer.ui.results.server_dialog import ask_servers
from hpc_explorer.ui.sparql.code_edit import characters, utf16
from hpc_explorer.ui.sparql.completer import SparqlCompleter
from hpc_explorer.ui.sparql.highlighting import SparqlHighlighter
from hpc_explorer.ui.sparql.history_dialog import QueryHistoryDialog
from hpc_explorer.ui.sparql.plan_dialog import HowAnsweredDialog
from hpc_explorer.ui.sparql.text_edit import SparqlText
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, open_dialog
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.wording import counted

NOTIFIES_AFTER, CHECKS_AFTER = 250, 400
"""Milliseconds after the last key until `changed` is emitted, and until the text is checked."""

_CONTROL = Qt.KeyboardModifier.ControlModifier
_ALT = Qt.KeyboardModifier.AltModifier


class SparqlEditor(QWidget):
    """The editor with its buttons, messages, and the answers without rows.

    Attributes:
        message: the error in the text, or the answer of an ASK.

    Signals:
        changed(str): the text, shortly after the user changed it.
        run_wanted(str): a SELECT to run.
        cancel_wanted(): the running query should be stopped.
        selected(Resource), opened(Resource): a cell of an answer was selected, or its link opened.
    """

    changed = Signal(str)
    run_wanted = Signal(str)
    cancel_wanted = Signal()
    selected = Signal(object)
    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge: SessionBridge | None = None
        self._is_setting = False
        self._has_fault = False
        self._is_answering = False
        self._recall = QueryRecall()
        self.edit = SparqlText()
        self.completer = SparqlCompleter(self.edit)
        self.edit.is_answering = lambda: self._is_answering
        self.edit.setPlaceholderText("Write SPARQL here, such as  SELECT * WHERE { ?thing a ?class } LIMIT 10")
        self._colours = SparqlHighlighter(self.edit.document())
        self.setFocusProxy(self.edit)
        self.message = TextBlock("")
        self._message_box = QFrame()
        self._message_box.setObjectName("banner")
        row = QHBoxLayout(self._message_box)
        row.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        row.addWidget(self.message)
        self._message_box.hide()
        self.actions_by_name = self._made_actions()
        buttons = QWidget()
        bar = OneLine(buttons, GRID // 2)
        for action in self.actions_by_name.values():
            bar.addWidget(action_button(action, TEXT))
        self._answer: AnswerTableView | None = None
        self._parts = QSplitter(Qt.Orientation.Vertical)
        self._parts.setChildrenCollapsible(False)
        self._parts.addWidget(self.edit)
        column = column_in(self)
        head = QVBoxLayout()
        head.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        head.addWidget(buttons)
        add_parts(column, head, (self._parts, 1), self._message_box)
        self._notifying = single_shot(self, NOTIFIES_AFTER, lambda: self.changed.emit(self.text()))
        self._checking = single_shot(self, CHECKS_AFTER, self._check)
        self.edit.textChanged.connect(self._edited)
        self.edit.keys = {
            **{(_CONTROL, key): self.run for key in ENTER},
            (_CONTROL, Qt.Key.Key_Space): self.completer.complete,
            (_CONTROL | Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_X): self.format,
            (Qt.KeyboardModifier.NoModifier, Qt.Key.Key_Escape): self.cancel,
            (_CONTROL | _ALT, Qt.Key.Key_Y): self.show_history,
            (_ALT, Qt.Key.Key_Up): lambda: self._step(1),
            (_ALT, Qt.Key.Key_Down): lambda: self._step(-1),
        }

    def _made_actions(self) -> Mapping[str, QAction]:
        made: dict[str, QAction] = {}
        for title, keys, tip, does in (
            ("Run", "Ctrl+Enter", "Run the selected text, or the whole query", self.run),
            ("Format", "Ctrl+Shift+X", "Change the layout of the text without changing its meaning", self.format),
            (
                "History…",
                "Ctrl+Alt+Y",
                "Choose an earlier query; Alt+Up and Alt+Down step through them",
                self.show_history,
            ),
            (
                "Explain…",
                "",
                "What answers the query: triples, facts by column or an endpoint",
                self.explain,
            ),
        ):
            action = QAction(title, self)
            action.setToolTip(plain_tip(f"{tip} ({keys})" if keys else tip))
            action.triggered.connect(lambda _=False, does=does: does())
            made[title.rstrip("…")] = action
        return made

    @staticmethod
    def commands(written: Late[SparqlEditor], editor: Need) -> tuple[Command, ...]:
        """The commands of the editor, which need it to be visible."""
        return (
            Command("sparql.run", "Run SPARQL", "Ask", 6, "Ctrl+Return")
            .runs(written.does(SparqlEditor.run), editor)
            .about("Run the selected text in the SPARQL editor, or all of it."),
            Command("sparql.complete", "Complete SPARQL", "Ask", 6, "Ctrl+Space")
            .runs(written.does(lambda one: one.completer.complete()), editor)
            .about("Show completions at the cursor, including values."),
            Command("sparql.format", "Format SPARQL", "Ask", 6)
            .runs(written.does(SparqlEditor.format), editor)
            .about("Change the layout of the text without changing its meaning."),
            Command("sparql.comment", "Comment lines of SPARQL", "Ask", 6, "Ctrl+/")
            .runs(written.does(lambda one: one.edit.toggle_comment()), editor)
            .about("Turn the selected lines into comments, or back."),
            Command("sparql.history", "SPARQL history…", "Ask", 6)
            .runs(written.does(SparqlEditor.show_history), editor)
            .about("Choose an earlier query."),
            Command("sparql.explain", "Explain SPARQL…", "Ask", 6)
            .runs(written.does(SparqlEditor.explain), editor)
            .about("What answers the query: triples, facts by column or an endpoint."),
        )

    # The text

    def text(self) -> str:
        """The text."""
        return self.edit.toPlainText()

    def set_text(self, text: str) -> None:
        """Replace the text without a signal; Ctrl+Z restores the earlier one."""
        if text == self.text():
            return
        self._is_setting = True
        self._recall.forget_run()
        try:
            self.edit.replace_text(text)
        finally:
            self._is_setting = False
        self._notifying.stop()
        self.completer.wait()
        self.completer.hide()

    def set_session(self, bridge: SessionBridge) -> None:
        """Set the bridge for requests."""
        self._bridge = bridge
        bridge.graph_changed.connect(self._graph_changed)
        self.completer.set_session(bridge)

    def _graph_changed(self) -> None:
        self.completer.forget()
        self._checking.start()

    def _edited(self) -> None:
        if self._is_setting:
            self._checking.start()
            return
        self._recall.stand_at(WRITING)
        self.edit.set_fault(None)
        self.completer.complete_soon()
        self._notifying.start()
        self._checking.start()

    def format(self) -> None:
        """Format the text as one undo step; the cursor stays at its character."""
        text, cursor = self.text(), self.edit.cursor_place
        laid_out = formatted(text)
        if laid_out == text:
            return
        before = _letters(text[:cursor])
        self.edit.replace_text(laid_out)
        self.completer.wait()
        ends = itertools.accumulate((not letter.isspace() for letter in laid_out), initial=0)
        at = next((at for at, number in enumerate(ends) if number == before), len(laid_out))
        place = self.edit.textCursor()
        place.setPosition(utf16(laid_out, at))
        self.edit.setTextCursor(place)

    # Visibility

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._checking.stop()
        self.completer.wait()
        self.completer.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.completer.learn()
        self._checking.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.completer.place_anew()

    # Faults

    def _check(self) -> None:
        if self._bridge is None or not self.isVisible():
            return
        if self.completer.is_open:
            # Do not report errors in a token that is being completed.
            self._checking.start()
            return
        text = self.text()

        def take(fault: QueryFault | None) -> None:
            if text == self.text():
                self.show_fault(fault)

        self._bridge.run(
            lambda session: query_fault(text, session.prefixes),
            title="Check the query",
            on_result=take,
            on_error=lambda error: None,
            replaces="query fault",
        )

    def show_fault(self, fault: QueryFault | None) -> None:
        """Underline an error and show its message and position; None removes it."""
        self._has_fault, had = fault is not None, self._has_fault
        if fault is None:
            self.edit.set_fault(None)
            if had:
                self._say("")
            return
        text = self.text()
        self.edit.set_fault((fault.start, fault.end))
        line = text.count("\n", 0, fault.start) + 1
        column = fault.start - (text.rfind("\n", 0, fault.start) + 1) + 1
        self._say(f"Line {line}, column {column}: {fault.what}.")

    def _say(self, text: str, severity: str = "error") -> None:
        """Show a message below the text; the severity sets its colour."""
        self.message.say(text)
        box = self._message_box
        box.setProperty("severity", severity)
        box.style().unpolish(box)
        box.style().polish(box)
        box.setVisible(bool(text))

    # Running

    def run(self) -> None:
        """Run the selected text, or all of it: a SELECT through `run_wanted`, others here."""
        self.completer.hide()
        text = self._to_run()
        if not text.strip():
            return
        fault = update_fault(text)
        try:
            form = query_form(text) if fault is None else ""
        except InputError as error:
            self._say(f"{error.what}: {error.remedy}.".capitalize())
            return
        if fault is not None:
            self._say(f"{fault.what}.")
            return
        if self._bridge is None:
            self._ask(text, form)
        else:
            ask_servers(self._bridge, (text,), self, lambda: self._ask(text, form))

    def _ask(self, text: str, form: str) -> None:
        self._remember(text)
        self._show_answer(None)
        if form == "SELECT":
            self._notifying.stop()
            self.run_wanted.emit(text)
        elif self._bridge is not None:
            self._is_answering = True
            self._say("Running …", "info")
            self._bridge.run(
                other_answer,
                text,
                title="Answer the query",
                on_result=self._take_answer,
                on_error=self._take_failure,
                replaces="other answer",
            )

    def _to_run(self) -> str:
        """The selected text with the prefixes of the whole text, or the whole text."""
        cursor, text = self.edit.textCursor(), self.text()
        chosen = text[characters(text, cursor.selectionStart()) : characters(text, cursor.selectionEnd())]
        if not chosen.strip():
            return text
        return with_prefixes(chosen, cursor_context_at(text, len(text)).prefixes)

    def cancel(self) -> None:
        """Stop the running query."""
        if self._bridge is not None:
            self._bridge.drop("other answer")
        if self._is_answering:
            self._is_answering = False
            self._say("Stopped.", "info")
        self.cancel_wanted.emit()

    def _take_answer(self, answer: OtherAnswer) -> None:
        self._is_answering = False
        if answer.truth is not None:
            self._say("Yes." if answer.truth else "No.", "done")
            self.note_count(Count(1))
            return
        table = answer.triples
        self.note_count(Count(answer.total))
        shown = len(table.rows) if table is not None else 0
        first = f", the first {shown:,} below" if shown < answer.total else ""
        self._say(f"{counted(answer.total, 'triple')}{first}.", "done")
        self._show_answer(AnswerTableView(table) if table is not None and table.rows else None)

    def _take_failure(self, error: BaseException) -> None:
        self._is_answering = False
        if isinstance(error, Cancelled):
            self._say("Stopped.", "info")
        else:
            self._say(str(error) if isinstance(error, ExplorerError) else f"The query failed: {error}")

    def _show_answer(self, view: AnswerTableView | None) -> None:
        if self._answer is not None:
            self._answer.setParent(None)
            self._answer.deleteLater()
        self._answer = view
        if view is not None:
            view.selected.connect(self.selected)
            view.opened.connect(self.opened)
            view.setAccessibleName("Triples")
            self._parts.addWidget(view)
            self._parts.setSizes([self.height() // 2, self.height() // 2])

    def explain(self) -> None:
        """Explain what answers the query."""
        text = self._to_run()
        if self._bridge is None or not text.strip():
            return

        def show(how: HowAnswered) -> None:
            dialog = HowAnsweredDialog(how, self.window())
            open_dialog(dialog)

        self._bridge.run(
            how_answered,
            text,
            title="Explain the query",
            on_result=show,
            on_error=self._take_failure,
            replaces="how answered",
        )

    # History

    @property
    def history(self) -> QueryHistory:
        """The earlier queries."""
        return self._recall.history

    def _remember(self, text: str) -> None:
        try:
            self._recall.remember(text)
        except ExplorerError as error:
            self._say(str(error))

    def note_count(self, count: Count) -> None:
        """Record the number of rows and the duration of the latest query, until the number is exact."""
        try:
            self._recall.note_count(count)
        except ExplorerError as error:
            self._say(str(error))

    def _step(self, by: int) -> None:
        """Show the query before or after the one shown; at the end, the draft."""
        place = self._recall.place_after(by, self.text())
        if place is not None:
            self.edit.replace_text(self._recall.text_at(place))
            self.completer.wait()
            # After the replacement, which counts as typing.
            self._recall.stand_at(place)

    def show_history(self) -> None:
        """Let the user choose an earlier query."""
        dialog = QueryHistoryDialog(self.history, self.window())
        dialog.chosen.connect(self._take_from_history)
        open_dialog(dialog)

    def _take_from_history(self, text: str) -> None:
        self.edit.replace_text(text)
        self.completer.wait()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)


def _letters(text: str) -> int:
    """The number of characters that are not white space."""
    return sum(not letter.isspace() for letter in text)
