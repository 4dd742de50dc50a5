"""Runs that are slower than usual as a whole, found by comparison with normal runs.

Where each job is only a little slower, no job alone tells, as with a poor network or processors that are shared. So the
parts of the time of all jobs are compared with the jobs of the same name in the normal runs, or of the same task where
names do not recur. A run is slow if the root mean square of what exceeds the usual, in standard deviations, is greater
than in the normal runs, each compared with the others.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.events import severity_of
from hpc_explorer.monitor.jobs import Job

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LEAST_RUNS = 4
"""The fewest normal runs; each is compared with at least three others."""

PROCESSOR_TIME = "kickstart_executables_cpu_time"
"""The measure of a job that is the seconds of its processors."""

_LEAST_SPREAD = 0.05
"""The smallest standard deviation of the logarithm of times, as times are recorded in whole seconds."""

Key = tuple[str, str, str]
"""Whether jobs are compared by name or task, that name, and the part of their time."""


@dataclass(frozen=True)
class SlowRun:
    """A run that is slower than usual.

    Args:
        jobs: all its jobs that have a time.
        score: 1 is the limit.
    """

    run: str
    jobs: tuple[Job, ...]
    score: float
    evidence: str

    @property
    def severity(self) -> str:
        """One of `events.SEVERITIES`."""
        return severity_of(self.score)

    @property
    def begin(self) -> float | None:
        """When its first job began."""
        return min((job.started for job in self.jobs if job.started is not None), default=None)

    @property
    def end(self) -> float | None:
        """When its last job ended."""
        return max((job.ended for job in self.jobs if job.ended is not None), default=None)


@dataclass(frozen=True, eq=False)
class UsualRuns:
    """What is usual in normal runs.

    Args:
        keys: what is compared.
        center, spread: mean and standard deviation of the logarithm of one more than the seconds, for each key.
        limit: the excess that the normal runs stay below.
    """

    keys: tuple[Key, ...]
    center: Array
    spread: Array
    limit: float

    def slow_runs(self, jobs: Iterable[Job]) -> tuple[SlowRun, ...]:
        """The slow runs among these; the highest score first."""
        import numpy as np

        runs = _by_run(jobs)
        known, found = frozenset(self.keys), []
        for run, own in runs.items():
            logs = _logs(own, known)
            values = np.array([logs.get(key, math.nan) for key in self.keys])
            excess = _excess((values - self.center) / self.spread)
            if excess > self.limit:
                found.append(SlowRun(run, tuple(own), excess / self.limit, self._evidence(values)))
        return tuple(sorted(found, key=lambda one: (-one.score, one.run)))

    def _evidence(self, values: Array) -> str:
        import numpy as np

        away = np.nan_to_num((values - self.center) / self.spread)
        parts = []
        for place in np.argsort(-away, kind="stable")[:3]:
            if away[place] > 0:
                _, name, part = self.keys[place]
                took, usual = math.expm1(values[place]), math.expm1(self.center[place])
                parts.append(f"{name}: {part} {took:,.0f} s, usually {usual:,.0f} s")
        return "; ".join(parts)


def usual_runs(normal: Sequence[Job], *, false_alarms: float = 0.01) -> UsualRuns:
    """What is usual, from the jobs of normal runs.

    Args:
        false_alarms: the share of normal runs that may exceed the limit.

    Raises:
        UnusableModel: there are too few normal runs, or their jobs have nothing in common.
    """
    import numpy as np

    runs = _by_run(normal)
    if len(runs) < LEAST_RUNS:
        raise UnusableModel(
            f"{len(runs)} normal runs, and at least {LEAST_RUNS} are needed", "--whole-runs", "name more"
        )
    logs = [_logs(own, None) for own in runs.values()]
    times: dict[Key, int] = defaultdict(int)
    for one in logs:
        for key in one:
            times[key] += 1
    # A job is compared by its name where the runs have that; so a task counts for the other jobs only.
    often = frozenset(key for key, number in times.items() if number >= LEAST_RUNS)
    logs = [_logs(own, often) for own in runs.values()]
    keys = tuple(sorted({key for one in logs for key in one}))
    if not keys:
        raise UnusableModel("no job recurs in the normal runs", "--whole-runs", "name runs of one workflow")
    table = np.array([[one.get(key, math.nan) for key in keys] for one in logs])
    center, spread = _usual(table)
    excesses = []
    for place in range(len(table)):
        others, around = _usual(np.delete(table, place, axis=0))
        excesses.append(_excess((table[place] - others) / around))
    limit = float(np.quantile(excesses, 1 - false_alarms))
    return UsualRuns(keys, center, spread, max(limit, _LEAST_SPREAD))


def _usual(table: Array) -> tuple[Array, Array]:
    """The mean and the standard deviation of each column, without what is missing; NaN for fewer than three values."""
    import numpy as np

    here = ~np.isnan(table)
    number = here.sum(axis=0)
    enough = number >= LEAST_RUNS - 1
    center = np.where(enough, np.where(here, table, 0).sum(axis=0) / np.maximum(number, 1), np.nan)
    squares = (np.where(here, table - center, 0) ** 2).sum(axis=0)
    return center, np.maximum(np.sqrt(squares / np.maximum(number - 1, 1)), _LEAST_SPREAD)


def _excess(away: Array) -> float:
    import numpy as np

    away = away[~np.isnan(away)]
    return float(np.sqrt(np.mean(np.maximum(away, 0) ** 2))) if len(away) else 0.0


def _by_run(jobs: Iterable[Job]) -> dict[str, list[Job]]:
    found: dict[str, list[Job]] = defaultdict(list)
    for job in jobs:
        if job.working is not None:
            found[job.run].append(job)
    return dict(found)


def _logs(jobs: Iterable[Job], known: frozenset[Key] | None) -> dict[Key, float]:
    """The mean logarithm of each part of the time of jobs: by name, or by task for those whose name is not known.

    Args:
        known: the keys to use; all if it is None.
    """
    found: dict[Key, list[float]] = defaultdict(list)
    for job in jobs:
        for part, seconds in _parts(job):
            for key in (("name", job.name, part), ("task", job.task, part)):
                if known is None or key in known:
                    found[key].append(math.log1p(seconds))
                    if known is not None:
                        break
    return {key: math.fsum(values) / len(values) for key, values in found.items()}


def _parts(job: Job) -> Iterator[tuple[str, float]]:
    if job.working is not None:
        yield "its work", job.working
        yield "moving files", max(job.staging, 0.0)
    processors = (job.measures or {}).get(PROCESSOR_TIME)
    if processors is not None and processors >= 0:
        yield "its processors", processors
