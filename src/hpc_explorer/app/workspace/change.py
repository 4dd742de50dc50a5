"""Create the next state of a workspace: it becomes current when complete, or leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from hpc_explorer.app.workspace.states import (
    StateFiles,
    clean,
    journal_of,
    lock_to_change,
    make_current,
    next_state,
    pending_edits,
    state_files,
)
from hpc_explorer.rdf.syntax.files import output_error, remove_folder
from hpc_explorer.stores.changes.changes import ChangeSet, apply_effect, effect_of, net_change
from hpc_explorer.stores.changes.journal import Record, records
from hpc_explorer.stores.changes.manifest import Manifest, is_workspace, read_manifest
from hpc_explorer.stores.changes.source_versions import read_changes, write_changes
from hpc_explorer.stores.local.folder import checkpoint
from hpc_explorer.stores.local.local import LocalStore


class WorkspaceChange:
    """A state that is being created.

    Attributes:
        sources: the sources of the new state; the caller changes them.
        revision: the last edit included.
        store: its triples, writable.
        files: its other files, to be written by the caller.
        forgotten: graphs of removed sources, with the last revision whose edits were removed with them.
    """

    def __init__(self, folder: Path, manifest: Manifest, store: LocalStore, files: StateFiles) -> None:
        self.sources = list(manifest.sources)
        self.revision = manifest.revision
        self.store = store
        self.files = files
        self.forgotten = dict(manifest.forgotten)
        self._folder = folder

    def edits_since(self, revision: int) -> Iterator[Record]:
        """The edits after a revision."""
        return records(journal_of(self._folder), revision)

    @contextmanager
    def as_before(self) -> Iterator[LocalStore]:
        """A copy of the triples as they are now, for comparison after the change."""
        place = self.files.folder / "before"
        self.store.copy_to(self.files.store, place)
        before = LocalStore.read_only(place)
        try:
            yield before
        finally:
            before.close()
            remove_folder(place)

    def kept_changes(self, name: str) -> ChangeSet:
        """The change stored under a name."""
        return read_changes(self._folder, name)

    def keep_changes(self, change: ChangeSet, when: datetime, number: int | str) -> str:
        """Store the change of a new version of a source, or the edits carried over to it; returns the file's name."""
        return write_changes(self._folder, f"{self.files.folder.name}-{number}", change, when)


@contextmanager
def changed_workspace(folder: Path) -> Iterator[WorkspaceChange]:
    """Change or create a workspace: completely when the block ends, not at all if it raises.

    Raises:
        StoreLocked: another program has it open and may change it.
        OutputNotWritable: the folder cannot be created or written, or contains something else; any OSError of the
            block is converted to it.
    """
    made = not folder.exists()
    lock = lock_to_change(folder)
    try:
        manifest = read_manifest(folder) if is_workspace(folder) else Manifest()
        clean(folder, manifest)
        state = next_state(folder, manifest)
        files = state_files(folder, state)
        files.folder.mkdir(parents=True)
        try:
            if manifest.state:
                checkpoint(state_files(folder, manifest.state).store, files.store)
            pending = pending_edits(folder, manifest)
            if pending:
                manifest = replace(manifest, revision=pending[-1].revision)
            change = WorkspaceChange(folder, manifest, LocalStore.on_disk(files.store), files)
            try:
                take_in_edits(change.store, [record.change for record in pending])
                yield change
            finally:
                change.store.close()
            new = Manifest(state, tuple(change.sources), manifest.revision, change.forgotten)
            make_current(files, new, folder)
        except BaseException:
            remove_folder(files.folder)
            raise
        clean(folder, new)
    except OSError as error:
        raise output_error(error, Path(error.filename or folder)) from None
    finally:
        lock.release()
        if made and not is_workspace(folder):
            remove_folder(folder)


def take_in_edits(store: LocalStore, changes: list[ChangeSet]) -> ChangeSet:
    """Apply edits to a store after loading, before its merge is settled; returns the actual change.

    Raises:
        StoreError: the store cannot be written, for example because the disk is full.
    """
    change = net_change(changes)
    if not change:
        return change
    effect = effect_of(store, change, restating=True)
    apply_effect(store, effect)
    store.save()
    return effect.change
