"""The catalogue of a column file: the predicates with their statistics, and the datatypes of literals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any

from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Triple
from hpc_explorer.stores.columns.layout import QUOTED, PredicateFacts
from hpc_explorer.stores.columns.literals import literal_of, with_literal

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FACTS = 'id, iri, links, "values", subjects, objects, wide, kinds, exact, clock, scale'


@dataclass
class Catalogue:
    """The predicates and literal datatypes of the file, updated by edits.

    Args:
        predicates: the statistics of each, by its IRI.
        kinds: the number of each kind of literal.
        of_node: the names of the columns of `node`.
    """

    predicates: dict[str, PredicateFacts]
    kinds: dict[str, int]
    of_node: frozenset[str]

    def __post_init__(self) -> None:
        self._datatypes = {number: kind for kind, number in self.kinds.items()}

    @classmethod
    def read(cls, connection: DuckDBPyConnection) -> Catalogue:
        """Read it from the file attached as `built`."""
        predicates: dict[str, PredicateFacts] = {}
        for number, iri, links, values, subjects, objects, wide, kinds, *rest in connection.execute(
            f"SELECT {_FACTS} FROM built.predicate"
        ).fetchall():
            predicates[iri] = PredicateFacts(number, iri, links, values, subjects, objects, wide, tuple(kinds), *rest)
        numbers = dict(connection.execute("SELECT datatype, d FROM built.kind").fetchall())
        of_node = frozenset(name for (name, *_) in connection.execute("DESCRIBE built.node").fetchall())
        return cls(predicates, numbers, of_node)

    def write(self, connection: DuckDBPyConnection) -> None:
        """Write it to the file attached as `saved`, replacing its catalogue."""
        connection.execute("DELETE FROM saved.predicate")
        for facts in self.predicates.values():
            told = [list(one) if isinstance(one, tuple) else one for one in astuple(facts)]
            marks = ", ".join("?" * len(told))
            connection.execute(f"INSERT INTO saved.predicate ({_FACTS}) VALUES ({marks})", told)
        connection.execute("DELETE FROM saved.kind")
        for kind, number in self.kinds.items():
            connection.execute("INSERT INTO saved.kind (d, datatype) VALUES (?, ?)", [number, kind])

    def literal(self, parts: Sequence[Any]) -> Literal:
        """The literal with these parts: number of its kind, text, number, moment."""
        return literal_of(self._datatypes[parts[0]], *parts[1:])

    def number_of_kind(self, kind: str) -> int:
        """The number of a datatype or language, assigned if it is new."""
        if kind not in self.kinds:
            number = max(self._datatypes, default=0) + 1
            self.kinds[kind], self._datatypes[number] = number, kind
        return self.kinds[kind]

    def with_triple(self, triple: Triple, predicate: int) -> PredicateFacts:
        """The statistics of a predicate after adding a triple."""
        iri = triple.predicate.value
        facts = self.predicates.get(iri) or PredicateFacts(
            predicate, iri, 0, 0, 0, 0, wide=False, kinds=(), exact=True, clock="none"
        )
        if isinstance(triple.object, (NamedNode, BlankNode)):
            facts = replace(facts, links=facts.links + 1, subjects=facts.subjects + 1, objects=facts.objects + 1)
        elif isinstance(triple.object, Literal):
            facts = with_literal(facts, triple.object)
        else:
            facts = replace(facts, kinds=(*facts.kinds, QUOTED))
        self.predicates[iri] = facts
        return facts

    def distrust(self, facts: PredicateFacts) -> None:
        """Mark the column of a predicate as unusable for queries, because its values are no longer uniform."""
        self.predicates[facts.iri] = replace(facts, kinds=(*facts.kinds, QUOTED))
