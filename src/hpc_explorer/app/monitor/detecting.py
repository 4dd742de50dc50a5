"""Find slow jobs and anomalous measurements, keep them in the workspace, and list them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.monitor.attribution import Attribution
from hpc_explorer.app.monitor.fitting import input_models, values_of
from hpc_explorer.app.monitor.series import stated_series
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.detectors import Detector, ModelThreshold, plug_in_detectors, shipped_detectors
from hpc_explorer.monitor.events import Event, events_of
from hpc_explorer.monitor.fitting import Prediction
from hpc_explorer.monitor.graph import (
    anomalies_query,
    digest,
    event_statements,
    jobs_in,
    slow_host_statements,
    slow_run_statements,
)
from hpc_explorer.monitor.jobs import Job, SlowHost, slow_hosts, usual_times
from hpc_explorer.monitor.series_files import read_series
from hpc_explorer.monitor.series_graph import SeriesOrigin, series_iri
from hpc_explorer.monitor.series_points import NamedSeries
from hpc_explorer.monitor.whole_runs import SlowRun, usual_runs
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet


@dataclass(frozen=True)
class SlowHosts:
    """The result of a detection of slow jobs.

    Args:
        causes: slow hosts with their jobs, the highest score first.
        runs, jobs: how many were looked at.
        unknown: how many jobs the normal runs have nothing to compare with.
        normal_runs: the number of normal runs.
        graph: the named graph of the result.
    """

    causes: tuple[SlowHost, ...]
    runs: int
    jobs: int
    unknown: int
    normal_runs: int
    graph: NamedNode
    statements: tuple[Quad, ...]


def detect_slow_hosts(
    session: Session,
    normal: Session,
    *,
    false_alarms: float = 0.01,
    factor: float = 2.0,
    limits: Limits = NO_LIMITS,
) -> SlowHosts:
    """Compare the jobs of a graph with those of normal runs.

    Args:
        normal: the normal runs, each in a named graph of its own.
        false_alarms: the share of normal runs that may have a slow job.
        factor: the least slowdown that counts.

    Raises:
        UnusableModel: there are no jobs to compare.
    """
    usual_jobs, jobs = _both(session, normal, limits)
    models = input_models(usual_jobs, limits=limits)
    usual = usual_times(usual_jobs, false_alarms=false_alarms, factor=factor, models=models)
    causes = slow_hosts(usual.slow_jobs(jobs))
    settings = (false_alarms, factor, round(usual.limit, 6), sorted(usual.times.items()), *values_of(models))
    graph, statements = slow_host_statements(causes, settings)
    return SlowHosts(
        causes,
        len({job.run for job in jobs}),
        len(jobs),
        sum(not usual.knows(job) for job in jobs),
        len({job.run for job in usual_jobs}),
        graph,
        statements,
    )


def _both(session: Session, normal: Session, limits: Limits) -> tuple[tuple[Job, ...], tuple[Job, ...]]:
    """The jobs of the normal runs, and those to compare with them."""
    usual, jobs = jobs_in(normal.store, limits=limits), jobs_in(session.store, limits=limits)
    for found, what in ((usual, "the normal runs"), (jobs, "the runs to check")):
        if not found:
            raise UnusableModel("no job with a duration", what, "give Pegasus, Flow-Bench, WfFormat or sacct records")
    return usual, jobs


@dataclass(frozen=True)
class SlowRuns:
    """The result of a detection of slow runs.

    Args:
        found: the slow runs, the highest score first.
        runs, normal_runs: how many were looked at, and compared with.
        graph: the named graph of the result.
    """

    found: tuple[SlowRun, ...]
    runs: int
    normal_runs: int
    graph: NamedNode
    statements: tuple[Quad, ...]


def detect_slow_runs(
    session: Session, normal: Session, *, false_alarms: float = 0.01, limits: Limits = NO_LIMITS
) -> SlowRuns:
    """Compare whole runs of a graph with normal runs; see `monitor.whole_runs`.

    Args:
        normal, false_alarms: as in `detect_slow_hosts`.

    Raises:
        UnusableModel: there are no jobs, or too few normal runs, to compare.
    """
    usual_jobs, jobs = _both(session, normal, limits)
    usual = usual_runs(usual_jobs, false_alarms=false_alarms)
    found = usual.slow_runs(jobs)
    settings = (false_alarms, usual.keys, *(digest(one.tobytes()) for one in (usual.center, usual.spread)))
    graph, statements = slow_run_statements(found, settings)
    runs, normal_runs = (len({job.run for job in ones}) for ones in (jobs, usual_jobs))
    return SlowRuns(found, runs, normal_runs, graph, statements)


@dataclass(frozen=True)
class SeriesEvents:
    """The events of a series with the jobs that ran meanwhile.

    Args:
        hosts, data_stores: what the graph, or the file, says that the series is about.
        graph: the named graph of the result.
    """

    series: NamedSeries
    events: tuple[tuple[Event, tuple[Job, ...]], ...]
    hosts: tuple[str, ...]
    data_stores: tuple[NamedNode, ...]
    graph: NamedNode
    statements: tuple[Quad, ...]


def detect_in_series(
    session: Session | None,
    path: Path,
    training: Path | None = None,
    *,
    detectors: Sequence[Detector] | None = None,
    predicted: Prediction | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[tuple[SeriesEvents, ...], tuple[str, ...]]:
    """Find events in the series of a file, and the jobs of the graph that they may have affected.

    Args:
        session: the graph with the jobs; None for no jobs.
        training: a file of series without anomalies, with the same names; by default the first quarter of each series.
        detectors: the shipped ones and those of installed packages by default.
        predicted: what a performance model predicts for the series, whose interval is one more detector.

    Returns:
        The events of each series, and what could not be read.

    Raises:
        InputError: a file cannot be read.
    """
    found, lost = read_series(path)
    normal: dict[str, NamedSeries] = {}
    if training is not None:
        others, more = read_series(training)
        normal = {str(one): one for one in others}
        lost += more
    using = (*shipped_detectors(), *plug_in_detectors()) if detectors is None else tuple(detectors)
    if predicted is not None:
        using = (*using, ModelThreshold(predicted.value, predicted.low, predicted.high))
    versions = {detector.name: detector.version for detector in using}
    attribution = None if session is None else Attribution(session, jobs_in(session.store, limits=limits))
    stated = {} if session is None else {one.iri: one.about for one in stated_series(session, limits=limits)}
    results = []
    for one in found:
        limits.check("looking for anomalies")
        series = one.series
        known = normal.get(str(one)) or (next(iter(normal.values())) if len(normal) == len(found) == 1 else None)
        usual = series.first_quarter() if known is None else known.series
        scores = {detector.name: detector.calibrate(usual).score(series) for detector in using}
        events = events_of(series, scores, unit=one.unit)
        iri = series_iri(SeriesOrigin.of_file(path), one)
        affected: dict[Event, tuple[Job, ...]] = dict.fromkeys(events, ())
        hosts: tuple[str, ...] = (one.host,) if one.host else ()
        stores: tuple[NamedNode, ...] = ()
        if attribution is not None:
            about = stated.get(iri) or attribution.about(one)
            affected = {event: attribution.jobs_during(about, event.begin, event.end) for event in events}
            hosts, stores = attribution.hosts(about), attribution.data_stores(about)
        settings: tuple[object, ...] = (digest(usual.times.tobytes(), usual.values.tobytes()),)
        settings += () if predicted is None else (predicted.value, predicted.low, predicted.high)
        graph, statements = event_statements(
            iri, str(one), events, affected, versions, settings, hosts=hosts, data_stores=stores
        )
        results.append(SeriesEvents(one, tuple(affected.items()), hosts, stores, graph, statements))
    return tuple(results), lost


def keep_detection(session: Session, statements: Sequence[Quad], words: str) -> int:
    """Add what a detection found to the workspace, as one edit; again it adds nothing.

    Returns:
        The number of new statements.

    Raises:
        Unsupported: no workspace is open.
    """
    return len(session.edit(ChangeSet(added=tuple(statements), words=words)).change.added)


@dataclass(frozen=True)
class Anomaly:
    """An anomaly that the graph states.

    Args:
        begin, end, host: empty if they are not known.
        data_stores: the names of the data stores that it was observed in, separated by commas; may be empty.
    """

    iri: str
    label: str
    evidence: str
    severity: str
    score: float
    begin: str
    end: str
    host: str
    data_stores: str
    jobs: int

    @property
    def where(self) -> str:
        """The host, or the data stores."""
        return self.host or self.data_stores

    @property
    def what(self) -> str:
        """The label without the severity, which has a column of its own in lists."""
        return self.label.removeprefix(f"{self.severity} ")


def list_anomalies(session: Session, *, limits: Limits = NO_LIMITS) -> tuple[Anomaly, ...]:
    """The anomalies of a graph, the highest score first."""
    found = []
    for row in session.store.select(anomalies_query(), limits=limits):
        cells = {name: getattr(term, "value", "") for name, term in row.items()}
        found.append(
            Anomaly(
                cells["anomaly"],
                cells["label"],
                cells["evidence"],
                cells["severity"],
                float(cells["score"]),
                cells.get("begin", ""),
                cells.get("end", ""),
                cells.get("host", ""),
                cells.get("stores", ""),
                int(cells.get("jobs", "0")),
            )
        )
    return tuple(found)
