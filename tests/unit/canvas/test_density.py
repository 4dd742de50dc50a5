"""A large picture from far away: lines, cards and their colours are where they belong."""

from __future__ import annotations

import pytest

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.density import covered, density
from hpc_explorer.canvas.geometry import Path, Point, Rect, Size
from hpc_explorer.canvas.layout.result import Bundle, Layout, Route
from hpc_explorer.canvas.palette import DARK, LIGHT, Theme, class_colour
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.spatial import spatial_index
from hpc_explorer.errors import Cancelled
from tests.helpers.scenes import field

Colour = tuple[int, int, int]


def rgb(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def pixel(image, x: int, y: int) -> Colour:  # type: ignore[no-untyped-def]
    blue, green, red, opaque = (int(value) for value in image[y, x])
    assert opaque == 255
    return red, green, blue


def two(between: Path) -> tuple[Scene, Layout]:
    """Two cards of 20 by 10 units, and a line."""
    scene = Scene((SceneNode("a", "A", "Dataset"), SceneNode("b", "B", "AIModel")), (SceneEdge("a", "b"),))
    route = Route(Bundle(0, 1, 0, 1, "", "asserted", (0,)), between)
    places = {"a": Rect(0.0, 0.0, 20.0, 10.0), "b": Rect(80.0, 80.0, 20.0, 10.0)}
    return scene, Layout(places, {"a": 0.0, "b": 0.0}, (route,), bounds=Rect(0.0, 0.0, 100.0, 90.0))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_cards_have_their_colours_and_the_rest_is_background(theme: Theme) -> None:
    scene, layout = two(Path(Point(20.0, 50.0), (Point(80.0, 50.0),)))
    image = density(spatial_index(scene, layout, theme), Camera(2.0), Size(200, 180), theme)
    assert image.shape == (180, 200, 4)
    assert pixel(image, 20, 10) == rgb(class_colour(theme, "Dataset"))
    assert pixel(image, 180, 170) == rgb(class_colour(theme, "AIModel"))
    assert pixel(image, 100, 20) == rgb(theme.background)


@pytest.mark.parametrize(
    ("line", "on", "off"),
    [
        (Path(Point(20.0, 50.5), (Point(80.0, 50.5),)), (50, 50), (50, 56)),
        (Path(Point(50.5, 20.0), (Point(50.5, 70.0),)), (50, 50), (56, 50)),
        (Path(Point(20.0, 20.0), (Point(70.0, 70.0),)), (45, 45), (45, 53)),
        (Path(Point(70.0, 20.0), (Point(20.0, 70.0),)), (45, 44), (30, 30)),
        (Path(Point(-9_000.0, 50.5), (Point(9_000.0, 50.5),)), (50, 50), (50, 56)),
    ],
    ids=["across", "upright", "falling", "rising", "far beyond both edges"],
)
def test_a_line_is_drawn_along_its_way_and_nowhere_else(line: Path, on: tuple[int, int], off: tuple[int, int]) -> None:
    scene, layout = two(line)
    image = density(spatial_index(scene, layout, LIGHT), Camera(1.0), Size(100, 90), LIGHT)
    background, edge = rgb(LIGHT.background), rgb(LIGHT.edge)
    assert pixel(image, *off) == background
    drawn = pixel(image, *on)
    # Between the background and the colour of lines, nearer to lines than a tenth of the way.
    for found, low, high in zip(drawn, edge, background, strict=True):
        assert min(low, high) <= found < max(low, high) - 0.1 * abs(high - low)


def test_many_lines_at_one_place_are_darker_than_one() -> None:
    scene, layout = two(Path(Point(20.0, 50.5), (Point(80.0, 50.5),)))
    more = Layout(layout.places, layout.feet, layout.routes * 40, bounds=layout.bounds)
    one, many = (
        pixel(density(spatial_index(scene, each, LIGHT), Camera(1.0), Size(100, 90), LIGHT), 50, 50)
        for each in (layout, more)
    )
    assert sum(many) < sum(one)


def test_a_lone_node_is_seen_however_far_away() -> None:
    scene, layout = two(Path(Point(0.0, 0.0), (Point(0.0, 0.0),)))
    image = density(spatial_index(scene, layout, LIGHT), Camera(0.02), Size(20, 20), LIGHT, cards=True)
    assert pixel(image, 1, 1) != rgb(LIGHT.background)


def test_the_same_place_looks_the_same_wherever_the_view_begins() -> None:
    scene, layout = field(400)
    index = spatial_index(scene, layout, LIGHT)
    here = density(index, Camera(0.25, 400.0, 200.0), Size(300, 200), LIGHT, cards=False)
    beside = density(index, Camera(0.25, 400.0 - 80.0, 200.0 - 40.0), Size(300, 200), LIGHT, cards=False)
    inner = here[20:150, 20:250].astype(int)
    same = beside[30:160, 40:270].astype(int)
    # Lines that a view cuts begin elsewhere by a part of a pixel.
    assert abs(inner - same).mean() < 2.0


def test_lines_alone_are_drawn_without_cards() -> None:
    scene, layout = two(Path(Point(20.0, 50.0), (Point(80.0, 50.0),)))
    image = density(spatial_index(scene, layout, LIGHT), Camera(2.0), Size(200, 180), LIGHT, cards=False)
    assert pixel(image, 20, 10) == rgb(LIGHT.background)


def test_cards_alone_are_drawn_without_lines() -> None:
    scene, layout = two(Path(Point(20.0, 50.0), (Point(80.0, 50.0),)))
    image = density(spatial_index(scene, layout, LIGHT), Camera(2.0), Size(200, 180), LIGHT, lines=False)
    assert pixel(image, 20, 10) == rgb(class_colour(LIGHT, "Dataset"))
    assert pixel(image, 100, 100) == rgb(LIGHT.background)


def test_what_is_no_longer_wanted_is_abandoned() -> None:
    scene, layout = field(400)

    def stop() -> None:
        raise Cancelled("the picture is no longer wanted")

    with pytest.raises(Cancelled):
        density(spatial_index(scene, layout, LIGHT), Camera(0.1), Size(300, 200), LIGHT, stop)


@pytest.mark.parametrize("across", [0.0, 0.25, 0.5])
def test_a_card_between_pixels_covers_them_exactly_as_far_as_it_lies_on_them(across: float) -> None:
    scene = Scene((SceneNode("a", "A", "Dataset"),))
    layout = Layout({"a": Rect(2.0 + across, 3.0, 2.0, 1.0)}, {"a": 0.0}, (), bounds=Rect(0.0, 0.0, 8.0, 8.0))
    image = density(spatial_index(scene, layout, LIGHT), Camera(1.0), Size(8, 8), LIGHT)
    background, card = rgb(LIGHT.background), rgb(class_colour(LIGHT, "Dataset"))
    for column, share in ((1, 0.0), (2, 1.0 - across), (3, 1.0), (4, across), (5, 0.0)):
        mixed = tuple(round(b + (c - b) * share) for b, c in zip(background, card, strict=True))
        assert pixel(image, column, 3) == pytest.approx(mixed, abs=1)
    assert pixel(image, 3, 2) == pixel(image, 3, 4) == background


def test_what_is_covered_by_rectangles() -> None:
    import numpy as np

    boxes = np.array([[1, 1, 3, 2], [2, 1, 5, 4], [-9, 6, 0.1, 6.1], [90, 90, 99, 99]], dtype=np.float32)
    found = covered(boxes, Camera(1.0), Size(6, 8))
    expected = np.zeros((8, 6), dtype=np.uint8)
    expected[1:2, 1:3] = expected[1:4, 2:5] = expected[6, 0] = 255
    assert found.tolist() == expected.tolist()
