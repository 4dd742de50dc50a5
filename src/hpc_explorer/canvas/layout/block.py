"""Many cards of one sort, in rows and columns; in a frame if one line leads to all of them together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hpc_explorer.canvas.card import Footprint
from hpc_explorer.canvas.geometry import Rect

CARD_GAP = 8.0
FRAME_PAD = 8.0
ASPECT = 1.2
"""Width to height that a framed block aims at."""


@dataclass(frozen=True, slots=True)
class Block:
    """Cards in rows of `columns`, read like text.

    Args:
        vertices: whose cards they are, in order.
        columns: cards in a row.
        card_width: of every card.
        row_heights: of the tallest card of each row, with its stop note.
        framed: whether there is a frame around them; it belongs to the block's size.
    """

    vertices: tuple[int, ...]
    columns: int
    card_width: float
    row_heights: tuple[float, ...]
    framed: bool

    @property
    def width(self) -> float:
        return self.columns * (self.card_width + CARD_GAP) - CARD_GAP + 2 * self._pad

    @property
    def height(self) -> float:
        return sum(self.row_heights) + (len(self.row_heights) - 1) * CARD_GAP + 2 * self._pad

    @property
    def _pad(self) -> float:
        return FRAME_PAD if self.framed else 0.0

    def cards(self, left: float, top: float, footprints: Sequence[Footprint]) -> dict[int, Rect]:
        """The place of every card for a position of the block's top left corner."""
        places = {}
        y = top + self._pad
        for row, row_height in enumerate(self.row_heights):
            for column, vertex in enumerate(self.vertices[row * self.columns : (row + 1) * self.columns]):
                x = left + self._pad + column * (self.card_width + CARD_GAP)
                places[vertex] = Rect(x, y, self.card_width, footprints[vertex].height)
            y += row_height + CARD_GAP
        return places


def column_of(vertices: Sequence[int], footprints: Sequence[Footprint], card_width: float) -> Block:
    """The cards below one another, without a frame."""
    return _block(vertices, footprints, 1, card_width, framed=False)


def frame_of(vertices: Sequence[int], footprints: Sequence[Footprint], card_width: float = 0.0) -> Block:
    """The cards in a frame, a little wider than high, and at least two in a row.

    Args:
        card_width: of every card; 0 for that of the widest.
    """
    width = card_width or max(footprints[vertex].width for vertex in vertices)
    pitch = sum(footprints[vertex].height + footprints[vertex].foot for vertex in vertices) / len(vertices) + CARD_GAP
    columns = max(2, round(math.sqrt(len(vertices) * pitch * ASPECT / (width + CARD_GAP))))
    return _block(vertices, footprints, columns, width, framed=True)


def rows_of(vertices: Sequence[int], footprints: Sequence[Footprint], width: float) -> Block:
    """The cards in rows of at most this width, without a frame; in wider ones if that would make a strip."""
    card_width = max(footprints[vertex].width for vertex in vertices)
    pitch = sum(footprints[vertex].height + footprints[vertex].foot for vertex in vertices) / len(vertices) + CARD_GAP
    least = math.ceil(math.sqrt(len(vertices) * pitch * ASPECT / (card_width + CARD_GAP)))
    return _block(vertices, footprints, max(least, int(width // (card_width + CARD_GAP))), card_width, framed=False)


def _block(
    vertices: Sequence[int], footprints: Sequence[Footprint], columns: int, card_width: float, *, framed: bool
) -> Block:
    heights = [footprints[vertex].height + footprints[vertex].foot for vertex in vertices]
    rows = tuple(max(heights[at : at + columns]) for at in range(0, len(heights), columns))
    return Block(tuple(vertices), columns, card_width, rows, framed)
