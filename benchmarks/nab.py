"""The detectors on series of the Numenta Anomaly Benchmark (NAB, https://github.com/numenta/NAB).

Only some of its 58 files are at hand. So what NAB has published for these very files is put beside the results: its
scores of each file, `results/*/*_standard_scores.csv`, with one limit for all 58 files, chosen by their labels.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hpc_explorer.monitor.detectors import Detector, Incremental, Running, Scores, shipped_detectors
from hpc_explorer.monitor.running_events import RunningEvents
from hpc_explorer.monitor.series import Series
from tests.helpers.nab import file_score, probation, shown_score

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NAMES = (
    "artificialNoAnomaly/art_daily_small_noise.csv",
    "artificialWithAnomaly/art_daily_jumpsup.csv",
    "realAWSCloudwatch/ec2_cpu_utilization_5f5533.csv",
    "realAWSCloudwatch/ec2_disk_write_bytes_1ef3de.csv",
    "realAWSCloudwatch/ec2_disk_write_bytes_c0d644.csv",
    "realAWSCloudwatch/rds_cpu_utilization_e47b3b.csv",
    "realKnownCause/cpu_utilization_asg_misconfiguration.csv",
)

_PUBLISHED: Mapping[str, tuple[float, Sequence[float]]] = {
    "Numenta HTM": (65.3, (0, 0.748909, 1.716031, 0.812120, 0.500694, 1.712421, -0.573049)),
    "ARTime": (74.9, (0, 0.858909, 1.697672, 0.467302, 0.281063, 1.405996, -0.257470)),
    "CAD OSE": (69.9, (-0.33, 0.860672, 1.514014, 0.460654, 0.336980, 1.507059, -0.192967)),
    "KNN CAD": (58.0, (-0.44, 0.640672, 1.623412, 0.696199, 0.337546, 1.503102, -1.106006)),
    "random cut forest": (51.7, (0, 0.860672, 1.723102, -1.954818, 0.322343, 1.613102, 0.666434)),
    "relative entropy": (54.6, (-0.55, 0.860672, -0.118006, 0.431674, 0.283524, 1.719566, 0.424230)),
    "EarthGecko Skyline": (58.2, (0, 0.844119, -0.350998, -0.270754, -0.105268, 1.662474, 0.060681)),
    "Twitter ADVec": (47.1, (-0.88, 0.760614, -0.350998, -1.899837, -1.760536, -0.793671, -0.023201)),
    "windowed Gaussian": (39.6, (0, -1.0, -2.0, -4.190897, -1.095999, -0.138449, -1.11)),
    "Bayesian change points": (17.0, (-1.32, -0.291532, -0.350998, 0.133549, -3.328228, 1.723102, -9.808703)),
}
"""The published score for all 58 files, and the raw scores of the files of `_NAMES`."""

_AT_ONCE = 12
"""The number of points that come at once."""

_LIMITS = (0.5, 0.7, 0.85, 1.0, 1.2, 1.4, 2.0, 3.0, 4.0)


@dataclass(frozen=True)
class _File:
    name: str
    series: Series
    windows: tuple[tuple[int, int], ...]

    @property
    def ignored(self) -> int:
        return probation(len(self.series))

    @property
    def training(self) -> Series:
        return Series(self.series.times[: self.ignored], self.series.values[: self.ignored])


@dataclass(frozen=True)
class _Limited:
    """A detector with its limit this many times as high."""

    detector: Detector
    factor: float

    @property
    def name(self) -> str:
        return self.detector.name

    @property
    def version(self) -> str:
        return self.detector.version

    def calibrate(self, training: Series) -> _Limited:
        return replace(self, detector=self.detector.calibrate(training))  # type: ignore[arg-type]

    def start(self) -> Running:
        assert isinstance(self.detector, Incremental)
        return _LimitedRunning(self.detector.start(), self.factor)

    def score(self, series: Series) -> Scores:
        return self.start().extend(series)


@dataclass(frozen=True)
class _LimitedRunning:
    running: Running
    factor: float

    def extend(self, series: Series) -> Scores:
        found = self.running.extend(series)
        return replace(found, scores=found.scores / self.factor, margin=found.margin * self.factor)


def _files(folder: Path) -> list[_File]:
    spans = json.loads((folder / "combined_windows.json").read_text())
    found = []
    for name in _NAMES:
        with (folder / name.replace("/", "_")).open() as lines:
            rows = list(csv.DictReader(lines))
        times = [_moment(row["timestamp"]) for row in rows]
        windows = tuple((times.index(_moment(begin)), times.index(_moment(end))) for begin, end in spans[name])
        found.append(_File(name, Series(np.array(times), np.array([float(row["value"]) for row in rows])), windows))
    return found


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def _windowed_gaussian(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """How unlikely each value is among up to 6,400 before it, which move by 100; NAB's results have 12 digits."""
    scores = np.zeros(len(values))
    begin, end = 0, 1
    for place in range(1, len(values)):
        window = values[begin:end]
        spread = float(np.std(window)) or 1e-6
        distance = abs(values[place] - float(np.mean(window))) / spread
        scores[place] = round(1 - 0.5 * math.erfc(distance / math.sqrt(2)), 12)
        if end < 6400:
            end = place + 1
        elif place - end + 1 == 100:
            begin, end = begin + 100, end + 100
    return scores


def _told(file: _File, detectors: Sequence[Detector]) -> NDArray[np.bool_]:
    """An alarm where the program tells that an event has begun, while the points come."""
    running, alarms, is_ongoing = RunningEvents(detectors, file.training), np.zeros(len(file.series), bool), False
    for begin in range(0, len(file.series), _AT_ONCE):
        end = min(begin + _AT_ONCE, len(file.series))
        found = running.extend(Series(file.series.times[begin:end], file.series.values[begin:end]))
        first_is_known = is_ongoing
        is_ongoing = is_ongoing and not found.ended
        alarms[end - 1] = len(found.ended) > first_is_known or (found.ongoing is not None and not is_ongoing)
        is_ongoing = found.ongoing is not None
    return alarms


def _shown(files: Iterable[_File], scores: Mapping[str, float]) -> float:
    chosen = list(files)
    return shown_score(sum(scores[file.name] for file in chosen), sum(len(file.windows) for file in chosen))


def report(data: Path) -> None:
    """Print whether the scorer gives what NAB published, and the scores of published and own detectors."""
    files = _files(data / "nab")
    print(f"{len(files)} of 58 files, {sum(len(file.windows) for file in files)} of 116 windows; profile standard")
    published = dict(zip(_NAMES, _PUBLISHED["windowed Gaussian"][1], strict=True))
    ours = {
        one.name: file_score(_windowed_gaussian(one.series.values) >= 1.0, one.windows, one.ignored) for one in files
    }
    worst = max(abs(ours[name] - published[name]) for name in _NAMES)
    print(f"windowed Gaussian at NAB's limit, file by file: at most {worst:.1e} from the published raw scores\n")
    print("| published detector | all 58 files | these files |\n|---|---|---|")
    for name, (whole, raw) in _PUBLISHED.items():
        print(f"| {name} | {whole} | {_shown(files, dict(zip(_NAMES, raw, strict=True))):.1f} |")
    halves = files[::2], files[1::2]
    print("\n| events of | own limit | first half, second half | limit of the other half | best limit |")
    print("|---|---|---|---|---|")
    for words, detectors in (
        *((one.name, (one,)) for one in shipped_detectors()),
        ("both, as shipped", shipped_detectors()),
    ):
        scores: dict[float, dict[str, float]] = {}
        for factor in _LIMITS:
            using = [_Limited(one, factor) for one in detectors]
            scores[factor] = {file.name: file_score(_told(file, using), file.windows, file.ignored) for file in files}
        best = [max(_LIMITS, key=lambda limit, half=half: _shown(half, scores[limit])) for half in (*halves, files)]
        crossed = {one.name: scores[best[1 - number]][one.name] for number in (0, 1) for one in halves[number]}
        own = [f"{_shown(half, scores[1.0]):.1f}" for half in halves]
        print(
            f"| {words} | {_shown(files, scores[1.0]):.1f} | {', '.join(own)} | {_shown(files, crossed):.1f} |"
            f" {_shown(files, scores[best[2]]):.1f} (× {best[2]:g}) |"
        )
