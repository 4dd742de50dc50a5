"""The lines of a layered picture: where they meet the cards, the room between columns, their ways and their labels.

What comes in has its columns, orders and heights (`layered`). Links of one sort meet a card in one point, its port; if
they are several, they run straight together for a while, as a trunk that has their label. All lines between two columns
bend in the same stretch, so that two of them cross there once or never.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple

from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect, up_to_grid
from hpc_explorer.canvas.layout.layers import Edge, Layering
from hpc_explorer.canvas.layout.lines import LABEL_HEIGHT, Occupied, free_label, shown_label
from hpc_explorer.canvas.layout.result import EdgeLabel, Route
from hpc_explorer.canvas.layout.units import Link, Unit
from hpc_explorer.canvas.scene import Origin

CARD_GAP = 24.0
LINE_GAP = 16.0
LANE = 8.0
"""The distance between lines that share a path."""
COLUMN_GAP = 56.0
TRUNK_LEAD, TRUNK_TAIL = 14.0, 6.0
"""Before the label of a trunk, room for an arrowhead, and after it."""
PORT_SPACING = 16.0
SEARCHED_UP_TO = 300
"""The most links for which unshared labels get the best place on their lines; otherwise they are at the ends."""

Side = Literal["right", "left"]

# A large picture has a hundred thousand of these, and their own constructors take twice as long.
_point: Callable[[tuple[float, float]], Point] = partial(tuple.__new__, Point)
_curve: Callable[[tuple[Point, Point, Point]], Curve] = partial(tuple.__new__, Curve)


class Port(NamedTuple):
    """Where the links of one sort meet a unit: on which side, their label and origin, and whether they start there."""

    unit: int
    side: Side
    label: str
    origin: Origin
    starts: bool


class LayeredGraph:
    """The units and links of a part with their layering, and how much room each vertex needs.

    Attributes:
        chains: for every link the vertices it passes, from left to right.
        lane: for every link how far beside the middle of its way it runs.
        source_left: for every link whether its source is the left end of its chain.
        ports: in the order in which the links come to them.
        ends: for every link the positions in `ports` of its left and its right end.
        above, below: how far every vertex reaches from its middle.
    """

    def __init__(self, units: Sequence[Unit], links: Sequence[Link], layering: Layering) -> None:
        self.units = units
        self.links = links
        self.layering = layering
        self.chains: list[list[int]] = []
        self.source_left: list[bool] = []
        self.ends: list[tuple[int, int]] = []
        numbers: dict[tuple[int, Side, str, Origin, bool], int] = {}
        beside: dict[Edge, int] = {}
        nth: list[int] = []
        edges: list[Edge] = []
        for link in links:
            left, right, from_left, label, origin, _ = link
            edge = (left, right)
            if edge not in layering.chains:
                left, right, from_left = right, left, not from_left
                edge = (left, right)
            edges.append(edge)
            nth.append(beside.get(edge, 0))
            beside[edge] = nth[-1] + 1
            self.chains.append(layering.chains[edge])
            self.source_left.append(from_left)
            out = numbers.setdefault((left, "right", label, origin, from_left), len(numbers))
            into = numbers.setdefault((right, "left", label, origin, not from_left), len(numbers))
            self.ends.append((out, into))
        self.ports = [Port(*name) for name in numbers]
        self.lane = [(at - (beside[edge] - 1) / 2) * LANE for at, edge in zip(nth, edges, strict=True)]
        self.above = [unit.height / 2 + unit.above for unit in units]
        self.below = [unit.height / 2 + unit.foot for unit in units]
        lane_room = [0.0] * (len(layering.layer_of) - len(units))
        for edge, number in beside.items():
            if number > 1:
                for vertex in layering.chains[edge][1:-1]:
                    at = vertex - len(units)
                    lane_room[at] = max(lane_room[at], up_to_grid((number - 1) * LANE / 2))
        self.above += lane_room
        self.below += lane_room

    def gaps(self) -> list[list[float]]:
        """The least distances between the middles of neighbours, in every column from the top."""
        count, above, below = len(self.units), self.above, self.below
        return [
            [
                below[upper] + above[lower] + (CARD_GAP if upper < count and lower < count else LINE_GAP)
                for upper, lower in pairwise(layer)
            ]
            for layer in self.layering.layers
        ]


class Routed(NamedTuple):
    """The places of cards and lines.

    Args:
        rects: the card or frame of every unit.
        paths: the line of every link, from its source to its target.
        around: a rectangle around all lines.
        ports: the points where links meet the units.
        columns: the columns with the space between them.
    """

    rects: list[Rect]
    paths: list[Path]
    around: Rect
    ports: Ports
    columns: list[Column]


def routed(graph: LayeredGraph, y: Sequence[float]) -> Routed:
    """Cards and lines, given the height of every vertex."""
    ports = _ports(graph, y)
    columns = _columns(graph, y, ports)
    layer_of = graph.layering.layer_of
    rects = []
    for at, unit in enumerate(graph.units):
        # The cards of a column are as wide as its widest card, a frame as it needs.
        left, _, card_width, _, _ = columns[layer_of[at]]
        width = card_width if unit.block is None else unit.width
        rects.append(Rect(left, y[at] - unit.height / 2, width, unit.height))
    paths, around = _paths(graph, y, ports, columns, rects)
    return Routed(rects, paths, around, ports, columns)


# -- ports


@dataclass(frozen=True, slots=True)
class Ports:
    """Where links meet the units; lists follow `LayeredGraph.ports`.

    Args:
        y: the height of each port.
        trunk: how far the links of a port run straight together, so that they can share one label.
        hosts: for each link the port whose trunk has its label; None if it shares neither of its ports, and there are
            few enough links to look for a place on its line.
    """

    y: list[float]
    trunk: list[float]
    hosts: list[int | None]


def _ports(graph: LayeredGraph, y: Sequence[float]) -> Ports:
    """The ports of all units, on each side in the order of where their links go."""
    count = len(graph.ports)
    number, onward = [0] * count, [0.0] * count
    for chain, (left, right) in zip(graph.chains, graph.ends, strict=True):
        number[left] += 1
        onward[left] += y[chain[1]]
        number[right] += 1
        onward[right] += y[chain[-2]]
    hosts: list[int | None] = []
    many = len(graph.links) > SEARCHED_UP_TO
    for left, right in graph.ends:
        busier = left if number[left] >= number[right] else right
        hosts.append(busier if many or number[busier] > 1 else None)
    trunk = [0.0] * count
    for host in set(hosts):
        if host is not None and graph.ports[host].label:
            trunk[host] = TRUNK_LEAD + shown_label(graph.ports[host].label)[1] + TRUNK_TAIL
    sides: dict[tuple[int, Side], list[int]] = {}
    heights = []
    for at, port in enumerate(graph.ports):
        heights.append(y[port.unit])
        sides.setdefault((port.unit, port.side), []).append(at)
    for (unit, _), several in sides.items():
        if len(several) > 1:
            several.sort(key=lambda at: (onward[at] / number[at], graph.ports[at]))
            spacing = min(PORT_SPACING, (graph.units[unit].height - PORT_SPACING) / (len(several) - 1))
            for place, at in enumerate(several):
                heights[at] += (place - (len(several) - 1) / 2) * spacing
    return Ports(heights, trunk, hosts)


# -- columns


class Column(NamedTuple):
    """A column and the space right of it.

    Args:
        left, right: its edges.
        card_width: of its cards; a frame is as wide as it needs.
        bend, unbend: between these two places all lines of the room bend, so that two of them cross once or never.
    """

    left: float
    right: float
    card_width: float
    bend: float
    unbend: float


def _columns(graph: LayeredGraph, y: Sequence[float], ports: Ports) -> list[Column]:
    """The columns, with room between them for trunks and labels."""
    layers, layer_of, after = graph.layering.layers, graph.layering.layer_of, graph.layering.after
    left_trunk, right_trunk = [0.0] * len(layers), [0.0] * len(layers)
    for port, length in zip(graph.ports, ports.trunk, strict=True):
        if length:
            at = layer_of[port.unit]
            if port.side == "right":
                left_trunk[at] = max(left_trunk[at], length)
            else:
                right_trunk[at - 1] = max(right_trunk[at - 1], length)
    single_label = [0.0] * len(layers)
    for link, chain, host in zip(graph.links, graph.chains, ports.hosts, strict=True):
        if host is None:
            first = layer_of[chain[0]]
            single_label[first] = max(single_label[first], shown_label(link.label)[1])
    columns = []
    count = len(graph.units)
    x = 0.0
    for at, layer in enumerate(layers):
        units = [graph.units[vertex] for vertex in layer if vertex < count]
        edge = x + max([unit.width for unit in units], default=0.0)
        card_width = max([unit.width for unit in units if unit.block is None], default=0.0)
        steepest = max([abs(y[vertex] - y[end]) for vertex in layer for end in after[vertex]], default=0.0)
        curve = COLUMN_GAP + min(48.0, steepest / 12)
        room = up_to_grid(max(left_trunk[at] + right_trunk[at] + curve, single_label[at] + 2 * TRUNK_LEAD))
        columns.append(Column(x, edge, card_width, edge + left_trunk[at], edge + room - right_trunk[at]))
        x = edge + room
    return columns


# -- lines


def _paths(
    graph: LayeredGraph, y: Sequence[float], ports: Ports, columns: Sequence[Column], rects: Sequence[Rect]
) -> tuple[list[Path], Rect]:
    """The line of every link, horizontal across columns and curved between them, and a rectangle around all."""
    paths = []
    layer_of, port_y = graph.layering.layer_of, ports.y
    top, bottom = min(port_y, default=y[0]), max(port_y, default=y[0])
    for chain, lane, (left, right), source_left in zip(
        graph.chains, graph.lane, graph.ends, graph.source_left, strict=True
    ):
        arrival = rects[chain[-1]].x
        column = layer_of[chain[0]]
        x, height = rects[chain[0]].right, port_y[left]
        start = Point(x, height)
        segments: list[Point | Curve] = []
        for vertex in chain[1:-1]:
            following = y[vertex] + lane
            if following != height:
                x = _bend(segments, x, height, following, columns[column])
                height = following
                top, bottom = min(top, height), max(bottom, height)
            column += 1
        if port_y[right] != height:
            x = _bend(segments, x, height, port_y[right], columns[column])
            height = port_y[right]
        if arrival > x:
            segments.append(Point(arrival, height))
        path = Path(start, tuple(segments))
        paths.append(path if source_left else path.reversed())
    across = max(rect.right for rect in rects)
    return paths, Rect(0.0, top, across, bottom - top)


def _bend(segments: list[Point | Curve], x: float, height: float, following: float, room: Column) -> float:
    """Continues a line from one height to the next within the room right of a column; returns its end."""
    _, _, _, bend, unbend = room
    if bend > x:
        x = bend
        segments.append(_point((x, height)))
    middle = (x + unbend) / 2
    segments.append(_curve((_point((middle, height)), _point((middle, following)), _point((unbend, following)))))
    return unbend


# -- labels


def line_labels(graph: LayeredGraph, routed: Routed, loops: Sequence[Route]) -> list[EdgeLabel]:
    """A label at each shared trunk, and on each other line where it covers nothing."""
    rects, paths, _, ports, columns = routed
    shared: dict[int, list[Link]] = {}
    single: list[tuple[str, tuple[int, ...], Path]] = []
    for link, path, host in zip(graph.links, paths, ports.hosts, strict=True):
        if host is None:
            single.append((link.label, _edges([link]), path))
        elif link.label:
            shared.setdefault(host, []).append(link)
    labels = _trunk_labels(graph, ports, columns, shared)
    # Above `SEARCHED_UP_TO` links only loops are left, whose labels stand at their cards.
    lines = dict.fromkeys((*paths, *(loop.path for loop in loops))) if single else {}
    single += [(loop.bundle.label, loop.bundle.edges, loop.path) for loop in loops]
    if single:
        taken = Occupied()
        for rect, unit in zip(rects, graph.units, strict=True):
            taken.add(Rect(rect.x, rect.y, rect.width, rect.height + unit.foot))
        for label in labels:
            taken.add(label.box)
        for path in lines:
            taken.add_line(path)
        for name, edges, path in single:
            labels += free_label(name, edges, path, taken)
    return labels


def _trunk_labels(
    graph: LayeredGraph, ports: Ports, columns: Sequence[Column], shared: dict[int, list[Link]]
) -> list[EdgeLabel]:
    """The labels of trunks, each of which has room in width by the columns' distance, if it has it in height, too."""
    labels = []
    taken: dict[tuple[int, Side, int], float] = {}
    """The tops of labels, by column, side and top in label heights: two of one column and side stand on one edge."""
    for at, links in shared.items():
        unit, side, label, _, _ = graph.ports[at]
        column = graph.layering.layer_of[unit]
        top = ports.y[at] - LABEL_HEIGHT / 2
        row = int(top // LABEL_HEIGHT)
        if (
            (column, side, row) in taken
            or top - taken.get((column, side, row - 1), -math.inf) < LABEL_HEIGHT
            or taken.get((column, side, row + 1), math.inf) - top < LABEL_HEIGHT
        ):
            continue
        taken[column, side, row] = top
        text, width = shown_label(label)
        x = columns[column].right + TRUNK_LEAD if side == "right" else columns[column].left - TRUNK_LEAD - width
        labels.append(EdgeLabel(text, Rect(x, top, width, LABEL_HEIGHT), _edges(links)))
    return labels


def _edges(links: Sequence[Link]) -> tuple[int, ...]:
    return tuple([at for link in links for line in link.lines for at in line.edges])
