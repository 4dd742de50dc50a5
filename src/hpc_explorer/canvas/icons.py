"""Icons for kinds of things: line drawings on a square of 16 units, with round caps and joins; and icons on plates."""

from __future__ import annotations

import re
from functools import cache

from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect
from hpc_explorer.canvas.kinds import Icon
from hpc_explorer.canvas.palette import Look, Theme
from hpc_explorer.canvas.primitives import Box, Polygon, Primitive, Sign

SIDE = 16.0
"""Side of the icons' square."""
STROKE = 1.5
"""Line width on that square."""

TITLES: dict[Icon, str] = {
    "dataset": "Dataset",
    "file": "File",
    "model": "Model",
    "experiment": "Experiment or run",
    "workflow": "Workflow or activity",
    "software": "Software",
    "machine": "Machine",
    "person": "Person or organization",
    "project": "Project",
    "measurement": "Measurement",
    "parameter": "Parameter",
    "place": "Place",
    "concept": "Concept",
    "other": "Anything else",
}
"""The meaning of each icon."""


def _circle(x: float, y: float, radius: float) -> str:
    bend = radius * 0.5523  # a quarter of a circle as a cubic curve
    left, right, top, bottom = x - radius, x + radius, y - radius, y + radius
    return (
        f"M{x} {top}C{x + bend} {top} {right} {y - bend} {right} {y}"
        f"C{right} {y + bend} {x + bend} {bottom} {x} {bottom}"
        f"C{x - bend} {bottom} {left} {y + bend} {left} {y}"
        f"C{left} {y - bend} {x - bend} {top} {x} {top}"
    )


# In the language of SVG's `d` attribute, with absolute M, L and C only.
_DRAWN: dict[Icon, str] = {
    "dataset": "M3 4C3 2.9 5.2 2 8 2C10.8 2 13 2.9 13 4C13 5.1 10.8 6 8 6C5.2 6 3 5.1 3 4"
    "L3 12C3 13.1 5.2 14 8 14C10.8 14 13 13.1 13 12L13 4M3 8C3 9.1 5.2 10 8 10C10.8 10 13 9.1 13 8",
    "file": "M9.5 2L4 2L4 14L12.5 14L12.5 5L9.5 2L9.5 5L12.5 5M6.5 8.5L10 8.5M6.5 11L10 11",
    "model": "M8 1.8L13.4 4.9L13.4 11.1L8 14.2L2.6 11.1L2.6 4.9L8 1.8M2.6 4.9L8 8L13.4 4.9M8 8L8 14.2",
    "experiment": "M6 2L10 2M7 2L7 6.3L3.3 12.3C2.8 13.2 3.3 14 4.2 14L11.8 14C12.7 14 13.2 13.2 12.7 12.3L9 6.3L9 2"
    "M5.2 10.2L10.8 10.2",
    "workflow": "M2.5 2.5L6.5 2.5L6.5 6.5L2.5 6.5L2.5 2.5M9.5 9.5L13.5 9.5L13.5 13.5L9.5 13.5L9.5 9.5"
    "M6.5 4.5L11.5 4.5L11.5 9.5",
    "software": "M5 4.5L1.8 8L5 11.5M11 4.5L14.2 8L11 11.5M9.2 3.2L6.8 12.8",
    "machine": "M2.5 2.8L13.5 2.8L13.5 7L2.5 7L2.5 2.8M2.5 9L13.5 9L13.5 13.2L2.5 13.2L2.5 9"
    "M5 4.9L5.2 4.9M5 11.1L5.2 11.1",
    "person": _circle(8.0, 5.0, 2.8) + "M2.6 13.8C2.6 11 4.9 9.8 8 9.8C11.1 9.8 13.4 11 13.4 13.8",
    "project": "M4 2L4 14M4 3L12.8 3L10.4 6L12.8 9L4 9",
    "measurement": "M2.2 12C2.2 7.6 4.6 4.2 8 4.2C11.4 4.2 13.8 7.6 13.8 12L2.2 12M8 12L10.4 7.8",
    "parameter": "M2 4.8L3.8 4.8M7.4 4.8L14 4.8M2 11.2L8.6 11.2M12.2 11.2L14 11.2"
    + _circle(5.6, 4.8, 1.8)
    + _circle(10.4, 11.2, 1.8),
    "place": "M8 14.2C5 10.8 3.4 8.8 3.4 6.4C3.4 3.8 5.4 1.8 8 1.8C10.6 1.8 12.6 3.8 12.6 6.4C12.6 8.8 11 10.8 8 14.2"
    + _circle(8.0, 6.4, 1.6),
    "concept": "M2.5 2.5L8 2.5L13.8 8.3L8.3 13.8L2.5 8L2.5 2.5M5.4 5.4L5.6 5.6",
    "other": _circle(8.0, 8.0, 3.6),
}


@cache
def strokes(name: Icon) -> tuple[Path, ...]:
    """The lines of an icon, on its square of `SIDE` units."""
    paths: list[Path] = []
    for line in _DRAWN[name].split("M")[1:]:
        start, *steps = re.findall(r"[LC]?[^LC]+", line)
        segments: list[Point | Curve] = []
        for step in steps:
            numbers = [float(number) for number in step[1:].split()]
            points = [Point(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            segments.append(Curve(*points) if step[0] == "C" else points[0])
        x, y = map(float, start.split())
        paths.append(Path(Point(x, y), tuple(segments)))
    return tuple(paths)


def placed(name: Icon, square: Rect) -> tuple[Path, ...]:
    """The lines of an icon in a square of the picture."""
    scale = square.width / SIDE

    def there(point: Point) -> Point:
        return Point(square.x + point.x * scale, square.y + point.y * scale)

    return tuple(
        Path(
            there(path.start),
            tuple(
                Curve(*map(there, segment)) if isinstance(segment, Curve) else there(segment)
                for segment in path.segments
            ),
        )
        for path in strokes(name)
    )


SIGN = 14 / 24
"""Side of the icon relative to the plate."""
SQUARE_CORNER = 5 / 24
OUTLINE = 1.0


def mark(look: Look, square: Rect, theme: Theme) -> list[Primitive]:
    """The mark in a square of the picture. For print, the plate is an outline in the colour of the icon."""
    ink = look.colour if theme.outlined else look.ink
    side = square.width * SIGN
    inner = Rect(square.centre.x - side / 2, square.centre.y - side / 2, side, side)
    return [_plate(look, square, theme), Sign(inner, look.icon, ink, STROKE * side / SIDE)]


def _plate(look: Look, square: Rect, theme: Theme) -> Box | Polygon:
    fill, stroke = (theme.surface, look.colour) if theme.outlined else (look.colour, None)
    x, y, side, _ = square
    middle = square.centre
    match look.shape:
        case "circle" | "square":
            radius = side * (0.5 if look.shape == "circle" else SQUARE_CORNER)
            return Box(square, fill=fill, stroke=stroke, stroke_width=OUTLINE, radius=radius)
        case "hexagon":
            points = [(x, middle.y), (x + side / 4, y), (x + side * 3 / 4, y), (square.right, middle.y)]
            points += [(x + side * 3 / 4, square.bottom), (x + side / 4, square.bottom)]
        case "diamond":
            # Same area as the other shapes; the corners extend beyond the square.
            reach = side * 0.57
            points = [(middle.x, middle.y - reach), (middle.x + reach, middle.y)]
            points += [(middle.x, middle.y + reach), (middle.x - reach, middle.y)]
    return Polygon(tuple(Point(*point) for point in points), fill, stroke, OUTLINE)
