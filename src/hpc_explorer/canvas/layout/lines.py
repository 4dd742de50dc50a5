"""Parts shared by all layouts: edges bundled into lines, places for their labels, loops, rows of single cards."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

from hpc_explorer.canvas import text
from hpc_explorer.canvas.card import SMALL, Footprint
from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect, level_curve, point_along
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel
from hpc_explorer.canvas.scene import Leads, Origin, Scene

LONGEST_LABEL = 144.0
"""The maximum width of an edge's label in scene units; longer ones are shortened."""
LABEL_HEIGHT = 14.0
LABEL_PAD = 4.0
MOST_PARTS = 9
"""The fractions of a line that are tried as places for its label."""
LOOP_HEIGHT = 24.0
BULGE = 40.0
ROW_GAP = 24.0
ASPECT = 1.6
"""The preferred ratio of width to height."""


def bundles(scene: Scene) -> list[Bundle]:
    """The scene's edges, bundled if their lines would coincide."""
    index = {node.key: at for at, node in enumerate(scene.nodes)}
    groups: dict[tuple[str, str, Origin, Leads], list[int]] = {}
    for at, edge in enumerate(scene.edges):
        sort = (edge.source, edge.target, edge.origin, edge.leads)
        if sort in groups:
            groups[sort].append(at)
        else:
            groups[sort] = [at]
    cleaned: dict[str, str] = {}
    result = []
    for (source_key, target_key, origin, leads), edges in groups.items():
        names = []
        for at in edges:
            given = scene.edges[at].label
            name = cleaned.get(given)
            if name is None:
                name = cleaned[given] = text.clean(given)
            if name and name not in names:
                names.append(name)
        source, target = index[source_key], index[target_key]
        left, right = (target, source) if leads == "back" else (source, target)
        result.append(Bundle(source, target, left, right, ", ".join(names), origin, tuple(edges)))
    return result


def shown_label(label: str) -> tuple[str, float]:
    """An edge's label as drawn, and the width of its box; ("", 0) if there is none."""
    short = text.elide(label, SMALL, LONGEST_LABEL, "end")
    return (short, text.width(short, SMALL) + 2 * LABEL_PAD) if short else ("", 0.0)


def label_box(middle: Point, width: float) -> Rect:
    """The box of an edge's label around its middle."""
    return Rect(middle.x - width / 2, middle.y - LABEL_HEIGHT / 2, width, LABEL_HEIGHT)


class Occupied:
    """The boxes and lines that labels should not cover, in coarse grids."""

    CELL, FINE = 96.0, 32.0

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, int], list[Rect]] = {}
        self._lines: list[Path] = []
        self._sampled = 0
        self._points: dict[tuple[int, int], dict[int, list[Point]]] = {}
        """In each cell the points of the lines that pass it, by the line's number."""

    def _cells(self, rect: Rect) -> Iterator[tuple[int, int]]:
        for column in range(int(rect.x // self.CELL), int(rect.right // self.CELL) + 1):
            for row in range(int(rect.y // self.CELL), int(rect.bottom // self.CELL) + 1):
                yield column, row

    def add(self, rect: Rect) -> None:
        for cell in self._cells(rect):
            self._boxes.setdefault(cell, []).append(rect)

    def add_line(self, path: Path) -> None:
        self._lines.append(path)

    def free(self, rect: Rect) -> bool:
        """Whether no box that was added overlaps this one."""
        return not any(rect.overlaps(other) for cell in self._cells(rect) for other in self._boxes.get(cell, ()))

    def other_lines(self, rect: Rect, own: Path) -> int:
        """The number of lines other than `own` through a box."""
        self._sample()
        passing: set[int] = set()
        for column in range(int(rect.x // self.FINE), int(rect.right // self.FINE) + 1):
            for row in range(int(rect.y // self.FINE), int(rect.bottom // self.FINE) + 1):
                for number, points in self._points.get((column, row), {}).items():
                    if number not in passing and any(rect.contains(point) for point in points):
                        passing.add(number)
        return len({id(self._lines[number]) for number in passing} - {id(own)})

    def _sample(self) -> None:
        """Index the points of newly added lines."""
        for number in range(self._sampled, len(self._lines)):
            for start, segment in self._lines[number].pieces():
                end = segment.end if isinstance(segment, Curve) else segment
                steps = max(2, int((abs(end.x - start.x) + abs(end.y - start.y)) / LABEL_HEIGHT * 2))
                for step in range(steps + 1):
                    point = point_along(start, segment, step / steps)
                    cell = int(point.x // self.FINE), int(point.y // self.FINE)
                    self._points.setdefault(cell, {}).setdefault(number, []).append(point)
        self._sampled = len(self._lines)


def free_label(label: str, edges: tuple[int, ...], path: Path, taken: Occupied) -> list[EdgeLabel]:
    """The label of a line at its best free place; None if there is none.

    The best place has the fewest other lines, then comes first in `_spots`. It is then taken.
    """
    short, width = shown_label(label)
    best: tuple[int, Rect] | None = None
    for spot in _spots(path) if short else ():
        box = label_box(spot, width)
        if not taken.free(box):
            continue
        crossed = taken.other_lines(box, path)
        if best is None or crossed < best[0]:
            best = (crossed, box)
        if crossed == 0:
            break
    if best is None:
        return []
    taken.add(best[1])
    return [EdgeLabel(short, best[1], edges)]


def _spots(path: Path) -> Iterator[Point]:
    """Places for a label on a line: the middle of its first part, then outwards, then on the parts after it."""
    for start, segment in islice(path.pieces(), MOST_PARTS):
        for t in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
            yield point_along(start, segment, t)


def card_loop(card: Rect) -> Path:
    """The line from a card to itself, over its top right corner and `LOOP_HEIGHT` high."""
    start, end = Point(card.right - 72.0, card.y), Point(card.right - 16.0, card.y)
    top = card.y - LOOP_HEIGHT / 0.75
    return Path(start, (Curve(Point(start.x, top), Point(end.x, top), end),))


def card_to_card(source: Rect, target: Rect) -> Path:
    """A straight line between two cards; past their right sides if one is above the other."""
    left, right = sorted((source, target))
    start = Point(left.right, left.centre.y)
    if left.right < right.x:
        path = Path(start, (level_curve(start, Point(right.x, right.centre.y)),))
    else:
        end = Point(right.right, right.centre.y)
        outside = max(left.right, right.right) + BULGE
        path = Path(start, (Curve(Point(outside, start.y), Point(outside, end.y), end),))
    return path if source == left else path.reversed()


def in_rows(
    vertices: Sequence[int], footprints: Sequence[Footprint], top: float, width: float
) -> list[tuple[int, Rect]]:
    """Cards without edges, in rows from `top` down, about `width` wide and at least as wide as high."""
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
