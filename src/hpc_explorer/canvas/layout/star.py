"""The picture of a neighbourhood: the focus in the middle, what it points to on the right, what points to it on the
left.

Neighbours are grouped by the predicates that link them. A group is a column of cards that a line with one label leads
to and fans out from; a large group is a block of several columns in a frame, which the line ends at.

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
from hpc_explorer.canvas.layout.layers import Check, no_check
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
"""The most cards of a group in a single column, each with its own line."""
GROUP_GAP = 24.0
FAN = 24.0
"""Room for the lines to fan out, before and after the label."""
STEM_PAD = 8.0
PORT_SPACING = 8.0
STRAND_SPACING = 16.0
"""The distance between several lines of a neighbour."""
BLOCK_GAP = 48.0


@dataclass(frozen=True, slots=True)
class _Group:
    """The neighbours with the same predicates.

    Args:
        side: their side.
        neighbours: with the lines of each; the n-th lines of all are of the same sort, and are drawn as one strand.
    """

    side: Side
    neighbours: dict[int, list[Bundle]]


def arrange_star(scene: Scene, check: Check = no_check) -> Layout:
    """Places the neighbours of the scene's focus (its first node if none is marked) around it.

    Nodes without an edge to the focus are below; edges between neighbours are drawn around the cards.

    Args:
        scene: a focus and its neighbours.
        check: called regularly; raises to cancel.
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
    extra = [Route(line, _extra_path(line, places)) for line in others]
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
    """The groups in the order of their first lines, and the other lines: between neighbours, loops."""
    of_neighbour: dict[int, list[Bundle]] = {}
    others: list[Bundle] = []
    for line in lines:
        if line.source == line.target or focus not in (line.source, line.target):
            others.append(line)
        else:
            of_neighbour.setdefault(line.target if line.source == focus else line.source, []).append(line)
    groups: dict[tuple[object, ...], _Group] = {}
    for neighbour, own in of_neighbour.items():
        side: Side = "right" if own[0].source == focus else "left"
        own.sort(key=lambda line: (line.source == focus, line.label, line.origin))
        sort = (side, *((line.source == focus, line.label, line.origin) for line in own))
        groups.setdefault(sort, _Group(side, {})).neighbours[neighbour] = own
    return list(groups.values()), others


def _blocks(groups: list[_Group], footprints: list[Footprint]) -> list[Block]:
    """The block of each group's cards; all cards of a side have the same width."""
    width = max(footprints[vertex].width for group in groups for vertex in group.neighbours)
    return [
        (column_of if len(group.neighbours) <= ONE_COLUMN else frame_of)(list(group.neighbours), footprints, width)
        for group in groups
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
    blocks = _blocks(groups, footprints)
    total = sum(block.height for block in blocks) + GROUP_GAP * (len(blocks) - 1)
    edge = places[focus].width / 2
    stem = edge + up_to_grid(FAN + min(96.0, total / 16))
    widest = max(shown_label(line.label)[1] for group in groups for own in group.neighbours.values() for line in own)
    stem_end = stem + up_to_grid(widest + 2 * STEM_PAD)
    near = stem_end + FAN
    strands = [len(next(iter(group.neighbours.values()))) for group in groups]
    ports = iter(_ports(sum(strands), places[focus].height))
    top = -total / 2
    for group, block, count in zip(groups, blocks, strands, strict=True):
        left = near if side == "right" else -near - block.width
        cards = block.cards(left, top, footprints)
        places |= cards
        middle = top + block.height / 2
        top += block.height + GROUP_GAP
        everything = tuple(at for own in group.neighbours.values() for line in own for at in line.edges)
        if block.framed:
            origin = next(iter(group.neighbours.values()))[0].origin
            frames.append(Frame(Rect(left, middle - block.height / 2, block.width, block.height), everything, origin))
        for strand in range(count):
            aside = (strand - (count - 1) / 2) * STRAND_SPACING
            port, start = Point(sign * edge, next(ports)), Point(sign * stem, middle + aside)
            end = Point(sign * stem_end, start.y)
            lines = {vertex: own[strand] for vertex, own in group.neighbours.items()}
            label, label_width = shown_label(next(iter(lines.values())).label)
            if label:
                box = label_box(Point((start.x + end.x) / 2, start.y), label_width)
                labels.append(EdgeLabel(label, box, tuple(at for line in lines.values() for at in line.edges)))
            paths: dict[float, Path] = {}
            for vertex, line in lines.items():
                y = start.y if block.framed else cards[vertex].centre.y + _inside(aside, cards[vertex])
                if y not in paths:
                    goal = Point(sign * near, y)
                    path = Path(port, (level_curve(port, start), end, level_curve(end, goal)))
                    paths[y] = path if line.source == focus else path.reversed()
                routes.append(Route(line, paths[y]))


def _inside(aside: float, card: Rect) -> float:
    """The distance of a strand from the middle of a card's side."""
    most = card.height / 2 - PORT_SPACING
    return min(max(aside, -most), most)


def _ports(count: int, height: float) -> list[float]:
    """Where the lines of the strands meet the side of the focus: spread if there is room, else all in its middle."""
    spacing = min(16.0, (height - 16.0) / max(1, count - 1))
    if spacing < PORT_SPACING:
        spacing = 0.0
    return [(at - (count - 1) / 2) * spacing for at in range(count)]


def _extra_path(line: Bundle, places: dict[int, Rect]) -> Path:
    """A line that did not place a card: a loop, or one between neighbours."""
    if line.source == line.target:
        return card_loop(places[line.source])
    return card_to_card(places[line.source], places[line.target])
