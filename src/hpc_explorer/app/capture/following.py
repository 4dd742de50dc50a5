"""Follow recorded runs that are open in a session: their new records become statements of their source.

`Growth` is a thread that looks at the spool files and tells when they have grown. It only reads sizes: the recording
program is not asked, and nothing is locked. `FollowedRuns.follow` then reads what is new.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from hpc_explorer.app.capture.progress import Progress, RunsView
from hpc_explorer.app.workspace.session import Session, Source
from hpc_explorer.capture.spool import NotASpool, Record, read_spool, spool_files
from hpc_explorer.interchange.capture.reading import spool_quads
from hpc_explorer.interchange.capture.statements import ProvMlStatements
from hpc_explorer.rdf.terms import NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.wording import counted

LOOKS_EVERY = 0.05
"""Seconds between two looks at the sizes of the files."""

_PART = 4 << 20


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
        """New records in parts, and whether their statements may be missing in the session.

        Args:
            unread: counts what cannot be read.
        """
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


class FollowedRuns:
    """The recorded runs that are open in a session.

    Only one thread at a time calls `follow`.
    """

    def __init__(self) -> None:
        self._spools: dict[NamedNode, _Spool] = {}
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
        for graph, spool in self._spools.items():
            is_first = not spool.read
            for records, may_be_new in spool.new_parts(self._unread):
                if may_be_new:
                    quads = spool_quads(spool.statements, records, self._unread)
                    session.grow(
                        graph, (Quad(one.subject, one.predicate, one.object, graph) for one in quads), limits=limits
                    )
                self._progress.add(records, None if is_first else time.time_ns())
                limits.check("reading records")
        view = self._progress.view(metric)
        unread = tuple(f"{counted(number, 'record')} not read: {why}" for why, number in self._unread.items() if number)
        lost = tuple(
            f"{counted(number, 'record')} not written by the recorder: {why}"
            for spool in self._spools.values()
            for why, number in spool.statements.lost.items()
        )
        return replace(view, problems=(*unread, *lost))

    def _take_sources(self, session: Session) -> None:
        """Begin anew if other spools are open than before, or one was opened again."""
        found = {source.summary.graph: source for source in followed(session)}
        known = {graph: spool.loaded for graph, spool in self._spools.items()}
        if known != {graph: source.ends for graph, source in found.items()}:
            self._progress, self._unread = Progress(), Counter()
            self._spools = {
                graph: _Spool(source.path, dict(source.ends))
                for graph, source in found.items()
                if source.path is not None
            }


def followed(session: Session) -> tuple[Source, ...]:
    """The open sources that may grow: spools on disk."""
    return tuple(source for source in session.opened if source.ends and session.workspace is None)


class Growth(threading.Thread):
    """Tells when files grow, until it is stopped. After telling, it waits for `again`.

    Args:
        paths: spool folders or files.
        told: called in this thread.
    """

    def __init__(self, paths: tuple[Path, ...], told: Callable[[], None]) -> None:
        super().__init__(name="spool-growth", daemon=True)
        self._spools = [_Spool(path, {}) for path in paths]
        self._told = told
        self._stopped = threading.Event()
        self._again = threading.Event()
        self._size = -1

    def run(self) -> None:
        while not self._stopped.wait(LOOKS_EVERY):
            size = sum(spool.size() for spool in self._spools)
            if size != self._size:
                self._size = size
                self._again.clear()
                self._told()
                self._again.wait()

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
