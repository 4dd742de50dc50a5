"""Counting what a graph uses: instances of classes, triples of predicates.

An instance of several classes must count once for a class above them all, so a class's count is no
sum of its subclasses' counts. Resources are therefore grouped by the set of classes they name:
there are few such sets however many resources there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.profile import Profile, count_predicates


@dataclass(frozen=True)
class Usage:
    """What a graph uses and how often; all numbers are exact.

    Args:
        type_sets: how many resources name exactly this set of classes as their types.
        predicates: how many distinct triples each predicate has.
    """

    type_sets: Mapping[frozenset[NamedNode], int]
    predicates: Mapping[NamedNode, int]

    def classes(self) -> Counter[NamedNode]:
        """How many resources name each class as a type."""
        counts: Counter[NamedNode] = Counter()
        for types, number in self.type_sets.items():
            for cls in types:
                counts[cls] += number
        return counts

    def instances_of_any(self, classes: Collection[NamedNode]) -> int:
        """How many resources name at least one of these classes as a type."""
        wanted = frozenset(classes)
        return sum(number for types, number in self.type_sets.items() if not wanted.isdisjoint(types))


def count_usage(store: Store, *, limits: Limits = NO_LIMITS) -> Usage:
    """Count the types and predicates of a local store, in one pass each."""
    types: dict[Resource, set[NamedNode]] = {}
    for quad in store.match(None, RDF.type, None, limits=limits):
        if isinstance(quad.object, NamedNode):
            types.setdefault(quad.subject, set()).add(quad.object)  # type: ignore[arg-type]  # no quoted subjects
    return Usage(
        dict(Counter(frozenset(classes) for classes in types.values())), count_predicates(store, limits=limits)
    )


def profiled_usage(profile: Profile) -> Usage:
    """The same from what was counted before."""
    return Usage(profile.type_sets, profile.predicates)
