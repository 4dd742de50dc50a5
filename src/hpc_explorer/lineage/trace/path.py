"""The shortest chain of lineage steps between two resources."""

from __future__ import annotations

from collections import defaultdict, deque

from hpc_explorer.lineage.trace.trace import Content, Direction, Lineage, LineageEdge, Presence, trace
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


def derivation_path(
    store: Store,
    effect: Resource,
    cause: Resource,
    vocabulary: LineageVocabulary,
    *,
    inferred_graphs: frozenset[NamedNode] = frozenset(),
    presence: Presence | None = None,
    content: Content | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[LineageEdge, ...] | None:
    """A shortest chain from `effect` back to `cause`, with as few context relations as possible.

    Args:
        inferred_graphs: the graphs of inferred statements.
        presence: restricts the trace to a moment; None takes everything.
        content: joins resources with the same content; None joins none.

    Returns:
        The steps, the one at `effect` first; empty if both are the same; None if there is no chain.
    """
    if effect == cause:
        return ()
    lineage = trace(
        store,
        effect,
        vocabulary,
        direction=Direction.UPSTREAM,
        inferred_graphs=inferred_graphs,
        presence=presence,
        content=content,
        limits=limits,
    )
    return path_within(lineage, cause)


def path_within(lineage: Lineage, target: Resource) -> tuple[LineageEdge, ...] | None:
    """A shortest chain from the start of a lineage to `target`; None if the lineage does not contain it.

    A chain of data and activities is preferred to one through people, machines or plans, even if it is longer.
    """
    if target not in lineage.nodes:
        return None
    for context_allowed in (False, True):
        steps = _breadth_first(lineage, target, context_allowed)
        if steps is not None:
            return steps
    return None


def _breadth_first(lineage: Lineage, target: Resource, context_allowed: bool) -> tuple[LineageEdge, ...] | None:
    leading_on: dict[Resource, list[LineageEdge]] = defaultdict(list)
    upstream = lineage.direction is Direction.UPSTREAM
    for edge in lineage.edges:
        if context_allowed or not edge.relation.is_context:
            leading_on[edge.effect if upstream else edge.cause].append(edge)
    came_by: dict[Resource, LineageEdge | None] = {lineage.start: None}
    waiting = deque([lineage.start])
    while waiting:
        here = waiting.popleft()
        if here == target:
            return _steps_back(came_by, target, upstream)
        for edge in leading_on[here]:
            far = edge.cause if upstream else edge.effect
            if far not in came_by:
                came_by[far] = edge
                waiting.append(far)
    return None


def _steps_back(
    came_by: dict[Resource, LineageEdge | None], target: Resource, upstream: bool
) -> tuple[LineageEdge, ...]:
    steps: list[LineageEdge] = []
    edge = came_by[target]
    while edge is not None:
        steps.append(edge)
        edge = came_by[edge.effect if upstream else edge.cause]
    return tuple(reversed(steps))
