"""Slow jobs of workflow runs, found by comparison with normal runs, and joined by host.

A job is compared with the jobs of its own name in normal runs, or with those of its task where names do not recur. What
counts is the time without staging, because a slow network is not a slow host. Where a performance model predicts normal
jobs more closely, its prediction for the input of the job is the usual time. A job is slow if its time is unusual, and
at least `factor` times the usual one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hpc_explorer.monitor.events import severity_of

_LEAST = 5
"""The fewest jobs to know what is usual."""

_LEAST_SPREAD = 0.05
"""The smallest standard deviation of the logarithm of times, as times are recorded in whole seconds."""


@dataclass(frozen=True)
class Job:
    """A job of a workflow run.

    Args:
        iri: its IRI, or another unique name.
        name: its name in the workflow, the same in each run.
        task: what it executes, the same for jobs of one kind.
        run: the run that it belongs to.
        started, ended: in seconds since 1970; None if unknown.
        seconds: how long it ran; None if unknown.
        staging: the seconds of it that moved files.
        host: the machine that it ran on, or an empty text.
        exit_code: None if unknown.
        measures: further numbers by name, such as the bytes that it read.
    """

    iri: str
    name: str
    task: str
    run: str
    started: float | None = None
    ended: float | None = None
    seconds: float | None = None
    staging: float = 0.0
    host: str = ""
    exit_code: int | None = None
    measures: Mapping[str, float] | None = None

    @property
    def working(self) -> float | None:
        """The seconds without staging, at least one."""
        return None if self.seconds is None else max(self.seconds - self.staging, 1.0)


def run_name(run: str) -> str:
    """The name of a run in lists: that of its file, or the last part of its IRI."""
    return run.removesuffix("#run").rpartition("/")[2]


class TimeModel(Protocol):
    """A performance model of a kind of job."""

    def usual(self, job: Job) -> tuple[float, float] | None:
        """The logarithm of the predicted seconds without staging, and its standard deviation.

        None if the job lacks what the model needs.
        """


@dataclass(frozen=True)
class SlowJob:
    """A job that took longer than usual.

    Args:
        expected: the usual seconds without staging.
        slowdown: the observed ones relative to them.
        score: 1 is the limit.
    """

    job: Job
    expected: float
    slowdown: float
    score: float
    severity: str
    evidence: str


@dataclass(frozen=True)
class SlowHost:
    """Slow jobs of one run on one host: one cause with its members."""

    run: str
    host: str
    begin: float | None
    end: float | None
    jobs: tuple[SlowJob, ...]

    @property
    def score(self) -> float:
        """That of its slowest job."""
        return max(slow.score for slow in self.jobs)


@dataclass(frozen=True)
class UsualTimes:
    """The times of jobs in normal runs.

    Args:
        times: the median of the logarithm of the seconds, and its spread, by name or task of a job.
        limit: the number of spreads that the slowest job of a normal run stays below.
        factor: the least slowdown that counts.
        models: performance models by task.
    """

    times: Mapping[tuple[str, str], tuple[float, float]]
    limit: float
    factor: float = 2.0
    models: Mapping[str, TimeModel] = field(default_factory=dict)

    def slow_jobs(self, jobs: Iterable[Job]) -> tuple[SlowJob, ...]:
        """The slow jobs; jobs of an unknown kind, and those without a time, are left out."""
        found = []
        for job in jobs:
            usual, working = self._usual(job), job.working
            if usual is None or working is None:
                continue
            excess = math.log(working) - usual[0]
            score = min(excess / usual[1] / self.limit, excess / math.log(self.factor))
            if score > 1:
                expected = math.exp(usual[0])
                evidence = (
                    f"{working:,.0f} s without staging, {self._source(job)} {expected:,.0f} s"
                    f" (× {working / expected:.1f}){f' on {job.host}' if job.host else ''}"
                )
                found.append(SlowJob(job, expected, working / expected, score, severity_of(score), evidence))
        return tuple(found)

    def knows(self, job: Job) -> bool:
        """Whether the normal runs have jobs of this kind."""
        return self._usual(job) is not None

    def _usual(self, job: Job) -> tuple[float, float] | None:
        known = self.times.get(("name", job.name)) or self.times.get(("task", job.task))
        predicted = self._predicted(job)
        return known if predicted is None or (known is not None and known[1] <= predicted[1]) else predicted

    def _predicted(self, job: Job) -> tuple[float, float] | None:
        model = self.models.get(job.task)
        return None if model is None else model.usual(job)

    def _source(self, job: Job) -> str:
        usual = self._usual(job)
        return "by the model of its kind" if usual is not None and usual == self._predicted(job) else "usually"

    def excess(self, job: Job) -> float:
        """By how many spreads a job exceeds the usual time; 0 if nothing is known about it."""
        usual, working = self._usual(job), job.working
        return 0.0 if usual is None or working is None else (math.log(working) - usual[0]) / usual[1]


def usual_times(
    normal: Sequence[Job],
    *,
    false_alarms: float = 0.01,
    factor: float = 2.0,
    models: Mapping[str, TimeModel] | None = None,
) -> UsualTimes:
    """What is usual, from jobs of normal runs.

    Args:
        false_alarms: the share of normal runs that may have a job above the limit.
        factor: the least slowdown that counts.
        models: performance models of the normal runs, by task.
    """
    import numpy as np

    from hpc_explorer.monitor.series import robust_center

    logs: dict[tuple[str, str], list[float]] = defaultdict(list)
    for job in normal:
        if job.working is not None:
            logs["name", job.name].append(math.log(job.working))
            logs["task", job.task].append(math.log(job.working))
    times = {}
    for key, values in logs.items():
        if len(values) >= _LEAST:
            center, spread = robust_center(np.array(values))
            times[key] = (center, max(spread, _LEAST_SPREAD))
    first = UsualTimes(times, 1.0, factor, models or {})
    worst: dict[str, float] = defaultdict(float)
    for job in normal:
        worst[job.run] = max(worst[job.run], first.excess(job))
    limit = float(np.quantile(list(worst.values()), 1 - false_alarms)) if worst else 3.0
    return UsualTimes(times, max(limit, 1.0), factor, models or {})


def slow_hosts(slow: Iterable[SlowJob]) -> tuple[SlowHost, ...]:
    """Join slow jobs that ran on one host in one run; the highest score first."""
    groups: dict[tuple[str, str], list[SlowJob]] = defaultdict(list)
    found: list[SlowHost] = []
    for one in slow:
        if one.job.host:
            groups[one.job.run, one.job.host].append(one)
        else:
            found.append(SlowHost(one.job.run, "", one.job.started, one.job.ended, (one,)))
    for (run, host), members in groups.items():
        begins = [one.job.started for one in members if one.job.started is not None]
        ends = [one.job.ended for one in members if one.job.ended is not None]
        found.append(SlowHost(run, host, min(begins, default=None), max(ends, default=None), tuple(members)))
    return tuple(sorted(found, key=lambda cause: -cause.score))


def jobs_during(jobs: Iterable[Job], begin: float, end: float, host: str = "") -> tuple[Job, ...]:
    """The jobs that ran in an interval, on one host if it is given: those that an event may have affected."""
    return tuple(
        job
        for job in jobs
        if (not host or job.host == host)
        and (job.started is None or job.started <= end)
        and (job.ended is None or job.ended >= begin)
        and not (job.started is None and job.ended is None)
    )
