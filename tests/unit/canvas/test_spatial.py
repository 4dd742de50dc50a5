"""Everything of a large layout found by place: the same as by looking at each card and line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import LIGHT, class_colour
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.spatial import SpatialIndex, spatial_index
from hpc_explorer.canvas.walk import node_at, route_at
from tests.helpers.scenes import field, mesh, points_along, scenes

_share = st.integers(-2, 42)


def place(bounds: Rect, x: int, y: int) -> Point:
    """A place in a mesh of forty by forty, off the units that cards end on, where rounding decides."""
    return Point(bounds.x + x / 40 * bounds.width + 0.37, bounds.y + y / 40 * bounds.height + 0.37)


@given(scenes(), _share, _share)
def test_a_place_has_the_card_and_the_line_that_looking_at_all_gives(scene: Scene, x: int, y: int) -> None:
    layout = arrange(scene)
    index = spatial_index(scene, layout, LIGHT)
    here = place(layout.bounds, x, y)
    at = index.card_at(here)
    found, expected = (scene.nodes[at].key if at is not None else None), node_at(layout, here)
    # Of cards that touch, the scene's first is found; the layout may tell them in another order.
    assert (found is None) == (expected is None)
    assert found is None or layout.places[found].grown(0.01).contains(here)
    nearest = index.route_at(here, 6.0)
    assert (nearest is None) == (route_at(layout, here, 6.0) is None) or route_at(layout, here, 5.5) is None


@given(scenes(), _share, _share, st.floats(1.0, 400.0))
def test_all_that_touches_a_part_is_found(scene: Scene, x: int, y: int, size: float) -> None:
    layout = arrange(scene)
    index = spatial_index(scene, layout, LIGHT)
    seen = Rect(*place(layout.bounds, x, y), size, size)
    cards = {scene.nodes[at].key for at in index.cards_in(seen)}
    assert {key for key, rect in layout.places.items() if rect.overlaps(seen)} <= cards
    assert cards <= {key for key, rect in layout.places.items() if rect.grown(0.01).overlaps(seen)}
    routes = set(index.routes_in(seen))
    inner = seen.grown(-2.0)
    for at, route in enumerate(layout.routes):
        if any(inner.contains(point) for point in points_along(route.path)):
            assert at in routes


def test_the_lines_of_a_node_are_found() -> None:
    scene = mesh(60)
    layout = arrange(scene)
    index = spatial_index(scene, layout, LIGHT)
    for at in range(0, 60, 7):
        ends = [(route.bundle.source, route.bundle.target) for route in layout.routes]
        assert index.routes_of([at]) == [number for number, pair in enumerate(ends) if at in pair]


def test_a_line_that_only_its_box_touches_is_not_found() -> None:
    scene, layout = field(9)
    [diagonal] = [at for at, route in enumerate(layout.routes) if route.bundle.edges == (1,)]
    box = layout.routes[diagonal].path.bounds()
    corner = Rect(box.right - 3.0, box.y + 1.0, 2.0, 2.0)
    assert diagonal not in spatial_index(scene, layout, LIGHT).routes_in(corner)


def test_each_card_has_the_colour_of_its_class() -> None:
    scene, layout = field(8)
    index: SpatialIndex = spatial_index(scene, layout, LIGHT)
    for at, node in enumerate(scene.nodes):
        assert index.colours[index.colour_of[at]] == class_colour(LIGHT, node.kind)


@pytest.mark.parametrize("scene", [Scene()])
def test_an_empty_scene_has_nothing_anywhere(scene: Scene) -> None:
    index = spatial_index(scene, arrange(scene), LIGHT)
    everywhere = Rect(-1e6, -1e6, 2e6, 2e6)
    assert (index.cards_in(everywhere), index.routes_in(everywhere), index.labels_in(everywhere)) == ([], [], [])
    assert index.card_at(Point(0, 0)) is None
    assert index.route_at(Point(0, 0), 5.0) is None
