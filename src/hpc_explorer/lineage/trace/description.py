"""Export a lineage: its evidence and the statements about each of its resources."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from hpc_explorer.lineage.trace.trace import Lineage
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.description import descriptions


def lineage_quads(store: Store, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> Iterator[Quad]:
    """The evidence of each step and the description of each resource, without duplicates."""
    evidence = (quad for edge in lineage.edges for quad in edge.evidence)
    yield from dict.fromkeys(chain(evidence, descriptions(store, lineage.nodes, limits=limits)))
