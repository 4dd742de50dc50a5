"""A ready question as a form: its text, and for each parameter a list of choices that typing narrows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QWidget

from hpc_explorer.app.query.questions import NamedChoice, OfferedChoices, is_sought, typed_value
from hpc_explorer.errors import ExplorerError
from hpc_explorer.query.questions.question import Parameter, Question, Value
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.base import CountKind
from hpc_explorer.ui.widgets.dialog_parts import add_answers, column_in, dialog_column, fit_height
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.resource_list import Index, ResourceList, ResourceRow
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL

WIDTH, WIDTH_EACH = 64 * GRID, 36 * GRID
"""The width of the form in pixels, and the minimum width of each of several parameters."""

LIST_HEIGHT = 24 * GRID

ANY = "Any"
"""Shown for a parameter without a value."""

AskChoices = Callable[
    [Parameter, Mapping[str, Value], Callable[[OfferedChoices], None], Callable[[BaseException], None]], None
]
"""Requests choices, and calls one of the two back unless a later request replaced it."""


class QuestionDialog(QDialog):
    """Asks for the parameter values of a question.

    The choices for a parameter depend on the values before it.

    Args:
        chosen: the values of the last time.
        ask: requests choices.

    Attributes:
        fields: one for each parameter, in order.
        ask_button: enabled when all required values are there.
    """

    def __init__(self, question: Question, chosen: Mapping[str, Value], ask: AskChoices, parent: QWidget) -> None:
        super().__init__(parent)
        self._before = dict(chosen)
        self._ask = ask
        self.setWindowTitle(question.title)
        self.setFixedWidth(max(WIDTH, WIDTH_EACH * len(question.parameters) + 6 * GRID))
        column = dialog_column(self)
        column.addWidget(TextBlock(question.text or question.title, weight=500))
        if question.source:
            column.addWidget(TextBlock(question.source, size=SMALL, muted=True))
        self.fields = [ChoiceField(parameter) for parameter in question.parameters]
        if self.fields:
            column.addSpacing(GRID)
            row = QHBoxLayout()
            row.setSpacing(2 * GRID)
            for number, field in enumerate(self.fields):
                row.addWidget(field, 1)
                field.chosen.connect(lambda number=number: self._load(number + 1))
                field.entered.connect(self._enter)
            column.addLayout(row, 1)
        self.ask_button = add_answers(self, column, "Ask")
        fit_height(self, column)
        self._load(0)

    @property
    def values(self) -> dict[str, Value]:
        """The parameter values; empty parameters are left out."""
        return {field.parameter.name: field.value for field in self.fields if field.value is not None}

    def _load(self, number: int) -> None:
        """Request the choices for a parameter and those after it."""
        for field in self.fields[number:]:
            field.wait()
        self._look()
        if number >= len(self.fields):
            return
        field = self.fields[number]
        before = {one.parameter.name: one.value for one in self.fields[:number] if one.value is not None}

        def show(offered: OfferedChoices) -> None:
            field.show_choices(offered, self._before.get(field.parameter.name))
            if number == 0:
                field.line.setFocus(Qt.FocusReason.OtherFocusReason)
            self._load(number + 1)

        self._ask(field.parameter, before, show, field.fail)

    def _look(self) -> None:
        self.ask_button.setEnabled(all(field.is_done for field in self.fields))

    def _enter(self) -> None:
        """Go to the next incomplete parameter, or ask the question."""
        waiting = next((field for field in self.fields if not field.is_done), None)
        if waiting is not None:
            waiting.line.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.accept()


class ChoiceField(QWidget):
    """One parameter: its name, a line to type in, and the matching choices.

    Attributes:
        value: the chosen value; None if nothing is chosen.
        line, list: the line and the choices.
        is_done: whether the choices have arrived and a required value is chosen.

    Signals:
        chosen(): the user changed the value.
        entered(): Enter was pressed on a choice.
    """

    chosen = Signal()
    entered = Signal()

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self.parameter = parameter
        self.value: Value | None = None
        self.is_done = False
        self._choices: tuple[NamedChoice, ...] = ()
        self._shown: tuple[NamedChoice | None, ...] = ()
        self._is_open = False
        self._is_free = False
        self._counted = ""
        self._title = caption("")
        self.line = FilterLine(f"Search {parameter.label}")
        self.line.setToolTip(plain_tip(parameter.description))
        self.list = _ChoiceList(parameter.label)
        self.list.setProperty("framed", True)
        self.list.setFixedHeight(LIST_HEIGHT)
        self._remark = TextBlock("", size=SMALL, muted=True)
        column = column_in(self, spacing=GRID // 2)
        for part in (self._title, self.line, self.list, self._remark):
            column.addWidget(part)
        self.line.textChanged.connect(self._follow)
        self.line.left_downwards.connect(self._enter_list)
        self.list.clicked.connect(lambda index: self._take(index.row()))
        self.list.walked.connect(self._take)
        self.list.entered.connect(self.entered)
        self._name()

    def wait(self) -> None:
        """Show that the choices are being requested."""
        self.is_done = False
        self._remark.say("Looking for choices …")

    def fail(self, error: BaseException) -> None:
        """Show that the request failed."""
        self._remark.say(str(error) if isinstance(error, ExplorerError) else f"{type(error).__name__}: {error}")

    def show_choices(self, offered: OfferedChoices, before: Value | None) -> None:
        """Show choices; the current value stays if it is still allowed.

        Args:
            before: the value of the last time.
        """
        there = [choice.value for choice in offered.choices.items]
        total = offered.choices.total
        self._is_free = self.parameter.datatype is not None and (
            self.parameter.is_free or total.kind is CountKind.UNKNOWN
        )
        wanted = [self.value, before if not self._choices and not self._is_open else None, offered.proposed]
        self.value = next((one for one in wanted if one is not None and (self._is_free or one in there)), None)
        self._choices = offered.choices.items
        self._is_open = self.parameter.is_optional
        self._counted = f"{total} to choose from" if total.kind is not CountKind.UNKNOWN else ""
        if self._is_free:
            self._counted = f"{self._counted}, or type another" if there else "Type a value."
            self.line.setPlaceholderText(f"Type or search {self.parameter.label}" if there else self.parameter.label)
            self.line.setAccessibleName(self.line.placeholderText())
        self._filter()
        self._finish()

    def _finish(self) -> None:
        self.is_done = self.value is not None or self.parameter.is_optional
        self._name()

    def _name(self) -> None:
        """Show the parameter's name and value, also for screen readers."""
        label = next((one.label for one in self._choices if one.value == self.value), "")
        if not label and isinstance(self.value, Literal):
            label = literal_text(self.value)
        value = label or (ANY if self._is_open else "")
        title = self.parameter.label[:1].upper() + self.parameter.label[1:]
        self._title.setText(f"{title}: {value}" if value else title)
        self._title.setToolTip(plain_tip(self.parameter.description))
        self.list.setAccessibleName(self._title.text())

    def _filter(self) -> None:
        """List the choices that match the typed text."""
        sought = self.line.text()
        found = self._typed(sought) + tuple(choice for choice in self._choices if is_sought(choice, sought))
        self._shown = (None, *found) if self._is_open and not sought.strip() else found
        self.list.rows.set_rows(
            tuple(
                ResourceRow(ANY, "no value", "All values at once", None)
                if choice is None
                else ResourceRow(choice.label, choice.detail, choice.value.value, choice.ref)
                for choice in self._shown
            )
        )
        at = next((row for row, one in enumerate(self._shown) if (one.value if one else None) == self.value), None)
        if at is not None and (self.value is not None or self._is_open):
            self.list.mark(at)
        if self._is_free and (not sought.strip() or found):
            self._remark.say(self._counted)
        elif self._is_free:
            self._remark.say(f"“{sought}” is not a number.")
        elif not self._choices:
            self._remark.say("There are no choices.")
        elif not found:
            self._remark.say(f"No choice matches “{sought}”.")
        else:
            self._remark.say(self._counted if len(found) == len(self._choices) else f"{len(found):,} found")

    def _follow(self) -> None:
        """Use the typed text as the value if any value is allowed and it is valid."""
        sought = self.line.text().strip()
        before = self.value
        if self._is_free and sought:
            self.value = typed_value(self.parameter, sought)
            self._finish()
        self._filter()
        if self.value != before:
            self.chosen.emit()

    def _typed(self, sought: str) -> tuple[NamedChoice, ...]:
        """The typed text, or else the current value, as an additional choice if any value is allowed."""
        if not self._is_free:
            return ()
        value = typed_value(self.parameter, sought.strip()) if sought.strip() else self.value
        if value is None or any(choice.value == value for choice in self._choices):
            return ()
        return (NamedChoice(value, literal_text(value) if isinstance(value, Literal) else value.value),)

    def _enter_list(self) -> None:
        """Move from the line to the list, and choose the first row if none is selected."""
        if self._shown:
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            if not self.list.currentIndex().isValid():
                self.list.mark(0)
                self._take(0)

    def _take(self, row: int) -> None:
        if not 0 <= row < len(self._shown):
            return
        choice = self._shown[row]
        value = None if choice is None else choice.value
        changed = value != self.value
        self.value = value
        self._finish()
        if changed:
            self.chosen.emit()


class _ChoiceList(ResourceList):
    """The choices; moving through them with the keys chooses.

    Signals:
        walked(int): the keys selected this row.
        entered(): Enter was pressed.
    """

    walked = Signal(int)
    entered = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._marking = False

    def mark(self, row: int) -> None:
        """Select a row without a signal."""
        self._marking = True
        self.setCurrentIndex(self.rows.index(row))
        self._marking = False

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and not self._marking and self.hasFocus():
            self.walked.emit(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.entered.emit()
        else:
            super().keyPressEvent(event)
