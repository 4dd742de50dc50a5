"""Find what was not as usual in one run: its jobs beside those of other runs, and the measurements of its hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.editing import start_editing_for
from hpc_explorer.app.monitor.attribution import Attribution
from hpc_explorer.app.monitor.fitting import input_models, values_of
from hpc_explorer.app.monitor.series import SeriesReader, stated_series
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnusableModel
from hpc_explorer.monitor.detectors import plug_in_detectors, shipped_detectors
from hpc_explorer.monitor.events import events_of
from hpc_explorer.monitor.graph import digest, event_statements, jobs_in, slow_host_statements
from hpc_explorer.monitor.jobs import Job, slow_hosts, usual_times
from hpc_explorer.monitor.series import Series
from hpc_explorer.monitor.series_graph import StatedSeries
from hpc_explorer.monitor.triage import triage_change
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.series import Extent

FALSE_ALARMS, FACTOR = 0.01, 2.0
"""The share of other runs that may have a job above the limit, and the least slowdown that counts."""


@dataclass(frozen=True)
class Found:
    """What was looked at in a run, and what was not as usual.

    Args:
        anomalies: the number of slow hosts and events.
        jobs, compared: the jobs of the run, and those that other runs have something to compare with.
        series, points: the number of series that were looked at, and of their points.
        statements: the anomalies, in named graphs of their own.
    """

    anomalies: int
    jobs: int
    compared: int
    series: int
    points: int
    statements: tuple[Quad, ...]


def find_in_run(session: Session, run: str, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> Found:
    """Look for slow jobs and events in a run. Nothing is changed.

    Jobs are compared with those of the other runs of the graph. Of each series, the first quarter counts as normal.

    Raises:
        UnusableModel: the graph has no jobs of the run.
    """
    jobs = jobs_in(session.store, limits=limits)
    own = [job for job in jobs if job.run == run]
    if not own:
        raise UnusableModel("no job with a duration", run, "open the records of a run")
    others = [job for job in jobs if job.run != run]
    quads: list[Quad] = []
    models = input_models([job for job in others if job.task in {one.task for one in own}], limits=limits)
    usual = usual_times(others, false_alarms=FALSE_ALARMS, factor=FACTOR, models=models)
    causes = slow_hosts(usual.slow_jobs(own))
    if causes:
        quads += slow_host_statements(
            causes,
            (FALSE_ALARMS, FACTOR, round(usual.limit, 6), sorted(usual.times.items()), *values_of(models)),
        )[1]
    events, points = 0, 0
    attribution = Attribution(session, jobs, limits=limits)
    listed = series_of_jobs(session, own, attribution, limits=limits)
    reader = SeriesReader(session)
    using = (*shipped_detectors(), *plug_in_detectors())
    versions = {detector.name: detector.version for detector in using}
    for number, (one, _, hosts) in enumerate(listed):
        progress(one.label, number / len(listed))
        limits.check("looking for anomalies")
        read = reader.points(one)
        series = Series(read.times, read.values)
        points += len(series)
        quarter = series.first_quarter()
        scores = {detector.name: detector.calibrate(quarter).score(series) for detector in using}
        found = events_of(series, scores, unit=one.unit)
        if not found:
            continue
        events += len(found)
        affected = {event: attribution.jobs_during(one.about, event.begin, event.end) for event in found}
        stores = attribution.data_stores(one.about)
        settings = (digest(quarter.times.tobytes(), quarter.values.tobytes()),)
        quads += event_statements(
            one.iri, one.label, found, affected, versions, settings, hosts=hosts, data_stores=stores
        )[1]
    progress("done", 1.0)
    compared = sum(usual.knows(job) for job in own)
    return Found(len(causes) + events, len(own), compared, len(listed), points, tuple(dict.fromkeys(quads)))


def series_of_jobs(
    session: Session, jobs: Sequence[Job], attribution: Attribution, *, limits: Limits = NO_LIMITS
) -> tuple[tuple[StatedSeries, Extent, tuple[str, ...]], ...]:
    """The series about jobs, their run, hosts or data that overlap with them in time, each with its hosts."""
    stated = stated_series(session, limits=limits)
    if not stated:
        return ()
    iris = {job.iri for job in jobs}
    begins = [job.started for job in jobs if job.started is not None]
    ends = [job.ended for job in jobs if job.ended is not None]
    about: dict[StatedSeries, tuple[str, ...]] = {}
    for one in stated:
        if any(job.iri in iris for job in attribution.jobs(one.about)):
            about[one] = attribution.hosts(one.about)
    extents = SeriesReader(session).extents(tuple(about))
    found = []
    for one, on in about.items():
        extent = extents.get(one.iri)
        if extent is not None and (not ends or extent.begin <= max(ends)) and (not begins or extent.end >= min(begins)):
            found.append((one, extent, on))
    return tuple(found)


@dataclass(frozen=True)
class Kept:
    """A change that was made.

    Args:
        step: undoes it; None if nothing changed.
        resumed: the undo and redo steps of the draft, if one was started.
        words: the result, in a sentence.
    """

    step: EditStep | None
    resumed: tuple[tuple[EditStep, ...], tuple[EditStep, ...]] | None
    words: str


def find_and_keep(
    session: Session, run: str, label: str, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> Kept:
    """Find anomalies in a run and add them to the graph as one edit; a draft is started if needed.

    Raises:
        UnusableModel: see `find_in_run`.
        Unsupported, InputError, OutputNotWritable, StoreError: the graph cannot be edited.
    """
    found = find_in_run(session, run, progress=progress, limits=limits)
    looked = f"{found.compared:,} of {found.jobs:,} jobs compared with other runs, {found.points:,} points looked at"
    if not found.anomalies:
        return Kept(None, None, f"No anomaly in {label}: {looked}")
    kept = _keep(session, ChangeSet(added=found.statements, words=f"Anomalies of {label}"), limits)
    number = "1 anomaly" if found.anomalies == 1 else f"{found.anomalies:,} anomalies"
    known = "" if kept.step is not None else ", known already"
    return Kept(kept.step, kept.resumed, f"{number} in {label}{known}: {looked}")


def triage(
    session: Session, anomaly: NamedNode, label: str, verdict: str, why: str, *, limits: Limits = NO_LIMITS
) -> Kept:
    """Record whether an anomaly is confirmed or a false alarm, and why; an earlier verdict is replaced.

    Args:
        verdict: one of `triage.VERDICTS`; empty to withdraw it.

    Raises:
        Unsupported, InputError, OutputNotWritable, StoreError: the graph cannot be edited.
    """
    change = triage_change(session.store, anomaly, label, verdict, why, limits=limits)
    kept = _keep(session, change, limits)
    return Kept(kept.step, kept.resumed, f"{label}: {verdict or 'no verdict'}")


def _keep(session: Session, change: ChangeSet, limits: Limits) -> Kept:
    before = session.workspace
    change = start_editing_for(session, change, limits=limits)
    step = EditStep.made(session, change)
    return Kept(step, journal_steps(session) if session.workspace is not before else None, change.words)
