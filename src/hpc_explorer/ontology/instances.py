"""Counting what a graph uses: instances of classes, triples of predicates.

An instance of several classes must count once for a class above them all, so a class's count is no
sum of its subclasses' counts. Resources are therefore grouped by the set of classes they name:
there are few such sets however many resources there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import GraphName, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits, Store
from hpc_explorer.stores.local.profile import Profile, count_predicates
from hpc_explorer.stores.remote.profile import CountOrigin, profile_endpoint

# Counting graph by graph may take an endpoint so many seconds.
_SECONDS_FOR_GRAPHS = 30.0


@dataclass(frozen=True)
class Usage:
    """What a graph uses and how often.

    Args:
        type_sets: how many resources have exactly this set of classes as their types, stated or inferred.
        stated_type_sets: the same, of the types that are stated.
        predicates: how many distinct triples each predicate has.
        sets_known: whether `type_sets` are those sets. If not, each holds one class with all that name it: how many
            name at least one of several classes is then known as a lower bound only.
        origin: where the numbers come from; those of a graph on this machine are counted.
        note: what is to be said of that; empty if nothing.
        kinds: what is known about the numbers of single classes and predicates, where the origin does not say it.
    """

    type_sets: Mapping[frozenset[NamedNode], int]
    stated_type_sets: Mapping[frozenset[NamedNode], int]
    predicates: Mapping[NamedNode, int]
    sets_known: bool = True
    origin: CountOrigin = CountOrigin.COUNTED
    note: str = ""
    kinds: Mapping[NamedNode, CountKind] = field(default_factory=dict)

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
        """How many resources have at least one of these classes as a type; with `stated`, as one that they name.

        At least so many if sets are not known.
        """
        wanted = frozenset(classes)
        type_sets = self.stated_type_sets if stated else self.type_sets
        fitting = (number for types, number in type_sets.items() if not wanted.isdisjoint(types))
        return sum(fitting) if self.sets_known else max(fitting, default=0)

    def class_count(self, cls: NamedNode, number: int) -> Count:
        """The number of resources that have one class as a type, and what is known about it."""
        return Count(number, self._kind(cls, in_use=number > 0))

    def count_of_several(self, number: int) -> Count:
        """The number of resources that have one of several classes; an instance of two of those must count once."""
        if self.sets_known:
            return Count(number)
        return Count(number, CountKind.AT_LEAST) if number else UNKNOWN_COUNT

    def predicate_count(self, predicate: NamedNode) -> Count:
        """How many triples have this predicate."""
        number = self.predicates.get(predicate, 0)
        return Count(number, self._kind(predicate, in_use=number > 0))

    def triples_with(self, predicates: Collection[NamedNode]) -> Count:
        """How many triples have one of these predicates."""
        counts = [self.predicate_count(predicate) for predicate in predicates if predicate in self.predicates]
        kinds = {count.kind for count in counts}
        kind = CountKind.EXACT if self.origin is CountOrigin.COUNTED else CountKind.AT_LEAST
        return Count(sum(count.value for count in counts), CountKind.STATED if kinds == {CountKind.STATED} else kind)

    def _kind(self, term: NamedNode, *, in_use: bool) -> CountKind:
        if term in self.kinds:
            return self.kinds[term]
        if self.origin is CountOrigin.COUNTED:
            return CountKind.EXACT
        # That a description or sample is silent about a term does not say that it is not used.
        return CountKind.STATED if in_use and self.origin is CountOrigin.STATED else CountKind.UNKNOWN


def count_usage(store: Store, *, limits: Limits = NO_LIMITS) -> Usage:
    """Count the types and predicates: of a local store in one pass each, of a remote one by asking it to count."""
    if store.capabilities.remote:
        found = profile_endpoint(store, limits=limits)
        return Usage(
            found.type_sets, found.type_sets, found.predicates, found.sets_known, found.origin, found.note, found.kinds
        )
    predicates = count_predicates(store, limits=limits)
    types: dict[Resource, set[NamedNode]] = {}
    inferred: dict[Resource, set[NamedNode]] = {}
    for quad in store.match(None, RDF.type, None, limits=limits):
        if isinstance(quad.object, NamedNode):
            of_its_kind = inferred if quad.graph_name == INFERRED else types
            of_its_kind.setdefault(quad.subject, set()).add(quad.object)  # type: ignore[arg-type]  # no quoted subjects
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


def graph_sizes_there(store: Store, *, limits: Limits = NO_LIMITS) -> tuple[tuple[GraphName, Count], ...]:
    """The graphs of an endpoint with how many triples each has, as far as it tells."""
    graphs = store.graphs(limits=limits)
    sizes: dict[GraphName, Count] = {}
    if any(isinstance(graph, NamedNode) for graph in graphs):
        counted = "SELECT ?g (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g"
        try:
            rows = store.select(counted, limits=limits.within(_SECONDS_FOR_GRAPHS))
            sizes = {row["g"]: Count(int(row["n"].value)) for row in rows}  # type: ignore[misc, union-attr]
        except (ServerError, DeadlineExceeded):
            limits.check()
            return tuple((graph, UNKNOWN_COUNT) for graph in graphs)
    rest = store.size(limits=limits)
    if rest.kind is CountKind.EXACT:
        rest = Count(rest.value - sum(size.value for size in sizes.values()))
    return tuple((graph, sizes.get(graph, rest)) for graph in graphs)
