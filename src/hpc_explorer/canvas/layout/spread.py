"""The picture of any neighbourhood by forces: cards near those they are linked to, straight lines between them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from hpc_explorer.canvas.card import Footprint, footprint
from hpc_explorer.canvas.geometry import Path, Point, Rect
from hpc_explorer.canvas.layout.force import force_places
from hpc_explorer.canvas.layout.free import GAP, Floor, Slots
from hpc_explorer.canvas.layout.layers import Check, no_check
from hpc_explorer.canvas.layout.lines import Occupied, bundles, card_loop, free_label
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel, Layout, Route, Show, finished
from hpc_explorer.canvas.scene import Scene

EDGE = 120.0
"""Room along an edge between two cards, about."""
FLAT = 0.6
"""The ratio of heights to widths: cards are wide, so vertical distances may be smaller."""
SLOTS_FROM = 600
"""The number of cards from which each gets a slot in rows and columns."""
ROOM = 5.0
"""Times the room that the cards fill that the picture gets at least: less has to be moved then."""
LABELLED_UP_TO = 300
"""The most lines with visible labels; for more, labels are shown on hover."""
FAN = 8
BESIDE = 12.0
"""The distance between lines that join the same two cards."""


def arrange_force(
    scene: Scene,
    check: Check = no_check,
    show: Show | None = None,
    *,
    placed: Mapping[str, Rect] | None = None,
    pinned: AbstractSet[str] = frozenset(),
) -> Layout:
    """Places cards by forces, without overlap. The order of the scene's nodes and edges has no influence.

    Args:
        scene: any graph.
        check: called regularly; raises to cancel.
        show: receives intermediate layouts.
        placed: cards that have a place already, by key; they start from it.
        pinned: those of them that are fixed. With any, the layout keeps their coordinates; without, its left top corner
            is the origin.
    """
    placed = placed or {}
    lines = bundles(scene)
    footprints = [footprint(node) for node in scene.nodes]
    by_key = sorted(range(len(scene.nodes)), key=lambda at: scene.nodes[at].key)
    rank = {at: number for number, at in enumerate(by_key)}
    edges = [(rank[line.source], rank[line.target]) for line in lines]
    pitch = sum(size.width for size in footprints) / max(1, len(footprints)) + EDGE
    initial = {
        rank[at]: Point(placed[node.key].centre.x / pitch, placed[node.key].centre.y / (pitch * FLAT))
        for at, node in enumerate(scene.nodes)
        if node.key in placed
    }
    held = {rank[at] for at, node in enumerate(scene.nodes) if node.key in pinned and node.key in placed}

    def wishes(points: Sequence[Point], scale: float) -> dict[int, Rect]:
        return {
            at: _around(Point(points[rank[at]].x * pitch * scale, points[rank[at]].y * pitch * scale * FLAT), size)
            for at, size in enumerate(footprints)
        }

    def scale_of(points: Sequence[Point]) -> float:
        """Makes the middle edge as long as it should be, or longer, so that there is room for all cards.

        Places that are given are in their scale already.
        """
        if initial or not points:
            return 1.0
        lengths = sorted(math.dist(points[left], points[right]) for left, right in edges if left != right)
        scale = 1.0 / max(lengths[len(lengths) // 2], 0.2) if lengths else 1.0
        width = max(point.x for point in points) - min(point.x for point in points) + 1.0
        height = max(point.y for point in points) - min(point.y for point in points) + 1.0
        needed = sum((size.width + GAP) * (size.height + size.foot + GAP) for size in footprints)
        return max(scale, math.sqrt(ROOM * needed / (width * height * FLAT)) / pitch)

    def shown(points: list[Point]) -> None:
        if show is not None:
            cards = wishes(points, scale_of(points))
            show(_layout(scene, cards, footprints, lines, stay=bool(held), labelled=False))

    points = force_places(
        len(scene.nodes), edges, initial=initial, pinned=held, check=check, show=None if show is None else shown
    )
    cards = wishes(points, scale_of(points))
    floor: Floor | Slots = Floor()
    if len(scene.nodes) > SLOTS_FROM:
        floor = Slots(max(size.width for size in footprints), max(size.height + size.foot for size in footprints))
    settled: dict[int, Rect] = {}
    for at, node in enumerate(scene.nodes):
        if rank[at] in held:
            settled[at] = placed[node.key]
            floor.take(with_foot(settled[at], footprints[at]))
    middle = middle_of(cards.values())
    # From the middle outwards, so that cards move outwards.
    for number, at in enumerate(sorted(by_key, key=lambda at: (math.dist(cards[at].centre, middle), rank[at]))):
        if number % 256 == 0:
            check()
        if at not in settled:
            card = floor.settle(with_foot(cards[at], footprints[at]))
            settled[at] = Rect(card.x, card.y, card.width, footprints[at].height)
    return _layout(scene, settled, footprints, lines, stay=bool(held), labelled=len(lines) <= LABELLED_UP_TO)


def with_foot(card: Rect, size: Footprint) -> Rect:
    """A card with the space below it."""
    return Rect(card.x, card.y, card.width, card.height + size.foot)


def _around(centre: Point, size: Footprint) -> Rect:
    return Rect(centre.x - size.width / 2, centre.y - size.height / 2, size.width, size.height)


def middle_of(cards: Iterable[Rect]) -> Point:
    """The mean of the cards' middles, the same in any order they come; the origin if there are none."""
    centres = [card.centre for card in cards]
    count = max(1, len(centres))
    return Point(math.fsum(centre.x for centre in centres) / count, math.fsum(centre.y for centre in centres) / count)


def _layout(
    scene: Scene,
    cards: Mapping[int, Rect],
    footprints: Sequence[Footprint],
    lines: Sequence[Bundle],
    *,
    stay: bool,
    labelled: bool,
) -> Layout:
    routes = straight_routes(cards, lines)
    labels = placed_labels(cards, footprints, routes) if labelled else []
    return finished(
        {node.key: cards[at] for at, node in enumerate(scene.nodes)},
        {node.key: footprints[at].foot for at, node in enumerate(scene.nodes)},
        routes,
        labels,
        stay=stay,
    )


def straight_routes(cards: Mapping[int, Rect], lines: Sequence[Bundle]) -> list[Route]:
    """A straight line for each bundle; those between the same two cards lie beside each other."""
    beside: dict[tuple[int, int], list[Bundle]] = {}
    for line in lines:
        beside.setdefault((min(line.source, line.target), max(line.source, line.target)), []).append(line)
    routes: list[Route] = []
    for (low, high), several in beside.items():
        for at, line in enumerate(several):
            if low == high:
                routes.append(Route(line, card_loop(cards[low])))
                continue
            path = straight(cards[low], cards[high], (at - (len(several) - 1) / 2) * BESIDE)
            routes.append(Route(line, path if line.source == low else path.reversed()))
    return routes


def placed_labels(
    cards: Mapping[int, Rect], footprints: Sequence[Footprint], routes: Sequence[Route]
) -> list[EdgeLabel]:
    """A label on each line where it covers no card and no other label.

    Of more than `FAN` lines that fan out from one card under one label, the one in the middle says it for all.
    """
    taken = Occupied()
    for at, card in cards.items():
        taken.add(with_foot(card, footprints[at]))
    for route in routes:
        taken.add_line(route.path)
    fans: dict[tuple[int, bool, str], list[Route]] = {}
    for route in routes:
        for end, starts in ((route.bundle.source, True), (route.bundle.target, False)):
            fans.setdefault((end, starts, route.bundle.label), []).append(route)
    shared: dict[int, list[Route]] = {}
    for (_, starts, _), fan in fans.items():
        if len(fan) > FAN:
            fan.sort(key=lambda route: cards[route.bundle.target if starts else route.bundle.source])
            middle = min(fan, key=lambda route: _apart(cards[route.bundle.source], cards[route.bundle.target]))
            for route in fan:
                shared.setdefault(id(route), [])
            shared[id(middle)] = fan
    labels = []
    for route in routes:
        several = shared.get(id(route), [route])
        edges = tuple(sorted(edge for one in several for edge in one.bundle.edges))
        if edges:
            labels += free_label(route.bundle.label, edges, route.path, taken)
    return labels


def _apart(one: Rect, other: Rect) -> float:
    return math.dist(one.centre, other.centre)


def straight(source: Rect, target: Rect, aside: float = 0.0) -> Path:
    """The straight line between two cards, from border to border, `aside` units beside the line of their middles."""
    start, end = source.centre, target.centre
    length = math.dist(start, end)
    if length == 0.0:
        return Path(Point(source.right, start.y), (Point(target.x, end.y),))
    limit = min(source.height, target.height) / 2 - 2.0
    aside = min(max(aside, -limit), limit)
    dx, dy = -(end.y - start.y) / length * aside, (end.x - start.x) / length * aside
    start, end = Point(start.x + dx, start.y + dy), Point(end.x + dx, end.y + dy)
    return Path(_leaving(source, start, end), (_leaving(target, end, start),))


def _leaving(card: Rect, inside: Point, outside: Point) -> Point:
    """The point where the line from a point in a card to one outside crosses its border."""
    dx, dy = outside.x - inside.x, outside.y - inside.y
    ways = [1.0]
    if dx:
        ways.append(((card.right if dx > 0 else card.x) - inside.x) / dx)
    if dy:
        ways.append(((card.bottom if dy > 0 else card.y) - inside.y) / dy)
    way = min(ways)
    return Point(inside.x + dx * way, inside.y + dy * way)
