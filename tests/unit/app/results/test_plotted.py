"""What of a plot is drawn: values in order, ranges that are never empty, marks along axes, and values as they are read."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.results.answer import AnswerPlot, Axis, Mark, Series
from hpc_explorer.app.results.plotted import MOST_SERIES, axis_ticks, least_distance, plotted, value_words, within
from hpc_explorer.query.table import CellKind

NUMBERS = Axis("size", "MB")
NAMES = Axis("on", kind=CellKind.TEXT, names=("Lassen", "Quartz", "Corona"))


def plot(*lines: tuple[Sequence[float], Sequence[float]], mark: Mark = Mark.LINE, x: Axis = NUMBERS) -> AnswerPlot:
    return AnswerPlot("", x, NUMBERS, tuple(Series(str(at), *line) for at, line in enumerate(lines)), mark)


def test_values_are_in_order_from_left_to_right_and_gaps_stay() -> None:
    ((xs, ys),) = plotted(plot(([3, 1, 2], [30.0, math.inf, 20.0]))).series
    assert xs.tolist() == [1, 2, 3]
    assert math.isnan(ys[0])
    assert ys[1:].tolist() == [20, 30]


def test_of_many_series_the_first_are_drawn() -> None:
    assert len(plotted(plot(*[([0], [at]) for at in range(MOST_SERIES + 3)])).series) == MOST_SERIES


@pytest.mark.parametrize(
    ("heights", "up"),
    [([1, 100], (0, 105)), ([-1, -100], (-105, 0)), ([-50, 50], (-55, 55)), ([5], (0, 5.25)), ([], (0, 1))],
)
def test_bars_stand_on_zero(heights: list[float], up: tuple[float, float]) -> None:
    assert plotted(plot((range(len(heights)), heights), mark=Mark.BARS)).up == pytest.approx(up)


def test_bars_and_names_have_room_at_both_ends() -> None:
    assert plotted(plot(([0, 1, 2], [1, 2, 3]), mark=Mark.BARS)).across == (-0.5, 2.5)
    assert plotted(plot(([0, 1, 2], [1, 2, 3]), x=NAMES)).across == (-0.5, 2.5)
    assert plotted(plot(([0, 1, 2], [1, 2, 3]))).across == (0, 2)


@given(st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)), max_size=20), st.sampled_from(Mark))
def test_all_values_are_within_axes_that_are_not_empty(values: list[tuple[float, float]], mark: Mark) -> None:
    found = plotted(plot(([x for x, _ in values], [y for _, y in values]), mark=mark))
    for (low, high), numbers in ((found.across, [x for x, _ in values]), (found.up, [y for _, y in values])):
        assert low < high
        assert all(low <= number <= high for number in numbers)


def test_no_part_of_an_axis_is_outside_of_it() -> None:
    assert within((2, 4), (0, 10)) == (2, 4)
    assert within((-3, 1), (0, 10)) == (0, 4)
    assert within((9, 12), (0, 10)) == (7, 10)
    assert within((-5, 50), (0, 10)) == (0, 10)
    low, high = within((5, 5), (0, 10))
    assert high - low == pytest.approx(1e-5)


def test_distances_are_between_places_that_differ() -> None:
    import numpy as np

    assert least_distance([np.array([0.0, 4.0, 4.0]), np.array([1.0, np.nan])]) == 1.0
    assert least_distance([np.array([7.0])]) == 1.0
    assert least_distance([]) == 1.0


def test_names_along_an_axis_are_those_in_sight() -> None:
    assert axis_ticks(NAMES, (-0.5, 2.5), 9) == ((0, "Lassen"), (1, "Quartz"), (2, "Corona"))
    assert axis_ticks(NAMES, (-0.5, 2.5), 2) == ((0, "Lassen"), (2, "Corona"))
    assert axis_ticks(NAMES, (0.4, 1.6), 9) == ((1, "Quartz"),)


@pytest.mark.parametrize(
    ("axis", "value", "said"),
    [
        (NUMBERS, 12345.0, "size 12,345 MB"),
        (NUMBERS, 0.1234567, "size 0.123457 MB"),
        (NUMBERS, math.nan, "size missing"),
        (NAMES, 1.0, "on Quartz"),
        (Axis("at", kind=CellKind.TIME), 0.0, "at 1970-01-01"),
    ],
)
def test_a_value_is_read_with_its_axis(axis: Axis, value: float, said: str) -> None:
    assert value_words(axis, value).startswith(said)
