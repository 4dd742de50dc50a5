"""Follow growing files, InfluxDB and AMQP queues: what is new goes into the workspace while it is measured."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hpc_explorer.app.journal.edit_steps import EditStep, journal_steps
from hpc_explorer.app.journal.editing import start_editing
from hpc_explorer.app.monitor.series import (
    ImportedSeries,
    SeriesReader,
    add_series,
    import_series,
    stated_series,
    writable_store,
)
from hpc_explorer.app.monitor.watched_events import EventNews, WatchedEvents
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import DeadlineExceeded, InputError, LoginRequired, ServerError, StoreLocked
from hpc_explorer.monitor.amqp import AmqpSource
from hpc_explorer.monitor.influx import InfluxSource
from hpc_explorer.monitor.live import LiveAddress, LiveSource, is_live_address, live_address
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.protocol.logins import find_login

_MOST_TOLD = 10_000
"""The most lines about a source that are remembered, so that they are told once."""

_LOOK = 0.1
"""The longest wait in seconds between two checks of the limits."""


@dataclass(frozen=True)
class Growth:
    """What a look at a file or server brought.

    Args:
        source: the file, or the address of the server without a password.
        new_points: the number of points that were added to the workspace; they are on the disk.
        newest: the time of the newest point of the source's series, in seconds since 1970; None if there is none.
        lost: one line for each thing that could not be read.
        problem: why the source cannot be read now; it is tried again. Empty if it can.
        remedy: what to do about the problem; may be empty.
        series: the series that have new points.
        steps: the edits that state new series.
        news: events that began or ended.
    """

    source: str
    new_points: int
    newest: float | None
    lost: tuple[str, ...] = ()
    problem: str = ""
    remedy: str = ""
    series: tuple[NamedNode, ...] = ()
    steps: tuple[EditStep, ...] = ()
    news: tuple[EventNews, ...] = ()


class _Place(Protocol):
    """A place that is looked at."""

    name: str

    def look(self, limits: Limits) -> list[ImportedSeries]:
        """What is new there, already in the workspace; nothing if it has not changed."""

    def serve(self) -> bool:
        """See `LiveSource`."""

    def close(self) -> None:
        """Close its connection."""


class _File:
    """A file; it is read from its begin whenever it has changed."""

    def __init__(self, session: Session, path: Path) -> None:
        self.name = str(path)
        self._session, self._path = session, path
        self._seen: tuple[int, int] | None = None

    def look(self, limits: Limits) -> list[ImportedSeries]:
        state = self._path.stat()
        seen = state.st_size, state.st_mtime_ns
        if self._seen == seen:
            return []
        self._seen = None
        found = list(import_series(self._session, [self._path], whole_lines=True, limits=limits))
        self._seen = seen
        return found

    def serve(self) -> bool:
        return False

    def close(self) -> None:
        """Nothing is kept open."""


class _Server:
    """A server of measurements."""

    def __init__(self, session: Session, address: LiveAddress) -> None:
        self.name = address.shown
        self._session, self._address = session, address
        self._store = store = writable_store(session, address.shown)
        self._source: LiveSource
        if address.kind == "influx":
            mark = store.mark(address.shown)
            self._source = InfluxSource(address, mark, lambda time: store.set_mark(address.shown, time), find_login)
        else:
            self._source = AmqpSource(address, find_login)

    def look(self, limits: Limits) -> list[ImportedSeries]:
        found = [
            add_series(self._session, self._store, self._address.origin, series, lost, limits=limits)
            for series, lost in self._source.read(limits)
            if series or lost
        ]
        self._source.confirm()
        return found

    def serve(self) -> bool:
        return self._source.serve()

    def close(self) -> None:
        self._source.close()


class Watch:
    """Looks at files and servers, and adds what is new to the open workspace.

    A point that the workspace has is not added twice, and a server is told only of points on the disk. So nothing is
    lost or doubled if the program is killed and started again, or a server is.

    Args:
        names: paths of files, and addresses as `monitor.live` has them.
        detects: whether events are looked for in what is new.

    Raises:
        UsageError: an address is wrong.
        Unsupported: no workspace is open that can be edited, or a package is missing.
    """

    def __init__(self, session: Session, names: Sequence[str], *, detects: bool = False) -> None:
        self._session = session
        self._events = WatchedEvents(session) if detects else None
        addresses = {name: live_address(name) for name in names if is_live_address(name)}
        self._places: list[_Place] = [
            _Server(session, addresses[name]) if name in addresses else _File(session, Path(name)) for name in names
        ]
        self._problems: dict[str, str] = {}
        self._newest: dict[str, float | None] = {}
        self._told: dict[str, set[str]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """What is looked at, without passwords."""
        return tuple(place.name for place in self._places)

    def look(self, limits: Limits = NO_LIMITS) -> Iterator[Growth]:
        """Look at each once. What brought nothing new is left out, and so is a problem that was told already.

        A file has a new last line only when the line has its end.

        Raises:
            LoginRequired: a server refuses the user.
            Unsupported: the workspace cannot be edited any more.
            Cancelled, DeadlineExceeded: by `limits`.
        """
        for place in self._places:
            limits.check("watching")
            try:
                found = place.look(limits)
            except LoginRequired:
                raise
            except (OSError, InputError, ServerError, StoreLocked) as error:
                if isinstance(error, DeadlineExceeded):
                    limits.check("watching")
                problem = getattr(error, "strerror", None) or getattr(error, "what", "") or str(error)
                if self._problems.get(place.name) != problem:
                    remedy = getattr(error, "remedy", "")
                    yield Growth(place.name, 0, self._newest.get(place.name), (), problem, remedy)
                self._problems[place.name] = problem
                continue
            was_lost = self._problems.pop(place.name, None) is not None
            is_first = place.name not in self._newest
            grown = self._growth(place.name, found, limits)
            if grown.new_points or grown.lost or grown.steps or grown.news or was_lost or is_first:
                yield grown

    def _growth(self, name: str, found: Sequence[ImportedSeries], limits: Limits) -> Growth:
        own = {iri for one in found for iri, _ in one.series}
        extents = SeriesReader(self._session).extents([one for one in stated_series(self._session) if one.iri in own])
        ends = [extent.end for extent in extents.values()]
        before = self._newest.get(name)
        self._newest[name] = max(ends if before is None else [*ends, before], default=None)
        return Growth(
            name,
            sum(one.new_points for one in found),
            self._newest[name],
            self._not_told(name, [line for one in found for line in one.lost]),
            series=tuple(sorted(own, key=str)),
            steps=tuple(one.step for one in found if one.step is not None),
            news=() if self._events is None else self._events.look(own, limits),
        )

    def _not_told(self, name: str, lines: Sequence[str]) -> tuple[str, ...]:
        """The lines that were not told before: what is read again gives them again."""
        told = self._told.setdefault(name, set())
        new = tuple(line for line in dict.fromkeys(lines) if line not in told)
        if len(told) > _MOST_TOLD:
            told.clear()
        told.update(new)
        return new

    def rest(self, seconds: float, limits: Limits = NO_LIMITS) -> None:
        """Wait before the next look, or until much has come."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            limits.check("watching")
            served = [place.serve() for place in self._places]
            if any(served):
                return
            time.sleep(min(left, _LOOK))

    def close(self) -> None:
        """Close all connections."""
        for place in self._places:
            place.close()


def start_watch(
    session: Session, names: Sequence[str], *, limits: Limits = NO_LIMITS
) -> tuple[Watch, tuple[tuple[EditStep, ...], tuple[EditStep, ...]] | None]:
    """Watch, with detection, into the open workspace, or into a draft that is started for it.

    Returns:
        The undo and redo steps of the draft, if one was started, beside the watch.

    Raises:
        UsageError, Unsupported, InputError, OutputNotWritable, StoreError: see `Watch` and `start_editing`.
    """
    before = session.workspace
    start_editing(session, limits=limits)
    watching = Watch(session, names, detects=True)
    return watching, journal_steps(session) if session.workspace is not before else None


def watch(
    session: Session, names: Sequence[str], *, every: float = 5.0, detects: bool = False, limits: Limits = NO_LIMITS
) -> Iterator[Growth]:
    """Look at files and servers until `limits` end it; see `Watch`.

    Args:
        every: seconds between two looks.
        detects: see `Watch`.

    Raises:
        UsageError, LoginRequired, Unsupported, Cancelled, DeadlineExceeded: see `Watch`.
    """
    with closing(Watch(session, names, detects=detects)) as watching:
        while True:
            yield from watching.look(limits)
            watching.rest(every, limits)
