"""The dialog of a push: what will be written where, what is to be decided before, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.annotate.pushing.values import Choice, Conflict, PushPlan, PushReport, Target
from hpc_explorer.app.journal.change_views import statement_figures
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.push_text import result_text, target_lines
from hpc_explorer.app.journal.push_viewing import ConflictView, PlanView, TargetView
from hpc_explorer.app.views import source_title
from hpc_explorer.errors import Cancelled, ExplorerError
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.jobs import Failed
from hpc_explorer.ui.changes.conflict_card import TITLES, ConflictCard
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.dialog_parts import Answers, call_button, dialog_column
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

SHORT = 24 * GRID
"""How high the dialog is where nothing is to be decided, in pixels."""

FIRST_CONFLICTS = 10
"""So many conflicts are shown at once, and so many more each time."""


class Pushing(Protocol):
    """Plans and does a push in other threads."""

    def plan(self, done: Callable[[PlanView], None], failed: Failed) -> None:
        """Look at everything and say what would be done."""
        ...

    def push(
        self,
        plan: PushPlan,
        choices: Mapping[Conflict, Choice],
        rewrite: bool,
        done: Callable[[PushReport], None],
        failed: Failed,
    ) -> None:
        """Do it."""
        ...

    def give(self, plan: PushPlan, graph: NamedNode, done: Callable[[EditStep | None], None], failed: Failed) -> None:
        """Give what belongs to no source to one."""
        ...

    def stop(self) -> None:
        """Stop what is being done."""
        ...


class PushDialog(QDialog):
    """Asks until everything is decided, then pushes.

    Args:
        pushing: plans and does it.

    Attributes:
        cards: the conflicts in sight.
        takers: the sources that what belongs to none can be given to; None where there is nothing to give.
        give: the button that gives it to the one that is chosen.
        go: the button that pushes.
        state: what is to be decided yet, or what is being done.
    """

    def __init__(self, pushing: Pushing, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Push")
        self._tall = min(76 * GRID, max(parent.window().height() - 4 * GRID, SHORT))
        self.resize(100 * GRID, SHORT)
        self._pushing = pushing
        self._view: PlanView | None = None
        self._choices: dict[Conflict, Choice] = {}
        self._shown = FIRST_CONFLICTS
        self._is_working = False
        self.cards: list[ConflictCard] = []
        self.rewrite: QCheckBox | None = None
        self.takers: QComboBox | None = None
        self.give: QPushButton | None = None
        self._column = column = dialog_column(self)
        self.said = TextBlock("", weight=600)
        self.trouble = TextBlock("")
        self._trouble_box = QFrame()
        self._trouble_box.setObjectName("problem")
        box = QVBoxLayout(self._trouble_box)
        box.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        box.addWidget(self.trouble)
        self._trouble_box.hide()
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName("What will be written")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Work under way")
        waiting = QWidget()
        wait = QVBoxLayout(waiting)
        wait.addStretch(1)
        wait.addWidget(self._bar)
        wait.addStretch(1)
        self._pages = PageStack()
        self._pages.addWidget(waiting)
        self._pages.addWidget(self._area)
        column.addWidget(self.said)
        column.addWidget(self._trouble_box)
        column.addWidget(self._pages, 1)
        self.state = TextBlock("", muted=True)
        self._all: dict[Choice, QPushButton] = {}
        foot = QHBoxLayout()
        foot.setSpacing(GRID)
        foot.addWidget(self.state, 1, Qt.AlignmentFlag.AlignVCenter)
        for choice in (Choice.MINE, Choice.THEIRS):
            button = QPushButton(f"All {TITLES[choice].lower()}")
            button.setAutoDefault(False)
            button.setAccessibleName(f"Decide all conflicts: {TITLES[choice].lower()}")
            button.clicked.connect(lambda _=False, choice=choice: self.choose_all(choice))
            self._all[choice] = button
            foot.addWidget(button)
        foot.addSpacing(GRID)
        answers = Answers("Push")
        answers.accepted.connect(self._push)
        answers.rejected.connect(self.reject)
        self.go, self.cancel = answers.go, answers.leave
        foot.addWidget(answers)
        column.addLayout(foot)
        self.look()

    def look(self) -> None:
        """Find out what would be done."""
        self._work("Looking at the files and endpoints …")
        self._pushing.plan(self._take, self._not_planned)

    def choose_all(self, choice: Choice) -> None:
        """Decide all conflicts alike."""
        if self._view is not None:
            self._choices = dict.fromkeys((one.conflict for one in self._view.conflicts), choice)
            for card in self.cards:
                card.choose(choice)
            self._mark()

    def reject(self) -> None:
        if self._is_working:
            self._pushing.stop()
        super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Enter in a radio button must not push before it is meant: only the button itself does that.
        if event.key() in ENTER and not self.go.hasFocus():
            self.focusNextChild()
        else:
            super().keyPressEvent(event)

    # What is being done

    def _work(self, text: str) -> None:
        self._is_working = True
        self.said.say(text)
        self._pages.setCurrentIndex(0)
        self.state.say("")
        self.go.setEnabled(False)
        for button in self._all.values():
            button.hide()

    def _take(self, view: PlanView) -> None:
        self._is_working = False
        self._view = view
        known = {one.conflict for one in view.conflicts}
        self._choices = {conflict: choice for conflict, choice in self._choices.items() if conflict in known}
        self._shown = FIRST_CONFLICTS
        if not view.targets and view.plan.left:
            self.said.say("Nothing can be pushed yet: what was added belongs to no source.")
        elif not view.targets:
            self.said.say("There is nothing to push: all that was edited is where it belongs.")
        elif not view.has_work:
            self.said.say("Nothing can be pushed as it is.")
        else:
            number = sum(one.target.refused is None for one in view.targets)
            self.said.say(f"What will be written to {counted(number, 'source')}")
        self._fill()
        self.resize(self.width(), self._height())
        if self.cards:
            next(iter(self.cards[0].sides.values())).button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            (self.go if self.go.isEnabled() else self.cancel).setFocus(Qt.FocusReason.OtherFocusReason)

    def _not_planned(self, error: BaseException) -> None:
        self._is_working = False
        self.said.say("What would be pushed cannot be said")
        self._complain(error)
        self._show(QWidget())
        call_button(self.cancel, "Close")

    def _push(self) -> None:
        if self._view is None or not self.go.isEnabled():
            return
        self._trouble_box.hide()
        self._work("Pushing …")
        rewrite = self.rewrite is not None and self.rewrite.isChecked()
        self._pushing.push(self._view.plan, dict(self._choices), rewrite, self._pushed, self._not_pushed)

    def _pushed(self, report: PushReport) -> None:
        self._is_working = False
        out, into = report.removed, report.added
        self.said.say(f"Pushed: {statement_figures(out, into)}")
        page = QWidget()
        column = _page_column(page)
        for one in report.pushed:
            column.addWidget(_section(one.target))
            column.addWidget(TextBlock(result_text(one)))
        refused = self._view.plan.refused if self._view is not None else ()
        for target in refused:
            column.addWidget(_section(target))
            column.addWidget(TextBlock(f"Not pushed: {target.refused}"))
        column.addStretch(1)
        self._show(page)
        self.resize(self.width(), self._height())
        self.go.hide()
        call_button(self.cancel, "Close")
        self.cancel.setDefault(True)
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _not_pushed(self, error: BaseException) -> None:
        """Say what went wrong, and look anew: what was done before that is known then, and what is left too."""
        self._is_working = False
        if isinstance(error, Cancelled):
            return
        self._complain(error)
        self.look()

    def _complain(self, error: BaseException) -> None:
        if isinstance(error, ExplorerError):
            parts = [sentence(error.what), error.where, sentence(error.remedy)]
        else:
            parts = [f"{type(error).__name__}: {error}", "This is a fault of the program. Please report it."]
        self.trouble.say("\n".join(["Not pushed.", *(part for part in parts if part)]))
        self._trouble_box.setAccessibleName(self.trouble.text())
        self._trouble_box.show()

    # What will be done

    def _fill(self) -> None:
        assert self._view is not None
        page = QWidget()
        column = _page_column(page)
        self.cards = []
        self.rewrite = None
        left = self._shown
        anew = [one for one in self._view.targets if one.target.rewritten and one.target.refused is None]
        for one in self._view.targets:
            self._add_target(column, one, left)
            left = max(0, left - len(one.conflicts))
        self.takers, self.give = None, None
        if self._view.plan.left:
            self._add_left(column, self._view.plan)
        hidden = len(self._view.conflicts) - len(self.cards)
        if hidden > 0:
            more = QPushButton(f"Show {min(hidden, FIRST_CONFLICTS)} more of {counted(hidden, 'conflict')}")
            more.setAutoDefault(False)
            more.clicked.connect(self._show_more)
            column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
        if anew:
            self.rewrite = QCheckBox(
                "Write this file anew as a whole"
                if len(anew) == 1
                else f"Write these {len(anew)} files anew as a whole"
            )
            self.rewrite.toggled.connect(lambda _: self._mark())
            column.addWidget(self.rewrite, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self._show(page)
        self._mark()

    def _add_target(self, column: QVBoxLayout, one: TargetView, most: int) -> None:
        column.addWidget(_section(one.target))
        for line in target_lines(one.target):
            column.addWidget(TextBlock(line))
        if one.conflicts:
            what = counted(len(one.conflicts), "conflict")
            column.addWidget(caption(f"{what}: changed here, and there too since"))
        for view in one.conflicts[:most]:
            card = ConflictCard(view, self._choices.get(view.conflict))
            card.decided.connect(lambda card=card, view=view: self._decide(view, card))
            self.cards.append(card)
            column.addWidget(card)

    def _add_left(self, column: QVBoxLayout, plan: PushPlan) -> None:
        """Say what belongs to no source, with the sources that it can be given to."""
        column.addSpacing(GRID)
        column.addWidget(TextBlock("Of no source", weight=600))
        number = counted(len(plan.left), "statement")
        about = f"{number} in graphs of no source, such as those of a table, stay in the draft"
        if not plan.takers:
            column.addWidget(TextBlock(f"{about}: export them to a file.", muted=True))
            return
        column.addWidget(TextBlock(f"{about}, or go to a source that you choose.", muted=True))
        self.takers = QComboBox()
        self.takers.setAccessibleName("The source that they go to")
        for graph, name in plan.takers:
            self.takers.addItem(source_title(name), graph)
            self.takers.setItemData(self.takers.count() - 1, plain_tip(name), Qt.ItemDataRole.ToolTipRole)
        self.give = QPushButton("Give them to it")
        self.give.setAutoDefault(False)
        self.give.setToolTip("One step, which can be undone; what is then written is shown first")
        self.give.clicked.connect(self._give)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.takers)
        row.addWidget(self.give)
        row.addStretch(1)
        column.addLayout(row)

    def _give(self) -> None:
        if self._view is None or self.takers is None:
            return
        self._trouble_box.hide()
        graph = self.takers.currentData()
        self._work("Giving them to it …")
        self._pushing.give(self._view.plan, graph, lambda _: self.look(), self._not_pushed)

    def _show_more(self) -> None:
        self._shown += FIRST_CONFLICTS
        before = len(self.cards)
        self._fill()
        if len(self.cards) > before:
            next(iter(self.cards[before].sides.values())).button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _decide(self, view: ConflictView, card: ConflictCard) -> None:
        if card.choice is not None:
            self._choices[view.conflict] = card.choice
            self._mark()

    def _mark(self) -> None:
        """Say what is to be decided yet, and let it be pushed when nothing is."""
        assert self._view is not None
        conflicts = self._view.conflicts
        open_ = sum(one.conflict not in self._choices for one in conflicts)
        needs_leave = self.rewrite is not None and not self.rewrite.isChecked()
        text = ""
        if open_:
            text = _to_decide(open_, len(conflicts))
        elif needs_leave:
            text = "Allow the file to be written anew, or cancel"
        elif conflicts:
            text = "Everything is decided"
        self.state.say(text)
        self.go.setVisible(self._view.has_work)
        call_button(self.cancel, "Cancel" if self._view.has_work else "Close")
        self.go.setEnabled(self._view.has_work and not open_ and not needs_leave)
        for button in self._all.values():
            button.setVisible(len(conflicts) > 1)

    def _show(self, page: QWidget) -> None:
        self._area.setWidget(page)
        self._pages.setCurrentIndex(1)

    def _height(self) -> int:
        """How high the dialog is that shows its page whole, as far as there is room; in pixels."""
        page = self._area.widget()
        if page is None:
            return SHORT
        margins = self._column.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        high = page.heightForWidth(room) if page.hasHeightForWidth() else page.sizeHint().height()
        around = self._column.totalHeightForWidth(self.width()) - self._pages.sizeHint().height()
        return max(SHORT, min(self._tall, high + around))


def _to_decide(left: int, conflicts: int) -> str:
    """How many conflicts have yet to be decided, and how that is done."""
    if conflicts == 1:
        return "The conflict is still to be decided: choose a side"
    if left == 1:
        return f"1 of {conflicts:,} conflicts is still to be decided: choose its side"
    return f"{left:,} of {conflicts:,} conflicts are still to be decided: choose a side of each"


def _section(target: Target) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, GRID, 0, 0)
    column.setSpacing(2)
    column.addWidget(TextBlock(source_title(target.source), weight=600))
    if target.where != source_title(target.source):
        column.addWidget(TextBlock(target.where, muted=True))
    return box


def _page_column(page: QWidget) -> QVBoxLayout:
    page.setObjectName("answered")
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, GRID, 0)
    column.setSpacing(GRID)
    return column
