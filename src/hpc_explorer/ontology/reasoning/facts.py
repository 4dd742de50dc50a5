"""The known statements while rules run: relations, read when a rule asks for them, and which terms are equal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from hpc_explorer.ontology.reasoning.relations import (
    LITERALS,
    NO_ROWS,
    Flags,
    Relation,
    Rows,
    Terms,
    distinct,
    objects_of,
    paired,
    subjects_of,
)
from hpc_explorer.rdf.datatypes import WIDER
from hpc_explorer.rdf.namespaces import OWL, RDF
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource, Term, term_of_n_triples
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.local.local import LocalStore

Key = tuple[bool, int]
"""A relation: whether it is a class, and the number of the class or predicate."""


class Facts:
    """The statements of some stores and what was concluded from them.

    Equal terms are one: the lowest number stands for all.

    Attributes:
        relations: those that were read, by key.
        changed: relations with pending statements.
        equals: all terms that equal another, by the one that stands for them, itself included.
    """

    def __init__(self, stores: Sequence[LocalStore], limits: Limits) -> None:
        self.terms = Terms()
        self.relations: dict[Key, Relation] = {}
        self.changed: dict[Key, None] = {}
        self.equals: dict[int, list[int]] = {}
        self.type = self.number(RDF.type)
        self.same_as = self.number(OWL.sameAs)
        self._stores = stores
        self._limits = limits
        self._canonical: dict[int, int] = {}
        self._terms: dict[int, Term] = {}
        self._datatypes = {self.number(datatype): datatype for datatype in WIDER}
        self._is_wider: dict[tuple[int, int], bool] = {}

    # Terms

    def number(self, term: Term) -> int:
        """The number of a term."""
        return self.terms.number(str(term))

    def term(self, number: int) -> Term:
        """The term of a number, as the graph spells it."""
        found = self._terms.get(number)
        if found is None:
            found = self._terms[number] = term_of_n_triples(self.terms.spelled(number))
        return found

    def canonical(self, number: int) -> int:
        """The number that stands for a term and all that equal it."""
        return self._canonical.get(number, number)

    # Relations

    def read_types(self, given: Iterable[tuple[Resource, NamedNode]] = ()) -> None:
        """Read the members of all classes. Call it first, once.

        Args:
            given: further members and classes, which are not concluded.
        """
        for store in self._stores:
            rows = self._read(store, RDF.type)
            classes = objects_of(rows)
            order = np.argsort(classes, kind="stable")
            members, classes = subjects_of(rows)[order], classes[order]
            starts = np.flatnonzero(np.diff(classes, prepend=-1)).tolist()
            for start, end in zip(starts, [*starts[1:], classes.size], strict=False):
                self._give((True, int(classes[start])), members[start:end])
        for member, cls in given:
            self._give((True, self.number(cls)), np.array([self.number(member)], dtype=np.int64))

    def relation(self, key: Key) -> Relation:
        """The relation of a predicate or class, read when it is first asked for."""
        key = (key[0], self.canonical(key[1]))
        found = self.relations.get(key)
        if found is None:
            found = self.relations[key] = Relation()
            if not key[0] and key[1] != self.type:
                for number in self.equals.get(key[1], [key[1]]):
                    self._read_predicate(key, number)
        return found

    def _read_predicate(self, key: Key, number: int) -> None:
        predicate = self.term(number)
        if isinstance(predicate, NamedNode):
            for store in self._stores:
                rows = self._read(store, predicate)
                if rows.size:
                    self._give(key, rows)

    def _read(self, store: LocalStore, predicate: NamedNode) -> Rows:
        spelling = store.spelled_object if store.respells else None
        return distinct(paired(*self.terms.rows(store.match_stored(None, predicate), spelling, self._limits)))

    def given(self, is_class: bool, number: int) -> Rows:
        """What the stores state of one predicate or class, apart from those that equal it."""
        term, parts = self.term(number), [NO_ROWS]
        for store in self._stores if not isinstance(term, Literal) else ():
            if is_class:
                quads = store.match_stored(None, RDF.type, term)
                parts.append(self.terms.rows(quads, None, self._limits)[0])
            elif isinstance(term, NamedNode):
                parts.append(self._read(store, term))
        return distinct(np.concatenate(parts))

    def _give(self, key: Key, rows: Rows) -> None:
        """Add statements of a store to a relation, to be looked at."""
        relation = self.relations.setdefault(key, Relation())
        relation.given = distinct(np.concatenate((relation.given, rows))) if relation.given.size else rows
        self.add(key, "", _mapped(rows, key[0], self._table()) if self._canonical else rows)

    def add(self, key: Key, rule: str, rows: Rows) -> None:
        """Add pending statements to a relation."""
        relation = self.relations[key]
        relation.pending.append((rule, rows))
        self.changed[key] = None

    def rows(self, key: Key) -> Rows:
        """The known statements of a predicate or members of a class."""
        return self._all_types() if key == (False, self.type) else self.relation(key).rows

    def by_object(self, key: Key) -> Rows:
        """The known statements of a predicate with subject and object exchanged, sorted."""
        if key != (False, self.type):
            return self.relation(key).by_object
        types = self._all_types()
        return np.sort(paired(objects_of(types), subjects_of(types)))

    def _all_types(self) -> Rows:
        """All statements of rdf:type."""
        parts = [
            paired(relation.rows, np.full(relation.rows.size, number, dtype=np.int64))
            for (is_class, number), relation in self.relations.items()
            if is_class
        ]
        return np.sort(np.concatenate(parts)) if parts else NO_ROWS

    # Datatypes

    def is_datatype(self, key: Key) -> bool:
        """Whether it is a datatype: literals are its members by themselves (dt-type2)."""
        return key[0] and key[1] in self._datatypes

    def of_datatype(self, values: Rows, datatype: int) -> Flags:
        """For each term whether it is a literal of a datatype or of a narrower one."""
        unique, inverse = np.unique(values, return_inverse=True)
        answers = [number >= LITERALS and self._has(number, datatype) for number in unique.tolist()]
        return np.array(answers, dtype=np.bool_)[inverse]

    def _has(self, number: int, datatype: int) -> bool:
        found = self._is_wider.get((number, datatype))
        if found is None:
            literal = self.term(number)
            found = isinstance(literal, Literal) and self._datatypes[datatype] in WIDER.get(literal.datatype, ())
            self._is_wider[number, datatype] = found
        return found

    # Equality

    def equate(self, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[Key, Key]]:
        """Make terms one, in all relations.

        Yields the keys of relations that became part of others, and of those.
        """
        gone: list[int] = []
        for one, other in pairs:
            low, high = sorted((self.canonical(one), self.canonical(other)))
            if low == high:
                continue
            members = self.equals.pop(high, [high])
            for member in members:
                self._canonical[member] = low
            self.equals.setdefault(low, [low]).extend(members)
            gone.append(high)
        for number in gone:
            for is_class in (True, False):
                old, new = (is_class, number), (is_class, self.canonical(number))
                if old in self.relations or new in self.relations:
                    self._join(old, new)
                    yield old, new
        table = self._table()
        for key, relation in self.relations.items() if gone else ():
            rows = _mapped(relation.rows, key[0], table)
            moved = rows != relation.rows
            if moved.any():
                relation.replace(relation.rows[~moved])
                self.add(key, "", rows[moved])
            relation.pending = [(rule, _mapped(rows, key[0], table)) for rule, rows in relation.pending]

    def _join(self, old: Key, new: Key) -> None:
        """Let one relation take in that of an equal predicate or class."""
        target = self.relation(new)
        known = self.relations.pop(old, None)
        self.changed.pop(old, None)
        if known is None:
            if not old[0] and old[1] != self.type:
                self._read_predicate(new, old[1])
        else:
            known.take()
            target.given = distinct(np.concatenate((target.given, known.given)))
            target.concluded += known.concluded
            self.add(new, "", known.rows)
        # All statements are looked at again, as rules about either now are about both.
        self.add(new, "", target.rows)
        target.replace(NO_ROWS)

    def _table(self) -> Rows:
        """By the number of each resource the one that stands for it."""
        table = np.arange(self.terms.resources, dtype=np.int64)
        table[list(self._canonical)] = list(self._canonical.values())
        return table

    def read_all_about_equals(self) -> None:
        """Read every predicate with which, or about which, an equal term makes statements."""
        for number in [member for members in self.equals.values() for member in members]:
            self._limits.check("inferring")
            term = self.term(number)
            if not isinstance(term, Literal):
                for store in self._stores:
                    for found in (store.match_stored(term), store.match_stored(None, None, term)):
                        for quad in found:
                            self.relation((False, self.number(quad.predicate)))
            self.relation((False, number))


def _mapped(rows: Rows, is_class: bool, table: Rows) -> Rows:
    """Rows with each resource replaced by the one that stands for it, in the order given."""

    def of(values: Rows) -> Rows:
        mapped = values.copy()
        resources = values < LITERALS
        mapped[resources] = table[values[resources]]
        return mapped

    return of(rows) if is_class else paired(of(subjects_of(rows)), of(objects_of(rows)))
