"""A workspace: a folder that keeps loaded sources and edits, and opens at once.

    manifest.json        the current state, its revision, and the loaded sources; replaced atomically
    lock                 held by the program that may change the workspace
    journal/             every edit, written before it is applied
    states/N/store       the triples
    states/N/labels.db   the label index
    states/N/columns.db  the column tables of a large state
    states/N/profile.ttl the usage counts
    states/N/in-use      locked by the readers of the state

The current state is never written to. A load creates a new state from a checkpoint of the current one (files are
linked, not copied); it becomes current when the manifest names it. Edits are also made in a new state, after each was
written to the journal; it becomes current when the workspace is closed. A crash leaves a state that no manifest names,
which is deleted, and perhaps edits that only the journal has: the next opening applies them to a new state.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from hpc_explorer.app.settings import user_name
from hpc_explorer.app.workspace.source_files import unchanged_lines
from hpc_explorer.app.workspace.states import (
    StateFiles,
    clean,
    journal_of,
    make_current,
    next_state,
    pending_edits,
    state_files,
    view_files,
    writers_lock,
)
from hpc_explorer.app.workspace.versions import history_of
from hpc_explorer.app.workspace.working_state import (
    Recovered,
    ScratchCopy,
    WorkingState,
    left_behind,
    schema_of,
    scratch_copy,
    settle,
    take_in,
)
from hpc_explorer.errors import OutputNotWritable, StoreDamaged, StoreError, StoreLocked, Unsupported, UsageError
from hpc_explorer.lineage.time.recorded import RecordedHistory
from hpc_explorer.ontology.naming import label_entries
from hpc_explorer.ontology.schema import SchemaIndex
from hpc_explorer.rdf.syntax.files import output_error
from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet, effect_of
from hpc_explorer.stores.changes.journal import Journal, Record
from hpc_explorer.stores.changes.manifest import LoadedSource, Manifest, read_manifest, write_manifest
from hpc_explorer.stores.changes.profile_changes import profile_change
from hpc_explorer.stores.columns.building import WORTH_FROM, build_columns
from hpc_explorer.stores.columns.columns import Columns, open_columns
from hpc_explorer.stores.local.folder_lock import FolderLock
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.profile import Profile
from hpc_explorer.stores.local.void import read_profile
from hpc_explorer.stores.names.label_index import LabelIndex

_OPEN_ELSEWHERE = "another program has this workspace open and may change it; here it can only be read"
_OPENED_TO_READ = "the workspace was opened for reading only"

SNAPSHOT_EVERY = 10_000
"""Number of edits after which a new state is made current, to keep the replay after a crash short."""


@dataclass(frozen=True)
class Edit:
    """The result of an edit.

    Args:
        revision: that of the workspace afterwards; unchanged if nothing changed.
        change: the statements actually removed and added.
        already_stated: the statements not added, because another graph states the triple.
        schema: whether the classes and properties of the graph may have changed.
    """

    revision: int
    change: ChangeSet
    already_stated: tuple[Quad, ...] = ()
    schema: bool = False


@dataclass(frozen=True)
class _Aside:
    """A copy that is shown in place of the graph, with the store and profile to return to."""

    copy: ScratchCopy
    store: LocalStore
    profile: Profile


class OpenWorkspace:
    """An open workspace.

    Attributes:
        store: its triples, changed only by `edit`; replaced at the first edit, and while statements are inferred.
        profile: their usage counts.
        revision: the last edit included.
        alone: whether no other program can change the workspace while it is open here.
        read_only_reason: why it cannot be edited here, as a message; None if it can.
        edited_elsewhere: whether another program was editing it at the opening; its edits until then are included.
        lock_error: why it cannot be edited, other than because of another program: it cannot be locked, or files are
            damaged; None if it can.
        who: the user's name in the journal.
        recovered: the edits of a crashed program that were recovered at the opening.
    """

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        files: StateFiles,
        *,
        in_use: FolderLock | None,
        lock: FolderLock | None,
        read_only_reason: str | None,
        edited_elsewhere: bool = False,
        recovered: Recovered | None = None,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self.folder = folder
        self.sources = manifest.sources
        self.revision = manifest.revision
        self.profile: Profile = read_profile(files.profile)
        self.store = LocalStore.read_only(files.store, size=self.profile.quads)
        self.alone = lock is not None
        self.read_only_reason = read_only_reason
        self.edited_elsewhere = edited_elsewhere
        self.recovered = recovered
        self.lock_error: OutputNotWritable | StoreDamaged | None = None
        self.who = user_name()
        self._manifest = manifest
        self._files = files
        self._in_use = in_use
        self._lock = lock
        self._on_close = on_close
        self._working: WorkingState | None = None
        self._journal = Journal(journal_of(folder), manifest.revision)
        self._schema: SchemaIndex | None = None
        self._aside: _Aside | None = None
        self._columns: Columns | None = None
        self._columns_lock = threading.Lock()

    @classmethod
    def open(cls, folder: Path, *, alone: bool = False) -> OpenWorkspace:
        """Open a workspace.

        Args:
            alone: to edit it, and keep other programs from changing it, unless another program has it open already.

        Raises:
            StoreError: there is none, or it is damaged.
        """
        manifest = read_manifest(folder)
        lock = None
        reason = _OPEN_ELSEWHERE if alone else _OPENED_TO_READ
        lock_error: OutputNotWritable | StoreDamaged | None = None
        try:
            lock = writers_lock(folder) if alone or pending_edits(folder, manifest) else None
        except OutputNotWritable as error:
            lock_error = error
            reason = f"the workspace cannot be locked, so it can only be read here: {error.what}"
        recovered: Recovered | None = None
        if lock is not None:
            try:
                recovered = left_behind(folder)
                clean(folder, settle(folder, read_manifest(folder)))
            except StoreDamaged as error:
                # The current state cannot take the edits in; they stay in the journal and are shown in a view.
                lock_error, reason, recovered = error, f"{error.what}, so it can only be read", None
            except BaseException:
                lock.release()
                raise
            if not alone or lock_error is not None:
                lock.release()
                lock = None
        # A program that changes the workspace now may delete the state before it is locked here.
        for _ in range(10):
            manifest = read_manifest(folder)
            files = state_files(folder, manifest.state)
            in_use = FolderLock.shared(files.in_use)
            if read_manifest(folder).state == manifest.state:
                pending = pending_edits(folder, manifest)
                if not pending:
                    opened = cls(
                        folder,
                        manifest,
                        files,
                        in_use=in_use,
                        lock=lock,
                        read_only_reason=None if lock is not None else reason,
                        recovered=recovered,
                    )
                    opened.lock_error = lock_error
                    return opened
                view = _view(folder, manifest, pending)
                if view is not None:
                    if isinstance(lock_error, StoreDamaged):
                        view.lock_error, view.read_only_reason, view.edited_elsewhere = lock_error, reason, False
                    if in_use is not None:
                        in_use.release()
                    return view
            if in_use is not None:
                in_use.release()
        if lock is not None:
            lock.release()
        raise StoreLocked("another program keeps changing this workspace", str(folder), "try again when it is done")

    @property
    def forgotten(self) -> Mapping[GraphName, int]:
        """The graphs of removed sources, with the last revision whose edits were removed with them."""
        return self._manifest.forgotten

    def label_index(self) -> LabelIndex:
        """Its label index; one that an older version wrote is made anew in memory."""
        if self._working is not None:
            return self._working.labels
        if LabelIndex.is_current(self._files.labels):
            return LabelIndex.opened(self._files.labels)
        return LabelIndex(label_entries(self.store, self.schema()))

    @property
    def columns(self) -> Columns | None:
        """Its column tables; None if it has none, or while inferred statements are shown."""
        if self._aside is not None:
            return None
        if self._working is not None:
            return self._working.columns
        with self._columns_lock:
            if self._columns is None:
                self._columns = open_columns(self._files.columns)
            return self._columns

    @property
    def lacks_columns(self) -> bool:
        """Whether it is large enough for column tables but has none, for example after a change of their layout."""
        return self.profile.quads >= WORTH_FROM and self._working is None and self.columns is None

    def build_columns(self, *, report: Callable[[str], None] = lambda step: None, limits: Limits = NO_LIMITS) -> None:
        """Build missing column tables. They are derived from the triples and change no statement.

        Raises:
            OutputNotWritable: the workspace's folder is not writable, or the disk is full.
            Cancelled, DeadlineExceeded: by `limits`.
        """
        if self.lacks_columns:
            lines = unchanged_lines(self.sources[0]) if self._is_one_file else None
            build_columns(self.store, self._files.columns, n_triples=lines, report=report, limits=limits)

    @property
    def _is_one_file(self) -> bool:
        """Whether it states what the file of its only source states, without an edit."""
        if len(self.sources) != 1:
            return False
        (source,) = self.sources
        return source.carried is None and source.revision == self.revision and source.graphs == (source.graph,)

    def history(self, *, limits: Limits = NO_LIMITS) -> RecordedHistory:
        """When its statements were recorded, by the versions of its sources and by its edits.

        Raises:
            StoreError: the versions or edits cannot be read.
        """
        return history_of(self.folder, self._manifest, self.revision, self.store, limits=limits)

    def schema(self, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
        """The classes and properties of its graph."""
        if self._working is not None:
            return self._working.schema(limits=limits)
        if self._schema is None:
            self._schema = schema_of(self.store, self.profile, limits=limits)
        return self._schema

    def edit(self, change: ChangeSet) -> Edit:
        """Write a change to the journal, then apply it; one edit at a time.

        Statements that do not exist are not removed, and existing ones are not added again. If the graphs have no
        triple in common, a triple of one graph is not added to another.

        Raises:
            Unsupported: the workspace is open for reading only.
            UsageError: a statement is in no named graph.
            OutputNotWritable: the journal cannot be written; nothing was changed.
            StoreError: the change failed and is not in the journal; the workspace must be opened again to edit it.
        """
        if self.read_only_reason is not None:
            raise Unsupported(self.read_only_reason, str(self.folder), "")
        if self._aside is not None:
            raise Unsupported("the graph shows inferred statements", str(self.folder), "remove them before you edit")
        if any(isinstance(quad.graph_name, DefaultGraph) for quad in (*change.removed, *change.added)):
            raise UsageError("an edit must be in a named graph", change.words, "name the graph")
        is_first = self._working is None
        if self._working is None:
            self._begin()
        assert self._working is not None
        effect = effect_of(self._working.store, change)
        if not effect.change:
            return Edit(self.revision, effect.change, effect.already_stated)
        counts = profile_change(self._working.store, effect)
        record = Record(self.revision + 1, datetime.now(UTC), self.who, effect.change, counts)
        self._journal.append(record)
        try:
            schema = self._working.take_in(effect, [counts])
            if is_first:  # The engine finds damaged files when it writes its own; then the edit is refused.
                self._working.store.save()
        except BaseException:
            # A part of it may be in the working state, which is discarded at the closing.
            self.read_only_reason = "an edit failed; open the workspace again to edit it"
            with suppress(OutputNotWritable):  # the next opening tries the edit again
                self._journal.withdraw()
            raise
        self.revision = record.revision
        self.profile = self._working.profile
        if self.revision - self._manifest.revision >= SNAPSHOT_EVERY:
            self._snapshot()
        return Edit(self.revision, effect.change, effect.already_stated, schema)

    def begin_push(self, graph: NamedNode) -> None:
        """Record that all edits so far are being sent to a source, in case of a crash before `mark_pushed`.

        Args:
            graph: that of the source.

        Raises:
            Unsupported: the workspace is open for reading only.
            OutputNotWritable: the manifest cannot be written; nothing was changed.
        """
        self._hold_sending(graph, self.revision)

    def end_push(self, graph: NamedNode) -> None:
        """Record that a push to a source ended without success.

        Raises:
            Unsupported, OutputNotWritable: as `begin_push`.
        """
        self._hold_sending(graph, 0)

    def mark_pushed(self, sources: Sequence[LoadedSource]) -> None:
        """Record that sources include all edits so far.

        Args:
            sources: some of `sources`, with the current path, checksum, size, time and format of their files.

        Raises:
            Unsupported: the workspace is open for reading only.
            OutputNotWritable: the manifest cannot be written; nothing was changed.
        """
        now = {source.graph: replace(source, pushed=self.revision, carried=None, sending=0) for source in sources}
        # The statements keep their recording time, although the file is as new as the push.
        self._hold_sources(
            replace(now[old.graph], since=old.recorded) if old.graph in now else old for old in self.sources
        )

    def _hold_sending(self, graph: NamedNode, revision: int) -> None:
        self._hold_sources(
            replace(source, sending=revision) if source.graph == graph else source for source in self.sources
        )

    def _hold_sources(self, sources: Iterable[LoadedSource]) -> None:
        if self.read_only_reason is not None:
            raise Unsupported(self.read_only_reason, str(self.folder), "")
        manifest = replace(self._manifest, sources=tuple(sources))
        try:
            write_manifest(manifest, self.folder)
        except OSError as error:
            raise output_error(error, self.folder) from None
        self._manifest, self.sources = manifest, manifest.sources

    def step_aside(self) -> LocalStore:
        """Show a writable copy of the graph that is never saved; files are shared where possible.

        Raises:
            OutputNotWritable, StoreLocked: as `scratch_copy`.
        """
        copy = scratch_copy(self.folder, self._files, self._working, self.profile.quads)
        self._aside = _Aside(copy, self.store, self.profile)
        self.store = copy.store
        return copy.store

    def step_back(self) -> None:
        """Discard the copy, and show the graph itself."""
        if self._aside is not None:
            aside, self._aside = self._aside, None
            self.store, self.profile = aside.store, aside.profile
            aside.copy.discard()

    def _begin(self) -> None:
        files = state_files(self.folder, next_state(self.folder, self._manifest))
        with self._columns_lock:
            self._working = WorkingState(self._files, files, self._schema, self._columns)
        self.store = self._working.store

    def _snapshot(self) -> None:
        """Make a copy of the working state current."""
        assert self._working is not None
        state = next_state(self.folder, self._manifest)
        files = state_files(self.folder, state)
        try:
            self._working.copy_to(files)
            manifest = replace(self._manifest, state=state, revision=self.revision)
            make_current(files, manifest, self.folder)
        except (OutputNotWritable, StoreError, OSError):
            # The edits are in the journal; the next edit tries again.
            files.remove()
            return
        self._manifest = manifest
        self._journal.close()
        with suppress(StoreError):  # it is deleted at the closing
            clean(self.folder, manifest, self._working.files)

    def close(self) -> None:
        """Make a state with all edits current, and release the workspace.

        Raises:
            StoreDamaged: files are damaged; the edits are in the journal, and the next opening shows them.
        """
        self._journal.close()
        self.step_back()
        try:
            if self._working is None:
                self.store.close()
                if self._columns is not None:
                    self._columns.close()
            elif self.read_only_reason is not None or self.revision == self._manifest.revision:
                self._working.discard()
            else:
                self._finish(self._working)
        finally:
            if self._in_use is not None:
                self._in_use.release()
            if self._lock is not None:
                if self._working is not None:
                    clean(self.folder, self._manifest)
                self._lock.release()
            self._on_close()

    def _finish(self, working: WorkingState) -> None:
        manifest = replace(self._manifest, state=int(working.files.folder.name), revision=self.revision)
        try:
            working.finish()
            make_current(working.files, manifest, self.folder)
        except StoreDamaged:
            working.discard()
            raise
        except (OutputNotWritable, StoreError, OSError):
            # For example, the disk is full. The next opening applies the edits from the journal.
            working.files.remove()
            return
        self._manifest = manifest


def _view(folder: Path, manifest: Manifest, pending: list[Record]) -> OpenWorkspace | None:
    """The workspace with the edits of another program so far, in a private state.

    None if that program deleted it before it was locked.
    """
    files = view_files(folder)
    try:
        files.folder.mkdir()
        files.in_use.touch()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(
            "another program is editing this workspace, and its edits cannot be copied here",
            f"{folder} ({error.strerror})",
            "open it when that program is done, or make the folder writable",
        ) from None
    in_use = FolderLock.shared(files.in_use)
    if in_use is None:
        return None
    try:
        take_in(state_files(folder, manifest.state), pending, files, is_view=True)
        manifest = replace(manifest, revision=pending[-1].revision)
        return OpenWorkspace(
            folder,
            manifest,
            files,
            in_use=in_use,
            lock=None,
            read_only_reason=_OPEN_ELSEWHERE,
            edited_elsewhere=True,
            on_close=files.remove,
        )
    except BaseException:
        in_use.release()
        files.remove()
        raise
