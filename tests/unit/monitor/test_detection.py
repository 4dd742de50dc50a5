"""Detectors, events, and slow jobs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.monitor.autoregression import autocovariances, autoregression
from hpc_explorer.monitor.detectors import (
    ClampedAutoregression,
    Detector,
    MovingAverage,
    shipped_detectors,
)
from hpc_explorer.monitor.events import Event, events_of
from hpc_explorer.monitor.jobs import Job, jobs_during, slow_hosts, usual_times
from hpc_explorer.monitor.series import Series, ordered
from tests.helpers.injection import KINDS, Injected, inject, normal_series


def test_measurements_are_put_in_order_and_what_was_wrong_is_told() -> None:
    times = [0, 5, 10, 10, 20, 15, 25, 900, float("nan")]
    series = ordered(times, [1, 2, 3, 4, float("nan"), 6, 7, 8, 9])
    assert series.times.tolist() == [0, 5, 10, 15, 25, 900]
    assert series.values.tolist() == [1, 2, 4, 6, 7, 8]
    assert series.notes == (
        "2 points of 9 without a number left out",
        "1 point at the same time as another; the last was kept",
        "1 gap in the measurements, the longest of 875 s",
    )
    assert "the clock went back 1 time;" in ordered([3, 1, 2], [1, 2, 3]).notes[0]
    assert len(ordered([], [])) == 0


@given(st.lists(st.tuples(st.floats(0, 1e9), st.floats(-1e9, 1e9)), max_size=40))
def test_a_series_is_in_order_and_keeps_the_last_of_each_moment(points: list[tuple[float, float]]) -> None:
    series = ordered([time for time, _ in points], [value for _, value in points])
    assert dict(zip(series.times.tolist(), series.values.tolist(), strict=True)) == dict(points)
    assert (np.diff(series.times) > 0).all()


def test_the_autoregression_solves_the_yule_walker_equations() -> None:
    from scipy.linalg import solve_toeplitz
    from scipy.signal import lfilter

    values = 50 + lfilter([1], [1, -0.5, 0.3, -0.2], np.random.default_rng(0).normal(0, 2, 20_000))
    found = autoregression(values)
    assert found.lags == 3
    covariances = autocovariances(values, 3)
    assert np.allclose(found.coefficients, solve_toeplitz(covariances[:3], covariances[1:]))
    assert found.deviation == pytest.approx(2, rel=0.03)
    # The error of a long prediction is that of the process itself.
    assert found.deviations(200)[-1] == pytest.approx(values.std(), rel=0.02)
    assert autoregression(np.full(100, 7.0)).lags == 0


def test_a_clamped_autoregression_finds_a_sustained_step_that_a_plain_one_follows() -> None:
    random = np.random.default_rng(0)
    training, series = normal_series(random), normal_series(random)
    series.values[1000:1400] += 60
    scores = ClampedAutoregression().calibrate(training).score(series).scores
    assert (scores[1000:1400] > 1).mean() > 0.9
    assert (scores[:1000] > 1).sum() == (scores[1400:] > 1).sum() == 0


def _with_bursts(series: Series, height: float, places: range) -> Series:
    values = series.values.copy()
    for place in places:
        values[place : place + 24] += height
    return replace(series, values=values)


@pytest.mark.parametrize("detector", shipped_detectors(), ids=lambda one: one.name)
def test_what_recurs_in_the_training_is_normal_and_what_is_there_once_is_not(detector: Detector) -> None:
    random = np.random.default_rng(5)
    training, series = normal_series(random), normal_series(random)
    hourly = range(300, len(series), 720)

    def found(training: Series, series: Series) -> list[bool]:
        scores = detector.calibrate(training).score(series)
        events = events_of(series, {detector.name: scores})
        return [
            any(one.begin <= series.times[place + 23] and one.end >= series.times[place] for one in events)
            for place in hourly
        ]

    assert not any(found(_with_bursts(training, 60, hourly), _with_bursts(series, 60, hourly)))
    assert all(found(_with_bursts(training, 60, hourly), _with_bursts(series, 140, hourly)))
    assert all(found(_with_bursts(training, 60, hourly[:1]), _with_bursts(series, 60, hourly)))


def test_a_short_or_constant_training_gives_no_alarms_without_change() -> None:
    for detector in shipped_detectors():
        for number in (0, 1, 5, 200):
            flat = Series(np.arange(number) * 5.0, np.full(number, 3.0))
            assert not (detector.calibrate(flat).score(flat).scores > 1).any()


def _found(series: Series, training: Series) -> tuple[Event, ...]:
    scores = {one.name: one.calibrate(training).score(series) for one in shipped_detectors()}
    return events_of(series, scores, unit="MB/s")


def _overlap(event: Event, injected: Injected) -> bool:
    return event.begin <= injected.end and event.end >= injected.begin


def test_every_injected_anomaly_is_found_and_nothing_else() -> None:
    """benchmarks/monitoring.py does it with many more."""
    random = np.random.default_rng(4)
    for _ in range(5):
        training, normal = normal_series(random), normal_series(random)
        assert _found(normal, training) == ()
        series, injected = inject(normal, random)
        assert {one.kind for one in injected} == set(KINDS)
        events = _found(series, training)
        assert len(events) == len(injected)
        for event, anomaly in zip(events, injected, strict=True):
            assert _overlap(event, anomaly)
            assert abs(event.begin - anomaly.begin) <= 60
            assert abs(event.end - anomaly.end) <= 120


def test_a_drift_begins_where_its_line_leaves_the_usual_level() -> None:
    random = np.random.default_rng(2)
    for _ in range(40):
        training, normal = normal_series(random, 0.2), normal_series(random, 0.2)
        series, (drift,) = inject(normal, random, ("drift",))
        (event,) = _found(series, training)
        assert abs(event.begin - drift.begin) <= 60


def test_an_event_has_its_evidence_and_the_detectors_that_agree() -> None:
    random = np.random.default_rng(1)
    training, series = normal_series(random), normal_series(random)
    series.values[2000:2200] *= 0.1
    (event,) = _found(series, training)
    assert event.begin == series.times[2000]
    assert event.end == series.times[2199]
    assert set(event.detectors) == {"moving-average", "autoregression"}
    assert event.severity == "major"
    assert event.evidence.startswith("mean 9.")
    assert "MB/s over 995 s (200 points), expected 99.83" in event.evidence


def test_events_after_a_long_rest_are_found_without_a_warning_of_numpy() -> None:
    """A disk that writes nothing for most of the time, and then at 400 MB/s."""
    series = Series(np.arange(3000) * 5.0, np.zeros(3000))
    series.values[2000:2200] = 4e8
    (event,) = _found(series, series.between(0, 5000))
    assert (event.begin, event.end, event.severity) == (series.times[2000], series.times[2199], "critical")


def test_the_moving_average_scores_the_same_in_any_unit() -> None:
    random = np.random.default_rng(2)
    training, (series, _) = normal_series(random), inject(normal_series(random), random)
    usual = MovingAverage().calibrate(training).score(series).scores
    scaled = MovingAverage().calibrate(replace(training, values=training.values * 1e6))
    assert np.allclose(scaled.score(replace(series, values=series.values * 1e6)).scores, usual, rtol=1e-3, atol=1e-3)


def _runs(number: int, *, slow_host: str = "", factor: float = 1.0, seed: int = 0) -> list[Job]:
    random = np.random.default_rng(seed)
    jobs = []
    for run in range(number):
        for place in range(8):
            host, staging = f"host-{place % 4}", float(random.uniform(0, 500))
            work = 40 * float(np.exp(random.normal(0, 0.1))) * (factor if host == slow_host else 1)
            begin = 1e9 + 1e5 * run + 600 * (place // 4)
            seconds = work + staging
            name = f"step_{place}"
            jobs.append(Job(f"{run}/{name}", name, "step", str(run), begin, begin + seconds, seconds, staging, host))
    return jobs


def test_slow_jobs_on_one_host_are_one_cause() -> None:
    usual = usual_times(_runs(50))
    assert usual.slow_jobs(_runs(50, seed=1)) == ()
    slow = usual.slow_jobs(_runs(1, slow_host="host-2", factor=4, seed=2))
    (cause,) = slow_hosts(slow)
    assert cause.host == "host-2"
    assert [one.job.name for one in cause.jobs] == ["step_2", "step_6"]
    assert "on host-2" in cause.jobs[0].evidence
    assert usual.slow_jobs(_runs(1, slow_host="host-2", factor=1.6, seed=2)) == ()
    unknown = Job("x", "other", "other", "1", seconds=1e6)
    assert usual.slow_jobs([unknown, Job("y", "step_1", "step", "1")]) == ()
    assert not usual.knows(unknown)


def test_jobs_during_an_event() -> None:
    jobs = _runs(1)
    assert [job.name for job in jobs_during(jobs, 1e9, 1e9 + 1, "host-1")] == ["step_1"]
    assert jobs_during([Job("x", "x", "x", "1")], 0, 1e12) == ()
