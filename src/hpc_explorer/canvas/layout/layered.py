"""The layered picture: columns from left to right along the edges, such as from raw data to a model.

Steps: `units` (cards and blocks), `layers` and `ranking` (columns, dummies), `order` (crossings), `layers.wrapped`
(columns that would be too tall), `place` (heights); here follow the ports where lines meet the cards, the columns'
places, the lines and their labels.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from hpc_explorer.canvas.card import Footprint, footprint
from hpc_explorer.canvas.geometry import GRID, Curve, Path, Point, Rect, level_curve, up_to_grid
from hpc_explorer.canvas.layout.layers import (
    Check,
    Edge,
    Layering,
    components,
    unchecked,
    with_dummies,
    without_cycles,
    wrapped,
)
from hpc_explorer.canvas.layout.lines import (
    ASPECT,
    LABEL_HEIGHT,
    Occupied,
    bundles,
    card_loop,
    free_label,
    in_rows,
    shown_label,
)
from hpc_explorer.canvas.layout.order import reduce_crossings
from hpc_explorer.canvas.layout.place import heights
from hpc_explorer.canvas.layout.ranking import assign_layers
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel, Frame, Layout, Route, finished, moved_label
from hpc_explorer.canvas.layout.units import Link, Unit, units_and_links
from hpc_explorer.canvas.scene import Origin, Scene

CARD_GAP = 24.0
LINE_GAP = 16.0
LANE = 8.0
"""Between lines that share their way."""
COLUMN_GAP = 56.0
TRUNK_LEAD, TRUNK_TAIL = 14.0, 6.0
"""Before the label of a trunk, room for an arrowhead, and after it."""
PORT_SPACING = 16.0
PART_GAP = 48.0
FEWEST_ROWS = 12


def arrange_layered(scene: Scene, check: Check = unchecked) -> Layout:
    """Places a scene in columns from left to right; the parts that are not connected stand below one another.

    Args:
        scene: any graph; cycles, loops and several edges between two nodes are fine.
        check: called now and then; abandons the work by raising.
    """
    lines = bundles(scene)
    footprints = [footprint(node) for node in scene.nodes]
    parts = components(len(scene.nodes), [(line.left, line.right) for line in lines])
    part_of = {vertex: at for at, part in enumerate(parts) for vertex in part}
    lines_of: dict[int, list[Bundle]] = defaultdict(list)
    for line in lines:
        lines_of[part_of[line.left]].append(line)
    focus = {at for at, node in enumerate(scene.nodes) if node.focus}
    places: dict[int, Rect] = {}
    routes: list[Route] = []
    labels: list[EdgeLabel] = []
    frames: list[Frame] = []
    top = 0.0
    for at, part in enumerate(parts):
        if not lines_of[at]:
            continue
        check()
        drawn = _arrange_part(part, lines_of[at], footprints, focus, check)
        shift = top - drawn.bounds.y
        places |= {vertex: rect.moved(0.0, shift) for vertex, rect in drawn.places.items()}
        paths = {id(route.path): route.path.moved(0.0, shift) for route in drawn.routes}
        routes += [Route(route.bundle, paths[id(route.path)]) for route in drawn.routes]
        labels += [moved_label(label, 0.0, shift) for label in drawn.labels]
        frames += [Frame(frame.rect.moved(0.0, shift), frame.edges, frame.origin) for frame in drawn.frames]
        top += drawn.bounds.height + PART_GAP
    singles = [part[0] for at, part in enumerate(parts) if not lines_of[at]]
    places |= dict(in_rows(singles, footprints, top, max((rect.right for rect in places.values()), default=0.0)))
    return finished(
        {node.key: places[at] for at, node in enumerate(scene.nodes)},
        {node.key: footprints[at].foot for at, node in enumerate(scene.nodes)},
        routes,
        labels,
        frames,
    )


@dataclass(frozen=True, slots=True)
class _Drawn:
    """One connected part as it is laid out, in coordinates of its own."""

    places: dict[int, Rect]
    routes: list[Route]
    labels: list[EdgeLabel]
    frames: list[Frame]
    bounds: Rect


def _arrange_part(
    part: Sequence[int], lines: Sequence[Bundle], footprints: Sequence[Footprint], focus: set[int], check: Check
) -> _Drawn:
    units, links = units_and_links(part, lines, footprints, focus)
    layering = _layering(units, links, check)
    graph = _Graph(units, links, layering, _lanes(links, layering))
    y = [math.floor(height / GRID) * GRID for height in heights(layering, graph.separation, check)]
    ports = _ports(graph, y)
    columns = _columns(graph, y, ports)
    rects = [_rect(graph, vertex, y, columns) for vertex in range(len(units))]
    paths = [_path(graph, link, y, ports, columns, rects) for link in links]
    places: dict[int, Rect] = {}
    frames: list[Frame] = []
    for at, (unit, rect) in enumerate(zip(units, rects, strict=True)):
        if unit.block is None:
            places[unit.vertices[0]] = rect
        else:
            # The frame's height was rounded up for the grid; the cards stay in its middle.
            places |= unit.block.cards(rect.x, rect.y + (unit.height - unit.block.height) / 2, footprints)
            edges, origin = _edges_of_block(at, links)
            frames.append(Frame(rect, edges, origin))
    routes = [Route(line, path) for link, path in zip(links, paths, strict=True) for line in link.lines]
    loops = [Route(line, card_loop(places[line.left])) for line in lines if line.left == line.right]
    check()
    labels = _labels(graph, ports, columns, rects, paths, loops)
    extents = [
        Rect(rect.x, rect.y - unit.above, rect.width, unit.above + rect.height + unit.foot)
        for unit, rect in zip(units, rects, strict=True)
    ]
    extents += [route.path.bounds() for route in routes] + [label.box for label in labels]
    top, bottom = min(box.y for box in extents), max(box.bottom for box in extents)
    return _Drawn(places, routes + loops, labels, frames, Rect(0.0, top, 0.0, bottom - top))


def _edges_of_block(unit: int, links: Sequence[Link]) -> tuple[tuple[int, ...], Origin]:
    link = next(link for link in links if unit in (link.left, link.right))
    return tuple(at for line in link.lines for at in line.edges), link.origin


# -- columns and heights


def _layering(units: Sequence[Unit], links: Sequence[Link], check: Check) -> Layering:
    count = len(units)
    edges = without_cycles(count, [(link.left, link.right) for link in links])
    layering = with_dummies(count, edges, assign_layers(count, edges, check))
    reduce_crossings(layering, check)
    pitch = sum(unit.height + unit.foot for unit in units) / count + CARD_GAP
    column = sum(unit.width for unit in units) / count + COLUMN_GAP
    tallest = max(FEWEST_ROWS, math.ceil(math.sqrt(count * column / (pitch * ASPECT))))
    return wrapped(layering, tallest)


def _edge(link: Link, layering: Layering) -> Edge:
    """The edge of the layering that a link runs along; its direction may have been turned."""
    edge = (link.left, link.right)
    return edge if edge in layering.chains else (edge[1], edge[0])


def _lanes(links: Sequence[Link], layering: Layering) -> dict[Edge, list[Link]]:
    """The links that run side by side, by the edge of the layering."""
    lanes: dict[Edge, list[Link]] = defaultdict(list)
    for link in links:
        lanes[_edge(link, layering)].append(link)
    return lanes


class _Graph:
    """The units and links of a part with their layering, and how much room each vertex needs."""

    def __init__(
        self, units: Sequence[Unit], links: Sequence[Link], layering: Layering, lanes: dict[Edge, list[Link]]
    ) -> None:
        self.units = units
        self.links = links
        self.layering = layering
        self.lanes = lanes
        self._lane_room: dict[int, float] = defaultdict(float)
        for edge, beside in lanes.items():
            for vertex in layering.chains[edge][1:-1]:
                self._lane_room[vertex] = max(self._lane_room[vertex], up_to_grid((len(beside) - 1) * LANE / 2))

    def chain(self, link: Link) -> list[int]:
        """The vertices a link passes, from left to right."""
        return self.layering.chains[_edge(link, self.layering)]

    def lane(self, link: Link) -> float:
        """How far beside the middle of its way a link runs."""
        beside = self.lanes[_edge(link, self.layering)]
        return (beside.index(link) - (len(beside) - 1) / 2) * LANE

    def source(self, link: Link) -> int:
        return link.left if link.from_left else link.right

    def column(self, vertex: int) -> int:
        return self.layering.layer_of[vertex]

    def separation(self, upper: int, lower: int) -> float:
        """The least distance between the middles of two vertices of a column."""
        cards = not self.layering.is_dummy(upper) and not self.layering.is_dummy(lower)
        return self._below(upper) + self._above(lower) + (CARD_GAP if cards else LINE_GAP)

    def _above(self, vertex: int) -> float:
        if self.layering.is_dummy(vertex):
            return self._lane_room[vertex]
        return self.units[vertex].height / 2 + self.units[vertex].above

    def _below(self, vertex: int) -> float:
        if self.layering.is_dummy(vertex):
            return self._lane_room[vertex]
        return self.units[vertex].height / 2 + self.units[vertex].foot


# -- ports


_PortName = tuple[int, Literal["left", "right"], str, Origin, bool]
"""The links that meet a unit in one point: unit, side, label, origin, and whether the unit is the source."""


@dataclass(frozen=True, slots=True)
class _Ports:
    """Where links meet the units.

    Args:
        y: the height of each port.
        trunk: how far the links of a port run straight together, so that they can share one label.
        hosts: for each link the port whose trunk has its label; None if it shares neither of its ports.
    """

    y: dict[_PortName, float]
    trunk: dict[_PortName, float]
    hosts: list[_PortName | None]


def _port_names(graph: _Graph, link: Link) -> tuple[_PortName, _PortName]:
    """The ports at the left and the right end of a link."""
    chain, source = graph.chain(link), graph.source(link)
    return (
        (chain[0], "right", link.label, link.origin, source == chain[0]),
        (chain[-1], "left", link.label, link.origin, source == chain[-1]),
    )


def _ports(graph: _Graph, y: Sequence[float]) -> _Ports:
    """The ports of all units, on each side in the order of where their links go."""
    onward: dict[_PortName, list[float]] = defaultdict(list)
    for link in graph.links:
        chain = graph.chain(link)
        left, right = _port_names(graph, link)
        onward[left].append(y[chain[1]])
        onward[right].append(y[chain[-2]])
    hosts: list[_PortName | None] = []
    for link in graph.links:
        left, right = _port_names(graph, link)
        busier = left if len(onward[left]) >= len(onward[right]) else right
        hosts.append(busier if len(onward[busier]) > 1 else None)
    trunk = dict.fromkeys(onward, 0.0)
    for host in hosts:
        if host is not None and host[2]:
            trunk[host] = TRUNK_LEAD + shown_label(host[2])[1] + TRUNK_TAIL
    sides: dict[tuple[int, str], list[_PortName]] = defaultdict(list)
    for name in onward:
        sides[name[:2]].append(name)
    heights_of: dict[_PortName, float] = {}
    for (unit, _), names in sides.items():
        names.sort(key=lambda name: (sum(onward[name]) / len(onward[name]), name))
        room = graph.units[unit].height - PORT_SPACING
        spacing = min(PORT_SPACING, room / max(1, len(names) - 1))
        for at, name in enumerate(names):
            heights_of[name] = y[unit] + (at - (len(names) - 1) / 2) * spacing
    return _Ports(heights_of, trunk, hosts)


# -- columns


def _columns(graph: _Graph, y: Sequence[float], ports: _Ports) -> list[tuple[float, float]]:
    """The left and right edge of each column, with room between them for trunks and labels."""
    layers = graph.layering.layers
    left_trunk, right_trunk = [0.0] * len(layers), [0.0] * len(layers)
    single_label, steepest = [0.0] * len(layers), [0.0] * len(layers)
    for link, host in zip(graph.links, ports.hosts, strict=True):
        chain = graph.chain(link)
        first, last = graph.column(chain[0]), graph.column(chain[-1]) - 1
        left, right = _port_names(graph, link)
        left_trunk[first] = max(left_trunk[first], ports.trunk[left])
        right_trunk[last] = max(right_trunk[last], ports.trunk[right])
        if host is None:
            single_label[first] = max(single_label[first], shown_label(link.label)[1])
        for at, (here, there) in enumerate(pairwise(chain), first):
            steepest[at] = max(steepest[at], abs(y[here] - y[there]))
    columns = []
    x = 0.0
    for at, layer in enumerate(layers):
        width = max((graph.units[v].width for v in layer if not graph.layering.is_dummy(v)), default=0.0)
        columns.append((x, x + width))
        curve = COLUMN_GAP + min(48.0, steepest[at] / 12)
        x += width + up_to_grid(max(left_trunk[at] + right_trunk[at] + curve, single_label[at] + 2 * TRUNK_LEAD))
    return columns


def _rect(graph: _Graph, vertex: int, y: Sequence[float], columns: Sequence[tuple[float, float]]) -> Rect:
    """The card or frame of a unit. The cards of a column are as wide as its widest card, a frame as it needs."""
    unit, column = graph.units[vertex], graph.column(vertex)
    width = unit.width
    if unit.block is None:
        others = (graph.units[v] for v in graph.layering.layers[column] if not graph.layering.is_dummy(v))
        width = max(other.width for other in others if other.block is None)
    return Rect(columns[column][0], y[vertex] - unit.height / 2, width, unit.height)


# -- lines


def _path(
    graph: _Graph,
    link: Link,
    y: Sequence[float],
    ports: _Ports,
    columns: Sequence[tuple[float, float]],
    rects: Sequence[Rect],
) -> Path:
    """The line of a link, level where it passes a column, curved between columns; from its source to its target."""
    chain = graph.chain(link)
    left, right = _port_names(graph, link)
    lane = graph.lane(link)
    start = Point(rects[chain[0]].right, ports.y[left])
    here = Point(columns[graph.column(chain[0])][1] + ports.trunk[left], start.y)
    segments: list[Point | Curve] = [here] if here.x > start.x else []
    for vertex in chain[1:-1]:
        x, end = columns[graph.column(vertex)]
        arrive = Point(x, y[vertex] + lane)
        segments.append(level_curve(here, arrive))
        here = Point(end, arrive.y)
        if end > x:
            segments.append(here)
    goal = Point(rects[chain[-1]].x, ports.y[right])
    segments.append(level_curve(here, Point(goal.x - ports.trunk[right], goal.y)))
    if ports.trunk[right]:
        segments.append(goal)
    path = Path(start, tuple(segments))
    return path if graph.source(link) == chain[0] else path.reversed()


# -- labels


def _labels(
    graph: _Graph,
    ports: _Ports,
    columns: Sequence[tuple[float, float]],
    rects: Sequence[Rect],
    paths: Sequence[Path],
    loops: Sequence[Route],
) -> list[EdgeLabel]:
    """A label at each shared trunk, one on each other line where it hides nothing."""
    taken = Occupied()
    for rect, unit in zip(rects, graph.units, strict=True):
        taken.add(Rect(rect.x, rect.y, rect.width, rect.height + unit.foot))
    shared: dict[_PortName, list[Link]] = defaultdict(list)
    single: list[tuple[str, tuple[int, ...], Path]] = []
    for link, path, host in zip(graph.links, paths, ports.hosts, strict=True):
        if host is None:
            single.append((link.label, _edges([link]), path))
        elif link.label:
            shared[host].append(link)
    labels: list[EdgeLabel] = []
    for name, links in shared.items():
        at, side, label, *_ = name
        text, width = shown_label(label)
        column = columns[graph.column(at)]
        x = column[1] + TRUNK_LEAD if side == "right" else column[0] - TRUNK_LEAD - width
        box = Rect(x, ports.y[name] - LABEL_HEIGHT / 2, width, LABEL_HEIGHT)
        if taken.free(box):
            taken.add(box)
            labels.append(EdgeLabel(text, box, _edges(links)))
    single += [(loop.bundle.label, loop.bundle.edges, loop.path) for loop in loops]
    if single:
        for path in dict.fromkeys((*paths, *(loop.path for loop in loops))):
            taken.add_line(path)
    for label, edges, path in single:
        labels += free_label(label, edges, path, taken)
    return labels


def _edges(links: Sequence[Link]) -> tuple[int, ...]:
    return tuple(at for link in links for line in link.lines for at in line.edges)
