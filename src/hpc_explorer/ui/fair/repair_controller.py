"""Fixes of an assessment in the window: proposals, the plan for a target, and applying them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.fair.assessing import AssessmentView, plan_for, repairs_for
from hpc_explorer.app.journal.change_viewing import view_change
from hpc_explorer.app.journal.change_views import ChangeView
from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.editing import start_editing_for
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.fair.indicators import indicator
from hpc_explorer.fair.planning import Plan, Step, StepKind
from hpc_explorer.fair.repairing import Repair, repairs_of
from hpc_explorer.rdf.terms import BlankNode
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.stores.changes.changes import ChangeSet, net_change
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.fair.controller import FairController
from hpc_explorer.ui.fair.plan import PlanPage
from hpc_explorer.ui.fair.repair_dialog import MendDialog
from hpc_explorer.ui.fair.tab import FairView
from hpc_explorer.ui.widgets.dialog_parts import open_dialog

PLAN = "Plan to a target"


@dataclass(frozen=True)
class _Made:
    """A change that was made.

    Args:
        step: undoes it; None if nothing changed.
        resumed: the undo and redo steps of the draft, if one was started.
        about: the assessed blank node in the draft; None for a resource with an IRI.
    """

    step: EditStep | None
    resumed: tuple[tuple[EditStep, ...], tuple[EditStep, ...]] | None
    about: BlankNode | None = None


class FairRepairController(QObject):
    """Proposes and applies fixes for the shown assessment.

    Args:
        controller: what is assessed.
        undo: the undo stack for fixes.
    """

    def __init__(self, bridge: SessionBridge, controller: FairController, undo: UndoStack, window: QWidget) -> None:
        super().__init__(controller)
        self._bridge, self._controller, self._undo, self._window = bridge, controller, undo, window
        self._view: AssessmentView | None = None
        self._target: float | None = None
        self._planned: tuple[AssessmentView, float] | None = None
        self.repairs: tuple[Repair, ...] = ()
        controller.assessed.connect(self._follow)
        controller.tab.view_wanted.connect(lambda view: self._plan_again())
        controller.page.chosen.connect(self._offer)
        controller.page.card.fix_wanted.connect(self.fix)
        self.page.wanted.connect(self.plan)
        self.page.step_wanted.connect(self._look_at)
        self.page.apply_wanted.connect(self._do_now)

    @property
    def page(self) -> PlanPage:
        """The page of the plan."""
        return self._controller.tab.plan

    @staticmethod
    def commands(repairs: Late[FairRepairController], assessment: Need) -> tuple[Command, ...]:
        """The commands for fixes.

        Args:
            assessment: an assessment is in sight.
        """
        repair = Need(
            "a chosen indicator with a known fix",
            repairs.has(lambda one: one._controller.is_on_page and bool(one._chosen())),
        )
        return (
            Command("fair.fix", "Fix this indicator…", "FAIR", 1, "", short="Fix…")
            .runs(repairs.does(FairRepairController.fix), repair)
            .about("See the fixes for the chosen indicator, fill in missing facts, and apply them. Can be undone."),
            Command("fair.plan", "Plan to a target…", "FAIR", 2, "", short="Plan…")
            .runs(repairs.does(lambda one: one._controller.show(FairView.PLAN)), assessment)
            .about("Get the shortest list of steps to a target, with their gains."),
        )

    # Fixes

    def _follow(self, view: AssessmentView | None) -> None:
        before, self._view = self._view, view
        self.repairs = ()
        self._bridge.drop("repairs")
        if view is None:
            self._bridge.drop("plan")
            self._target = None
            self.page.show_nothing()
            return
        if before is None or before.resource != view.resource:
            self._target = None
            self.page.show_nothing()
        self.page.show_score(view.score)

        def done(found: tuple[Repair, ...]) -> None:
            self.repairs = found
            self._offer()
            self._bridge.updated.emit()

        title = "Find fixes"
        self._bridge.run(
            repairs_for,
            view,
            title=title,
            on_result=done,
            replaces="repairs",
        )
        self._plan_again()

    def _chosen(self) -> tuple[Repair, ...]:
        """The fix for the chosen indicator."""
        one = self._controller.current
        if one is None or one.points.low:
            return ()
        return repairs_of(self.repairs, one.indicator.id)

    def _offer(self) -> None:
        """Show the fix on the card."""
        found = self._chosen()
        words = " ".join(dict.fromkeys(f"{one.words}." if one.words[-1:].isalnum() else one.words for one in found))
        self._controller.page.card.show_repair(words, self._controller.reason)

    def fix(self) -> None:
        """Show the fixes for the chosen indicator, and apply one on confirmation."""
        one = self._controller.current
        if one is not None:
            self._open(one.indicator.text, self._chosen())

    def _open(self, title: str, found: Sequence[Repair]) -> None:
        if not found:
            return
        dialog = MendDialog(title, found, self._read, self._controller.reason, self._window)
        dialog.confirmed.connect(self._make)
        dialog.finished.connect(lambda _: self._bridge.drop("change of a repair"))
        open_dialog(dialog)

    def _read(self, change: ChangeSet, done: Callable[[ChangeView], None]) -> None:
        self._bridge.run(
            partial(view_change, now=False),
            change,
            title="Read the change",
            on_result=done,
            replaces="change of a repair",
        )

    def _make(self, change: ChangeSet) -> None:
        """Make a change through the journal; starts a draft if none is open."""
        # A blank node gets another label in the draft; one of its statements identifies it there.
        view = self._view
        known = view.subject.quads[:1] if view is not None and isinstance(view.resource, BlankNode) else ()

        def work(session: Session, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> _Made:
            begun = session.workspace is None
            with_known = replace(change, added=(*change.added, *known))
            there = start_editing_for(session, with_known, progress=progress, limits=limits)
            found = {quad.subject for quad in there.added[len(change.added) :]}
            step = EditStep.made(session, replace(there, added=there.added[: len(change.added)]))
            about = next((node for node in found if begun and isinstance(node, BlankNode)), None)
            return _Made(step, journal_steps(session) if begun else None, about)

        def done(made: _Made) -> None:
            self._undo.take(made.step, made.resumed)
            if made.about is not None:
                self._controller.go_on_with(made.about)
            self._bridge.said.emit("There was nothing left to fix" if made.step is None else f"Fixed: {change.words}")

        self._bridge.run(work, title="Fix", on_result=done, writes=True)

    # Planning

    def plan(self, target: float) -> None:
        """Find the smallest set of steps that reaches a target, in percent."""
        self._target = target
        self._plan_again()

    def _plan_again(self) -> None:
        """Make a plan for the assessed resource if the page is visible and has a target."""
        view, target = self._view, self._target
        if view is None or target is None or self._controller.tab.view is not FairView.PLAN:
            return
        if self.page.plan is None or self._planned != (view, target):
            self._ask_plan(view, target)

    def _ask_plan(self, view: AssessmentView, target: float) -> None:
        def done(plan: Plan) -> None:
            self._planned = view, target
            self.page.show_plan(plan, reason=self._controller.reason)

        def failed(error: BaseException) -> None:
            self.page.show_failure()
            self._bridge.failed.emit(PLAN, error)

        self.page.show_progress()
        self._bridge.run(plan_for, view, target, title=PLAN, on_result=done, on_error=failed, replaces="plan")

    def _look_at(self, step: Step) -> None:
        """Open a step: its fix with questions, or the indicator that a person answers."""
        if step.repair is not None:
            # As it was proposed, without the examples of the plan.
            found = [one for one in self.repairs if one.name == step.repair.name]
            self._open(step.words, found)
        else:
            self._controller.show(FairView.ASSESSMENT)
            self._controller.page.choose(indicator(step.confirms).id)
            self._controller.go_to_answer()

    def _do_now(self) -> None:
        plan = self.page.plan
        if plan is None:
            return
        steps = [step for step in plan.steps if step.kind is StepKind.APPLY and step.repair is not None]
        change = net_change(step.repair.change for step in steps if step.repair is not None and step.repair.change)
        words = steps[0].words if len(steps) == 1 else f"{len(steps)} steps of the plan to {plan.target} points"
        self._make(ChangeSet(change.removed, change.added, words))
