"""Paints a plot: axes, series and the legend."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from hpc_explorer.app.results.answer import AnswerPlot, Mark
from hpc_explorer.app.results.plotted import MOST_SERIES, Plotted, Range, axis_ticks, least_distance
from hpc_explorer.app.results.plotting import thinned, thinned_points
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.text import brief
from hpc_explorer.query.table import CellKind
from hpc_explorer.ui.widgets.theme import GRID, SMALL, font

if TYPE_CHECKING:
    from hpc_explorer.app.results.plotting import Values

LONGEST_NAME = 48
"""Characters."""

WIDEST_BAR = 48.0
"""Pixels."""

_COLOURS = ("file", "model", "activity", "project", "machine", "software", "data", "spare-1", "spare-2", "agent")
_WIDEST_TICKS = {CellKind.TIME: "2024-03-01", CellKind.TEXT: "m" * 10}
_LINE = 16.0
_SAMPLE = 18.0
_POINT = 4.0

_Place = TypeVar("_Place", float, "Values")


@dataclass(frozen=True)
class Frame:
    """Converts between values and pixels.

    Args:
        area: the area of the lines without axes and names, in pixels.
        across, up: the ranges of the axes.
    """

    area: QRectF
    across: Range
    up: Range

    def x(self, value: _Place) -> _Place:
        """The horizontal pixels of values."""
        low, high = self.across
        return self.area.left() + (value - low) / (high - low) * self.area.width()

    def y(self, value: _Place) -> _Place:
        """The vertical pixels of values."""
        low, high = self.up
        return self.area.bottom() - (value - low) / (high - low) * self.area.height()

    def value_at(self, x: float) -> float:
        """The value of the horizontal axis at a pixel."""
        low, high = self.across
        return low + (x - self.area.left()) / self.area.width() * (high - low)


class PlotPainting:
    """Paints one plot at any size and zoom."""

    def __init__(self, plot: AnswerPlot, values: Plotted, theme: Theme) -> None:
        self._plot = plot
        self._values = values
        self.theme = theme

    def frame(self, size: QSizeF, across: Range) -> Frame:
        """The frame of a widget of this size that shows this range of the horizontal axis."""
        metrics = QFontMetricsF(font(SMALL, figures=True))
        widest = max((metrics.horizontalAdvance(text) for _, text in self._y_ticks()), default=0.0)
        left = widest + 1.5 * GRID
        top = _LINE + GRID
        below = 2 * _LINE + GRID + self._legend_height(size.width())
        area = QRectF(left, top, max(size.width() - left - GRID, 8.0), max(size.height() - top - below, 8.0))
        return Frame(area, across, self._values.up)

    def _y_ticks(self) -> tuple[tuple[float, str], ...]:
        return axis_ticks(self._plot.y, self._values.up, 6)

    def paint(self, painter: QPainter, size: QSizeF, frame: Frame) -> None:
        """Paint everything except the chosen value."""
        area = frame.area
        painter.setFont(font(SMALL, figures=True))
        self._paint_headings(painter, area)
        self._paint_axes(painter, size, frame)
        painter.save()
        painter.setClipRect(area.adjusted(-3, -3, 3, 3))
        for number in range(len(self._values.series)):
            self._paint_series(painter, number, frame)
        painter.restore()
        self._paint_legend(painter, size)

    def _paint_headings(self, painter: QPainter, area: QRectF) -> None:
        metrics = QFontMetricsF(painter.font())
        painter.setPen(QColor(self.theme.muted))
        heading = metrics.elidedText(self._plot.y.heading, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(QPointF(GRID / 2, _LINE - 4), heading)
        centre = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        under = QRectF(area.left(), area.bottom() + _LINE + GRID / 2, area.width(), _LINE)
        painter.drawText(
            under, centre, metrics.elidedText(self._plot.x.heading, Qt.TextElideMode.ElideRight, area.width())
        )

    def _paint_axes(self, painter: QPainter, size: QSizeF, frame: Frame) -> None:
        area, theme = frame.area, self.theme
        metrics = QFontMetricsF(painter.font())
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for value, text in self._y_ticks():
            at = frame.y(value)
            painter.setPen(QPen(QColor(theme.line), 1.0))
            painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(0, at - _LINE / 2, area.left() - GRID / 2, _LINE), right, text)
        widest = metrics.horizontalAdvance(_WIDEST_TICKS.get(self._plot.x.kind, "1,000,000")) + 2 * GRID
        end = -math.inf
        for value, text in axis_ticks(self._plot.x, frame.across, max(int(area.width() / widest), 1)):
            at, width = frame.x(value), metrics.horizontalAdvance(text)
            begin = min(max(at - width / 2, 0.0), size.width() - width)
            painter.setPen(QPen(QColor(theme.edge), 1.0))
            painter.drawLine(QPointF(at, area.bottom()), QPointF(at, area.bottom() + 4))
            if begin > end:
                painter.setPen(QColor(theme.muted))
                painter.drawText(QPointF(begin, area.bottom() + _LINE), text)
                end = begin + width + GRID / 2
        painter.setPen(QPen(QColor(theme.edge), 1.0))
        painter.drawLine(area.bottomLeft(), area.bottomRight())

    def _paint_series(self, painter: QPainter, number: int, frame: Frame) -> None:
        xs, ys = self._values.series[number]
        colour = QColor(self._colour(number))
        if self._plot.mark is Mark.POINTS:
            at_x, at_y = thinned_points(frame.x(xs), frame.y(ys), 1.0)
            painter.setPen(QPen(colour, _POINT, c=Qt.PenCapStyle.RoundCap))
            painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in zip(at_x.tolist(), at_y.tolist(), strict=True)]))
            return
        if self._plot.mark is Mark.BARS:
            self._paint_bars(painter, number, frame)
            return
        xs, ys = thinned(xs, ys, *frame.across, max(int(frame.area.width()), 1))
        painter.setPen(QPen(colour, 1.5, _style(number), Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        part: list[QPointF] = []
        for x, y in zip(frame.x(xs).tolist(), frame.y(ys).tolist(), strict=True):
            if math.isnan(y):
                _draw_part(painter, part)
                part = []
            else:
                part.append(QPointF(x, y))
        _draw_part(painter, part)

    def _paint_bars(self, painter: QPainter, number: int, frame: Frame) -> None:
        xs, ys = self._values.series[number]
        area, (low, high) = frame.area, frame.across
        step = least_distance([xs]) / (high - low) * area.width()
        width = min(max(0.8 * step, 1.0), WIDEST_BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colour(number)))
        foot = frame.y(0.0)
        for x, y in zip(frame.x(xs).tolist(), frame.y(ys).tolist(), strict=True):
            if math.isfinite(y) and area.left() - width <= x <= area.right() + width:
                painter.drawRect(QRectF(x - width / 2, min(y, foot), width, abs(foot - y)))

    def paint_chosen(self, painter: QPainter, frame: Frame, x: float, y: float) -> None:
        """Mark a value by a vertical line and a dot."""
        at = frame.x(x)
        painter.setPen(QPen(QColor(self.theme.edge), 1.0))
        painter.drawLine(QPointF(at, frame.area.top()), QPointF(at, frame.area.bottom()))
        if math.isfinite(y):
            painter.setPen(QPen(QColor(self.theme.surface), 1.5))
            painter.setBrush(QColor(self.theme.accent))
            painter.drawEllipse(QPointF(at, frame.y(y)), 4.5, 4.5)

    # The legend

    def _colour(self, number: int) -> str:
        return self.theme.classes[_COLOURS[number % len(_COLOURS)]]

    def _legend(self, width: float) -> list[tuple[float, float, str]]:
        """The horizontal position, line and text of each name."""
        if len(self._values.series) < 2:
            return []
        metrics = QFontMetricsF(font(SMALL, figures=True))
        placed, x, line = [], GRID / 2, 0
        for series in self._plot.series[:MOST_SERIES]:
            room = max(width - _SAMPLE - 2 * GRID, 24.0)
            name = metrics.elidedText(brief(series.name, LONGEST_NAME), Qt.TextElideMode.ElideRight, room)
            wide = _SAMPLE + GRID + metrics.horizontalAdvance(name)
            if x > GRID and x + wide > width:
                x, line = GRID / 2, line + 1
            placed.append((x, float(line), name))
            x += wide + 2 * GRID
        return placed

    def _legend_height(self, width: float) -> float:
        placed = self._legend(width)
        return (placed[-1][1] + 1) * _LINE + GRID / 2 if placed else 0.0

    def _paint_legend(self, painter: QPainter, size: QSizeF) -> None:
        top = size.height() - self._legend_height(size.width())
        for number, (x, line, name) in enumerate(self._legend(size.width())):
            middle = top + line * _LINE + _LINE / 2
            painter.setPen(QPen(QColor(self._colour(number)), 2.5, _style(number)))
            painter.drawLine(QPointF(x, middle), QPointF(x + _SAMPLE, middle))
            painter.setPen(QColor(self.theme.text))
            painter.drawText(QPointF(x + _SAMPLE + GRID / 2, middle + 4), name)


def _style(number: int) -> Qt.PenStyle:
    """Dashed when the colours repeat."""
    return Qt.PenStyle.SolidLine if number < len(_COLOURS) else Qt.PenStyle.DashLine


def _draw_part(painter: QPainter, part: list[QPointF]) -> None:
    """Draw a line without gaps; Qt draws segments faster than one long line with round joins."""
    if len(part) == 1:
        painter.drawPoint(part[0])
    elif len(part) < 500:
        painter.drawPolyline(QPolygonF(part))
    else:
        for first, second in pairwise(range(0, len(part) + 199, 200)):
            painter.drawPolyline(QPolygonF(part[max(first - 1, 0) : second]))
