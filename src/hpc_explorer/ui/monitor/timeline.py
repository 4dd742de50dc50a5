"""The timeline: a bar for each job, in lanes by host, drawn as far as it is in sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from hpc_explorer.app.monitor.run_view import JobRow
from hpc_explorer.ui.widgets.theme import SMALL, current_theme, font

_ROOM, _PAD = 36, 4
"""The least width in pixels of a bar with a name, and the space beside the name."""

_BORDERED = 5
"""The least height in pixels of a bar with a border."""

_HEIGHT = 0.72
"""Of a bar, relative to its lane."""


class Timeline(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """The bars of jobs: lane 0 is on top. Affected jobs, failed jobs and the chosen job have colours of their own.

    Attributes:
        rows: the jobs with times.
        chosen: the index of the chosen job in `rows`; -1 if none is.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[JobRow, ...] = ()
        self.chosen = -1
        self._bounds = QRectF(0, 0, 1, 1)
        self._begins = self._ends = self._lanes = np.zeros(0)
        self._kinds = np.zeros(0, np.int64)

    def show_jobs(self, rows: Sequence[JobRow]) -> None:
        """Show other jobs."""
        self.prepareGeometryChange()
        self.rows = tuple(row for row in rows if row.lane >= 0)
        self._begins = np.array([row.job.started or 0.0 for row in self.rows])
        self._ends = np.array([row.job.ended or 0.0 for row in self.rows])
        self._lanes = np.array([row.lane for row in self.rows], float)
        self._kinds = np.array(
            [2 if row.job.exit_code not in (None, 0) else 1 if row.anomalies else 0 for row in self.rows], np.int64
        )
        self.chosen = -1
        if self.rows:
            begin, end = float(self._begins.min()), float(self._ends.max())
            self._bounds = QRectF(begin, 0, max(end - begin, 1.0), float(self._lanes.max()) + 1)
        else:
            self._bounds = QRectF(0, 0, 1, 1)
        self.update()

    def choose(self, index: int) -> None:
        """Mark a job; -1 for none."""
        self.chosen = index
        self.update()

    def at(self, time: float, lane: float) -> int:
        """The index of the job at a place; -1 if there is none."""
        inside = (self._begins <= time) & (time <= self._ends) & (np.abs(self._lanes + 0.5 - lane) <= _HEIGHT / 2)
        places = np.flatnonzero(inside)
        return int(places[0]) if len(places) else -1

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        box: Any = self.getViewBox()
        seen = box.viewRect() if box is not None else self._bounds
        inside = (
            (self._begins <= seen.right())
            & (self._ends >= seen.left())
            & (self._lanes + 1 >= seen.top())
            & (self._lanes <= seen.bottom())
        )
        # A bar is at least a pixel wide, so that short jobs are seen.
        least = seen.width() / max(box.width(), 1.0) if box is not None else 0.0
        colours = (current_theme().accent_soft, current_theme().warning, current_theme().error)
        edge = QPen(QColor(current_theme().edge), 1)
        edge.setCosmetic(True)
        # Borders would hide the colour of low bars, and take most of the time where there are thousands.
        is_low = abs(painter.transform().m22()) * _HEIGHT < _BORDERED
        if is_low and box is not None:
            self._draw_low(painter, inside, seen, (max(int(box.width()), 1), max(int(box.height()), 1)))
        for kind, colour in enumerate(colours):
            places = np.flatnonzero(inside & (self._kinds == kind))
            if is_low or not len(places):
                continue
            painter.setPen(edge)
            painter.setBrush(QColor(colour))
            painter.drawRects(self._bars(places, least))
            self._name(painter, places, current_theme().text if kind == 0 else current_theme().surface)
        if 0 <= self.chosen < len(self.rows):
            pen = QPen(QColor(current_theme().accent), 3)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.setBrush(QColor(colours[int(self._kinds[self.chosen])]))
            painter.drawRect(self._bar(self.chosen, least))
            plain = int(self._kinds[self.chosen]) == 0
            self._name(painter, [self.chosen], current_theme().text if plain else current_theme().surface)

    def _name(self, painter: QPainter, places: Any, colour: str) -> None:
        """Write the names of jobs into bars that have room."""
        transform = painter.transform()
        if transform.m22() * _HEIGHT < font(SMALL).pixelSize() + 2:
            return
        wide = [int(place) for place in places if (self._ends[place] - self._begins[place]) * transform.m11() > _ROOM]
        if not wide:
            return
        painter.save()
        painter.setFont(font(SMALL))
        painter.setPen(QColor(colour))
        painter.setWorldMatrixEnabled(False)
        metrics = painter.fontMetrics()
        for place in wide:
            # The part in sight, so that a long job keeps its name.
            shown = transform.mapRect(self._bar(place, 0.0)).intersected(QRectF(painter.viewport()))
            shown.adjust(_PAD, 0, -_PAD, 0)
            text = metrics.elidedText(self.rows[place].job.name, Qt.TextElideMode.ElideRight, int(shown.width()))
            if len(text) > 2:
                painter.drawText(shown, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def _draw_low(self, painter: QPainter, inside: Any, seen: QRectF, size: tuple[int, int]) -> None:
        """Draw low bars as one image, because there may be thousands, and each would be an object of Qt.

        Args:
            inside: which bars are in sight.
            seen: the part in sight.
            size: its width and height in pixels.
        """
        width, height = size
        theme = current_theme()
        pixels = np.zeros((height, width), np.uint32)
        for kind, colour in enumerate((theme.edge, theme.warning, theme.error)):
            places = np.flatnonzero(inside & (self._kinds == kind))
            if not len(places):
                continue
            across, down = width / seen.width(), height / seen.height()
            left = np.clip(np.floor((self._begins[places] - seen.left()) * across), 0, width - 1).astype(np.int64)
            right = np.clip(np.ceil((self._ends[places] - seen.left()) * across), left + 1, width).astype(np.int64)
            top = np.floor((self._lanes[places] + (1 - _HEIGHT) / 2 - seen.top()) * down).astype(np.int64)
            rows = max(1, round(_HEIGHT * down))
            # The sum along a line of +1 at the begin of each bar and -1 at its end is above 0 inside bars.
            changes = np.zeros(height * (width + 1), np.int64)
            for row in range(rows):
                shown = (top + row >= 0) & (top + row < height)
                line = (top[shown] + row) * (width + 1)
                changes += np.bincount(line + left[shown], minlength=len(changes))
                changes -= np.bincount(line + right[shown], minlength=len(changes))
            covered = np.cumsum(changes.reshape(height, width + 1), axis=1)[:, :width] > 0
            pixels[covered] = QColor(colour).rgba()
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32)
        painter.drawImage(seen, image)

    def _bars(self, places: Any, least: float) -> list[QRectF]:
        begins = self._begins[places]
        widths = np.maximum(self._ends[places] - begins, least)
        tops = self._lanes[places] + (1 - _HEIGHT) / 2
        return [
            QRectF(begin, top, width, _HEIGHT)
            for begin, top, width in zip(begins.tolist(), tops.tolist(), widths.tolist(), strict=True)
        ]

    def _bar(self, place: int, least: float) -> QRectF:
        begin = float(self._begins[place])
        width = max(float(self._ends[place]) - begin, least)
        return QRectF(begin, float(self._lanes[place]) + (1 - _HEIGHT) / 2, width, _HEIGHT)
