"""The signs, the plates that bear them, and that every output draws them from the same primitives."""

from __future__ import annotations

import pytest

from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.icons import SIDE, STROKE, TITLES, mark, placed, strokes
from hpc_explorer.canvas.kinds import ICONS, SHAPES, Icon, Shape
from hpc_explorer.canvas.palette import LIGHT, PRINT, THEMES, Look, Theme, class_look
from hpc_explorer.canvas.primitives import Box, Polygon, Sign, extent, moved, recoloured


@pytest.mark.parametrize("icon", ICONS)
def test_a_sign_stays_within_its_square(icon: Icon) -> None:
    paths = strokes(icon)
    assert paths
    for path in paths:
        for point in path.points():
            assert STROKE / 2 <= point.x <= SIDE - STROKE / 2, point
            assert STROKE / 2 <= point.y <= SIDE - STROKE / 2, point


def test_every_sign_is_its_own_and_has_a_title() -> None:
    assert set(TITLES) == set(ICONS)
    assert len({strokes(icon) for icon in ICONS}) == len(ICONS)


def test_a_sign_is_placed_in_any_square() -> None:
    here = placed("project", Rect(100, 50, 32, 32))
    plain = strokes("project")
    assert [path.start for path in here] == [Point(100 + 2 * path.start.x, 50 + 2 * path.start.y) for path in plain]
    assert [len(path.segments) for path in here] == [len(path.segments) for path in plain]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_plate_has_its_shape_and_the_sign_in_its_middle(shape: Shape, theme: Theme) -> None:
    square = Rect(10, 20, 24, 24)
    plate, sign = mark(Look("#aa5500", "#ffffff", "place", shape), square, theme)
    assert isinstance(sign, Sign)
    assert sign.square.centre == square.centre == extent(plate).centre
    assert sign.colour == ("#aa5500" if theme.outlined else "#ffffff")
    assert isinstance(plate, Box | Polygon)
    assert (plate.fill, plate.stroke) == ((theme.surface, "#aa5500") if theme.outlined else ("#aa5500", None))
    if isinstance(plate, Polygon):
        assert len(plate.points) == {"hexagon": 6, "diamond": 4}[shape]
    else:
        assert plate.radius == (12 if shape == "circle" else 5)


def test_on_paper_kinds_differ_without_colour() -> None:
    looks = {key: class_look(PRINT, key) for key in ("data", "file", "model", "activity", "experiment", "agent")}
    assert len({look.colour for look in looks.values()}) == 1
    assert len({(look.icon, look.shape) for look in looks.values()}) == len(looks)


def test_signs_and_outlines_are_moved_and_recoloured_with_the_rest() -> None:
    drawn = mark(class_look(LIGHT, "machine"), Rect(0, 0, 24, 24), PRINT)
    there = moved(drawn, 5, 7)
    for one, other in zip(drawn, there, strict=True):
        assert extent(other) == extent(one).moved(5, 7)
    plate, sign = recoloured(drawn, lambda colour: "#010203")
    assert isinstance(plate, Polygon)
    assert isinstance(sign, Sign)
    assert {plate.fill, plate.stroke, sign.colour} == {"#010203"}
