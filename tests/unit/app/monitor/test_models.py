"""Jobs beside the times that a performance model predicts for their input."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hpc_explorer.app.monitor.detecting import detect_in_series, detect_slow_hosts
from hpc_explorer.app.monitor.fitting import input_models, model_bands
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.monitor.detectors import ModelThreshold
from hpc_explorer.monitor.fitting import Prediction
from hpc_explorer.monitor.graph import jobs_in
from hpc_explorer.monitor.series import Series
from tests.helpers.model_runs import table
from tests.helpers.sessions import session_of


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[tuple[Session, Session]]:
    """Three normal runs, and one with a slow job that takes no longer than others of its kind."""
    for run in range(3):
        (tmp_path / f"normal-{run}.csv").write_text(table(run))
    (tmp_path / "slow.csv").write_text(table(3, slow=5, jobs=60))
    normal = session_of(*(str(tmp_path / f"normal-{run}.csv") for run in range(3)))
    checked = session_of(
        *(str(tmp_path / name) for name in ("normal-0.csv", "normal-1.csv", "normal-2.csv", "slow.csv"))
    )
    yield normal, checked
    normal.close()
    checked.close()


def test_a_job_that_is_slow_for_its_input_is_found_by_the_model(runs: tuple[Session, Session]) -> None:
    normal, checked = runs
    found = detect_slow_hosts(checked, normal)
    assert [slow.job.name for cause in found.causes for slow in cause.jobs] == ["map_3_5"]
    (slow,) = found.causes[0].jobs
    assert slow.slowdown == pytest.approx(3, rel=0.1)
    assert "by the model of its kind 30 s" in slow.evidence
    again = detect_slow_hosts(checked, normal)
    assert (again.graph, again.statements) == (found.graph, found.statements)


def test_no_model_is_used_where_inputs_hardly_differ_or_it_does_not_beat_the_median(
    runs: tuple[Session, Session],
) -> None:
    jobs = jobs_in(runs[0].store)
    assert list(input_models(jobs)) == ["map"]
    assert input_models(jobs[:5]) == {}
    alike = [job for job in jobs if 1e9 < (job.measures or {})["input_bytes"] < 1.15e9]
    assert input_models(alike * 10) == {}


def test_the_band_of_a_model_holds_the_normal_jobs(runs: tuple[Session, Session]) -> None:
    session = runs[1]
    own = [job for job in jobs_in(session.store) if job.name.startswith("map_3")]
    (band,) = model_bands(session, own)
    assert (band.task, len(band.begins), band.fitted_to) == ("map", 60, 36)
    assert list(band.begins) == sorted(band.begins)
    inside = [low <= at <= high for low, at, high in zip(band.low, band.measured, band.high, strict=True)]
    assert inside.count(True) >= 52
    assert not inside[5]
    ratios = [at / predicted for at, predicted in zip(band.measured, band.predicted, strict=True)]
    assert ratios[5] == pytest.approx(3, rel=0.1)


def test_the_interval_of_a_prediction_is_a_detector_of_a_series(tmp_path: Path) -> None:
    values = np.array([100.0, 110, 90, 129, 131, 71, 69])
    scores = (
        ModelThreshold(100, 70, 130).calibrate(Series(np.zeros(0), np.zeros(0))).score(Series(np.arange(7.0), values))
    )
    assert list(scores.scores > 1) == [False, False, False, False, True, False, True]
    assert list(ModelThreshold(1, 1, 1).score(Series(np.arange(2.0), np.array([1.0, 2]))).scores > 1) == [False, True]
    # The whole series is slow, so that its own beginning shows nothing.
    noise = np.random.default_rng(0).normal(0, 1, 400)
    (tmp_path / "rate.csv").write_text(
        "time,rate\n" + "".join(f"{5 * step},{40 + noise[step]}\n" for step in range(400))
    )
    quiet, _ = detect_in_series(None, tmp_path / "rate.csv")
    assert quiet[0].events == ()
    found, _ = detect_in_series(None, tmp_path / "rate.csv", predicted=Prediction(100, 70, 130, 0.95))
    ((event, _),) = found[0].events
    assert (event.detectors, event.begin, event.end) == (("model",), 0, 1995)
    assert "expected 100 ± 30" in event.evidence
