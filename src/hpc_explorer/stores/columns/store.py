"""A store whose queries are answered from its columns, where these can for certain."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.stores.base import NO_LIMITS, Capabilities, Count, Limits, Rows, Store
from hpc_explorer.stores.columns.columns import Columns
from hpc_explorer.stores.columns.relation import NotByColumns


class ColumnStore:
    """The triples of a store, with its columns for `select`.

    What the columns do not answer for certain, the store of triples does; so the answers are the same, but for the
    order of rows that no order was asked for, the last digits of averages, and the datatype of sums over several ones.
    """

    def __init__(self, store: Store, columns: Columns) -> None:
        self._store, self.columns = store, columns

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store."""
        return self._store.capabilities

    def size(self, *, limits: Limits = NO_LIMITS) -> Count:
        """How many quads there are."""
        return self._store.size(limits=limits)

    def graphs(self, *, limits: Limits = NO_LIMITS) -> tuple[GraphName, ...]:
        """The graphs that hold at least one triple."""
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
        """The quads that fit."""
        return self._store.match(subject, predicate, object, graph, limits=limits)

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        """The quads whose terms are among those given."""
        return self._store.match_many(subjects=subjects, predicates=predicates, objects=objects, limits=limits)

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
        """The solutions of a SELECT query, from the columns if they can."""
        try:
            return self.columns.select(query, limits=limits)
        except NotByColumns:
            return self._store.select(query, limits=limits)

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        """The answer of an ASK query."""
        return self._store.ask(query, limits=limits)

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        """The triples of a CONSTRUCT or DESCRIBE query."""
        return self._store.construct(query, limits=limits)

    def update(self, text: str, *, limits: Limits = NO_LIMITS) -> None:
        """Carry out a SPARQL Update; the store says whether it can."""
        self._store.update(text, limits=limits)

    def close(self) -> None:
        """Give back both."""
        self.columns.close()
        self._store.close()
