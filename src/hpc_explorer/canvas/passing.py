"""Find the cards that highlighted lines cross, to draw them over the lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hpc_explorer.canvas.geometry import Curve, Point, point_along
from hpc_explorer.canvas.layout.result import Layout, Route
from hpc_explorer.canvas.scene import Scene, SceneNode

MOST_CARDS, MOST_LINES = 600, 60
"""Maximum number for which this is computed, because it is repeated whenever another card is hovered."""

_CELL, _CLOSE = 96.0, 16.0


def crossed_cards(scene: Scene, layout: Layout, routes: Sequence[Route], near: Sequence[SceneNode]) -> list[SceneNode]:
    """The nodes whose cards lie on a line that neither starts nor ends there.

    Args:
        near: the candidates.
    """
    if len(near) > MOST_CARDS or len(routes) > MOST_LINES:
        return []
    cells: dict[tuple[int, int], list[SceneNode]] = {}
    for node in near:
        rect = layout.places[node.key]
        for column in range(int(rect.x // _CELL), int(rect.right // _CELL) + 1):
            for row in range(int(rect.y // _CELL), int(rect.bottom // _CELL) + 1):
                cells.setdefault((column, row), []).append(node)
    passed: dict[str, SceneNode] = {}
    for route in routes:
        ends = {scene.nodes[route.bundle.source].key, scene.nodes[route.bundle.target].key}
        for point in _points_on(route):
            for node in cells.get((int(point.x // _CELL), int(point.y // _CELL)), ()):
                if node.key not in passed and node.key not in ends and layout.places[node.key].contains(point):
                    passed[node.key] = node
    return list(passed.values())


def _points_on(route: Route) -> Iterator[Point]:
    """Points of a line, closer together than a card's height."""
    for start, segment in route.path.pieces():
        end = segment.end if isinstance(segment, Curve) else segment
        number = max(4, int((abs(end.x - start.x) + abs(end.y - start.y)) / _CLOSE))
        for at in range(number + 1):
            yield point_along(start, segment, at / number)
