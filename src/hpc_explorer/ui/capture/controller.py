"""Follows the recorded runs that are open, and shows how far they have come."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from hpc_explorer.app.capture.following import FollowedRuns, Growth, followed
from hpc_explorer.app.capture.progress import RunsView
from hpc_explorer.errors import Cancelled
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.capture.page import RunsPage
from hpc_explorer.ui.widgets.timers import single_shot

AGES_EVERY = 1_000
"""Milliseconds after which ages and stalls are judged anew without a new record."""

FOLLOW = "recorded runs"
"""The name of the request."""


class RunsController(QObject):
    """Reads what running programs record, as long as their spools and streams are open.

    Attributes:
        page: the page "Runs".
    """

    _grew = Signal()

    def __init__(self, bridge: SessionBridge, navigator: Navigator, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge, self._navigator = bridge, navigator
        self.page = RunsPage()
        self._runs = FollowedRuns()
        self._growth: Growth | None = None
        self._graphs: frozenset[NamedNode] = frozenset()
        self._metric = ""
        self._ages = single_shot(self, AGES_EVERY, self._follow)
        self._grew.connect(self._follow, Qt.ConnectionType.QueuedConnection)
        bridge.graph_changed.connect(self._take_sources)
        navigator.moved.connect(self._moved)
        self.page.opened.connect(navigator.open)
        self.page.metric_wanted.connect(self._plot)

    def close(self) -> None:
        """Stop following."""
        self._ages.stop()
        if self._growth is not None:
            self._growth.stop()
            self._growth = None
        if not self._bridge.jobs.is_running(FOLLOW):
            self._runs.close()

    def _take_sources(self) -> None:
        """Follow the open spools and streams. When the first one is opened, show the page."""
        sources = () if self._bridge.is_empty else followed(self._bridge.session)
        graphs = frozenset(source.summary.graph for source in sources)
        is_first = bool(graphs) and not self._graphs
        if graphs == self._graphs:
            return
        self.close()
        self._graphs = graphs
        if not sources:
            self.page.show_runs(None)
            return
        if is_first and self._navigator.place == Place():
            self._navigator.show_view(View.RUNS)
        self._growth = Growth(sources, self._grew.emit)
        self._growth.start()

    def _plot(self, metric: str) -> None:
        self._metric = metric
        self._follow()

    def _moved(self, place: Place, before: Place) -> None:
        if place.view is View.RUNS and before.view is not View.RUNS and self._growth is not None:
            self._follow()

    def _follow(self) -> None:
        if self._growth is None or self._bridge.jobs.is_running(FOLLOW):
            return
        self._bridge.run(
            partial(self._runs.follow, metric=self._metric),
            title="Read what is recorded",
            on_result=self._take,
            on_error=self._not_read,
            replaces=FOLLOW,
            writes=True,
        )

    def _take(self, view: RunsView) -> None:
        self.page.show_runs(view)
        self._go_on()
        if view.is_running and self._navigator.place.view is View.RUNS:
            self._ages.start()

    def _not_read(self, error: BaseException) -> None:
        if isinstance(error, Cancelled):
            self._go_on()
        else:
            self.close()
            self._bridge.failed.emit("Read what is recorded", error)

    def _go_on(self) -> None:
        if self._growth is not None:
            self._growth.again()
