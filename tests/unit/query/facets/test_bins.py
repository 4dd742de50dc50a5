"""The axes of histograms: where bins begin and end, and where a value stands."""

from __future__ import annotations

import itertools
import math
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hpc_explorer.query.facets.bins import MOST_BINS, Bin, Tally, edges_of_moments, edges_of_numbers, filled
from hpc_explorer.query.facets.places import comparable_with, place_of
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import Literal

_numbers = st.floats(allow_nan=False, allow_infinity=False) | st.floats(-1000, 1000)
_neighbours = st.builds(
    lambda number, away: (number, number + away * math.ulp(number)), st.floats(-1e300, 1e300), st.integers(0, 100)
)
_of_tenths = st.tuples(*[st.builds(lambda n, d: n / 10**d, st.integers(-1000, 1000), st.integers(0, 5))] * 2)


@given(st.tuples(_numbers, _numbers) | _neighbours | _of_tenths, st.booleans())
@example((0.0, 5e-324), False)
@example((0.0, 1.2e-322), False)
@example((-1.7e308, 1.7e308), False)
@example((4.199999999999999, 7.8), False)
@example((1 - 2.0**-53, 1.0), False)
def test_bins_of_numbers_reach_from_the_least_to_beyond_the_greatest(
    both: tuple[float, float], are_whole: bool
) -> None:
    low, high = sorted(float(math.floor(one)) if are_whole else one for one in both)
    edges = edges_of_numbers(low, high, are_whole=are_whole)
    assert edges[0] <= low < edges[1]
    assert edges[-2] <= high < edges[-1]
    assert edges == sorted(set(edges))
    assert len(edges) <= MOST_BINS + 3


@pytest.mark.parametrize(
    ("low", "high", "are_whole", "edges"),
    [
        (3, 3, True, [3, 4]),
        (3, 3, False, [3, 3.3]),
        (0, 0, False, [0, 0.1]),
        (0, 4, True, [0, 1, 2, 3, 4, 5]),
        (1, 45, True, [2 * n for n in range(24)]),
        (0, 46, True, [2 * n for n in range(25)]),
        (0, 47, True, [5 * n for n in range(11)]),
        (-120, 100, True, [10 * n for n in range(-12, 12)]),
        (0.5, 1.5, False, [n / 20 for n in range(10, 32)]),
        (0, 1e6, False, [50_000 * n for n in range(22)]),
        (2.0**53, 2.0**53, True, [2.0**53, 2.0**53 + 2]),
    ],
)
def test_bins_are_1_2_or_5_times_a_power_of_ten_wide(
    low: float, high: float, are_whole: bool, edges: list[float]
) -> None:
    assert edges_of_numbers(low, high, are_whole=are_whole) == pytest.approx(edges, rel=1e-12)


def _years(*years: int) -> list[float]:
    return [datetime(year, 1, 1, tzinfo=UTC).timestamp() for year in years]


def _moments(first: str, step: timedelta, number: int) -> list[float]:
    return [(datetime.fromisoformat(f"{first}+00:00") + n * step).timestamp() for n in range(number)]


@pytest.mark.parametrize(
    ("low", "high", "edges"),
    [
        ("2021-03-01T08:00:00", "2021-03-01T08:00:00", _moments("2021-03-01T08:00:00", timedelta(seconds=1), 2)),
        ("2021-03-01T08:00:00", "2021-03-01T08:00:23", _moments("2021-03-01T08:00:00", timedelta(seconds=1), 25)),
        ("2021-03-01T08:00:01", "2021-03-01T08:00:25", _moments("2021-03-01T08:00:00", timedelta(seconds=2), 14)),
        ("2021-03-01T08:07:00", "2021-03-01T10:20:00", _moments("2021-03-01T08:00:00", timedelta(minutes=10), 16)),
        ("2021-03-01T08:07:00", "2021-03-02T06:20:00", _moments("2021-03-01T08:00:00", timedelta(hours=1), 24)),
        ("2021-03-01T08:07:00", "2021-03-20T06:20:00", _moments("2021-03-01T00:00:00", timedelta(days=1), 21)),
        ("2021-03-05T00:00:00", "2021-08-20T00:00:00", _moments("2021-03-04T00:00:00", timedelta(weeks=2), 14)),
        ("2021-01-05T00:00:00", "2021-11-22T00:00:00", _moments("2020-12-24T00:00:00", timedelta(weeks=2), 25)),
        ("2000-05-05T00:00:00", "2020-01-01T00:00:00", _years(*range(2000, 2022))),
        ("1850-05-05T00:00:00", "1950-01-01T00:00:00", _years(*range(1850, 1956, 5))),
        ("0001-06-01T00:00:00", "9999-06-01T00:00:00", [*_years(1, *range(500, 10_000, 500)), math.inf]),
        ("1969-12-31T23:59:59", "1970-01-01T00:00:01", _moments("1969-12-31T23:59:59", timedelta(seconds=1), 4)),
    ],
)  # fmt: skip
def test_bins_of_moments_are_those_of_clock_and_calendar(low: str, high: str, edges: list[float]) -> None:
    first, last = (datetime.fromisoformat(f"{text}+00:00").timestamp() for text in (low, high))
    assert edges_of_moments(first, last) == edges


@given(st.datetimes(), st.datetimes())
def test_bins_of_moments_reach_from_the_first_to_beyond_the_last(one: datetime, other: datetime) -> None:
    low, high = sorted(moment.replace(tzinfo=UTC).timestamp() for moment in (one, other))
    edges = edges_of_moments(low, high)
    assert edges[0] <= low <= high < edges[-1]
    assert edges[-2] <= high
    assert low < edges[1]
    assert edges == sorted(set(edges))
    assert len(edges) <= MOST_BINS + 2
    days = [datetime.fromtimestamp(edge, UTC) for edge in edges if math.isfinite(edge)]
    if high - low > 366 * 86400:
        months = [12 * day.year + day.month - 1 for day in days]
        assert all((day.day, day.hour, day.minute, day.second) == (1, 0, 0, 0) for day in days)
        # The years before the first are none.
        steps = {later - earlier for earlier, later in itertools.pairwise(months) if earlier > 12}
        assert len(steps) <= 1
        assert not steps or all(month % min(steps) == 0 for month in months if month > 12)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 3)), min_size=1))
def test_bins_count_and_name_what_is_in_them(said: list[tuple[int, int]]) -> None:
    edges = [0.0, 2.0, 5.0, 7.0, 10.0]
    tallies = [Tally(float(place), often, Literal(str(place)), Decimal(place)) for place, often in said]
    expected = []
    for low, high in itertools.pairwise(edges):
        own = [(place, often) for place, often in said if low <= place < high]
        ends = (Literal(str(min(own)[0])), Literal(str(max(own)[0]))) if own else (None, None)
        expected.append(Bin(low, high, sum(often for _, often in own), *ends))
    assert filled(edges, tallies) == tuple(expected)


@pytest.mark.parametrize(
    ("datatype", "text", "place"),
    [
        ("integer", "-7", -7), ("integer", "+07", 7), ("integer", "7.0", None), ("integer", "9223372036854775807", 2.0**63), ("integer", "9223372036854775808", None),
        ("integer", "-9223372036854775808", -(2.0**63)), ("integer", "-9223372036854775809", None), ("byte", "7", 7), ("decimal", ".5", 0.5), ("decimal", "5.", 5), ("decimal", "1e0", None),
        ("decimal", "0.123456789012345678", 0.123456789012345678), ("decimal", "0.1234567890123456789", None), ("decimal", "0.12345678901234567800", 0.123456789012345678), ("decimal", "170141183460469231731", 1.7014118346046924e20),
        ("decimal", "170141183460469231732", None), ("double", "1.5e2", 150), ("double", "-.5E-1", -0.05), ("double", "INF", None), ("double", "NaN", None), ("double", "1e400", None), ("double", "1_0", None),
        ("float", "0.1", 0.10000000149011612), ("float", "1e39", None), ("string", "1", None), ("boolean", "true", None), ("date", "1970-01-02", 86400), ("date", "1970-01-02+02:00", 79200), ("date", "2021-02-30", None), ("date", "soon", None),
        ("dateTime", "1970-01-01T01:01:01.5Z", 3661.5), ("dateTime", "1970-01-01T01:01:01.5", 3661.5), ("dateTime", "1970-01-01T00:00:00+01:30", -5400), ("dateTime", "1970-01-01T00:00:00-14:59", 53940), ("dateTime", "1970-01-01T24:00:00Z", 86400),
        ("dateTime", "1970-01-01T24:00:01Z", None), ("dateTime", "1969-12-31T23:59:59Z", -1), ("dateTime", "1970-01-01T00:00:60Z", None), ("dateTime", "1970-01-01", None),
    ],
)  # fmt: skip
def test_a_value_has_its_place(datatype: str, text: str, place: float | None) -> None:
    assert place_of(Literal(text, datatype=XSD.term(datatype))) == place


def test_what_is_compared_is_alike() -> None:
    axes = [
        [Literal(text, datatype=XSD.term(datatype)) for datatype, text in own]
        for own in (
            [("integer", "1"), ("double", "1e0"), ("decimal", "-1.50"), ("float", "1")],
            [("dateTime", "2021-03-01T08:00:00Z"), ("dateTime", "2021-03-01T08:00:00-01:00"), ("dateTime", "2021-03-01T08:00:00+01:00")],
            [("dateTime", "2021-03-01T08:00:00"), ("dateTime", "2021-03-01T08:00:00.5")],
            [("date", "2021-03-01"), ("date", "2021-03-02")],
            [("date", "2021-03-01Z"), ("date", "2021-03-02+05:00")],
        )
    ]  # fmt: skip
    names = [{comparable_with(value) for value in own} for own in axes]
    assert [len(own) for own in names] == [1] * len(axes)
    assert len(set().union(*names)) == len(axes)
