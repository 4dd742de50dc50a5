"""Drawing primitives: boxes, lines, polygons, icons and texts, with colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from hpc_explorer.canvas import text
from hpc_explorer.canvas.geometry import Path, Point, Rect, union
from hpc_explorer.canvas.kinds import Icon
from hpc_explorer.canvas.text import Font


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with rounded corners, filled or outlined or both; the outline is centred on its border."""

    rect: Rect
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 1.0
    radius: float = 0.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """An open path, stroked with round caps."""

    path: Path
    stroke: str
    stroke_width: float
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled area between points, outlined or not; the outline is centred on its border and has round joins."""

    points: tuple[Point, ...]
    fill: str
    stroke: str | None = None
    stroke_width: float = 1.0


@dataclass(frozen=True, slots=True)
class Sign:
    """An icon of `icons`, with round caps and joins."""

    square: Rect
    icon: Icon
    colour: str
    stroke_width: float


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text, optionally on a box.

    Args:
        at: the left end, middle or right end (`anchor`) of its baseline.
        patch: drawn below the text and only with it, so hidden texts leave no gaps in lines.
    """

    at: Point
    text: str
    font: Font
    colour: str
    anchor: Literal["start", "middle", "end"] = "start"
    patch: Box | None = None


Primitive = Box | Line | Polygon | Sign | Text


def moved(primitives: Iterable[Primitive], dx: float, dy: float) -> list[Primitive]:
    """The primitives moved."""
    result: list[Primitive] = []
    for primitive in primitives:
        match primitive:
            case Box():
                result.append(replace(primitive, rect=primitive.rect.moved(dx, dy)))
            case Line():
                result.append(replace(primitive, path=primitive.path.moved(dx, dy)))
            case Polygon():
                points = tuple(Point(point.x + dx, point.y + dy) for point in primitive.points)
                result.append(replace(primitive, points=points))
            case Sign():
                result.append(replace(primitive, square=primitive.square.moved(dx, dy)))
            case Text():
                patch = primitive.patch and replace(primitive.patch, rect=primitive.patch.rect.moved(dx, dy))
                result.append(replace(primitive, at=Point(primitive.at.x + dx, primitive.at.y + dy), patch=patch))
    return result


def recoloured(primitives: Iterable[Primitive], change: Callable[[str], str]) -> list[Primitive]:
    """The primitives in other colours."""
    result: list[Primitive] = []
    for primitive in primitives:
        match primitive:
            case Box():
                result.append(_recoloured_box(primitive, change))
            case Line():
                result.append(replace(primitive, stroke=change(primitive.stroke)))
            case Polygon():
                stroke = primitive.stroke and change(primitive.stroke)
                result.append(replace(primitive, fill=change(primitive.fill), stroke=stroke))
            case Sign():
                result.append(replace(primitive, colour=change(primitive.colour)))
            case Text():
                patch = primitive.patch and _recoloured_box(primitive.patch, change)
                result.append(replace(primitive, colour=change(primitive.colour), patch=patch))
    return result


def _recoloured_box(box: Box, change: Callable[[str], str]) -> Box:
    return replace(box, fill=box.fill and change(box.fill), stroke=box.stroke and change(box.stroke))


def extent(primitive: Primitive) -> Rect:
    """A rectangle that contains a primitive."""
    match primitive:
        case Box():
            return primitive.rect.grown(primitive.stroke_width) if primitive.stroke else primitive.rect
        case Line():
            return primitive.path.bounds().grown(primitive.stroke_width)
        case Polygon():
            area = union(Rect(point.x, point.y, 0.0, 0.0) for point in primitive.points)
            return area.grown(primitive.stroke_width) if primitive.stroke else area
        case Sign():
            return primitive.square
        case Text():
            width = text.width(primitive.text, primitive.font)
            shift = {"start": 0.0, "middle": width / 2, "end": width}[primitive.anchor]
            size = primitive.font.size
            line = Rect(primitive.at.x - shift, primitive.at.y - size, width, size * 1.3)
            return union([line, primitive.patch.rect]) if primitive.patch is not None else line


def baseline(middle: float, font: Font) -> float:
    """The baseline of a line of text with capitals centred at a height."""
    return round(middle + text.cap_height(font) / 2, 2)
