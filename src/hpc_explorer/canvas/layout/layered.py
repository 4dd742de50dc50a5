"""The layered picture: columns from left to right along the edges, such as from raw data to a model.

Steps: `units` (cards and blocks), `layers` and `ranking` (columns, dummies), `order` (crossings), `layers.wrapped`
(columns that would be too tall), `place` (heights), `routing` (lines and their labels). Here they follow one another,
part by part.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hpc_explorer.canvas.card import Footprint, footprint
from hpc_explorer.canvas.geometry import GRID, Rect, union
from hpc_explorer.canvas.layout.layers import (
    Check,
    Edge,
    Layering,
    components,
    no_check,
    with_dummies,
    without_cycles,
    wrapped,
)
from hpc_explorer.canvas.layout.lines import ASPECT, bundles, card_loop, in_rows
from hpc_explorer.canvas.layout.order import reduce_crossings
from hpc_explorer.canvas.layout.order_arrays import reduce_crossings_in_arrays
from hpc_explorer.canvas.layout.place import heights, low_heights
from hpc_explorer.canvas.layout.ranking import assign_layers
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel, Frame, Layout, Route, Show, finished
from hpc_explorer.canvas.layout.routing import CARD_GAP, COLUMN_GAP, LINE_GAP, LayeredGraph, line_labels, routed
from hpc_explorer.canvas.layout.units import Link, Unit, units_and_links
from hpc_explorer.canvas.scene import Scene

PART_GAP = 48.0
FEWEST_ROWS = 12
WRAPPED_FROM, WRAPPED_FROM_IF_MANY = 1.5, 3.0
"""The excess of a column before columns are wrapped: that costs crossings, many in a scene of more than `MANY`
cards."""
MANY = 300
STRETCHED = 2.0
"""How much taller than its fullest column a picture may be that is also taller than wide."""
STRAIGHT_UP_TO = 200
"""The most units of a part whose lines are straightened; in larger ones that separates linked units."""
SHARED_FROM = 4
"""The number of similar long lines at a card from which they share a path."""
SHOWN_FROM = 1_000
"""The number of lines from which a preliminary layout is shown."""
PLAIN_UP_TO = 60
"""The most units and links that are laid out without numpy, which is slow to load."""


def arrange_layered(scene: Scene, check: Check = no_check, show: Show | None = None) -> Layout:
    """Places a scene in columns from left to right, with unconnected parts below one another.

    Args:
        scene: any graph; cycles, loops and several edges between two nodes are fine.
        check: called regularly; raises to cancel.
        show: gets a layout with more crossings, if the scene is large and in one part.
    """
    lines = bundles(scene)
    footprints = [footprint(node) for node in scene.nodes]
    parts = components(len(scene.nodes), [(line.left, line.right) for line in lines])
    part_of = [0] * len(scene.nodes)
    for at, part in enumerate(parts):
        for vertex in part:
            part_of[vertex] = at
    lines_of: list[list[Bundle]] = [[] for _ in parts]
    for line in lines:
        lines_of[part_of[line.left]].append(line)
    focus = {at for at, node in enumerate(scene.nodes) if node.focus}
    singles = [part[0] for part, own in zip(parts, lines_of, strict=True) if not own]

    def shown(drawn: _Drawn) -> None:
        if show is not None:
            show(_put_together(scene, [drawn], singles, footprints))

    in_one = len(parts) == 1 and len(lines) > SHOWN_FROM and show is not None
    drawn: list[_Drawn] = []
    top = 0.0
    for part, own in zip(parts, lines_of, strict=True):
        if own:
            check()
            drawn.append(_arrange_part(part, own, footprints, focus, top, check, shown if in_one else None))
            top = drawn[-1].bottom + PART_GAP
    return _put_together(scene, drawn, singles, footprints)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """One connected part of the layout.

    Args:
        places: of its cards.
        routes, labels, frames: of its lines.
        lines: around all lines.
        bottom: below its last card.
    """

    places: dict[int, Rect]
    routes: list[Route]
    labels: list[EdgeLabel]
    frames: list[Frame]
    lines: Rect
    bottom: float


def _put_together(
    scene: Scene, parts: Sequence[_Drawn], singles: Sequence[int], footprints: Sequence[Footprint]
) -> Layout:
    """The parts below one another, then the cards without lines."""
    places: dict[int, Rect] = {}
    routes: list[Route] = []
    labels: list[EdgeLabel] = []
    frames: list[Frame] = []
    for part in parts:
        places |= part.places
        routes += part.routes
        labels += part.labels
        frames += part.frames
    top = parts[-1].bottom + PART_GAP if parts else 0.0
    places |= dict(in_rows(singles, footprints, top, max((rect.right for rect in places.values()), default=0.0)))
    return finished(
        {node.key: places[at] for at, node in enumerate(scene.nodes)},
        {node.key: footprints[at].foot for at, node in enumerate(scene.nodes)},
        routes,
        labels,
        frames,
        lines=union([part.lines for part in parts]),
    )


def _arrange_part(
    part: Sequence[int],
    lines: Sequence[Bundle],
    footprints: Sequence[Footprint],
    focus: set[int],
    top: float,
    check: Check,
    shown: Callable[[_Drawn], None] | None,
) -> _Drawn:
    units, links = units_and_links(part, lines, footprints, focus)

    def drawn(layering: Layering) -> _Drawn:
        return _drawn(units, links, layering, lines, footprints, top, check)

    return drawn(_layering(units, links, check, None if shown is None else lambda so_far: shown(drawn(so_far))))


def _drawn(
    units: Sequence[Unit],
    links: Sequence[Link],
    layering: Layering,
    lines: Sequence[Bundle],
    footprints: Sequence[Footprint],
    top: float,
    check: Check,
) -> _Drawn:
    graph = LayeredGraph(units, links, layering)
    y = [math.floor(height / GRID) * GRID for height in _heights(graph, check)]
    down = top - min(map(operator.sub, y, graph.above))
    y = [height + down for height in y]
    way = routed(graph, y)
    check()
    places: dict[int, Rect] = {}
    frames: list[Frame] = []
    link_of = {end: link for link in links for end in (link.left, link.right) if units[end].block is not None}
    for at, (unit, rect) in enumerate(zip(units, way.rects, strict=True)):
        if unit.block is None:
            places[unit.vertices[0]] = rect
        else:
            # The frame's height was rounded up for the grid; the cards stay in its middle.
            places |= unit.block.cards(rect.x, rect.y + (unit.height - unit.block.height) / 2, footprints)
            edges = tuple([edge for line in link_of[at].lines for edge in line.edges])
            frames.append(Frame(rect, edges, link_of[at].origin))
    routes = [Route(line, path) for link, path in zip(links, way.paths, strict=True) for line in link.lines]
    loops = [Route(line, card_loop(places[line.left])) for line in lines if line.left == line.right]
    labels = line_labels(graph, way, loops)
    around = union([way.around, *(loop.path.bounds() for loop in loops)])
    return _Drawn(places, routes + loops, labels, frames, around, max(map(operator.add, y, graph.below)))


# -- columns and heights


def _layering(
    units: Sequence[Unit], links: Sequence[Link], check: Check, shown: Callable[[Layering], None] | None
) -> Layering:
    """The layering of the units, ordered.

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
    fullest = max(sum([vertex < count for vertex in layer]) for layer in layering.layers)
    bearable = tallest * (WRAPPED_FROM if count <= MANY else WRAPPED_FROM_IF_MANY)
    return layering if fullest <= bearable else wrapped(layering, tallest)


def _shared_ways(edges: Sequence[Edge], links: Sequence[Link]) -> dict[Edge, object]:
    """Bundles of long edges: many that leave or reach a unit under one label.

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


def _heights(graph: LayeredGraph, check: Check) -> list[float]:
    """Heights of all vertices: with straight lines, unless they make the picture much taller than its columns are."""
    layering = graph.layering
    gaps = graph.gaps()
    if len(graph.units) > STRAIGHT_UP_TO:
        return low_heights(layering, gaps, check)
    straight = heights(layering, gaps, check)
    width = len(layering.layers) * (sum(unit.width for unit in graph.units) / len(graph.units) + COLUMN_GAP)
    fullest = max(sum(graph.above[vertex] + graph.below[vertex] + LINE_GAP for vertex in at) for at in layering.layers)
    if max(straight) - min(straight) <= max(STRETCHED * fullest, width):
        return straight
    return low_heights(layering, gaps, check)
