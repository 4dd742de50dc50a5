"""The mark of a class: its icon on a plate."""

from __future__ import annotations

from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.icons import SIDE, STROKE
from hpc_explorer.canvas.palette import Look, Theme
from hpc_explorer.canvas.primitives import Box, Polygon, Primitive, Sign

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
