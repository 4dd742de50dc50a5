"""Finding one's way in a picture: the node at a place, and the next node in a direction."""

from __future__ import annotations

from typing import Literal

from hpc_explorer.canvas.geometry import Curve, Point, Rect, point_along
from hpc_explorer.canvas.layout.result import Layout, Route
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.text import clean

Direction = Literal["left", "right", "up", "down"]

HIT = 6.0
"""Scene units around a line that count as on it."""
MOST_SPOKEN = 10
"""Links of each direction that are told one by one."""


def node_at(layout: Layout, place: Point) -> str | None:
    """The key of the node whose card is there."""
    return next((key for key, rect in layout.places.items() if rect.contains(place)), None)


def route_at(layout: Layout, place: Point, reach: float = HIT) -> Route | None:
    """The line nearest to a place, if it is not farther than `reach`."""
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
    """Where a walk starts: at the focus, else at the node that stands first when the picture is read."""
    focus = scene.focus()
    if focus is not None:
        return focus.key
    return min(layout.places, key=lambda key: (layout.places[key].x, layout.places[key].y), default=None)


def next_node(scene: Scene, layout: Layout, key: str, direction: Direction) -> str | None:
    """The node that an arrow key leads to from another; None if there is none.

    Left and right follow the edges to the nearest column on that side, and there to the nearest neighbour, of those
    from which the walk goes on if there are any. Where no edge leads there, and for up and down, it is the nearest
    card in that direction, as far as possible in the same row or column.
    """
    here = layout.places[key]
    if direction in ("left", "right"):
        linked = _linked(scene, layout, key, direction)
        if linked:
            nearest = min(_apart(here, layout.places[end]) for end in linked)
            column = [end for end in linked if _apart(here, layout.places[end]) == nearest]
            leading_on = [end for end in column if _linked(scene, layout, end, direction)]
            return min(leading_on or column, key=lambda end: (abs(layout.places[end].y - here.y), end))
    best, least = None, float("inf")
    for other, rect in layout.places.items():
        if other != key and _is_beyond(here, rect, direction):
            along, across = abs(rect.centre.x - here.centre.x), abs(rect.centre.y - here.centre.y)
            if direction in ("up", "down"):
                along, across = across, along
            cost = along + 4 * across
            if cost < least:
                best, least = other, cost
    return best


def _linked(scene: Scene, layout: Layout, key: str, direction: Direction) -> set[str]:
    """The nodes that an edge leads to on one side."""
    ends = {end for edge in scene.edges_of(key) for end in (edge.source, edge.target)} - {key}
    return {end for end in ends if _is_beyond(layout.places[key], layout.places[end], direction)}


def _apart(here: Rect, there: Rect) -> float:
    """The room between two cards that stand side by side."""
    return round(max(here.x, there.x) - min(here.right, there.right))


def _is_beyond(here: Rect, there: Rect, direction: Direction) -> bool:
    if direction == "left":
        return there.right <= here.x
    if direction == "right":
        return there.x >= here.right
    if direction == "up":
        return there.bottom <= here.y
    return there.y >= here.bottom


def spoken(scene: Scene, key: str) -> str:
    """A node and its links in words, for someone who cannot see the picture."""
    node = scene.node(key)
    if node is None:
        return ""
    labels = {other.key: clean(other.label) or clean(other.key) for other in scene.nodes}
    parts = (labels[key], clean(node.kind), clean(node.caption or ""), *map(clean, node.badges))
    facts = [", ".join(part for part in parts if part)]
    if node.stop:
        facts.append(clean(node.stop))
    outgoing = [edge for edge in scene.edges if edge.source == key]
    incoming = [edge for edge in scene.edges if edge.target == key and edge.source != key]
    said = [
        f"{clean(edge.label) or 'linked to'} {labels[edge.target]}{_how(edge.origin)}"
        for edge in outgoing[:MOST_SPOKEN]
    ]
    said += [
        f"{labels[edge.source]} {clean(edge.label) or 'links'} this{_how(edge.origin)}"
        for edge in incoming[:MOST_SPOKEN]
    ]
    left_out = len(outgoing) + len(incoming) - len(said)
    return ". ".join(facts + said + ([f"and {left_out:,} more links"] if left_out else []))


def _how(origin: str) -> str:
    return "" if origin == "asserted" else f" ({origin})"
