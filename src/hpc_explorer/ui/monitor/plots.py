"""The timeline and the plots of measurements below each other, on one axis of time."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QScrollArea, QToolTip

from hpc_explorer.app.monitor.fitting import ModelBand
from hpc_explorer.app.monitor.run_view import AnomalyRow, JobRow, RunView, SeriesRow
from hpc_explorer.monitor.series_graph import StatedSeries
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.series import DrawnSeries
from hpc_explorer.ui.monitor.timeline import Timeline
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme, font, on_theme
from hpc_explorer.ui.widgets.timers import single_shot
from hpc_explorer.ui.widgets.turns import Turn

MOST_PLOTS, MOST_CURVES = 6, 40
"""The most plots below the timeline, and curves in one of them."""

MOST_MODELS = 2
"""The most kinds of jobs whose times are drawn beside those that a model predicts."""

_REST = 120
"""Milliseconds after which the series are read for another interval."""

_WIDE = 800
"""The most points of a wide line."""

_STEP = 0.2
"""By how much of the interval an arrow key moves."""

_AXIS = 9 * GRID
"""The width of the values at the left."""

_LANE, _MOST_LANES = 14, 12
"""The least height of a lane of the timeline, so that the names of hosts are apart, and the most lanes with names."""

_TITLE, _PLOT, _TIMES = 20, 5 * GRID, 24
"""The heights of a title and of the times at the bottom, and the least height of a plot."""


class _Span(pg.LinearRegionItem):  # type: ignore[misc]  # pyqtgraph has no types
    """The interval of an anomaly; a click chooses it."""

    def __init__(self, number: int, begin: float, end: float, plots: RunPlots) -> None:
        super().__init__((begin, end), movable=False)
        self.number, self._plots = number, plots

    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self._plots.anomaly_chosen.emit(self.number)


class RunPlots(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """The pictures of a run. The wheel and + and - zoom, dragging and the arrow keys pan, Home shows all.

    Where the page is scrolled, the wheel does that, and zooms with Ctrl.

    Attributes:
        models: a plot for each model and ratio, with its intervals and its points.

    Signals:
        interval_wanted(float, float): read the series for this interval.
        job_chosen(int): a bar was clicked; the index in the view's jobs, -1 for none.
        job_opened(int): a bar was double-clicked.
        anomaly_chosen(int): the interval of an anomaly was clicked; the index in the view's anomalies.
        completed(): all plots are there, and the least height is that of all of them.
    """

    interval_wanted = Signal(float, float)
    job_chosen = Signal(int)
    job_opened = Signal(int)
    anomaly_chosen = Signal(int)
    completed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.view: RunView | None = None
        self.timeline = Timeline()
        self._plots: list[tuple[Any, list[SeriesRow]]] = []
        self._curves: dict[NamedNode, Any] = {}
        self._sizes: dict[NamedNode, int] = {}
        self._spans: list[_Span] = []
        self._bands: list[Any] = []
        self._jobs_plot: Any = None
        self.models: list[tuple[Any, Any, Any]] = []
        self._chosen_anomaly = -1
        self._to_add: deque[Callable[[], None]] = deque()
        self._adding = Turn(self, self._add_one)
        self._opens_at: tuple[float, float] | None = None
        self._rest = single_shot(self, _REST, self._ask)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Timeline and measurements")
        self.setAccessibleDescription("Arrow keys move, + and - zoom, Home shows all. The lists below have the same.")
        self.setFrameShape(self.Shape.NoFrame)
        self.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.ci.layout.setVerticalSpacing(GRID // 2)
        self.scene().sigMouseClicked.connect(self._clicked)
        self.scene().sigMouseMoved.connect(self._hovered)
        on_theme(self._dress)

    # What is shown

    def show_view(self, view: RunView | None) -> None:
        """Show a run; its series are empty until `show_series`."""
        same = self.view is not None and view is not None and (self.view.run, self.view.label) == (view.run, view.label)
        interval = (self._opens_at or self.interval()) if same else None
        self.view = view
        self._rest.stop()
        self._adding.stop()
        self._to_add.clear()
        self.ci.clear()
        self._plots, self._curves, self._sizes, self._spans, self._bands = [], {}, {}, [], []
        self.models = []
        self._jobs_plot, self._chosen_anomaly, self._opens_at = None, -1, None
        self.timeline = Timeline()  # the one before went with its plot
        if view is None:
            return
        self._opens_at = interval or (view.begin, view.end)
        self.timeline.show_jobs(view.jobs)
        if self.timeline.rows:
            self._to_add.append(partial(self._add_timeline, view))
        self._to_add.extend(partial(self._add_series, *quantity) for quantity in self._quantities(view))
        self._begin_adding()

    @property
    def is_adding(self) -> bool:
        """Whether some plots are not made yet."""
        return bool(self._to_add)

    def _begin_adding(self) -> None:
        self._to_add.append(self._complete)
        self.ci.setVisible(self._opens_at is None)  # another view is painted once, when all its plots are there
        self._adding.start()

    def _add_one(self) -> None:
        """Make a plot, which takes 15 ms."""
        self._to_add.popleft()()
        if self._to_add:
            self._adding.start()
        else:
            self.ci.show()

    def _complete(self) -> None:
        """What needs all plots: their common axis, and the interval in which a view opens."""
        plots = self._plots_in_order()
        for plot in plots:
            axis = plot.getAxis("bottom")
            axis.setStyle(showValues=plot is plots[-1])
            axis.setHeight(None if plot is plots[-1] else GRID)
        self._link()
        if self._opens_at is not None and self.view is not None:
            self._place_spans(self.view.anomalies)
            self._dress()
            for plot in plots[:1]:
                plot.sigXRangeChanged.connect(lambda *_: self._rest.start())
            self.show_interval(*self._opens_at)
            self._opens_at = None
            self._ask()
            self.choose_anomaly(self._chosen_anomaly)
        else:
            self._dress()
        self.completed.emit()

    def show_series(self, drawn: Mapping[NamedNode, DrawnSeries]) -> None:
        """Draw the values of series; a gap in time is a gap in the line."""
        for iri, series in drawn.items():
            curve = self._curves.get(iri)
            if curve is not None:
                x, y = _line(series)
                curve.setData(x, y, connect="finite" if np.isnan(y).any() else "all", skipFiniteCheck=True)
                self._sizes[iri] = len(x)
        self._dress_curves()

    def show_models(self, bands: Sequence[ModelBand]) -> None:
        """Draw the times of jobs beside what models predict, and below them the ratio of both."""
        is_adding = self.is_adding
        for band in bands[:MOST_MODELS]:
            predicted, ones = np.array(band.predicted), np.ones(len(band.begins))
            whole = np.array(band.measured), predicted, np.array(band.low), np.array(band.high)
            ratio = whole[0] / predicted, ones, whole[2] / predicted, whole[3] / predicted
            title = f"Seconds of {band.task} · the model of {band.fitted_to:,} other jobs in green"
            self._to_add.append(partial(self._add_model, title, band.begins, *whole))
            self._to_add.append(partial(self._add_model, f"{band.task}: measured / predicted", band.begins, *ratio))
        if is_adding:
            self._to_add.append(self._complete)
        else:
            self._begin_adding()

    def choose_job(self, row: JobRow | None) -> None:
        """Mark a job."""
        self.timeline.choose(-1 if row is None or row not in self.timeline.rows else self.timeline.rows.index(row))

    def choose_anomaly(self, number: int) -> None:
        """Mark the interval of an anomaly, and move it into sight; -1 for none."""
        self._chosen_anomaly = number
        if self._opens_at is not None:
            return  # it is marked as soon as all plots are there
        self._colour_spans()
        row = self.view.anomalies[number] if self.view is not None and number >= 0 else None
        if row is not None and row.begin is not None and row.end is not None:
            begin, end = self.interval()
            if row.begin < begin or row.end > end:
                margin = max(row.end - row.begin, 60.0)
                self.show_interval(row.begin - margin, row.end + margin)

    def interval(self) -> tuple[float, float]:
        """The interval in sight, in seconds since 1970."""
        plots = self._plots_in_order()
        if not plots:
            return 0.0, 1.0
        (begin, end), _ = plots[0].viewRange()
        return float(begin), float(end)

    def show_interval(self, begin: float, end: float) -> None:
        """Show an interval."""
        for plot in self._plots_in_order()[:1]:
            plot.setXRange(begin, end, padding=0.01)

    def follow(self, newest: float) -> None:
        """Read the series again, as points came up to a time. What shows the end of the series moves along."""
        if self.view is None or not self._curves:
            return
        before = self.view.end
        self.view = replace(self.view, end=max(before, newest))
        begin, end = self.interval()
        if begin <= before <= end < newest:
            self.show_exactly(begin + newest - before, end + newest - before)
        self._ask()

    def _dress(self) -> None:
        """Take the colours of the theme."""
        theme = current_theme()
        self.setBackground(theme.surface)
        for plot in self._plots_in_order():
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(theme.edge)
                axis.setTextPen(theme.text)
                axis.setTickFont(font(SMALL))
        for plot in (*(plot for plot, _ in self._plots), *(plot for plot, *_ in self.models)):
            plot.setTitle(plot.titleLabel.text, color=theme.text, size=f"{font(SMALL).pixelSize()}px")
            plot.titleLabel.setMaximumHeight(_TITLE)  # pyqtgraph gives each title 30 pixels
            plot.layout.setRowFixedHeight(0, _TITLE)
        self._dress_curves()
        for _, interval, points in self.models:
            # Wider than the points, so that a narrow interval is seen behind them, and no longer than it is.
            pen = pg.mkPen(_clear(theme.success, 150), width=3 * GRID)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            interval.setData(pen=pen)
            points.setBrush(QColor(theme.accent))
        for band in self._bands:
            band.setBrush(_clear(theme.success, 40))
        self._colour_spans()

    def _dress_curves(self) -> None:
        """Colour the curves. A wide line of many points takes ten times as long to draw as a thin one."""
        theme = current_theme()
        for _, rows in self._plots:
            marked = any(row.anomalies for row in rows)
            for row in rows:
                curve = self._curves[row.series.iri]
                strong = bool(row.anomalies) or not marked
                is_wide = strong and self._sizes.get(row.series.iri, 0) <= _WIDE
                curve.setPen(pg.mkPen(theme.accent if strong else theme.edge, width=2 if is_wide else 1))
                curve.setZValue(2 if strong else 1)

    @property
    def drawn(self) -> tuple[StatedSeries, ...]:
        """The series that have a curve."""
        return tuple(row.series for _, rows in self._plots for row in rows)

    # Building

    def _quantities(self, view: RunView) -> Sequence[tuple[str, list[SeriesRow]]]:
        """The series by quantity and unit, those with anomalies first."""
        groups: dict[tuple[str, str], list[SeriesRow]] = defaultdict(list)
        for row in view.series:
            groups[row.series.quantity, row.series.unit].append(row)
        for rows in groups.values():
            rows.sort(key=lambda row: (not row.anomalies, row.series.label))
        listed = sorted(groups.items(), key=lambda item: (not item[1][0].anomalies, item[0]))
        return [(f"{name} [{unit}]" if unit else name, rows) for (name, unit), rows in listed[:MOST_PLOTS]]

    def _add_plot(self, row: int) -> Any:
        plot = self.addPlot(row=row, col=0, axisItems={"bottom": pg.DateAxisItem(utcOffset=0)}, enableMenu=False)
        plot.hideButtons()
        plot.disableAutoRange(axis="x")  # of the points; all plots show the interval of the first
        plot.getAxis("left").setWidth(_AXIS)
        plot.getAxis("bottom").setStyle(showValues=False)
        plot.getAxis("bottom").setHeight(GRID)
        plot.getViewBox().setMinimumHeight(_PLOT)
        return plot

    def _add_timeline(self, view: RunView) -> None:
        plot = self._jobs_plot = self._add_plot(0)
        plot.addItem(self.timeline)
        plot.invertY(True)
        plot.setMouseEnabled(x=True, y=len(view.lanes) > 20)
        plot.setYRange(0, len(view.lanes), padding=0.02)
        first = {name: number for number, name in reversed(list(enumerate(view.lanes)))}
        ticks = sorted((lane + 0.5, name) for name, lane in first.items())
        # Names of the next level are left out where there is no room for all of them.
        levels = [some for some in (ticks[::16], *(ticks[step :: 2 * step] for step in (8, 4, 2, 1))) if some]
        plot.getAxis("left").setStyle(textFillLimits=[(0, 0.9)], maxTextLevel=len(levels))
        plot.getAxis("left").setTicks(levels)

    def _add_model(self, title: str, begins: Sequence[float], measured: Any, middle: Any, low: Any, high: Any) -> None:
        plot = self._add_plot(len(self._plots) + len(self.models) + 1)
        plot.setMouseEnabled(x=True, y=False)
        plot.setTitle(title)
        times = np.array(begins)
        interval = pg.ErrorBarItem(x=times, y=middle, top=high - middle, bottom=middle - low)
        points = pg.ScatterPlotItem(times, measured, size=GRID, pen=None)
        plot.addItem(interval)
        plot.addItem(points)
        self.models.append((plot, interval, points))

    def _add_series(self, quantity: str, rows: list[SeriesRow]) -> None:
        plot = self._add_plot(len(self._plots) + 1)
        plot.setMouseEnabled(x=True, y=False)
        shown = rows[:MOST_CURVES]
        plot.setTitle(_title(quantity, rows, len(shown)))
        usual = [row.usual for row in shown if row.anomalies and row.usual is not None]
        if usual:
            band = pg.LinearRegionItem(
                (min(low for low, _ in usual), max(high for _, high in usual)),
                orientation="horizontal",
                movable=False,
                pen=pg.mkPen(None),
            )
            band.setZValue(0)
            plot.addItem(band)
            self._bands.append(band)
        for row in shown:
            curve = pg.PlotCurveItem()
            self._curves[row.series.iri] = curve
            plot.addItem(curve)
        plot.enableAutoRange(axis="y")
        plot.setAutoVisible(y=True)
        self._plots.append((plot, shown))

    def _plots_in_order(self) -> list[Any]:
        plots = [plot for plot, _ in self._plots] + [plot for plot, *_ in self.models]
        return plots if self._jobs_plot is None else [self._jobs_plot, *plots]

    def _link(self) -> None:
        plots = self._plots_in_order()
        if not plots:
            return
        for other in plots[1:]:
            other.setXLink(plots[0])
        others = len(self._plots) + len(self.models)
        height = others * (_TITLE + _PLOT + 2 * GRID) + _TIMES
        if self._jobs_plot is not None and self.view is not None:
            lanes = len(self.view.lanes)
            self.ci.layout.setRowStretchFactor(0, max(2, min(lanes, _MOST_LANES)))
            timeline = max(2, min(lanes, _MOST_LANES)) * _LANE
            self._jobs_plot.getViewBox().setMinimumHeight(timeline)
            height += timeline + 2 * GRID
        for number in range(others):
            self.ci.layout.setRowStretchFactor(number + 1, 4)
        self.setMinimumHeight(height)

    def _place_spans(self, anomalies: Sequence[AnomalyRow]) -> None:
        for number, row in enumerate(anomalies):
            if row.begin is None or row.end is None:
                continue
            for plot, rows in self._plots:
                if {one.series.iri for one in rows} & set(row.series):
                    span = _Span(number, row.begin, row.end, self)
                    span.setZValue(-1)
                    plot.addItem(span)
                    self._spans.append(span)

    def _colour_spans(self) -> None:
        for span in self._spans:
            row = self.view.anomalies[span.number] if self.view is not None else None
            refused = row is not None and row.verdict == "false alarm"
            colour = current_theme().edge if refused else current_theme().warning
            chosen = span.number == self._chosen_anomaly
            span.setBrush(_clear(colour, 85 if chosen else 45))
            span.setHoverBrush(_clear(colour, 90))
            for line in span.lines:
                line.setPen(pg.mkPen(colour, width=2 if chosen else 1))

    # Mouse and keys

    def _ask(self) -> None:
        if self.view is not None and self._curves:
            begin, end = self.interval()
            # A third more on both sides, so that panning does not run into an empty part at once.
            self.interval_wanted.emit(begin - (end - begin) / 3, end + (end - begin) / 3)

    def _job_at(self, scene_place: Any) -> int:
        plot = self._jobs_plot
        if plot is None or not plot.sceneBoundingRect().contains(scene_place):
            return -1
        place = plot.getViewBox().mapSceneToView(scene_place)
        return self.timeline.at(place.x(), place.y())

    def _clicked(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.view is None or event.isAccepted():
            return
        found = self._job_at(event.scenePos())
        if found >= 0:
            number = self.view.jobs.index(self.timeline.rows[found])
            (self.job_opened if event.double() else self.job_chosen).emit(number)

    def _hovered(self, place: Any) -> None:
        found = self._job_at(place)
        if found >= 0:
            self.setToolTip(plain_tip(job_text(self.timeline.rows[found])))
        else:
            self.setToolTip("")
            QToolTip.hideText()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom, or leave the wheel to what scrolls the page."""
        if self._is_scrolled() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().wheelEvent(event)

    def _is_scrolled(self) -> bool:
        above = self.parentWidget()
        while above is not None:
            if isinstance(above, QScrollArea) and above.verticalScrollBar().maximum() > 0:
                return True
            above = above.parentWidget()
        return False

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.setToolTip("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        begin, end = self.interval()
        width = end - begin
        match event.key():
            case Qt.Key.Key_Left:
                self.show_exactly(begin - _STEP * width, end - _STEP * width)
            case Qt.Key.Key_Right:
                self.show_exactly(begin + _STEP * width, end + _STEP * width)
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.show_exactly(begin + width / 4, end - width / 4)
            case Qt.Key.Key_Minus:
                self.show_exactly(begin - width / 2, end + width / 2)
            case Qt.Key.Key_Home if self.view is not None:
                self.show_interval(self.view.begin, self.view.end)
            case _:
                super().keyPressEvent(event)

    def show_exactly(self, begin: float, end: float) -> None:
        """Show an interval without a margin."""
        for plot in self._plots_in_order()[:1]:
            plot.setXRange(begin, end, padding=0)


def _title(quantity: str, rows: Sequence[SeriesRow], shown: int) -> str:
    marked = [row for row in rows if row.anomalies]
    parts = [quantity]
    if len(rows) == 1:
        parts.append(", ".join(rows[0].hosts) or rows[0].series.label)
    elif marked:
        names = dict.fromkeys(", ".join(row.hosts) or row.series.label for row in marked)
        parts.append(f"{', '.join(names)} in blue, {len(rows) - len(marked):,} others in grey")
    else:
        parts.append(f"{len(rows):,} series")
    if shown < len(rows):
        parts.append(f"{shown:,} drawn")
    return " · ".join(parts)


def job_text(row: JobRow) -> str:
    """A job in some lines."""
    job = row.job
    lines = [job.name]
    if job.seconds is not None:
        lines.append(f"{job.seconds:,.0f} s" + (f" on {job.host}" if job.host else ""))
    if job.exit_code not in (None, 0):
        lines.append(f"exit code {job.exit_code}")
    if row.anomalies:
        lines.append(
            "affected by an anomaly" if len(row.anomalies) == 1 else f"affected by {len(row.anomalies)} anomalies"
        )
    return "\n".join(lines)


def _line(series: DrawnSeries) -> tuple[Any, Any]:
    """The points of a line: of summaries the least and the greatest value, with a break in each gap."""
    times, low, high = series.times, series.low, series.high
    if series.is_summary:
        x = np.repeat(times, 2)
        y = np.column_stack([low, high]).ravel()
    else:
        x, y = times, series.mean
    if len(times) > 3:
        steps = np.diff(times)
        gaps = np.flatnonzero(steps > 5 * np.median(steps)) + 1
        places = gaps * (2 if series.is_summary else 1)
        x, y = np.insert(x, places, times[gaps - 1]), np.insert(y, places, np.nan)
    return x, y


def _clear(colour: str, alpha: int) -> QColor:
    made = QColor(colour)
    made.setAlpha(alpha)
    return made
