"""Count the next level of a lineage without fetching it."""

from __future__ import annotations

from collections.abc import Iterable

from hpc_explorer.lineage.trace.trace import Direction, Lineage, Stop, far_end, steps_from
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary
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
    (row,) = store.select(_counting(named, lineage, vocabulary), limits=limits)
    number = row["number"]
    value = int(number.value) if isinstance(number, Literal) else 0
    return Count(value, CountKind.EXACT if complete else CountKind.AT_LEAST)


def _counting(edge: Iterable[Resource], lineage: Lineage, vocabulary: LineageVocabulary) -> str:
    upstream = lineage.direction is Direction.UPSTREAM
    outward = vocabulary.subject_is_effect if upstream else vocabulary.subject_is_cause
    inward = vocabulary.subject_is_cause if upstream else vocabulary.subject_is_effect
    ways = [*map(str, sorted(outward, key=str)), *(f"^{term}" for term in sorted(inward, key=str))]
    for meaning in vocabulary.qualified:
        ways.append(f"{meaning.outer}/{meaning.inner}" if upstream else f"^{meaning.inner}/^{meaning.outer}")
    known = ", ".join(str(node) for node in lineage.nodes if isinstance(node, NamedNode))
    # A query cannot name blank nodes, so it cannot exclude those of the lineage.
    kind = "isIRI(?far)" if any(isinstance(node, BlankNode) for node in lineage.nodes) else "!isLiteral(?far)"
    return f"""SELECT (COUNT(DISTINCT ?far) AS ?number) WHERE {{
  VALUES ?near {{ {" ".join(map(str, edge))} }}
  ?near {"|".join(ways)} ?far .
  FILTER ({kind} && ?far NOT IN ({known}))
}}"""
