"""The picture of a neighbourhood: the focus in the middle, what it points to on the right, what points at it left.

Neighbours are grouped by predicate. A group is a column of cards that one line with one label leads to and fans out
from; a large group is a block of several columns in a frame, which the line ends at.

                         ┌── card
    card ── label ── FOCUS ── label ──┤
                         └── card
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hpc_explorer.canvas.card import Footprint, footprint
from hpc_explorer.canvas.geometry import Path, Point, Rect, level_curve, up_to_grid
from hpc_explorer.canvas.layout.block import Block, column_of, frame_of
from hpc_explorer.canvas.layout.layers import Check, unchecked
from hpc_explorer.canvas.layout.lines import (
    Occupied,
    bundles,
    card_loop,
    card_to_card,
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
GROUP_GAP = 24.0
FAN = 48.0
"""Room for the lines to fan out, before and after the label."""
STEM_PAD = 8.0
PORT_SPACING = 8.0
BLOCK_GAP = 48.0


@dataclass
class _Group:
    """The neighbours on one side that the same predicate leads to.

    Args:
        side: where they stand.
        lines: one for each neighbour, in the scene's order.
    """

    side: Side
    lines: list[Bundle]


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
    extra = [Route(line, _extra_path(line, focus, places)) for line in others]
    for route in (*routes, *extra):
        taken.add_line(route.path)
    for route in extra:
        labels += free_label(route.bundle.label, route.bundle.edges, route.path, taken)
    return finished(
        {node.key: places[at] for at, node in enumerate(scene.nodes)},
        {node.key: footprints[at].foot for at, node in enumerate(scene.nodes)},
        routes + extra,
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


def _blocks(groups: list[_Group], focus: int, footprints: list[Footprint]) -> list[Block]:
    """The block of each group's cards; all cards of a side have the same width."""
    neighbours = [[_neighbour(line, focus) for line in group.lines] for group in groups]
    width = max(footprints[vertex].width for vertices in neighbours for vertex in vertices)
    return [
        (column_of if len(vertices) <= ONE_COLUMN else frame_of)(vertices, footprints, width) for vertices in neighbours
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
    """Places one side's cards in a stack of blocks, its middle level with the focus, and draws the lines to them.

    Lengths are counted outwards from the focus, `sign` turns them into coordinates.
    """
    groups = [group for group in all_groups if group.side == side]
    if not groups:
        return
    sign = 1.0 if side == "right" else -1.0
    blocks = _blocks(groups, focus, footprints)
    total = sum(block.height for block in blocks) + GROUP_GAP * (len(blocks) - 1)
    edge = places[focus].width / 2
    stem = edge + up_to_grid(FAN + min(96.0, total / 16))
    stem_end = stem + up_to_grid(max(shown_label(group.lines[0].label)[1] for group in groups) + 2 * STEM_PAD)
    near = stem_end + FAN
    port_ys = _ports(len(groups), places[focus].height)
    top = -total / 2
    for group, block, port_y in zip(groups, blocks, port_ys, strict=True):
        middle = top + block.height / 2
        port, start, end = Point(sign * edge, port_y), Point(sign * stem, middle), Point(sign * stem_end, middle)
        edges = tuple(index for line in group.lines for index in line.edges)
        label, label_width = shown_label(group.lines[0].label)
        if label:
            box = label_box(Point((start.x + end.x) / 2, middle), label_width)
            labels.append(EdgeLabel(label, box, edges))
        left = near if side == "right" else -near - block.width
        cards = block.cards(left, top, footprints)
        places |= cards
        if block.framed:
            frames.append(Frame(Rect(left, top, block.width, block.height), edges, group.lines[0].origin))
        heights = {middle} if block.framed else {card.centre.y for card in cards.values()}
        paths = {}
        for y in heights:
            goal = Point(sign * near, y)
            path = Path(port, (level_curve(port, start), end, level_curve(end, goal)))
            paths[y] = path if side == "right" else path.reversed()
        for line in group.lines:
            y = middle if block.framed else cards[_neighbour(line, focus)].centre.y
            routes.append(Route(line, paths[y]))
        top += block.height + GROUP_GAP


def _ports(count: int, height: float) -> list[float]:
    """Where the lines of the groups meet the side of the focus: spread if there is room, else all in its middle."""
    spacing = min(16.0, (height - 16.0) / max(1, count - 1))
    if spacing < PORT_SPACING:
        spacing = 0.0
    return [(at - (count - 1) / 2) * spacing for at in range(count)]


def _extra_path(line: Bundle, focus: int, places: dict[int, Rect]) -> Path:
    """A line that placed nobody: a loop, a second one between two cards, or one between neighbours."""
    if line.source == line.target:
        return card_loop(places[line.source])
    # A second line of the focus runs a little lower than the first, which it would hide else.
    lower = PORT_SPACING if focus in (line.source, line.target) else 0.0
    return card_to_card(places[line.source].moved(0.0, lower), places[line.target].moved(0.0, lower))
