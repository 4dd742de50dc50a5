"""Counts around a lineage: its next level, nested activities, and links of unknown predicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from hpc_explorer.lineage.trace.trace import Direction, Lineage, Stop, far_end, steps_from
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Store

# Maximum number of resources in a query; servers may reject longer ones.
_MOST_NAMED = 1_000


def next_level(store: Store, lineage: Lineage, vocabulary: LineageVocabulary, *, limits: Limits = NO_LIMITS) -> Count:
    """The number of resources one step beyond the depth of a lineage.

    A remote store counts in one request. Unknown if the query would be too long; a lower bound if there are blank nodes
    at the edge.
    """
    edge = [node.resource for node in lineage.nodes.values() if node.stop is Stop.DEPTH]
    if not edge:
        return Count(0)
    if not store.capabilities.remote:
        steps = steps_from(store, edge, vocabulary, lineage.direction, limits=limits)
        return Count(len({far_end(step, lineage.direction) for step in steps} - lineage.nodes.keys()))
    if len(lineage.nodes) > _MOST_NAMED:
        return Count(0, CountKind.UNKNOWN)
    named = [resource for resource in edge if isinstance(resource, NamedNode)]
    complete = len(named) == len(edge) and not any(isinstance(node, BlankNode) for node in lineage.nodes)
    if not named:
        return Count(0, CountKind.UNKNOWN)
    pattern = beyond(named, lineage.nodes, vocabulary, lineage.direction)
    (row,) = store.select(f"SELECT (COUNT(DISTINCT ?far) AS ?number) WHERE {{ {pattern} }}", limits=limits)
    number = row["number"]
    value = int(number.value) if isinstance(number, Literal) else 0
    return Count(value, CountKind.EXACT if complete else CountKind.AT_LEAST)


def beyond(
    frontier: Iterable[Resource], known: Collection[Resource], vocabulary: LineageVocabulary, direction: Direction
) -> str:
    """The pattern of the resources ?far that are one step from ?near, of the frontier, and are not among the known."""
    upstream = direction is Direction.UPSTREAM
    outward = vocabulary.subject_is_effect if upstream else vocabulary.subject_is_cause
    inward = vocabulary.subject_is_cause if upstream else vocabulary.subject_is_effect
    ways = [*map(str, sorted(outward, key=str)), *(f"^{term}" for term in sorted(inward, key=str))]
    for meaning in vocabulary.qualified:
        ways.append(f"{meaning.outer}/{meaning.inner}" if upstream else f"^{meaning.inner}/^{meaning.outer}")
    named = ", ".join(str(node) for node in known if isinstance(node, NamedNode))
    # A query cannot name blank nodes, so it cannot exclude those that are known.
    kind = "isIRI(?far)" if any(isinstance(node, BlankNode) for node in known) else "!isLiteral(?far)"
    return f"""VALUES ?near {{ {" ".join(map(str, frontier))} }}
  ?near {"|".join(ways)} ?far .
  FILTER ({kind} && ?far NOT IN ({named}))"""


# Maximum number of activities in a query.
_COUNTED_AT_ONCE = 500


def numbers_within(
    store: Store, activities: Collection[Resource], vocabulary: LineageVocabulary, *, limits: Limits = NO_LIMITS
) -> dict[Resource, int]:
    """The number of activities that each one informed, if any.

    Blank nodes are left out, because a query cannot name them.
    """
    informed = vocabulary.of(frozenset({Relation.INFORMED}))
    ways = [f"{{ ?within {term} ?activity }}" for term in sorted(informed.subject_is_effect, key=str)]
    ways += [f"{{ ?activity {term} ?within }}" for term in sorted(informed.subject_is_cause, key=str)]
    named = [activity for activity in activities if isinstance(activity, NamedNode)]
    numbers: dict[Resource, int] = {}
    for begin in range(0, len(named) if ways else 0, _COUNTED_AT_ONCE):
        some = " ".join(map(str, named[begin : begin + _COUNTED_AT_ONCE]))
        query = f"""SELECT ?activity (COUNT(?within) AS ?number) WHERE {{
  VALUES ?activity {{ {some} }} {" UNION ".join(ways)} }} GROUP BY ?activity"""
        for row in store.select(query, limits=limits):
            activity, number = row.get("activity"), row.get("number")
            if isinstance(activity, NamedNode) and isinstance(number, Literal):
                numbers[activity] = int(number.value)
    return numbers


def predicates_not_understood(
    store: Store, lineage: Lineage, vocabulary: LineageVocabulary, *, limits: Limits = NO_LIMITS
) -> Mapping[NamedNode, int]:
    """The predicates between resources of a lineage that are not in the vocabulary, with their number of links."""
    found: Counter[NamedNode] = Counter()
    for quad in store.match_many(subjects=list(lineage.nodes), limits=limits):
        if quad.object in lineage.nodes and quad.object != quad.subject and not vocabulary.knows(quad.predicate):
            found[quad.predicate] += 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0].value)))
