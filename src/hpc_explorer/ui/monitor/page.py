"""The page "Monitor": pictures of a run above its anomalies and its jobs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea, QSplitter, QWidget

from hpc_explorer.app.monitor.run_view import AnomalyRow, RunView
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.monitor.anomaly_list import AnomalyList
from hpc_explorer.ui.monitor.job_table import JobTable
from hpc_explorer.ui.monitor.plots import MOST_PLOTS, RunPlots
from hpc_explorer.ui.widgets.action_button import TEXT, action_button
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in, row_in, tab_bar
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted

NO_ANOMALY = (
    "No anomaly is recorded here. “Find anomalies” compares the jobs with other runs, and looks at the measurements."
)

_LOWER, _LIST, _REASON = 24 * GRID, 9 * GRID, 24 * GRID
"""The least height of the lists with their buttons, that of the list of anomalies, and the width of the reason."""

_SHARE = 0.55
"""The part of the height that the plots get, unless they need more and the lists can do with less."""

CHOOSE = "Choose an anomaly here or in a plot to see its evidence, what it led to, and to judge it."


class MonitorPage(QWidget):
    """The pictures, the list of anomalies and the table of jobs.

    Args:
        finding: the action that finds anomalies.
        reaching: the actions on the chosen anomaly, such as its lineage.
        judging: the actions that record a verdict.

    Signals:
        opened(Resource): a job or an anomaly was opened.
        anomaly_chosen(AnomalyRow): an anomaly was chosen.
        job_chosen(JobRow): a job was chosen.
    """

    opened = Signal(object)
    anomaly_chosen = Signal(object)
    job_chosen = Signal(object)

    def __init__(self, finding: QAction, reaching: Sequence[QAction], judging: Sequence[QAction]) -> None:
        super().__init__()
        self.view: RunView | None = None
        self.summary = TextBlock("", muted=True)
        self.watched = TextBlock("", muted=True)
        self.watched.setVisible(False)
        self.plots = RunPlots()
        self.anomalies = AnomalyList()
        self.jobs = JobTable()
        self.why = QLineEdit()
        self.why.setPlaceholderText("Why (may be empty)")
        self.why.setAccessibleName("Reason for the verdict")
        self.evidence = TextBlock("", muted=True)
        self.tabs = tab_bar("Lists of the run")
        self._lists = PageStack()
        self._lists.addWidget(self._anomaly_page(reaching, judging))
        self._lists.addWidget(self.jobs)
        self.tabs.addTab("Anomalies")
        self.tabs.addTab("Jobs")
        self.tabs.currentChanged.connect(self._lists.setCurrentIndex)
        self._parts = QSplitter(Qt.Orientation.Vertical)
        lower = QWidget()
        column = column_in(lower)
        add_parts(column, self.tabs, (self._lists, 1))
        lower.setMinimumHeight(_LOWER)
        scrolled = QScrollArea()
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setWidgetResizable(True)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setAccessibleName("Timeline and measurements, scrolled")
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setMinimumHeight(16 * GRID)
        scrolled.setWidget(self.plots)
        self._parts.addWidget(scrolled)
        self._parts.addWidget(lower)
        self._parts.setStretchFactor(0, 3)
        self._parts.setStretchFactor(1, 2)
        self._parts.setChildrenCollapsible(False)
        self._is_shared = False
        self._parts.splitterMoved.connect(self._keep_share)
        self.plots.completed.connect(self._share)
        above = QWidget()
        row = row_in(above, spacing=GRID)
        row.addWidget(self.summary, 1)
        row.addWidget(action_button(finding, TEXT), 0, Qt.AlignmentFlag.AlignTop)
        whole = column_in(self, 2 * GRID, GRID, 2 * GRID, GRID, spacing=GRID)
        add_parts(whole, above, self.watched, (self._parts, 1))
        self._connect()
        self.show_view(None)

    def _anomaly_page(self, reaching: Sequence[QAction], judging: Sequence[QAction]) -> QWidget:
        page = QWidget()
        column = column_in(page, spacing=GRID)
        buttons = QWidget()
        line = OneLine(buttons, GRID)
        line.addWidget(self.why)
        for action in (*judging, *reaching):
            line.addWidget(action_button(action, TEXT, short=True))
        self.why.setFixedWidth(_REASON)
        self.anomalies.setMinimumHeight(_LIST)
        add_parts(column, (self.anomalies, 1), self.evidence, buttons)
        self._judged = (buttons,)
        return page

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Share the height between plots and lists, until the user does it."""
        room = self._parts.height() - self._parts.handleWidth()
        if not self._is_shared:
            plots = max(round(_SHARE * room), min(self.plots.minimumHeight(), room - _LOWER))
            self._parts.setSizes([plots, room - plots])

    def _keep_share(self) -> None:
        self._is_shared = True

    def _connect(self) -> None:
        self.anomalies.chosen.connect(self._choose_anomaly)
        self.anomalies.opened.connect(self.opened)
        self.jobs.chosen.connect(self._choose_job)
        self.jobs.opened.connect(self._open_job)
        self.plots.job_chosen.connect(self._choose_bar)
        self.plots.job_opened.connect(self._open_job)
        self.plots.anomaly_chosen.connect(self._choose_span)

    def show_view(self, view: RunView | None, text: str = "", focus: Resource | None = None) -> None:
        """Show a run, or a text if there is none.

        Args:
            focus: the resource of the page; if it is one of the anomalies or jobs, it is chosen.
        """
        before = self.view
        self.view = view
        self._parts.setVisible(view is not None)
        self.summary.say(text if view is None else _summary(view))
        self.plots.show_view(view)
        self.jobs.show_rows(() if view is None else view.jobs)
        self.anomalies.show_view(view)
        number = 0 if view is None else len(view.anomalies)
        self.tabs.setTabText(0, f"Anomalies ({number:,})")
        self.tabs.setTabText(1, f"Jobs ({0 if view is None else len(view.jobs):,})")
        if view is not None and (before is None or before.label != view.label):
            self.tabs.setCurrentIndex(0 if number else 1)
        if view is not None and self.anomalies.current is None:
            self.anomalies.choose_resource(focus)
            for at, row in enumerate(view.jobs):
                if row.resource == focus:
                    self.jobs.choose(at)
                    self.plots.choose_job(row)
        self._tell()

    def show_watched(self, state: str) -> None:
        """Show what is watched; nothing if the text is empty."""
        self.watched.say(state)
        self.watched.setVisible(bool(state))

    @property
    def current(self) -> AnomalyRow | None:
        """The chosen anomaly."""
        return self.anomalies.current

    def _tell(self) -> None:
        row = self.current
        for widget in self._judged:
            widget.setVisible(row is not None)
        if row is None:
            has_some = self.view is not None and bool(self.view.anomalies)
            self.evidence.say(CHOOSE if has_some else NO_ANOMALY)
            self.plots.choose_anomaly(-1)
            return
        verdict = f" Verdict: {row.verdict}{f', {row.why}' if row.why else ''}." if row.verdict else ""
        self.evidence.say(f"{row.anomaly.evidence}.{verdict}")
        self.why.setText(row.why)
        if self.view is not None:
            self.plots.choose_anomaly(self.view.anomalies.index(row))

    def _choose_anomaly(self, number: int) -> None:
        self._tell()
        if self.view is not None:
            self.anomaly_chosen.emit(self.view.anomalies[number])

    def _choose_span(self, number: int) -> None:
        self.tabs.setCurrentIndex(0)
        self.anomalies.choose(number)

    def _choose_job(self, number: int) -> None:
        if self.view is not None:
            row = self.view.jobs[number]
            self.plots.choose_job(row)
            self.job_chosen.emit(row)

    def _choose_bar(self, number: int) -> None:
        self.tabs.setCurrentIndex(1)
        self.jobs.choose(number)
        self._choose_job(number)

    def _open_job(self, number: int) -> None:
        if self.view is not None:
            self.opened.emit(self.view.jobs[number].resource)


def _summary(view: RunView) -> str:
    parts = []
    if view.jobs:
        hosts = {row.job.host for row in view.jobs if row.job.host}
        of = f" of {counted(view.runs, 'run')}" if view.runs > 1 else ""
        parts.append(f"{counted(len(view.jobs), 'job')}{of}" + (f" on {counted(len(hosts), 'host')}" if hosts else ""))
        failed = sum(row.job.exit_code not in (None, 0) for row in view.jobs)
        if failed:
            parts.append(f"{failed:,} failed")
        timeless = sum(row.lane < 0 for row in view.jobs)
        if timeless:
            parts.append(f"{timeless:,} without begin and end, which the timeline cannot show")
        affected = sum(bool(row.anomalies) for row in view.jobs)
        if affected:
            parts.append(f"{affected:,} affected by anomalies")
    if view.series:
        points = sum(row.extent.points for row in view.series)
        parts.append(f"{len(view.series):,} series of measurements with {counted(points, 'point')}")
        quantities = {(row.series.quantity, row.series.unit) for row in view.series}
        if len(quantities) > MOST_PLOTS:
            parts.append(f"{MOST_PLOTS} of {len(quantities):,} quantities are drawn, those with anomalies first")
    if any(row.usual is not None and row.anomalies for row in view.series):
        parts.append("green is the usual range")
    return f"{view.label}: " + ", ".join(parts) + "."
