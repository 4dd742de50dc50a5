"""The marks on a card that have a sign of their own: distinguished by their shape, whatever the colours.

    inferred   ∴   three dots, "therefore"        edited      a pencil
    invalid    ×   a cross                        anomalous   a line that jumps
    pinned         a pin in the card's corner; it takes no room, so that pinning a node moves nothing

Any other badge of a node is shown as the short text that it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from hpc_explorer.canvas.geometry import Path, Point, Rect
from hpc_explorer.canvas.primitives import Box, Line, Primitive

INFERRED, INVALID, EDITED, ANOMALOUS, PINNED = "inferred", "invalid", "edited", "anomalous", "pinned"

MEANING: Mapping[str, str] = {
    INFERRED: "Inferred: it follows by a rule; no source states it.",
    INVALID: "Invalid: it breaks a rule of its shape.",
    EDITED: "Edited: it was changed here.",
    ANOMALOUS: "Anomalous: a value is far from what is usual.",
    PINNED: "Pinned: layouts leave it where it is.",
}
"""What each sign says, in a sentence."""

WIDTH = 18.0
"""Scene units that a sign takes in the row of badges."""
STROKE = 1.5


def sign(badge: str, centre: Point, colour: str) -> list[Primitive]:
    """The sign of a badge in a square of twelve units around a place; nothing for a badge that is a text."""
    x, y = centre

    def line(*points: tuple[float, float], width: float = STROKE) -> Line:
        first, *rest = (Point(x + dx, y + dy) for dx, dy in points)
        return Line(Path(first, tuple(rest)), colour, width)

    match badge:
        case "inferred":
            dots = ((0.0, -2.8), (-3.4, 2.8), (3.4, 2.8))
            return [Box(Rect(x + dx - 1.4, y + dy - 1.4, 2.8, 2.8), fill=colour, radius=1.4) for dx, dy in dots]
        case "invalid":
            return [line((-3.6, -3.6), (3.6, 3.6)), line((-3.6, 3.6), (3.6, -3.6))]
        case "edited":
            return [line((-1.4, 1.4), (3.0, -3.0), width=3.2), line((-4.4, 4.4), (-1.4, 1.4))]
        case "anomalous":
            return [line((-5.6, 2.0), (-2.6, 2.0), (-0.4, -4.4), (1.8, 4.2), (3.2, 2.0), (5.6, 2.0))]
    return []


def pin(card: Rect, colour: str) -> list[Primitive]:
    """The mark of a pinned node, in the right top corner of its card, which no text reaches."""
    x, y = card.right - 6.5, card.y + 3.0
    head = Box(Rect(x - 2.5, y, 5.0, 5.0), fill=colour, radius=2.5)
    return [head, Line(Path(Point(x, y + 5.0), (Point(x, y + 9.0),)), colour, STROKE)]
