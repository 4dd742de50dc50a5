"""The score in pictures: a radar, bars by principle, and the RDA's ladder.

Certain points are drawn solid, and open points hatched behind them. Every figure is also written as text, which a
screen reader reads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from hpc_explorer.fair.ladder import Rung
from hpc_explorer.fair.scoring import Part
from hpc_explorer.fair.values import PRINCIPLE_TITLES
from hpc_explorer.ui.fair.signs import softened
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.theme import BODY, GRID, SMALL, current_theme, font

_HIGHEST = 30 * GRID
"""The preferred height of a radar in pixels."""

RINGS = 4
TOP_LEVEL = 5


def part_words(part: Part) -> str:
    """Such as "Findable 6 to 7 of 8"."""
    return f"{PRINCIPLE_TITLES.get(part.name, part.name)} {part.points} of {part.of}"


class Chart(QWidget):
    """The base of the three charts."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)

    def _tell(self, words: str) -> None:
        self.setAccessibleDescription(words)
        self.setToolTip(plain_tip(words))
        self.update()

    def _open_brush(self) -> QBrush:
        """The fill of an open part: stripes, so that it does not differ by shade only."""
        return QBrush(QColor(softened(current_theme().accent, current_theme())), Qt.BrushStyle.BDiagPattern)


class Radar(Chart):
    """An axis for each part, from the middle (none) to the rim (all)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Radar of the score", parent)
        self._parts: Sequence[Part] = ()
        self.setMinimumSize(QSize(26 * GRID, 16 * GRID))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Draw other parts, at least three."""
        self._parts = parts
        self._tell("; ".join(map(part_words, parts)))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(40 * GRID, _HIGHEST)

    def heightForWidth(self, width: int) -> int:
        """The least height for the web and the labels above and below it."""
        if not self._parts:
            return _HIGHEST
        widest, above = self._margins()
        radius = max((width - 2 * widest) / 2 - GRID, 3.0 * GRID)
        return min(_HIGHEST, math.ceil(2 * (radius + above + GRID)))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._parts:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        label_font = font(SMALL, 500)
        painter.setFont(label_font)
        metrics = QFontMetricsF(label_font)
        labels = [self._label(part) for part in self._parts]
        widest, above = self._margins()
        radius = min((self.width() - 2 * widest) / 2 - GRID, (self.height() - 2 * above) / 2 - GRID)
        radius = max(radius, 3.0 * GRID)
        middle = QPointF(self.width() / 2, self.height() / 2)

        def at(number: int, share: float) -> QPointF:
            angle = 2 * math.pi * number / len(self._parts)
            return QPointF(middle.x() + share * radius * math.sin(angle), middle.y() - share * radius * math.cos(angle))

        def around(shares: Sequence[float]) -> QPolygonF:
            return QPolygonF([at(number, share) for number, share in enumerate(shares)])

        painter.setPen(QPen(QColor(current_theme().line), 1))
        for ring in range(1, RINGS + 1):
            painter.drawPolygon(around([ring / RINGS] * len(self._parts)))
        for number in range(len(self._parts)):
            painter.drawLine(middle, at(number, 1))
        low = [part.points.low / part.of for part in self._parts]
        high_shares = [part.points.high / part.of for part in self._parts]
        accent = QColor(current_theme().accent)
        if low != high_shares:
            painter.setPen(QPen(accent, 1.25, Qt.PenStyle.DashLine))
            painter.setBrush(self._open_brush())
            painter.drawPolygon(around(high_shares))
        fill = QColor(accent)
        fill.setAlphaF(0.30)
        painter.setPen(QPen(accent, 2))
        painter.setBrush(fill)
        painter.drawPolygon(around(low))
        painter.setBrush(accent)
        painter.setPen(Qt.PenStyle.NoPen)
        for number, share in enumerate(low):
            painter.drawEllipse(at(number, share), 3, 3)
        for number, lines in enumerate(labels):
            self._write(painter, metrics, at(number, 1), middle, lines)

    def _margins(self) -> tuple[float, float]:
        """The room for labels at the sides, and above and below."""
        metrics = QFontMetricsF(font(SMALL, 500))
        labels = [self._label(part) for part in self._parts]
        widest = max(metrics.horizontalAdvance(line) for lines in labels for line in lines)
        return widest, len(labels[0]) * metrics.height()

    def _label(self, part: Part) -> tuple[str, ...]:
        figures = f"{part.points}/{part.of}" if not part.points.is_open else f"{part.points} of {part.of}"
        if part.name in PRINCIPLE_TITLES:
            return PRINCIPLE_TITLES[part.name], figures
        return (f"{part.name}  {part.points.low}/{part.of}",)

    def _write(
        self, painter: QPainter, metrics: QFontMetricsF, at: QPointF, middle: QPointF, lines: Sequence[str]
    ) -> None:
        """Write a label beside the end of its axis, away from the middle."""
        across, down = at.x() - middle.x(), at.y() - middle.y()
        length = math.hypot(across, down) or 1.0
        x, y = at.x() + GRID * across / length, at.y() + GRID * 0.75 * down / length
        high = metrics.height() * len(lines)
        top = y - high * (0.5 - 0.5 * down / length)
        for number, line in enumerate(lines):
            wide = metrics.horizontalAdvance(line)
            left = x - wide * (0.5 - 0.5 * across / length)
            left = min(max(left, 0.0), self.width() - wide)
            painter.setPen(QColor(current_theme().text if number == 0 else current_theme().muted))
            painter.drawText(QPointF(left, top + number * metrics.height() + metrics.ascent()), line)


class Bars(Chart):
    """A bar for each principle: solid for certain points, hatched for open ones.

    Signals:
        wanted(str): the bar of this principle was clicked.
    """

    wanted = Signal(str)

    _ROW = 4 * GRID

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Score by principle", parent)
        self._parts: Sequence[Part] = ()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """Draw other parts."""
        self._parts = parts
        self._tell("; ".join(map(part_words, parts)))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(36 * GRID, self._ROW * max(1, len(self._parts)))

    def minimumSizeHint(self) -> QSize:
        return QSize(24 * GRID, self.sizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = int(event.position().y() // self._ROW)
        if 0 <= number < len(self._parts):
            self.wanted.emit(self._parts[number].name)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        name_font, figure_font = font(BODY), font(BODY, 500, figures=True)
        figures = [f"{part.points} of {part.of}" for part in self._parts]
        names = [PRINCIPLE_TITLES.get(part.name, part.name) for part in self._parts]
        name_width = max((QFontMetricsF(name_font).horizontalAdvance(name) for name in names), default=0.0)
        figure_width = max((QFontMetricsF(figure_font).horizontalAdvance(each) for each in figures), default=0.0)
        left, right = name_width + GRID * 1.5, self.width() - figure_width - GRID * 1.5
        for number, part in enumerate(self._parts):
            row = QRectF(0, number * self._ROW, self.width(), self._ROW)
            painter.setFont(name_font)
            painter.setPen(QColor(current_theme().text))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, names[number])
            painter.setFont(figure_font)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, figures[number])
            bar = QRectF(left, row.center().y() - 5, max(right - left, 4 * GRID), 10)
            self._draw_bar(painter, bar, part)

    def _draw_bar(self, painter: QPainter, bar: QRectF, part: Part) -> None:
        accent = QColor(current_theme().accent)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_theme().raised))
        painter.drawRect(bar)
        certain = QRectF(bar.x(), bar.y(), bar.width() * part.points.low / part.of, bar.height())
        possible = QRectF(bar.x(), bar.y(), bar.width() * part.points.high / part.of, bar.height())
        if part.points.is_open:
            painter.setBrush(self._open_brush())
            painter.setPen(QPen(accent, 1))
            painter.drawRect(possible.adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawRect(certain)
        # A notch for each point, so that points can be counted.
        painter.setPen(QPen(QColor(current_theme().surface), 1))
        for point in range(1, part.of):
            x = round(bar.x() + bar.width() * point / part.of) + 0.5
            painter.drawLine(QPointF(x, bar.y()), QPointF(x, bar.bottom()))


class Ladder(Chart):
    """The RDA's level of each area, 0 to 5, as steps."""

    _ROW = 3 * GRID
    _STEP = 2 * GRID + 4

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("RDA level by area", parent)
        self._rungs: Sequence[Rung] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rungs(self, rungs: Sequence[Rung]) -> None:
        """Draw other levels."""
        self._rungs = rungs
        lines = [f"{rung.principle.title} level {rung.level} of {TOP_LEVEL}{_next_words(rung)}" for rung in rungs]
        self._tell("\n".join(lines))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(36 * GRID, self._ROW * max(1, len(self._rungs)))

    def minimumSizeHint(self) -> QSize:
        return QSize(24 * GRID, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        name_font, figure_font = font(BODY), font(BODY, 500, figures=True)
        width = max(QFontMetricsF(name_font).horizontalAdvance(name) for name in PRINCIPLE_TITLES.values()) + GRID * 1.5
        accent, line = QColor(current_theme().accent), QColor(current_theme().edge)
        figure_width = QFontMetricsF(figure_font).horizontalAdvance(f"0 to 0 of {TOP_LEVEL}") + GRID
        wide = max(GRID, min(self._STEP, int((self.width() - width - figure_width) / TOP_LEVEL)))
        for number, rung in enumerate(self._rungs):
            row = QRectF(0, number * self._ROW, self.width(), self._ROW)
            painter.setFont(name_font)
            painter.setPen(QColor(current_theme().text))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, rung.principle.title)
            for step in range(1, TOP_LEVEL + 1):
                box = QRectF(width + (step - 1) * wide, row.center().y() - 6, wide - 4, 12)
                box.adjust(0.5, 0.5, -0.5, -0.5)
                reached, possible = step <= rung.level.low, step <= rung.level.high
                painter.setPen(QPen(accent if possible else line, 1))
                painter.setBrush(
                    accent if reached else self._open_brush() if possible else QBrush(Qt.BrushStyle.NoBrush)
                )
                painter.drawRect(box)
            figures = row.adjusted(width + TOP_LEVEL * wide + GRID, 0, 0, 0)
            painter.setFont(figure_font)
            painter.setPen(QColor(current_theme().text))
            painter.drawText(figures, Qt.AlignmentFlag.AlignVCenter, f"{rung.level} of {TOP_LEVEL}")


def _next_words(rung: Rung) -> str:
    return f"; next: {', '.join(rung.next)}" if rung.next else ""
