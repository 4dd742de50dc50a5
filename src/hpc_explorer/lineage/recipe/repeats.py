"""Summarize repetitions: the epochs of a stage and the batches of an epoch.

A record links each section to its parent (`prov:wasInformedBy` in PROV-ML, seed 004 section 4). A section depends on
the sections before it, although they are not linked: they are ordered by time if dated, otherwise by name. The store
counts their parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass

from hpc_explorer.lineage.facts.aspects import Aspect, aspect_of, kind_words
from hpc_explorer.lineage.facts.facts import VALUES
from hpc_explorer.lineage.time.as_of import Times, read_times
from hpc_explorer.lineage.trace.counts import numbers_within
from hpc_explorer.lineage.trace.trace import Direction, steps_from
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.ontology.labels import fallback_label, label_order, labels_of
from hpc_explorer.rdf.namespaces import RDF, WFPROV
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

MOST_LISTED = 20_000
"""The most parts of one activity that are read one by one."""

# The most parts of one role that are separate steps.
_EACH_A_STEP = 8

_DEEPEST = 6


@dataclass(frozen=True)
class ValueRange:
    """The first and last value of a parameter over sections."""

    name: str
    first: str
    last: str


@dataclass(frozen=True)
class Repeats:
    """Repeated sections, up to and including the one that a recipe follows.

    Args:
        whole: the activity that contains the sections.
        number: the number of sections up to and including that one.
        total: the number of all sections of this role.
        first: the name of the first.
        last: the name of the one followed.
        inner: the number of activities within these sections.
        by_time: whether they are ordered by time; otherwise by name.
        values: the parameters that the sections recorded.
    """

    whole: Resource
    number: int
    total: int
    first: str
    last: str
    inner: int
    by_time: bool
    values: tuple[ValueRange, ...] = ()


@dataclass(frozen=True)
class _Section:
    activity: Resource
    name: str
    role: tuple[object, ...]
    times: Times

    @property
    def order(self) -> tuple[object, ...]:
        born = self.times.born
        return (born is None, born.timestamp() if born else 0.0, label_order(self.name), str(self.activity))


@dataclass(frozen=True)
class Parts:
    """The activities within a run that a recipe follows.

    Args:
        followed: one for each role, or all of a role with few.
        unopened: the activities with too many parts to open, with the number of parts.
    """

    followed: tuple[Resource, ...] = ()
    unopened: tuple[tuple[Resource, int], ...] = ()


def is_part(
    evidence: Iterable[Quad],
    part_classes: Iterable[NamedNode],
    whole_classes: Iterable[NamedNode],
    part: Times,
    whole: Times,
) -> bool | None:
    """Whether an activity that another informed was a part of it; None if neither terms nor times show it.

    A successor begins after the other has ended; a part lies within the time of its parent.
    """
    if any(quad.predicate == WFPROV.wasPartOfWorkflowRun for quad in evidence):
        return True
    if part.born is not None and whole.born is not None:
        end = part.ended or part.born
        return whole.born <= part.born and whole.ended is not None and end <= whole.ended
    if any(kind.endswith("sectionexecution") for kind in kind_words(part_classes)):
        return True
    return True if kind_words(whole_classes) & {"workflowexecution", "learningprocessexecution"} else None


def parts_of(store: Store, start: Resource, vocabulary: LineageVocabulary, *, limits: Limits = NO_LIMITS) -> Parts:
    """The parts of a run, level by level; only the last of many with the same role."""
    followed: dict[Resource, None] = {}
    unopened: list[tuple[Resource, int]] = []
    level = [start]
    for _ in range(_DEEPEST):
        limits.check("the parts of the run")
        numbers = numbers_within(store, level, vocabulary, limits=limits)
        unopened += [(one, number) for one, number in numbers.items() if number > MOST_LISTED]
        wholes = [one for one in level if 0 < numbers.get(one, 0) <= MOST_LISTED]
        found = _sections(store, wholes, vocabulary, limits)
        independent = _with_data(
            store, [one.activity for sections in found.values() for one in sections], vocabulary, limits
        )
        level = []
        for sections in found.values():
            for group in _by_role(sections).values():
                each = len(group) <= _EACH_A_STEP and any(one.activity in independent for one in group)
                level += [one.activity for one in (group if each else group[-1:])]
        level = [one for one in level if one not in followed and one != start]
        followed |= dict.fromkeys(level)
        if not level:
            break
    return Parts(tuple(followed), tuple(unopened))


def repeats_of(
    store: Store,
    wholes: Mapping[Resource, Resource],
    vocabulary: LineageVocabulary,
    *,
    listed: Container[Resource] = (),
    limits: Limits = NO_LIMITS,
) -> dict[Resource, Repeats]:
    """The repetitions that each followed part is the last of.

    Args:
        wholes: the parent of each part.
        listed: activities that are separate steps; a part that only follows such steps is left out.
    """
    numbers = numbers_within(store, list(dict.fromkeys(wholes.values())), vocabulary, limits=limits)
    looked_into = [whole for whole, number in numbers.items() if 1 < number <= MOST_LISTED]
    if not looked_into:
        return {}
    sections = _sections(store, looked_into, vocabulary, limits)
    done: dict[Resource, list[_Section]] = {}
    totals: dict[Resource, int] = {}
    for part, whole in wholes.items():
        for group in _by_role(sections.get(whole, ())).values():
            at = next((at for at, one in enumerate(group) if one.activity == part), None)
            if at and not all(one.activity in listed for one in group[:at]):
                done[part], totals[part] = group[: at + 1], len(group)
    inner = numbers_within(
        store, list({one.activity: None for group in done.values() for one in group}), vocabulary, limits=limits
    )
    values = _values(store, done, vocabulary, limits)
    return {
        part: Repeats(
            whole=wholes[part],
            number=len(group),
            total=totals[part],
            first=group[0].name,
            last=group[-1].name,
            inner=sum(inner.get(one.activity, 0) for one in group),
            by_time=all(one.times.born is not None for one in group),
            values=values.get(part, ()),
        )
        for part, group in done.items()
    }


def _sections(
    store: Store, wholes: Collection[Resource], vocabulary: LineageVocabulary, limits: Limits
) -> dict[Resource, list[_Section]]:
    """The parts of each parent, in order."""
    informed = vocabulary.of(frozenset({Relation.INFORMED}))
    steps = steps_from(store, wholes, informed, Direction.DOWNSTREAM, limits=limits)
    parts = list({effect: None for effect, _, _ in steps})
    if not parts:
        return {}
    times = read_times(store, [*parts, *wholes], limits=limits)
    names = labels_of(store, parts, limits=limits)
    classes: dict[Resource, list[NamedNode]] = defaultdict(list)
    for quad in store.match_many(subjects=[*parts, *wholes], predicates=(RDF.type,), limits=limits):
        if isinstance(quad.object, NamedNode) and is_resource(quad.subject):
            classes[quad.subject].append(quad.object)
    plans = _plans(store, parts, vocabulary, limits)
    siblings: dict[Resource, int] = defaultdict(int)
    for _, whole, _ in steps:
        siblings[whole] += 1
    found: dict[Resource, list[_Section]] = defaultdict(list)
    for (part, whole, _), quads in steps.items():
        within = is_part(quads, classes[part], classes[whole], times.get(part, Times()), times.get(whole, Times()))
        if within or (within is None and siblings[whole] > 1):
            role = (plans.get(part), *sorted({str(cls) for cls in classes[part]}))
            name = names.get(part) or fallback_label(part)
            found[whole].append(_Section(part, name, role, times.get(part, Times())))
    return {whole: sorted(sections, key=lambda one: one.order) for whole, sections in found.items()}


def _with_data(
    store: Store, activities: Collection[Resource], vocabulary: LineageVocabulary, limits: Limits
) -> set[Resource]:
    """The activities with their own inputs other than values, which do not depend on each other."""
    used = vocabulary.of(frozenset({Relation.USED}))
    steps = steps_from(store, activities, used, Direction.UPSTREAM, limits=limits)
    causes = list({cause: None for _, cause, _ in steps})
    data = {
        cause: aspect_of(Relation.USED, classes, has_value=has_value) is Aspect.INPUT
        for cause, (classes, has_value) in _kinds(store, causes, limits).items()
    }
    return {activity for activity, cause, _ in steps if data.get(cause, True)}


def _kinds(
    store: Store, resources: Collection[Resource], limits: Limits
) -> dict[Resource, tuple[list[NamedNode], bool]]:
    """The classes of each, and whether it is a value; unknown resources are left out."""
    classes: dict[Resource, list[NamedNode]] = defaultdict(list)
    valued: set[Resource] = set()
    for quad in store.match_many(subjects=resources, predicates={RDF.type, *VALUES}, limits=limits):
        if is_resource(quad.subject):
            if isinstance(quad.object, Literal):
                valued.add(quad.subject)
            elif isinstance(quad.object, NamedNode):
                classes[quad.subject].append(quad.object)
    return {resource: (classes[resource], resource in valued) for resource in {*classes, *valued}}


def _by_role(sections: Iterable[_Section]) -> dict[tuple[object, ...], list[_Section]]:
    groups: dict[tuple[object, ...], list[_Section]] = defaultdict(list)
    for one in sections:
        groups[one.role].append(one)
    return groups


def _plans(
    store: Store, resources: Collection[Resource], vocabulary: LineageVocabulary, limits: Limits
) -> dict[Resource, Resource]:
    """The role of each in its plan; PROV-ML uses predicates with several meanings for it."""
    steps = steps_from(store, resources, vocabulary, Direction.UPSTREAM, limits=limits)
    return {effect: cause for effect, cause, relation in steps if relation is Relation.PLANNED}


def _values(
    store: Store, done: Mapping[Resource, list[_Section]], vocabulary: LineageVocabulary, limits: Limits
) -> dict[Resource, tuple[ValueRange, ...]]:
    """The parameters of the first and the last of repeated sections."""
    ends = {one.activity: None for group in done.values() for one in (group[0], group[-1])}
    generated = vocabulary.of(frozenset({Relation.GENERATED}))
    steps = steps_from(store, list(ends), generated, Direction.DOWNSTREAM, limits=limits)
    outputs = list({effect: None for effect, _, _ in steps})
    if not outputs:
        return {}
    told: dict[Resource, str] = {}
    parameters: set[Resource] = set()
    for quad in store.match_many(subjects=outputs, predicates={RDF.type, *VALUES}, limits=limits):
        if not is_resource(quad.subject):
            continue
        if isinstance(quad.object, Literal):
            told[quad.subject] = quad.object.value
        elif isinstance(quad.object, NamedNode) and any("parameter" in kind for kind in kind_words((quad.object,))):
            parameters.add(quad.subject)
    plans = _plans(store, list(parameters), vocabulary, limits)
    names = labels_of(store, list(set(plans.values())), limits=limits)
    by_activity: dict[Resource, dict[str, str]] = defaultdict(dict)
    for effect, activity, _ in steps:
        plan = plans.get(effect)
        if effect in told and plan is not None:
            by_activity[activity][names.get(plan) or fallback_label(plan)] = told[effect]
    found: dict[Resource, tuple[ValueRange, ...]] = {}
    for part, group in done.items():
        first, last = by_activity.get(group[0].activity, {}), by_activity.get(group[-1].activity, {})
        found[part] = tuple(ValueRange(name, first[name], last[name]) for name in sorted(first.keys() & last.keys()))
    return found
