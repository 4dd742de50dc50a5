"""Counting what a graph uses: instances of classes, triples of predicates.

An instance of several classes must count once for a class above them all, so a class's count is no
sum of its subclasses' counts. Resources are therefore grouped by the set of classes they name:
there are few such sets however many resources there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import GraphName, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Row, Store
from hpc_explorer.stores.profile import Profile, count_predicates


@dataclass(frozen=True)
class Usage:
    """What a graph uses and how often.

    Args:
        type_sets: how many resources have exactly this set of classes as their types, stated or inferred.
        stated_type_sets: the same, of the types that are stated.
        predicates: how many distinct triples each predicate has.
        sets_known: whether `type_sets` are those sets. If not, each holds one class with all that name it: how many
            name at least one of several classes is then known as a lower bound only.
    """

    type_sets: Mapping[frozenset[NamedNode], int]
    stated_type_sets: Mapping[frozenset[NamedNode], int]
    predicates: Mapping[NamedNode, int]
    sets_known: bool = True

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

    def triples_with(self, predicates: Collection[NamedNode]) -> Count:
        """How many triples have one of these predicates."""
        return Count(sum(self.predicates.get(predicate, 0) for predicate in predicates))


def count_usage(store: Store, *, limits: Limits = NO_LIMITS) -> Usage:
    """Count the types and predicates: of a local store in one pass each, of a remote one by asking it to count."""
    predicates = count_predicates(store, limits=limits)
    if store.capabilities.remote:
        counted, sets_known = _type_sets_there(store, limits)
        return Usage(counted, counted, predicates, sets_known)
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


def _type_sets_there(store: Store, limits: Limits) -> tuple[dict[frozenset[NamedNode], int], bool]:
    """The sets with their sizes, and True; where that is too much for the endpoint, class by class, and False."""
    counts: Counter[frozenset[NamedNode]] = Counter()
    rows = store.select(_TYPE_SETS, limits=_sooner(limits))
    try:
        for row in rows:
            names = row["types"].value.split()  # type: ignore[union-attr]  # GROUP_CONCAT gives a literal
            counts[frozenset(map(NamedNode, names))] += _number(row)
        if not rows.limited:
            return dict(counts), True
    except (ServerError, DeadlineExceeded):
        limits.check()
    per_class = store.select("SELECT ?t (COUNT(DISTINCT ?s) AS ?n) WHERE { ?s a ?t } GROUP BY ?t", limits=limits)
    return {frozenset({row["t"]}): _number(row) for row in per_class if isinstance(row["t"], NamedNode)}, False


def graph_sizes_there(store: Store, *, limits: Limits = NO_LIMITS) -> tuple[tuple[GraphName, Count], ...]:
    """The graphs of an endpoint with how many triples each has, as far as it tells."""
    graphs = store.graphs()
    sizes: dict[GraphName, Count] = {}
    if any(isinstance(graph, NamedNode) for graph in graphs):
        counted = "SELECT ?g (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g"
        sizes = {row["g"]: Count(_number(row)) for row in store.select(counted, limits=limits)}  # type: ignore[misc]
    rest = store.size()
    if rest.kind is CountKind.EXACT:
        rest = Count(rest.value - sum(size.value for size in sizes.values()))
    return tuple((graph, sizes.get(graph, rest)) for graph in graphs)


# One row for each set of classes: resources first, with their classes as one text, then those texts.
_TYPE_SETS = (
    'SELECT ?types (COUNT(*) AS ?n) WHERE { SELECT ?s (GROUP_CONCAT(DISTINCT STR(?t); SEPARATOR=" ") AS ?types) '
    "WHERE { ?s a ?t FILTER(isIRI(?t)) } GROUP BY ?s } GROUP BY ?types"
)

# The sets are worth so many seconds of an endpoint's time.
_SECONDS_FOR_SETS = 30.0


def _sooner(limits: Limits) -> Limits:
    own = Limits.seconds(_SECONDS_FOR_SETS, limits.cancel)
    if limits.deadline is None or own.deadline is None:
        return own
    return Limits(min(own.deadline, limits.deadline), limits.cancel)


def _number(row: Row) -> int:
    return int(row["n"].value)  # type: ignore[union-attr]  # COUNT gives a literal
