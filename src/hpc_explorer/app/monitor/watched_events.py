"""Events of series that are watched, and telling of an event that begins by a program or a message."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.monitor.attribution import Attribution
from hpc_explorer.app.monitor.series import SeriesReader, stated_series
from hpc_explorer.app.settings import Settings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.monitor.amqp import publish
from hpc_explorer.monitor.detectors import Detector, plug_in_detectors, shipped_detectors
from hpc_explorer.monitor.events import Event
from hpc_explorer.monitor.graph import digest, event_statements, jobs_in
from hpc_explorer.monitor.jobs import Job
from hpc_explorer.monitor.live import live_address
from hpc_explorer.monitor.running_events import TRAINING, RunningEvents
from hpc_explorer.monitor.series import Series
from hpc_explorer.monitor.series_graph import StatedSeries
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.protocol.logins import find_login

LONGEST_PROGRAM = 10.0
"""Seconds after which the program that tells of an event is ended."""


@dataclass(frozen=True)
class EventNews:
    """An event that began or has ended.

    Args:
        series: the series that it is in, and its name.
        event: as it is known so far.
        has_ended: whether it has ended; then the graph states it.
        begins: whether it is told of for the first time.
        jobs: those that ran meanwhile.
        hosts, data_stores: what the series is about.
        step: undoes the statements; None if there were no new ones.
    """

    series: NamedNode
    label: str
    event: Event
    has_ended: bool
    begins: bool
    jobs: tuple[Job, ...]
    hosts: tuple[str, ...] = ()
    data_stores: tuple[NamedNode, ...] = ()
    step: EditStep | None = None

    def as_json(self) -> dict[str, object]:
        """The event for programs."""
        return {
            "series": self.series.value,
            "label": self.label,
            **asdict(self.event),
            "begin": _moment(self.event.begin),
            "end": _moment(self.event.end) if self.has_ended else None,
            "jobs": [job.iri for job in self.jobs],
            "hosts": list(self.hosts),
            "data_stores": [one.value for one in self.data_stores],
        }


@dataclass
class _Watched:
    """The state of a series."""

    running: RunningEvents
    digest: str
    last: float
    is_ongoing: bool = False


class WatchedEvents:
    """Looks for events in the series of the open workspace while points are added.

    The first `TRAINING` points of a series count as normal; there is no event before they are there. An event that has
    ended is added to the graph. The result depends on the points only, so that after a restart nothing is added twice.
    A point that is earlier than one that was looked at is left out.

    Args:
        detectors: the shipped ones and those of installed packages by default.
    """

    def __init__(self, session: Session, detectors: Sequence[Detector] | None = None) -> None:
        self._session = session
        self._detectors = tuple(detectors) if detectors is not None else (*shipped_detectors(), *plug_in_detectors())
        self._versions = {one.name: one.version for one in self._detectors}
        self._watched: dict[NamedNode, _Watched] = {}

    def look(self, series: Iterable[NamedNode], limits: Limits = NO_LIMITS) -> tuple[EventNews, ...]:
        """Look at the new points of these series.

        Raises:
            Unsupported, OutputNotWritable, StoreError: the graph cannot be edited, or points cannot be read.
            Cancelled, DeadlineExceeded: by `limits`.
        """
        wanted = set(series)
        news: list[EventNews] = []
        for one in stated_series(self._session, limits=limits) if wanted else ():
            if one.iri in wanted:
                limits.check("looking for anomalies")
                news += self._looked(one, limits)
        return tuple(news)

    def _looked(self, one: StatedSeries, limits: Limits) -> list[EventNews]:
        import numpy as np

        reader = SeriesReader(self._session)
        watched = self._watched.get(one.iri)
        begin = -np.inf if watched is None else float(np.nextafter(watched.last, np.inf))
        read = reader.points(one, begin)
        series = Series(read.times, read.values)
        if watched is None:
            if len(series) < TRAINING:
                return []
            training = Series(series.times[:TRAINING], series.values[:TRAINING])
            watched = self._watched[one.iri] = _Watched(
                RunningEvents(self._detectors, training, one.unit),
                digest(training.times.tobytes(), training.values.tobytes()),
                float(series.times[-1]),
            )
        elif not len(series):
            return []
        watched.last = float(series.times[-1])
        found = watched.running.extend(series)
        news = []
        jobs = jobs_in(self._session.store, limits=limits) if found.ended or found.ongoing else ()
        attribution = Attribution(self._session, jobs, limits=limits)

        def told(event: Event, has_ended: bool) -> EventNews:
            return EventNews(
                one.iri,
                one.label,
                event,
                has_ended,
                not has_ended,
                attribution.jobs_during(one.about, event.begin, event.end),
                attribution.hosts(one.about),
                attribution.data_stores(one.about),
            )

        for number, event in enumerate(found.ended):
            ended = told(event, has_ended=True)
            step = self._keep(ended, watched.digest)
            begins = step is not None and not (watched.is_ongoing and number == 0)
            news.append(replace(ended, begins=begins, step=step))
        watched.is_ongoing = watched.is_ongoing and not found.ended
        if found.ongoing is not None and not watched.is_ongoing:
            news.append(told(found.ongoing, has_ended=False))
        watched.is_ongoing = found.ongoing is not None
        return [one for one in news if one.begins or one.step is not None]

    def _keep(self, news: EventNews, training: str) -> EditStep | None:
        statements = event_statements(
            news.series,
            news.label,
            [news.event],
            {news.event: news.jobs},
            self._versions,
            (training,),
            hosts=news.hosts,
            data_stores=news.data_stores,
        )[1]
        return EditStep.made(self._session, ChangeSet(added=statements, words=f"Anomaly of {news.label}"))


def words_of(news: EventNews) -> str:
    """An event in a sentence."""
    state = f"ended {_moment(news.event.end)}" if news.has_ended else f"began {_moment(news.event.begin)}"
    return f"{news.event.severity} anomaly of {news.label} {state}: {news.event.evidence}"


def tell(news: EventNews, settings: Settings) -> tuple[str, ...]:
    """Tell of an event as the settings say: run a program with the event as JSON on its standard input, and publish it.

    Returns:
        What could not be done.
    """
    problems = []
    text = json.dumps({**news.as_json(), "text": words_of(news)}, ensure_ascii=False)
    if settings.anomaly_program:
        problems.append(_run(settings.anomaly_program, text))
    if settings.anomaly_queue:
        try:
            publish(live_address(settings.anomaly_queue), text.encode(), find_login)
        except ExplorerError as error:
            problems.append(str(error))
    return tuple(problem for problem in problems if problem)


def _run(program: str, text: str) -> str:
    """Run a program without a shell. Returns what went wrong; empty if nothing did."""
    try:
        words = shlex.split(program)
    except ValueError as error:
        return f"the program of the settings cannot be read ({error}): {program}"
    try:
        done = subprocess.run(
            words, input=text.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LONGEST_PROGRAM
        )
    except subprocess.TimeoutExpired:
        return f"the program took more than {LONGEST_PROGRAM:.0f} s and was ended: {words[0]}"
    except OSError as error:
        return f"the program cannot be started ({error.strerror}): {words[0]}"
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return (
        f"the program ended with {done.returncode}: {words[0]}{f': {said[-1]}' if said else ''}"
        if done.returncode
        else ""
    )


def _moment(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
