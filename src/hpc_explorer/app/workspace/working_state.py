"""A state of a workspace in which edits are made: triples, counts and names change together.

It begins as a copy of the state that holds, and is nobody's truth: the truth is that state and the journal. So it may
be lost at any moment, and is never taken up again after a program died.
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
    let_hold,
    linked_or_copied,
    next_state,
    pending_edits,
    state_files,
    view_files,
)
from hpc_explorer.errors import OutputNotWritable, StoreError, StoreLocked
from hpc_explorer.ontology.naming import entries_of
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
        files: where it lies.
        store: its triples, writable.
        profile: what they use and how often.
        labels: their names.
        columns: their facts by column; None if they have none.
    """

    def __init__(
        self,
        base: StateFiles,
        files: StateFiles,
        schema: SchemaIndex | None = None,
        columns: Columns | None = None,
    ) -> None:
        """Begin as `base` is; the files of its triples are linked, those of its names copied.

        Args:
            columns: those of `base`, if they are open; they are this state's from now on.
            schema: the classes and properties of `base`, where they are known.

        Raises:
            OutputNotWritable: the folder cannot be written.
        """
        self.files = files
        try:
            files.folder.mkdir(parents=True, exist_ok=True)
            checkpoint(base.store, files.store)
            self.profile: Profile = read_profile(base.profile)
            self.store = LocalStore.on_disk(files.store, size=self.profile.quads)
            shutil.copyfile(base.labels, files.labels)
            self.labels = LabelIndex.editable(files.labels)
        except OSError as error:
            files.remove()
            raise output_error(error, files.folder) from None
        except BaseException:
            files.remove()
            raise
        self._schema = schema
        self.columns = columns or open_columns(base.columns)
        if self.columns is not None:
            # The state that holds may be another one before this one is done, and its files go then.
            linked_or_copied(base.columns, files.columns_before)
            self.columns.file = files.columns_before

    def schema(self, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
        """The classes and properties of its graph."""
        if self._schema is None:
            self._schema = schema_of(self.store, self.profile, limits=limits)
        return self._schema

    def replay(self, records: Sequence[Record]) -> None:
        """Take in changes that the journal has."""
        if records:
            effect = effect_of(self.store, net_change(record.change for record in records), restating=True)
            self.take_in(effect, [record.profile for record in records])

    def take_in(self, effect: Effect, changes: Iterable[ProfileChange]) -> bool:
        """Take in an effect, with the changes of the counts it means.

        Returns:
            Whether the classes and properties may be others now.
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

    def finish(self) -> None:
        """Write what is left to write, and close the files."""
        self.labels.close()
        self.store.save()
        self.store.close()
        write_profile(self.profile, self.files.profile)
        if self.columns is not None:
            self.columns.copy_to(self.files.columns)
            self.columns.close()
            self.files.columns_before.unlink()

    def copy_to(self, files: StateFiles) -> None:
        """Write the state as it is now to another place, whole.

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
        """Take it away."""
        self.labels.close()
        if self.columns is not None:
            self.columns.close()
        with suppress(StoreError, OutputNotWritable):
            self.store.close()
        self.files.remove()


def schema_of(store: LocalStore, profile: Profile, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
    """The classes and properties of a graph whose counts are known."""
    return build_schema(
        store,
        shipped_ontology(),
        used_classes=profile.class_predicates,
        used_properties=profile.predicates,
        limits=limits,
    )


def _use_the_same(one: Profile, other: Profile) -> bool:
    """Whether two graphs use the same classes and predicates: each instance of a class has at least its type."""
    return (
        one.predicates.keys() == other.predicates.keys()
        and one.class_predicates.keys() == other.class_predicates.keys()
    )


def _differing(before: SchemaIndex, after: SchemaIndex) -> set[NamedNode]:
    """The terms that are named otherwise, or are of another kind, in one index than in the other."""

    def named(schema: SchemaIndex) -> set[tuple[NamedNode, str, str]]:
        classes = {(term, info.label, "class") for term, info in schema.classes.items()}
        return classes | {(term, info.label, "property") for term, info in schema.properties.items()}

    return {term for term, _, _ in named(before) ^ named(after)}


@dataclass(frozen=True)
class Recovered:
    """Edits of a program that ended before it closed the workspace: they were in its journal, and were taken in.

    Args:
        first, last: the revisions that they made.
        until: when the last of them was made.
    """

    first: int
    last: int
    until: datetime

    @property
    def edits(self) -> int:
        """How many there are."""
        return self.last - self.first + 1


def left_behind(folder: Path) -> Recovered | None:
    """The edits that a program left in the journal without closing the workspace; of one that nobody is editing now.

    Raises:
        StoreError: the manifest or the journal cannot be read.
    """
    pending = pending_edits(folder, read_manifest(folder))
    return Recovered(pending[0].revision, pending[-1].revision, pending[-1].when) if pending else None


def settle(folder: Path, manifest: Manifest) -> Manifest:
    """Have a state hold that has all of the journal in it; for the one who has the lock.

    Returns:
        The manifest that names that state.

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
    let_hold(files, manifest, folder)
    return manifest


def take_in(base: StateFiles, pending: Sequence[Record], files: StateFiles) -> None:
    """Make a state of another one and the edits that it lacks; none is left where that cannot be done.

    Args:
        base: the state to begin with.
        files: where the new one is to lie.

    Raises:
        OutputNotWritable: the folder cannot be written.
        StoreError: an edit could not be applied.
    """
    working = WorkingState(base, files)
    try:
        working.replay(pending)
        working.finish()
    except BaseException:
        working.discard()
        raise


@dataclass(frozen=True)
class ScratchCopy:
    """A copy that lies beside the states of a workspace.

    Args:
        files: where it lies.
        in_use: keeps others from taking it away.
        store: its triples, writable.
    """

    files: StateFiles
    in_use: FolderLock
    store: LocalStore

    def discard(self) -> None:
        """Take it away. Whoever still reads it keeps it until he is done: it is not closed, only let go."""
        self.in_use.release()
        self.files.remove()


def scratch_copy(folder: Path, state: StateFiles, working: WorkingState | None, size: int) -> ScratchCopy:
    """Copy the graph of a workspace; files are shared where possible.

    Args:
        folder: that of the workspace.
        state: the state that holds.
        working: the one in which edits are made, which is copied instead; None if there are none.
        size: how many quads there are.

    Raises:
        OutputNotWritable: this program may not write in the workspace's folder.
        StoreLocked: another program took the place away before it could be held.
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
