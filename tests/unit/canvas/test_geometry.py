"""Paths turned round and moved are the same line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.canvas.geometry import EMPTY_RECT, Curve, Path, Point, Rect, level_curve, union, up_to_grid
from tests.helpers.scenes import points_along

NUMBERS = st.integers(-1000, 1000).map(float)
POINTS = st.builds(Point, NUMBERS, NUMBERS)
PATHS = st.builds(
    Path, POINTS, st.lists(POINTS | st.builds(Curve, POINTS, POINTS, POINTS), min_size=1, max_size=6).map(tuple)
)


@given(PATHS)
def test_a_path_turned_round_passes_the_same_points_backwards(path: Path) -> None:
    there, back = points_along(path, 8), points_along(path.reversed(), 8)
    assert len(there) == len(back)
    for one, other in zip(there, reversed(back), strict=True):
        assert one == pytest.approx(other, abs=1e-6)
    assert path.reversed().reversed() == path


@given(PATHS, NUMBERS, NUMBERS)
def test_the_bounds_contain_the_path_wherever_it_is_moved(path: Path, dx: float, dy: float) -> None:
    bounds = path.moved(dx, dy).bounds().grown(1e-6)
    assert all(bounds.contains(Point(x + dx, y + dy)) for x, y in points_along(path))


def test_level_points_are_joined_by_a_straight_line() -> None:
    assert level_curve(Point(0, 5), Point(9, 5)) == Point(9, 5)
    curve = level_curve(Point(0, 0), Point(8, 4))
    assert isinstance(curve, Curve)
    assert (curve.first.y, curve.second.y) == (0, 4)


def test_rectangles() -> None:
    assert union([]) == EMPTY_RECT
    assert union([Rect(0, 0, 1, 1), Rect(4, 5, 1, 1)]) == Rect(0, 0, 5, 6)
    assert not Rect(0, 0, 2, 2).overlaps(Rect(2, 0, 2, 2))
    assert Rect(0, 0, 2, 2).overlaps(Rect(1, 1, 2, 2))
    assert up_to_grid(17) == 24
    assert up_to_grid(16) == 16
