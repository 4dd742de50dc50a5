"""A plot of an answer: lines, points or bars, for the eye, the mouse, the keys and a screen reader.

It paints itself: docs/decisions/0026-answers.md says why.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from hpc_explorer.app.answer import AnswerPlot, Axis, Kind, Mark
from hpc_explorer.app.answer_files import plot_sentences, time_text
from hpc_explorer.app.plotting import thinned, thinned_points, ticks, time_ticks
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.text import TextBlock
from hpc_explorer.ui.theme import GRID, SMALL, font

if TYPE_CHECKING:
    from hpc_explorer.app.plotting import Values

HEIGHT = 40 * GRID
LONGEST_NAME = 48
LONGEST_TICK = 18
"""Characters of a name along an axis; the whole of it is read below the plot."""

WIDEST_BAR = 48.0
"""Pixels."""

MOST_SERIES = 12
"""Series that can be told apart; of more, the first are drawn, and it is said."""

_COLOURS = ("file", "model", "activity", "project", "machine", "software", "data", "spare-1", "spare-2", "agent")
_WIDEST_TICKS = {Kind.TIME: "2024-03-01", Kind.TEXT: "m" * 10}
_LINE = 16.0
_SAMPLE = 18.0
_POINT = 4.0


class PlotPane(QWidget):
    """A plot with a line below it that says what is under the pointer.

    Attributes:
        canvas: the widget that draws.
        reading: the value under the pointer or the keyboard, in words.
    """

    def __init__(self, plot: AnswerPlot, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = PlotCanvas(plot, theme)
        self._reading = TextBlock("", size=SMALL, muted=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.canvas)
        column.addWidget(self._reading)
        left_out = len(plot.series) - MOST_SERIES
        many = (
            f"The first {MOST_SERIES} of {len(plot.series)} series are drawn; files have all. " if left_out > 0 else ""
        )
        self._hint = f"{many}Point at the plot to read its values. Ctrl with the wheel zooms, Home shows all."
        self.canvas.read.connect(lambda text: self._reading.say(text or self._hint))
        self._reading.say(self._hint)

    @property
    def reading(self) -> str:
        """What is said below the plot."""
        return self._reading.text()

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self.canvas.set_theme(theme)


class PlotCanvas(QWidget):
    """Draws the plot.

    The wheel zooms while Ctrl is held, dragging moves. Left and Right go from value to value, with Ctrl by a tenth; Up
    and Down from series to series, + and − zoom, Home shows all.

    Signals:
        read(str): the value under the pointer or the keyboard, in words; empty: none.
    """

    read = Signal(str)

    def __init__(self, plot: AnswerPlot, theme: Theme) -> None:
        super().__init__()
        import numpy as np

        self._plot = plot
        self._theme = theme
        self._series: list[tuple[Values, Values]] = []
        for series in plot.series[:MOST_SERIES]:
            xs, ys = np.asarray(series.xs, np.float64), np.asarray(series.ys, np.float64)
            order = np.argsort(xs, kind="stable")  # the nearest value is found by halving
            self._series.append((xs[order], np.where(np.isfinite(ys), ys, np.nan)[order]))
        self._whole_x = _span([xs for xs, _ in self._series], 0.0)
        self._whole_y = _span([ys for _, ys in self._series], 0.05)
        if plot.mark is Mark.BARS:
            # Bars stand on zero, with room for half of one at both ends.
            low, high = self._whole_y
            self._whole_y = (min(low, 0.0) if low < 0 else 0.0, max(high, 0.0))
        if plot.mark is Mark.BARS or plot.x.kind is Kind.TEXT:
            half = _least_distance([xs for xs, _ in self._series]) / 2
            self._whole_x = self._whole_x[0] - half, self._whole_x[1] + half
        self._low, self._high = self._whole_x
        self._chosen: tuple[int, int] | None = None
        self._series_at = 0
        self._drag: float | None = None
        self._drawn: QPixmap | None = None
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(plot.title or plot.y.heading)
        said = " ".join(plot_sentences(plot)) or "No values."
        self.setAccessibleDescription(f"{said} Left and Right read the values.")

    # Where things are

    @property
    def span(self) -> tuple[float, float]:
        """From where to where it shows."""
        return self._low, self._high

    def place(self, x: float, y: float) -> QPoint:
        """The pixel of a value."""
        area = self._area()
        return QPointF(self._x(x, area), self._y(y, area)).toPoint()

    def sizeHint(self) -> QSize:
        return QSize(320, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def _area(self) -> QRectF:
        """Where the lines are, without the axes and the names."""
        metrics = QFontMetricsF(font(SMALL, figures=True))
        widest = max((metrics.horizontalAdvance(text) for _, text in self._y_ticks()), default=0.0)
        left = widest + 1.5 * GRID
        top = _LINE + GRID
        below = 2 * _LINE + GRID + self._legend_height()
        return QRectF(left, top, max(self.width() - left - GRID, 8.0), max(self.height() - top - below, 8.0))

    def _x(self, x: float, area: QRectF) -> float:
        return area.left() + (x - self._low) / (self._high - self._low) * area.width()

    def _y(self, y: float, area: QRectF) -> float:
        low, high = self._whole_y
        return area.bottom() - (y - low) / (high - low) * area.height()

    def _y_ticks(self) -> tuple[tuple[float, str], ...]:
        return _ticks(self._plot.y, *self._whole_y, 6)

    # Painting

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self._theme = theme
        self._forget()

    def resizeEvent(self, event: QEvent) -> None:
        self._forget()

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._drawn is None or self._drawn.devicePixelRatioF() != ratio:
            self._drawn = QPixmap(self.size() * ratio)
            self._drawn.setDevicePixelRatio(ratio)
            self._drawn.fill(QColor(self._theme.surface))
            painter = QPainter(self._drawn)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter)
            painter.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._chosen is not None:
            self._paint_chosen(painter, *self._chosen)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        area, theme = self._area(), self._theme
        painter.setFont(font(SMALL, figures=True))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(QColor(theme.muted))
        heading = metrics.elidedText(self._plot.y.heading, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(QPointF(GRID / 2, _LINE - 4), heading)
        centre = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        under = QRectF(area.left(), area.bottom() + _LINE + GRID / 2, area.width(), _LINE)
        painter.drawText(
            under, centre, metrics.elidedText(self._plot.x.heading, Qt.TextElideMode.ElideRight, area.width())
        )
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for value, text in self._y_ticks():
            at = self._y(value, area)
            painter.setPen(QPen(QColor(theme.line), 1.0))
            painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(0, at - _LINE / 2, area.left() - GRID / 2, _LINE), right, text)
        widest = metrics.horizontalAdvance(_WIDEST_TICKS.get(self._plot.x.kind, "1,000,000")) + 2 * GRID
        end = -math.inf
        for value, text in _ticks(self._plot.x, self._low, self._high, max(int(area.width() / widest), 1)):
            at, width = self._x(value, area), metrics.horizontalAdvance(text)
            begin = min(max(at - width / 2, 0.0), self.width() - width)
            painter.setPen(QPen(QColor(theme.edge), 1.0))
            painter.drawLine(QPointF(at, area.bottom()), QPointF(at, area.bottom() + 4))
            if begin > end:
                painter.setPen(QColor(theme.muted))
                painter.drawText(QPointF(begin, area.bottom() + _LINE), text)
                end = begin + width + GRID / 2
        painter.setPen(QPen(QColor(theme.edge), 1.0))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.save()
        painter.setClipRect(area.adjusted(-3, -3, 3, 3))
        for number in range(len(self._series)):
            self._paint_series(painter, number, area)
        painter.restore()
        self._paint_legend(painter)

    def _paint_series(self, painter: QPainter, number: int, area: QRectF) -> None:
        xs, ys = self._series[number]
        colour = QColor(self._colour(number))
        if self._plot.mark is Mark.POINTS:
            at_x, at_y = thinned_points(self._x_all(xs, area), self._y_all(ys, area), 1.0)
            painter.setPen(QPen(colour, _POINT, c=Qt.PenCapStyle.RoundCap))
            painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in zip(at_x.tolist(), at_y.tolist(), strict=True)]))
            return
        if self._plot.mark is Mark.BARS:
            self._paint_bars(painter, number, area)
            return
        xs, ys = thinned(xs, ys, self._low, self._high, max(int(area.width()), 1))
        style = Qt.PenStyle.SolidLine if number < len(_COLOURS) else Qt.PenStyle.DashLine
        painter.setPen(QPen(colour, 1.5, style, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        part: list[QPointF] = []
        for x, y in zip(self._x_all(xs, area).tolist(), self._y_all(ys, area).tolist(), strict=True):
            if math.isnan(y):
                _draw_part(painter, part)
                part = []
            else:
                part.append(QPointF(x, y))
        _draw_part(painter, part)

    def _paint_bars(self, painter: QPainter, number: int, area: QRectF) -> None:
        xs, ys = self._series[number]
        step = _least_distance([xs]) / (self._high - self._low) * area.width()
        width = min(max(0.8 * step, 1.0), WIDEST_BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colour(number)))
        foot = self._y(0.0, area)
        for x, y in zip(self._x_all(xs, area).tolist(), self._y_all(ys, area).tolist(), strict=True):
            if math.isfinite(y) and area.left() - width <= x <= area.right() + width:
                painter.drawRect(QRectF(x - width / 2, min(y, foot), width, abs(foot - y)))

    def _x_all(self, xs: Values, area: QRectF) -> Values:
        return area.left() + (xs - self._low) / (self._high - self._low) * area.width()

    def _y_all(self, ys: Values, area: QRectF) -> Values:
        low, high = self._whole_y
        return area.bottom() - (ys - low) / (high - low) * area.height()

    def _paint_chosen(self, painter: QPainter, number: int, index: int) -> None:
        area = self._area()
        x, y = (float(values[index]) for values in self._series[number])
        at = self._x(x, area)
        painter.setPen(QPen(QColor(self._theme.edge), 1.0))
        painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
        if math.isfinite(y):
            painter.setPen(QPen(QColor(self._theme.surface), 1.5))
            painter.setBrush(QColor(self._theme.accent))
            painter.drawEllipse(QPointF(at, self._y(y, area)), 4.5, 4.5)

    # The legend

    def _colour(self, number: int) -> str:
        return self._theme.classes[_COLOURS[number % len(_COLOURS)]]

    def _legend(self) -> list[tuple[float, float, str]]:
        """Where each name stands: how far from the left, in which line, and the name."""
        if len(self._series) < 2:
            return []
        metrics = QFontMetricsF(font(SMALL, figures=True))
        placed, x, line = [], GRID / 2, 0
        for series in self._plot.series[:MOST_SERIES]:
            room = max(self.width() - _SAMPLE - 2 * GRID, 24.0)
            name = metrics.elidedText(brief(series.name, LONGEST_NAME), Qt.TextElideMode.ElideRight, room)
            width = _SAMPLE + GRID + metrics.horizontalAdvance(name)
            if x > GRID and x + width > self.width():
                x, line = GRID / 2, line + 1
            placed.append((x, float(line), name))
            x += width + 2 * GRID
        return placed

    def _legend_height(self) -> float:
        placed = self._legend()
        return (placed[-1][1] + 1) * _LINE + GRID / 2 if placed else 0.0

    def _paint_legend(self, painter: QPainter) -> None:
        top = self.height() - self._legend_height()
        for number, (x, line, name) in enumerate(self._legend()):
            middle = top + line * _LINE + _LINE / 2
            style = Qt.PenStyle.SolidLine if number < len(_COLOURS) else Qt.PenStyle.DashLine
            painter.setPen(QPen(QColor(self._colour(number)), 2.5, style))
            painter.drawLine(QPointF(x, middle), QPointF(x + _SAMPLE, middle))
            painter.setPen(QColor(self._theme.text))
            painter.drawText(QPointF(x + _SAMPLE + GRID / 2, middle + 4), name)

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        area = self._area()
        if self._drag is not None:
            by = (self._drag - at.x()) / area.width() * (self._high - self._low)
            self._drag = at.x()
            self._show(self._low + by, self._high + by)
        elif area.adjusted(-GRID, -GRID, GRID, GRID).contains(at):
            self._choose(self._nearest(at, area))
        else:
            self._choose(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag = event.position().x()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = None

    def leaveEvent(self, event: QEvent) -> None:
        if not self.hasFocus():
            self._choose(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the page scrolls
            return
        area = self._area()
        at = self._low + (event.position().x() - area.left()) / area.width() * (self._high - self._low)
        self._zoom(0.8 ** (event.angleDelta().y() / 120), at)

    def focusInEvent(self, event: QEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QEvent) -> None:
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            far = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._step(1 if key == Qt.Key.Key_Right else -1, far)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and len(self._series) > 1:
            self._change_series(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._zoom(0.5, None)
        elif key == Qt.Key.Key_Minus:
            self._zoom(2.0, None)
        elif key == Qt.Key.Key_Home:
            self._show(*self._whole_x)
        else:
            super().keyPressEvent(event)

    def _zoom(self, factor: float, centre: float | None) -> None:
        if centre is None:
            chosen = self._chosen
            centre = (self._low + self._high) / 2 if chosen is None else float(self._series[chosen[0]][0][chosen[1]])
        self._show(centre - (centre - self._low) * factor, centre + (self._high - centre) * factor)

    def _show(self, low: float, high: float) -> None:
        """Show from here to there, but nothing where no values are, and not closer than numbers tell apart."""
        least, most = self._whole_x
        width = min(max(high - low, (most - least) * 1e-6), most - least)
        low = min(max(low, least), most - width)
        self._low, self._high = low, low + width
        self._forget()

    def _step(self, way: int, far: bool) -> None:
        if not self._series or not len(self._series[self._series_at][0]):
            return
        last = len(self._series[self._series_at][0]) - 1
        by = max(1, last // 10) if far else 1
        if self._chosen is None or self._chosen[0] != self._series_at:
            self._choose((self._series_at, 0 if way > 0 else last))
        else:
            self._choose((self._series_at, min(max(self._chosen[1] + way * by, 0), last)))

    def _change_series(self, way: int) -> None:
        import numpy as np

        x = None if self._chosen is None else self._series[self._chosen[0]][0][self._chosen[1]]
        self._series_at = (self._series_at + way) % len(self._series)
        xs = self._series[self._series_at][0]
        if len(xs):
            self._choose((self._series_at, 0 if x is None else min(int(np.searchsorted(xs, x)), len(xs) - 1)))

    def _nearest(self, at: QPointF, area: QRectF) -> tuple[int, int] | None:
        import numpy as np

        x = self._low + (at.x() - area.left()) / area.width() * (self._high - self._low)
        best: tuple[float, int, int] | None = None
        for number, (xs, ys) in enumerate(self._series):
            near = int(np.searchsorted(xs, x))
            for index in range(max(near - 2, 0), min(near + 2, len(xs))):
                if math.isfinite(ys[index]):
                    # Where one points to decides first, and the height between lines of one place.
                    away = 4 * abs(self._x(xs[index], area) - at.x()) + abs(self._y(ys[index], area) - at.y())
                    if best is None or away < best[0]:
                        best = (away, number, index)
        return None if best is None else best[1:]

    def _choose(self, chosen: tuple[int, int] | None) -> None:
        if chosen == self._chosen:
            return
        self._chosen = chosen
        if chosen is None:
            self.read.emit("")
        else:
            number, index = chosen
            self._series_at = number
            x, y = (float(values[index]) for values in self._series[number])
            if not self._low <= x <= self._high:  # the keyboard leads the view
                half = (self._high - self._low) / 2
                self._show(x - half, x + half)
            name = brief(self._plot.series[number].name, LONGEST_NAME)
            lead = f"{name}: " if name and len(self._series) > 1 else ""
            said = ", ".join(_said(axis, value) for axis, value in ((self._plot.x, x), (self._plot.y, y)))
            self.read.emit(f"{lead}{said}")
        self.update()

    def _forget(self) -> None:
        self._drawn = None
        self.update()


def _span(values: list[Values], margin: float) -> tuple[float, float]:
    """From the least to the most, with a margin on both sides; never empty."""
    import numpy as np

    known = [one[np.isfinite(one)] for one in values]
    known = [one for one in known if len(one)]
    if not known:
        return 0.0, 1.0
    low, high = float(min(one.min() for one in known)), float(max(one.max() for one in known))
    if low == high:
        around = abs(low) / 2 or 1.0
        return low - around, high + around
    return low - margin * (high - low), high + margin * (high - low)


def _least_distance(values: list[Values]) -> float:
    """Between two places that differ; 1 where there are no two."""
    import numpy as np

    places = np.unique(np.concatenate(values)) if values else np.empty(0)
    places = places[np.isfinite(places)]
    return float(np.diff(places).min()) if len(places) > 1 else 1.0


def _ticks(axis: Axis, low: float, high: float, most: int) -> tuple[tuple[float, str], ...]:
    if axis.kind is Kind.TEXT:
        first, last = max(math.ceil(low), 0), min(math.floor(high), len(axis.names) - 1)
        step = max(1, math.ceil((last - first + 1) / most))
        return tuple((float(at), brief(axis.names[at], LONGEST_TICK)) for at in range(first, last + 1, step))
    return (time_ticks if axis.kind is Kind.TIME else ticks)(low, high, most)


def _draw_part(painter: QPainter, part: list[QPointF]) -> None:
    """A line without gaps; Qt is quicker with its segments than with one long line of round joins."""
    if len(part) == 1:
        painter.drawPoint(part[0])
    elif len(part) < 500:
        painter.drawPolyline(QPolygonF(part))
    else:
        for first, second in pairwise(range(0, len(part) + 199, 200)):
            painter.drawPolyline(QPolygonF(part[max(first - 1, 0) : second]))


def _said(axis: Axis, value: float) -> str:
    if not math.isfinite(value):
        return f"{axis.name} missing"
    if axis.kind is Kind.TEXT:
        return f"{axis.name} {axis.names[int(value)]}"
    if axis.kind is Kind.TIME:
        return f"{axis.name} {time_text(datetime.fromtimestamp(value, UTC))}"
    number = f"{int(value):,}" if value == int(value) and abs(value) < 1e15 else f"{value:,.6g}"
    return f"{axis.name} {number}{f' {axis.unit}' if axis.unit else ''}"
