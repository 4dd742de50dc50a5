"""The picture of a neighbourhood: the focus in the middle, what it points to on the right, what points at it left.

Neighbours are grouped by predicate. A group is a column of cards that one line with one label leads to and fans out
from; a large group is a block of several columns in a frame, which the line ends at.

                         ┌── card
    card ── label ── FOCUS ── label ──┤
                         └── card
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from hpc_explorer.canvas.card import Footprint, footprint
from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect, level_curve, up_to_grid
from hpc_explorer.canvas.layout.layers import Check, unchecked
from hpc_explorer.canvas.layout.lines import (
    LABEL_HEIGHT,
    Occupied,
    bundles,
    card_loop,
    free_label,
    in_rows,
    label_box,
    shown_label,
)
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel, Frame, Layout, Route, finished
from hpc_explorer.canvas.scene import Scene

Side = Literal["left", "right"]

ONE_COLUMN = 8
"""Cards of a group that still stand in a single column, each with a line of its own."""
CARD_GAP = 8.0
GROUP_GAP = 24.0
FRAME_PAD = 8.0
FAN = 48.0
"""Room for the lines to fan out, before and after the label."""
STEM_PAD = 8.0
PORT_SPACING = 8.0
BLOCK_GAP = 48.0
BULGE = 40.0


@dataclass
class _Group:
    """The neighbours on one side that the same predicate leads to.

    Args:
        side: where they stand.
        lines: one for each neighbour, in the scene's order.
        columns, height: their block.
        y: the height of the block's middle.
    """

    side: Side
    lines: list[Bundle]
    columns: int = 1
    height: float = 0.0
    y: float = 0.0

    @property
    def framed(self) -> bool:
        return self.columns > 1


def arrange_star(scene: Scene, check: Check = unchecked) -> Layout:
    """Places the neighbours of the scene's focus (its first node if none is marked) around it.

    Nodes that have no edge with the focus stand below, edges between neighbours are drawn past the cards.

    Args:
        scene: a focus and its neighbours.
        check: called now and then; abandons the work by raising.
    """
    if not scene.nodes:
        return Layout()
    lines = bundles(scene)
    footprints = [footprint(node) for node in scene.nodes]
    focus = next((at for at, node in enumerate(scene.nodes) if node.focus), 0)
    check()
    groups, others = _grouped(focus, lines)
    sides: tuple[Side, Side] = ("left", "right")
    for side in sides:
        _stack([group for group in groups if group.side == side], focus, footprints)
    size = footprints[focus]
    places = {focus: Rect(-size.width / 2, -size.height / 2, size.width, size.height)}
    routes: list[Route] = []
    labels: list[EdgeLabel] = []
    frames: list[Frame] = []
    for side in sides:
        check()
        _place_side(side, groups, focus, footprints, places, routes, labels, frames)
    bottom = max(rect.bottom + footprints[at].foot for at, rect in places.items())
    left, right = min(rect.x for rect in places.values()), max(rect.right for rect in places.values())
    apart = [at for at in range(len(scene.nodes)) if at not in places]
    places |= {at: rect.moved(left, 0.0) for at, rect in in_rows(apart, footprints, bottom + BLOCK_GAP, right - left)}
    taken = Occupied()
    for at, rect in places.items():
        taken.add(Rect(rect.x, rect.y, rect.width, rect.height + footprints[at].foot))
    for label in labels:
        taken.add(label.box)
    for line in others:
        path = _extra_path(line, focus, places)
        routes.append(Route(line, path))
        labels += free_label(line, path, taken)
    return finished(
        {node.key: places[at] for at, node in enumerate(scene.nodes)},
        {node.key: footprints[at].foot for at, node in enumerate(scene.nodes)},
        routes,
        labels,
        frames,
    )


def _grouped(focus: int, lines: list[Bundle]) -> tuple[list[_Group], list[Bundle]]:
    """The groups in the order of their first lines, and the lines that place nobody: the second to the same
    neighbour, those between neighbours, loops."""
    groups: dict[tuple[Side, str, str], _Group] = {}
    others: list[Bundle] = []
    placed = {focus}
    for line in lines:
        neighbour = line.target if line.source == focus else line.source
        if focus not in (line.source, line.target) or neighbour in placed:
            others.append(line)
            continue
        placed.add(neighbour)
        side: Side = "right" if line.source == focus else "left"
        groups.setdefault((side, line.label, line.origin), _Group(side, [])).lines.append(line)
    return list(groups.values()), others


def _neighbour(line: Bundle, focus: int) -> int:
    return line.target if line.source == focus else line.source


def _stack(groups: list[_Group], focus: int, footprints: list[Footprint]) -> None:
    """Sets the size of each group's block and stacks the blocks, their middle level with the focus."""
    for group in groups:
        count = len(group.lines)
        if count > ONE_COLUMN:
            group.columns = max(2, math.ceil(math.sqrt(count / ONE_COLUMN)))
        heights = _row_heights(group, focus, footprints)
        group.height = sum(heights) + CARD_GAP * (len(heights) - 1) + (2 * FRAME_PAD if group.framed else 0.0)
        group.height = max(group.height, LABEL_HEIGHT)
    top = -up_to_grid((sum(group.height for group in groups) + GROUP_GAP * (len(groups) - 1)) / 2)
    for group in groups:
        group.y = top + group.height / 2
        top += group.height + GROUP_GAP


def _row_heights(group: _Group, focus: int, footprints: list[Footprint]) -> list[float]:
    sizes = [footprints[_neighbour(line, focus)] for line in group.lines]
    return [
        max(size.height + size.foot for size in sizes[at : at + group.columns])
        for at in range(0, len(sizes), group.columns)
    ]


def _place_side(
    side: Side,
    all_groups: list[_Group],
    focus: int,
    footprints: list[Footprint],
    places: dict[int, Rect],
    routes: list[Route],
    labels: list[EdgeLabel],
    frames: list[Frame],
) -> None:
    """Places one side's cards and draws its lines; the left side is the right one mirrored."""
    groups = [group for group in all_groups if group.side == side]
    if not groups:
        return
    sign = 1.0 if side == "right" else -1.0
    width = max(footprints[_neighbour(line, focus)].width for group in groups for line in group.lines)
    edge = places[focus].width / 2
    reach = max(abs(group.y) for group in groups)
    stem = edge + up_to_grid(FAN + min(96.0, reach / 8))
    stem_end = stem + up_to_grid(max(shown_label(group.lines[0].label)[1] for group in groups) + 2 * STEM_PAD)
    near = stem_end + FAN
    room = places[focus].height - 16.0
    spread = len(groups) > 1 and room / (len(groups) - 1) >= PORT_SPACING
    spacing = min(16.0, room / (len(groups) - 1)) if spread else 0.0
    for at, group in enumerate(groups):
        port = Point(sign * edge, (at - (len(groups) - 1) / 2) * spacing)
        start, end = Point(sign * stem, group.y), Point(sign * stem_end, group.y)
        label, label_width = shown_label(group.lines[0].label)
        edges = tuple(index for line in group.lines for index in line.edges)
        if label:
            middle = Point((start.x + end.x) / 2, group.y)
            labels.append(EdgeLabel(label, label_box(middle, label_width), edges))
        if group.framed:
            block_width = group.columns * (width + CARD_GAP) - CARD_GAP + 2 * FRAME_PAD
            x = near if side == "right" else -near - block_width
            frame = Rect(x, group.y - group.height / 2, block_width, group.height)
            frames.append(Frame(frame, edges, group.lines[0].origin))
        top = group.y - group.height / 2 + (FRAME_PAD if group.framed else 0.0)
        first = near + (FRAME_PAD if group.framed else 0.0)
        for row, height in enumerate(_row_heights(group, focus, footprints)):
            row_lines = group.lines[row * group.columns : (row + 1) * group.columns]
            for column, line in enumerate(row_lines):
                vertex = _neighbour(line, focus)
                offset = first + column * (width + CARD_GAP)
                x = offset if side == "right" else -offset - width
                places[vertex] = Rect(x, top, width, footprints[vertex].height)
                goal = Point(sign * near, group.y if group.framed else places[vertex].centre.y)
                path = Path(port, (level_curve(port, start), end, level_curve(end, goal)))
                routes.append(Route(line, path if side == "right" else path.reversed()))
            top += height + CARD_GAP


def _extra_path(line: Bundle, focus: int, places: dict[int, Rect]) -> Path:
    """A line that placed nobody: a loop, a second one between two cards, or one between neighbours."""
    source, target = places[line.source], places[line.target]
    if line.source == line.target:
        return card_loop(source)
    left, right = sorted((source, target))
    if left.right < right.x:
        low = 12.0 if places[focus] in (left, right) else 0.0
        start = Point(left.right, left.centre.y + low)
        path = Path(start, (level_curve(start, Point(right.x, right.centre.y + low)),))
    else:
        outside = max(left.right, right.right) + BULGE
        start, end = Point(left.right, left.centre.y), Point(right.right, right.centre.y)
        path = Path(start, (Curve(Point(outside, start.y), Point(outside, end.y), end),))
    return path if source == left else path.reversed()
