"""Impact: the models that a dataset, file, script or machine reached, each with a shortest path.

Faults propagate through data relations (generated, used, derived, version of, part of, informed, influenced), plans,
and the machines and programs of an activity. They do not propagate through attribution and delegation, unless the
question starts there. See docs/decisions/0023-lineage-answers.md.

The graph below a raw file may contain millions of batches, and the graph above all models every other project. So the
search runs from both ends, always extending the smaller frontier, until one is empty. The answer is exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hpc_explorer.lineage.trace.trace import (
    Content,
    Direction,
    LineageEdge,
    Presence,
    StepKey,
    edge_of,
    same_content_steps,
    steps_from,
)
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.rdf.namespaces import PROV
from hpc_explorer.rdf.terms import NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

FAN_OUT = 32
"""How many times as expensive a step down is: a resource has few causes and perhaps many effects, as an epoch has."""

ONLY_FROM_THE_START = frozenset({PROV.actedOnBehalfOf, PROV.hadDelegate, PROV.qualifiedDelegation})
"""Predicates that count only at the start."""


class Paths(Protocol):
    """The paths found from the start to what it reached."""

    def to(self, resource: Resource) -> tuple[LineageEdge, ...]:
        """The steps of a shortest path, beginning at the start."""
        ...


@dataclass(frozen=True)
class Reached:
    """A resource that the start had an impact on.

    Args:
        distance: the number of steps of the shortest path.
        ways: returns these steps.
    """

    resource: Resource
    distance: int
    ways: Paths = field(compare=False, repr=False)

    @property
    def path(self) -> tuple[LineageEdge, ...]:
        """The steps of a shortest path, beginning at the start."""
        return self.ways.to(self.resource)


def impact(
    store: Store,
    start: Resource,
    vocabulary: LineageVocabulary,
    targets: Collection[Resource],
    *,
    presence: Presence | None = None,
    inferred_graphs: frozenset[NamedNode] = frozenset(),
    content: Content | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[Reached, ...]:
    """Which of the targets the start had an impact on, nearest first.

    Args:
        targets: the resources of interest, such as all models.
        presence: restricts the trace to what existed at a moment; None: everything.
        inferred_graphs: the graphs of inferred statements.
        content: joins resources with the same content; None joins nothing.
    """
    wanted = set(targets) - {start}
    if presence is not None:
        if start not in presence.there((start,), limits=limits):
            return ()
        wanted = presence.there(wanted, limits=limits)
    walk = _Walk(store, start, vocabulary, presence, content, limits)
    walk.until_known(wanted)
    return _shortest(walk, wanted, inferred_graphs)


class _Walk:
    """Two searches that meet: down from the start, level by level, and up from all targets."""

    def __init__(
        self,
        store: Store,
        start: Resource,
        vocabulary: LineageVocabulary,
        presence: Presence | None,
        content: Content | None,
        limits: Limits,
    ) -> None:
        self.start = start
        self.depths: dict[Resource, int] = {start: 0}
        self.down: dict[Resource, StepKey] = {}
        self.up: dict[Resource, list[StepKey]] = defaultdict(list)
        self.evidence: dict[StepKey, list[Quad]] = {}
        self._store, self._vocabulary, self._limits = store, vocabulary, limits
        self._presence, self._content = presence, content

    def until_known(self, targets: set[Resource]) -> None:
        """Search until it is known which targets are reached."""
        below: list[Resource] = [self.start]
        above: list[Resource] = sorted(targets, key=str)
        seen = set(targets)
        while below and above:
            self._limits.check("the impact")
            if len(below) * FAN_OUT <= len(above):
                below = self._go_down(below)
            else:
                above = self._go_up([one for one in above if one not in self.depths], seen)

    def _go_down(self, frontier: list[Resource]) -> list[Resource]:
        found: list[Resource] = []
        for step in self._steps(frontier, Direction.DOWNSTREAM):
            effect, cause, _ = step
            if effect not in self.depths:
                self.depths[effect] = self.depths[cause] + 1
                self.down[effect] = step
                found.append(effect)
        return found

    def _go_up(self, frontier: list[Resource], seen: set[Resource]) -> list[Resource]:
        found: list[Resource] = []
        for step in self._steps(frontier, Direction.UPSTREAM):
            _, cause, _ = step
            self.up[cause].append(step)
            if cause not in seen:
                seen.add(cause)
                found.append(cause)
        return found

    def _steps(self, frontier: Collection[Resource], direction: Direction) -> Iterable[StepKey]:
        found = steps_from(self._store, frontier, self._vocabulary, direction, limits=self._limits)
        if self._content is not None:
            found.update(same_content_steps(self._content, frontier, direction, limits=self._limits))
        steps = {step: quads for step, quads in found.items() if self._carries(step, quads)}
        if self._presence is not None:
            ends = self._presence.there({end for step in steps for end in step[:2]}, limits=self._limits)
            steps = {step: quads for step, quads in steps.items() if step[0] in ends and step[1] in ends}
        self.evidence.update(steps)
        return steps

    def _carries(self, step: StepKey, quads: Iterable[Quad]) -> bool:
        _, cause, relation = step
        if cause == self.start:
            return True
        return relation is not Relation.ATTRIBUTED and not all(
            quad.predicate in ONLY_FROM_THE_START or quad.predicate == PROV.agent for quad in quads
        )


def _shortest(walk: _Walk, targets: set[Resource], inferred_graphs: frozenset[NamedNode]) -> tuple[Reached, ...]:
    """The distances from the start through the part found by the upward search."""
    depths = dict(walk.depths)
    came_by: dict[Resource, StepKey] = dict(walk.down)
    levels: dict[int, list[Resource]] = defaultdict(list)
    for resource, depth in walk.depths.items():
        if resource in walk.up:
            levels[depth].append(resource)
    depth = 0
    while depth <= max(levels, default=-1):
        for resource in levels[depth]:
            for step in walk.up.get(resource, ()):
                effect = step[0]
                if effect not in depths or depths[effect] > depth + 1:
                    depths[effect] = depth + 1
                    came_by[effect] = step
                    levels[depth + 1].append(effect)
        depth += 1
    ways = _StatedWays(came_by, walk.evidence, inferred_graphs)
    reached = sorted((resource for resource in targets if resource in depths), key=lambda one: (depths[one], str(one)))
    return tuple(Reached(resource, depths[resource], ways) for resource in reached)


class _StatedWays(Paths):
    """Paths with known statements."""

    def __init__(
        self,
        came_by: Mapping[Resource, StepKey],
        evidence: Mapping[StepKey, list[Quad]],
        inferred_graphs: frozenset[NamedNode],
    ) -> None:
        self._came_by, self._evidence, self._inferred = came_by, evidence, inferred_graphs
        self._edges: dict[StepKey, LineageEdge] = {}

    def to(self, resource: Resource) -> tuple[LineageEdge, ...]:
        """The steps from the start to a resource."""
        steps: list[LineageEdge] = []
        step = self._came_by.get(resource)
        while step is not None:
            if step not in self._edges:
                self._edges[step] = edge_of(step, self._evidence[step], self._inferred)
            steps.append(self._edges[step])
            step = self._came_by.get(step[1])
        return tuple(reversed(steps))
