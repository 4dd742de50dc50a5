"""Find files that several open sources describe: those with the same checksum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

from hpc_explorer.lineage.facts.content import ALGORITHMS, digest
from hpc_explorer.rdf.terms import GraphName, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.wording import counted

_MOST_CHECKSUMS = 1_000_000
"""The most checksums that are compared."""


def same_content_notes(
    store: Store, sources: Mapping[str, Sequence[GraphName]], *, limits: Limits = NO_LIMITS
) -> dict[str, tuple[str, ...]]:
    """For each source, a sentence for each other source that has a file with the same checksum under another name.

    The resources are not joined: a lineage follows them where the user asks for it, as matched by value.

    Args:
        sources: the graphs of each source, by its name.
    """
    source_of = {graph: name for name, graphs in sources.items() for graph in graphs}
    found: dict[tuple[str, str], dict[str, set[Resource]]] = defaultdict(lambda: defaultdict(set))
    quads = (quad for predicate in ALGORITHMS for quad in store.match(None, predicate, limits=limits))
    for quad in islice(quads, _MOST_CHECKSUMS):
        known, source = digest(quad), source_of.get(quad.graph_name)
        if known is not None and source is not None:
            found[known][source].add(quad.subject)  # type: ignore[arg-type]  # see digest
    shared: dict[tuple[str, str], set[Resource]] = defaultdict(set)
    for by_source in found.values():
        for one, resources in by_source.items():
            for other, others in by_source.items():
                if one != other and resources != others:
                    shared[one, other] |= resources
    notes: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for (one, other), resources in shared.items():
        files = counted(len(resources), "file")
        has = "has" if len(resources) == 1 else "have"
        notes[one] += (f"{files} {has} the same content as in {other} (by checksum); {HOW_TO_FOLLOW}",)
    return dict(notes)


HOW_TO_FOLLOW = "to follow it in a lineage, use --match-content, or View > Join what has the same content"
