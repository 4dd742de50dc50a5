"""What the page of a run, a job, a host, a series or an anomaly shows: jobs in lanes, measurements, anomalies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from hpc_explorer.app.explore.finding import reference
from hpc_explorer.app.monitor.attribution import Attribution
from hpc_explorer.app.monitor.detecting import Anomaly, list_anomalies
from hpc_explorer.app.monitor.finding import series_of_jobs
from hpc_explorer.app.monitor.series import SeriesReader, stated_series
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource
from hpc_explorer.monitor.affected import anomaly_links
from hpc_explorer.monitor.detectors import MovingAverage
from hpc_explorer.monitor.graph import jobs_in
from hpc_explorer.monitor.jobs import Job
from hpc_explorer.monitor.series import Series
from hpc_explorer.monitor.series_graph import StatedSeries
from hpc_explorer.monitor.triage import verdicts_in
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.series import DrawnSeries, Extent

_MOST_CALIBRATED = 200_000
"""The usual range of a series is computed from at most this many points."""


def has_jobs_or_series(session: Session, focus: Resource, *, limits: Limits = NO_LIMITS) -> bool:
    """Whether a resource is a job, a run, a host or data store of jobs, a series or an anomaly.

    Endpoints are not asked.
    """
    if not isinstance(focus, NamedNode) or session.store.capabilities.remote:
        return False
    own, took, machine = f"<{focus.value}>", f"<{HPC.executionTime.value}>", f"<{HPC.wasAWH.value}>"
    lies = f"<{PROVLAKE.isInStore.value}>|<{PROV.atLocation.value}>"
    touched = f"<{PROV.used.value}>|<{PROV.generated.value}>"
    query = f"""SELECT ?found WHERE {{
      {{ {own} {took} ?found }} UNION {{ {own} a <{HPC.TimeSeries.value}> . BIND(1 AS ?found) }}
      UNION {{ {own} a <{HPC.Anomaly.value}> . BIND(1 AS ?found) }}
      UNION {{ ?job <{DCTERMS.isPartOf.value}> {own} ; {took} ?found }}
      UNION {{ ?job {machine} {own} ; {took} ?found }}
      UNION {{ ?data {lies} {own} . ?job {touched} ?data ; {took} ?found }}
      UNION {{ ?data {lies} {own} ; <{PROV.wasGeneratedBy.value}> ?job . ?job {took} ?found }}
      UNION {{ {own} <{HPC.usedWorkflow.value}> ?plan .
        GRAPH ?graph {{ {own} a <{PROV.Activity.value}> . ?job {took} ?found }} }}
    }} LIMIT 1"""
    return any(True for _ in session.store.select(query, limits=limits))


@dataclass(frozen=True)
class JobRow:
    """A job of the page.

    Args:
        lane: the line of the timeline that it is drawn in; -1 without times.
        anomalies: the indices of the anomalies that affected it and are no false alarms.
    """

    resource: NamedNode
    job: Job
    lane: int
    anomalies: tuple[int, ...]


@dataclass(frozen=True)
class SeriesRow:
    """A series of the page.

    Args:
        hosts: the machines that it is about, if it is about machines.
        usual: the least and the greatest usual value, from its first quarter; None if that is too short or too long.
        anomalies: as of `JobRow`.
    """

    series: StatedSeries
    extent: Extent
    hosts: tuple[str, ...]
    usual: tuple[float, float] | None
    anomalies: tuple[int, ...]


@dataclass(frozen=True)
class AnomalyRow:
    """An anomaly of the page.

    Args:
        begin, end: in seconds since 1970; None if unknown.
        jobs, series: what it affected, and what it was found in.
        verdict, why: what a person said; may be empty.
    """

    resource: NamedNode
    anomaly: Anomaly
    begin: float | None
    end: float | None
    jobs: tuple[NamedNode, ...]
    series: tuple[NamedNode, ...]
    verdict: str
    why: str


@dataclass(frozen=True)
class RunView:
    """What the page shows.

    Args:
        run: the one run that the jobs belong to; empty if they belong to several or there are none.
        label: the name of the run, or of the resource.
        lanes: the name of each lane of the timeline: a host, or a kind of job.
        runs: the number of runs of the jobs.
        begin, end: the interval of everything shown, in seconds since 1970.
    """

    run: str
    label: str
    jobs: tuple[JobRow, ...]
    lanes: tuple[str, ...]
    series: tuple[SeriesRow, ...]
    anomalies: tuple[AnomalyRow, ...]
    runs: int
    begin: float
    end: float


def run_view(session: Session, focus: Resource, *, limits: Limits = NO_LIMITS) -> RunView:
    """The jobs, series and anomalies of a resource: those of its run, of its host, or of data in it.

    Raises:
        UnknownResource: it has none.
    """
    every = jobs_in(session.store, limits=limits)
    own = f"{getattr(focus, 'value', focus)}"
    runs = {job.run for job in every if own in (job.iri, job.run)}
    anomalies = list_anomalies(session, limits=limits)
    affected, found_in = anomaly_links(session.store, limits=limits)
    stated = {one.iri.value: one for one in stated_series(session, limits=limits)}
    attribution = Attribution(session, every, limits=limits)
    jobs: Sequence[Job] = ()
    if not runs and own in affected:
        runs = {job.run for job in every if job.iri in affected[own]}
    if not runs:
        runs = _runs_by_graph(session, own, limits) & {job.run for job in every}
    if runs:
        jobs = [job for job in every if job.run in runs]
    elif own in stated:
        jobs = attribution.jobs(stated[own].about)
    elif attribution.hosts([NamedNode(own)]) or attribution.data_stores([NamedNode(own)]):
        jobs = attribution.jobs([NamedNode(own)])
    listed = series_of_jobs(session, jobs, attribution, limits=limits) if jobs else ()
    if own in stated or not listed:
        shown_series = [stated[one] for one in ([own] if own in stated else found_in.get(own, ())) if one in stated]
        extents = SeriesReader(session).extents(shown_series)
        listed = tuple(
            (one, extents[one.iri], attribution.hosts(one.about)) for one in shown_series if one.iri in extents
        )
        jobs = [job for job in jobs if all(_overlaps(job, extent) for _, extent, _ in listed)]
    if not jobs and not listed:
        raise UnknownResource("no jobs and no measurements at hand", own, "open the records of a run")
    keys = {job.iri for job in jobs} | {one.iri.value for one, _, _ in listed}
    shown = [
        one
        for one in anomalies
        if not keys.isdisjoint(affected.get(one.iri, set()) | found_in.get(one.iri, set())) or one.iri == own
    ]
    verdicts = verdicts_in(session.store, limits=limits)
    rows = tuple(
        AnomalyRow(
            NamedNode(one.iri),
            one,
            _seconds(one.begin),
            _seconds(one.end),
            tuple(NamedNode(job) for job in sorted(affected.get(one.iri, ()))),
            tuple(NamedNode(series) for series in sorted(found_in.get(one.iri, ()))),
            *verdicts.get(one.iri, ("", "")),
        )
        for one in shown
    )
    return _assembled(session, focus, jobs, listed, rows, limits)


def _assembled(
    session: Session,
    focus: Resource,
    jobs: Sequence[Job],
    listed: Sequence[tuple[StatedSeries, Extent, tuple[str, ...]]],
    anomalies: tuple[AnomalyRow, ...],
    limits: Limits,
) -> RunView:
    by: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(anomalies):
        if row.verdict != "false alarm":
            for one in (*row.jobs, *row.series):
                by[one.value].append(number)
    lanes, names = lanes_of(jobs)
    job_rows = tuple(
        JobRow(NamedNode(job.iri), job, lane, tuple(by.get(job.iri, ()))) for job, lane in zip(jobs, lanes, strict=True)
    )
    reader = SeriesReader(session)
    series_rows = tuple(
        SeriesRow(one, extent, hosts, _usual(reader, one, extent), tuple(by.get(one.iri.value, ())))
        for one, extent, hosts in listed
    )
    runs = {job.run for job in jobs}
    run = next(iter(runs)) if len(runs) == 1 else ""
    about: Resource = NamedNode(run) if run and any(session.store.match(NamedNode(run), limits=limits)) else focus
    times = [time for job in jobs for time in (job.started, job.ended) if time is not None]
    times = times or [time for row in series_rows for time in (row.extent.begin, row.extent.end)] or [0.0, 1.0]
    return RunView(
        run, reference(session, about).label, job_rows, names, series_rows, anomalies, len(runs), min(times), max(times)
    )


def _usual(reader: SeriesReader, series: StatedSeries, extent: Extent) -> tuple[float, float] | None:
    """The range that the moving average takes as normal."""
    if extent.points > 4 * _MOST_CALIBRATED:
        return None
    points = reader.points(series)
    normal = Series(points.times, points.values).first_quarter()
    if len(normal) < 30:
        return None
    scores = MovingAverage().calibrate(normal).score(normal)
    middle, margin = float(scores.expected[-1]), float(scores.margin[-1])
    return middle - margin, middle + margin


def lanes_of(jobs: Iterable[Job]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Put jobs into lanes in which none overlaps another; the lanes of a host follow each other.

    Returns:
        The lane of each job, -1 without times; and the host, or the kind of job where no host is known, of each lane.
    """
    given = list(jobs)
    groups: dict[str, list[int]] = defaultdict(list)
    for number, job in enumerate(given):
        if job.started is not None and job.ended is not None:
            groups[job.host or job.task].append(number)
    lanes = [-1] * len(given)
    names: list[str] = []
    for name in sorted(groups):
        free: list[float] = []
        first = len(names)
        for number in sorted(groups[name], key=lambda one: given[one].started or 0.0):
            begin, end = given[number].started or 0.0, given[number].ended or 0.0
            lane = next((at for at, until in enumerate(free) if until <= begin), len(free))
            if lane == len(free):
                free.append(end)
            else:
                free[lane] = end
            lanes[number] = first + lane
        names += [name] * len(free)
    return tuple(lanes), tuple(names)


def _runs_by_graph(session: Session, own: str, limits: Limits) -> set[str]:
    """The graphs that state a run which follows a workflow."""
    query = f"SELECT DISTINCT ?graph WHERE {{ GRAPH ?graph {{ <{own}> <{HPC.usedWorkflow.value}> ?plan }} }}"
    rows = session.store.select(query, limits=limits)
    return {graph.value for row in rows if isinstance(graph := row.get("graph"), NamedNode)}


def _overlaps(job: Job, extent: Extent) -> bool:
    return (job.started is None or job.started <= extent.end) and (job.ended is None or job.ended >= extent.begin)


def _seconds(text: str) -> float | None:
    try:
        return datetime.fromisoformat(text).timestamp() if text else None
    except ValueError:
        return None


def draw_series(
    session: Session,
    series: Sequence[StatedSeries],
    begin: float,
    end: float,
    *,
    most: int = 2_000,
    limits: Limits = NO_LIMITS,
) -> dict[NamedNode, DrawnSeries]:
    """Series in an interval, at the resolution of a picture."""
    reader = SeriesReader(session)
    drawn = {}
    for one in series:
        limits.check("reading measurements")
        drawn[one.iri] = reader.drawn(one, begin, end, most=most)
    return drawn
