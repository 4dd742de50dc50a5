"""A ready question as a form: its text, and for each blank a list of what may stand there, narrowed by typing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from hpc_explorer.app.query.questions import NamedChoice, OfferedChoices, is_sought, typed_value
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.errors import ExplorerError
from hpc_explorer.query.questions.question import Parameter, Question, Value
from hpc_explorer.rdf.literals import literal_text
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.base import CountKind
from hpc_explorer.ui.widgets.dialog_parts import add_answers, dialog_column, fit_height
from hpc_explorer.ui.widgets.filter_line import FilterLine
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.resource_list import Index, ResourceList, ResourceRow
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, SMALL

WIDTH, WIDTH_EACH = 64 * GRID, 36 * GRID
"""Pixels of the form, and what a blank has at least where there are several."""

LIST_HEIGHT = 24 * GRID

ANY = "Any"
"""What is read where a blank is left open."""

AskChoices = Callable[
    [Parameter, Mapping[str, Value], Callable[[OfferedChoices], None], Callable[[BaseException], None]], None
]
"""Asks what may stand in a blank, and calls one of the two back unless something else was asked for since."""


class QuestionDialog(QDialog):
    """Asks for what stands in the blanks of a question.

    What may stand in a blank goes with what was chosen for those before it.

    Args:
        chosen: what stood in the blanks when the question was asked before.
        ask: where the choices come from.

    Attributes:
        fields: one for each blank, in their order.
        ask_button: usable once all is there that must be.
    """

    def __init__(
        self, question: Question, chosen: Mapping[str, Value], ask: AskChoices, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._before = dict(chosen)
        self._ask = ask
        self.setWindowTitle(question.title)
        self.setFixedWidth(max(WIDTH, WIDTH_EACH * len(question.parameters) + 6 * GRID))
        column = dialog_column(self)
        column.addWidget(TextBlock(question.text or question.title, weight=500))
        if question.source:
            column.addWidget(TextBlock(question.source, size=SMALL, muted=True))
        self.fields = [ChoiceField(parameter, theme) for parameter in question.parameters]
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
        """What stands in the blanks; those left open are not among them."""
        return {field.parameter.name: field.value for field in self.fields if field.value is not None}

    def _load(self, number: int) -> None:
        """Ask what may stand in a blank, and in those after it."""
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
        """Go to the next blank, or ask after the last."""
        waiting = next((field for field in self.fields if not field.is_done), None)
        if waiting is not None:
            waiting.line.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.accept()


class ChoiceField(QWidget):
    """One blank: what it is called, a line to type in, and the choices that fit what is typed.

    Attributes:
        parameter: the blank.
        value: what is chosen; None while nothing is, or where it is left open.
        line, list: where one types, and the choices.
        is_done: whether the choices are there and what must be chosen is.

    Signals:
        chosen(): the user chose another value, or to leave it open.
        entered(): Enter was pressed on a choice.
    """

    chosen = Signal()
    entered = Signal()

    def __init__(self, parameter: Parameter, theme: Theme) -> None:
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
        self.line.set_theme(theme)
        self.line.setToolTip(plain_tip(parameter.description))
        self.list = _ChoiceList(parameter.label)
        self.list.setProperty("framed", True)
        self.list.setFixedHeight(LIST_HEIGHT)
        self.list.rows.set_theme(theme)
        self._remark = TextBlock("", size=SMALL, muted=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        for part in (self._title, self.line, self.list, self._remark):
            column.addWidget(part)
        self.line.textChanged.connect(self._follow)
        self.line.left_downwards.connect(self._enter_list)
        self.list.clicked.connect(lambda index: self._take(index.row()))
        self.list.walked.connect(self._take)
        self.list.entered.connect(self.entered)
        self._name()

    def wait(self) -> None:
        """The choices are being asked for anew."""
        self.is_done = False
        self._remark.say("Looking for what there is …")

    def fail(self, error: BaseException) -> None:
        """The choices cannot be had."""
        self._remark.say(str(error) if isinstance(error, ExplorerError) else f"{type(error).__name__}: {error}")

    def show_choices(self, offered: OfferedChoices, before: Value | None) -> None:
        """Show what may be chosen; what is chosen stays if it still may be.

        Args:
            before: what was chosen when the question was asked before.
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
            self._counted = f"{self._counted}, or type another" if there else "Type what is asked for."
            self.line.setPlaceholderText(f"Type or search {self.parameter.label}" if there else self.parameter.label)
            self.line.setAccessibleName(self.line.placeholderText())
        self._filter()
        self._finish()

    def _finish(self) -> None:
        self.is_done = self.value is not None or self.parameter.is_optional
        self._name()

    def _name(self) -> None:
        """The blank with what stands in it, above and for screen readers."""
        label = next((one.label for one in self._choices if one.value == self.value), "")
        if not label and isinstance(self.value, Literal):
            label = literal_text(self.value)
        said = label or (ANY if self._is_open else "")
        title = self.parameter.label[:1].upper() + self.parameter.label[1:]
        self._title.setText(f"{title}: {said}" if said else title)
        self._title.setToolTip(plain_tip(self.parameter.description))
        self.list.setAccessibleName(self._title.text())

    def _filter(self) -> None:
        """List the choices that fit what is typed."""
        sought = self.line.text()
        found = self._typed(sought) + tuple(choice for choice in self._choices if is_sought(choice, sought))
        self._shown = (None, *found) if self._is_open and not sought.strip() else found
        self.list.rows.set_rows(
            tuple(
                ResourceRow(ANY, "leave it open", "All values at once", None)
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
            self._remark.say(f"“{sought}” is no number.")
        elif not self._choices:
            self._remark.say("There is nothing to choose from.")
        elif not found:
            self._remark.say(f"None is called “{sought}”.")
        else:
            self._remark.say(self._counted if len(found) == len(self._choices) else f"{len(found):,} found")

    def _follow(self) -> None:
        """What is typed stands in the blank at once, where anything may; where it cannot, nothing does."""
        sought = self.line.text().strip()
        before = self.value
        if self._is_free and sought:
            self.value = typed_value(self.parameter, sought)
            self._finish()
        self._filter()
        if self.value != before:
            self.chosen.emit()

    def _typed(self, sought: str) -> tuple[NamedChoice, ...]:
        """What is typed, as a choice of its own where anything may stand there; if nothing is, what stands there."""
        if not self._is_free:
            return ()
        value = typed_value(self.parameter, sought.strip()) if sought.strip() else self.value
        if value is None or any(choice.value == value for choice in self._choices):
            return ()
        return (NamedChoice(value, literal_text(value) if isinstance(value, Literal) else value.value),)

    def _enter_list(self) -> None:
        """From the line into the list: the first choice is chosen, unless one that is in sight already is."""
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
    """The choices; walking through them with the keys chooses.

    Signals:
        walked(int): the keys led to this row.
        entered(): Enter was pressed.
    """

    walked = Signal(int)
    entered = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._marking = False

    def mark(self, row: int) -> None:
        """Mark a row as the chosen one; nobody is told."""
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
