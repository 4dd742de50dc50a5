"""Navigate a picture: the node at a place, and the next node in a direction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hpc_explorer.canvas.geometry import Curve, Point, Rect, point_along
from hpc_explorer.canvas.layout.result import Layout, Route
from hpc_explorer.canvas.scene import ORIGIN_WORDS, Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.spatial import ASIDE, Direction, SpatialIndex
from hpc_explorer.canvas.text import clean

HIT = 6.0
"""Scene units around a line that count as on it."""
MOST_SPOKEN = 10
"""Maximum links of each direction that are listed."""
MOST_FOLLOWED = 2_000
"""Maximum links of a node that the arrow keys follow."""
MOST_LOOKED_BEYOND = 500
"""Maximum neighbours in one column to check for further links."""


@dataclass(frozen=True)
class Links:
    """The edges of a scene by node.

    Args:
        position: the index of each node in the scene, by key.
        edges: by key, the indices in `scene.edges` of the edges of a node; nodes without edges are left out.
    """

    position: Mapping[str, int]
    edges: Mapping[str, Sequence[int]]

    def of(self, key: str) -> Sequence[int]:
        """The indices of the edges of a node."""
        return self.edges.get(key, ())


def links(scene: Scene) -> Links:
    """The edges of a scene by node."""
    edges: defaultdict[str, list[int]] = defaultdict(list)
    for at, edge in enumerate(scene.edges):
        source, target = edge.source, edge.target
        edges[source].append(at)
        if target != source:
            edges[target].append(at)
    return Links({node.key: at for at, node in enumerate(scene.nodes)}, dict(edges))


def neighbours(scene: Scene, known: Links, key: str, most: int) -> list[str]:
    """The keys of the first neighbours of a node, in the order of its links."""
    found: dict[str, None] = {}
    for at in known.of(key):
        edge = scene.edges[at]
        found[edge.target if edge.source == key else edge.source] = None
        if len(found) > most:
            break
    found.pop(key, None)
    return list(found)[:most]


def node_at(layout: Layout, place: Point) -> str | None:
    """The key of the node whose card is at a place."""
    return next((key for key, rect in layout.places.items() if rect.contains(place)), None)


def route_at(layout: Layout, place: Point, reach: float = HIT) -> Route | None:
    """The nearest line within `reach`."""
    nearest, least = None, reach
    for route in layout.routes:
        if route.path.bounds().grown(reach).contains(place):
            distance = _distance(route, place)
            if distance <= least:
                nearest, least = route, distance
    return nearest


def _distance(route: Route, place: Point) -> float:
    least = float("inf")
    for start, segment in route.path.pieces():
        end = segment.end if isinstance(segment, Curve) else segment
        steps = max(4, int((abs(end.x - start.x) + abs(end.y - start.y)) / 4))
        for step in range(steps + 1):
            point = point_along(start, segment, step / steps)
            least = min(least, ((point.x - place.x) ** 2 + (point.y - place.y) ** 2) ** 0.5)
    return least


def first_node(scene: Scene, layout: Layout) -> str | None:
    """The start of navigation: the focus, else the first node in reading order."""
    focus = scene.focus()
    if focus is not None:
        return focus.key
    first = min(layout.places.items(), key=lambda card: card[1][:2], default=None)
    return first[0] if first is not None else None


def next_node(
    scene: Scene,
    layout: Layout,
    known: Links,
    key: str,
    direction: Direction,
    index: SpatialIndex | None = None,
) -> str | None:
    """The node that an arrow key leads to; None if there is none.

    Left and right follow the edges to the nearest column on that side and there to the nearest neighbour, preferably
    one with further links. Otherwise, and for up and down, it is the nearest card in that direction, preferably in the
    same row or column. This also applies to nodes with more than `MOST_FOLLOWED` links.

    Args:
        index: the spatial index, if known; otherwise the picture is searched linearly.
    """
    here = layout.places[key]
    if direction in ("left", "right") and len(known.of(key)) <= MOST_FOLLOWED:
        linked = _linked(scene, layout, known, key, direction)
        if linked:
            nearest = min(_apart(here, layout.places[end]) for end in linked)
            column = [end for end in linked if _apart(here, layout.places[end]) == nearest]
            leading_on: list[str] = []
            if len(column) <= MOST_LOOKED_BEYOND:
                leading_on = [end for end in column if _linked(scene, layout, known, end, direction)]
            return min(leading_on or column, key=lambda end: (abs(layout.places[end].y - here.y), end))
    if index is not None:
        at = index.beyond(known.position[key], direction)
        return scene.nodes[at].key if at is not None else None
    best, least = None, float("inf")
    for other, rect in layout.places.items():
        if other != key and _is_beyond(here, rect, direction):
            along, across = abs(rect.centre.x - here.centre.x), abs(rect.centre.y - here.centre.y)
            if direction in ("up", "down"):
                along, across = across, along
            cost = along + ASIDE * across
            if cost < least:
                best, least = other, cost
    return best


def _linked(scene: Scene, layout: Layout, known: Links, key: str, direction: Direction) -> set[str]:
    """The neighbours on one side."""
    edges = (scene.edges[at] for at in known.of(key))
    ends = {end for edge in edges for end in (edge.source, edge.target)} - {key}
    return {end for end in ends if _is_beyond(layout.places[key], layout.places[end], direction)}


def _apart(here: Rect, there: Rect) -> float:
    """The gap between two cards side by side."""
    return round(max(here.x, there.x) - min(here.right, there.right))


def _is_beyond(here: Rect, there: Rect, direction: Direction) -> bool:
    if direction == "left":
        return there.right <= here.x
    if direction == "right":
        return there.x >= here.right
    if direction == "up":
        return there.bottom <= here.y
    return there.y >= here.bottom


def spoken(scene: Scene, known: Links, key: str) -> str:
    """A node and its links in words, for screen readers."""
    at = known.position.get(key)
    if at is None:
        return ""
    node = scene.nodes[at]
    parts = (name_of(node), clean(node.kind), clean(node.caption or ""), *map(clean, node.badges))
    facts = [", ".join(part for part in parts if part)]
    if node.stop:
        facts.append(clean(node.stop))
    said = spoken_links(scene, known, key)
    left_out = len(known.of(key)) - len(said)
    return ". ".join(facts + said + ([f"and {left_out:,} more links"] if left_out else []))


def spoken_links(scene: Scene, known: Links, key: str) -> list[str]:
    """The links of a node in words, outgoing first; up to `MOST_SPOKEN` of each direction."""
    outgoing: list[SceneEdge] = []
    incoming: list[SceneEdge] = []
    for at in known.of(key):
        edge = scene.edges[at]
        side = outgoing if edge.source == key else incoming
        if len(side) < MOST_SPOKEN:
            side.append(edge)

    def name(end: str) -> str:
        return name_of(scene.nodes[known.position[end]])

    said = [f"{clean(edge.label) or 'linked to'} {name(edge.target)}{_how(edge)}" for edge in outgoing]
    said += [f"{name(edge.source)} {clean(edge.label) or 'links'} this{_how(edge)}" for edge in incoming]
    return said


def name_of(node: SceneNode) -> str:
    """The name of a node for screen readers."""
    return clean(node.label) or clean(node.key) or "(no name)"


def _how(edge: SceneEdge) -> str:
    words = ORIGIN_WORDS[edge.origin]
    first = clean(edge.tooltip.partition("\n")[0])  # for a match by value, the value
    return "" if edge.origin == "asserted" else f" ({first if first.startswith(f'{words}: same') else words})"
