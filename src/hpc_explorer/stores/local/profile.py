"""The profile of a graph: usage counts, computed once and stored (see `void`).

An instance of several classes must count once for a common superclass, so a class's count is not the sum over its
subclasses. Resources are therefore grouped by their set of classes; there are few such sets. All numbers are exact.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import GraphName, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

if TYPE_CHECKING:
    from hpc_explorer.stores.local.local import LocalStore

TypeSet = frozenset[NamedNode]


@dataclass(frozen=True)
class Profile:
    """Usage counts of a graph.

    Args:
        type_sets: how many resources name exactly this set of classes as their types.
        predicates: how many distinct triples each predicate has.
        class_predicates: how many distinct triples with this predicate the instances of each class have.
        datatypes: how many distinct triples with this predicate have a literal of each datatype.
        graphs: how many triples each graph holds.
    """

    type_sets: Mapping[TypeSet, int]
    predicates: Mapping[NamedNode, int]
    class_predicates: Mapping[NamedNode, Mapping[NamedNode, int]]
    datatypes: Mapping[NamedNode, Mapping[NamedNode, int]]
    graphs: Mapping[GraphName, int]

    @property
    def quads(self) -> int:
        """The number of quads in all graphs."""
        return sum(self.graphs.values())

    def predicates_of(self, classes: Collection[NamedNode]) -> frozenset[NamedNode]:
        """The predicates that instances of any of these classes use."""
        return frozenset(term for cls in classes for term in self.class_predicates.get(cls, ()))


def count_profile(store: LocalStore, *, limits: Limits = NO_LIMITS) -> Profile:
    """Count a local store over the merge of its graphs, and each graph separately."""
    types: dict[Resource, set[NamedNode]] = defaultdict(set)
    for quad in store.match(None, RDF.type, None, limits=limits):
        if isinstance(quad.object, NamedNode):
            types[quad.subject].add(quad.object)  # type: ignore[index]  # no quoted subjects
    return Profile(
        dict(Counter(frozenset(classes) for classes in types.values())),
        count_predicates(store, limits=limits),
        _counted_by(store, "SELECT ?k ?p (COUNT(*) AS ?n) WHERE { ?s a ?k ; ?p ?o } GROUP BY ?k ?p", limits),
        _counted_by(
            store,
            "SELECT ?k ?p (COUNT(*) AS ?n) WHERE { ?s ?k ?o FILTER(isLiteral(?o)) } GROUP BY ?k (DATATYPE(?o) AS ?p)",
            limits,
        ),
        {graph: store.graph_size(graph) for graph in store.graphs()},
    )


def count_predicates(store: Store, *, limits: Limits = NO_LIMITS) -> dict[NamedNode, int]:
    """The number of distinct triples of each predicate."""
    rows = store.select("SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p", limits=limits)
    return {row["p"]: int(row["n"].value) for row in rows}  # type: ignore[misc, union-attr]  # IRIs and numbers


def _counted_by(store: Store, query: str, limits: Limits) -> dict[NamedNode, dict[NamedNode, int]]:
    counts: dict[NamedNode, dict[NamedNode, int]] = defaultdict(dict)
    for row in store.select(query, limits=limits):
        key, term = row["k"], row.get("p")
        if isinstance(key, NamedNode) and isinstance(term, NamedNode):
            counts[key][term] = int(row["n"].value)  # type: ignore[union-attr]  # COUNT gives a literal
    return dict(counts)


def profile_of(
    type_sets: Mapping[TypeSet, int],
    with_predicate: Mapping[tuple[TypeSet, NamedNode], int],
    with_datatype: Mapping[tuple[NamedNode, NamedNode], int],
    graphs: Mapping[GraphName, int],
) -> Profile:
    """Compute a profile from triples counted by the types of their subjects."""
    predicates: Counter[NamedNode] = Counter()
    class_predicates: dict[NamedNode, Counter[NamedNode]] = defaultdict(Counter)
    for (types, predicate), number in with_predicate.items():
        predicates[predicate] += number
        for cls in types:
            class_predicates[cls][predicate] += number
    datatypes: dict[NamedNode, Counter[NamedNode]] = defaultdict(Counter)
    for (predicate, datatype), number in with_datatype.items():
        datatypes[predicate][datatype] += number
    return Profile(
        dict(type_sets),
        dict(predicates),
        {cls: dict(counts) for cls, counts in class_predicates.items()},
        {predicate: dict(counts) for predicate, counts in datatypes.items()},
        dict(graphs),
    )
