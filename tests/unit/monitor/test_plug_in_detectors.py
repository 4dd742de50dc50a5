"""Detectors of installed packages: they look at series beside the shipped ones, and a broken one is named."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.helpers.program import run

DETECTOR = """
import numpy as np
from hpc_explorer.monitor.detectors import Scores

class Above:
    name, version = "above", "7"
    def calibrate(self, training):
        self.limit = training.values.max() + 5
        return self
    def score(self, series):
        ones = np.ones(len(series))
        return Scores(np.where(series.values > self.limit, 3.0, 0.0), self.limit * ones, ones)
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages with the distribution `above`."""
    folder = tmp_path / "site"
    about = folder / "above-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: above\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[hpc_explorer.detectors]\nabove = above_detector:Above\n")
    (folder / "above_detector.py").write_text(DETECTOR)
    monkeypatch.syspath_prepend(str(folder))
    sys.modules.pop("above_detector", None)
    return folder


@pytest.fixture
def rates(tmp_path: Path) -> Path:
    """A series with ten high values, too few and too low for the shipped detectors to say more."""
    file = tmp_path / "rates.csv"
    rows = [f"{5 * step},{40 + step % 7 + (20 if 300 <= step < 310 else 0)}" for step in range(400)]
    file.write_text("time,rate\n" + "\n".join(rows) + "\n")
    return file


def test_the_detector_of_a_package_finds_events_too(site: Path, rates: Path) -> None:
    done = run("monitor", "detect", "--series", rates, "--json")
    assert (done.code, done.err) == (1, "")
    (series,) = json.loads(done.out)["series"]
    found = [event for event in series["events"] if "above" in event["detectors"]]
    assert [(event["begin"], event["end"]) for event in found] == [("1970-01-01T00:25:00Z", "1970-01-01T00:25:45Z")]
    sys.modules.pop("above_detector")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import no_such_package_at_all", "No module named 'no_such_package_at_all'"),
        ("Above = 5", "'int' object is not callable"),
        (DETECTOR.replace("name, version", "title, version"), "it has no name and version"),
        (DETECTOR.replace("def score", "def scores"), "no attribute 'score'"),
        (DETECTOR.replace("Scores(np.where", "Scores(1 / 0, np.where"), "division by zero"),
        (DETECTOR.replace("ones = np.ones(len(series))", "return None"), "not Scores"),
        (DETECTOR.replace("np.where(series.values > self.limit, 3.0, 0.0)", "np.zeros(3)"), "3 scores of 400 points"),
    ],
)
def test_a_broken_detector_is_one_line_with_its_name(site: Path, rates: Path, code: str, said: str) -> None:
    (site / "above_detector.py").write_text(code)
    done = run("monitor", "detect", "--series", rates, "--json")
    sys.modules.pop("above_detector", None)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert "above" in done.err
    assert said in done.err
