"""Badges drawn as signs, distinguished by shape.

    inferred   ∴   three dots, "therefore"        edited      a pencil
    invalid    ×   a cross                        anomalous   a line that jumps
    pinned         a pin in the card's corner; it takes no room, so pinning does not move nodes

Other badges are drawn as text.
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
    ANOMALOUS: "Anomalous: a value is far from what is usual, or it ran during an anomaly.",
    PINNED: "Pinned: layouts leave it where it is.",
}
"""What each sign says, in a sentence."""

WIDTH = 18.0
"""Width of a sign in the row of badges, in scene units."""
STROKE = 1.5


def sign(badge: str, centre: Point, colour: str) -> list[Primitive]:
    """The sign of a badge, twelve units wide, around a place; empty for a text badge."""
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
    """The sign of a pinned node, in the top right corner of its card, outside the text."""
    x, y = card.right - 6.5, card.y + 3.0
    head = Box(Rect(x - 2.5, y, 5.0, 5.0), fill=colour, radius=2.5)
    return [head, Line(Path(Point(x, y + 5.0), (Point(x, y + 9.0),)), colour, STROKE)]
