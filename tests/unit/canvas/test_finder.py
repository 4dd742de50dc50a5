"""Finding cards and lines by place and by area, in small pictures and in large ones alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hpc_explorer.canvas.finder import Finder
from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.canvas.spatial import spatial_index
from hpc_explorer.canvas.walk import links
from tests.helpers.scenes import field


@pytest.fixture(params=["looked through", "indexed"])
def finder(request: pytest.FixtureRequest) -> Finder:
    """Of 400 cards in a grid of twelve columns, 300 by 120 units apart."""
    scene, layout = field(400)
    plain = Finder(scene, layout, links(scene))
    return plain if request.param == "looked through" else replace(plain, index=spatial_index(scene, layout, LIGHT))


def test_cards_are_found_in_a_rectangle(finder: Finder) -> None:
    places = finder.layout.places
    area = Rect(250.0, 100.0, 900.0, 500.0)
    assert set(finder.cards_in(area)) == {key for key, place in places.items() if place.overlaps(area)}
    assert set(finder.middles_in(area)) == {key for key, place in places.items() if area.contains(place.centre)}
    assert finder.middles_in(Rect(-900.0, 0.0, 100.0, 100.0)) == []


def test_a_loop_takes_what_lies_inside_it(finder: Finder) -> None:
    places = finder.layout.places
    corners = [Point(0.0, 0.0), Point(2_000.0, 0.0), Point(0.0, 2_000.0)]
    inside = {key for key, place in places.items() if sum(place.centre) < 2_000.0}
    assert set(finder.middles_in_loop(corners)) == inside
    assert set(finder.middles_in_loop(corners[::-1])) == inside


def test_a_hole_in_a_loop_is_left_out(finder: Finder) -> None:
    outer = [(0, 0), (3_000, 0), (3_000, 3_000), (0, 3_000), (0, 0)]
    inner = [(900, 900), (900, 1_800), (1_800, 1_800), (1_800, 900), (900, 900)]
    loop = [Point(float(x), float(y)) for x, y in outer + inner]
    hole = Rect(900.0, 900.0, 900.0, 900.0)
    around = Rect(0.0, 0.0, 3_000.0, 3_000.0)
    middles = {key: place.centre for key, place in finder.layout.places.items()}
    ring = {key for key, middle in middles.items() if around.contains(middle) and not hole.contains(middle)}
    assert set(finder.middles_in_loop(loop)) == ring


def test_a_loop_without_area_takes_nothing(finder: Finder) -> None:
    assert finder.middles_in_loop([Point(0.0, 0.0), Point(900.0, 900.0)]) == []


def test_the_lines_of_some_nodes(finder: Finder) -> None:
    position = finder.links.position
    chosen = {position["n3"], position["n77"]}
    expected = [
        at for at, route in enumerate(finder.layout.routes) if chosen & {route.bundle.source, route.bundle.target}
    ]
    assert finder.routes_of(frozenset(("n3", "n77"))) == expected


def test_boxes_are_the_cards_sides(finder: Finder) -> None:
    (box,) = finder.boxes({"n77"}).tolist()
    place = finder.layout.places["n77"]
    assert box == pytest.approx([place.x, place.y, place.right, place.bottom])
