"""Collect the context of resources: their blank-node values, and the names and classes of what they link to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.description import descriptions
from hpc_explorer.wording import counted

_BATCH = 2_000


@dataclass(frozen=True)
class Needs:
    """Resources with their context.

    Args:
        quads: the distinct statements.
        described: the number of complete resources, including the requested ones.
        named: the number of link targets with only name and class.
        unknown: how many of those have neither name nor class.
    """

    quads: tuple[Quad, ...]
    described: int
    named: int
    unknown: int
    depth: int

    @property
    def sentence(self) -> str:
        """A summary: "1 resource in full; 12 that it links to by name and class"."""
        noun = "resource" if self.described == 1 else "resources"
        told = f"{self.described:,} {noun} in full"
        if self.depth:
            told += f", up to {counted(self.depth, 'link')} away"
        if self.named:
            told += f"; {self.named:,} more by name and class"
        if self.unknown:
            told += f"; {self.unknown:,} that the graph says neither of"
        return told


def what_it_needs(store: Store, resources: Iterable[Resource], *, depth: int = 0, limits: Limits = NO_LIMITS) -> Needs:
    """Collect resources in full, those up to `depth` links away too, and names and classes of all link targets.

    Blank nodes and classes do not count as links.
    """
    quads: dict[Quad, None] = {}
    described: dict[Resource, None] = {}
    level = list(dict.fromkeys(resources))
    for _ in range(depth + 1):
        described.update(dict.fromkeys(level))
        linked: dict[Resource, None] = {}
        for start in range(0, len(level), _BATCH):
            for quad in descriptions(store, level[start : start + _BATCH], limits=limits):
                quads[quad] = None
                if isinstance(quad.object, NamedNode) and quad.predicate != RDF.type and quad.object not in described:
                    linked[quad.object] = None
        level = list(linked)
        if not level:
            break
    known: set[object] = set()
    for start in range(0, len(level), _BATCH):
        batch = level[start : start + _BATCH]
        for quad in store.match_many(subjects=batch, predicates=(*LABEL_PREDICATES, RDF.type), limits=limits):
            if isinstance(quad.object, NamedNode) or quad.predicate != RDF.type:
                quads[quad] = None
                known.add(quad.subject)
    return Needs(tuple(quads), len(described), len(known), len(level) - len(known), depth)
