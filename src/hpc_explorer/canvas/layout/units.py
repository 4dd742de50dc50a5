"""The units of the layered layout, which are cards or framed blocks of cards, and the links between them.

Many nodes that have a single edge each, of the same sort and to the same neighbour ("used" by one step: forty raw
logs), stand in one block that one line leads to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from hpc_explorer.canvas.card import Footprint
from hpc_explorer.canvas.geometry import GRID
from hpc_explorer.canvas.layout.block import Block, frame_of
from hpc_explorer.canvas.layout.lines import LOOP_HEIGHT
from hpc_explorer.canvas.layout.result import Bundle
from hpc_explorer.canvas.scene import Origin

BLOCK_FROM = 10
"""The number of such nodes that form a block."""


class Unit(NamedTuple):
    """A card, or a block of cards in a frame.

    Args:
        vertices: whose cards it holds; one, unless it is a block.
        width, height: of the card or frame; half the height is on the grid.
        above: room above it, for a loop.
        foot: room below it, for a stop note.
        block: the arrangement of its cards, if it is a block.
    """

    vertices: tuple[int, ...]
    width: float
    height: float
    above: float = 0.0
    foot: float = 0.0
    block: Block | None = None


class Link(NamedTuple):
    """One line between two units.

    Args:
        left, right: positions of the units, in their preferred order.
        from_left: whether the source of the statement is the left one, so that the arrow points right.
        label, origin: of all its lines.
        lines: the bundles that it represents; several if one end is a block.
    """

    left: int
    right: int
    from_left: bool
    label: str
    origin: Origin
    lines: tuple[Bundle, ...]


def units_and_links(
    vertices: Sequence[int], lines: Sequence[Bundle], footprints: Sequence[Footprint], alone: set[int]
) -> tuple[list[Unit], list[Link]]:
    """The units and links of one connected part, without loops.

    Args:
        vertices: the part's vertices.
        lines: all lines between them.
        footprints: by vertex.
        alone: vertices that are never put in a block.
    """
    looped = {line.left for line in lines if line.left == line.right}
    unit_of: dict[int, int] = {}
    units: list[Unit] = []
    blocks = {members[0]: members for members in _alike(lines, alone | looped)}
    hidden = {vertex for members in blocks.values() for vertex in members[1:]}
    for vertex in vertices:
        if vertex in hidden:
            continue
        if vertex in blocks:
            block = frame_of(blocks[vertex], footprints)
            height = -(-block.height // (2 * GRID)) * 2 * GRID
            units.append(Unit(tuple(blocks[vertex]), block.width, height, block=block))
        else:
            size = footprints[vertex]
            above = LOOP_HEIGHT if vertex in looped else 0.0
            units.append(Unit((vertex,), size.width, size.height, above, size.foot))
        for member in units[-1].vertices:
            unit_of[member] = len(units) - 1
    together: dict[tuple[int, int, bool, str, Origin], list[Bundle]] = defaultdict(list)
    for line in lines:
        source, _, left, right, label, origin, _ = line
        if left != right:
            together[(unit_of[left], unit_of[right], source == left, label, origin)].append(line)
    return units, [Link(*sort, tuple(of_sort)) for sort, of_sort in together.items()]


def _alike(lines: Sequence[Bundle], alone: set[int]) -> list[list[int]]:
    """The sets of at least `BLOCK_FROM` vertices whose only line is of the same sort and to the same neighbour."""
    degree: dict[int, int] = {}
    for line in lines:
        degree[line.left] = degree.get(line.left, 0) + 1
        degree[line.right] = degree.get(line.right, 0) + 1
    sets: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for line in lines:
        if degree[line.left] > 1 and degree[line.right] > 1:
            continue
        for vertex, neighbour in ((line.left, line.right), (line.right, line.left)):
            if degree[vertex] == 1 and degree[neighbour] > 1 and vertex not in alone:
                sort = (neighbour, vertex == line.left, vertex == line.source, line.label, line.origin)
                sets[sort].append(vertex)
    return [members for members in sets.values() if len(members) >= BLOCK_FROM]
