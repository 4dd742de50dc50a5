"""A workspace: a folder in which loaded sources stay, ready to be opened at once.

    manifest.json        which state holds, and what was loaded: replaced in one step
    lock                 held by the program that may change the workspace
    states/N/store       the triples
    states/N/labels.db   the label index
    states/N/profile.json  what the graph uses, and how often
    states/N/in-use      held by those who read the state

Each change is made in a new state that begins as a checkpoint of the one before (its files are linked, not
copied), and holds from the moment the manifest names it. A load that is stopped or killed leaves a state that no
manifest names, which goes at the next opening for writing; nothing of it is ever seen.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.errors import OutputNotWritable, StoreError, StoreLocked
from hpc_explorer.stores.folder_lock import FolderLock
from hpc_explorer.stores.label_index import LabelIndex
from hpc_explorer.stores.local import LocalStore
from hpc_explorer.stores.manifest import MANIFEST, LoadedSource, Manifest, is_workspace, read_manifest, write_manifest
from hpc_explorer.stores.profile import Profile, read_profile

_STATES = "states"
_LOCK = "lock"
_IN_USE = "in-use"

_OPEN_ELSEWHERE = "another program has this workspace open and may change it; here it can only be read"
_OPENED_TO_READ = "the workspace was opened for reading only"


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
        """The file of the counts."""
        return self.folder / "profile.json"

    @property
    def subjects(self) -> Path:
        """The IRIs that a large file speaks of, one a line, while it is loaded."""
        return self.folder / "subjects.txt"

    @property
    def in_use(self) -> Path:
        """What its readers hold."""
        return self.folder / _IN_USE


class OpenWorkspace:
    """A workspace as it was when it was opened, to be read.

    Attributes:
        folder: where it lies.
        sources: what was loaded into it.
        store: its triples, read-only.
        profile: what they use and how often.
        alone: whether no other program can change the workspace while this one has it open.
        read_only_reason: why it cannot be edited here, in words; None where it can.
    """

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        files: StateFiles,
        locks: list[FolderLock],
        read_only_reason: str | None = None,
    ) -> None:
        self.folder = folder
        self.sources = manifest.sources
        self.profile: Profile = read_profile(files.profile)
        self.store = LocalStore.read_only(files.store, size=self.profile.quads)
        self.alone = len(locks) > 1
        self.read_only_reason = read_only_reason
        self._files = files
        self._locks = locks

    @classmethod
    def open(cls, folder: Path, *, alone: bool = False) -> OpenWorkspace:
        """Open a workspace for reading.

        Args:
            alone: keep other programs from changing it, if none of them keeps this one from it.

        Raises:
            StoreError: there is none, or it is damaged.
        """
        lock = _writers_lock(folder) if alone else None
        if lock is not None:
            _clean(folder, read_manifest(folder))
        # Whoever changes the workspace just now may take the state away before it is held here.
        for _ in range(10):
            manifest = read_manifest(folder)
            files = _files(folder, manifest.state)
            in_use = FolderLock.shared(files.in_use)
            if read_manifest(folder).state == manifest.state:
                held = [held for held in (in_use, lock) if held is not None]
                reason = None if lock is not None else _OPEN_ELSEWHERE if alone else _OPENED_TO_READ
                return cls(folder, manifest, files, held, reason)
            if in_use is not None:
                in_use.release()
        raise StoreLocked("another program keeps changing this workspace", str(folder), "try again when it is done")

    def label_index(self) -> LabelIndex:
        """The names of its resources."""
        return LabelIndex.opened(self._files.labels)

    def close(self) -> None:
        """Give back the store, and let others have the workspace."""
        self.store.close()
        for lock in self._locks:
            lock.release()


class WorkspaceChange:
    """A state in the making.

    Attributes:
        sources: what the workspace will hold; to be changed by whoever makes the change.
        store: its triples, writable.
        files: where everything else is to be put.
    """

    def __init__(self, sources: tuple[LoadedSource, ...], store: LocalStore, files: StateFiles) -> None:
        self.sources = list(sources)
        self.store = store
        self.files = files


@contextmanager
def changed_workspace(folder: Path) -> Iterator[WorkspaceChange]:
    """Change a workspace, or make a new one: whole when the block ends, not at all if it raises.

    Raises:
        StoreLocked: another program has it open and may change it.
        OutputNotWritable: the folder cannot be made or written, or holds something else.
    """
    made = not folder.exists()
    lock = _lock_to_change(folder)
    try:
        manifest = read_manifest(folder) if is_workspace(folder) else Manifest()
        _clean(folder, manifest)
        files = _files(folder, manifest.state + 1)
        files.folder.mkdir(parents=True)
        try:
            if manifest.state:
                LocalStore.checkpoint(_files(folder, manifest.state).store, files.store)
            change = WorkspaceChange(manifest.sources, LocalStore.on_disk(files.store), files)
            try:
                yield change
            finally:
                change.store.close()
            files.in_use.touch()
            new = Manifest(manifest.state + 1, tuple(change.sources))
            write_manifest(new, folder)
        except BaseException:
            shutil.rmtree(files.folder, ignore_errors=True)
            raise
        _clean(folder, new)
    finally:
        lock.release()
        if made and not is_workspace(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _lock_to_change(folder: Path) -> FolderLock:
    try:
        if folder.exists() and not is_workspace(folder) and any(_foreign(folder)):
            raise OutputNotWritable(
                "this folder holds other things and is no workspace", str(folder), "name a new or empty folder"
            )
        (folder / _STATES).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputNotWritable(
            f"the workspace cannot be written ({error.strerror})", str(folder), "check the folder's permissions"
        ) from None
    lock = _writers_lock(folder)
    if lock is None:
        raise StoreLocked("another program has this workspace open", str(folder), "close it there first")
    return lock


def _foreign(folder: Path) -> Iterator[Path]:
    """What a load that was killed before its end would not have left."""
    return (path for path in folder.iterdir() if path.name not in (_STATES, _LOCK, f"{MANIFEST}.new"))


def _writers_lock(folder: Path) -> FolderLock | None:
    return FolderLock.exclusive(folder / _LOCK)


def _files(folder: Path, state: int) -> StateFiles:
    return StateFiles(folder / _STATES / str(state))


def _clean(folder: Path, manifest: Manifest) -> None:
    """Take away the states that do not hold and that nobody reads any more."""
    try:
        for state in (folder / _STATES).iterdir():
            if state.name == str(manifest.state):
                continue
            in_use = state / _IN_USE
            lock = FolderLock.exclusive(in_use) if in_use.exists() else None
            if lock is not None or not in_use.exists():
                shutil.rmtree(state, ignore_errors=True)
                if lock is not None:
                    lock.release()
    except OSError as error:
        raise StoreError(
            "the workspace cannot be read", f"{folder} ({error.strerror})", "check its permissions"
        ) from None
