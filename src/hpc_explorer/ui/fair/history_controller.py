"""The controller of the history: keeps, reads and compares assessments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject

from hpc_explorer.app.fair.assessing import AssessmentView, history, keep_assessment
from hpc_explorer.app.journal.change_viewing import view_change
from hpc_explorer.app.journal.change_views import ChangeView
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.fair.difference import Changed, difference
from hpc_explorer.fair.history import Kept
from hpc_explorer.rdf.terms import DefaultGraph, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.fair.controller import FairController
from hpc_explorer.ui.fair.history import HistoryPage, Moment
from hpc_explorer.ui.fair.tab import FairView


class FairHistoryController(QObject):
    """Shows the history of the assessed resource.

    Args:
        controller: what is assessed.
    """

    def __init__(self, bridge: SessionBridge, controller: FairController) -> None:
        super().__init__(controller)
        self._bridge, self._controller = bridge, controller
        self._moments: Sequence[Moment] = ()
        self._view: AssessmentView | None = None
        controller.assessed.connect(self._follow)
        controller.tab.view_wanted.connect(lambda view: self._read())
        page = self.page
        page.compared.connect(self._compare)
        page.chosen.connect(self._name)
        page.statements.opened.connect(controller.explore_wanted)

    @property
    def page(self) -> HistoryPage:
        """The page."""
        return self._controller.tab.history

    @staticmethod
    def commands(past: Late[FairHistoryController], assessment: Need) -> tuple[Command, ...]:
        """The commands for the history.

        Args:
            assessment: an assessment is in sight.
        """
        return (
            Command("fair.keep", "Keep this assessment", "FAIR", 2, "", short="Keep")
            .runs(past.does(FairHistoryController.keep), assessment)
            .about("Add the assessment to the history beside the graph, to see later what changed."),
            Command("fair.history", "History of assessments", "FAIR", 2, "", "history", short="History")
            .runs(past.does(FairHistoryController.show), assessment)
            .about("Show the kept assessments of this resource, and the changes between two of them."),
        )

    def show(self) -> None:
        """Show the page."""
        self._controller.show(FairView.HISTORY)

    def keep(self) -> None:
        """Add the assessment that is shown to the history."""
        view = self._controller.view
        if view is None:
            return

        def done(kept: Kept) -> None:
            self._bridge.said.emit(f"Kept: {kept.score} of {view.ref.label}")
            self._read()

        self._bridge.run(
            keep_assessment,
            view,
            title="Keep the assessment",
            on_result=done,
            writes=True,
        )

    def _follow(self, view: AssessmentView | None) -> None:
        if view is None or self._view is None or view.resource != self._view.resource:
            self._moments = ()
            self.page.show_nothing()
        self._view = view
        self._read()

    def _read(self) -> None:
        """Read the history if the page is visible."""
        view = self._view
        if view is None or self._controller.tab.view is not FairView.HISTORY:
            self._bridge.drop("kept assessments")
            return

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> list[Moment]:
            kept = history(session, view.resource, limits=limits)
            found = [Moment(one.when, one.who, one.score, one.decided) for one in kept]
            return [*found, Moment(None, "", view.score, view.decided)]

        def done(found: list[Moment]) -> None:
            self._moments = found
            self.page.show_moments(found)

        self._bridge.run(
            work,
            title="Read the history",
            on_result=done,
            replaces="kept assessments",
        )

    def _compare(self, before: int, after: int) -> None:
        if not (0 <= before < len(self._moments) and 0 <= after < len(self._moments)):
            return
        one, other = self._moments[before].decided, self._moments[after].decided

        self._bridge.jobs.run(
            difference,
            one,
            other,
            title="Compare the assessments",
            on_result=self.page.show_changes,
            replaces="difference of assessments",
        )

    def _name(self, changed: Changed | None) -> None:
        """Show the names of the added and removed statements."""
        self._bridge.drop("statements that differ")
        if changed is None:
            self.page.show_statements(ChangeView())
            return
        change = ChangeSet(
            tuple(Quad(one.subject, one.predicate, one.object, DefaultGraph()) for one in changed.gone),
            tuple(Quad(one.subject, one.predicate, one.object, DefaultGraph()) for one in changed.new),
        )

        self._bridge.run(
            partial(view_change, now=False),
            change,
            title="Name the statements",
            on_result=self.page.show_statements,
            replaces="statements that differ",
        )
