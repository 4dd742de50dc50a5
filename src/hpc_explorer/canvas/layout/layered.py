"""The layered picture: columns from left to right along the edges, such as from raw data to a model.

Steps: `units` (cards and blocks), `layers` and `ranking` (columns, dummies), `order` (crossings), `layers.wrapped`
(columns that would be too tall), `place` (heights); here follow the ports where lines meet the cards, the columns'
places, the lines and their labels.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
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
from hpc_explorer.canvas.layout.order_arrays import reduce_crossings_in_arrays
from hpc_explorer.canvas.layout.place import heights, low_heights
from hpc_explorer.canvas.layout.ranking import assign_layers
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel, Frame, Layout, Route, Show, finished, moved_label
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
WRAPPED_FROM, WRAPPED_FROM_IF_MANY = 1.5, 3.0
"""How much fuller than it should be a column is before columns are wrapped: that costs crossings, many in a scene of
more than `MANY` cards."""
MANY = 300
STRETCHED = 2.0
"""How much taller than its fullest column a picture may be that is also taller than wide."""
SHARED_FROM = 4
"""Long lines of one sort at one card from which they share their way."""
SHOWN_FROM = 1_000
"""Lines of a scene from which a first layout is shown while a better one is made."""
SEARCHED_UP_TO = 300
"""Links up to which each label that is not shared gets the best place on its line; else it stands at the line's end."""
PLAIN_UP_TO = 60
"""Units and links, together, up to which everything is done without arrays, whose library takes a while to load."""


def arrange_layered(scene: Scene, check: Check = unchecked, show: Show | None = None) -> Layout:
    """Places a scene in columns from left to right; the parts that are not connected stand below one another.

    Args:
        scene: any graph; cycles, loops and several edges between two nodes are fine.
        check: called now and then; abandons the work by raising.
        show: gets a layout with more crossings, if the scene is large and in one part.
    """
    lines = bundles(scene)
    footprints = [footprint(node) for node in scene.nodes]
    parts = components(len(scene.nodes), [(line.left, line.right) for line in lines])
    part_of = {vertex: at for at, part in enumerate(parts) for vertex in part}
    lines_of: dict[int, list[Bundle]] = defaultdict(list)
    for line in lines:
        lines_of[part_of[line.left]].append(line)
    focus = {at for at, node in enumerate(scene.nodes) if node.focus}

    def shown(drawn: _Drawn) -> None:
        if show is not None:
            show(_put_together(scene, parts, {0: drawn}, footprints))

    in_one = len(parts) == 1 and len(lines) > SHOWN_FROM and show is not None
    drawn: dict[int, _Drawn] = {}
    for at, part in enumerate(parts):
        if lines_of[at]:
            check()
            drawn[at] = _arrange_part(part, lines_of[at], footprints, focus, check, shown if in_one else None)
    return _put_together(scene, parts, drawn, footprints)


def _put_together(
    scene: Scene, parts: Sequence[Sequence[int]], drawn: Mapping[int, _Drawn], footprints: Sequence[Footprint]
) -> Layout:
    """The parts below one another, then the cards without lines."""
    places: dict[int, Rect] = {}
    routes: list[Route] = []
    labels: list[EdgeLabel] = []
    frames: list[Frame] = []
    top = 0.0
    for part in drawn.values():
        moved = part if top == 0.0 else part.moved_down(top)
        places |= moved.places
        routes += moved.routes
        labels += moved.labels
        frames += moved.frames
        top += part.height + PART_GAP
    singles = [part[0] for at, part in enumerate(parts) if at not in drawn]
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
    """One connected part as it is laid out, from height 0 down."""

    places: dict[int, Rect]
    routes: list[Route]
    labels: list[EdgeLabel]
    frames: list[Frame]
    height: float

    def moved_down(self, by: float) -> _Drawn:
        """The same further down; lines to one frame keep sharing their path."""
        paths = {id(route.path): route.path for route in self.routes}
        paths = {name: path.moved(0.0, by) for name, path in paths.items()}
        return _Drawn(
            {vertex: rect.moved(0.0, by) for vertex, rect in self.places.items()},
            [Route(route.bundle, paths[id(route.path)]) for route in self.routes],
            [moved_label(label, 0.0, by) for label in self.labels],
            [Frame(frame.rect.moved(0.0, by), frame.edges, frame.origin) for frame in self.frames],
            self.height,
        )


def _arrange_part(
    part: Sequence[int],
    lines: Sequence[Bundle],
    footprints: Sequence[Footprint],
    focus: set[int],
    check: Check,
    shown: Callable[[_Drawn], None] | None,
) -> _Drawn:
    units, links = units_and_links(part, lines, footprints, focus)

    def drawn(layering: Layering) -> _Drawn:
        return _drawn(units, links, layering, lines, footprints, check)

    return drawn(_layering(units, links, check, None if shown is None else lambda so_far: shown(drawn(so_far))))


def _drawn(
    units: Sequence[Unit],
    links: Sequence[Link],
    layering: Layering,
    lines: Sequence[Bundle],
    footprints: Sequence[Footprint],
    check: Check,
) -> _Drawn:
    graph = _Graph(units, links, layering)
    y = [math.floor(height / GRID) * GRID for height in _heights(graph, check)]
    top = min(height - graph.above[vertex] for vertex, height in enumerate(y))
    y = [height - top for height in y]
    bottom = max(height + graph.below[vertex] for vertex, height in enumerate(y))
    ports = _ports(graph, y)
    columns = _columns(graph, y, ports)
    rects = [_rect(graph, vertex, y, columns) for vertex in range(len(units))]
    paths = [_path(graph, link, y, ports, columns, rects) for link in range(len(links))]
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
    return _Drawn(places, routes + loops, labels, frames, bottom)


def _edges_of_block(unit: int, links: Sequence[Link]) -> tuple[tuple[int, ...], Origin]:
    link = next(link for link in links if unit in (link.left, link.right))
    return tuple(at for line in link.lines for at in line.edges), link.origin


# -- columns and heights


def _layering(
    units: Sequence[Unit], links: Sequence[Link], check: Check, shown: Callable[[Layering], None] | None
) -> Layering:
    """The units in columns and in order.

    Args:
        shown: gets a first order.
    """
    count = len(units)
    edges = without_cycles(count, [(link.left, link.right) for link in links])
    layer_of = assign_layers(count, edges, check)
    long = [(left, right) for left, right in edges if layer_of[right] - layer_of[left] > 1]
    layering = with_dummies(count, edges, layer_of, _shared_ways(long, links))
    if count + len(links) <= PLAIN_UP_TO:
        reduce_crossings(layering, check)
    else:
        reduce_crossings_in_arrays(
            layering, check, None if shown is None else lambda: shown(_in_low_columns(units, layering))
        )
    return _in_low_columns(units, layering)


def _in_low_columns(units: Sequence[Unit], layering: Layering) -> Layering:
    """The layering with columns wrapped that are much too tall for the picture."""
    count = len(units)
    pitch = sum(unit.height + unit.foot for unit in units) / count + CARD_GAP
    column = sum(unit.width for unit in units) / count + COLUMN_GAP
    tallest = max(FEWEST_ROWS, math.ceil(math.sqrt(count * column / (pitch * ASPECT))))
    fullest = max(sum(not layering.is_dummy(vertex) for vertex in layer) for layer in layering.layers)
    bearable = tallest * (WRAPPED_FROM if count <= MANY else WRAPPED_FROM_IF_MANY)
    return layering if fullest <= bearable else wrapped(layering, tallest)


def _shared_ways(edges: Sequence[Edge], links: Sequence[Link]) -> dict[Edge, object]:
    """The long edges that run together as far as they can: many that leave a unit, or come to it, under one label.

    Of the two ends of an edge the one with more such edges decides.
    """
    beside: dict[Edge, list[Link]] = {edge: [] for edge in edges}
    for link in links:
        for edge in ((link.left, link.right), (link.right, link.left)):
            if edge in beside:
                beside[edge].append(link)
    names: dict[Edge, tuple[object, object]] = {}
    number: dict[object, int] = defaultdict(int)
    for edge, several in beside.items():
        if len(several) > 1:
            continue
        link = several[0]
        straight = link.from_left == (edge == (link.left, link.right))
        names[edge] = (
            (edge[0], "right", link.label, link.origin, straight),
            (edge[1], "left", link.label, link.origin, straight),
        )
        for name in names[edge]:
            number[name] += 1
    ways = {edge: max(ends, key=lambda name: number[name]) for edge, ends in names.items()}
    return {edge: way for edge, way in ways.items() if number[way] >= SHARED_FROM}


class _Graph:
    """The units and links of a part with their layering, and how much room each vertex needs.

    Attributes:
        chains: for every link the vertices it passes, from left to right.
        lane: for every link how far beside the middle of its way it runs.
        source_left: for every link whether its source is the left end of its chain.
        ports: for every link the ports at the left and the right end of it.
        above, below: how far every vertex reaches from its middle.
    """

    def __init__(self, units: Sequence[Unit], links: Sequence[Link], layering: Layering) -> None:
        self.units = units
        self.links = links
        self.layering = layering
        edges = [
            (link.left, link.right) if (link.left, link.right) in layering.chains else (link.right, link.left)
            for link in links
        ]
        beside: dict[Edge, int] = defaultdict(int)
        for edge in edges:
            beside[edge] += 1
        passed: dict[Edge, int] = defaultdict(int)
        self.chains = [layering.chains[edge] for edge in edges]
        self.lane: list[float] = []
        self.source_left: list[bool] = []
        self.ports: list[tuple[_PortName, _PortName]] = []
        for link, edge in zip(links, edges, strict=True):
            self.lane.append((passed[edge] - (beside[edge] - 1) / 2) * LANE)
            passed[edge] += 1
            from_left = link.from_left == (edge[0] == link.left)
            self.source_left.append(from_left)
            self.ports.append(
                (
                    (edge[0], "right", link.label, link.origin, from_left),
                    (edge[1], "left", link.label, link.origin, not from_left),
                )
            )
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

    def column(self, vertex: int) -> int:
        return self.layering.layer_of[vertex]

    def separation(self, upper: int, lower: int) -> float:
        """The least distance between the middles of two vertices of a column."""
        count = len(self.units)
        return self.below[upper] + self.above[lower] + (CARD_GAP if upper < count and lower < count else LINE_GAP)


def _heights(graph: _Graph, check: Check) -> list[float]:
    """Heights of all vertices: with straight lines, unless they make the picture much taller than its columns are."""
    layering = graph.layering
    straight = heights(layering, graph.separation, check)
    width = len(layering.layers) * (sum(unit.width for unit in graph.units) / len(graph.units) + COLUMN_GAP)
    fullest = max(sum(graph.above[vertex] + graph.below[vertex] + LINE_GAP for vertex in at) for at in layering.layers)
    if max(straight) - min(straight) <= max(STRETCHED * fullest, width):
        return straight
    return low_heights(layering, graph.separation, check)


# -- ports


_PortName = tuple[int, Literal["left", "right"], str, Origin, bool]
"""The links that meet a unit in one point: unit, side, label, origin, and whether the unit is the source."""


@dataclass(frozen=True, slots=True)
class _Ports:
    """Where links meet the units.

    Args:
        y: the height of each port.
        trunk: how far the links of a port run straight together, so that they can share one label.
        hosts: for each link the port whose trunk has its label; None if it shares neither of its ports, and there are
            few enough links to look for a place on its line.
    """

    y: dict[_PortName, float]
    trunk: dict[_PortName, float]
    hosts: list[_PortName | None]


def _ports(graph: _Graph, y: Sequence[float]) -> _Ports:
    """The ports of all units, on each side in the order of where their links go."""
    onward: dict[_PortName, list[float]] = defaultdict(list)
    for chain, (left, right) in zip(graph.chains, graph.ports, strict=True):
        onward[left].append(y[chain[1]])
        onward[right].append(y[chain[-2]])
    hosts: list[_PortName | None] = []
    many = len(graph.links) > SEARCHED_UP_TO
    for left, right in graph.ports:
        busier = left if len(onward[left]) >= len(onward[right]) else right
        hosts.append(busier if len(onward[busier]) > 1 or many else None)
    trunk = dict.fromkeys(onward, 0.0)
    for host in set(hosts):
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


@dataclass(frozen=True, slots=True)
class _Column:
    """A column, and the room right of it.

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


def _columns(graph: _Graph, y: Sequence[float], ports: _Ports) -> list[_Column]:
    """The columns, with room between them for trunks and labels."""
    layers = graph.layering.layers
    left_trunk, right_trunk = [0.0] * len(layers), [0.0] * len(layers)
    single_label, steepest = [0.0] * len(layers), [0.0] * len(layers)
    for at_link, (chain, (left, right)) in enumerate(zip(graph.chains, graph.ports, strict=True)):
        first, last = graph.column(chain[0]), graph.column(chain[-1]) - 1
        left_trunk[first] = max(left_trunk[first], ports.trunk[left])
        right_trunk[last] = max(right_trunk[last], ports.trunk[right])
        if ports.hosts[at_link] is None:
            single_label[first] = max(single_label[first], shown_label(graph.links[at_link].label)[1])
        for at, (here, there) in enumerate(pairwise(chain), first):
            steepest[at] = max(steepest[at], abs(y[here] - y[there]))
    columns = []
    x = 0.0
    for at, layer in enumerate(layers):
        units = [graph.units[vertex] for vertex in layer if not graph.layering.is_dummy(vertex)]
        edge = x + max((unit.width for unit in units), default=0.0)
        card_width = max((unit.width for unit in units if unit.block is None), default=0.0)
        curve = COLUMN_GAP + min(48.0, steepest[at] / 12)
        room = up_to_grid(max(left_trunk[at] + right_trunk[at] + curve, single_label[at] + 2 * TRUNK_LEAD))
        columns.append(_Column(x, edge, card_width, edge + left_trunk[at], edge + room - right_trunk[at]))
        x = edge + room
    return columns


def _rect(graph: _Graph, vertex: int, y: Sequence[float], columns: Sequence[_Column]) -> Rect:
    """The card or frame of a unit. The cards of a column are as wide as its widest card, a frame as it needs."""
    unit, column = graph.units[vertex], columns[graph.column(vertex)]
    width = column.card_width if unit.block is None else unit.width
    return Rect(column.left, y[vertex] - unit.height / 2, width, unit.height)


# -- lines


def _path(
    graph: _Graph, link: int, y: Sequence[float], ports: _Ports, columns: Sequence[_Column], rects: Sequence[Rect]
) -> Path:
    """The line of a link, level where it passes a column, curved between columns; from its source to its target."""
    chain, lane = graph.chains[link], graph.lane[link]
    left, right = graph.ports[link]
    first = graph.column(chain[0])
    here = start = Point(rects[chain[0]].right, ports.y[left])
    segments: list[Point | Curve] = []
    for column, vertex in enumerate(chain[1:], first):
        height = ports.y[right] if vertex == chain[-1] else y[vertex] + lane
        if height != here.y:
            room = columns[column]
            if room.bend > here.x:
                here = Point(room.bend, here.y)
                segments.append(here)
            there = Point(room.unbend, height)
            segments.append(level_curve(here, there))
            here = there
    if rects[chain[-1]].x > here.x:
        segments.append(Point(rects[chain[-1]].x, here.y))
    path = Path(start, tuple(segments))
    return path if graph.source_left[link] else path.reversed()


# -- labels


def _labels(
    graph: _Graph,
    ports: _Ports,
    columns: Sequence[_Column],
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
        x = column.right + TRUNK_LEAD if side == "right" else column.left - TRUNK_LEAD - width
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
