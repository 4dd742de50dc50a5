"""Trace lineage: upstream to what a resource was derived from, or downstream to what was derived from it.

The search is breadth first, with one batched request per level and direction of predicate, so the number of requests
to a remote store depends on the depth, not on the number of nodes. Each resource is visited once, so cycles end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Protocol

from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Meaning, Relation, SubjectIs
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


class Direction(Enum):
    """The direction of a trace."""

    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"


class Stop(Enum):
    """Why a trace ends at a resource."""

    NOTHING_BEFORE = "nothing recorded before"
    NOTHING_AFTER = "nothing recorded after"
    DEPTH = "more beyond these steps"
    NOT_YET = "did not exist yet at that moment"
    NOT_RECORDED = "nothing about it was recorded by then"


class Presence(Protocol):
    """Restricts a trace to a moment, see `as_of.Moment`."""

    def there(self, resources: Iterable[Resource], *, limits: Limits = NO_LIMITS) -> set[Resource]:
        """The resources that existed, or for which nothing shows that they did not."""
        ...


class Content(Protocol):
    """Finds resources with the same content, see `content.SameContent`."""

    def of(
        self, resources: Collection[Resource], *, limits: Limits = NO_LIMITS
    ) -> Mapping[tuple[Resource, Resource], list[Quad]]:
        """Pairs of one of the resources and another one with its content, with the statements that show it."""
        ...


class Page(Protocol):
    """Ends a trace where no more is shown, see `paging.ServerPage`."""

    def next(
        self, reached: Collection[Resource], frontier: Collection[Resource], *, limits: Limits = NO_LIMITS
    ) -> tuple[Store, frozenset[Resource] | None]:
        """The store to ask for the steps from the frontier; and if they end the trace, where there are more."""
        ...


@dataclass(frozen=True)
class LineageEdge:
    """One step of a lineage.

    Args:
        effect: what came later.
        cause: what it came from.
        relation: how they are connected.
        predicate: the predicate of the first statement in `evidence`.
        origin: asserted in a source, inferred by a rule, or matched by value.
        evidence: the statements behind the step, with their graphs; two for a qualified relation; for a match by value
            those with the value of each end.
    """

    effect: Resource
    cause: Resource
    relation: Relation
    predicate: NamedNode
    origin: Origin
    evidence: tuple[Quad, ...]


@dataclass(frozen=True)
class LineageNode:
    """A resource in a lineage.

    Args:
        depth: the number of steps from the start on the shortest path.
        is_context: whether only people, software, machine or plan relations lead to it.
        stop: why the trace ends here; None if it continues.
    """

    resource: Resource
    depth: int
    is_context: bool
    stop: Stop | None


@dataclass(frozen=True)
class Lineage:
    """The result of a trace.

    Args:
        start: where it began.
        nodes: every resource reached, the start first, then level by level.
        edges: every step between them.
        complete: False if the maximum depth or the page cut something off.
    """

    start: Resource
    direction: Direction
    nodes: Mapping[Resource, LineageNode]
    edges: tuple[LineageEdge, ...]
    complete: bool

    def next_of(self, resource: Resource) -> tuple[LineageEdge, ...]:
        """The edges that lead from a resource away from the start."""
        return self._leading_on.get(resource, ())

    @cached_property
    def _leading_on(self) -> Mapping[Resource, tuple[LineageEdge, ...]]:
        found: dict[Resource, list[LineageEdge]] = defaultdict(list)
        for edge in self.edges:
            found[edge.effect if self.direction is Direction.UPSTREAM else edge.cause].append(edge)
        return {resource: tuple(edges) for resource, edges in found.items()}

    def ends(self) -> tuple[LineageNode, ...]:
        """The resources where the trace ends because nothing more is recorded, without people and machines."""
        return tuple(
            node
            for node in self.nodes.values()
            if node.stop in (Stop.NOTHING_BEFORE, Stop.NOTHING_AFTER) and not node.is_context and node.depth > 0
        )


def along(start: Resource, steps: Iterable[LineageEdge]) -> Lineage:
    """The lineage of a chain of steps that leads from `start` back to a cause."""
    edges = tuple(steps)
    ends = [start, *(edge.cause for edge in edges)]
    nodes = {one: LineageNode(one, depth, is_context=False, stop=None) for depth, one in enumerate(ends)}
    return Lineage(start, Direction.UPSTREAM, nodes, edges, complete=True)


def trace(
    store: Store,
    start: Resource,
    vocabulary: LineageVocabulary,
    *,
    direction: Direction = Direction.UPSTREAM,
    depth: int | None = None,
    inferred_graphs: frozenset[NamedNode] = frozenset(),
    presence: Presence | None = None,
    content: Content | None = None,
    page: Page | None = None,
    limits: Limits = NO_LIMITS,
) -> Lineage:
    """Trace the lineage of a resource.

    Args:
        vocabulary: the predicates to follow, see `vocabulary.LINEAGE_VOCABULARY`.
        depth: the maximum number of steps; None: no limit.
        inferred_graphs: the graphs of inferred statements.
        presence: restricts the trace to a moment; None takes everything.
        content: joins resources with the same content; None joins none.
        page: ends the trace where no more is shown; None traces everything within the depth.
    """
    if presence is not None and start not in presence.there((start,), limits=limits):
        return Lineage(start, direction, {start: LineageNode(start, 0, False, Stop.NOT_YET)}, (), True)
    depths: dict[Resource, int] = {start: 0}
    edges: dict[tuple[Resource, Resource, Relation], list[Quad]] = {}
    frontier = [start]
    cut_off: frozenset[Resource] = frozenset()
    joined = _Joined()
    while frontier:
        limits.check("the trace")
        level = depths[frontier[0]] + 1
        asked, ends = (store, None) if page is None else page.next(depths, frontier, limits=limits)
        if ends is not None:
            depth = level - 1
        found = steps_from(asked, frontier, vocabulary, direction, limits=limits)
        if content is not None:
            found.update(same_content_steps(content, frontier, direction, limits=limits))
        if presence is not None:
            beyond = presence.there((far_end(key, direction) for key in found), limits=limits)
            found = {key: quads for key, quads in found.items() if far_end(key, direction) in beyond}
        if content is not None:
            found = joined.without_repeats(found, edges)
        if depth is not None and level > depth:
            cut_off = (
                ends
                if ends is not None
                else frozenset(
                    near
                    for (effect, cause, _) in found
                    for near, far in [_near_far(effect, cause, direction)]
                    if far not in depths
                )
            )
            # Steps between resources within the depth still belong to the lineage.
            found = {key: quads for key, quads in found.items() if key[0] in depths and key[1] in depths}
        following: list[Resource] = []
        for (effect, cause, relation), quads in found.items():
            edges.setdefault((effect, cause, relation), []).extend(quads)
            _, far = _near_far(effect, cause, direction)
            if far not in depths:
                depths[far] = level
                following.append(far)
        if depth is not None and level > depth:
            break
        frontier = following

    built = tuple(edge_of(key, quads, inferred_graphs) for key, quads in edges.items())
    return Lineage(start, direction, _nodes(start, depths, built, cut_off, direction), built, not cut_off)


StepKey = tuple[Resource, Resource, Relation]
"""Effect, cause and relation of a step."""


def _near_far(effect: Resource, cause: Resource, direction: Direction) -> tuple[Resource, Resource]:
    return (effect, cause) if direction is Direction.UPSTREAM else (cause, effect)


def far_end(step: StepKey, direction: Direction) -> Resource:
    """The end of a step that is farther from the start."""
    return step[1] if direction is Direction.UPSTREAM else step[0]


class _Joined:
    """Joins copies of the same content as a tree instead of as all pairs."""

    def __init__(self) -> None:
        self._leads_to: dict[Resource, Resource] = {}

    def without_repeats(
        self, found: Mapping[StepKey, list[Quad]], edges: Collection[StepKey]
    ) -> dict[StepKey, list[Quad]]:
        """The steps without content matches between resources that are joined already."""
        stated = {key[:2] for keys in (edges, found) for key in keys if key[2] is not Relation.SAME_CONTENT}
        kept: dict[StepKey, list[Quad]] = {}
        for key, quads in found.items():
            effect, cause, relation = key
            if relation is Relation.SAME_CONTENT:
                one, other = self._first(effect), self._first(cause)
                if one == other or (effect, cause) in stated or (cause, effect) in stated:
                    continue
                self._leads_to[other] = one
            kept[key] = quads
        return kept

    def _first(self, resource: Resource) -> Resource:
        while (before := self._leads_to.get(resource, resource)) != resource:
            resource = before
        return resource


def same_content_steps(
    content: Content, frontier: Collection[Resource], direction: Direction, *, limits: Limits = NO_LIMITS
) -> dict[StepKey, list[Quad]]:
    """The steps from the frontier to resources with the same content, in the direction of the trace."""
    found: dict[StepKey, list[Quad]] = {}
    for (near, far), quads in content.of(frontier, limits=limits).items():
        effect, cause = (near, far) if direction is Direction.UPSTREAM else (far, near)
        found[effect, cause, Relation.SAME_CONTENT] = quads
    return found


def steps_from(
    store: Store,
    frontier: Collection[Resource],
    vocabulary: LineageVocabulary,
    direction: Direction,
    *,
    limits: Limits = NO_LIMITS,
) -> dict[StepKey, list[Quad]]:
    """All steps from the frontier, as (effect, cause, relation), with their statements.

    Makes two batched requests, one more if statements are qualified, and one for the classes of possible plans.
    """
    upstream = direction is Direction.UPSTREAM
    found: dict[StepKey, list[Quad]] = defaultdict(list)
    outward = vocabulary.subject_is_effect if upstream else vocabulary.subject_is_cause
    inward = vocabulary.subject_is_cause if upstream else vocabulary.subject_is_effect
    # One request in each direction; it also finds the first half of qualified statements.
    outwards = outward | (vocabulary.outer if upstream else frozenset())
    inwards = inward | (frozenset() if upstream else vocabulary.inner)
    along = store.match_many(subjects=frontier, predicates=outwards, limits=limits) if outwards else ()
    against = store.match_many(objects=frontier, predicates=inwards, limits=limits) if inwards else ()
    first_halves: list[Quad] = []
    for quad in along:
        if quad.predicate in outward:
            _note(found, quad, vocabulary.direct[quad.predicate])
        else:
            first_halves.append(quad)
    for quad in against:
        if quad.predicate in inward:
            _note(found, quad, vocabulary.direct[quad.predicate])
        else:
            first_halves.append(quad)
    if first_halves:
        _note_qualified(found, store, first_halves, vocabulary, upstream, limits)
    return _without_restatements(_with_plans(found, store, vocabulary, limits))


_MAY_LEAD_TO_A_PLAN = (Relation.DERIVED, Relation.INFLUENCED)


def _with_plans(
    found: dict[StepKey, list[Quad]], store: Store, vocabulary: LineageVocabulary, limits: Limits
) -> dict[StepKey, list[Quad]]:
    """Turn steps whose cause is a plan by its class into "followed" steps."""
    causes = {cause for _, cause, relation in found if relation in _MAY_LEAD_TO_A_PLAN}
    plans = {
        quad.subject
        for quad in store.match_many(subjects=causes, predicates=(RDF.type,), limits=limits)
        if quad.object in vocabulary.plans
    }
    merged: dict[StepKey, list[Quad]] = {}
    for (effect, cause, relation), quads in found.items():
        if cause in plans and relation in _MAY_LEAD_TO_A_PLAN:
            relation = Relation.PLANNED
        merged.setdefault((effect, cause, relation), []).extend(quads)
    return merged


def _without_restatements(found: dict[StepKey, list[Quad]]) -> dict[StepKey, list[Quad]]:
    """Merge bare influence between two resources into the precise relation between them."""
    precise = {(effect, cause): relation for effect, cause, relation in found if relation is not Relation.INFLUENCED}
    merged: dict[StepKey, list[Quad]] = {}
    for (effect, cause, relation), quads in sorted(found.items(), key=lambda item: item[0][2] is Relation.INFLUENCED):
        if relation is Relation.INFLUENCED:
            relation = precise.get((effect, cause), relation)
        merged.setdefault((effect, cause, relation), []).extend(quads)
    return merged


def _note(found: dict[StepKey, list[Quad]], quad: Quad, meaning: Meaning) -> None:
    subject, value = quad.subject, quad.object
    if not isinstance(subject, (NamedNode, BlankNode)) or not isinstance(value, (NamedNode, BlankNode)):
        return
    effect, cause = (subject, value) if meaning.subject_is is SubjectIs.EFFECT else (value, subject)
    if effect != cause:
        found[effect, cause, meaning.relation].append(quad)


def _note_qualified(
    found: dict[StepKey, list[Quad]],
    store: Store,
    first_halves: list[Quad],
    vocabulary: LineageVocabulary,
    upstream: bool,
    limits: Limits,
) -> None:
    """Complete `effect --outer--> node --inner--> cause` where one half is known."""
    known: dict[Resource, list[Quad]] = defaultdict(list)
    for quad in first_halves:
        node = quad.object if upstream else quad.subject
        if isinstance(node, (NamedNode, BlankNode)):
            known[node].append(quad)
    if upstream:
        second_halves = store.match_many(subjects=known.keys(), predicates=vocabulary.inner, limits=limits)
    else:
        second_halves = store.match_many(objects=known.keys(), predicates=vocabulary.outer, limits=limits)
    relations = {(meaning.outer, meaning.inner): meaning.relation for meaning in vocabulary.qualified}
    for second in second_halves:
        node = second.subject if upstream else second.object
        for first in known[node]:  # type: ignore[index]  # only resources were asked for
            outer, inner = (first, second) if upstream else (second, first)
            relation = relations.get((outer.predicate, inner.predicate))
            effect, cause = outer.subject, inner.object
            if (
                relation is not None
                and isinstance(effect, (NamedNode, BlankNode))
                and isinstance(cause, (NamedNode, BlankNode))
                and effect != cause
            ):
                found[effect, cause, relation].extend((outer, inner))


def edge_of(key: StepKey, quads: Iterable[Quad], inferred_graphs: frozenset[NamedNode]) -> LineageEdge:
    """A step and its statements as an edge with its origin."""
    effect, cause, relation = key
    # Stated evidence comes first and determines the predicate.
    evidence = tuple(sorted(dict.fromkeys(quads), key=lambda quad: quad.graph_name in inferred_graphs))
    origin = Origin.INFERRED if evidence[0].graph_name in inferred_graphs else Origin.ASSERTED
    if relation is Relation.SAME_CONTENT:
        origin = Origin.MATCHED
    return LineageEdge(
        effect=effect,
        cause=cause,
        relation=relation,
        predicate=evidence[0].predicate,
        origin=origin,
        evidence=evidence,
    )


def _nodes(
    start: Resource,
    depths: Mapping[Resource, int],
    edges: tuple[LineageEdge, ...],
    cut_off: frozenset[Resource],
    direction: Direction,
) -> dict[Resource, LineageNode]:
    goes_on: set[Resource] = set()
    of_substance: set[Resource] = {start}
    for edge in edges:
        near, far = _near_far(edge.effect, edge.cause, direction)
        # Upstream, people, machines and plans are context; they do not continue the data's trail.
        if not edge.relation.is_context or direction is Direction.DOWNSTREAM:
            goes_on.add(near)
            of_substance.add(far)
    nothing = Stop.NOTHING_BEFORE if direction is Direction.UPSTREAM else Stop.NOTHING_AFTER
    return {
        resource: LineageNode(
            resource=resource,
            depth=depth,
            is_context=resource not in of_substance,
            stop=Stop.DEPTH if resource in cut_off else None if resource in goes_on else nothing,
        )
        for resource, depth in depths.items()
    }
