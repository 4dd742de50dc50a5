"""Compute impact and projects from the columns; same result as from the triples, but faster.

The ancestors of the targets are collected as numbers, then followed down from the start. The statements of a path are
read from the triples on demand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hpc_explorer.lineage.columns.walk import Upward, can_walk, instances, steps_up
from hpc_explorer.lineage.impact.impact import ONLY_FROM_THE_START, Paths, Reached
from hpc_explorer.lineage.impact.projects import (
    PART_TO_WHOLE,
    PROJECT_CLASSES,
    WHOLE_TO_PART,
    WITHIN,
    projects_by_level,
)
from hpc_explorer.lineage.trace.trace import Direction, LineageEdge, edge_of, steps_from
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation, SubjectIs
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.columns.columns import Columns

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[tuple[int], np.dtype[np.uint32]]
    Places = np.ndarray[tuple[int], np.dtype[np.intp]]


def column_impact(
    columns: Columns,
    store: Store,
    start: Resource,
    vocabulary: LineageVocabulary,
    classes: Collection[NamedNode],
    *,
    inferred_graphs: frozenset[NamedNode] = frozenset(),
    limits: Limits = NO_LIMITS,
) -> tuple[tuple[Reached, ...], int] | None:
    """Which instances of some classes a resource had an impact on, see `impact`.

    Args:
        classes: the classes of targets, with subclasses.

    Returns:
        What was reached, and the number of targets; None if the columns do not have every step.
    """
    if not can_walk(columns, vocabulary, (RDF.type,)):
        return None
    carrying = {
        term: meaning.subject_is is SubjectIs.EFFECT
        for term, meaning in vocabulary.direct.items()
        if meaning.relation is not Relation.ATTRIBUTED and term not in ONLY_FROM_THE_START
    }
    others = {
        term: meaning.subject_is is SubjectIs.EFFECT
        for term, meaning in vocabulary.direct.items()
        if term not in carrying
    }
    begin = columns.id_of(start)
    targets = instances(columns, classes, RDF.type)
    if begin is None:
        return (), len(columns.numbers(targets, limits=limits))
    above = Upward(columns, carrying, targets, limits=limits)
    credited = _credited(columns, others, begin, limits)
    wanted = columns.numbers(targets, limits=limits) - {begin}
    parents, distances = _down(above, begin, credited)
    reached = wanted & distances.keys()
    resources = columns.resources(reached)
    ways = _ColumnWays(columns, store, vocabulary, inferred_graphs, parents)
    found = (Reached(resources[number], distances[number], ways) for number in reached)
    return tuple(sorted(found, key=lambda one: (one.distance, str(one.resource)))), len(wanted)


def _credited(columns: Columns, predicates: dict[NamedNode, bool], begin: int, limits: Limits) -> list[int]:
    """The resources attributed to the start, which count only there."""
    found: list[int] = []
    for term, subject_is_effect in predicates.items():
        facts = columns.predicate(term)
        if facts is None or not facts.links:
            continue
        table, condition = ("node", "true") if facts.wide else ("link", f"p = {facts.id}")
        subject, value = ("id", facts.column("o")) if facts.wide else ("s", "o")
        effect, cause = (subject, value) if subject_is_effect else (value, subject)
        rows = columns.sql(
            f"SELECT {effect} FROM {table} WHERE {condition} AND {cause} = {begin} AND {effect} IS NOT NULL",
            limits=limits,
        )
        found += [number for (number,) in rows]
    return found


def _down(above: Upward, begin: int, credited: Iterable[int]) -> tuple[dict[int, int], dict[int, int]]:
    """Follow steps down from the start: the first cause of each effect, and its distance."""
    import numpy as np

    effects, causes = above.effects, above.causes
    highest = max((int(array.max()) for array in (effects, causes) if len(array)), default=0)
    highest = max(highest, begin, *credited, 0)
    distance = np.full(highest + 1, -1, dtype=np.int32)
    parent = np.zeros(highest + 1, dtype=np.uint32)
    distance[begin] = 0
    frontier = np.array([begin], dtype=np.uint32)
    extra = np.array(sorted(set(credited) - {begin}), dtype=np.uint32)
    level = 0
    while len(frontier):
        level += 1
        places = _between(np.searchsorted(causes, frontier), np.searchsorted(causes, frontier, side="right"))
        candidates, by = effects[places], causes[places]
        if level == 1:
            candidates, by = np.append(candidates, extra), np.append(by, np.full(len(extra), begin, dtype=np.uint32))
        new = distance[candidates] < 0
        candidates, by = candidates[new], by[new]
        frontier, first = np.unique(candidates, return_index=True)
        distance[frontier] = level
        parent[frontier] = by[first]
    reached = np.flatnonzero(distance >= 0)
    return (
        dict(zip(reached.tolist(), parent[reached].tolist(), strict=True)),
        dict(zip(reached.tolist(), distance[reached].tolist(), strict=True)),
    )


def _between(begins: Places, ends: Places) -> Places:
    """The integers of each range, concatenated."""
    import numpy as np

    lengths = ends - begins
    offsets = np.repeat(begins - np.append([0], np.cumsum(lengths)[:-1]), lengths)
    return offsets + np.arange(len(offsets))


class _ColumnWays(Paths):
    """The paths down from the start; their statements are read on demand."""

    def __init__(
        self,
        columns: Columns,
        store: Store,
        vocabulary: LineageVocabulary,
        inferred_graphs: frozenset[NamedNode],
        parents: dict[int, int],
    ) -> None:
        self._columns, self._store, self._vocabulary = columns, store, vocabulary
        self._inferred = inferred_graphs
        self._parents = parents
        self._names: dict[int, Resource] = {}
        self._numbers: dict[Resource, int] = {}
        self._edges: dict[int, LineageEdge] = {}

    def to(self, resource: Resource) -> tuple[LineageEdge, ...]:
        """The steps from the start to a resource."""
        if not self._names:
            self._names = self._columns.resources(self._parents)
            self._numbers = {named: number for number, named in self._names.items()}
        steps: list[LineageEdge] = []
        number = self._numbers[resource]
        while self._parents[number]:
            steps.append(self._edge(number))
            number = self._parents[number]
        return tuple(reversed(steps))

    def _edge(self, number: int) -> LineageEdge:
        if number not in self._edges:
            effect, cause = self._names[number], self._names[self._parents[number]]
            found = steps_from(self._store, (effect,), self._vocabulary, Direction.UPSTREAM)
            between = [(step, quads) for step, quads in found.items() if step[1] == cause]
            step, quads = min(between, key=lambda one: one[0][2].is_context)
            self._edges[number] = edge_of(step, quads, self._inferred)
        return self._edges[number]


_MAY_LEAD_TO_A_PLAN = frozenset({Relation.DERIVED, Relation.INFLUENCED})


def column_projects_of(
    columns: Columns,
    resources: Iterable[Resource],
    vocabulary: LineageVocabulary,
    classes: Collection[NamedNode] = PROJECT_CLASSES,
    *,
    limits: Limits = NO_LIMITS,
) -> Mapping[Resource, frozenset[Resource]] | None:
    """The projects of each resource that has any; None if the columns do not have every step.

    Args:
        classes: the classes of projects, including subclasses.
    """
    if not can_walk(columns, vocabulary, (RDF.type, *PART_TO_WHOLE, *WHOLE_TO_PART)):
        return None
    numbers = {number: resource for resource, number in columns.ids_of(resources).items() if number is not None}
    projects = {number for (number,) in columns.sql(instances(columns, classes, RDF.type), limits=limits)}
    plans = {number for (number,) in columns.sql(instances(columns, vocabulary.plans, RDF.type), limits=limits)}
    parts = dict.fromkeys(PART_TO_WHOLE, True) | dict.fromkeys(WHOLE_TO_PART, False)
    bare = frozenset({Relation.INFLUENCED})
    relations = {
        "made": WITHIN - bare,
        "maybe planned": _MAY_LEAD_TO_A_PLAN,
        "influenced": bare,
        "precise": frozenset(Relation) - bare,
    }

    with columns.work(limits) as work:
        steps_of = {name: steps_up(columns, _along(vocabulary, some), "level") for name, some in relations.items()}
        steps_of["parts"] = steps_up(columns, parts, "level")
        current: Collection[int] = ()

        def steps(level: Collection[int], name: str) -> list[tuple[Any, ...]]:
            nonlocal current
            if not steps_of[name]:
                return []
            if level is not current and (len(level) != len(current) or set(level) != set(current)):
                work.run("CREATE OR REPLACE TEMP TABLE level AS SELECT unnest(CAST(? AS UINTEGER[])) AS id", [[*level]])
                current = level
            return work.run(steps_of[name])

        def wholes(level: Collection[int]) -> dict[int, set[int]]:
            found: dict[int, set[int]] = defaultdict(set)
            for part, whole in steps(level, "parts"):
                found[part].add(whole)
            return found

        def makers(level: Collection[int]) -> Iterable[tuple[int, int]]:
            yield from steps(level, "made")
            yield from ((effect, cause) for effect, cause in steps(level, "maybe planned") if cause in plans)
            # Influence beside a precise relation says no more than that, as in `steps_from`.
            if influenced := {(effect, cause) for effect, cause in steps(level, "influenced") if cause not in plans}:
                yield from influenced.difference(steps(level, "precise"))

        found = projects_by_level(list(numbers), projects, wholes, makers)
    names = columns.resources({owner for owners in found.values() for owner in owners})
    return {numbers[one]: frozenset(names[owner] for owner in owners) for one, owners in found.items()}


def _along(vocabulary: LineageVocabulary, relations: frozenset[Relation]) -> dict[NamedNode, bool]:
    """The predicates of some relations, with whether the subject is the effect."""
    known = vocabulary.of(relations).direct
    return {term: meaning.subject_is is SubjectIs.EFFECT for term, meaning in known.items()}
