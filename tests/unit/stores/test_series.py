"""Points of time series: added once, read while they are added, drawn at a resolution."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import DamagedSeries, StoreDamaged
from hpc_explorer.stores.series import MOST_PARTS, SPAN, SeriesPoints, SeriesStore, read_columns
from tests.helpers.examples import examples

MOMENTS = st.lists(st.lists(st.integers(0, 60), max_size=20, unique=True).map(sorted), max_size=6)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[SeriesStore, SeriesPoints]:
    store = SeriesStore(tmp_path_factory.mktemp("large") / "series")
    points = SeriesPoints(1.7e9 + np.arange(200_000) * 0.5, np.random.default_rng(0).normal(size=200_000))
    store.add({"urn:a": points})
    return store, points


@examples(100)
@given(additions=MOMENTS)
def test_each_moment_of_a_series_is_kept_once_with_its_first_value(
    additions: list[list[int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = SeriesStore(tmp_path_factory.mktemp("store"))
    expected: dict[int, float] = {}
    for number, times in enumerate(additions):
        new = store.add({"urn:a": SeriesPoints(np.array(times, float), np.full(len(times), float(number)))})
        assert new == len(set(times) - set(expected))
        expected = {time: float(number) for time in times} | expected
    found = SeriesStore(store.folder).points("urn:a")
    assert dict(zip(found.times, found.values, strict=True)) == expected
    assert list(found.times) == sorted(expected)


def test_a_picture_of_many_points_has_their_extremes(large: tuple[SeriesStore, SeriesPoints]) -> None:
    store, points = large
    for begin, end in ((0, 199_999), (1_000, 30_000), (50_000, 50_300)):
        drawn = store.drawn("urn:a", points.times[begin], points.times[end], most=300)
        part = points.values[begin : end + 1]
        assert len(drawn.times) <= 301
        assert drawn.is_summary is (end - begin >= 300)
        # Spans at the ends may reach beyond the interval.
        assert len(part) <= drawn.points <= len(part) + 2 * SPAN
        assert drawn.low.min() <= part.min()
        assert drawn.high.max() >= part.max()
        assert (drawn.low <= drawn.mean).all()
        assert (drawn.mean <= drawn.high).all()
    assert store.drawn("urn:a", points.times[0], points.times[-1], most=300).low.min() == points.values.min()


def test_what_was_not_added_is_empty(large: tuple[SeriesStore, SeriesPoints], tmp_path: Path) -> None:
    assert large[0].extents(["urn:none"]) == {}
    assert len(large[0].points("urn:none").times) == 0
    assert len(SeriesStore(tmp_path / "none").drawn("urn:a", 0, 1).times) == 0
    assert SeriesStore(tmp_path).add({"urn:a": SeriesPoints.none()}) == 0


def test_files_are_joined_while_they_are_read(tmp_path: Path) -> None:
    store, seen, done = SeriesStore(tmp_path), [], threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(len(store.points("urn:a").times))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(MOST_PARTS + 3):
        store.add({"urn:a": SeriesPoints(np.array([number, number + 0.5]), np.zeros(2))})
    done.set()
    reader.join()
    assert seen == sorted(seen)
    assert all(number % 2 == 0 for number in seen)
    assert len(store.points("urn:a").times) == 2 * MOST_PARTS + 6
    assert len(list(tmp_path.glob("points-*"))) < MOST_PARTS


def test_files_that_no_list_names_do_not_count(tmp_path: Path) -> None:
    """A program that is killed before it replaces the list leaves such files."""
    store = SeriesStore(tmp_path)
    one = SeriesPoints(np.array([1.0]), np.array([2.0]))
    store.add({"urn:a": one})
    before = (tmp_path / "parts.json").read_bytes()
    store.add({"urn:a": SeriesPoints(np.array([2.0]), np.array([3.0]))})
    (tmp_path / "parts.json").write_bytes(before)
    assert list(store.points("urn:a").times) == [1.0]
    assert store.add({"urn:a": SeriesPoints(np.array([2.0]), np.array([4.0]))}) == 1
    assert list(store.points("urn:a").values) == [2.0, 4.0]


def test_no_accepted_point_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    """A program adds points and prints how many were accepted, until it is killed in the middle of an addition."""
    program = (
        "import sys, numpy as np; from pathlib import Path;"
        "from hpc_explorer.stores.series import SeriesPoints, SeriesStore\n"
        "store = SeriesStore(Path(sys.argv[1]))\n"
        "for n in range(10**6):\n"
        "    store.add({'urn:a': SeriesPoints(np.arange(50 * n, 50 * n + 50) * 1.0, np.full(50, 1.0 * n))})\n"
        "    print(n + 1, flush=True)\n"
    )
    store = SeriesStore(tmp_path)
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", program, tmp_path], stdout=subprocess.PIPE, text=True) as adding:
            assert adding.stdout is not None
            accepted = [adding.stdout.readline() for _ in range(5)][-1]
            adding.kill()
            rest = adding.stdout.read().split()
        number = int(rest[-1] if rest else accepted)
        times = store.points("urn:a").times
        assert len(times) >= 50 * number
        assert list(times) == list(range(len(times)))
        assert len(times) % 50 == 0


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    store = SeriesStore(tmp_path)
    store.add({"urn:a": SeriesPoints(np.array([1.0]), np.array([2.0]))})
    (tmp_path / "points-00000001.parquet").write_bytes(b"PAR1")
    with pytest.raises(StoreDamaged, match="cannot be read"):
        store.points("urn:a")
    with pytest.raises(DamagedSeries, match="not a valid Parquet file"):
        read_columns(tmp_path / "points-00000001.parquet")
    (tmp_path / "parts.json").write_text("[]")
    with pytest.raises(StoreDamaged, match="list of time series"):
        store.extents(["urn:a"])
