"""The layered picture: columns from left to right along the edges, such as from raw data to a model.

Steps: `layers` (cycles, columns, dummies), `order` (crossings), `layers.wrapped` (columns that would be too tall),
`place` (heights); here follow the columns' places, the ports where edges meet the cards, the lines, their labels.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

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
    LOOP_HEIGHT,
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
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel, Layout, Route, finished
from hpc_explorer.canvas.scene import Scene

CARD_GAP = 24.0
LINE_GAP = 16.0
LANE = 8.0
"""Between lines that share their way."""
COLUMN_GAP = 56.0
TRUNK_PAD = 8.0
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
    edges = [(line.left, line.right) for line in lines]
    parts = components(len(scene.nodes), edges)
    places: dict[int, Rect] = {}
    routes: list[Route] = []
    labels: list[EdgeLabel] = []
    top = 0.0
    lines_of = defaultdict(list)
    part_of = {vertex: at for at, part in enumerate(parts) for vertex in part}
    for line in lines:
        lines_of[part_of[line.left]].append(line)
    for at, part in enumerate(parts):
        if len(part) == 1 and not lines_of[at]:
            continue
        drawn = _Part(part, lines_of[at], footprints, check)
        shift = top - drawn.top
        places |= {vertex: rect.moved(0.0, shift) for vertex, rect in drawn.places.items()}
        routes += [Route(route.bundle, route.path.moved(0.0, shift)) for route in drawn.routes]
        labels += [EdgeLabel(label.text, label.box.moved(0.0, shift), label.edges) for label in drawn.labels]
        top += drawn.height + PART_GAP
    singles = [part[0] for at, part in enumerate(parts) if len(part) == 1 and not lines_of[at]]
    places |= dict(in_rows(singles, footprints, top, max((rect.right for rect in places.values()), default=0.0)))
    return finished(
        {node.key: places[at] for at, node in enumerate(scene.nodes)},
        {node.key: footprints[at].foot for at, node in enumerate(scene.nodes)},
        routes,
        labels,
    )


@dataclass(frozen=True, slots=True)
class _Port:
    """Where the lines of one label and direction leave or reach one side of a card.

    Args:
        y: the height.
        trunk: how far they run straight together, so that they can share one label.
        lines: how many they are.
    """

    y: float
    trunk: float
    lines: int


class _Part:
    """One connected part being laid out: the columns, heights and ports that its steps share."""

    def __init__(self, vertices: list[int], lines: list[Bundle], footprints: list[Footprint], check: Check) -> None:
        self._vertices = vertices
        self._local = {vertex: at for at, vertex in enumerate(vertices)}
        self._lines = [line for line in lines if line.source != line.target]
        self._loops = [line for line in lines if line.source == line.target]
        self._footprints = [footprints[vertex] for vertex in vertices]
        self._looped = {self._local[line.source] for line in self._loops}
        self._layering = self._layered(check)
        self._lines_of: dict[Edge, list[Bundle]] = defaultdict(list)
        for line in self._lines:
            self._lines_of[self._edge(line)].append(line)
        self._lanes = self._count_lanes()
        check()
        self._y = [math.floor(y / GRID) * GRID for y in heights(self._layering, self._separation, check)]
        self._ports = self._make_ports()
        self._columns = self._place_columns()
        self.places = {vertex: self._rect(at) for at, vertex in enumerate(vertices)}
        self.routes = [Route(line, self._path(line)) for line in self._lines]
        self.routes += [Route(line, card_loop(self._rect(self._local[line.source]))) for line in self._loops]
        check()
        self.labels = self._place_labels()
        boxes = [label.box for label in self.labels] + [route.path.bounds() for route in self.routes]
        ends = [(self._y[at] - self._above(at), self._y[at] + self._below(at)) for at in range(len(vertices))]
        self.top = min([top for top, _ in ends] + [box.y for box in boxes])
        self.height = max([bottom for _, bottom in ends] + [box.bottom for box in boxes]) - self.top

    # -- columns and heights

    def _layered(self, check: Check) -> Layering:
        count = len(self._vertices)
        edges = without_cycles(count, [(self._local[line.left], self._local[line.right]) for line in self._lines])
        layering = with_dummies(count, edges, assign_layers(count, edges, check))
        reduce_crossings(layering, check)
        pitch = sum(size.height + size.foot for size in self._footprints) / count + CARD_GAP
        column = sum(size.width for size in self._footprints) / count + COLUMN_GAP
        tallest = max(FEWEST_ROWS, math.ceil(math.sqrt(count * column / (pitch * ASPECT))))
        return wrapped(layering, tallest)

    def _edge(self, line: Bundle) -> Edge:
        """The edge of the layering that a line runs along; its direction may have been turned."""
        edge = (self._local[line.left], self._local[line.right])
        return edge if edge in self._layering.chains else (edge[1], edge[0])

    def _count_lanes(self) -> dict[int, int]:
        """How many lines pass each dummy side by side."""
        lanes: dict[int, int] = defaultdict(int)
        for line in self._lines:
            for vertex in self._layering.chains[self._edge(line)][1:-1]:
                lanes[vertex] += 1
        shared = {v: len(self._layering.before[v]) > 1 or len(self._layering.after[v]) > 1 for v in lanes}
        return {vertex: 1 if shared[vertex] else count for vertex, count in lanes.items()}

    def _above(self, vertex: int) -> float:
        if self._layering.is_dummy(vertex):
            return up_to_grid((self._lanes.get(vertex, 1) - 1) * LANE / 2)
        return self._footprints[vertex].height / 2 + (LOOP_HEIGHT if vertex in self._looped else 0.0)

    def _below(self, vertex: int) -> float:
        if self._layering.is_dummy(vertex):
            return self._above(vertex)
        return self._footprints[vertex].height / 2 + self._footprints[vertex].foot

    def _separation(self, upper: int, lower: int) -> float:
        both = not self._layering.is_dummy(upper) and not self._layering.is_dummy(lower)
        return self._below(upper) + self._above(lower) + (CARD_GAP if both else LINE_GAP)

    # -- ports

    def _make_ports(self) -> dict[tuple[int, str, tuple[object, ...]], _Port]:
        sides: dict[tuple[int, str], dict[tuple[object, ...], list[float]]] = defaultdict(lambda: defaultdict(list))
        for line in self._lines:
            chain = self._layering.chains[self._edge(line)]
            for vertex, side, onward in ((chain[0], "right", chain[1]), (chain[-1], "left", chain[-2])):
                sides[(vertex, side)][self._port_name(line, vertex)].append(self._y[onward])
        ports = {}
        for (vertex, side), groups in sides.items():
            ordered = sorted(groups, key=lambda name: (sum(groups[name]) / len(groups[name]), str(name)))
            room = self._footprints[vertex].height - PORT_SPACING
            spacing = min(PORT_SPACING, room / max(1, len(ordered) - 1))
            for at, name in enumerate(ordered):
                count = len(groups[name])
                width = shown_label(str(name[0]))[1] if count > 1 else 0.0
                ports[(vertex, side, name)] = _Port(
                    y=self._y[vertex] + (at - (len(ordered) - 1) / 2) * spacing,
                    trunk=width + TRUNK_PAD if width else 0.0,
                    lines=count,
                )
        return ports

    def _port_name(self, line: Bundle, vertex: int) -> tuple[object, ...]:
        return (line.label, line.origin, self._local[line.source] == vertex)

    def _line_ports(self, line: Bundle) -> tuple[_Port, _Port]:
        """The ports at the left and the right end of a line; of two shared ones only the busier keeps its trunk."""
        chain = self._layering.chains[self._edge(line)]
        return (
            self._ports[(chain[0], "right", self._port_name(line, chain[0]))],
            self._ports[(chain[-1], "left", self._port_name(line, chain[-1]))],
        )

    # -- columns

    def _place_columns(self) -> list[tuple[float, float]]:
        """The left and right edge of each column, with room between them for trunks and labels."""
        layers = self._layering.layers
        trunks = [[0.0, 0.0] for _ in layers]
        middle = [0.0 for _ in layers]
        steepest = [0.0 for _ in layers]
        for line in self._lines:
            chain = self._layering.chains[self._edge(line)]
            first, last = self._layering.layer_of[chain[0]], self._layering.layer_of[chain[-1]] - 1
            left, right = self._line_ports(line)
            trunks[first][0] = max(trunks[first][0], left.trunk)
            trunks[last][1] = max(trunks[last][1], right.trunk)
            if left.lines == right.lines == 1:
                middle[first] = max(middle[first], shown_label(line.label)[1])
            for at in range(len(chain) - 1):
                rise = abs(self._y[chain[at]] - self._y[chain[at + 1]])
                steepest[first + at] = max(steepest[first + at], rise)
        columns = []
        x = 0.0
        for at, layer in enumerate(layers):
            width = max((self._footprints[v].width for v in layer if not self._layering.is_dummy(v)), default=0.0)
            columns.append((x, x + width))
            curve = COLUMN_GAP + min(64.0, steepest[at] / 10)
            x += width + up_to_grid(max(sum(trunks[at]) + curve, middle[at] + 40.0))
        return columns

    def _rect(self, vertex: int) -> Rect:
        left, right = self._columns[self._layering.layer_of[vertex]]
        height = self._footprints[vertex].height
        return Rect(left, self._y[vertex] - height / 2, right - left, height)

    # -- lines

    def _path(self, line: Bundle) -> Path:
        chain = self._layering.chains[self._edge(line)]
        left, right = self._line_ports(line)
        lane = self._lane(line)
        start = Point(self._columns[self._layering.layer_of[chain[0]]][1], left.y)
        here = start
        segments: list[Point | Curve] = []
        if left.trunk:
            here = Point(here.x + left.trunk, here.y)
            segments.append(here)
        for vertex in chain[1:-1]:
            x, end = self._columns[self._layering.layer_of[vertex]]
            arrive = Point(x, self._y[vertex] + lane)
            segments.append(level_curve(here, arrive))
            here = Point(end, arrive.y)
            if end > x:
                segments.append(here)
        goal = Point(self._columns[self._layering.layer_of[chain[-1]]][0], right.y)
        segments.append(level_curve(here, Point(goal.x - right.trunk, goal.y)))
        if right.trunk:
            segments.append(goal)
        path = Path(start, tuple(segments))
        return path if self._local[line.source] == chain[0] else path.reversed()

    def _lane(self, line: Bundle) -> float:
        """How far beside the middle of its way a line runs, if others share all of it."""
        beside = self._lines_of[self._edge(line)]
        return (beside.index(line) - (len(beside) - 1) / 2) * LANE

    # -- labels

    def _place_labels(self) -> list[EdgeLabel]:
        """A label at each shared trunk, one on each other line where it hides nothing."""
        taken = Occupied()
        for at, size in enumerate(self._footprints):
            rect = self._rect(at)
            taken.add(Rect(rect.x, rect.y, rect.width, rect.height + size.foot))
        labels: list[EdgeLabel] = []
        hosted: dict[tuple[float, float], list[Bundle]] = defaultdict(list)
        single: list[Route] = []
        for route in self.routes:
            if not route.bundle.label:
                continue
            if route.bundle in self._loops:
                single.append(route)
                continue
            left, right = self._line_ports(route.bundle)
            if left.lines == right.lines == 1:
                single.append(route)
            else:
                at_left = left.lines >= right.lines
                chain = self._layering.chains[self._edge(route.bundle)]
                column = self._columns[self._layering.layer_of[chain[0 if at_left else -1]]]
                width = shown_label(route.bundle.label)[1]
                x = column[1] + TRUNK_PAD / 2 if at_left else column[0] - TRUNK_PAD / 2 - width
                hosted[(x, left.y if at_left else right.y)].append(route.bundle)
        for (x, y), lines in hosted.items():
            label, width = shown_label(lines[0].label)
            box = Rect(x, y - LABEL_HEIGHT / 2, width, LABEL_HEIGHT)
            if taken.free(box):
                taken.add(box)
                labels.append(EdgeLabel(label, box, tuple(at for line in lines for at in line.edges)))
        for route in single:
            labels += free_label(route.bundle, route.path, taken)
        return labels
