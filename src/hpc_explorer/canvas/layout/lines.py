"""What all layouts share: edges taken together as lines, places for their labels, loops, rows of single cards."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from hpc_explorer.canvas import text
from hpc_explorer.canvas.card import SMALL, Footprint
from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect, point_along
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel
from hpc_explorer.canvas.scene import Scene

LONGEST_LABEL = 136.0
"""Scene units an edge's label may be wide; longer ones are shortened."""
LABEL_HEIGHT = 14.0
LABEL_PAD = 4.0
LOOP_HEIGHT = 16.0
ROW_GAP = 24.0
ASPECT = 1.6
"""Width to height that arrangements with a choice aim at."""


def bundles(scene: Scene) -> list[Bundle]:
    """The scene's edges, those that would lie on one another taken together."""
    index = {node.key: at for at, node in enumerate(scene.nodes)}
    groups: dict[tuple[str, str, str, str], list[int]] = {}
    for at, edge in enumerate(scene.edges):
        groups.setdefault((edge.source, edge.target, edge.origin, edge.leads), []).append(at)
    result = []
    for edges in groups.values():
        edge = scene.edges[edges[0]]
        labels = dict.fromkeys(text.clean(scene.edges[at].label) for at in edges)
        result.append(
            Bundle(
                source=index[edge.source],
                target=index[edge.target],
                left=index[edge.left],
                right=index[edge.right],
                label=", ".join(label for label in labels if label),
                origin=edge.origin,
                edges=tuple(edges),
            )
        )
    return result


def shown_label(label: str) -> tuple[str, float]:
    """An edge's label as drawn, and the width of its box; ("", 0) if there is none."""
    short = text.elide(label, SMALL, LONGEST_LABEL, "end")
    return (short, text.width(short, SMALL) + 2 * LABEL_PAD) if short else ("", 0.0)


def label_box(middle: Point, width: float) -> Rect:
    """The box of an edge's label around its middle."""
    return Rect(middle.x - width / 2, middle.y - LABEL_HEIGHT / 2, width, LABEL_HEIGHT)


def free_label(bundle: Bundle, path: Path, taken: Occupied) -> list[EdgeLabel]:
    """The label of a line at the best place on it where it hides nothing; none if there is no such place.

    The place is then taken.
    """
    label, width = shown_label(bundle.label)
    for spot in _spots(path) if label else ():
        box = label_box(spot, width)
        if taken.free(box):
            taken.add(box)
            return [EdgeLabel(label, box, bundle.edges)]
    return []


def _spots(path: Path) -> Iterator[Point]:
    """Places for a label on a line: the middle of its first part, then outwards, then on the parts after it."""
    for start, segment in path.pieces():
        for t in (0.5, 0.4, 0.6, 0.3, 0.7):
            yield point_along(start, segment, t)


class Occupied:
    """Boxes that are taken, asked by area: a coarse grid of the boxes that touch each cell."""

    CELL = 96.0

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[Rect]] = {}

    def _touched(self, rect: Rect) -> Iterator[tuple[int, int]]:
        for column in range(int(rect.x // self.CELL), int(rect.right // self.CELL) + 1):
            for row in range(int(rect.y // self.CELL), int(rect.bottom // self.CELL) + 1):
                yield column, row

    def add(self, rect: Rect) -> None:
        for cell in self._touched(rect):
            self._cells.setdefault(cell, []).append(rect)

    def free(self, rect: Rect) -> bool:
        """Whether no box that was added overlaps this one."""
        return not any(rect.overlaps(other) for cell in self._touched(rect) for other in self._cells.get(cell, ()))


def card_loop(card: Rect) -> Path:
    """The line from a card to itself, over its top right corner."""
    start, end = Point(card.right - 48.0, card.y), Point(card.right - 24.0, card.y)
    top = card.y - LOOP_HEIGHT
    return Path(start, (Curve(Point(start.x, top), Point(end.x, top), end),))


def in_rows(
    vertices: Sequence[int], footprints: Sequence[Footprint], top: float, width: float
) -> list[tuple[int, Rect]]:
    """Cards without edges, in rows from `top` down and about `width` wide, at least as wide as they are high."""
    if not vertices:
        return []
    card_width = max(footprints[vertex].width for vertex in vertices)
    pitch = max(footprints[vertex].height + footprints[vertex].foot for vertex in vertices) + ROW_GAP
    fitting = int((width + ROW_GAP) // (card_width + ROW_GAP))
    columns = max(fitting, math.ceil(math.sqrt(len(vertices) * ASPECT * pitch / (card_width + ROW_GAP))))
    return [
        (
            vertex,
            Rect(
                at % columns * (card_width + ROW_GAP),
                top + at // columns * pitch,
                card_width,
                footprints[vertex].height,
            ),
        )
        for at, vertex in enumerate(vertices)
    ]
