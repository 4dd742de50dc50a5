"""The folder of a workspace: its states, who uses them, and the one that holds."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.errors import OutputNotWritable, StoreError, StoreLocked
from hpc_explorer.rdf.syntax.files import output_error, remove_folder, sync_file
from hpc_explorer.stores.changes.journal import Record, records
from hpc_explorer.stores.changes.manifest import IN_USE, MANIFEST, STATES, Manifest, is_workspace, write_manifest
from hpc_explorer.stores.changes.source_versions import orphaned_files
from hpc_explorer.stores.local.folder_lock import FolderLock

_LOCK = "lock"
_JOURNAL = "journal"


@dataclass(frozen=True)
class StateFiles:
    """Where one state of a workspace lies."""

    folder: Path

    @property
    def store(self) -> Path:
        """The folder of the triples."""
        return self.folder / "store"

    @property
    def labels(self) -> Path:
        """The file of the label index."""
        return self.folder / "labels.db"

    @property
    def profile(self) -> Path:
        """The file of the counts, a VoID description."""
        return self.folder / "profile.ttl"

    @property
    def columns(self) -> Path:
        """The file of the facts by column; a small state has none."""
        return self.folder / "columns.db"

    @property
    def columns_before(self) -> Path:
        """The facts by column as they were before the edits that are made in this state."""
        return self.folder / "columns-before.db"

    @property
    def subjects(self) -> Path:
        """The IRIs that a large file speaks of, one a line, while it is loaded."""
        return self.folder / "subjects.txt"

    @property
    def in_use(self) -> Path:
        """What its readers hold."""
        return self.folder / IN_USE

    def remove(self) -> None:
        """Take the state away."""
        remove_folder(self.folder)


def journal_of(folder: Path) -> Path:
    """Where a workspace keeps its journal."""
    return folder / _JOURNAL


def pending_edits(folder: Path, manifest: Manifest) -> list[Record]:
    """The edits in the journal that are not in the state that holds.

    Raises:
        StoreError: the journal cannot be read, or is damaged.
    """
    return list(records(journal_of(folder), manifest.revision))


def state_files(folder: Path, state: int) -> StateFiles:
    """Where a state of a workspace lies."""
    return StateFiles(folder / STATES / str(state))


def next_state(folder: Path, manifest: Manifest) -> int:
    """A number that no state of the workspace has."""
    taken = {int(state.name) for state in (folder / STATES).iterdir() if state.name.isdecimal()}
    return max(taken | {manifest.state}) + 1


def view_files(folder: Path) -> StateFiles:
    """A place for a state of one reader's own."""
    return StateFiles(folder / STATES / f"view-{os.urandom(8).hex()}")


def linked_or_copied(file: Path, copy: Path) -> None:
    """Have a file that is never written to at another place too, as the same file where that can be.

    Raises:
        OSError: it is not there, or the other place cannot be written.
    """
    try:
        os.link(file, copy)
    except OSError:
        shutil.copyfile(file, copy)


def let_hold(files: StateFiles, manifest: Manifest, folder: Path) -> None:
    """Make a state that is whole the one that holds, in one step that outlives a loss of power.

    Args:
        files: the state; nobody has its files open for writing any more.
        manifest: what names it.
    """
    sync_file(files.labels)
    sync_file(files.profile)
    if files.columns.exists():
        sync_file(files.columns)
    files.in_use.touch()
    write_manifest(manifest, folder)


def writers_lock(folder: Path) -> FolderLock | None:
    """The lock of the one program that may change a workspace; None if another has it.

    Raises:
        OutputNotWritable: the workspace cannot be locked.
    """
    return FolderLock.exclusive(folder / _LOCK)


def lock_to_change(folder: Path) -> FolderLock:
    """That lock, for a workspace that is made if it is not there.

    Raises:
        StoreLocked: another program has it.
        OutputNotWritable: the folder cannot be made, written or locked, or holds something else.
    """
    try:
        if folder.exists() and not is_workspace(folder) and any(_foreign(folder)):
            raise OutputNotWritable(
                "this folder holds other things and is no workspace", str(folder), "name a new or empty folder"
            )
        (folder / STATES).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise output_error(error, folder) from None
    lock = writers_lock(folder)
    if lock is None:
        raise StoreLocked("another program has this workspace open", str(folder), "close it there first")
    return lock


def _foreign(folder: Path) -> Iterator[Path]:
    """What a load that was killed before its end would not have left."""
    return (path for path in folder.iterdir() if path.name not in (STATES, _LOCK, f"{MANIFEST}.new"))


def clean(folder: Path, manifest: Manifest, working: StateFiles | None = None) -> None:
    """Take away the states that do not hold and that nobody reads any more, and changes of versions that nobody knows.

    For the one who has the lock.

    Args:
        working: the state in which that one is making edits; it stays.

    Raises:
        StoreError: the workspace's folder cannot be read.
    """
    try:
        for state in (folder / STATES).iterdir():
            if state.name == str(manifest.state) or (working is not None and state == working.folder):
                continue
            in_use = state / IN_USE
            try:
                lock = FolderLock.exclusive(in_use) if in_use.exists() else None
            except OutputNotWritable:  # what cannot be taken away now goes another time
                continue
            if lock is not None or not in_use.exists():
                remove_folder(state)
                if lock is not None:
                    lock.release()
        named = {one.changes or "" for source in manifest.sources for one in source.earlier}
        for file in orphaned_files(folder, named | {source.carried or "" for source in manifest.sources}):
            file.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            "the workspace cannot be read", f"{folder} ({error.strerror})", "check its permissions"
        ) from None
