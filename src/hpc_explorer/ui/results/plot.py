"""A plot of an answer: it can be read with the mouse, the keyboard and a screen reader.

Why it paints itself: docs/decisions/0026-answers.md.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from hpc_explorer.app.results.answer import AnswerPlot
from hpc_explorer.app.results.answer_files import plot_sentences
from hpc_explorer.app.results.plotted import MOST_SERIES, plotted, value_words, within
from hpc_explorer.canvas.text import brief
from hpc_explorer.ui.results.plot_painting import LONGEST_NAME, Frame, PlotPainting
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID, SMALL, current_theme, on_theme

HEIGHT = 40 * GRID


class PlotPane(QWidget):
    """A plot above a line with the value under the pointer.

    Attributes:
        canvas: the plot.
        reading: the line below it.
    """

    def __init__(self, plot: AnswerPlot) -> None:
        super().__init__()
        self.canvas = PlotCanvas(plot)
        self._reading = TextBlock("", size=SMALL, muted=True)
        column = column_in(self, spacing=GRID // 2)
        column.addWidget(self.canvas)
        column.addWidget(self._reading)
        self._hint = ""
        self.canvas.read.connect(lambda text: self._reading.say(text or self._hint))
        self._say_hint(plot)

    def show_plot(self, plot: AnswerPlot) -> None:
        """Show another state of the plot, such as one with more values; the zoom and the chosen value stay."""
        self.canvas.show_plot(plot)
        self._say_hint(plot)

    def _say_hint(self, plot: AnswerPlot) -> None:
        left_out = len(plot.series) - MOST_SERIES
        many = (
            f"The first {MOST_SERIES} of {len(plot.series)} series are drawn; saved files have all. "
            if left_out > 0
            else ""
        )
        self._hint = f"{many}Point at the plot to read its values. Ctrl with the wheel zooms, Home shows all."
        if not self.canvas.is_reading:
            self._reading.say(self._hint)

    @property
    def reading(self) -> str:
        """The text below the plot."""
        return self._reading.text()


class PlotCanvas(QWidget):
    """The plot itself.

    Ctrl with the wheel zooms, dragging moves. Left and Right go from value to value, with Ctrl by a tenth; Up and Down
    change the series; + and − zoom; Home shows all.

    Signals:
        read(str): the current value in words; empty for none.
    """

    read = Signal(str)

    def __init__(self, plot: AnswerPlot) -> None:
        super().__init__()
        self._take(plot)
        self._low, self._high = self._values.across
        self._chosen: tuple[int, int] | None = None
        self._series_at = 0
        self._drag: float | None = None
        self._drawn: QPixmap | None = None
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        on_theme(self._dress)

    def show_plot(self, plot: AnswerPlot) -> None:
        """Show another state of the plot. The zoom stays, and the chosen value if it is there."""
        was_whole = self.span == self._values.across
        same = plot.title == self._plot.title
        self._take(plot)
        self._low, self._high = self._values.across if was_whole or not same else within(self.span, self._values.across)
        if self._chosen is not None:
            number, index = self._chosen
            if not same or number >= len(self._series) or index >= len(self._series[number][0]):
                self._choose(None)
        self._series_at = min(self._series_at, max(len(self._series) - 1, 0))
        self._forget()

    @property
    def is_reading(self) -> bool:
        """Whether a value is chosen."""
        return self._chosen is not None

    def _take(self, plot: AnswerPlot) -> None:
        self._plot = plot
        self._values = plotted(plot)
        self._series = self._values.series
        self._painting = PlotPainting(plot, self._values, current_theme())
        self.setAccessibleName(plot.title or plot.y.heading)
        said = " ".join(plot_sentences(plot)) or "No values."
        self.setAccessibleDescription(f"{said} Left and Right read the values.")

    # Where things are

    @property
    def span(self) -> tuple[float, float]:
        """The shown range of the horizontal axis."""
        return self._low, self._high

    def place(self, x: float, y: float) -> QPoint:
        """The pixel of a value."""
        frame = self._frame()
        return QPointF(frame.x(x), frame.y(y)).toPoint()

    def sizeHint(self) -> QSize:
        return QSize(320, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def _frame(self) -> Frame:
        return self._painting.frame(QSizeF(self.size()), self.span)

    # Painting

    def _dress(self) -> None:
        """Take the colours of the theme."""
        self._painting.theme = current_theme()
        self._forget()

    def resizeEvent(self, event: QEvent) -> None:
        self._forget()

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._drawn is None or self._drawn.devicePixelRatioF() != ratio:
            self._drawn = QPixmap(self.size() * ratio)
            self._drawn.setDevicePixelRatio(ratio)
            self._drawn.fill(QColor(self._painting.theme.surface))
            painter = QPainter(self._drawn)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._painting.paint(painter, QSizeF(self.size()), self._frame())
            painter.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._chosen is not None:
            self._painting.paint_chosen(painter, self._frame(), *self._value(self._chosen))
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._painting.theme.accent), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    # Mouse and keys

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        frame = self._frame()
        if self._drag is not None:
            by = frame.value_at(self._drag) - frame.value_at(at.x())
            self._drag = at.x()
            self._show(self._low + by, self._high + by)
        elif frame.area.adjusted(-GRID, -GRID, GRID, GRID).contains(at):
            self._choose(self._nearest(at, frame))
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
        at = self._frame().value_at(event.position().x())
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
            self._show(*self._values.across)
        else:
            super().keyPressEvent(event)

    def _zoom(self, factor: float, centre: float | None) -> None:
        if centre is None:
            centre = (self._low + self._high) / 2 if self._chosen is None else self._value(self._chosen)[0]
        self._show(centre - (centre - self._low) * factor, centre + (self._high - centre) * factor)

    def _show(self, low: float, high: float) -> None:
        """Show a range, limited to the values."""
        self._low, self._high = within((low, high), self._values.across)
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

        x = None if self._chosen is None else self._value(self._chosen)[0]
        self._series_at = (self._series_at + way) % len(self._series)
        xs = self._series[self._series_at][0]
        if len(xs):
            self._choose((self._series_at, 0 if x is None else min(int(np.searchsorted(xs, x)), len(xs) - 1)))

    def _nearest(self, at: QPointF, frame: Frame) -> tuple[int, int] | None:
        import numpy as np

        x = frame.value_at(at.x())
        best: tuple[float, int, int] | None = None
        for number, (xs, ys) in enumerate(self._series):
            near = int(np.searchsorted(xs, x))
            for index in range(max(near - 2, 0), min(near + 2, len(xs))):
                if math.isfinite(ys[index]):
                    # The horizontal distance counts more than the vertical one.
                    away = 4 * abs(frame.x(float(xs[index])) - at.x()) + abs(frame.y(float(ys[index])) - at.y())
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
            number = self._series_at = chosen[0]
            x, y = self._value(chosen)
            if not self._low <= x <= self._high:  # the keyboard can leave the shown range
                half = (self._high - self._low) / 2
                self._show(x - half, x + half)
            name = brief(self._plot.series[number].name, LONGEST_NAME)
            lead = f"{name}: " if name and len(self._series) > 1 else ""
            said = ", ".join(value_words(axis, value) for axis, value in ((self._plot.x, x), (self._plot.y, y)))
            self.read.emit(f"{lead}{said}")
        self.update()

    def _value(self, at: tuple[int, int]) -> tuple[float, float]:
        """The coordinates of a value by series and index."""
        xs, ys = self._series[at[0]]
        return float(xs[at[1]]), float(ys[at[1]])

    def _forget(self) -> None:
        self._drawn = None
        self.update()
