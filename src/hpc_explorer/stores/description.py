"""Concise bounded descriptions of resources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hpc_explorer.rdf.terms import BlankNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


def descriptions(store: Store, resources: Iterable[Resource], *, limits: Limits = NO_LIMITS) -> Iterator[Quad]:
    """The statements about these resources and, recursively, about the blank nodes among their values.

    Concise bounded descriptions (CBD, W3C member submission 2005) without reified statements.
    """
    described: set[Resource] = set()
    waiting = list(dict.fromkeys(resources))
    while waiting:
        described.update(waiting)
        following: dict[Resource, None] = {}
        for quad in store.match_many(subjects=waiting, limits=limits):
            yield quad
            if isinstance(quad.object, BlankNode) and quad.object not in described:
                following[quad.object] = None
        waiting = list(following)
