"""A state of a workspace in which edits are made: triples, counts and names change together.

It begins as a copy of the current state. The current state and the journal remain authoritative, so a working state may
be lost at any moment and is never reused after a crash: edits that only the journal has are replayed into a new state.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from hpc_explorer.app.workspace.states import (
    StateFiles,
    linked_or_copied,
    make_current,
    next_state,
    pending_edits,
    state_files,
    view_files,
)
from hpc_explorer.errors import OutputNotWritable, StoreDamaged, StoreError, StoreLocked
from hpc_explorer.ontology.naming import entries_of, label_entries
from hpc_explorer.ontology.schema import SchemaIndex, build_schema, speaks_of_schema
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.syntax.files import output_error
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import Effect, apply_effect, effect_of, net_change
from hpc_explorer.stores.changes.journal import Record
from hpc_explorer.stores.changes.manifest import Manifest, read_manifest
from hpc_explorer.stores.changes.profile_changes import ProfileChange, changed_profile
from hpc_explorer.stores.columns.columns import Columns, open_columns
from hpc_explorer.stores.local.folder import checkpoint
from hpc_explorer.stores.local.folder_lock import FolderLock
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.profile import Profile
from hpc_explorer.stores.local.void import read_profile, write_profile
from hpc_explorer.stores.names.label_index import LabelIndex


class WorkingState:
    """A state that changes.

    Attributes:
        store: its triples, writable.
        profile: their usage counts.
        labels: their label index.
        columns: their column tables, if any.
    """

    def __init__(
        self,
        base: StateFiles,
        files: StateFiles,
        schema: SchemaIndex | None = None,
        columns: Columns | None = None,
    ) -> None:
        """Copy `base`; the files of its triples are linked.

        Args:
            schema: the classes and properties of `base`, if known.
            columns: the open column tables of `base`, if any; they belong to this state from now on.

        Raises:
            OutputNotWritable: the folder cannot be written.
        """
        self.files = files
        try:
            files.folder.mkdir(parents=True, exist_ok=True)
            checkpoint(base.store, files.store)
            self.profile: Profile = read_profile(base.profile)
            self.store = LocalStore.on_disk(files.store, size=self.profile.quads)
            self._schema = schema
            if LabelIndex.is_current(base.labels):
                shutil.copyfile(base.labels, files.labels)
            else:
                LabelIndex(label_entries(self.store, self.schema()), files.labels).close()
            self.labels = LabelIndex.editable(files.labels)
        except OSError as error:
            files.remove()
            raise output_error(error, files.folder) from None
        except BaseException:
            files.remove()
            raise
        self.columns = columns or open_columns(base.columns)
        if self.columns is not None:
            # The files of `base` may be deleted while this state is in use.
            linked_or_copied(base.columns, files.columns_before)
            self.columns.file = files.columns_before

    def schema(self, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
        """The classes and properties of its graph."""
        if self._schema is None:
            self._schema = schema_of(self.store, self.profile, limits=limits)
        return self._schema

    def replay(self, records: Sequence[Record]) -> None:
        """Apply records of the journal."""
        if records:
            effect = effect_of(self.store, net_change(record.change for record in records), restating=True)
            self.take_in(effect, [record.profile for record in records])

    def take_in(self, effect: Effect, changes: Iterable[ProfileChange]) -> bool:
        """Apply an effect with its changes of the profile.

        Returns:
            Whether the classes and properties may have changed.
        """
        quads = (*effect.change.removed, *effect.change.added)
        touched: set[Resource] = {quad.subject for quad in quads}  # type: ignore[misc]  # no quoted subjects
        schema, before = self.schema(), self.profile
        names = Counter(entries_of(self.store, schema, touched))
        apply_effect(self.store, effect)
        if self.columns is not None:
            self.columns.change(self.store, (*effect.left, *effect.entered))
        for change in changes:
            self.profile = changed_profile(self.profile, change)
        schema_changes = not _use_the_same(before, self.profile) or speaks_of_schema(schema, quads)
        if schema_changes:
            self._schema = None
            touched |= _differing(schema, self.schema())
        entries = Counter(entries_of(self.store, self.schema(), touched))
        if schema_changes or entries != names:
            self.labels.replace(map(iri_text, touched), entries.elements())
        return schema_changes

    def finish(self, *, is_view: bool = False) -> None:
        """Write all changes, and close the files.

        Args:
            is_view: the state is only read from now on. Then damaged files are no error: the engine's log holds the
                changes, and what is not damaged can be read.

        Raises:
            StoreDamaged: files of the store are damaged.
            StoreError: the store cannot be written, for example because the disk is full.
        """
        self.labels.close()
        with suppress(*[StoreDamaged] if is_view else []):
            self.store.save()
        self.store.close()
        write_profile(self.profile, self.files.profile)
        if self.columns is not None:
            self.columns.copy_to(self.files.columns)
            self.columns.close()
            self.files.columns_before.unlink()

    def copy_to(self, files: StateFiles) -> None:
        """Write a complete copy of the state as it is now.

        Raises:
            OutputNotWritable: the folder cannot be written.
        """
        files.folder.mkdir(parents=True)
        self.store.copy_to(self.files.store, files.store)
        self.labels.copy_to(files.labels)
        write_profile(self.profile, files.profile)
        if self.columns is not None:
            self.columns.copy_to(files.columns)

    def discard(self) -> None:
        """Close and delete the state."""
        self.labels.close()
        if self.columns is not None:
            self.columns.close()
        with suppress(StoreError, OutputNotWritable):
            self.store.close()
        self.files.remove()


def schema_of(store: LocalStore, profile: Profile, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
    """The classes and properties of a graph with known counts."""
    return build_schema(
        store,
        shipped_ontology(),
        used_classes=profile.class_predicates,
        used_properties=profile.predicates,
        limits=limits,
    )


def _use_the_same(one: Profile, other: Profile) -> bool:
    """Whether two graphs use the same classes and predicates."""
    return (
        one.predicates.keys() == other.predicates.keys()
        and one.class_predicates.keys() == other.class_predicates.keys()
    )


def _differing(before: SchemaIndex, after: SchemaIndex) -> set[NamedNode]:
    """The terms whose name or kind differs between two indexes."""

    def named(schema: SchemaIndex) -> set[tuple[NamedNode, str, str]]:
        classes = {(term, info.label, "class") for term, info in schema.classes.items()}
        return classes | {(term, info.label, "property") for term, info in schema.properties.items()}

    return {term for term, _, _ in named(before) ^ named(after)}


@dataclass(frozen=True)
class Recovered:
    """Edits of a program that crashed before it closed the workspace, recovered from the journal.

    Args:
        first, last: their revisions.
        until: the time of the last edit.
    """

    first: int
    last: int
    until: datetime

    @property
    def edits(self) -> int:
        """How many there are."""
        return self.last - self.first + 1


def left_behind(folder: Path) -> Recovered | None:
    """The edits that a crashed program left in the journal of a workspace that no program is editing now.

    Raises:
        StoreError: the manifest or the journal cannot be read.
    """
    pending = pending_edits(folder, read_manifest(folder))
    return Recovered(pending[0].revision, pending[-1].revision, pending[-1].when) if pending else None


def settle(folder: Path, manifest: Manifest) -> Manifest:
    """Make a state current that includes the whole journal; returns its manifest. The caller must hold the lock.

    Raises:
        OutputNotWritable: the folder cannot be written.
        StoreError: the journal is damaged, or an edit could not be applied.
    """
    pending = pending_edits(folder, manifest)
    if not pending:
        return manifest
    state = next_state(folder, manifest)
    files = state_files(folder, state)
    take_in(state_files(folder, manifest.state), pending, files)
    manifest = replace(manifest, state=state, revision=pending[-1].revision)
    make_current(files, manifest, folder)
    return manifest


def take_in(base: StateFiles, pending: Sequence[Record], files: StateFiles, *, is_view: bool = False) -> None:
    """Create a state from another one and edits that it lacks; nothing is left after a failure.

    Args:
        base: the state to begin with.
        files: the new state.
        is_view: as in `WorkingState.finish`.

    Raises:
        OutputNotWritable: the folder cannot be written.
        StoreError: an edit could not be applied.
    """
    working = WorkingState(base, files)
    try:
        working.replay(pending)
        working.finish(is_view=is_view)
    except BaseException:
        working.discard()
        raise


@dataclass(frozen=True)
class ScratchCopy:
    """A copy of the graph for inference beside the states of a workspace; it is never saved.

    Args:
        in_use: a lock that keeps other programs from deleting it.
        store: its triples, writable.
    """

    files: StateFiles
    in_use: FolderLock
    store: LocalStore

    def discard(self) -> None:
        """Delete it. It is not closed, because other threads may still be reading it."""
        self.in_use.release()
        self.files.remove()


def scratch_copy(folder: Path, state: StateFiles, working: WorkingState | None, size: int) -> ScratchCopy:
    """Copy the graph of a workspace; files are shared where possible.

    Args:
        folder: that of the workspace.
        state: the current state.
        working: the state in which edits are made, if any; it is copied instead.
        size: the number of quads.

    Raises:
        OutputNotWritable: the workspace's folder is not writable.
        StoreLocked: another program deleted the copy before it was locked.
    """
    files = view_files(folder)
    try:
        files.folder.mkdir(parents=True)
        files.in_use.touch()
    except OSError as error:
        raise OutputNotWritable(
            f"nothing can be inferred beside this workspace ({error.strerror})",
            str(folder),
            "open its files themselves",
        ) from None
    in_use = FolderLock.shared(files.in_use)
    if in_use is None:
        raise StoreLocked("another program is changing this workspace", str(folder), "try again")
    try:
        if working is None:
            checkpoint(state.store, files.store)
        else:
            working.store.copy_to(working.files.store, files.store)
        return ScratchCopy(files, in_use, LocalStore.on_disk(files.store, size=size))
    except BaseException:
        in_use.release()
        files.remove()
        raise
