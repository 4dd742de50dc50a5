"""The cards and lines of a large layout as arrays, searchable by place in a fraction of a millisecond."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from hpc_explorer.canvas.geometry import Curve, Point, Rect
from hpc_explorer.canvas.layout.result import Layout
from hpc_explorer.canvas.palette import Theme, class_colour
from hpc_explorer.canvas.scene import Scene

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]

Direction = Literal["left", "right", "up", "down"]

ASIDE = 4.0
"""Weight of sideways distance when looking for a card in a direction."""
CURVE_PIECES = 8
"""Straight pieces per curve."""


@dataclass(frozen=True)
class SpatialIndex:
    """The places of a laid-out scene.

    Args:
        position: the index of each node in the scene, by key.
        cards: left, top, right, bottom of each node's card; shape (nodes, 4).
        colour_of: the index in `colours` of each node's colour; shape (nodes,).
        colours: "#rrggbb".
        pieces: x and y of both ends of each straight piece of a line; shape (pieces, 4).
        route_of: the route of each piece, in ascending order; shape (pieces,).
        ends: the indices of both nodes of each route; shape (routes, 2).
        labels: left, top, right, bottom of each label of the layout; shape (labels, 4).
        weight: the number of routes at each node; shape (nodes,).
        by_weight: the nodes by descending weight; equal weights are scattered over the scene; shape (nodes,).
    """

    position: dict[str, int]
    cards: Floats
    colour_of: Numbers
    colours: tuple[str, ...]
    pieces: Floats
    route_of: Numbers
    ends: Numbers
    labels: Floats
    weight: Numbers
    by_weight: Numbers

    def cards_in(self, seen: Rect) -> list[int]:
        """The positions of the nodes whose cards touch a rectangle, in the order of the scene."""
        return _touching(self.cards, seen)

    def middles_in(self, area: Rect) -> list[int]:
        """The indices of the nodes whose cards are centred in a rectangle, in the order of the scene."""
        import numpy as np

        left, top, right, bottom = self.cards.T
        across, down = (left + right) / 2, (top + bottom) / 2
        inside = (across >= area.x) & (across <= area.right) & (down >= area.y) & (down <= area.bottom)
        return [int(at) for at in np.flatnonzero(inside)]

    def weightiest_in(self, seen: Rect, most: int, many: int) -> list[int]:
        """The indices of the nodes whose cards touch a rectangle, those with most links first.

        Args:
            most: maximum number of nodes.
            many: if more nodes are visible, those with at most one link are left out.
        """
        import numpy as np

        inside = _inside(self.cards, seen)[self.by_weight]
        if np.count_nonzero(inside) > many:
            inside &= self.weight[self.by_weight] > 1
        return [int(at) for at in self.by_weight[np.flatnonzero(inside)[:most]]]

    def labels_in(self, seen: Rect) -> list[int]:
        """The positions of the labels that touch a rectangle."""
        return _touching(self.labels, seen)

    def routes_in(self, seen: Rect) -> list[int]:
        """The positions of the routes that cross a rectangle, in the order of the layout."""
        import numpy as np

        found = self.route_of[crossing(self.pieces, seen)]
        # Sorted already; `numpy.unique` would import a package in the middle of a frame.
        first = np.ones(len(found), dtype=bool)
        first[1:] = found[1:] != found[:-1]
        routes: list[int] = found[first].tolist()
        return routes

    def beyond(self, node: int, direction: Direction) -> int | None:
        """The index of the nearest card in a direction, preferably in the same row or column."""
        import numpy as np

        left, top, right, bottom = self.cards.T
        here = self.cards[node]
        side: NDArray[np.bool_] = {
            "left": right <= here[0],
            "right": left >= here[2],
            "up": bottom <= here[1],
            "down": top >= here[3],
        }[direction]
        side[node] = False
        at = np.flatnonzero(side)
        if not len(at):
            return None
        along = np.abs(left[at] + right[at] - here[0] - here[2])
        across = np.abs(top[at] + bottom[at] - here[1] - here[3])
        if direction in ("up", "down"):
            along, across = across, along
        return int(at[(along + ASIDE * across).argmin()])

    def routes_of(self, nodes: Collection[int]) -> list[int]:
        """The indices of the routes from or to these nodes."""
        import numpy as np

        chosen = np.zeros(len(self.cards), dtype=bool)
        chosen[np.fromiter(nodes, dtype=np.int64, count=len(nodes))] = True
        found: list[int] = np.flatnonzero(chosen[self.ends[:, 0]] | chosen[self.ends[:, 1]]).tolist()
        return found

    def card_at(self, place: Point) -> int | None:
        """The index of the first node whose card is at a place."""
        found = self.cards_in(Rect(place.x, place.y, 0.0, 0.0))
        return found[0] if found else None

    def route_at(self, place: Point, reach: float) -> int | None:
        """The index of the nearest line within `reach` scene units."""
        import numpy as np

        near = np.flatnonzero(crossing(self.pieces, Rect(place.x, place.y, 0.0, 0.0).grown(reach)))
        if not len(near):
            return None
        x0, y0, x1, y1 = self.pieces[near].T
        dx, dy = x1 - x0, y1 - y0
        length = np.maximum(dx * dx + dy * dy, 1e-9)
        along = np.clip(((place.x - x0) * dx + (place.y - y0) * dy) / length, 0.0, 1.0)
        distance = np.hypot(x0 + along * dx - place.x, y0 + along * dy - place.y)
        nearest = int(distance.argmin())
        return int(self.route_of[near[nearest]]) if distance[nearest] <= reach else None


def spatial_index(scene: Scene, layout: Layout, theme: Theme) -> SpatialIndex:
    """The index of a laid-out scene."""
    import numpy as np

    keys = [node.colour_key or node.kind for node in scene.nodes]
    colour_of_key = {key: class_colour(theme, key) for key in dict.fromkeys(keys)}
    colours = {colour: at for at, colour in enumerate(dict.fromkeys(colour_of_key.values()))}
    number_of_key = {key: colours[colour] for key, colour in colour_of_key.items()}
    pieces, route_of = _pieces(layout)
    bundles = [route.bundle for route in layout.routes]
    ends = np.empty((len(bundles), 2), dtype=np.int64)
    ends[:, 0] = [bundle.source for bundle in bundles]
    ends[:, 1] = [bundle.target for bundle in bundles]
    weight = np.bincount(ends.ravel(), minlength=len(scene.nodes))
    return SpatialIndex(
        position={node.key: at for at, node in enumerate(scene.nodes)},
        cards=_boxes([layout.places[node.key] for node in scene.nodes]),
        colour_of=np.array([number_of_key[key] for key in keys], dtype=np.int64),
        colours=tuple(colours),
        pieces=pieces,
        route_of=route_of,
        ends=ends,
        labels=_boxes([label.box for label in layout.labels]),
        weight=weight,
        by_weight=np.lexsort((scattered(np.arange(len(weight))), -weight)),
    )


def scattered(numbers: Numbers) -> Numbers:
    """A permutation that moves neighbours far apart (Knuth's multiplicative hash)."""
    return numbers * 2_654_435_761 % 2**32


def crossing(pieces: Floats, seen: Rect) -> NDArray[np.bool_]:
    """Which straight pieces have a point in a rectangle: shape (pieces,)."""
    import numpy as np

    x0, y0, x1, y1 = pieces.T
    near: NDArray[np.bool_] = (np.minimum(x0, x1) <= seen.right) & (np.maximum(x0, x1) >= seen.x)
    near &= (np.minimum(y0, y1) <= seen.bottom) & (np.maximum(y0, y1) >= seen.y)
    # A piece misses the rectangle if all four corners lie on one side of its line.
    at = np.flatnonzero(near)
    a, b = y1[at] - y0[at], x0[at] - x1[at]
    c = -(a * x0[at] + b * y0[at])
    sides = [a * x + b * y + c for x in (seen.x, seen.right) for y in (seen.y, seen.bottom)]
    near[at] = (np.minimum.reduce(sides) <= 0) & (np.maximum.reduce(sides) >= 0)
    return near


def _touching(boxes: Floats, seen: Rect) -> list[int]:
    import numpy as np

    return [int(at) for at in np.flatnonzero(_inside(boxes, seen))]


def _inside(boxes: Floats, seen: Rect) -> NDArray[np.bool_]:
    """Which boxes have a point in a rectangle: shape (boxes,)."""
    left, top, right, bottom = boxes.T
    inside: NDArray[np.bool_] = (left <= seen.right) & (right >= seen.x) & (top <= seen.bottom) & (bottom >= seen.y)
    return inside


def _boxes(rects: list[Rect]) -> Floats:
    import numpy as np

    boxes = np.fromiter(chain.from_iterable(rects), dtype=np.float32, count=4 * len(rects)).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    return boxes


def _pieces(layout: Layout) -> tuple[Floats, Numbers]:
    """The straight pieces of all lines, curves cut into `CURVE_PIECES`."""
    import numpy as np

    straight: list[float] = []
    curved: list[float] = []
    of_straight: list[int] = []
    of_curved: list[int] = []
    for at, route in enumerate(layout.routes):
        here = route.path.start
        for segment in route.path.segments:
            if isinstance(segment, Curve):
                curved += (*here, *segment.first, *segment.second, *segment.end)
                of_curved.append(at)
                here = segment.end
            else:
                straight += here
                straight += segment
                of_straight.append(at)
                here = segment
    lines = np.array(straight, dtype=np.float32).reshape(-1, 4)
    points: Any = np.array(curved, dtype=np.float32).reshape(-1, 4, 1, 2)
    t = np.linspace(0.0, 1.0, CURVE_PIECES + 1, dtype=np.float32).reshape(1, -1, 1)
    a, b, c, d = (points[:, at] for at in range(4))
    along = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    bent = np.concatenate([along[:, :-1], along[:, 1:]], axis=2).reshape(-1, 4)
    pieces = np.concatenate([lines, bent])
    route_of = np.concatenate(
        [np.array(of_straight, dtype=np.int64), np.repeat(np.array(of_curved, dtype=np.int64), CURVE_PIECES)]
    )
    order = np.argsort(route_of, kind="stable")
    return pieces[order], route_of[order]
