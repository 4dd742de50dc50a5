"""The folder of a workspace: its states, their readers, and which of them is current."""

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
COLLECTED = "collected"
"""The folder for the statements of collected records."""

_JOURNAL = "journal"


@dataclass(frozen=True)
class StateFiles:
    """The files of one state of a workspace."""

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
        """The file of the column tables; a small state has none."""
        return self.folder / "columns.db"

    @property
    def columns_before(self) -> Path:
        """The column tables before the edits made in this state."""
        return self.folder / "columns-before.db"

    @property
    def in_use(self) -> Path:
        """The file that its readers lock."""
        return self.folder / IN_USE

    def remove(self) -> None:
        """Delete the state."""
        remove_folder(self.folder)


def journal_of(folder: Path) -> Path:
    """The journal folder of a workspace."""
    return folder / _JOURNAL


def pending_edits(folder: Path, manifest: Manifest) -> list[Record]:
    """The edits in the journal that the current state does not include.

    Raises:
        StoreError: the journal cannot be read, or is damaged.
    """
    return list(records(journal_of(folder), manifest.revision))


def state_files(folder: Path, state: int) -> StateFiles:
    """The files of a state of a workspace."""
    return StateFiles(folder / STATES / str(state))


def next_state(folder: Path, manifest: Manifest) -> int:
    """An unused state number."""
    taken = {int(state.name) for state in (folder / STATES).iterdir() if state.name.isdecimal()}
    return max(taken | {manifest.state}) + 1


def view_files(folder: Path) -> StateFiles:
    """New files for a private state of one reader."""
    return StateFiles(folder / STATES / f"view-{os.urandom(8).hex()}")


def linked_or_copied(file: Path, copy: Path) -> None:
    """Copy a file that is never written to, by a hard link if possible.

    Raises:
        OSError: it does not exist, or the copy cannot be written.
    """
    try:
        os.link(file, copy)
    except OSError:
        shutil.copyfile(file, copy)


def make_current(files: StateFiles, manifest: Manifest, folder: Path) -> None:
    """Make a complete state the current one, atomically and durably.

    Args:
        files: the state; its files must not be open for writing.
        manifest: the manifest that names it.
    """
    sync_file(files.labels)
    sync_file(files.profile)
    if files.columns.exists():
        sync_file(files.columns)
    files.in_use.touch()
    write_manifest(manifest, folder)


def writers_lock(folder: Path) -> FolderLock | None:
    """The lock of the one program that may change a workspace; None if another program holds it.

    Raises:
        OutputNotWritable: the workspace cannot be locked.
    """
    return FolderLock.exclusive(folder / _LOCK)


def lock_to_change(folder: Path) -> FolderLock:
    """Lock a workspace for changes; it is created if missing.

    Raises:
        StoreLocked: another program holds the lock.
        OutputNotWritable: the folder cannot be created, written or locked, or contains something else.
    """
    try:
        if folder.exists() and not is_workspace(folder) and any(_foreign(folder)):
            raise OutputNotWritable(
                "this folder is not a workspace and contains other files", str(folder), "name a new or empty folder"
            )
        (folder / STATES).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise output_error(error, folder) from None
    lock = writers_lock(folder)
    if lock is None:
        raise StoreLocked("another program has this workspace open", str(folder), "close it there first")
    return lock


def _foreign(folder: Path) -> Iterator[Path]:
    """The files that an interrupted load would not have left."""
    return (path for path in folder.iterdir() if path.name not in (STATES, COLLECTED, _LOCK, f"{MANIFEST}.new"))


def clean(folder: Path, manifest: Manifest, working: StateFiles | None = None) -> None:
    """Delete old states without readers, and orphaned changes of versions. The caller must hold the lock.

    Args:
        working: the state in which the caller makes edits; it is kept.

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
            except OutputNotWritable:  # it is deleted another time
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
