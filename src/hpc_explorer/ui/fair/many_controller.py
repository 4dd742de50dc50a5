"""The controller for all datasets and models: assesses them in a job and shows results as they arrive."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal, Slot

from hpc_explorer.app.fair.assessing import AssessmentView
from hpc_explorer.app.fair.assessing_many import FirstToFix, FixTally, assess_many, resources_to_assess
from hpc_explorer.app.fair.results import assessed_sources
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled
from hpc_explorer.fair.values import Priority
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.late import Late
from hpc_explorer.ui.bridge.navigator import Navigator
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.fair.controller import FairController
from hpc_explorer.ui.fair.many import ManyPage
from hpc_explorer.ui.fair.many_model import ManyRow
from hpc_explorer.ui.fair.tab import FairView
from hpc_explorer.wording import counted

TOLD_AFTER = 0.4
"""Seconds between two deliveries of results to the window."""

ALL = "Assess all datasets and models"

NONE = "No dataset and no model is open"


class FairManyController(QObject):
    """Assesses all, and keeps the table.

    Args:
        controller: the reading, and whether online.
    """

    _came = Signal(int, object, object, int)

    def __init__(self, bridge: SessionBridge, navigator: Navigator, controller: FairController) -> None:
        super().__init__(controller)
        self._bridge, self._navigator, self._controller = bridge, navigator, controller
        self._number = 0
        self.is_running = False
        self._expected = 0
        self._state = ""
        self._assessed: object = None
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self.page.table.opened.connect(self._open)
        bridge.graph_changed.connect(self._graph_changed)

    @property
    def page(self) -> ManyPage:
        """The page."""
        return self._controller.tab.many

    @staticmethod
    def commands(many: Late[FairManyController], bridge: SessionBridge) -> tuple[Command, ...]:
        """What assesses all."""
        return (
            Command("fair.all", "Assess all datasets and models", "FAIR", 0, "", short="Assess all")
            .runs(many.does(FairManyController.assess), open_graph(bridge))
            .about("Assess everything that is open, rank it, and see what to fix first."),
            Command("fair.stop", "Stop assessing", "FAIR", 0, "", "stop", short="Stop")
            .runs(
                many.does(FairManyController.stop),
                Need("a running assessment of all", many.has(lambda one: one.is_running)),
            )
            .about("Stop assessing datasets and models. The table keeps its rows."),
        )

    def assess(self) -> None:
        """Show the page and assess all again."""
        self._controller.show(FairView.ALL)
        self._number += 1
        number, reading, online = self._number, self._controller.reading, self._controller.page.online.isChecked()
        self.page.begin()
        self.is_running, self._expected, self._state = True, 0, ""
        self._assessed = self._what_is_open()

        def work(session: Session, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> None:
            resources = resources_to_assess(session, limits=limits)
            sender = _Sender(lambda rows, fixes: self._came.emit(number, rows, fixes, len(resources)))
            # Only the row is kept: a thousand assessments with their evidence need much memory.
            for view in assess_many(
                session,
                resources,
                reading=reading,
                online=online,
                progress=lambda done, of: progress(f"{done:,} of {of:,}", done / of),
                limits=limits,
            ):
                sender.add(view)
            sender.send()

        def done(_: None) -> None:
            self.is_running = False
            self._say()

        def failed(error: BaseException) -> None:
            self.is_running = False
            self._state = "Stopped: "
            self._say()
            if not isinstance(error, Cancelled):
                self._bridge.failed.emit(ALL, error)

        self._bridge.run(work, title=ALL, on_result=done, on_error=failed, replaces="assessments of all")
        self._say()

    def stop(self) -> None:
        """Stop; the table keeps its rows."""
        if self.is_running:
            self._bridge.drop("assessments of all")
            self._number += 1
            self.is_running, self._state = False, "Stopped: "
            self._say()

    def _open(self, ref: ResourceRef) -> None:
        self._controller.show(FairView.ASSESSMENT)
        self._navigator.open(ref.resource)

    def _graph_changed(self) -> None:
        if self._bridge.is_empty:
            self._bridge.drop("assessments of all")
            self._number += 1
            self.is_running, self._state = False, ""
            self.page.show_nothing()
        elif self.page.is_assessed and not self.is_running and self._assessed != self._what_is_open():
            self._state = "Before the last change: "
            self._say()

    def _what_is_open(self) -> object:
        """The state that the table depends on; opened results do not change scores."""
        session = self._bridge.session
        revision = session.workspace.revision if session.workspace is not None else 0
        return [source.summary for source in assessed_sources(session)], revision

    @Slot(int, object, object, int)
    def _take(self, number: int, rows: Sequence[ManyRow], fixes: Sequence[FirstToFix], expected: int) -> None:
        if number == self._number:
            self._expected = expected
            self.page.table.many.add(rows)
            assessed = len(self.page.table.many.rows)
            self.page.show_fixes(fixes, f"of {assessed:,} of {expected:,} assessed" if assessed < expected else "")
            self._say_how_far()

    def _say(self) -> None:
        self._say_how_far()
        self._bridge.updated.emit()

    def _say_how_far(self) -> None:
        rows = self.page.table.many.rows
        fraction = len(rows) / self._expected if self._expected else None
        state = "Assessing: " if self.is_running else self._state
        of = f" of {self._expected:,}" if len(rows) < self._expected else ""
        what = "dataset or model" if len(rows) == 1 and not of else "datasets and models"
        words = f"{state}{len(rows):,}{of} {what}{_spread(rows)}"
        if not rows and not self.is_running and not self._state:
            words = NONE
        self.page.show_progress(words, fraction, running=self.is_running)


class _Sender:
    """Collects rows and missing indicators, and sends them in batches."""

    def __init__(self, tell: Callable[[Sequence[ManyRow], Sequence[FirstToFix]], None]) -> None:
        self._tell = tell
        self._waiting: list[ManyRow] = []
        self._tally = FixTally()
        self._last = time.monotonic()

    def add(self, view: AssessmentView) -> None:
        """Take one more."""
        self._waiting.append(_row(view))
        self._tally.add(view)
        if time.monotonic() - self._last > TOLD_AFTER:
            self.send()

    def send(self) -> None:
        """Send the collected rows and the missing indicators so far."""
        rows, self._waiting = self._waiting, []
        self._last = time.monotonic()
        self._tell(rows, self._tally.fixes())


def _spread(rows: Sequence[ManyRow]) -> str:
    """The range of the points."""
    if not rows:
        return ""
    lows = sorted(row.score.low for row in rows)
    if lows[0] == lows[-1]:
        return f" · {counted(lows[0], 'point')}{' each' if len(lows) > 1 else ''}"
    return f" · {lows[0]} to {lows[-1]} points, half of them at least {lows[len(lows) // 2]}"


_ORDER = (Priority.ESSENTIAL, Priority.IMPORTANT, Priority.USEFUL, Priority.NONE)


def _row(view: AssessmentView) -> ManyRow:
    lacking = [one.indicator for one in view.decided if not one.points.high]
    lacking.sort(key=lambda indicator: _ORDER.index(indicator.priority))
    return ManyRow(view.ref, view.score, tuple(lacking))
