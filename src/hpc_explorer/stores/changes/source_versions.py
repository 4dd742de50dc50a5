"""Earlier versions of a workspace's sources: when each was recorded, and what its successor changed.

Only differences are stored: a version is the current graph with the later changes undone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.rdf.syntax.files import output_error, sync_file, sync_folder
from hpc_explorer.rdf.terms import GraphName, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.journal import Record, read_record, write_record
from hpc_explorer.stores.changes.profile_changes import ProfileChange

if TYPE_CHECKING:
    from hpc_explorer.stores.local.local import LocalStore

KEPT_UP_TO = 1_000_000
"""A change of more statements than this is not kept, only that there was one."""

VERSIONS = "versions"
"""The folder of a workspace in which changes from version to version are kept."""

_CHECK_EVERY = 4096


@dataclass(frozen=True)
class SourceVersion:
    """A version of a source that was replaced by a newer one.

    Args:
        recorded: when its statements were recorded.
        sha256, size: the checksum and the length in bytes of its file.
        triples: how many quads its graphs held.
        revision: the workspace's revision when the next version replaced it.
        removed, added: how many statements the next version removed and added; None if too many to keep.
        changes: the name of the file with them; None if they are not kept.
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
    """When the statements of a file count as recorded: the file's time, if it is later than the last change.

    A restored backup may be older than what it replaces, and a file's time may lie in the future. The time of loading
    is used then, so that versions and edits stay in the order in which they were made.
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
    """The difference between some graphs of two stores; None if it is too large.

    Both are read in parallel. Equal statements come in the same order, so only about as many are buffered as differ;
    any other order would give the same result.
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
    """Write the changes of a version durably to a file of the workspace; returns its name.

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
    """Read the changes of a version.

    Raises:
        StoreError: the file is gone or damaged.
    """
    return read_record(folder / VERSIONS / name).change


def orphaned_files(folder: Path, named: Collection[str]) -> Iterator[Path]:
    """The change files that no manifest names, left by removed sources or a crash."""
    return (file for file in (folder / VERSIONS).glob("*.change") if file.name not in named)
