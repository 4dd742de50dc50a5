"""Counts what was inferred, and adds it to the profile of what is stated.

Resources are grouped by their stated and inferred classes, of which there are few combinations; statements are then
counted by group and predicate. Only the stated statements are read from the store; the inferred ones are at hand.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np

from hpc_explorer.ontology.reasoning.closure import Closure
from hpc_explorer.ontology.reasoning.relations import LITERALS, Rows, objects_of, subjects_of
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.profile import Profile, TypeSet

_CHECK_EVERY = 10_000


class Counts:
    """What is stated by subject, to be counted with what was concluded. Make it before conclusions are written.

    Args:
        store: what is stated.
        profile: its counts.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`.
    """

    def __init__(self, store: LocalStore, profile: Profile, closure: Closure, limits: Limits) -> None:
        self._profile = profile
        self._closure = closure
        self._limits = limits
        types: dict[int, list[int]] = defaultdict(list)
        for quad in store.match(None, RDF.type, None, limits=limits):
            if isinstance(quad.object, NamedNode):
                members = types[closure.number(quad.object)]
                members.append(closure.number(quad.subject))  # type: ignore[arg-type]  # no quoted subjects
        self._types = {cls: np.unique(np.array(found, dtype=np.int64)) for cls, found in types.items()}
        subjects, predicates = array("q"), array("q")
        rows = store.select("SELECT ?s ?p WHERE { ?s ?p ?o }", limits=limits)
        for count, row in enumerate(rows):
            if count % _CHECK_EVERY == 0:
                limits.check("inferring")
            subjects.append(closure.number(row["s"]))  # type: ignore[arg-type]  # no quoted subjects
            predicates.append(closure.number(row["p"]))  # type: ignore[arg-type]  # an IRI
        self._subjects = np.frombuffer(subjects, dtype=np.int64)
        self._predicates = np.frombuffer(predicates, dtype=np.int64)

    def grown(self) -> Profile:
        """The profile with the conclusions."""
        number, term = self._closure.number, self._closure.term
        gained: dict[int, list[Rows]] = defaultdict(list)
        predicates: Counter[NamedNode] = Counter(self._profile.predicates)
        datatypes = {one: Counter(counts) for one, counts in self._profile.datatypes.items()}
        total = 0
        for _, predicate, rows in self._closure.conclusions():
            self._limits.check("inferring")
            total += rows.size
            predicates[predicate] += rows.size
            values = objects_of(rows)
            if predicate == RDF.type:
                for cls in np.unique(values).tolist():
                    gained[cls].append(subjects_of(rows[values == cls]))
            literals, times = np.unique(values[values >= LITERALS], return_counts=True)
            for value, count in zip(literals.tolist(), times.tolist(), strict=True):
                if isinstance(literal := term(value), Literal):
                    datatypes.setdefault(predicate, Counter())[literal.datatype] += count
        groups, stated, more = self._groups({cls: np.concatenate(parts) for cls, parts in gained.items()})
        class_predicates = {cls: Counter(counts) for cls, counts in self._profile.class_predicates.items()}

        def add(subjects: Rows, used: Rows, *, is_inferred: bool) -> None:
            pairs, times = np.unique(groups[subjects] << 32 | used, return_counts=True)
            for pair, count in zip(pairs.tolist(), times.tolist(), strict=True):
                group, predicate = pair >> 32, term(pair & 0xFFFFFFFF)
                # What is stated of stated classes is in the profile.
                for cls in stated[group] | more[group] if is_inferred else more[group]:
                    class_predicates.setdefault(cls, Counter())[predicate] += count  # type: ignore[index]

        add(self._subjects, self._predicates, is_inferred=False)
        for _, predicate, rows in self._closure.conclusions():
            add(subjects_of(rows), np.full(rows.size, number(predicate), dtype=np.int64), is_inferred=True)
        type_sets: Counter[TypeSet] = Counter()
        for group, count in enumerate(np.bincount(groups, minlength=len(stated)).tolist()):
            if count and (classes := stated[group] | more[group]):
                type_sets[classes] += count
        graphs = {**self._profile.graphs}
        if total:
            graphs[INFERRED] = total
        return Profile(dict(type_sets), dict(predicates), _plain(class_predicates), _plain(datatypes), graphs)

    def _groups(self, gained: Mapping[int, Rows]) -> tuple[Rows, list[TypeSet], list[TypeSet]]:
        """The group of each resource, and the stated and the inferred classes of each group."""
        groups = np.zeros(self._closure.resources, dtype=np.int64)
        stated: list[TypeSet] = [frozenset()]
        more: list[TypeSet] = [frozenset()]
        for classes, is_inferred in ((self._types, False), (gained, True)):
            for cls, members in classes.items():
                name = self._closure.term(cls)
                if not isinstance(name, NamedNode):
                    continue
                before, places = np.unique(groups[members], return_inverse=True)
                groups[members] = places + len(stated)
                for group in before.tolist():
                    stated.append(stated[group] if is_inferred else stated[group] | {name})
                    more.append(more[group] | {name} if is_inferred else more[group])
        return groups, stated, more


def _plain(counts: Mapping[NamedNode, Mapping[NamedNode, int]]) -> dict[NamedNode, dict[NamedNode, int]]:
    return {key: dict(numbers) for key, numbers in counts.items() if numbers}
