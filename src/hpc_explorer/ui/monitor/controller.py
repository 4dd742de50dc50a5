"""Loads what the view Monitor shows, finds anomalies, and records verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from hpc_explorer.app.monitor.finding import Kept, find_and_keep, triage
from hpc_explorer.app.monitor.fitting import model_bands
from hpc_explorer.app.monitor.run_view import AnomalyRow, RunView, draw_series, has_jobs_or_series, run_view
from hpc_explorer.app.monitor.series import ImportedSeries, import_into_draft
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.errors import Cancelled, DamagedSeries, UnknownResource
from hpc_explorer.monitor.triage import CONFIRMED, FALSE_ALARM
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.commands import Command, Need, open_graph
from hpc_explorer.ui.bridge.navigator import VIEWS, Level, Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.monitor.plot_library import PlotLibrary
from hpc_explorer.ui.widgets.dialog_parts import open_dialog

if TYPE_CHECKING:
    from hpc_explorer.ui.monitor.page import MonitorPage

NOTHING = (
    "This resource has no jobs and no measurements. The view shows runs of workflows, their jobs, the hosts of jobs, "
    "series of measurements and anomalies."
)

OFFER, VIEW, SERIES, MODELS = "whether there are jobs", "run view", "series of a run", "models of a run"
"""The names of the requests."""

MOST_DRAWN = 24_000
"""The most intervals that all series are drawn in together, with at least 500 of each."""


REACHING = ("go.downstream", "go.impact")
"""The commands on a chosen anomaly."""

OWN = ("monitor.find", "monitor.confirm", "monitor.refuse", "monitor.withdraw")
"""The commands of the view, in the order of its buttons."""


class _Place(QWidget):
    """A widget of the size of its one child. A layout would ask a text in it for the height that it would like."""

    def __init__(self) -> None:
        super().__init__()
        self._child: QWidget | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def take(self, child: QWidget, front: QWidget) -> None:
        """Show a child; a widget in it takes the focus."""
        self._child = child
        self.setFocusProxy(front)
        child.setParent(self)
        child.setGeometry(self.rect())
        child.show()
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0) if self._child is None else self._child.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._child is not None:
            self._child.setGeometry(self.rect())


class MonitorController(QObject):
    """The view Monitor.

    Args:
        undo: the undo stack for anomalies and verdicts.
        reaching: the actions on the chosen anomaly, such as its lineage.
        own: the actions of `OWN`.
        folder: returns the folder that file dialogs start in.

    Attributes:
        place: the widget of the view, which passes the focus on to the plots.
        page: its content; None until it is first shown.

    Signals:
        offered(frozenset[View]): the view has something to show of the resource, or not.
    """

    offered = Signal(object)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        undo: UndoStack,
        reaching: Sequence[QAction],
        own: Sequence[QAction],
        folder: Callable[[], str],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._folder, self._window = folder, window
        self._bridge, self._navigator, self._undo = bridge, navigator, undo
        self._reaching, self._own = reaching, own
        self._shown: Resource | None = None
        self.page: MonitorPage | None = None
        self._watched = ""
        self._library = PlotLibrary(self)
        self.place = _Place()
        navigator.moved.connect(self._follow)
        bridge.graph_changed.connect(self._graph_changed)

    def commands(self) -> tuple[Command, ...]:
        """What the view does."""
        run = Need(
            "a run in the view Monitor", lambda: self._is_shown and self._view is not None and self._view.run != ""
        )
        chosen = Need("a chosen anomaly in the view Monitor", lambda: self._is_shown and self._current is not None)
        judged = Need(
            "a chosen anomaly with a verdict",
            lambda: self._is_shown and self._current is not None and self._current.verdict != "",
        )
        return (
            Command("monitor.import", "Import measurements…", "File")
            .runs(self.choose_files, open_graph(self._bridge))
            .about(
                "Import time series: CSV, Parquet, InfluxDB's line protocol, Prometheus or OpenMetrics text, sar. "
                "The points are kept beside the graph."
            ),
            Command("monitor.find", "Find anomalies", "Go", 3)
            .runs(self._find, run)
            .about("Compare the jobs with other runs, look at the measurements, and record what is not as usual."),
            Command("monitor.confirm", "Confirm the anomaly", "Go", 3, short="Confirm")
            .runs(partial(self._judge, CONFIRMED), chosen)
            .about("Record that the chosen anomaly is real, with the reason beside it. Can be undone."),
            Command("monitor.refuse", "Call it a false alarm", "Go", 3, short="False alarm")
            .runs(partial(self._judge, FALSE_ALARM), chosen)
            .about("Record that the chosen anomaly is a false alarm; its jobs are no longer marked. Can be undone."),
            Command("monitor.withdraw", "Withdraw the verdict", "Go", 3, short="Withdraw")
            .runs(partial(self._judge, ""), judged)
            .about("Remove the verdict on the chosen anomaly. Can be undone."),
        )

    @property
    def _is_shown(self) -> bool:
        return self._navigator.place.view is View.MONITOR and not self._bridge.is_empty

    @property
    def _view(self) -> RunView | None:
        return self.page.view if self.page is not None else None

    @property
    def _current(self) -> AnomalyRow | None:
        return self.page.current if self.page is not None else None

    @property
    def is_loading(self) -> bool:
        """Whether some plots are not made yet, or their library is not there."""
        return self._library.is_loading or (self.page is not None and self.page.plots.is_adding)

    def _show(self, show: Callable[[MonitorPage], None]) -> None:
        """Show something on the page, which is made first if necessary; what still waits to be shown is dropped."""
        self._library.when_loaded(lambda: show(self._made()))

    def _made(self) -> MonitorPage:
        """The page, which imports the library of the plots."""
        if self.page is None:
            from hpc_explorer.ui.monitor.page import MonitorPage

            page = self.page = MonitorPage(self._own[0], self._reaching, self._own[1:])
            page.show_watched(self._watched)
            page.opened.connect(self._navigator.open)
            page.anomaly_chosen.connect(self._choose)
            page.job_chosen.connect(lambda row: self._navigator.select(row.resource))
            page.plots.interval_wanted.connect(self._draw)
            self.place.take(page, page.plots)
        return self.page

    def show_watched(self, state: str) -> None:
        """Show what is watched; see `WatchController.state`."""
        self._watched = state
        if self.page is not None:
            self.page.show_watched(state)

    def follow(self, newest: float) -> None:
        """Show points that have come, up to this time in seconds since 1970."""
        if self.page is not None:
            self.page.plots.follow(newest)

    # What is shown

    def _follow(self, place: Place, before: Place) -> None:
        if place.focus != before.focus:
            self._ask_offer()
        if place.view is View.MONITOR and place.focus != self._shown:
            self._load()
        self._bridge.updated.emit()

    def _graph_changed(self) -> None:
        self._ask_offer()
        self._library.drop()
        self._shown = None
        if self._navigator.place.view is View.MONITOR:
            self._load()

    def _ask_offer(self) -> None:
        place = self._navigator.place
        if self._bridge.is_empty or place.focus is None or VIEWS[place.view].level is Level.HOME:
            self._bridge.drop(OFFER)
            self._offer(False)
            return
        self._bridge.run(
            has_jobs_or_series,
            place.focus,
            title="Look for jobs",
            on_result=self._offer,
            on_error=lambda error: self._offer(False),
            replaces=OFFER,
        )

    def _offer(self, has: bool) -> None:
        self._navigator.offered = frozenset({View.MONITOR}) if has else frozenset()
        self.offered.emit(self._navigator.offered)
        self._bridge.updated.emit()

    def _load(self) -> None:
        self._library.drop()
        self._bridge.drop(MODELS)
        focus = self._shown = self._navigator.place.focus
        if focus is None or self._bridge.is_empty:
            self._bridge.drop(VIEW, SERIES)
            self._show(lambda page: page.show_view(None, NOTHING))
            return
        self._bridge.run(
            run_view,
            focus,
            title="Read the jobs and measurements",
            on_result=lambda view: self._show(partial(self._show_view, view)),
            on_error=self._not_read,
            replaces=VIEW,
        )

    def _show_view(self, view: RunView, page: MonitorPage) -> None:
        page.show_view(view, focus=self._shown)
        self._bridge.updated.emit()
        if view.jobs:
            self._bridge.run(
                model_bands,
                [row.job for row in view.jobs],
                title="Fit performance models",
                on_result=page.plots.show_models,
                replaces=MODELS,
            )

    def _not_read(self, error: BaseException) -> None:
        self._shown = None
        self._show(lambda page: page.show_view(None, NOTHING if isinstance(error, UnknownResource) else ""))
        if not isinstance(error, (Cancelled, UnknownResource)):
            self._bridge.failed.emit("Read the jobs and measurements", error)

    def _draw(self, begin: float, end: float) -> None:
        view = self._view
        if view is None or self.page is None or self._bridge.is_empty:
            return
        drawn = self.page.plots.drawn
        self._bridge.run(
            partial(draw_series, begin=begin, end=end, most=max(500, min(2_000, MOST_DRAWN // max(len(drawn), 1)))),
            drawn,
            title="Read the measurements",
            on_result=self.page.plots.show_series,
            replaces=SERIES,
        )

    # What is done

    def choose_files(self) -> None:
        """Ask for files of measurements, and import them."""
        dialog = QFileDialog(self._window, "Import measurements", self._folder())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self.import_files)
        open_dialog(dialog)

    def import_files(self, names: Sequence[str]) -> None:
        """Import files of measurements, and show the first series."""
        title = "Import measurements"

        def done(result: tuple[tuple[ImportedSeries, ...], Any]) -> None:
            found, resumed = result
            if resumed is not None:
                self._undo.take(None, resumed)
            else:
                for one in found:
                    self._undo.take(one.step, None)
            series = sum(len(one.series) for one in found)
            text = f"{series:,} series with {sum(one.points for one in found):,} points imported"
            text += f", {sum(one.new_points for one in found):,} points are new"
            self._bridge.said.emit(text)
            lost = [line for one in found for line in one.lost]
            if lost:
                more = f", and {len(lost) - 1:,} more" if len(lost) > 1 else ""
                self._bridge.failed.emit(title, DamagedSeries(f"not all was read: {lost[0]}{more}", "", ""))
            first = next((iri for one in found for iri, _ in one.series), None)
            if first is not None:
                self._navigator.explore(first)
                self._navigator.show_view(View.MONITOR)

        self._bridge.run(
            import_into_draft,
            [Path(name) for name in names],
            title=title,
            on_result=done,
            writes=True,
        )

    def _choose(self, row: AnomalyRow) -> None:
        self._navigator.select(row.resource)
        self._bridge.updated.emit()

    def _find(self) -> None:
        view = self._view
        if view is not None and view.run:
            self._write("Find anomalies", partial(find_and_keep, run=view.run, label=view.label))

    def _judge(self, verdict: str) -> None:
        row = self._current
        if row is not None and self.page is not None:
            why = self.page.why.text().strip() if verdict else ""
            judged = partial(triage, anomaly=row.resource, label=row.anomaly.label, verdict=verdict, why=why)
            self._write("Record the verdict", judged)

    def _write(self, title: str, operation: partial[Kept]) -> None:
        def done(kept: Kept) -> None:
            if kept.step is not None or kept.resumed is not None:
                self._undo.take(kept.step, kept.resumed)
            self._bridge.said.emit(kept.words)

        self._bridge.run(operation, title=title, on_result=done, writes=True)
