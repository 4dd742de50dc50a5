"""The plan: the shortest list of steps to a target with their gains, and a button that applies the ready ones."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.planning import Plan, Step, StepKind
from hpc_explorer.fair.scoring import Interval, Score
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.flow import FlowLayout
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.number_box import DecimalBox
from hpc_explorer.ui.widgets.page_stack import EmptyPage, PageStack
from hpc_explorer.ui.widgets.plain import Label, plain_tip
from hpc_explorer.ui.widgets.row_delegate import RowDelegate
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import BODY, GRID, SMALL, current_theme, font
from hpc_explorer.wording import counted

Index = QModelIndex | QPersistentModelIndex

NOTHING_CHOSEN = (
    "A plan to a target",
    "Assess a dataset or a model, set a target score, and get the shortest list of steps.",
)
WHAT_COMES = "The shortest list of steps to this target, with their gains. Nothing is changed yet."
FIRST_TARGET, NEXT_TARGET = 83.0, 95.7
"""Percent: the paper's result for its dataset, and 45 of 47, proposed once that is reached."""

KINDS = {
    StepKind.APPLY: "Can be done now",
    StepKind.ANSWER: "Needs a fact that you know",
    StepKind.CONFIRM: "Needs your answer",
}
"""The need of a step, in words."""

_STEP = Qt.ItemDataRole.UserRole


class PlanPage(QWidget):
    """The page.

    Attributes:
        target: percent.
        begin: the button that makes a plan.
        steps: the list.
        apply: the button that applies the steps that need no answer.

    Signals:
        wanted(float): make a plan for this target in percent.
        step_wanted(Step): open a step (Enter or double click).
        apply_wanted(): apply the steps that need no answer.
    """

    wanted = Signal(float)
    step_wanted = Signal(object)
    apply_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("answered")
        self.plan: Plan | None = None
        self._returns_to_steps = False
        self.score = TextBlock("", weight=600)
        self.target = DecimalBox()
        self.target.setRange(0, 100)
        self.target.setDecimals(1)
        self.target.setSingleStep(5)
        self.target.setSuffix(" %")
        self.target.setValue(FIRST_TARGET)
        self.target.setAccessibleName("Target in percent")
        self.target.setFixedHeight(4 * GRID - 2)
        self.begin = QPushButton("Find the plan")
        self.begin.clicked.connect(lambda: self.wanted.emit(self.target.value()))
        self.target.lineEdit().returnPressed.connect(lambda: self.wanted.emit(self.target.value()))
        self.apply = QPushButton("Do what can be done now")
        self.apply.clicked.connect(self.apply_wanted)
        bar = QWidget()
        row = FlowLayout(bar, GRID)
        label = Label("Target")
        label.setBuddy(self.target)
        label.setFixedHeight(4 * GRID - 2)  # the height of the widgets beside it
        for part in (label, self.target, self.begin, self.apply):
            row.addWidget(part)
        self.summary = TextBlock("", weight=500)
        self.note = TextBlock("", size=SMALL, muted=True)
        self.steps = StepList()
        self.steps.entered.connect(self.step_wanted)
        planned = QWidget()
        column = column_in(planned, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID)
        add_parts(column, self.score, bar, self.summary, (self.steps, 1), self.note, 0)
        empty = EmptyPage(NOTHING_CHOSEN)
        empty.setContentsMargins(GRID, 0, GRID, 0)
        self._pages = PageStack()
        self._pages.addWidget(empty)
        self._pages.addWidget(planned)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.target)
        self.show_nothing()

    @property
    def has_subject(self) -> bool:
        """Whether something is assessed."""
        return self._pages.currentIndex() == 1

    def show_nothing(self) -> None:
        """Explain the page."""
        self._pages.setCurrentIndex(0)
        self._forget("")

    def show_score(self, score: Score) -> None:
        """Say from where a plan would begin."""
        self.score.say(f"{score} ({score.percent})")
        if not self.has_subject:
            self.target.setValue(FIRST_TARGET if score.percent_low < FIRST_TARGET - 0.1 else NEXT_TARGET)
        self._pages.setCurrentIndex(1)
        if self.plan is None and not self.summary.text():
            self.summary.say(WHAT_COMES)

    def show_progress(self) -> None:
        """Show that a plan is being made."""
        self._forget("Looking for the smallest set of steps, and testing each…")

    def show_failure(self) -> None:
        """Show no plan."""
        self._forget("")

    def show_plan(self, plan: Plan, *, reason: str | None) -> None:
        """Show a plan.

        Args:
            reason: why the graph cannot be changed; None if it can.
        """
        self.plan = plan
        self.summary.say(plan_words(plan))
        self.steps.show_steps(plan.steps)
        self.steps.setVisible(bool(plan.steps))
        now = sum(1 for step in plan.steps if step.kind is StepKind.APPLY)
        self.apply.setVisible(bool(now))
        self.apply.setEnabled(reason is None)
        self.apply.setToolTip(plain_tip(reason or f"Apply {counted(now, 'step')} as one change that can be undone"))
        questions = dict.fromkeys(ask.question for ask in plan.assumes)
        self.note.say(f"Computed with examples of {counted(len(questions), 'fact')} that only you know: each step asks")
        self.note.setToolTip(plain_tip("\n".join(questions)))
        self.note.setAccessibleDescription(" ".join(questions))
        self.note.setVisible(bool(questions))
        if self._returns_to_steps and plan.steps and self.window().focusWidget() is self.target:
            self.steps.setFocus()
        self._returns_to_steps = False

    def _forget(self, said: str) -> None:
        self.plan = None
        # The focus would go to the next part of the window with what had it, and Enter would press a button there.
        if self.window().focusWidget() in (self.steps, self.apply):
            self._returns_to_steps = True
            self.target.setFocus()
        self.summary.say(said)
        self.note.hide()
        self.apply.hide()
        self.steps.clear()
        self.steps.hide()


def plan_words(plan: Plan) -> str:
    """A plan in one or two sentences."""
    if not plan.steps:
        if plan.is_reached:
            return f"Nothing to do: {_told(plan.start)} points, and {plan.target} are wanted."
        return f"No known step raises it: {_told(plan.start)} points, and {plan.target} are wanted."
    steps, smallest = counted(len(plan.steps), "step"), "no fewer do"
    if not plan.is_reached:
        return (
            f"{plan.target} points are not in reach from here. "
            f"{steps}: now {_told(plan.start)}, afterwards {_told(plan.reaches)}."
        )
    if not plan.exact:
        smallest = f"at least {plan.fewest} are needed"
    return f"{steps} for {plan.target} points: now {_told(plan.start)}, afterwards {_told(plan.reaches)}; {smallest}."


def _told(points: Interval) -> str:
    return f"{points.low} (at most {points.high})" if points.is_open else str(points.low)


class StepList(QListWidget):
    """The list of steps.

    Signals:
        entered(Step): Enter or a double click.
    """

    entered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Steps of the plan")
        self.setProperty("framed", True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_StepPainter(self))
        self.itemDoubleClicked.connect(lambda item: self.entered.emit(item.data(_STEP)))

    def show_steps(self, steps: Sequence[Step]) -> None:
        """Show other steps."""
        self.clear()
        for number, step in enumerate(steps, 1):
            item = QListWidgetItem(f"{number}. {step.words}", self)
            item.setData(_STEP, step)
            gains = counted(len(step.earned), "point") if step.earned else "no point before it is confirmed"
            told = f"Step {number}: {step.words}. {KINDS[step.kind]}; gains {gains}, then {step.points}"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, told)
            texts = (f"{gain}: {indicator(gain).text}" for gain in (*step.earned, *step.to_confirm))
            item.setToolTip(plain_tip("\n".join((told, *texts))))
        self.setCurrentRow(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in ENTER and item is not None:
            self.entered.emit(item.data(_STEP))
        else:
            super().keyPressEvent(event)


def _what(step: Step) -> str:
    """The indicators that it earns, and those that a person must check afterwards."""
    earned = ", ".join(step.earned)
    waiting = f"then to look at: {', '.join(step.to_confirm)}" if step.to_confirm else ""
    return "; ".join(filter(None, (earned, waiting)))


class _StepPainter(RowDelegate):
    """Paints a step in two lines: the action and the score after it, then its need and gain."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._fonts = font(BODY, 500), font(SMALL), font(BODY, 500, figures=True)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(10 * GRID, 6 * GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        step: Step = index.data(_STEP)
        text = str(index.data())
        self.paint_background(painter, option, index)
        box = QRectF(option.rect).adjusted(GRID, 6, -GRID, -6)
        bold, small, figures = self._fonts
        upper, lower = QRectF(box.x(), box.y(), box.width(), 19), QRectF(box.x(), box.y() + 19, box.width(), 17)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.save()
        painter.setFont(figures)
        painter.setPen(QColor(current_theme().text))
        score = f"+{len(step.earned)}  →  {step.points}" if step.earned else f"→  {step.points}"
        painter.drawText(upper, right, score)
        room = int(upper.width()) - QFontMetrics(figures).horizontalAdvance(score) - 2 * GRID
        painter.setFont(bold)
        painter.drawText(upper, left, QFontMetrics(bold).elidedText(text, Qt.TextElideMode.ElideRight, room))
        colour = current_theme().success if step.kind is StepKind.APPLY else current_theme().warning
        painter.setFont(small)
        painter.setPen(QColor(colour))
        kind = KINDS[step.kind]
        painter.drawText(lower.adjusted(2 * GRID, 0, 0, 0), left, kind)
        used = QFontMetrics(small).horizontalAdvance(kind) + 2 * GRID
        painter.setPen(QColor(current_theme().muted))
        rest = f" · {_what(step)}"
        rest = QFontMetrics(small).elidedText(rest, Qt.TextElideMode.ElideRight, int(lower.width()) - used)
        painter.drawText(lower.adjusted(used, 0, 0, 0), left, rest)
        painter.restore()
