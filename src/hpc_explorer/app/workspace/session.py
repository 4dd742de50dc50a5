"""One open workspace: its store, its sources, and what is derived from them.

Derived values (counts, schema, label index) are computed on first use and dropped when the graph changes. Several
threads may read a session; changes are made one at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.annotate.forms.form import schema_for_forms
from hpc_explorer.app.views import SourceSummary
from hpc_explorer.app.workspace.derived import DerivedValues
from hpc_explorer.app.workspace.label_search import EndpointLabels, LabelSearch
from hpc_explorer.app.workspace.lineage_terms import own_lineage_terms
from hpc_explorer.errors import Unsupported, UsageError
from hpc_explorer.lineage.time.recorded import RecordedHistory, VersionMark, since_of
from hpc_explorer.lineage.trace.vocabulary import LINEAGE_VOCABULARY, LineageVocabulary
from hpc_explorer.ontology.inference import Background, InferenceReport, background_of, withdraw
from hpc_explorer.ontology.instances import Usage, count_usage, profiled_usage
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.ontology.naming import label_entries, label_entry
from hpc_explorer.ontology.rules import RuleSet
from hpc_explorer.ontology.schema import SchemaIndex, build_schema, predicates_of_instances
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.aliases import AliasRecord
from hpc_explorer.rdf.namespaces import PrefixMap, merged_prefixes
from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits, Store
from hpc_explorer.stores.changes.changes import ChangeSet, apply_effect, effect_of
from hpc_explorer.stores.columns.store import ColumnStore
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.stoppable import StoppableStore
from hpc_explorer.stores.names.label_index import LabelIndex
from hpc_explorer.stores.remote.remote import RemoteStore

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.workspace import Edit, OpenWorkspace
    from hpc_explorer.interchange.capture.streams import StreamAddress
    from hpc_explorer.stores.columns.columns import Columns


@dataclass(frozen=True)
class Source:
    """An opened source.

    Args:
        path: the file it was read from; None for one from the web, and for a stream.
        graphs: every graph that its quads went into.
        prefixes: the prefixes it declares.
        aliases: the spellings of IRIs that were replaced by others.
        recorded: when the file was last modified; None if that says nothing about its statements.
        ends: where reading ended, in bytes, by the name of each file that may still grow; of a stream, the last entry.
        stream: the stream it was read from.
    """

    summary: SourceSummary
    path: Path | None
    graphs: tuple[GraphName, ...]
    prefixes: dict[str, str]
    aliases: AliasRecord
    recorded: datetime | None = None
    ends: Mapping[str, int] = field(default_factory=dict)
    stream: StreamAddress | None = None


@dataclass(frozen=True)
class Change:
    """A change of the graph, as subscribers receive it.

    Args:
        generation: that of the session after the change.
        sources: whether sources were opened or closed.
        grew: whether an open source has more statements than before, and nothing else changed.
    """

    generation: int
    sources: bool = False
    grew: bool = False


class Session:
    """An open workspace.

    Attributes:
        store: where the triples are.
        generation: increases with each change; an answer of an older generation is stale.
        inference: what was inferred from the graph; None if nothing was.
        workspace: the workspace on disk that is shown; None if everything is in memory.
        styled: the IRIs of classes with a look chosen by the user, which also applies to their subclasses.
        vocabulary_file: a file with the user's lineage terms, in addition to the one in the settings folder.
        file_folders: folders chosen by the user; files in them may be read if the graph names them.
    """

    def __init__(self, store: Store) -> None:
        self.styled: frozenset[str] = frozenset()
        self.store: Store = store
        self.generation = 0
        self.inference: InferenceReport | None = None
        self.workspace: OpenWorkspace | None = None
        self.vocabulary_file: Path | None = None
        self.file_folders: tuple[Path, ...] = ()
        self._sources: dict[NamedNode, Source] = {}
        self.derived = DerivedValues()
        self._change_lock = threading.Lock()
        self._subscribers: list[Callable[[Change], None]] = []
        self._stoppable: StoppableStore | None = None
        self._stoppable_lock = threading.Lock()

    @classmethod
    def new(cls) -> Session:
        """An empty workspace in memory."""
        return cls(LocalStore.in_memory())

    def close(self) -> None:
        """Release the store; the session cannot be used afterwards."""
        with self._stoppable_lock:
            if self._stoppable is not None:
                self._stoppable.stop()
        with self.derived.lock:
            self.derived.clear()
        if self.workspace is not None:
            self.workspace.close()
        else:
            self.store.close()

    def show_workspace(self, workspace: OpenWorkspace | None) -> None:
        """Close the workspace that is shown, and show another, or an empty graph; call it inside `changing`."""
        if self.workspace is not None:
            self.workspace.close()
        self.workspace = workspace
        self.store = LocalStore.in_memory() if workspace is None else workspace.store

    @contextmanager
    def inferring(self) -> Iterator[LocalStore]:
        """The store for inferred statements; use it inside `changing`.

        A workspace gets a copy, because its states contain only loaded and edited statements.
        """
        if self.workspace is None:
            yield self.local_store
            return
        try:
            self.store = self.workspace.step_aside()
            yield self.store
        except BaseException:
            self.take_back_inferred()
            raise

    def take_back_inferred(self) -> None:
        """Remove inferred statements; call it inside `changing`."""
        if self.workspace is None:
            withdraw(self.local_store)
        else:
            self.workspace.step_back()
            self.store = self.workspace.store

    @property
    def stoppable_store(self) -> Store:
        """The store for queries that may take long: there they can be stopped at any moment."""
        store = self.store
        if not isinstance(store, LocalStore):
            return store
        with self._stoppable_lock:
            if self._stoppable is None or self._stoppable.local is not store:
                if self._stoppable is not None:
                    self._stoppable.stop()
                self._stoppable = StoppableStore(store)
            return self._stoppable

    @property
    def columns(self) -> Columns | None:
        """The column tables of the workspace, if it has them."""
        return None if self.workspace is None else self.workspace.columns

    def with_columns(self, store: Store) -> Store:
        """A store of this session; if there are column tables, they answer its aggregate queries."""
        columns = self.columns
        return store if columns is None else ColumnStore(store, columns)

    @property
    def read_only_reason(self) -> str | None:
        """Why the graph cannot be edited, as a message for the user; None if it can."""
        if self.workspace is not None:
            return self.workspace.read_only_reason
        if self.store.capabilities.remote:
            return "an endpoint is not edited from here"
        return "edits are kept in a workspace: load the sources into one"

    @property
    def local_store(self) -> LocalStore:
        """The store to load sources into.

        Raises:
            UsageError: an endpoint is open, and no source can be opened beside it.
        """
        if not isinstance(self.store, LocalStore):
            raise UsageError(
                "an endpoint is opened by itself", self.sources[0].name if self._sources else "", "close it first"
            )
        return self.store

    # Cached answers of an endpoint

    def answers_age(self) -> timedelta | None:
        """The age of the oldest cached answer that was shown; None if all answers are newer than the opening."""
        return self.store.answers_age if isinstance(self.store, RemoteStore) else None

    def lift_deadline(self) -> None:
        """Let later requests to an endpoint end by their own limits, not by those of its opening."""
        if isinstance(self.store, RemoteStore):
            self.store.lift_deadline()

    @property
    def is_offline(self) -> bool:
        """Whether the endpoint could not be reached, so that only cached answers are shown."""
        return isinstance(self.store, RemoteStore) and self.store.is_offline

    def refresh(self, *, limits: Limits = NO_LIMITS) -> None:
        """Ignore answers cached before now, and notify subscribers; without a connection they are still shown."""
        if isinstance(self.store, RemoteStore):
            with self.changing() as sources:
                self.store.refresh()
                size = self.store.size(limits=limits)
                for graph, source in sources.items():
                    sources[graph] = replace(source, summary=replace(source.summary, triples=size))

    # Changes

    @contextmanager
    def changing(self) -> Iterator[dict[NamedNode, Source]]:
        """Change the store and the sources exclusively, then notify subscribers.

        Yields the sources, to be changed in place. If the block raises, they stay as they were; the block itself must
        restore the store.
        """
        with self._change_lock:
            sources = dict(self._sources)
            yield sources
            with self.derived.lock:
                self._sources = sources
                self.derived.clear()
                self.generation += 1
            change = Change(self.generation, sources=True)
        for subscriber in tuple(self._subscribers):
            subscriber(change)

    def edit(self, change: ChangeSet) -> Edit:
        """Change the graph of the workspace, then notify subscribers. Only affected derived values are dropped.

        Raises:
            Unsupported: the graph cannot be edited here, see `read_only_reason`.
            UsageError, OutputNotWritable, StoreError: as `OpenWorkspace.edit`.
        """
        with self._change_lock:
            if self.workspace is None:
                raise Unsupported(self.read_only_reason or "", change.words, "")
            edit = self.workspace.edit(change)
            with self.derived.lock:
                if self.store is not self.workspace.store:
                    # Threads that still read the state before the first edit keep its index.
                    self.derived.drop("labels")
                    self.store = self.workspace.store
                if not edit.change:
                    return edit
                self.derived.drop("usage", "history")
                self.derived.drop_beginning("language")
                if edit.schema:
                    self.derived.drop("schema", "form schema", "background", "vocabulary")
                self.generation += 1
            event = Change(self.generation)
        for subscriber in tuple(self._subscribers):
            subscriber(event)
        return edit

    def grow(self, graph: NamedNode, quads: Iterable[Quad], *, limits: Limits = NO_LIMITS) -> int:
        """Add statements to an open source, then notify subscribers. Inferred statements are withdrawn.

        Args:
            graph: the source's graph.
            quads: statements in that graph.

        Returns: the number of statements that it did not have; 0 if the source is closed.

        Raises:
            UsageError: an endpoint is open.
            Cancelled, DeadlineExceeded: by `limits`; nothing was added.
        """
        with self._change_lock:
            source = self._sources.get(graph)
            if source is None:
                return 0
            store = self.local_store
            added = ChangeSet(added=tuple(quads))
            effect = effect_of(store, added)
            restates = bool(effect.already_stated)
            if restates:
                effect = effect_of(store, added, restating=True)
            limits.check("adding statements")
            if not effect.change:
                return 0
            apply_effect(store, effect)
            if restates:
                store.settle([graph])
            if self.inference is not None:
                self.inference = None
                withdraw(store)
            triples = Count(source.summary.triples.value + len(effect.change.added))
            with self.derived.lock:
                grown = replace(source, summary=replace(source.summary, triples=triples))
                self._sources = {**self._sources, graph: grown}
                # Threads that still search the former state keep its index.
                self.derived.drop("labels")
                self.derived.clear()
                self.generation += 1
            change = Change(self.generation, grew=True)
        for subscriber in tuple(self._subscribers):
            subscriber(change)
        return len(effect.change.added)

    def subscribe(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """Call back after each change, in the thread that made it. Returns a function that unsubscribes."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    # Open sources, and derived values

    @property
    def opened(self) -> tuple[Source, ...]:
        """The sources in full, in the order they were opened."""
        return tuple(self._sources.values())

    @property
    def sources(self) -> tuple[SourceSummary, ...]:
        """The sources as they are shown."""
        return tuple(source.summary for source in self._sources.values())

    @property
    def prefixes(self) -> PrefixMap:
        """The prefixes that the sources declare, and the well-known ones."""
        return self.derived.get(
            "prefixes", lambda: merged_prefixes(source.prefixes for source in self._sources.values())
        )

    def usage(self, *, limits: Limits = NO_LIMITS) -> Usage:
        """Which classes and predicates the graph uses, and how often."""

        def build() -> Usage:
            # The stored counts do not distinguish stated from inferred.
            if self.workspace is not None and self.inference is None:
                return profiled_usage(self.workspace.profile)
            return count_usage(self.store, limits=limits)

        return self.derived.get("usage", build, limits)

    def graph_sizes(self, *, limits: Limits = NO_LIMITS) -> Mapping[GraphName, int]:
        """The number of triples of each graph that has any."""
        if self.workspace is not None:
            return self.workspace.profile.graphs
        return self.derived.get(
            "graphs",
            lambda: {
                graph: sum(1 for _ in self.store.match(graph=graph, limits=limits))
                for graph in self.store.graphs(limits=limits)
            },
            limits,
        )

    def predicates_used_by(self, cls: NamedNode, *, limits: Limits = NO_LIMITS) -> Iterable[NamedNode]:
        """The predicates of the direct instances of a class."""
        if self.workspace is not None:
            return self.workspace.profile.predicates_of((cls,))
        return predicates_of_instances(self.store, cls, limits=limits)

    def schema(self, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
        """The classes and properties of the graph."""

        def build() -> SchemaIndex:
            if self.workspace is not None:
                return self.workspace.schema(limits=limits)
            usage = self.usage(limits=limits)
            return build_schema(
                self.store,
                shipped_ontology(),
                used_classes=usage.classes(),
                used_properties=usage.predicates,
                limits=limits,
            )

        return self.derived.get("schema", build, limits)

    def form_schema(self, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
        """The classes and properties for forms: those of the graph and of the shipped ontologies."""
        return self.derived.get(
            "form schema",
            lambda: schema_for_forms(self.store, shipped_ontology(), self.usage(limits=limits), limits=limits),
            limits,
        )

    def background(self, rule_set: RuleSet = RuleSet.COMMON, *, limits: Limits = NO_LIMITS) -> Background:
        """What the shipped ontology says about terms that the graph does not describe, for inference."""
        return self.derived.get(
            f"background {rule_set.value}",
            lambda: background_of(self.store, shipped_ontology(), rule_set, limits=limits),
            limits,
        )

    def recorded_history(self, *, limits: Limits = NO_LIMITS) -> RecordedHistory:
        """When each statement was recorded, by the times of files, the versions of sources, and edits.

        Raises:
            StoreError: the earlier versions in a workspace cannot be read.
        """

        def build() -> RecordedHistory:
            if self.workspace is not None:
                return self.workspace.history(limits=limits)
            opened = [(source.summary.name, source.recorded, source.graphs) for source in self.opened]
            marks = [
                VersionMark(source.summary.name, 1, source.recorded, source.summary.triples.value)
                for source in self.opened
                if source.recorded is not None
            ]
            return RecordedHistory(since_of(opened), versions=tuple(sorted(marks, key=lambda mark: mark.recorded)))

        return self.derived.get("history", build, limits)

    def lineage_vocabulary(self, *, only_used: bool = True, limits: Limits = NO_LIMITS) -> LineageVocabulary:
        """The predicates of lineage: built in, the user's, and their subproperties in this graph.

        Args:
            only_used: leave out those that the graph does not use.

        Raises:
            DamagedSettings, SourceNotFound: a file with the user's terms cannot be read.
        """

        def build() -> LineageVocabulary:
            schema = self.schema(limits=limits)
            return LINEAGE_VOCABULARY.with_own(own_lineage_terms(self.vocabulary_file)).extended(
                {term: schema.superproperties(term) for term in schema.properties},
                {cls: schema.superclasses(cls) for cls in schema.classes},
            )

        known = self.derived.get("vocabulary", build, limits)
        # The counts of an endpoint may be samples; local counts are complete.
        if self.store.capabilities.remote or not only_used:
            return known
        return known.only(self.usage(limits=limits).predicates)

    def label_index(self, *, limits: Limits = NO_LIMITS) -> LabelSearch:
        """The searchable names of all resources."""

        def build() -> LabelSearch:
            if self.workspace is not None:
                return self.workspace.label_index()
            schema = self.schema(limits=limits)
            if self.store.capabilities.remote:
                return EndpointLabels(
                    self.store,
                    schema,
                    lambda resource, text: label_entry(schema, resource, text),
                    self.usage(limits=limits).triples_with(LABEL_PREDICATES),
                    limits=limits,
                )
            return LabelIndex(label_entries(self.store, schema, limits=limits), limits=limits)

        return self.derived.get("labels", build, limits)
