"""Find a shortest chain of links between two resources, in any direction."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

MOST_LINKS = 8
"""Maximum length of a chain."""

MOST_LOOKED_AT = 200_000
"""Maximum number of statements to read: a hub connects everything."""


def shortest_chain(
    session: Session, one: Resource, other: Resource, *, limits: Limits = NO_LIMITS
) -> tuple[Resource, ...] | None:
    """The resources of a shortest chain of links from one resource to another, both ends included.

    Shared classes are not links. The search runs from both ends, one request per level and direction.

    Returns:
        None if there is no chain of `MOST_LINKS` links within `MOST_LOOKED_AT` statements.
    """
    if one == other:
        return (one,)
    # For each end the resources reached from there, each with the one it was reached from.
    reached: tuple[dict[Resource, Resource | None], dict[Resource, Resource | None]] = ({one: None}, {other: None})
    edges: list[list[Resource]] = [[one], [other]]
    looked_at = 0
    for _ in range(MOST_LINKS):
        side = 0 if len(edges[0]) <= len(edges[1]) else 1
        here, there = reached[side], reached[1 - side]
        further: list[Resource] = []
        for near, far in _links(session, edges[side], limits):
            looked_at += 1
            if looked_at > MOST_LOOKED_AT:
                return None
            if far not in here:
                here[far] = near
                further.append(far)
            if far in there:
                back, forth = (tuple(_way(ends, far)) for ends in reached)
                return (*reversed(back), *forth[1:])
        if not further:
            return None
        edges[side] = further
    return None


def _links(session: Session, edge: list[Resource], limits: Limits) -> Iterator[tuple[Resource, Resource]]:
    """The links of these resources, as (resource, other end)."""
    store = session.store
    leaving = store.match_many(subjects=edge, limits=limits)
    coming = store.match_many(objects=edge, limits=limits)
    for near, predicate, far in chain(
        ((quad.subject, quad.predicate, quad.object) for quad in leaving),
        ((quad.object, quad.predicate, quad.subject) for quad in coming),
    ):
        if predicate != RDF.type and is_resource(far):
            yield near, far  # type: ignore[misc]  # what was asked for is a resource


def _way(reached: dict[Resource, Resource | None], end: Resource) -> Iterator[Resource]:
    """The chain from a resource back to the start."""
    at: Resource | None = end
    while at is not None:
        yield at
        at = reached[at]
