"""Find links between resources of a lineage whose predicate is not in the vocabulary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hpc_explorer.lineage.trace.trace import Lineage
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


def predicates_not_understood(
    store: Store, lineage: Lineage, vocabulary: LineageVocabulary, *, limits: Limits = NO_LIMITS
) -> Mapping[NamedNode, int]:
    """The predicates between resources of a lineage that are not in the vocabulary, with their number of links."""
    found: Counter[NamedNode] = Counter()
    for quad in store.match_many(subjects=list(lineage.nodes), limits=limits):
        if quad.object in lineage.nodes and quad.object != quad.subject and not vocabulary.knows(quad.predicate):
            found[quad.predicate] += 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0].value)))
