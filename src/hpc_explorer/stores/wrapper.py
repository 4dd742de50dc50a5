"""A base class for stores that wrap another one and override some calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Capabilities, Count, Limits, Rows, Store


class StoreWrapper:
    """Passes every call on to another store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def capabilities(self) -> Capabilities:
        return self._store.capabilities

    def size(self, *, limits: Limits = NO_LIMITS) -> Count:
        return self._store.size(limits=limits)

    def graphs(self, *, limits: Limits = NO_LIMITS) -> tuple[GraphName, ...]:
        return self._store.graphs(limits=limits)

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        return self._store.match(subject, predicate, object, graph, limits=limits)

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        return self._store.match_many(subjects=subjects, predicates=predicates, objects=objects, limits=limits)

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
        return self._store.select(query, limits=limits)

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        return self._store.ask(query, limits=limits)

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        return self._store.construct(query, limits=limits)

    def update(self, text: str, *, limits: Limits = NO_LIMITS) -> None:
        self._store.update(text, limits=limits)

    def close(self) -> None:
        self._store.close()
