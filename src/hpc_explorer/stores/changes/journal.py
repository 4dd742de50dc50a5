"""The journal of a workspace: every change of its graph, written durably before it is applied.

Each line is a record: the SHA-256 of the rest, then JSON with the revision, time, user, description, reason, revisions
taken back, removed and added quads (N-Quads in their original spelling), and the change of the profile. Revisions count
up from 1 without gaps.

A crash while writing leaves an incomplete last line. That edit was never acknowledged and is ignored; any other fault
is reported as damage.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from io import FileIO
from pathlib import Path
from typing import Any, cast

from pyoxigraph import RdfFormat, parse, serialize

from hpc_explorer.errors import StoreError
from hpc_explorer.rdf.syntax.files import output_error, sync_folder
from hpc_explorer.rdf.terms import NamedNode, Quad, resource_of_n_triples
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.profile_changes import ProfileChange

_SUFFIX = ".journal"
_DIGEST = 64
_REVISION = re.compile(rb'\{"revision": (\d+),')
_TAKES_BACK = re.compile(rb'(?<!\\)"takes_back": \[([\d, ]+)\]')


@dataclass(frozen=True)
class Record:
    """One change as it was made.

    Args:
        revision: its number; the graph of revision n includes changes 1 to n.
        when: the moment it was made.
        who: the name of the user who made it.
        profile: the resulting change of the profile.
    """

    revision: int
    when: datetime
    who: str
    change: ChangeSet
    profile: ProfileChange


def records(folder: Path, after: int = 0, upto: int | None = None) -> Iterator[Record]:
    """The changes with a revision above `after`, in order.

    Args:
        upto: the last revision to read, which must exist; None: the newest.

    Raises:
        StoreError: the journal cannot be read, or is damaged.
    """
    expected = after + 1
    for file in _files_from(folder, after):
        # Revisions count up, so earlier ones can be skipped without parsing.
        for revision, line in enumerate(_lines(file), _first(file)):
            if revision <= after:
                continue
            if upto is not None and expected > upto:
                return
            record = _record(file, line)
            if not record.revision == revision == expected:
                raise _damaged(file, f"revision {expected} is missing")
            expected += 1
            yield record
    if upto is not None and expected <= upto:
        raise _damaged(folder, f"revision {expected} is missing")


def records_backwards(folder: Path, upto: int | None = None) -> Iterator[JournalLine]:
    """The changes, newest first, each parsed in full only on demand.

    Args:
        upto: the last revision to read, which must exist; None: the newest.

    Raises:
        StoreError: the journal cannot be read, or is damaged.
    """
    expected = upto
    for file in reversed(_files_from(folder, 0)):
        for line in reversed(list(_lines(file))):
            found = JournalLine(file, line)
            if upto is not None and found.revision > upto:
                continue
            if expected is not None and found.revision != expected:
                raise _damaged(file, f"revision {expected} is missing")
            expected = found.revision - 1
            yield found
    if expected:
        raise _damaged(folder, f"revision {expected} is missing")


class JournalLine:
    """A line of the journal; its statements are parsed on demand."""

    def __init__(self, file: Path, line: bytes) -> None:
        self._file = file
        self._line = line
        # Revision and `takes_back` come before the statements, in which JSON escapes quotes.
        revision = _REVISION.match(line)
        if revision is None:
            raise _damaged(file, "a record has no revision")
        self.revision = int(revision[1])
        back = _TAKES_BACK.search(line)
        self.takes_back = tuple(map(int, back[1].split(b","))) if back else ()

    def mentions(self, texts: Iterable[bytes]) -> bool:
        """Whether the line contains one of these texts."""
        return any(text in self._line for text in texts)

    def record(self) -> Record:
        """The change itself."""
        return _record(self._file, self._line)


def write_record(file: Path, record: Record) -> None:
    """Write a record to a separate file.

    Raises:
        OSError: it cannot be written.
    """
    file.write_bytes(_line(record))


def read_record(file: Path) -> Record:
    """Read a record from a separate file.

    Raises:
        StoreError: it cannot be read, or is damaged.
    """
    line = next(_lines(file), None)
    if line is None:
        raise _damaged(file, "it holds no record")
    return _record(file, line)


class Journal:
    """The journal, opened by the one process that may change the workspace.

    Args:
        folder: its folder, created with the first record.

    Attributes:
        revision: that of the last record.
    """

    def __init__(self, folder: Path, revision: int) -> None:
        self._folder = folder
        self._file: FileIO | None = None
        self._length = self._length_before = 0
        self.revision = revision

    def append(self, record: Record) -> None:
        """Append a record durably: it survives a power failure.

        Raises:
            OutputNotWritable: it cannot be written; the journal is unchanged.
        """
        assert record.revision == self.revision + 1
        rest = memoryview(_line(record))
        try:
            file = self._open()
            try:
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            except OSError:
                _cut(file, self._length)
                raise
        except OSError as error:
            raise output_error(error, self._folder) from None
        self._length_before, self._length = self._length, file.tell()
        self.revision = record.revision

    def withdraw(self) -> None:
        """Remove the last appended record, because its edit could not be applied; once for each record.

        Raises:
            OutputNotWritable: the file cannot be written, and the record stays.
        """
        assert self._file is not None
        try:
            _cut(self._file, self._length_before)
            os.fsync(self._file.fileno())
        except OSError as error:
            raise output_error(error, self._folder) from None
        self._length = self._length_before
        self.revision -= 1

    def _open(self) -> FileIO:
        if self._file is None:
            self._folder.mkdir(exist_ok=True)
            path = self._folder / f"{self.revision + 1:012d}{_SUFFIX}"
            if path.exists() and next(_lines(path), None) is not None:
                raise _damaged(path, f"it goes beyond revision {self.revision}")
            # An incomplete record of a crashed process.
            self._file = open(path, "wb", buffering=0)  # noqa: SIM115  # closed by close
            self._length = 0
            sync_folder(self._folder)
            sync_folder(self._folder.parent)
        return self._file

    def close(self) -> None:
        """Close the file; the next record starts another."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _cut(file: FileIO, length: int) -> None:
    file.seek(length)
    file.truncate()


# Reading


def _files_from(folder: Path, after: int) -> list[Path]:
    """The files that may contain revisions above `after`, in order."""
    files = sorted(file for file in folder.glob(f"*{_SUFFIX}") if file.stem.isdecimal())
    older = [file for file in files if _first(file) <= after + 1]
    return files[max(0, len(older) - 1) :]


def _first(file: Path) -> int:
    return int(file.stem) if file.stem.isdecimal() else 0


def _lines(file: Path) -> Iterator[bytes]:
    """The JSON of each record of a file, without an incomplete last one."""
    try:
        with open(file, "rb") as stream:
            for revision, line in enumerate(stream, _first(file)):
                content = line[_DIGEST + 1 : -1]
                if line == _with_digest(content):
                    yield content
                elif not _is_unfinished(line):
                    raise _damaged(file, f"the record of revision {revision} is not as it was written")
    except OSError as error:
        raise _damaged(file, error.strerror or str(error)) from None


def _is_unfinished(line: bytes) -> bool:
    """Whether an invalid line may be an incomplete record: it has no line end, and nothing follows its JSON."""
    if line.endswith(b"\n"):
        return False
    text = line[_DIGEST + 1 :].decode(errors="replace")
    try:
        return json.JSONDecoder().raw_decode(text)[1] == len(text)
    except ValueError:
        return True


def _damaged(file: Path, why: str) -> StoreError:
    return StoreError("the workspace's journal is damaged", f"{file} ({why})", "bring the file back from a backup")


def _record(file: Path, line: bytes) -> Record:
    try:
        members = json.loads(line)
        return Record(
            members["revision"],
            datetime.fromisoformat(members["when"]),
            members["who"],
            ChangeSet(
                _quads(members["removed"]),
                _quads(members["added"]),
                members["words"],
                # Older records have neither.
                members.get("why", ""),
                tuple(members.get("takes_back", ())),
            ),
            _profile_change(members["profile"]),
        )
    except (ValueError, KeyError, TypeError, SyntaxError) as error:
        raise _damaged(file, str(error)) from None


def _quads(text: str) -> tuple[Quad, ...]:
    return tuple(parse(text, RdfFormat.N_QUADS, lenient=True))


def _profile_change(members: dict[str, Any]) -> ProfileChange:
    return ProfileChange(
        {frozenset(map(NamedNode, classes)): number for classes, number in members["type_sets"]},
        {NamedNode(term): number for term, number in members["predicates"]},
        {(NamedNode(cls), NamedNode(term)): number for cls, term, number in members["class_predicates"]},
        {(NamedNode(term), NamedNode(datatype)): number for term, datatype, number in members["datatypes"]},
        {resource_of_n_triples(graph): number for graph, number in members["graphs"]},
    )


# Writing


def _line(record: Record) -> bytes:
    profile = record.profile
    members = {
        "revision": record.revision,
        "when": record.when.isoformat(),
        "who": record.who,
        "words": record.change.words,
        "removed": _text(record.change.removed),
        "added": _text(record.change.added),
        **({"why": record.change.why} if record.change.why else {}),
        **({"takes_back": record.change.takes_back} if record.change.takes_back else {}),
        "profile": {
            "type_sets": [[sorted(cls.value for cls in classes), n] for classes, n in profile.type_sets.items()],
            "predicates": [[term.value, n] for term, n in profile.predicates.items()],
            "class_predicates": [[cls.value, term.value, n] for (cls, term), n in profile.class_predicates.items()],
            "datatypes": [[term.value, datatype.value, n] for (term, datatype), n in profile.datatypes.items()],
            "graphs": [[str(graph), n] for graph, n in profile.graphs.items()],
        },
    }
    content = json.dumps(members, ensure_ascii=False).encode()
    return _with_digest(content)


def _with_digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode() + b" " + content + b"\n"


def _text(quads: Iterable[Quad]) -> str:
    return cast("bytes", serialize(quads, format=RdfFormat.N_QUADS)).decode()
