"""Trace over a server what is shown: whole levels, as many as fit on a page; the server counts what lies beyond.

A level that does not fit is not fetched, apart from the links back into the page. If the first level does not fit, its
first resources are the page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from hpc_explorer.lineage.trace.counts import beyond
from hpc_explorer.lineage.trace.trace import Direction
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Resource, Term
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.remote.remote import RemoteStore
from hpc_explorer.stores.wrapper import StoreWrapper


class ServerPage:
    """A page of a lineage over a server; see `trace.Page`.

    A query cannot name blank nodes, so a lineage that reaches one is traced whole.

    Args:
        vocabulary: the one of the trace.
        most: the maximum number of resources, apart from a first level that does not fit.
    """

    def __init__(self, store: RemoteStore, vocabulary: LineageVocabulary, direction: Direction, most: int) -> None:
        self._store, self._vocabulary, self._direction, self._most = store, vocabulary, direction, most

    def next(
        self, reached: Collection[Resource], frontier: Collection[Resource], *, limits: Limits = NO_LIMITS
    ) -> tuple[Store, frozenset[Resource] | None]:
        """The store to ask for the steps from the frontier, and where the lineage goes on if this is the last level."""
        named = [one for one in reached if isinstance(one, NamedNode)]
        if len(named) < len(reached):
            return self._store, None
        pattern = beyond(frontier, reached, self._vocabulary, self._direction)
        if len(reached) <= self._most:
            some = f"SELECT DISTINCT ?far WHERE {{ {pattern} }} LIMIT {self._most + 1}"
            (row,) = self._store.select(f"SELECT (COUNT(*) AS ?number) WHERE {{ {{ {some} }} }}", limits=limits)
            number = row["number"]
            if isinstance(number, Literal) and len(reached) + int(number.value) <= self._most:
                return self._store, None
            if len(reached) == 1:
                return _First(self._store, self._vocabulary, self._most), None
        # The start goes on too if only its first resources were fetched.
        pattern = beyond(named, reached, self._vocabulary, self._direction)
        rows = self._store.select(f"SELECT DISTINCT ?near WHERE {{ {pattern} }}", limits=limits)
        ends = frozenset(near for row in rows if isinstance(near := row["near"], NamedNode))
        return _Within(self._store, named, self._vocabulary), ends


class _First(StoreWrapper):
    """The first statements of each property of the start; all of those that lead to qualifying nodes."""

    def __init__(self, store: RemoteStore, vocabulary: LineageVocabulary, most: int) -> None:
        super().__init__(store)
        self._server, self._direct, self._most = store, vocabulary.direct.keys(), most

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        ends = [one for one in (subjects if objects is None else objects) or () if isinstance(one, NamedNode)]
        wanted = frozenset(predicates or ())
        direct = sorted(wanted & self._direct, key=str) if len(ends) == 1 else []
        patterns = ((ends[0], one, None) if objects is None else (None, one, ends[0]) for one in direct)
        yield from self._server.first(patterns, self._most, limits=limits)
        # A blank node among these is of no use without the statements around it.
        rest = None if predicates is None else wanted.difference(direct)
        if rest is None or rest:
            yield from super().match_many(subjects=subjects, predicates=rest, objects=objects, limits=limits)


class _Within(StoreWrapper):
    """The steps between the resources of a page."""

    def __init__(self, store: RemoteStore, page: Collection[NamedNode], vocabulary: LineageVocabulary) -> None:
        super().__init__(store)
        self._server, self._page, self._vocabulary = store, page, vocabulary

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        ends = (subjects if objects is None else objects) or ()
        wanted = frozenset(predicates or ())
        # The other end of these is a resource of the lineage; of the others it is a class or a qualifying node.
        second = self._vocabulary.inner if objects is None else self._vocabulary.outer
        inside = wanted & (self._vocabulary.direct.keys() | second)
        named = [one for one in ends if isinstance(one, NamedNode)]
        if inside and named:
            pair = (named, self._page) if objects is None else (self._page, named)
            for quad in self._server.between(*pair, limits=limits):
                if quad.predicate in inside:
                    yield quad
        blank = [one for one in ends if isinstance(one, BlankNode)]
        for some, rest in ((ends, wanted - inside), (blank, inside)):
            if some and rest:
                given = {"subjects": some} if objects is None else {"objects": some}
                yield from self._server.match_many(**given, predicates=rest, limits=limits)  # type: ignore[arg-type]  # by their names
