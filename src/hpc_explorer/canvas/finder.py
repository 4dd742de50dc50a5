"""Find cards and lines of a picture by place or area."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.layout.result import Layout, Route
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.spatial import SpatialIndex
from hpc_explorer.canvas.walk import Links, node_at, route_at

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hpc_explorer.canvas.spatial import Floats


@dataclass(frozen=True)
class Finder:
    """Finds cards and lines.

    Args:
        links: the scene's links by node.
        index: the spatial index of a large picture; a small one is searched linearly.
    """

    scene: Scene
    layout: Layout
    links: Links
    index: SpatialIndex | None = None

    def card_at(self, place: Point) -> str | None:
        """The key of the node whose card is at a place."""
        if self.index is None:
            return node_at(self.layout, place)
        at = self.index.card_at(place)
        return self.scene.nodes[at].key if at is not None else None

    def route_at(self, place: Point, reach: float) -> Route | None:
        """The nearest line within `reach` scene units."""
        if self.index is None:
            return route_at(self.layout, place, reach)
        at = self.index.route_at(place, reach)
        return self.layout.routes[at] if at is not None else None

    def cards_in(self, seen: Rect) -> list[str]:
        """The keys of the nodes whose cards touch a rectangle, in the order of the scene."""
        if self.index is None:
            inside = seen.grown(1e-6)
            return [node.key for node in self.scene.nodes if self.layout.places[node.key].overlaps(inside)]
        return [self.scene.nodes[at].key for at in self.index.cards_in(seen)]

    def middles_in(self, area: Rect) -> list[str]:
        """The keys of the nodes whose cards are centred in a rectangle."""
        if self.index is None:
            return [key for key in self.cards_in(area) if area.contains(self.layout.places[key].centre)]
        return [self.scene.nodes[at].key for at in self.index.middles_in(area)]

    def middles_in_loop(self, loop: Sequence[Point]) -> list[str]:
        """The keys of the nodes whose cards are centred inside a closed line.

        If the line crosses itself, the even-odd rule decides.
        """
        import numpy as np

        if len(loop) < 3:
            return []
        across, down = zip(*loop, strict=True)
        around = Rect(min(across), min(down), max(across) - min(across), max(down) - min(down))
        keys = self.middles_in(around)
        middles = np.array([self.layout.places[key].centre for key in keys], dtype=np.float64).reshape(-1, 2)
        inside = _inside(middles, np.array(loop, dtype=np.float64))
        return [key for key, within in zip(keys, inside.tolist(), strict=True) if within]

    def weightiest_in(self, seen: Rect, most: int, many: int) -> list[str]:
        """The keys of the visible nodes, those with most links first.

        Args:
            most: maximum number of nodes.
            many: if more nodes are visible, those with at most one link are left out.
        """
        if self.index is not None:
            return [self.scene.nodes[at].key for at in self.index.weightiest_in(seen, most, many)]
        inside = self.cards_in(seen)
        weight = {key: len(self.links.of(key)) for key in inside}
        if len(inside) > many:
            inside = [key for key in inside if weight[key] > 1]
        return sorted(inside, key=lambda key: -weight[key])[:most]

    def boxes(self, keys: AbstractSet[str]) -> Floats:
        """Left, top, right, bottom of the cards of these nodes that exist; shape (cards, 4)."""
        import numpy as np

        if self.index is not None and len(keys) == len(self.scene.nodes):
            return self.index.cards
        if self.index is not None:
            return self.index.cards[[at for at in map(self.links.position.get, keys) if at is not None]]
        places = (self.layout.places[key] for key in keys if key in self.layout.places)
        return np.array([(*place[:2], place.right, place.bottom) for place in places], dtype=np.float32).reshape(-1, 4)

    def routes_of(self, keys: frozenset[str]) -> list[int]:
        """The positions of the lines from or to these nodes."""
        if len(keys) == len(self.scene.nodes):
            return list(range(len(self.layout.routes)))
        if self.index is not None:
            return self.index.routes_of([self.links.position[key] for key in keys])
        nodes = {self.links.position[key] for key in keys}
        return [
            at
            for at, route in enumerate(self.layout.routes)
            if route.bundle.source in nodes or route.bundle.target in nodes
        ]


def _inside(points: NDArray[np.float64], loop: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which points, shape (points, 2), lie inside a closed line, shape (corners, 2)."""
    import numpy as np

    inside = np.zeros(len(points), dtype=bool)
    x, y = points.T
    for (x0, y0), (x1, y1) in zip(loop.tolist(), np.roll(loop, -1, axis=0).tolist(), strict=True):
        if y0 != y1:
            passes = (y0 > y) != (y1 > y)
            inside ^= passes & (x < x0 + (y - y0) / (y1 - y0) * (x1 - x0))
    return inside
