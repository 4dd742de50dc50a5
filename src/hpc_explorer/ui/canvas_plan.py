"""A picture made ready for Qt: its primitives as pens, paths and fonts, found by place, simpler from far away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from hpc_explorer.canvas import text
from hpc_explorer.canvas.geometry import Curve, Path, Rect
from hpc_explorer.canvas.palette import Theme, class_colour
from hpc_explorer.canvas.picture import Picture
from hpc_explorer.canvas.primitives import Box, Line, Polygon, Primitive, Text, extent
from hpc_explorer.canvas.scene import Scene

FAR = 0.34
"""Scale below which cards are drawn as plain areas in the colour of their class, lines thin and nothing else."""
LEGIBLE = 5.0
"""Pixels per em below which a text is not drawn."""
CELL = 512.0


@lru_cache(maxsize=64)
def qt_font(font: text.Font) -> QFont:
    """The shipped typeface for drawing that is scaled: sizes in scene units, glyphs not bent to the pixel grid."""
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
    """Adds a path of the scene to a Qt path."""
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


@dataclass(frozen=True, slots=True)
class _DrawPolygon:
    polygon: QPolygonF
    fill: QColor

    def draw(self, painter: QPainter, _scale: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.fill)
        painter.drawPolygon(self.polygon)


@dataclass(frozen=True, slots=True)
class _DrawText:
    at: QPointF
    text: str
    font: QFont
    size: float
    pen: QPen
    patch: _DrawBox | None

    def draw(self, painter: QPainter, scale: float) -> None:
        if self.size * scale >= LEGIBLE:
            if self.patch is not None:
                self.patch.draw(painter, scale)
            painter.setFont(self.font)
            painter.setPen(self.pen)
            painter.drawText(self.at, self.text)


_Drawing = _DrawBox | _DrawLine | _DrawPolygon | _DrawText


def _made_ready(primitive: Primitive) -> _Drawing:
    match primitive:
        case Box():
            return _draw_box(primitive)
        case Line():
            path = QPainterPath()
            add_path(path, primitive.path)
            return _DrawLine(path, qt_pen(primitive.stroke, primitive.stroke_width, primitive.dash))
        case Polygon():
            return _DrawPolygon(QPolygonF([QPointF(*point) for point in primitive.points]), qt_colour(primitive.fill))
        case Text():
            font = qt_font(primitive.font)
            x = primitive.at.x
            if primitive.anchor != "start":
                width = QFontMetricsF(font).horizontalAdvance(primitive.text)
                x -= width / 2 if primitive.anchor == "middle" else width
            pen = qt_pen(primitive.colour, 1.0)
            patch = _draw_box(primitive.patch) if primitive.patch is not None else None
            return _DrawText(QPointF(x, primitive.at.y), primitive.text, font, primitive.font.size, pen, patch)


def _draw_box(box: Box) -> _DrawBox:
    pen = qt_pen(box.stroke, box.stroke_width, box.dash) if box.stroke else None
    return _DrawBox(qt_rect(box.rect), box.radius, pen, qt_colour(box.fill) if box.fill else None)


def play(painter: QPainter, primitives: Iterable[Primitive], scale: float = 1.0) -> None:
    """Draws a few primitives at once; `scale` is that of the painter, to know which texts are legible."""
    for primitive in primitives:
        _made_ready(primitive).draw(painter, scale)


@dataclass
class Plan:
    """A picture ready to be drawn many times.

    Args:
        picture: what it was made from.
        drawings: its primitives in the order of painting.
        cells: the positions in `drawings` of what touches each cell of a grid.
        cards: rectangles by colour, for the far view and the map.
        lines: all lines by pen, for the far view.
    """

    picture: Picture
    drawings: list[_Drawing] = field(default_factory=list)
    cells: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    cards: dict[str, list[QRectF]] = field(default_factory=dict)
    lines: dict[str, QPainterPath] = field(default_factory=dict)

    def draw(self, painter: QPainter, seen: Rect, scale: float) -> None:
        """Draws what lies in a part of the scene; the painter is already set to scene units."""
        if scale < FAR:
            self._draw_far(painter, scale)
            return
        for at in self._touched(seen):
            self.drawings[at].draw(painter, scale)

    def _touched(self, seen: Rect) -> list[int]:
        cells = list(_cells(seen))
        if len(cells) >= len(self.cells):
            return list(range(len(self.drawings)))
        return sorted({at for cell in cells for at in self.cells.get(cell, ())})

    def _draw_far(self, painter: QPainter, scale: float) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, path in self.lines.items():
            painter.strokePath(path, qt_pen(colour, 1.0 / scale))
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, rects in self.cards.items():
            painter.setBrush(qt_colour(colour))
            painter.drawRects(rects)


def _cells(rect: Rect) -> Iterator[tuple[int, int]]:
    for column in range(int(rect.x // CELL), int(rect.right // CELL) + 1):
        for row in range(int(rect.y // CELL), int(rect.bottom // CELL) + 1):
            yield column, row


def make_plan(scene: Scene, picture: Picture, theme: Theme) -> Plan:
    """The plan of a picture. Needs a QGuiApplication, but not its thread."""
    plan = Plan(picture)
    for at, primitive in enumerate(picture.primitives):
        plan.drawings.append(_made_ready(primitive))
        for cell in _cells(extent(primitive)):
            plan.cells.setdefault(cell, []).append(at)
        if isinstance(primitive, Line):
            add_path(plan.lines.setdefault(primitive.stroke, QPainterPath()), primitive.path)
    for node in scene.nodes:
        rect = picture.cards[node.key]
        plan.cards.setdefault(class_colour(theme, node.colour_key or node.kind), []).append(qt_rect(rect))
    return plan
