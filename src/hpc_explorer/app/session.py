"""One open workspace: its store, its sources, and what is derived from them.

What is derived (counts, schema, label index) is made when first asked for and thrown away when the
graph changes. A session may be read from several threads; changes come one at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hpc_explorer.app.label_search import EndpointLabels, LabelSearch
from hpc_explorer.app.views import SourceSummary
from hpc_explorer.errors import UsageError
from hpc_explorer.lineage.vocabulary import LINEAGE_VOCABULARY, LineageVocabulary
from hpc_explorer.ontology.instances import Usage, count_usage
from hpc_explorer.ontology.labels import LABEL_PREDICATES, fallback_label, local_name, search_words
from hpc_explorer.ontology.schema import SchemaIndex, build_schema
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.aliases import AliasRecord
from hpc_explorer.rdf.namespaces import PrefixMap, merged_prefixes
from hpc_explorer.rdf.terms import GraphName, Literal, NamedNode, Resource, iri_text, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.label_index import LabelEntry, LabelIndex
from hpc_explorer.stores.local import LocalStore

T = TypeVar("T")


@dataclass(frozen=True)
class Source:
    """An opened source.

    Args:
        path: the file it was read from; None for one from the web.
        graphs: every graph that its quads went into.
        prefixes: the prefixes it declares.
        aliases: which spellings in it were read as others.
    """

    summary: SourceSummary
    path: Path | None
    graphs: tuple[GraphName, ...]
    prefixes: dict[str, str]
    aliases: AliasRecord


@dataclass(frozen=True)
class Change:
    """Told to those who show the graph: what changed, so that they can ask anew.

    Args:
        generation: the session's number after the change.
        sources: whether sources were opened or closed.
    """

    generation: int
    sources: bool = False


class Session:
    """An open workspace.

    Attributes:
        store: where the triples are.
        generation: grows with each change; an answer of an older generation is stale.
    """

    def __init__(self, store: Store) -> None:
        self.store: Store = store
        self.generation = 0
        self._sources: dict[NamedNode, Source] = {}
        self._derived: dict[str, Any] = {}
        self._derived_lock = threading.RLock()
        self._change_lock = threading.Lock()
        self._subscribers: list[Callable[[Change], None]] = []

    @classmethod
    def new(cls) -> Session:
        """An empty workspace in memory."""
        return cls(LocalStore.in_memory())

    def close(self) -> None:
        """Give back the store; the session answers no more."""
        with self._derived_lock:
            self._forget()
        self.store.close()

    @property
    def local_store(self) -> LocalStore:
        """The store, to load sources into.

        Raises:
            UsageError: the session is on an endpoint, which is opened alone.
        """
        if not isinstance(self.store, LocalStore):
            raise UsageError(
                "an endpoint is opened by itself", self.sources[0].name if self._sources else "", "close it first"
            )
        return self.store

    # Changes

    @contextmanager
    def changing(self) -> Iterator[dict[NamedNode, Source]]:
        """Change the store and the sources, alone; afterwards everybody who subscribed is told.

        Yields the sources to be changed in place. If the block raises, the sources stay as they were; the
        block itself puts the store back.
        """
        with self._change_lock:
            sources = dict(self._sources)
            yield sources
            with self._derived_lock:
                self._sources = sources
                self._forget()
                self.generation += 1
            change = Change(self.generation, sources=True)
        for subscriber in tuple(self._subscribers):
            subscriber(change)

    def subscribe(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """Be told of each change, in the thread that made it. Returns the way to be told no more."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    # What is open, and what follows from it

    @property
    def opened(self) -> tuple[Source, ...]:
        """The sources with all that is known of them, in the order they were opened."""
        return tuple(self._sources.values())

    @property
    def sources(self) -> tuple[SourceSummary, ...]:
        """The sources as they are shown."""
        return tuple(source.summary for source in self._sources.values())

    @property
    def prefixes(self) -> PrefixMap:
        """The prefixes that the sources declare, and the well-known ones."""
        return self._once("prefixes", lambda: merged_prefixes(source.prefixes for source in self._sources.values()))

    def usage(self, *, limits: Limits = NO_LIMITS) -> Usage:
        """Which classes and predicates the graph uses, and how often."""
        return self._once("usage", lambda: count_usage(self.store, limits=limits))

    def schema(self, *, limits: Limits = NO_LIMITS) -> SchemaIndex:
        """The classes and properties of the graph."""

        def build() -> SchemaIndex:
            usage = self.usage(limits=limits)
            return build_schema(
                self.store,
                shipped_ontology(),
                used_classes=usage.classes(),
                used_properties=usage.predicates,
                limits=limits,
            )

        return self._once("schema", build)

    def lineage_vocabulary(self, *, limits: Limits = NO_LIMITS) -> LineageVocabulary:
        """The predicates that speak of lineage, those among them that only this graph defines."""

        def build() -> LineageVocabulary:
            schema = self.schema(limits=limits)
            return LINEAGE_VOCABULARY.extended({term: schema.superproperties(term) for term in schema.properties})

        return self._once("vocabulary", build)

    def label_index(self, *, limits: Limits = NO_LIMITS) -> LabelSearch:
        """The names of all resources, to be searched."""

        def build() -> LabelSearch:
            if not self.store.capabilities.remote:
                return LabelIndex(self._label_entries(limits), limits=limits)
            schema = self.schema(limits=limits)
            return EndpointLabels(self.store, schema, lambda resource, text: self._entry(schema, resource, text))

        return self._once("labels", build)

    def _label_entries(self, limits: Limits) -> Iterator[LabelEntry]:
        schema = self.schema(limits=limits)
        named: set[Resource] = set()
        for predicate in LABEL_PREDICATES:
            for quad in self.store.match(None, predicate, None, limits=limits):
                if isinstance(quad.object, Literal) and is_resource(quad.subject):
                    named.add(quad.subject)  # type: ignore[arg-type]  # checked on the line above
                    yield self._entry(schema, quad.subject, quad.object.value)  # type: ignore[arg-type]
        terms = {cls: info.label for cls, info in schema.classes.items()}
        terms |= {term: info.label for term, info in schema.properties.items()}
        for term, label in terms.items():
            if term not in named:
                named.add(term)
                yield self._entry(schema, term, label)
        # What nothing names is found by its IRI's last part.
        previous = None
        for quad in self.store.match(limits=limits):
            if quad.subject != previous and isinstance(quad.subject, NamedNode) and quad.subject not in named:
                named.add(quad.subject)
                yield self._entry(schema, quad.subject, fallback_label(quad.subject))
            previous = quad.subject

    def _entry(self, schema: SchemaIndex, resource: Resource, text: str) -> LabelEntry:
        name = local_name(resource.value) if isinstance(resource, NamedNode) else ""
        rank = 1 if resource in schema.classes else 2 if resource in schema.properties else 0
        return LabelEntry(iri_text(resource), text, f"{search_words(text)} {name} {search_words(name)}", rank)

    def _once(self, name: str, build: Callable[[], T]) -> T:
        """What `build` gives, made at most once between two changes."""
        with self._derived_lock:
            if name not in self._derived:
                self._derived[name] = build()
            return self._derived[name]  # type: ignore[no-any-return]  # each name has one builder

    def _forget(self) -> None:
        if "labels" in self._derived:
            self._derived["labels"].close()
        self._derived.clear()
