"""Stores that cache statements by subject, for operations that query the same subjects repeatedly."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.wrapper import StoreWrapper

# Subjects with more statements are not cached.
_MOST = 256

# Maximum number of cached subjects; the cache is emptied beyond.
_MOST_KEPT = 20_000


class CachedStore(StoreWrapper):
    """A cache in front of a store; it shows the graph as it was at the first request.

    Lineage asks for names, classes, times, values and causes one after the other. In a local store, fetching all
    statements of a subject costs little more than fetching a few. A server is asked for what is wanted, once: what it
    sent of a subject answers later requests for the same predicates, and for fewer if it was asked for all.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._said: dict[Resource, list[Quad] | None] = {}
        self._sent: dict[tuple[Resource, frozenset[NamedNode] | None], list[Quad]] = {}

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        if self._store.capabilities.remote and subject is not None and graph is None:
            if object is None:
                wanted = None if predicate is None else frozenset((predicate,))
                return self._asked_once((subject,), wanted, limits)
            if (subject, None) in self._sent:
                said = self._sent[subject, None]
                return (one for one in said if one.object == object and predicate in (None, one.predicate))
        return super().match(subject, predicate, object, graph, limits=limits)

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        if subjects is None:
            return super().match_many(subjects=subjects, predicates=predicates, objects=objects, limits=limits)
        wanted = None if predicates is None else frozenset(predicates)
        if self._store.capabilities.remote:
            return self._asked_once(subjects, wanted, limits)
        return self._remembered(subjects, wanted, limits)

    def _asked_once(
        self, subjects: Iterable[Resource], predicates: frozenset[NamedNode] | None, limits: Limits
    ) -> Iterator[Quad]:
        asked = dict.fromkeys(subjects)
        missing = [one for one in asked if (one, None) not in self._sent and (one, predicates) not in self._sent]
        if missing:
            if len(self._sent) > _MOST_KEPT:
                self._sent = {key: quads for key, quads in self._sent.items() if key[0] in asked}
            found: dict[Resource, list[Quad]] = {one: [] for one in missing}
            for quad in self._store.match_many(subjects=missing, predicates=predicates, limits=limits):
                found[quad.subject].append(quad)  # type: ignore[index]  # one of the resources that were asked for
            self._sent.update(((one, predicates), quads) for one, quads in found.items())
        for subject in asked:
            whole = self._sent.get((subject, None))
            if whole is None:
                yield from self._sent[subject, predicates]
            else:
                yield from (quad for quad in whole if predicates is None or quad.predicate in predicates)

    def _remembered(
        self, subjects: Iterable[Resource], predicates: frozenset[NamedNode] | None, limits: Limits
    ) -> Iterator[Quad]:
        for subject in subjects:
            if subject not in self._said:
                limits.check()
                first = list(islice(self._store.match(subject, limits=limits), _MOST + 1))
                self._said[subject] = first if len(first) <= _MOST else None
            said = self._said[subject]
            if said is None:
                yield from self._store.match_many(subjects=(subject,), predicates=predicates, limits=limits)
            elif predicates is None:
                yield from said
            else:
                for quad in said:
                    if quad.predicate in predicates:
                        yield quad


class PrefetchedStore(StoreWrapper):
    """A cache in front of a server that prefetches some predicates together.

    The window asks for names and classes of the same subjects in several places.

    Args:
        predicates: fetched together whenever one of them is requested.
    """

    def __init__(self, store: Store, predicates: Collection[NamedNode]) -> None:
        super().__init__(store)
        self._predicates = frozenset(predicates)
        self._said: dict[Resource, tuple[Quad, ...]] = {}

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        if subjects is None or predicates is None or not self._predicates.issuperset(predicates):
            yield from super().match_many(subjects=subjects, predicates=predicates, objects=objects, limits=limits)
            return
        said = self._said
        missing = [subject for subject in dict.fromkeys(subjects) if subject not in said]
        if missing:
            found: dict[Resource, list[Quad]] = {subject: [] for subject in missing}
            for quad in self._store.match_many(subjects=missing, predicates=self._predicates, limits=limits):
                found[quad.subject].append(quad)  # type: ignore[index]  # one of the resources that were asked for
            fetched = {subject: tuple(quads) for subject, quads in found.items()}
            # Other threads may be reading the old dictionary, so it is replaced and not changed.
            kept = said if len(said) < _MOST_KEPT else {one: said[one] for one in subjects if one in said}
            self._said = said = {**kept, **fetched}
        for subject in subjects:
            for quad in said[subject]:
                if quad.predicate in predicates:
                    yield quad
