"""Events of a series whose points arrive in parts are those of the whole series."""

from __future__ import annotations

import numpy as np
import pytest

from hpc_explorer.monitor.detectors import Calibrated, MovingAverage, Scores, shipped_detectors
from hpc_explorer.monitor.events import Event, events_of
from hpc_explorer.monitor.running_events import RunningEvents
from hpc_explorer.monitor.series import Series
from tests.helpers.injection import inject, normal_series


def part(series: Series, begin: int, end: int) -> Series:
    return Series(series.times[begin:end], series.values[begin:end])


def known(events: list[Event]) -> list[tuple[float, float, int, tuple[str, ...], str, float]]:
    """What identifies an event; sums of parts differ in the last digits."""
    return [(one.begin, one.end, one.points, one.detectors, one.severity, round(one.score, 6)) for one in events]


@pytest.mark.parametrize(
    ("seed", "most"),
    [
        (0, 3),
        (5, 20000),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in ((1, 50), (2, 2000), (3, 7), (4, 400))),
    ],
)
def test_parts_of_any_size_give_the_events_of_the_whole(seed: int, most: int) -> None:
    random = np.random.default_rng(seed)
    series, _ = inject(normal_series(random), random)
    values = series.values.copy()
    for _ in range(15):  # a sensor that sticks, longer and shorter than is usual, also near other anomalies
        begin = int(random.integers(0, len(values) - 100))
        values[begin : begin + int(random.integers(1, 60))] = values[begin]
    series = Series(series.times, values)
    training, detectors = part(series, 0, 720), shipped_detectors()
    whole = events_of(series, {one.name: one.calibrate(training).score(series) for one in detectors})
    running, found, place = RunningEvents(detectors, training), list[Event](), 0
    ongoing: Event | None = None
    while place < len(series):
        stop = place + int(random.integers(1, most + 1))
        events = running.extend(part(series, place, stop))
        found += events.ended
        ongoing, place = events.ongoing, stop
    assert len(whole) > 4
    assert known(found + ([ongoing] if ongoing else [])) == known(list(whole))


def test_an_event_is_told_of_with_its_first_points_and_ends_after_a_pause() -> None:
    random = np.random.default_rng(0)
    series = normal_series(random, 0.2)
    series.values[2000:2100] += 60
    running = RunningEvents(shipped_detectors(), part(series, 0, 720))
    assert running.extend(part(series, 0, 2000)).ongoing is None
    begun = running.extend(part(series, 2000, 2003))
    assert begun.ongoing is not None
    assert begun.ongoing.begin == series.times[2000]
    assert running.extend(part(series, 2003, 2100)).ended == ()
    after = running.extend(part(series, 2100, 2400))
    assert [(one.begin, one.end) for one in after.ended] == [(series.times[2000], series.times[2099])]
    assert after.ongoing is None
    assert running.extend(part(series, 0, 0)).ongoing is None


class OnlyWhole:
    """A detector of a package that cannot go on in the middle of a series."""

    name = "whole"
    version = "1"

    def calibrate(self, training: Series) -> Calibrated:
        return self

    def score(self, series: Series) -> Scores:
        ones = np.ones(len(series))
        return Scores(np.where(series.values > 1, 3.0, 0.0), 0 * ones, ones)


def test_a_detector_without_a_state_looks_at_the_points_before_again() -> None:
    series = Series(np.arange(3000) * 5.0, np.zeros(3000))
    series.values[1000:1010] = 2
    running = RunningEvents([OnlyWhole()], part(series, 0, 100))
    found = [one for place in range(0, 3000, 7) for one in running.extend(part(series, place, place + 7)).ended]
    assert [(one.begin, one.end) for one in found] == [(5000, 5045)]


def test_a_constant_series_has_no_event_and_keeps_no_more_points_than_needed() -> None:
    flat = Series(np.arange(900) * 5.0, np.full(900, 3.0))
    running = RunningEvents([MovingAverage()], flat)
    for place in range(0, 900, 10):
        assert running.extend(part(flat, place, place + 10)).ongoing is None
