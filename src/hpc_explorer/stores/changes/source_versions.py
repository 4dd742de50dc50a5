"""The earlier versions of a workspace's sources: when each was recorded, and what the next one changed.

Only differences are kept. A version is the graph as it is now, with the changes after it undone; so what does not
change from version to version is stored once, and the store itself knows nothing of versions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

from hpc_explorer.rdf.syntax.files import output_error, sync_file, sync_folder
from hpc_explorer.rdf.terms import GraphName, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.journal import Record, read_record, write_record
from hpc_explorer.stores.changes.profile_changes import ProfileChange
from hpc_explorer.stores.local.local import LocalStore

KEPT_UP_TO = 1_000_000
"""A change of more statements than this is not kept, only that there was one."""

VERSIONS = "versions"
"""The folder of a workspace in which changes from version to version are kept."""

_CHECK_EVERY = 4096


@dataclass(frozen=True)
class SourceVersion:
    """A version of a source that another one has taken the place of.

    Args:
        recorded: from when on its statements were recorded.
        sha256, size: the checksum and the length in bytes of its file.
        triples: how many quads its graphs held.
        revision: that of the workspace when the next version took its place.
        removed, added: how many statements the next version took out and put in; None where too many to keep.
        changes: the name of the file in which they are; None where they are not kept.
    """

    recorded: datetime
    sha256: str
    size: int
    triples: int
    revision: int
    removed: int | None
    added: int | None
    changes: str | None


def file_time(mtime_ns: int) -> datetime:
    """When a file was last modified, to the microsecond."""
    return datetime.fromtimestamp(mtime_ns // 10**9, UTC).replace(microsecond=mtime_ns // 1000 % 10**6)


def recorded_when(mtime_ns: int, last_change: datetime | None, now: datetime) -> datetime:
    """From when on the statements of a file count as recorded: its own time, if it lies after what was there before.

    A file may be older than what it replaces, as one brought back from a backup, or bear a time to come. Then it
    counts from when it was loaded: versions and edits of a graph follow each other in the order they were made in.
    """
    own = file_time(mtime_ns)
    return own if own <= now and (last_change is None or own > last_change) else now


def difference(
    before: LocalStore,
    after: LocalStore,
    graphs: Collection[GraphName],
    *,
    most: int = KEPT_UP_TO,
    limits: Limits = NO_LIMITS,
) -> ChangeSet | None:
    """What has to be removed from and added to some graphs of a store for them to be as in another; None: too much.

    Both are read side by side. They keep equal statements in the same order, so those that wait for the other's are
    about as many as differ; in any other order the answer would be the same.
    """
    gone: dict[Quad, None] = {}
    come: dict[Quad, None] = {}
    for graph in graphs:
        pairs = zip_longest(before.match(graph=graph), after.match(graph=graph))
        for number, (one, other) in enumerate(pairs):
            if number % _CHECK_EVERY == 0:
                limits.check("comparing the versions")
            if one == other:
                continue
            if one is not None and come.pop(one, _ABSENT) is _ABSENT:
                gone[one] = None
            if other is not None and gone.pop(other, _ABSENT) is _ABSENT:
                come[other] = None
            if len(gone) + len(come) > 2 * most:
                return None
    return ChangeSet(tuple(gone), tuple(come)) if len(gone) + len(come) <= most else None


_ABSENT = object()


def write_changes(folder: Path, name: str, change: ChangeSet, when: datetime) -> str:
    """Write what a version changed into a file of the workspace, durably; returns the name of the file.

    Raises:
        OutputNotWritable: it cannot be written.
    """
    place = folder / VERSIONS
    file = place / f"{name}.change"
    try:
        place.mkdir(exist_ok=True)
        write_record(file, Record(0, when, "", change, ProfileChange({}, {}, {}, {}, {})))
        sync_file(file)
        sync_folder(place)
    except OSError as error:
        raise output_error(error, place) from None
    return file.name


def read_changes(folder: Path, name: str) -> ChangeSet:
    """What a version changed.

    Raises:
        StoreError: the file is gone or damaged.
    """
    return read_record(folder / VERSIONS / name).change


def orphaned_files(folder: Path, named: Collection[str]) -> Iterator[Path]:
    """The files of changes that no manifest names: of sources that were removed, or of a load that was killed."""
    return (file for file in (folder / VERSIONS).glob("*.change") if file.name not in named)
