"""Draws primitives with Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from hpc_explorer.canvas import text
from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect
from hpc_explorer.canvas.icons import SIDE, strokes
from hpc_explorer.canvas.kinds import Icon
from hpc_explorer.canvas.primitives import Box, Line, Polygon, Primitive, Sign, Text


@lru_cache(maxsize=64)
def qt_font(font: text.Font) -> QFont:
    """The typeface for scaled drawing: sizes in scene units, without hinting."""
    made = QFont(text.FAMILY)
    made.setPixelSize(round(font.size))
    made.setWeight(QFont.Weight(font.weight))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    made.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    return made


@lru_cache(maxsize=256)
def qt_colour(colour: str) -> QColor:
    return QColor(colour)


@lru_cache(maxsize=256)
def qt_pen(colour: str, width: float, dash: tuple[float, ...] = ()) -> QPen:
    """A pen with round caps; the dash pattern is in scene units."""
    pen = QPen(qt_colour(colour), width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        pen.setDashPattern([length / width for length in dash])
    return pen


def qt_rect(rect: Rect) -> QRectF:
    return QRectF(rect.x, rect.y, rect.width, rect.height)


def add_path(target: QPainterPath, path: Path) -> None:
    """Add a path of the scene to a Qt path."""
    target.moveTo(*path.start)
    for segment in path.segments:
        if isinstance(segment, Curve):
            (x1, y1), (x2, y2), (x, y) = segment
            target.cubicTo(x1, y1, x2, y2, x, y)
        else:
            target.lineTo(*segment)


@dataclass(frozen=True, slots=True)
class _DrawBox:
    rect: QRectF
    radius: float
    pen: QPen | None
    fill: QColor | None

    def draw(self, painter: QPainter, _scale: float) -> None:
        painter.setPen(self.pen if self.pen is not None else Qt.PenStyle.NoPen)
        painter.setBrush(self.fill if self.fill is not None else Qt.BrushStyle.NoBrush)
        if self.radius:
            painter.drawRoundedRect(self.rect, self.radius, self.radius)
        else:
            painter.drawRect(self.rect)


@dataclass(frozen=True, slots=True)
class _DrawLine:
    path: QPainterPath
    pen: QPen

    def draw(self, painter: QPainter, _scale: float) -> None:
        painter.strokePath(self.path, self.pen)


THIN = 3.0
"""The greatest line width in pixels at which caps are invisible."""


@dataclass(frozen=True, slots=True)
class _DrawStraight:
    """A straight line. Qt draws it fifteen times as fast with flat caps as with round ones."""

    line: QLineF
    pen: QPen
    cut: QPen

    def draw(self, painter: QPainter, scale: float) -> None:
        painter.setPen(self.cut if self.pen.widthF() * scale <= THIN else self.pen)
        painter.drawLine(self.line)


@dataclass(frozen=True, slots=True)
class _DrawPolygon:
    polygon: QPolygonF
    fill: QColor
    pen: QPen | None

    def draw(self, painter: QPainter, _scale: float) -> None:
        painter.setPen(self.pen if self.pen is not None else Qt.PenStyle.NoPen)
        painter.setBrush(self.fill)
        painter.drawPolygon(self.polygon)


@dataclass(frozen=True, slots=True)
class _DrawSign:
    path: QPainterPath
    pen: QPen
    side: float

    def draw(self, painter: QPainter, scale: float) -> None:
        if self.side * scale >= text.LEGIBLE:
            painter.strokePath(self.path, self.pen)


@lru_cache(maxsize=64)
def qt_sign(icon: Icon) -> QPainterPath:
    """The lines of a sign in a square of `icons.SIDE` units."""
    made = QPainterPath()
    for path in strokes(icon):
        add_path(made, path)
    return made


@dataclass(frozen=True, slots=True)
class _DrawText:
    at: QPointF
    text: str
    font: QFont
    size: float
    pen: QPen
    patch: _DrawBox | None

    def draw(self, painter: QPainter, scale: float) -> None:
        if self.size * scale >= text.LEGIBLE:
            if self.patch is not None:
                self.patch.draw(painter, scale)
            painter.setFont(self.font)
            painter.setPen(self.pen)
            painter.drawText(self.at, self.text)


Drawing = _DrawBox | _DrawLine | _DrawStraight | _DrawPolygon | _DrawSign | _DrawText


def made_ready(primitive: Primitive) -> Drawing:
    match primitive:
        case Box():
            return _draw_box(primitive)
        case Line():
            return _draw_line(primitive)
        case Polygon():
            pen = qt_pen(primitive.stroke, primitive.stroke_width) if primitive.stroke else None
            points = QPolygonF([QPointF(*point) for point in primitive.points])
            return _DrawPolygon(points, qt_colour(primitive.fill), pen)
        case Sign():
            x, y, side, _ = primitive.square
            there = QTransform.fromTranslate(x, y).scale(side / SIDE, side / SIDE)
            stroke = qt_pen(primitive.colour, primitive.stroke_width)
            return _DrawSign(there.map(qt_sign(primitive.icon)), stroke, side)
        case Text():
            font = qt_font(primitive.font)
            x = primitive.at.x
            if primitive.anchor != "start":
                width = QFontMetricsF(font).horizontalAdvance(primitive.text)
                x -= width / 2 if primitive.anchor == "middle" else width
            pen = qt_pen(primitive.colour, 1.0)
            patch = _draw_box(primitive.patch) if primitive.patch is not None else None
            return _DrawText(QPointF(x, primitive.at.y), primitive.text, font, primitive.font.size, pen, patch)


def _draw_line(line: Line) -> _DrawLine | _DrawStraight:
    pen = qt_pen(line.stroke, line.stroke_width, line.dash)
    match line.path.segments:
        case (Point() as end,) if not line.dash:
            return _DrawStraight(QLineF(*line.path.start, *end), pen, _cut(line.stroke, line.stroke_width))
    path = QPainterPath()
    add_path(path, line.path)
    return _DrawLine(path, pen)


@lru_cache(maxsize=256)
def _cut(colour: str, width: float) -> QPen:
    """A pen with flat caps."""
    pen = QPen(qt_colour(colour), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _draw_box(box: Box) -> _DrawBox:
    pen = qt_pen(box.stroke, box.stroke_width, box.dash) if box.stroke else None
    return _DrawBox(qt_rect(box.rect), box.radius, pen, qt_colour(box.fill) if box.fill else None)


def play(painter: QPainter, primitives: Iterable[Primitive], scale: float = 1.0) -> None:
    """Draw a few primitives once; `scale` is that of the painter, to decide which texts are legible."""
    for primitive in primitives:
        made_ready(primitive).draw(painter, scale)


class ReadyPart:
    """Prepared primitives that are drawn many times."""

    def __init__(self, primitives: Iterable[Primitive]) -> None:
        self._drawings = [made_ready(primitive) for primitive in primitives]

    def draw(self, painter: QPainter, scale: float) -> None:
        """Draw the primitives on a painter in scene units."""
        for drawing in self._drawings:
            drawing.draw(painter, scale)
