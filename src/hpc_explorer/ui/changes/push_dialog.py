"""The dialog of a push: what it will write, the conflicts to resolve, and the result."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
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
from hpc_explorer.app.jobs import Job
from hpc_explorer.app.journal.change_views import statement_figures
from hpc_explorer.app.journal.push import give_left, push
from hpc_explorer.app.journal.push_viewing import (
    ConflictView,
    PlanView,
    TargetView,
    planned_push,
    result_text,
    target_lines,
)
from hpc_explorer.app.views import source_title
from hpc_explorer.errors import Cancelled, ExplorerError
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.changes.conflict_card import TITLES, ConflictCard
from hpc_explorer.ui.widgets.banner import sentence
from hpc_explorer.ui.widgets.dialog_parts import (
    Answers,
    add_parts,
    call_button,
    column_in,
    dialog_column,
    replace_content,
)
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

SHORT = 24 * GRID
"""The least height of the dialog in pixels."""

FIRST_CONFLICTS = 10
"""The number of conflicts shown at first, and added by "Show more"."""


class PushDialog(QDialog):
    """Plans a push, asks about conflicts, and pushes.

    Attributes:
        cards: the visible conflicts.
        takers: the sources that can receive statements of no source; None if there are no such statements.
        give: the button that moves them to the selected source.
        go: the button that pushes.
        state: the open decisions.
        is_written: whether something was written.

    Signals:
        pushed(): something was written.
    """

    pushed = Signal()

    def __init__(self, bridge: SessionBridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Save changes")
        self._tall = min(76 * GRID, max(parent.window().height() - 4 * GRID, SHORT))
        self.resize(100 * GRID, SHORT)
        self._bridge = bridge
        self._job: Job[Any] | None = None
        self._view: PlanView | None = None
        self._choices: dict[Conflict, Choice] = {}
        self._shown = FIRST_CONFLICTS
        self._is_working = False
        self.is_written = False
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
        self._area.setAccessibleName("What will be saved")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Work under way")
        waiting = QWidget()
        wait = QVBoxLayout(waiting)
        add_parts(wait, 1, self._bar, 1)
        self._pages = PageStack()
        self._pages.addWidget(waiting)
        self._pages.addWidget(self._area)
        add_parts(column, self.said, self._trouble_box, (self._pages, 1))
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
        answers = Answers("Save")
        answers.accepted.connect(self._push)
        answers.rejected.connect(self.reject)
        self.go, self.cancel = answers.go, answers.leave
        foot.addWidget(answers)
        column.addLayout(foot)
        self.look()

    def look(self) -> None:
        """Plan the push."""
        self._work("Reading the files and endpoints …")
        self._job = self._bridge.run(
            planned_push, title="Compare with the files", on_result=self._take, on_error=self._not_planned, writes=True
        )

    def choose_all(self, choice: Choice) -> None:
        """Resolve all conflicts in the same way."""
        if self._view is not None:
            self._choices = dict.fromkeys((one.conflict for one in self._view.conflicts), choice)
            for card in self.cards:
                card.choose(choice)
            self._mark()

    def reject(self) -> None:
        if self._is_working and self._job is not None:
            # Targets that are already written stay written.
            self._bridge.jobs.forget(self._job)
        super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Enter in a radio button must not push.
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
            self.said.say("Nothing can be saved yet: the added statements belong to no source.")
        elif not view.targets:
            self.said.say("There is nothing to save: the sources have all changes.")
        elif not view.has_work:
            self.said.say("Nothing can be saved.")
        else:
            number = sum(one.target.refused is None for one in view.targets)
            self.said.say(f"What will be saved to {counted(number, 'source')}")
        self._fill()
        self.resize(self.width(), self._height())
        if self.cards:
            next(iter(self.cards[0].sides.values())).button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            (self.go if self.go.isEnabled() else self.cancel).setFocus(Qt.FocusReason.OtherFocusReason)

    def _not_planned(self, error: BaseException) -> None:
        self._is_working = False
        self.said.say("The files could not be compared")
        self._complain(error)
        self._show(QWidget())
        call_button(self.cancel, "Close")

    def _push(self) -> None:
        if self._view is None or not self.go.isEnabled():
            return
        self._trouble_box.hide()
        self._work("Saving …")
        rewrite = self.rewrite is not None and self.rewrite.isChecked()
        self._job = self._bridge.run(
            partial(push, rewrite=rewrite),
            self._view.plan,
            dict(self._choices),
            title="Save changes",
            on_result=self._show_report,
            on_error=self._not_pushed,
            writes=True,
        )

    def _show_report(self, report: PushReport) -> None:
        self._is_working = False
        self.is_written = True
        self.pushed.emit()
        out, into = report.removed, report.added
        self.said.say(f"Saved: {statement_figures(out, into)}")
        page = QWidget()
        column = _page_column(page)
        for one in report.pushed:
            column.addWidget(_section(one.target))
            column.addWidget(TextBlock(result_text(one)))
        refused = self._view.plan.refused if self._view is not None else ()
        for target in refused:
            column.addWidget(_section(target))
            column.addWidget(TextBlock(f"Not saved: {target.refused}"))
        column.addStretch(1)
        self._show(page)
        self.resize(self.width(), self._height())
        self.go.hide()
        call_button(self.cancel, "Close")
        self.cancel.setDefault(True)
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _not_pushed(self, error: BaseException) -> None:
        """Show the error and plan again, because some targets may be written."""
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
        self.trouble.say("\n".join(["Not saved.", *(part for part in parts if part)]))
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
                "Rewrite the whole file" if len(anew) == 1 else f"Rewrite these {len(anew)} files as a whole"
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
            column.addWidget(caption(f"{what}: changed both here and there"))
        for view in one.conflicts[:most]:
            card = ConflictCard(view, self._choices.get(view.conflict))
            card.decided.connect(lambda card=card, view=view: self._decide(view, card))
            self.cards.append(card)
            column.addWidget(card)

    def _add_left(self, column: QVBoxLayout, plan: PushPlan) -> None:
        """List the statements of no source, with the sources that can receive them."""
        column.addSpacing(GRID)
        column.addWidget(TextBlock("Without a source", weight=600))
        number = counted(len(plan.left), "statement")
        about = f"{number} in graphs without a source, such as a table's, stay in the draft"
        if not plan.takers:
            column.addWidget(TextBlock(f"{about}. You can export them to a file.", muted=True))
            return
        column.addWidget(TextBlock(f"{about}. You can also move them to a source.", muted=True))
        self.takers = QComboBox()
        self.takers.setAccessibleName("Target source")
        for graph, name in plan.takers:
            self.takers.addItem(source_title(name), graph)
            self.takers.setItemData(self.takers.count() - 1, plain_tip(name), Qt.ItemDataRole.ToolTipRole)
        self.give = QPushButton("Move to this source")
        self.give.setAutoDefault(False)
        self.give.setToolTip("This can be undone. You see the new plan before anything is saved.")
        self.give.clicked.connect(self._give)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        add_parts(row, self.takers, self.give, 1)
        column.addLayout(row)

    def _give(self) -> None:
        if self._view is None or self.takers is None:
            return
        self._trouble_box.hide()
        graph = self.takers.currentData()
        self._work("Moving the statements …")
        self._job = self._bridge.run(
            give_left,
            self._view.plan,
            graph,
            title="Move statements to a source",
            on_result=self._given,
            on_error=self._not_pushed,
            writes=True,
        )

    def _given(self, _: object) -> None:
        self.look()

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
        """Show the open decisions; enable the push when there are none."""
        assert self._view is not None
        conflicts = self._view.conflicts
        open_ = sum(one.conflict not in self._choices for one in conflicts)
        needs_consent = self.rewrite is not None and not self.rewrite.isChecked()
        text = ""
        if open_:
            text = _to_decide(open_, len(conflicts))
        elif needs_consent:
            text = "Allow rewriting the file, or cancel"
        elif conflicts:
            text = "All conflicts are resolved"
        self.state.say(text)
        self.go.setVisible(self._view.has_work)
        call_button(self.cancel, "Cancel" if self._view.has_work else "Close")
        self.go.setEnabled(self._view.has_work and not open_ and not needs_consent)
        for button in self._all.values():
            button.setVisible(len(conflicts) > 1)

    def _show(self, page: QWidget) -> None:
        replace_content(self._area, page)
        self._pages.setCurrentIndex(1)

    def _height(self) -> int:
        """The height in pixels that shows the whole page, if the window is tall enough."""
        page = self._area.widget()
        if page is None:
            return SHORT
        margins = self._column.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        high = page.heightForWidth(room) if page.hasHeightForWidth() else page.sizeHint().height()
        around = self._column.totalHeightForWidth(self.width()) - self._pages.sizeHint().height()
        return max(SHORT, min(self._tall, high + around))


def _to_decide(left: int, conflicts: int) -> str:
    """The number of open conflicts, with what to do."""
    if conflicts == 1:
        return "Resolve the conflict: choose a side"
    if left == 1:
        return f"1 of {conflicts:,} conflicts is open: choose a side"
    return f"{left:,} of {conflicts:,} conflicts are open: choose a side for each"


def _section(target: Target) -> QWidget:
    box = QWidget()
    column = column_in(box, 0, GRID, 0, 0, spacing=2)
    column.addWidget(TextBlock(source_title(target.source), weight=600))
    if target.where != source_title(target.source):
        column.addWidget(TextBlock(target.where, muted=True))
    return box


def _page_column(page: QWidget) -> QVBoxLayout:
    page.setObjectName("answered")
    return column_in(page, 0, 0, GRID, 0, spacing=GRID)
