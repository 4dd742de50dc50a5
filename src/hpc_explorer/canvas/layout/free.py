"""Free places for cards near their preferred places."""

from __future__ import annotations

from functools import cache
from itertools import count

from hpc_explorer.canvas.geometry import GRID, Rect
from hpc_explorer.canvas.layout.lines import Occupied

GAP = 24.0
STEP_X, STEP_Y = 4 * GRID, 3 * GRID
NEAR = 12 * GRID
COLUMN = 36 * GRID
"""From one column to the next: the widest card and room for lines."""
COLUMN_COST, COLUMN_POWER = 600.0, 0.75
"""The next column is as far as so many units up or down, so that columns of some sixteen cards come to stand; later
ones are nearer, so that thousands of cards do not form a tower."""
COLUMNS, ROWS = 60, 480
RINGS = 24
"""The number of rings around the preferred place before steps get longer."""


class Floor:
    """The places of cards; each new one gets the free place nearest to its preferred one."""

    def __init__(self) -> None:
        self._taken = Occupied()
        self._full: dict[tuple[int, int, int], int] = {}
        """For each preferred place, the number of nearest places known to be taken, which are skipped."""

    def take(self, card: Rect) -> None:
        """Place a card unconditionally."""
        self._taken.add(card)

    def settle(self, wish: Rect, side: int = 0) -> Rect:
        """Place a card at the nearest free place, on the grid and with a gap around it.

        Args:
            side: 1 for places in columns to the right of the preferred place, -1 to the left.
        """
        x, y = round(wish.x / GRID) * GRID, round(wish.y / GRID) * GRID
        near = (int(x // NEAR), int(y // NEAR), side)
        offsets = _column_offsets() if side else _offsets()
        for at in count(self._full.get(near, 0)):
            dx, dy = offsets[at % len(offsets)]
            # If everything around is taken, search further away in longer steps.
            stretch = 2.0 ** (at // len(offsets))
            card = Rect(x + dx * (side or 1) * stretch, y + dy * stretch, wish.width, wish.height)
            if self._taken.free(card.grown(GAP / 2)):
                break
        self._taken.add(card.grown(GAP / 2))
        self._full[near] = at
        return card


class Slots:
    """Equal slots in rows and columns, for scenes with too many cards to search for any free place."""

    def __init__(self, width: float, height: float) -> None:
        self._width, self._height = width + GAP, height + GAP
        self._taken: set[tuple[int, int]] = set()
        self._full: dict[tuple[int, int], int] = {}

    def take(self, card: Rect) -> None:
        """Place a card unconditionally: the slots it touches are taken."""
        for column in range(int((card.x - GAP) // self._width), int((card.right + GAP) // self._width) + 1):
            for row in range(int((card.y - GAP) // self._height), int((card.bottom + GAP) // self._height) + 1):
                self._taken.add((column, row))

    def settle(self, wish: Rect) -> Rect:
        """Place a card in a free slot near its preferred place."""
        column, row = round(wish.x / self._width), round(wish.y / self._height)
        offsets, near = _slot_offsets(), (column // 3, row // 9)
        for tried in count(self._full.get(near, 0)):
            # After the last offset they repeat in longer steps.
            across, down = offsets[tried % len(offsets)]
            stretch = tried // len(offsets) + 1
            slot = (column + across * stretch, row + down * stretch)
            if slot not in self._taken:
                break
        self._taken.add(slot)
        self._full[near] = tried
        return Rect(slot[0] * self._width, slot[1] * self._height, wish.width, wish.height)


@cache
def _slot_offsets() -> tuple[tuple[int, int], ...]:
    """Offsets to the slots around one, nearest first; a slot is about three times as wide as high."""
    every = [(across, down) for across in range(-40, 41) for down in range(-120, 121)]
    return tuple(sorted(every, key=lambda step: (9 * step[0] ** 2 + step[1] ** 2, step)))


@cache
def _column_offsets() -> tuple[tuple[float, float], ...]:
    """Steps from the preferred place to places in columns, nearest first."""
    every = [(column, down * STEP_Y) for column in range(COLUMNS) for down in range(-ROWS, ROWS + 1)]
    every.sort(key=lambda step: ((step[0] ** COLUMN_POWER * COLUMN_COST) ** 2 + step[1] ** 2, step))
    return tuple((column * COLUMN, down) for column, down in every)


@cache
def _offsets() -> tuple[tuple[float, float], ...]:
    """Steps from the preferred place, nearest first."""
    steps = range(-RINGS, RINGS + 1)
    every = [(across * STEP_X, down * STEP_Y) for across in steps for down in steps]
    return tuple(sorted(every, key=lambda step: (step[0] ** 2 + step[1] ** 2, step)))
