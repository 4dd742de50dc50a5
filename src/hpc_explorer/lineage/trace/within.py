"""Count nested activities in the store."""

from __future__ import annotations

from collections.abc import Collection

from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

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
