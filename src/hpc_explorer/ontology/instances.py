"""Count instances of classes and triples of predicates.

An instance of several classes counts once for their common superclass, so counts of subclasses cannot be added up.
Resources are therefore grouped by their set of classes; there are few such sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import GraphName, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, CountOrigin, Limits, Store
from hpc_explorer.stores.local.profile import Profile, count_predicates

# An endpoint may take this many seconds to count graph by graph.
_SECONDS_FOR_GRAPHS = 30.0


@dataclass(frozen=True)
class Usage:
    """The classes and predicates in use with their counts.

    Args:
        type_sets: the number of resources by their exact set of types, stated or inferred.
        stated_type_sets: the same for stated types only.
        predicates: the number of distinct triples of each predicate.
        sets_known: whether `type_sets` has those sets; else it has single classes, and counts over several
            classes are lower bounds.
        origin: how the numbers were obtained.
        note: a remark about that; may be empty.
        kinds: the kinds of counts of single terms that differ from the origin's.
    """

    type_sets: Mapping[frozenset[NamedNode], int]
    stated_type_sets: Mapping[frozenset[NamedNode], int]
    predicates: Mapping[NamedNode, int]
    sets_known: bool = True
    origin: CountOrigin = CountOrigin.COUNTED
    note: str = ""
    kinds: Mapping[NamedNode, CountKind] = field(default_factory=dict)

    def classes(self) -> Counter[NamedNode]:
        """The number of instances of each class, stated or inferred."""
        return self._by_class(self.type_sets)

    def stated_classes(self) -> Counter[NamedNode]:
        """The number of stated instances of each class."""
        return self._by_class(self.stated_type_sets)

    @staticmethod
    def _by_class(type_sets: Mapping[frozenset[NamedNode], int]) -> Counter[NamedNode]:
        counts: Counter[NamedNode] = Counter()
        for types, number in type_sets.items():
            for cls in types:
                counts[cls] += number
        return counts

    def instances_of_any(self, classes: Collection[NamedNode], *, stated: bool = False) -> int:
        """The number of instances of at least one of these classes, optionally stated ones only.

        A lower bound if the sets are unknown.
        """
        wanted = frozenset(classes)
        type_sets = self.stated_type_sets if stated else self.type_sets
        fitting = (number for types, number in type_sets.items() if not wanted.isdisjoint(types))
        return sum(fitting) if self.sets_known else max(fitting, default=0)

    def class_count(self, cls: NamedNode, number: int) -> Count:
        """A number of instances of one class as a count."""
        return Count(number, self._kind(cls, in_use=number > 0))

    def count_of_several(self, number: int) -> Count:
        """A number of instances of several classes as a count; an instance of two of them counts once."""
        if self.sets_known:
            return Count(number)
        return Count(number, CountKind.AT_LEAST) if number else UNKNOWN_COUNT

    def predicate_count(self, predicate: NamedNode) -> Count:
        """The number of triples with this predicate."""
        number = self.predicates.get(predicate, 0)
        return Count(number, self._kind(predicate, in_use=number > 0))

    def triples_with(self, predicates: Collection[NamedNode]) -> Count:
        """The number of triples with one of these predicates."""
        counts = [self.predicate_count(predicate) for predicate in predicates if predicate in self.predicates]
        kinds = {count.kind for count in counts}
        kind = CountKind.EXACT if self.origin is CountOrigin.COUNTED else CountKind.AT_LEAST
        return Count(sum(count.value for count in counts), CountKind.STATED if kinds == {CountKind.STATED} else kind)

    def _kind(self, term: NamedNode, *, in_use: bool) -> CountKind:
        if term in self.kinds:
            return self.kinds[term]
        if self.origin is CountOrigin.COUNTED:
            return CountKind.EXACT
        # A description or sample without a term does not show that the term is unused.
        return CountKind.STATED if in_use and self.origin is CountOrigin.STATED else CountKind.UNKNOWN


def count_usage(store: Store, *, limits: Limits = NO_LIMITS) -> Usage:
    """Count types and predicates: one pass each over a local store, count queries to a remote one."""
    if store.capabilities.remote:
        from hpc_explorer.stores.remote.profile import profile_endpoint

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
    """The usage from an endpoint's profile, without inferred triples."""
    return Usage(profile.type_sets, profile.type_sets, profile.predicates)


def _sets(types: Iterable[set[NamedNode]]) -> dict[frozenset[NamedNode], int]:
    return dict(Counter(frozenset(classes) for classes in types))


def graph_sizes_there(store: Store, *, limits: Limits = NO_LIMITS) -> tuple[tuple[GraphName, Count], ...]:
    """The graphs of an endpoint with their numbers of triples, as far as known."""
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
