"""Follow recorded runs that are open in a session: their new records become statements of their source.

`Growth` is a thread that looks at the spool files and streams and tells when they have grown. It only reads sizes and
the number of a stream's last entry: the recording program is not asked, and nothing is locked. `FollowedRuns.follow`
then reads what is new. A stream is read beside its collectors and takes nothing from them.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from hpc_explorer.app.capture.progress import Progress, RunsView
from hpc_explorer.app.workspace.session import Session, Source
from hpc_explorer.capture.spool import NotASpool, Record, read_spool, spool_files
from hpc_explorer.errors import ExplorerError
from hpc_explorer.interchange.capture.reading import spool_quads
from hpc_explorer.interchange.capture.statements import ProvMlStatements
from hpc_explorer.interchange.capture.streams import StreamAddress, StreamLog
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.wording import counted

LOOKS_EVERY = 0.05
"""Seconds between two looks at the sizes."""

_PART = 4 << 20


class _Place(Protocol):
    """Where running programs record: a spool or a stream that is open as a source.

    Attributes:
        loaded: how far each of its files was read when the source was opened.
        read: how far each has been read for the progress.
        statements: turns its records into statements.
        problem: why it cannot be read now; empty if it can.
    """

    loaded: dict[str, int]
    read: dict[str, int]
    statements: ProvMlStatements
    problem: str

    def size(self) -> int:
        """A number that changes when there is something new, or when it can be read again."""

    def new_parts(self, unread: Counter[str]) -> Iterator[tuple[list[Record], bool]]:
        """New records in parts, and whether their statements may be missing in the session.

        Args:
            unread: counts what cannot be read.
        """

    def close(self) -> None:
        """Close its connection."""


@dataclass
class _Spool:
    """A spool that is open as a source.

    Args:
        loaded: how far each file was read when the source was opened, in bytes.
        read: how far each file has been read for the progress.
    """

    path: Path
    loaded: dict[str, int]
    read: dict[str, int] = field(default_factory=dict)
    statements: ProvMlStatements = field(default_factory=ProvMlStatements)
    problem: str = ""

    def close(self) -> None:
        """Nothing is kept open."""

    def files(self) -> list[Path]:
        """Its files; none if the folder cannot be read now."""
        try:
            return spool_files(self.path) if self.path.is_dir() else [self.path]
        except OSError:
            return []

    def size(self) -> int:
        """The size of its files in bytes."""
        return sum(_size(file) for file in self.files())

    def new_parts(self, unread: Counter[str]) -> Iterator[tuple[list[Record], bool]]:
        """As `_Place`."""
        for file in self.files():
            while True:
                start = self.read.get(file.name, 0)
                try:
                    if file.stat().st_size <= start:
                        break
                    part = read_spool(file, start, _PART)
                except (OSError, NotASpool):
                    break
                self.read[file.name] = part.end
                unread["damaged"] += sum(not damage.is_last for damage in part.damages)
                if part.records:
                    yield part.records, part.end > self.loaded.get(file.name, 0)
                if part.end == start or not part.records:
                    break


class _Stream:
    """A stream that is open as a source; it has one file, the stream."""

    def __init__(self, address: StreamAddress, loaded: dict[str, int]) -> None:
        self.loaded = loaded
        self.read: dict[str, int] = {}
        self.statements = ProvMlStatements()
        self.problem = ""
        self._name = address.stream
        self._log = StreamLog(address)

    def size(self) -> int:
        """The number of its last entry; -1 while the server does not answer."""
        try:
            return self._log.last()
        except ExplorerError:
            return -1

    def new_parts(self, unread: Counter[str]) -> Iterator[tuple[list[Record], bool]]:
        """As `_Place`."""
        loaded = self.loaded.get(self._name, 0)
        try:
            for entries in self._log.after(self.read.get(self._name, 0)):
                for entry in entries:
                    unread["damaged"] += len(entry.problems)
                    yield entry.records, entry.number > loaded
                    self.read[self._name] = entry.number
            self.problem = ""
        except ExplorerError as error:
            self.problem = str(error)

    def close(self) -> None:
        """Close the connection."""
        self._log.close()


def _place(source: Source) -> _Place | None:
    if source.stream is not None:
        return _Stream(source.stream, dict(source.ends))
    return None if source.path is None else _Spool(source.path, dict(source.ends))


class FollowedRuns:
    """The recorded runs that are open in a session.

    Only one thread at a time calls `follow`.
    """

    def __init__(self) -> None:
        self._places: dict[NamedNode, _Place] = {}
        self._progress = Progress()
        self._unread: Counter[str] = Counter()

    def follow(self, session: Session, metric: str = "", *, limits: Limits = NO_LIMITS) -> RunsView:
        """Add the statements of new records to their sources, and return how far the runs have come.

        Args:
            metric: the metric to plot; the likeliest unless it is recorded.

        Raises:
            Cancelled, DeadlineExceeded: by `limits`; what was added stays.
        """
        self._take_sources(session)
        for graph, place in self._places.items():
            is_first = not place.read
            for records, may_be_new in place.new_parts(self._unread):
                if may_be_new:
                    quads = spool_quads(place.statements, records, self._unread)
                    session.grow(
                        graph, (Quad(one.subject, one.predicate, one.object, graph) for one in quads), limits=limits
                    )
                self._progress.add(records, None if is_first else time.time_ns())
                limits.check("reading records")
        view = self._progress.view(metric)
        unread = tuple(f"{counted(number, 'record')} not read: {why}" for why, number in self._unread.items() if number)
        lost = tuple(
            f"{counted(number, 'record')} not written by the recorder: {why}"
            for place in self._places.values()
            for why, number in place.statements.lost.items()
        )
        silent = tuple(place.problem for place in self._places.values() if place.problem)
        return replace(view, problems=(*silent, *unread, *lost))

    def close(self) -> None:
        """Close the files and connections, and forget how far the runs have come. Not while `follow` runs."""
        for place in self._places.values():
            place.close()
        self._places, self._progress, self._unread = {}, Progress(), Counter()

    def _take_sources(self, session: Session) -> None:
        """Begin anew if other sources are open than before, or one was opened again."""
        found = {source.summary.graph: source for source in followed(session)}
        known = {graph: place.loaded for graph, place in self._places.items()}
        if known != {graph: source.ends for graph, source in found.items()}:
            self.close()
            places = {graph: _place(source) for graph, source in found.items()}
            self._places = {graph: place for graph, place in places.items() if place is not None}


def followed(session: Session) -> tuple[Source, ...]:
    """The open sources that may grow: spools on disk, and streams."""
    return tuple(source for source in session.opened if source.ends and session.workspace is None)


class Growth(threading.Thread):
    """Tells when sources grow, until it is stopped. After telling, it waits for `again`.

    Args:
        sources: of `followed`.
        told: called in this thread.
    """

    def __init__(self, sources: tuple[Source, ...], told: Callable[[], None]) -> None:
        super().__init__(name="spool-growth", daemon=True)
        self._places = [place for source in sources if (place := _place(source)) is not None]
        self._told = told
        self._stopped = threading.Event()
        self._again = threading.Event()
        self._sizes: list[int] = []

    def run(self) -> None:
        while not self._stopped.wait(LOOKS_EVERY):
            sizes = [place.size() for place in self._places]
            if sizes != self._sizes:
                self._sizes = sizes
                self._again.clear()
                self._told()
                self._again.wait()
        for place in self._places:
            place.close()

    def again(self) -> None:
        """Look again: what was told has been read."""
        self._again.set()

    def stop(self) -> None:
        """End the thread, and wait until it has ended."""
        self._stopped.set()
        self._again.set()
        self.join()


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
