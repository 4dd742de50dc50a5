"""Marks of axes, and what is drawn of very many values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.results.plotting import thinned, thinned_points, ticks, time_ticks

numbers = st.floats(-1e9, 1e9, allow_nan=False)


def test_marks_are_round_and_grouped() -> None:
    assert ticks(0, 60_000, 6) == tuple((n * 10_000.0, f"{n * 10_000:,}") for n in range(7))
    assert [text for _, text in ticks(0.0, 1.1, 6)] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert [text for _, text in ticks(-0.05, 0.05, 4)] == ["-0.05", "0.00", "0.05"]
    assert [text for _, text in ticks(1e8, 3e8, 2)] == ["1e+08", "2e+08", "3e+08"]
    assert ticks(2.0, 2.0, 5) == ((2.0, "2"),)


@given(numbers, st.floats(1e-3, 1e9), st.integers(1, 12))
def test_marks_rise_lie_within_and_are_no_more_than_wanted(low: float, width: float, most: int) -> None:
    high = low + width
    found = [value for value, _ in ticks(low, high, most)]
    assert found == sorted(set(found))
    assert len(found) <= most + 1
    # Of a large number with a small width, the last digit is no small part of that width.
    slack = width * 1e-6 + 4 * math.ulp(max(abs(low), abs(high)))
    assert all(low - slack <= value <= high + slack for value in found)


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0, 0.4, ["00:00:00.000", "00:00:00.100", "00:00:00.200", "00:00:00.300", "00:00:00.400"]),
        (0, 40, ["1970-01-01", "00:00:10", "00:00:20", "00:00:30", "00:00:40"]),
        (82_800, 90_000, ["23:00", "23:30", "1970-01-02", "00:30", "01:00"]),
        (0, 4 * 86_400, ["1970-01-01", "1970-01-02", "1970-01-03", "1970-01-04", "1970-01-05"]),
        (0, 118 * 86_400, ["1970-01", "1970-02", "1970-03", "1970-04"]),
        (0, 4 * 365 * 86_400, ["1970", "1971", "1972", "1973"]),
    ],
)
def test_marks_of_times_are_times(low: float, high: float, texts: list[str]) -> None:
    assert [text for _, text in time_ticks(low, high, 4)] == texts


@given(st.integers(1, 5_000), st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_what_is_drawn_of_a_line_has_its_extremes(count: int, columns: int, seed: int) -> None:
    xs = np.arange(count, dtype=float)
    ys = np.random.default_rng(seed).normal(size=count)
    drawn_x, drawn_y = thinned(xs, ys, 0, count, columns)
    assert len(drawn_x) == len(drawn_y) <= max(4 * columns, count)
    assert drawn_y.min() == ys.min()
    assert drawn_y.max() == ys.max()
    assert np.all(np.diff(drawn_x) >= 0)


def test_a_part_of_a_line_is_drawn_beyond_its_edges_and_gaps_stay() -> None:
    xs, ys = np.arange(100.0), np.arange(100.0)
    assert thinned(xs, ys, 10, 20, 50)[0].tolist() == list(np.arange(9.0, 22.0))
    ys[:] = np.nan
    ys[:1_000] = np.nan
    assert np.isnan(thinned(np.arange(5_000.0), np.full(5_000, np.nan), 0, 5_000, 10)[1]).all()
    assert len(thinned(np.empty(0), np.empty(0), 0, 1, 10)[0]) == 0


def test_points_of_one_square_are_one_point() -> None:
    xs, ys = thinned_points(np.array([2.2, 1.9, 4.0, np.nan]), np.array([1.9, 2.0, 4.0, 2.0]), 2.0)
    assert (xs.tolist(), ys.tolist()) == ([2.0, 4.0], [2.0, 4.0])
