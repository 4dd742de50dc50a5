"""A person's answer to one indicator: a level from 0 to 4 as a row of buttons, a note, and the person's name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from hpc_explorer.fair import scoring
from hpc_explorer.fair.scoring import Decided
from hpc_explorer.fair.values import Answer, Level, Verdict
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.plain import Label
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID

LEVELS = {
    Level.NOT_APPLICABLE: "Not applicable",
    Level.NOT_CONSIDERED: "Not considered",
    Level.PLANNED: "Planned",
    Level.IN_IMPLEMENTATION: "In implementation",
    Level.IMPLEMENTED: "Implemented",
}
"""The levels in words."""

NOTE, REASON = "Note", "Reason (needed)"
"""The placeholder of the line for the note."""


@dataclass(frozen=True)
class Given:
    """The filled-in form."""

    level: Level
    note: str
    who: str


def goes_against(one: Decided, level: Level) -> bool:
    """Whether an answer of this level contradicts the test."""
    return scoring.goes_against(one.finding, Answer(one.indicator.id, level, "", "", datetime.now(UTC)))


class AnswerForm(QWidget):
    """The form. A click on a level keeps the answer at once, unless it needs a reason.

    Attributes:
        levels: a button for each level.
        note, who: the lines to fill in.
        save, withdraw: the buttons below.

    Signals:
        given(Given): keep this answer.
        withdrawn(): take the answer back.
    """

    given = Signal(object)
    withdrawn = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._one: Decided | None = None
        self.question = TextBlock("", muted=True)
        row = QWidget()
        flow = FlowLayout(row, GRID // 2)
        self._group = QButtonGroup(self)
        self.levels: dict[Level, QToolButton] = {}
        for level, words in LEVELS.items():
            button = QToolButton()
            button.setText(f"{int(level)}  {words}")
            button.setCheckable(True)
            button.setProperty("labelled", True)
            button.setAccessibleName(f"Level {int(level)}: {words.lower()}")
            self._group.addButton(button, int(level))
            flow.addWidget(button)
            self.levels[level] = button
        self.against = TextBlock("")
        self.note, self.who = QLineEdit(), QLineEdit()
        self.note.setAccessibleName("Note")
        self.who.setAccessibleName("Who answers")
        self.who.setPlaceholderText("Who")
        by = Label("Answered by")
        by.setProperty("role", "muted")
        by.setBuddy(self.who)
        named = QHBoxLayout()
        named.setSpacing(GRID)
        named.addWidget(by)
        named.addWidget(self.who, 1)
        self.save, self.withdraw = QPushButton("Keep"), QPushButton("Take the answer back")
        below = QWidget()
        buttons = FlowLayout(below, GRID)
        buttons.addWidget(self.save)
        buttons.addWidget(self.withdraw)
        column = column_in(self, spacing=GRID)
        add_parts(column, caption("Your answer"), self.question, row, self.against, self.note, named, below)
        self._group.idToggled.connect(lambda *_: self._look())
        self._group.idClicked.connect(lambda _: self._give())
        self.note.textChanged.connect(lambda _: self._look())
        self.who.textChanged.connect(lambda _: self._look())
        self.note.returnPressed.connect(self._give)
        self.who.returnPressed.connect(self._give)
        self.save.clicked.connect(self._give)
        self.withdraw.clicked.connect(self.withdrawn)

    @property
    def level(self) -> Level | None:
        """The level that is chosen."""
        number = self._group.checkedId()
        return None if number < 0 else Level(number)

    @property
    def is_typed(self) -> bool:
        """Whether there are unsaved entries."""
        return self.level is not None and not self._is_kept()

    def show_indicator(self, one: Decided, who: str) -> None:
        """Show the answer to another indicator.

        Args:
            who: the proposed name if nobody has answered yet.
        """
        same = self._one is not None and self._one.indicator.id == one.indicator.id
        if same and self._one is not None and self._one.answer == one.answer and self.is_typed:
            self._one = one
            self._look()
            return  # keep what the user typed
        self._one = one
        self._group.setExclusive(False)
        for level, button in self.levels.items():
            button.setChecked(one.answer is not None and one.answer.level is level)
        self._group.setExclusive(True)
        self.note.setText("" if one.answer is None else one.answer.note)
        self.who.setText(who if one.answer is None else one.answer.who)
        for line in (self.note, self.who):
            line.setCursorPosition(0)
        self.question.say(_question(one))
        self._look()

    def take_keyboard(self) -> None:
        """Focus the chosen level, or the first."""
        level = self.level or Level.NOT_APPLICABLE
        self.levels[level].setFocus(Qt.FocusReason.OtherFocusReason)

    def _look(self) -> None:
        """Update the buttons."""
        one, level = self._one, self.level
        against = one is not None and level is not None and goes_against(one, level)
        self.note.setPlaceholderText(REASON if against else NOTE)
        self.note.setProperty("wrong", against and not self.note.text().strip())
        self.note.style().polish(self.note)
        self.against.setVisible(against)
        if against and one is not None:
            said = "reached" if one.finding.verdict is Verdict.PASS else "not reached"
            self.against.say(
                f"The test says {said}. Your answer counts in its place if you give the reason; the report lists it."
            )
        self.save.setEnabled(level is not None and not (against and not self.note.text().strip()))
        self.save.setEnabled(self.save.isEnabled() and not self._is_kept())
        self.save.setVisible(self.is_typed)
        self.withdraw.setVisible(one is not None and one.answer is not None)

    def _is_kept(self) -> bool:
        kept: Answer | None = self._one.answer if self._one is not None else None
        if kept is None:
            return False
        return (kept.level, kept.note, kept.who) == (self.level, self.note.text().strip(), self.who.text().strip())

    def _give(self) -> None:
        level = self.level
        if level is not None and self.save.isEnabled():
            self.given.emit(Given(level, self.note.text().strip(), self.who.text().strip()))


def _question(one: Decided) -> str:
    """The question to the person."""
    if not one.indicator.decider.is_automatic:
        if one.finding.verdict is Verdict.PASS:
            return "The graph suggests yes. Only a person can say so: Implemented earns the point."
        return "Only a person can say. Implemented earns the point."
    if one.finding.verdict is Verdict.UNKNOWN:
        return "The test cannot decide this. If you know, answer it: Implemented earns the point."
    return "The test decides. If you know better, say so, with your reason."
