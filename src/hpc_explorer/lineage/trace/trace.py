"""Tracing: from a thing back to all it came from, or forward to all that came of it.

Breadth first and level by level, with one batched request a level and direction of predicate, so
that a remote store is asked as often as the lineage is deep and not once for each node. A resource
is visited once, however many ways lead to it; cycles end there.
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
    """Which way a trace goes."""

    UPSTREAM = "upstream"
    DOWNSTREAM = "downstream"


class Stop(Enum):
    """Why a trace goes no further at a resource."""

    NOTHING_BEFORE = "nothing recorded before"
    NOTHING_AFTER = "nothing recorded after"
    DEPTH = "more beyond the chosen depth"
    NOT_YET = "not there yet at that moment"
    NOT_RECORDED = "nothing of it was recorded by then"


class Presence(Protocol):
    """What was there at a moment, see `as_of.Moment`."""

    def there(self, resources: Iterable[Resource], *, limits: Limits = NO_LIMITS) -> set[Resource]:
        """Those of the resources that were there, or of which nothing says that they were not."""
        ...


class Content(Protocol):
    """What has the same content, see `content.SameContent`."""

    def of(
        self, resources: Collection[Resource], *, limits: Limits = NO_LIMITS
    ) -> Mapping[tuple[Resource, Resource], list[Quad]]:
        """Pairs of one of the resources and another thing with its content, with the statements that say so."""
        ...


@dataclass(frozen=True)
class LineageEdge:
    """One step of a lineage.

    Args:
        effect: what came later.
        cause: what it came from.
        relation: how they are connected.
        predicate: the predicate of the first statement in `evidence` that says so.
        origin: asserted in a source, inferred by a rule, or matched by value.
        evidence: the statements that say so, each with its graph; two for a qualified one, and for one matched by
            value those that tell the value of both.
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
        depth: how many steps it is from the start, by the shortest way.
        is_context: whether only people, software, machine or plan relations lead to it.
        stop: why the trace ends here; None where it goes on.
    """

    resource: Resource
    depth: int
    is_context: bool
    stop: Stop | None


@dataclass(frozen=True)
class Lineage:
    """What a trace found.

    Args:
        start: where it began.
        nodes: every resource reached, the start first, then level by level.
        edges: every step between them.
        complete: whether nothing lies beyond: False if the depth cut something off.
    """

    start: Resource
    direction: Direction
    nodes: Mapping[Resource, LineageNode]
    edges: tuple[LineageEdge, ...]
    complete: bool

    def next_of(self, resource: Resource) -> tuple[LineageEdge, ...]:
        """The edges that lead on from a resource, away from the start."""
        return self._leading_on.get(resource, ())

    @cached_property
    def _leading_on(self) -> Mapping[Resource, tuple[LineageEdge, ...]]:
        found: dict[Resource, list[LineageEdge]] = defaultdict(list)
        for edge in self.edges:
            found[edge.effect if self.direction is Direction.UPSTREAM else edge.cause].append(edge)
        return {resource: tuple(edges) for resource, edges in found.items()}

    def ends(self) -> tuple[LineageNode, ...]:
        """Where the trail ends: what nothing was recorded before (or after), people and machines aside."""
        return tuple(
            node
            for node in self.nodes.values()
            if node.stop in (Stop.NOTHING_BEFORE, Stop.NOTHING_AFTER) and not node.is_context and node.depth > 0
        )


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
    limits: Limits = NO_LIMITS,
) -> Lineage:
    """Trace a resource's lineage.

    Args:
        vocabulary: which predicates count, see `vocabulary.LINEAGE_VOCABULARY`.
        depth: how many steps to go at the most; None goes to the ends.
        inferred_graphs: the graphs whose statements were concluded by rules.
        presence: what counts as there, to trace as of a moment; None takes everything.
        content: joins things with the same content, to trace on through them; None joins nothing.
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
        found = steps_from(store, frontier, vocabulary, direction, limits=limits)
        if content is not None:
            found.update(same_content_steps(content, frontier, direction, limits=limits))
        if presence is not None:
            beyond = presence.there((far_end(key, direction) for key in found), limits=limits)
            found = {key: quads for key, quads in found.items() if far_end(key, direction) in beyond}
        if content is not None:
            found = joined.without_repeats(found, edges)
        if depth is not None and level > depth:
            cut_off = frozenset(
                near
                for (effect, cause, _) in found
                for near, far in [_near_far(effect, cause, direction)]
                if far not in depths
            )
            # Steps between resources that are both within the depth still belong to the picture.
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
"""An effect, its cause, and how they hang together."""


def _near_far(effect: Resource, cause: Resource, direction: Direction) -> tuple[Resource, Resource]:
    return (effect, cause) if direction is Direction.UPSTREAM else (cause, effect)


def far_end(step: StepKey, direction: Direction) -> Resource:
    """The end of a step that lies away from where the trace began."""
    return step[1] if direction is Direction.UPSTREAM else step[0]


class _Joined:
    """What of a trace is joined by content already: many copies are drawn as a tree, not as every pair."""

    def __init__(self) -> None:
        self._leads_to: dict[Resource, Resource] = {}

    def without_repeats(
        self, found: Mapping[StepKey, list[Quad]], edges: Collection[StepKey]
    ) -> dict[StepKey, list[Quad]]:
        """The steps, those by content only where they join what is not joined yet, so or by a step that is stated."""
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
    """The steps from the frontier to things with the same content, in the direction of the trace."""
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
    """All steps that lead on from the frontier, as (effect, cause, relation), with the statements that say so.

    Two batched requests, one more where statements are qualified, and one for the classes of possible plans.
    """
    upstream = direction is Direction.UPSTREAM
    found: dict[StepKey, list[Quad]] = defaultdict(list)
    outward = vocabulary.subject_is_effect if upstream else vocabulary.subject_is_cause
    inward = vocabulary.subject_is_cause if upstream else vocabulary.subject_is_effect
    # One look along the arrows and one against them; qualified statements begin with the same looks.
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
    return _without_restatements(_plans_told_apart(found, store, vocabulary, limits))


_MAY_LEAD_TO_A_PLAN = (Relation.DERIVED, Relation.INFLUENCED)


def _plans_told_apart(
    found: dict[StepKey, list[Quad]], store: Store, vocabulary: LineageVocabulary, limits: Limits
) -> dict[StepKey, list[Quad]]:
    """Steps whose cause is a plan by its class: the effect followed it and did not come from it."""
    causes = {cause for _, cause, relation in found if relation in _MAY_LEAD_TO_A_PLAN}
    plans = {
        quad.subject
        for quad in store.match_many(subjects=causes, predicates=(RDF.type,), limits=limits)
        if quad.object in vocabulary.plans
    }
    told: dict[StepKey, list[Quad]] = {}
    for (effect, cause, relation), quads in found.items():
        if cause in plans and relation in _MAY_LEAD_TO_A_PLAN:
            relation = Relation.PLANNED
        told.setdefault((effect, cause, relation), []).extend(quads)
    return told


def _without_restatements(found: dict[StepKey, list[Quad]]) -> dict[StepKey, list[Quad]]:
    """Bare influence between two resources that a precise relation joins too is evidence for that relation."""
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
    """A step with its statements, as an edge that says where it comes from."""
    effect, cause, relation = key
    # What is stated comes first and gives the edge its predicate.
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
        # Upstream, people, machines and plans are the setting of a step; the trail of the data ends without more.
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
