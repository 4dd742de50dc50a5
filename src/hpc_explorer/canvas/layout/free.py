"""Free places for cards near where they should stand."""

from __future__ import annotations

from functools import cache

from hpc_explorer.canvas.geometry import GRID, Rect
from hpc_explorer.canvas.layout.lines import Occupied

GAP = 24.0
STEP_X, STEP_Y = 4 * GRID, 3 * GRID
RINGS = 24
"""Rings of places that are tried around the wish before the steps get longer."""


class Floor:
    """Where cards stand; each new one gets the free place nearest to its wish."""

    def __init__(self) -> None:
        self._taken = Occupied()

    def take(self, card: Rect) -> None:
        """The card stands there, come what may."""
        self._taken.add(card)

    def settle(self, wish: Rect, side: int = 0) -> Rect:
        """The card at the free place nearest to its wish, on the grid and with a gap around it; it is then taken.

        Args:
            side: 1 for places right of the wish only, -1 for places left of it.
        """
        x, y = round(wish.x / GRID) * GRID, round(wish.y / GRID) * GRID
        stretch = 1.0
        while True:
            for dx, dy in _offsets():
                if dx * side < 0:
                    continue
                card = Rect(x + dx * stretch, y + dy * stretch, wish.width, wish.height)
                if self._taken.free(card.grown(GAP / 2)):
                    self._taken.add(card.grown(GAP / 2))
                    return card
            # Everything around is full: look further away, in longer steps.
            stretch *= 2.0


@cache
def _offsets() -> tuple[tuple[float, float], ...]:
    """Steps from a wish, the nearest first."""
    steps = range(-RINGS, RINGS + 1)
    every = [(across * STEP_X, down * STEP_Y) for across in steps for down in steps]
    return tuple(sorted(every, key=lambda step: (step[0] ** 2 + step[1] ** 2, step)))
