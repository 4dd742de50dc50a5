"""Collect the records of spools and streams into a workspace, as PROV-ML.

Records go two steps: `gather` appends their statements to an N-Triples file in the folder `collected` of the workspace,
and `load` reads these files into the workspace like any other source. How far each spool file has been gathered is
written after its statements are on disk. If the program ends in between, the records are gathered again, which gives
the same statements.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from hpc_explorer.app.capture.stream import Stream
from hpc_explorer.app.workspace.load_progress import Report
from hpc_explorer.app.workspace.loading import LoadReport, load_into
from hpc_explorer.app.workspace.source_files import SourceFile
from hpc_explorer.app.workspace.states import COLLECTED, lock_to_change
from hpc_explorer.capture.spool import NotASpool, Record, read_spool, spool_files
from hpc_explorer.errors import SourceNotFound, StoreDamaged, StoreLocked
from hpc_explorer.interchange.capture.statements import ProvMlStatements, UnknownRecord
from hpc_explorer.interchange.capture.streams import StreamAddress
from hpc_explorer.rdf.syntax.files import atomic_output, input_error, output_error
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.manifest import is_workspace, read_manifest
from hpc_explorer.stores.local.folder_lock import FolderLock
from hpc_explorer.wording import counted

_PART = 8 << 20
_MOST_CONSUMERS = 1000


@dataclass
class _State:
    """How much of a source has been gathered; written to disk with `save`.

    Args:
        size: the length of the N-Triples file in bytes.
        records: the number of records.
        offsets: the next byte of each spool file.
        problems: what could not be read, by spool file.
        lost: the records that the recorders could not write, by reason.
    """

    path: Path
    size: int = 0
    records: int = 0
    offsets: dict[str, int] = field(default_factory=dict)
    problems: dict[str, list[str]] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path) -> _State:
        """The state in a file.

        Raises:
            StoreDamaged: the file holds something else.
        """
        try:
            return cls(path, **json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return cls(path)
        except (OSError, ValueError, TypeError):
            raise StoreDamaged(
                "the record of what was collected cannot be read",
                str(path),
                f"remove it and {path.stem}.nt, and collect again",
            ) from None

    def save(self) -> None:
        kept = {name: value for name, value in vars(self).items() if name != "path"}
        with atomic_output(self.path) as stream:
            stream.write(json.dumps(kept).encode())


class _Gathered:
    """The N-Triples file of a source, and its state. Only one program gathers a source at a time.

    Args:
        folder: the folder of collected files.
        key: what the source is, for the file's name.
        name: the source's name in the workspace.
        graph: the source's graph.

    Raises:
        StoreLocked: another program gathers the same source.
        OutputNotWritable: the folder cannot be written.
    """

    def __init__(self, folder: Path, key: str, name: str, graph: NamedNode) -> None:
        readable = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[-40:]
        stem = f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"
        self.file = SourceFile(name, folder / f"{stem}.nt", graph)
        lock = FolderLock.exclusive(folder / f"{stem}.lock")
        if lock is None:
            raise StoreLocked("another program collects this source", name, "wait until it is done")
        self._lock = lock
        self._converter = ProvMlStatements()
        self.state = _State.of(folder / f"{stem}.json")
        try:
            with open(self.file.on_disk, "ab") as stream:
                if stream.tell() < self.state.size:
                    self.state = _State(self.state.path)  # the statements are gone: gather all again
                stream.truncate(self.state.size)
        except OSError as error:
            raise output_error(error, self.file.on_disk) from None

    def add(self, name: str, records: Sequence[Record], end: int, problems: Iterable[str] = ()) -> None:
        """Append the statements of records, then write how far they go.

        Args:
            name: the spool file.
            end: its next byte.
            problems: what could not be read in this part.

        Raises:
            OutputNotWritable: the disk is full; the records are gathered another time.
        """
        unknown: Counter[str] = Counter()
        texts = []
        for record in records:
            try:
                texts.append(self._converter.of(record))
            except UnknownRecord as error:
                unknown[str(error)] += 1
        data = "".join(texts).encode()
        try:
            with open(self.file.on_disk, "r+b") as stream:
                stream.seek(self.state.size)
                stream.write(data)
                stream.truncate()
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise output_error(error, self.file.on_disk) from None
        state = self.state
        state.size += len(data)
        state.records += len(records) - unknown.total()
        state.offsets[name] = end
        for why, number in self._converter.lost.items():
            state.lost[why] = state.lost.get(why, 0) + number
        self._converter.lost.clear()
        said = [*problems, *(f"{counted(number, 'record')} not understood: {what}" for what, number in unknown.items())]
        if said:
            state.problems.setdefault(name, []).extend(said)
        state.save()

    def close(self) -> None:
        self._lock.release()


class _Source(Protocol):
    """A source of records.

    Attributes:
        gathered: its statements so far.
        passing: what cannot be read now, and may be complete later.
    """

    gathered: _Gathered
    passing: list[str]

    def gather(self, limits: Limits) -> int:
        """Gather new records; returns their number."""


class _Spool:
    """A spool folder, or one spool file."""

    def __init__(self, folder: Path, path: Path) -> None:
        whole = path.resolve()
        self._path = path
        self.gathered = _Gathered(folder, str(whole), str(path), NamedNode(whole.as_uri()))
        self.passing: list[str] = []

    def gather(self, limits: Limits) -> int:
        self.passing = []
        before = self.gathered.state.records
        try:
            files = spool_files(self._path) if self._path.is_dir() else [self._path]
        except OSError as error:
            raise input_error(error, self._path, "folder") from None
        for file in files:
            try:
                self._gather_file(file, limits)
            except NotASpool as error:
                self.passing.append(f"{file}: {error}")
            except OSError as error:
                self.passing.append(f"{file}: cannot be read ({error.strerror})")
        return self.gathered.state.records - before

    def _gather_file(self, file: Path, limits: Limits) -> None:
        state = self.gathered.state
        while True:
            limits.check("collecting")
            start = state.offsets.get(file.name, 0)
            if start and file.stat().st_size == start:
                return
            part = read_spool(file, start, _PART)
            at_end = part.end >= file.stat().st_size
            bad = [damage for damage in part.damages if not damage.is_last]
            said = [f"a damaged record at byte {damage.offset:,} ({damage.size:,} bytes)" for damage in bad]
            if part.records or bad:
                self.gathered.add(file.name, part.records, part.end, said)
            if not part.records and not bad:
                if not at_end and part.damages:
                    self.passing.append(
                        f"{file}: the last record is incomplete (byte {part.damages[-1].offset:,}): "
                        "the process was killed, or is still writing"
                    )
                return
            if at_end:
                return


class _StreamSource:
    """A stream of a broker, as one consumer of a group."""

    def __init__(self, folder: Path, address: StreamAddress) -> None:
        self.passing: list[str] = []
        self.gathered, consumer = self._consumer(folder, address)
        self._stream = Stream(address, consumer)

    def _consumer(self, folder: Path, address: StreamAddress) -> tuple[_Gathered, str]:
        """The first consumer that no other collector is, so that a collector finds its unfinished entries again."""
        for number in range(1, _MOST_CONSUMERS):
            consumer = f"collector-{number}"
            graph = NamedNode(f"urn:hpc-explorer:stream:{address.digest}:{consumer}")
            try:
                return _Gathered(folder, f"{address.digest} {consumer}", f"{address.iri} {consumer}", graph), consumer
            except StoreLocked:
                continue
        raise StoreLocked("too many collectors", address.iri, "stop some of them")

    def gather(self, limits: Limits) -> int:
        self.passing = []
        before = self.gathered.state.records
        for entries in self._stream.read():
            limits.check("collecting")
            records: list[Record] = []
            problems: list[str] = []
            for entry in entries:
                records.extend(entry.records)
                problems.extend(entry.problems)
            self.gathered.add("stream", records, 0, problems)
            self._stream.confirm(entries)
        return self.gathered.state.records - before

    def close(self) -> None:
        self._stream.close()


class Collector:
    """Collects spools and a stream into a workspace.

    Args:
        folder: the workspace; made if missing.
        spools: spool folders or files. A missing one is waited for if `patient`.
        stream: a stream of a broker.
        patient: whether spools may appear later.

    Raises:
        SourceNotFound: there is no such spool, or no spool file in it.
        StoreLocked: another program collects one of them.
        OutputNotWritable: the workspace's folder cannot be written.
        EndpointUnreachable, Unsupported: the broker does not answer, or the package `redis` is missing.
    """

    def __init__(
        self, folder: Path, spools: Sequence[Path], stream: StreamAddress | None = None, *, patient: bool = False
    ) -> None:
        self.folder = folder
        for path in spools:
            if not patient and not path.exists():
                raise SourceNotFound("no such spool", str(path), "check the path")
            if not patient and path.is_dir() and not spool_files(path):
                raise SourceNotFound(
                    "no spool file in this folder", str(path), "it needs files such as HOST-PID-….spool"
                )
        lock_to_change(folder).release()
        place = folder / COLLECTED
        try:
            place.mkdir(exist_ok=True)
        except OSError as error:
            raise output_error(error, place) from None
        self._closing = ExitStack()
        self._sources: list[_Source] = []
        with ExitStack() as opened:
            for path in dict.fromkeys(spools):
                spool = _Spool(place, path)
                opened.callback(spool.gathered.close)
                self._sources.append(spool)
            if stream is not None:
                source = _StreamSource(place, stream)
                opened.callback(source.gathered.close)
                opened.callback(source.close)
                self._sources.append(source)
            self._closing = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    def gather(self, *, limits: Limits = NO_LIMITS) -> int:
        """Write the statements of new records beside the workspace. Returns the number of records.

        Raises:
            OutputNotWritable: the disk is full.
            SourceUnreadable: a folder cannot be read.
            Cancelled, DeadlineExceeded: by `limits`; what was gathered so far stays.
        """
        return sum(source.gather(limits) for source in self._sources if self._is_there(source))

    def load(self, *, report: Report = lambda progress: None, limits: Limits = NO_LIMITS) -> LoadReport | None:
        """Load what was gathered into the workspace; None if it has everything already.

        Raises:
            StoreLocked: another program has the workspace open.
            ExplorerError: as `load_into`.
        """
        loaded = {}
        if is_workspace(self.folder):
            loaded = {source.graph: source.size for source in read_manifest(self.folder).sources}
        new = [
            source.gathered.file
            for source in self._sources
            if source.gathered.state.size and loaded.get(source.gathered.file.graph) != source.gathered.state.size
        ]
        return load_into(self.folder, (), known=new, report=report, limits=limits) if new else None

    @property
    def records(self) -> dict[str, int]:
        """The number of collected records of each source, also by earlier programs."""
        return {source.gathered.file.name: source.gathered.state.records for source in self._sources}

    def missing(self) -> list[str]:
        """What could not be read, or was not recorded: one line each."""
        lines: list[str] = []
        for source in self._sources:
            lines += source.passing
            state, name = source.gathered.state, source.gathered.file.name
            for file, problems in state.problems.items():
                more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
                lines.append(f"{name}: {file}: {problems[0]}{more}")
            lines += [
                f"{name}: {counted(number, 'record')} not written by the recorder: {why}"
                for why, number in state.lost.items()
            ]
        return lines

    def _is_there(self, source: _Source) -> bool:
        return not isinstance(source, _Spool) or source._path.exists()
