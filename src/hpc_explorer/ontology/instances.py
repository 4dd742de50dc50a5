"""Counting what a graph uses: instances of classes, triples of predicates.

An instance of several classes must count once for a class above them all, so a class's count is no
sum of its subclasses' counts. Resources are therefore grouped by the set of classes they name:
there are few such sets however many resources there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.profile import Profile, count_predicates


@dataclass(frozen=True)
class Usage:
    """What a graph uses and how often; all numbers are exact.

    Args:
        type_sets: how many resources have exactly this set of classes as their types, stated or inferred.
        stated_type_sets: the same, of the types that are stated.
        predicates: how many distinct triples each predicate has.
    """

    type_sets: Mapping[frozenset[NamedNode], int]
    stated_type_sets: Mapping[frozenset[NamedNode], int]
    predicates: Mapping[NamedNode, int]

    def classes(self) -> Counter[NamedNode]:
        """How many resources have each class as a type, stated or inferred."""
        return self._by_class(self.type_sets)

    def stated_classes(self) -> Counter[NamedNode]:
        """How many resources name each class as a type."""
        return self._by_class(self.stated_type_sets)

    @staticmethod
    def _by_class(type_sets: Mapping[frozenset[NamedNode], int]) -> Counter[NamedNode]:
        counts: Counter[NamedNode] = Counter()
        for types, number in type_sets.items():
            for cls in types:
                counts[cls] += number
        return counts

    def instances_of_any(self, classes: Collection[NamedNode], *, stated: bool = False) -> int:
        """How many resources have at least one of these classes as a type; with `stated`, as one that they name."""
        wanted = frozenset(classes)
        type_sets = self.stated_type_sets if stated else self.type_sets
        return sum(number for types, number in type_sets.items() if not wanted.isdisjoint(types))


def count_usage(store: Store, *, limits: Limits = NO_LIMITS) -> Usage:
    """Count the types and predicates of a local store, in one pass each."""
    types: dict[Resource, set[NamedNode]] = {}
    inferred: dict[Resource, set[NamedNode]] = {}
    for quad in store.match(None, RDF.type, None, limits=limits):
        if isinstance(quad.object, NamedNode):
            of_its_kind = inferred if quad.graph_name == INFERRED else types
            of_its_kind.setdefault(quad.subject, set()).add(quad.object)  # type: ignore[arg-type]  # no quoted subjects
    predicates = count_predicates(store, limits=limits)
    stated = _sets(types.values())
    if not inferred:
        return Usage(stated, stated, predicates)
    everything = (types.get(one, set()) | inferred.get(one, set()) for one in types.keys() | inferred.keys())
    return Usage(_sets(everything), stated, predicates)


def profiled_usage(profile: Profile) -> Usage:
    """The same from what was counted before, of a graph without anything inferred."""
    return Usage(profile.type_sets, profile.type_sets, profile.predicates)


def _sets(types: Iterable[set[NamedNode]]) -> dict[frozenset[NamedNode], int]:
    return dict(Counter(frozenset(classes) for classes in types))
