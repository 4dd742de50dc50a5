"""The dialog of a fix: shows its change, asks for facts that only a person knows, and confirms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QPlainTextEdit, QWidget

from hpc_explorer.app.journal.change_views import ChangeView, change_figures
from hpc_explorer.errors import InputError
from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.repairing import Ask, AskKind, Repair, filled
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.changes.change_tree import ChangeTree
from hpc_explorer.ui.widgets.dialog_parts import add_answers, add_parts, column_in, dialog_column
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.wording import counted

SIZE, LEAST = (84 * GRID, 70 * GRID), (60 * GRID, 56 * GRID)
"""The initial size, and the one in a small window."""

PAUSE = 250
"""Milliseconds between the last key and the preview of the change."""

Viewer = Callable[[ChangeSet, Callable[[ChangeView], None]], None]
"""Prepares a change for display in a job, replacing an earlier one."""


class AskLine(QWidget):
    """One question, with a line for its answer and its error.

    Attributes:
        edit: where it is typed.
    """

    changed = Signal()

    def __init__(self, ask: Ask) -> None:
        super().__init__()
        self.ask = ask
        label = Label(ask.question)
        label.setWordWrap(True)
        self.edit: QLineEdit | QPlainTextEdit | QComboBox
        if ask.choices:
            self.edit = QComboBox()
            self.edit.setEditable(ask.kind is not AskKind.CHOICE)
            self.edit.addItem("")
            for choice in ask.choices:
                self.edit.addItem(choice.label, choice.term.value)
            self.edit.currentTextChanged.connect(lambda _: self.changed.emit())
            line = self.edit.lineEdit()
            if line is not None:
                line.setPlaceholderText(f"such as {ask.example}")
        elif ask.kind in (AskKind.LONG_TEXT, AskKind.COLUMNS):
            self.edit = QPlainTextEdit()
            self.edit.setProperty("entry", True)
            self.edit.setFixedHeight(8 * GRID)
            self.edit.setTabChangesFocus(True)
            self.edit.setPlaceholderText(f"such as {ask.example}")
            self.edit.textChanged.connect(self.changed)
        else:
            self.edit = QLineEdit()
            self.edit.setPlaceholderText(f"such as {ask.example}")
            self.edit.textChanged.connect(lambda _: self.changed.emit())
        self.edit.setAccessibleName(ask.question)
        self.edit.setToolTip(plain_tip(f"{ask.kind.value}, such as {' or '.join(ask.examples)}"))
        label.setBuddy(self.edit)
        self.wrong = TextBlock("", size=SMALL, muted=True)
        self.wrong.hide()
        column = column_in(self, spacing=2)
        for part in (label, self.edit, self.wrong):
            column.addWidget(part)

    @property
    def text(self) -> str:
        """The typed entries."""
        if isinstance(self.edit, QComboBox):
            chosen = self.edit.currentData() if self.edit.currentIndex() > 0 else None
            typed = self.edit.currentText()
            return str(chosen) if chosen and typed == self.edit.itemText(self.edit.currentIndex()) else typed.strip()
        return (self.edit.text() if isinstance(self.edit, QLineEdit) else self.edit.toPlainText()).strip()

    def say_wrong(self, said: str) -> None:
        """Show the error of the answer, if any."""
        self.wrong.say(said)
        self.wrong.setVisible(bool(said))
        self.edit.setProperty("wrong", bool(said))
        self.edit.style().polish(self.edit)


class MendDialog(QDialog):
    """The dialog.

    Args:
        title: the indicator to fix, or the step of a plan.
        repairs: the possible fixes, at least one.
        viewer: prepares a change for display.
        reason: why the graph cannot be changed; None if it can.

    Attributes:
        ways: the choice among several ways.
        lines: the questions of the chosen fix.
        tree: the resulting change.
        apply: the button.

    Signals:
        confirmed(ChangeSet): make this change.
    """

    confirmed = Signal(object)

    def __init__(
        self, title: str, repairs: Sequence[Repair], viewer: Viewer, reason: str | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._title, self._repairs, self._viewer, self._reason = title, repairs, viewer, reason
        self.lines: list[AskLine] = []
        self._change: ChangeSet | None = None
        self.setWindowTitle("Fix")
        # On a small screen the window is small.
        space = parent.window().size()
        width, height = space.width() - 2 * GRID, space.height() - 4 * GRID
        self.resize(max(min(SIZE[0], width), LEAST[0]), max(min(SIZE[1], height), LEAST[1]))
        column = dialog_column(self)
        column.addWidget(TextBlock(title, weight=600))
        self.ways = QComboBox()
        self.ways.setAccessibleName("Ways to fix it")
        for one in repairs:
            self.ways.addItem(one.words)
        self.ways.setVisible(len(repairs) > 1)
        self.words, self.explanation, self.raises = TextBlock(""), TextBlock("", muted=True), TextBlock("", muted=True)
        self._asked = QWidget()
        self._questions = column_in(self._asked, spacing=GRID)
        self.tree = ChangeTree("Changes")
        self.tree.changes.show_exact(True)
        self.figures = TextBlock("", muted=True)
        self.why = QLineEdit()
        self.why.setAccessibleName("Why")
        self.why.setPlaceholderText("Why (kept in the journal)")
        for part in (self.ways, self.words, self.explanation, self.raises, self._asked):
            column.addWidget(part)
        add_parts(column, caption("Changes"), (self.tree, 1), self.figures, self.why)
        self.apply = add_answers(self, column, "Apply", self._confirm)
        self._pause = single_shot(self, PAUSE, self._look)
        self.ways.currentIndexChanged.connect(lambda _: self._show_way())
        self._show_way()

    @property
    def repair(self) -> Repair:
        """The chosen fix."""
        return self._repairs[max(0, self.ways.currentIndex())]

    @property
    def is_waiting(self) -> bool:
        """Whether the typed answers are not checked yet."""
        return self._pause.isActive()

    def _show_way(self) -> None:
        repair = self.repair
        self.words.say(repair.words)
        self.words.setVisible(len(self._repairs) == 1 and repair.words != self._title)
        self.explanation.say(repair.explanation)
        self.explanation.setVisible(bool(repair.explanation))
        names = [indicator(one).text[:1].lower() + indicator(one).text[1:] for one in repair.indicators]
        self.raises.say(f"{repair.action.value}. Raises {counted(len(names), 'indicator')}: {'; '.join(names)}")
        while (item := self._questions.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.lines = [AskLine(ask) for ask in repair.asks]
        for line in self.lines:
            line.changed.connect(self._pause.start)
            self._questions.addWidget(line)
        self._asked.setVisible(bool(self.lines))
        if self.lines:
            self.lines[0].edit.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.apply.setFocus(Qt.FocusReason.OtherFocusReason)
        self._look()

    def _look(self) -> None:
        """Check the typed answers."""
        given: dict[Ask, str] = {}
        for line in self.lines:
            said = ""
            if line.text:
                try:
                    filled(self.repair, {line.ask: line.text})
                    given[line.ask] = line.text
                except InputError as error:
                    said = f"{error.what}: {error.remedy}" if error.remedy else error.what
            line.say_wrong(said)
        self._change = filled(self.repair, given).change
        wrong = any(not line.wrong.isHidden() for line in self.lines)
        self.apply.setEnabled(self._change is not None and not wrong and self._reason is None)
        self.apply.setToolTip(plain_tip(self._reason or ""))
        if self._change is None:
            self.tree.show_changes(())
            missing = [line.ask.question for line in self.lines if not line.text]
            self.figures.say("Answer above to see the change here." if missing else "Nothing is left to change.")
        else:
            self._viewer(self._change, self._show_change)
        if self._reason is not None:
            self.figures.say(f"Cannot be changed here: {self._reason}")

    def _show_change(self, view: ChangeView) -> None:
        self.tree.show_changes(view.resources)
        if self._reason is None:
            self.figures.say(f"{change_figures(view.total, view.removed, view.added)}. It can be undone.")

    def _confirm(self) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self._look()
        if self._change is not None and self.apply.isEnabled():
            change = replace(self._change, why=" ".join(self.why.text().split()))
            self.accept()
            self.confirmed.emit(change)
