"""Zooming and moving keep what they promise to keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.canvas.camera import LARGEST, MARGIN, READABLE, SMALLEST, WHOLE_FROM, Camera, fitting, opening
from hpc_explorer.canvas.geometry import Point, Rect, Size

PLACES = st.floats(-5000, 5000)
CAMERAS = st.builds(Camera, st.floats(0.05, 4), PLACES, PLACES)
BOUNDS = st.builds(Rect, PLACES, PLACES, st.floats(1, 20000), st.floats(1, 20000))
VIEWS = st.builds(Size, st.floats(200, 3000), st.floats(200, 2000))


@given(CAMERAS, st.builds(Point, PLACES, PLACES))
def test_a_place_of_the_scene_is_found_in_the_view_and_back(camera: Camera, place: Point) -> None:
    assert camera.to_scene(camera.to_view(place)) == pytest.approx(place, abs=1e-6)


@given(CAMERAS, st.floats(0.01, 100), st.builds(Point, st.floats(0, 2000), st.floats(0, 2000)))
def test_zooming_keeps_what_is_under_the_pointer(camera: Camera, factor: float, at: Point) -> None:
    zoomed = camera.zoomed(factor, at)
    assert SMALLEST <= zoomed.scale <= LARGEST
    assert zoomed.to_scene(at) == pytest.approx(camera.to_scene(at), abs=1e-3)


@given(BOUNDS, VIEWS, st.floats(0, 60))
def test_fitting_shows_all_of_the_picture(bounds: Rect, view: Size, below: float) -> None:
    camera = fitting(bounds, view, below)
    shown = camera.rect_to_view(bounds)
    assert camera.scale <= 1
    if camera.scale > SMALLEST:
        assert shown.x >= -0.01
        assert shown.y >= -0.01
        assert shown.right <= view.width + 0.01
        assert shown.bottom <= view.height - below + 0.01


@given(BOUNDS, VIEWS)
def test_a_new_picture_is_readable_and_shows_what_it_is_about(bounds: Rect, view: Size) -> None:
    focus = Rect(bounds.right - 1, bounds.bottom - 1, 1, 1)
    camera = opening(bounds, focus, view)
    whole = fitting(bounds, view)
    assert camera == whole if whole.scale >= WHOLE_FROM else camera.scale == READABLE
    assert Rect(0, 0, *view).grown(0.01).contains(camera.to_view(focus.centre))


def test_a_large_picture_without_focus_opens_at_its_beginning() -> None:
    camera = opening(Rect(0, 0, 9000, 9000), None, Size(800, 600))
    assert camera.to_view(Point(0, 0)) == pytest.approx((MARGIN, MARGIN))


@given(CAMERAS, BOUNDS, VIEWS)
def test_the_picture_cannot_be_lost(camera: Camera, bounds: Rect, view: Size) -> None:
    shown = camera.kept(bounds, view).rect_to_view(bounds)
    assert shown.grown(0.1).overlaps(Rect(0, 0, *view))


@given(CAMERAS, VIEWS, PLACES, PLACES)
def test_a_card_is_moved_into_sight_and_one_in_sight_stays(camera: Camera, view: Size, x: float, y: float) -> None:
    card = Rect(x, y, 160 / camera.scale / 4, 48 / camera.scale / 4)
    there = camera.showing(card, view)
    assert Rect(0, 0, *view).contains(there.to_view(card.centre))
    again = there.showing(card, view)
    assert (again.x, again.y) == pytest.approx((there.x, there.y), abs=1e-6)


CARD = st.builds(Rect, PLACES, PLACES, st.floats(1, 400), st.floats(1, 200))


@given(CAMERAS, st.lists(CARD, max_size=12), st.none() | CARD, VIEWS)
def test_a_card_that_is_revealed_is_in_sight(
    camera: Camera, cards: list[Rect], beside: Rect | None, view: Size
) -> None:
    there = camera.revealing(cards, beside, view)
    assert there.scale == camera.scale
    seen = there.seen(view)
    assert not cards or any(seen.overlaps(card) for card in cards)
    again = there.revealing(cards, beside, view)
    assert beside is None or (again.x, again.y) == pytest.approx((there.x, there.y), abs=1e-6)


def test_as_many_cards_are_revealed_as_there_is_room_for_beside_the_one_they_come_from() -> None:
    camera, view, beside = Camera(), Size(800, 600), Rect(300, 300, 200, 50)
    column = [Rect(700, 60 + 60 * row, 200, 50) for row in range(6)]
    there = camera.revealing(column, beside, view)
    assert all(there.seen(view).contains(card.centre) for card in (*column, beside))
    assert there.y == 0, "only as far as needed"
    far = Rect(5000, 300, 200, 50)
    assert camera.revealing([far], beside, view).seen(view).overlaps(far)
    assert camera.revealing([Rect(100, 100, 200, 50)], beside, view) == camera
    assert camera.revealing([], beside, view) == camera


def test_a_motion_ends_where_it_should() -> None:
    start, goal = Camera(1, 0, 0), Camera(4, 100, 50)
    assert start.between(goal, 0) == start
    assert start.between(goal, 1) == goal
    assert start.between(goal, 0.5).scale == pytest.approx(2)
