"""Compare two runs or models with their lineages.

Both lineages are traversed in pairs: from a pair along each relation, resources with the same role (their plan, else
their class) are paired, first equal resources, then equal names, then by time. A resource paired with itself has no
differences and is not followed, so the cost is linear.

Sections of an activity (epochs of a stage) are compared level by level while a level is small enough; others are
reported as unopened. Names, labels and times are not differences, because two runs always differ in them.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from hpc_explorer.lineage.facts.aspects import Aspect, aspect_of, aspect_of_property
from hpc_explorer.lineage.facts.facts import CHECKSUMS, VALUES, Facts
from hpc_explorer.lineage.trace.counts import numbers_within
from hpc_explorer.lineage.trace.trace import Direction, steps_from
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.ontology.labels import fallback_label, label_order
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

LARGEST_LEVEL = 2_000
"""Maximum number of sections of one level, on the larger side, that are compared one by one."""

MOST_SHARED = 1_000
"""Maximum number of shared resources in the result."""

_ASPECTS = {aspect: number for number, aspect in enumerate(Aspect)}


@dataclass(frozen=True)
class Difference:
    """A difference, possibly in many places.

    Args:
        name: of the parameter or property.
        role: the plan of the activity or resource that has it.
        first, second: the value in each lineage at the first place; None if missing.
        when: the time of the first place; None if unknown.
        count: the number of places of this role that differ.
    """

    aspect: Aspect
    name: str
    role: str
    first: str | None
    second: str | None
    when: datetime | None
    count: int


Place = tuple[Resource | None, Resource | None]
"""Corresponding resources in the first and second lineage; None where one has none."""


@dataclass(frozen=True)
class LineageDifferences:
    """The result of a comparison.

    Args:
        differences: in order of time.
        aligned: the number of compared pairs.
        unopened: resources with too many sections, and the larger number of sections.
        ways: for each difference the path to its first place, from the compared resources on.
        shared: common resources as (resource, neighbour in the first lineage); only the first ones.
    """

    differences: tuple[Difference, ...]
    aligned: int
    unopened: tuple[tuple[str, int], ...]
    ways: tuple[tuple[Place, ...], ...] = ()
    shared: tuple[tuple[Resource, Resource], ...] = ()


_OF_THINGS = frozenset({Relation.GENERATED, Relation.DERIVED, Relation.ATTRIBUTED, Relation.SPECIALISED})


@dataclass(frozen=True)
class _Pair:
    """Two corresponding resources, and the place of the pair."""

    first: Resource
    second: Resource
    aspect: Aspect
    role: str
    when: datetime | None
    depth: int
    sections: bool
    parent: _Pair | None = None


@dataclass
class _Found:
    """Collected differences of one name and role."""

    difference: Difference
    order: tuple[object, ...]
    place: Place
    beside: _Pair | None
    count: int = 1

    def way(self) -> tuple[Place, ...]:
        """The path from the compared resources to the first place."""
        passed: list[Place] = [self.place]
        pair = self.beside
        while pair is not None:
            passed.append((pair.first, pair.second))
            pair = pair.parent
        return tuple(reversed(passed))


def compare_lineages(
    store: Store,
    first: Resource,
    second: Resource,
    vocabulary: LineageVocabulary,
    *,
    largest_level: int = LARGEST_LEVEL,
    limits: Limits = NO_LIMITS,
) -> LineageDifferences:
    """Compare two runs or models; the earliest difference comes first.

    Args:
        largest_level: the maximum number of sections of a level, on the larger side.
    """
    return _Comparison(store, vocabulary, largest_level, limits).run(first, second)


class _Comparison:
    def __init__(self, store: Store, vocabulary: LineageVocabulary, largest_level: int, limits: Limits) -> None:
        self._store, self._vocabulary, self._limits = store, vocabulary, limits
        self._largest_level = largest_level
        self._facts = Facts(store, vocabulary, limits)
        self._found: dict[tuple[Aspect, str, str], _Found] = {}
        self._unopened: dict[str, int] = {}
        self._causes: dict[Resource, list[tuple[Resource, Relation]]] = {}
        self._aligned = 0
        self._shared: dict[Resource, Resource] = {}
        self._met: dict[Resource, list[Resource]] = defaultdict(list)
        self._noted: dict[Place, list[tuple[Difference, int]]] = defaultdict(list)
        self._walked: set[tuple[Resource, int]] = set()

    def run(self, first: Resource, second: Resource) -> LineageDifferences:
        if first != second:
            self._facts.learn((first, second))
            began = self._facts.born[first]
            self._walk(_Pair(first, second, Aspect.STRUCTURE, self._facts.kind(first), began, 0, sections=True))
        ordered = sorted(self._found.values(), key=lambda found: found.order)
        return LineageDifferences(
            tuple(replace(one.difference, count=one.count) for one in ordered),
            self._aligned,
            tuple(sorted(self._unopened.items())),
            tuple(one.way() for one in ordered),
            tuple(self._shared.items()),
        )

    def _walk(self, start: _Pair) -> None:
        self._meet(start)
        level = [start]
        while level:
            self._limits.check("the comparison")
            self._aligned += len(level)
            self._facts.learn(resource for pair in level for resource in (pair.first, pair.second))
            around = self._neighbours(level)
            self._facts.learn(
                one
                for neighbours in around.values()
                for group in neighbours.values()
                for one, plan in group
                for one in ((one, plan) if plan is not None else (one,))
            )
            following: list[_Pair] = []
            for pair in level:
                self._compare(pair)
                following += self._paired(pair, around)
            level = following

    def _neighbours(self, level: list[_Pair]) -> dict[Resource, dict[_Way, list[tuple[Resource, Resource | None]]]]:
        """The neighbours of each resource of a level by relation, each with its plan."""
        resources = list({resource: None for pair in level for resource in (pair.first, pair.second)})
        around: dict[Resource, dict[_Way, list[Resource]]] = defaultdict(lambda: defaultdict(list))
        causes = self._causes_of(resources)
        for resource in resources:
            for cause, relation in causes[resource]:
                around[resource][relation, True].append(cause)
        opened = list({one: None for pair in level if pair.sections for one in (pair.first, pair.second)})
        for one, found in self._sections(opened, self._opens(level, opened)).items():
            for way, effects in found.items():
                around[one][way].extend(effects)
        reached = {one: None for ways in around.values() for group in ways.values() for one in group}
        # Before their causes, so that a server sends what it has of each at once.
        self._facts.learn(reached)
        causes = self._causes_of(reached)
        plans: dict[Resource, Resource] = {}
        for resource in reached:
            planned = [cause for cause, relation in causes[resource] if relation is Relation.PLANNED]
            if planned:
                plans[resource] = min(planned, key=str)
        return {
            one: {way: [(other, plans.get(other)) for other in dict.fromkeys(group)] for way, group in ways.items()}
            for one, ways in around.items()
        }

    def _sections(
        self, activities: Collection[Resource], relations: frozenset[Relation]
    ) -> dict[Resource, dict[_Way, list[Resource]]]:
        """What activities generated and, if wanted, the activities within them."""
        found: dict[Resource, dict[_Way, list[Resource]]] = defaultdict(lambda: defaultdict(list))
        vocabulary = self._vocabulary.of(relations)
        for effect, cause, relation in steps_from(
            self._store, activities, vocabulary, Direction.DOWNSTREAM, limits=self._limits
        ):
            found[cause][relation, False].append(effect)
        return found

    def _opens(self, level: list[_Pair], activities: Collection[Resource]) -> frozenset[Relation]:
        """The relations to follow down: nested activities only if few enough; others are noted as unopened."""
        numbers = numbers_within(self._store, activities, self._vocabulary, limits=self._limits)
        pairs = [pair for pair in level if pair.sections]
        sizes = [max(numbers.get(pair.first, 0), numbers.get(pair.second, 0)) for pair in pairs]
        if sum(sizes) <= self._largest_level:
            return frozenset({Relation.GENERATED, Relation.INFORMED})
        for pair, size in zip(pairs, sizes, strict=True):
            if size:
                name = pair.role or self._facts.names[pair.first]
                self._unopened[name] = self._unopened.get(name, 0) + size
        return frozenset({Relation.GENERATED})

    def _causes_of(self, resources: Iterable[Resource]) -> Mapping[Resource, list[tuple[Resource, Relation]]]:
        """The causes of these resources; each resource is queried once."""
        new = [resource for resource in resources if resource not in self._causes]
        for resource in new:
            self._causes[resource] = []
        for effect, cause, relation in steps_from(
            self._store, new, self._vocabulary, Direction.UPSTREAM, limits=self._limits
        ):
            self._causes[effect].append((cause, relation))
        return self._causes

    def _paired(
        self,
        pair: _Pair,
        around: Mapping[Resource, Mapping[_Way, list[tuple[Resource, Resource | None]]]],
    ) -> list[_Pair]:
        """The corresponding resources around a pair that have to be compared further."""
        ours, theirs = around.get(pair.first, {}), around.get(pair.second, {})
        pairs: list[_Pair] = []
        for way in dict.fromkeys((*ours, *theirs)):
            relation, upstream = way
            groups: dict[str, tuple[list[Resource], list[Resource]]] = defaultdict(lambda: ([], []))
            for side, found in enumerate((ours.get(way, ()), theirs.get(way, ()))):
                for resource, plan in found:
                    role = self._facts.names[plan] if plan is not None else self._facts.kind(resource)
                    groups[role][side].append(resource)
            for role, (first, second) in groups.items():
                for place in self._met_pairs(first, second):
                    self._note_again(place, self._facts.born[place[0]] or pair.when, pair)
                for one, other in self._aligned_pairs(first, second):
                    within = pair.sections and relation is Relation.INFORMED and not upstream
                    if one == other:
                        if one is not None and len(self._shared) < MOST_SHARED:
                            self._shared.setdefault(one, pair.first)
                        continue
                    known = one if one is not None else other
                    assert known is not None
                    aspect = self._aspect(known, relation, upstream)
                    when = self._facts.born[known] or pair.when
                    if one is None or other is None:
                        self._only_one(pair, one, other, aspect, role, when)
                        continue
                    met = _Pair(one, other, aspect, role, when, pair.depth + 1, within, pair)
                    if self._meet(met):
                        pairs.append(met)
                    else:
                        self._aligned += 1
                        self._compare(met)
        return pairs

    def _meet(self, pair: _Pair) -> bool:
        """Note a pair, and return whether to follow it: each resource is followed once."""
        self._met[pair.first].append(pair.second)
        ends = {(pair.first, 1), (pair.second, 2)}
        is_new = self._walked.isdisjoint(ends)
        self._walked |= ends
        return is_new

    def _met_pairs(self, first: list[Resource], second: list[Resource]) -> Iterator[tuple[Resource, Resource]]:
        """The pairs that were compared before; a resource on both sides corresponds to itself."""
        both = set(first) & set(second)
        free = set(second) - both
        for one in first:
            other = next((other for other in self._met.get(one, ()) if other in free), None)
            if other is not None and one not in both:
                free.discard(other)
                yield one, other

    def _aligned_pairs(
        self, first: list[Resource], second: list[Resource]
    ) -> list[tuple[Resource | None, Resource | None]]:
        both = set(first) & set(second)
        pairs: list[tuple[Resource | None, Resource | None]] = [(one, one) for one in first if one in both]
        # Resources that were paired before have nothing new to compare.
        met = dict(self._met_pairs(first, second))
        free, again = set(second) - both - set(met.values()), both | set(met)
        by_name: dict[str, deque[Resource]] = defaultdict(deque)
        for other in self._in_order([one for one in second if one in free]):
            by_name[self._facts.names[other]].append(other)
        left: list[Resource] = []
        for one in self._in_order([one for one in first if one not in again]):
            same = by_name.get(self._facts.names[one])
            if same:
                other = same.popleft()
                free.discard(other)
                pairs.append((one, other))
            else:
                left.append(one)
        rest = self._in_order([one for one in second if one in free])
        pairs += zip(left, rest, strict=False)
        pairs += [(one, None) for one in left[len(rest) :]]
        pairs += [(None, other) for other in rest[len(left) :]]
        return pairs

    def _in_order(self, resources: list[Resource]) -> list[Resource]:
        return sorted(resources, key=self._order) if len(resources) > 1 else resources

    def _order(self, resource: Resource) -> tuple[object, ...]:
        born = self._facts.born[resource]
        return (born is None, born.timestamp() if born else 0.0, label_order(str(resource)))

    def _aspect(self, resource: Resource, relation: Relation, upstream: bool) -> Aspect:
        if not upstream:
            return Aspect.RESULT if relation is Relation.GENERATED else Aspect.STRUCTURE
        return aspect_of(relation, self._facts.classes[resource], has_value=self._facts.value(resource) is not None)

    def _compare(self, pair: _Pair) -> None:
        facts = self._facts
        ours, theirs = facts.literals[pair.first], facts.literals[pair.second]
        same_content = self._same_content(pair)
        if same_content is False:
            first, second = self._shown(pair.first), self._shown(pair.second)
            if first == second:
                first, second = iri_text(pair.first), iri_text(pair.second)
            self._note(pair, pair.role or facts.names[pair.first], first, second)
        for known, aspect in ((facts.qualities, pair.aspect), (facts.settings, Aspect.PARAMETER)):
            mine_of, other_of = known.get(pair.first, {}), known.get(pair.second, {})
            for name in sorted({*mine_of, *other_of}):
                if mine_of.get(name) != other_of.get(name):
                    self._note(pair, name, mine_of.get(name), other_of.get(name), aspect)
        for predicate in sorted({*ours, *theirs} - VALUES - CHECKSUMS, key=str):
            mine, other = (", ".join(own[predicate]) if predicate in own else None for own in (ours, theirs))
            if mine != other:
                self._note(pair, fallback_label(predicate), mine, other, self._aspect_of_fact(pair, predicate))

    def _aspect_of_fact(self, pair: _Pair, predicate: NamedNode) -> Aspect:
        """Parameter for a property of an activity, fact for one of a thing."""
        known = aspect_of_property(predicate)
        if known is not None:
            return known
        if pair.aspect is not Aspect.STRUCTURE:
            return pair.aspect
        is_thing = any(relation in _OF_THINGS for _, relation in self._causes.get(pair.first, ()))
        return Aspect.FACT if is_thing else Aspect.PARAMETER

    def _same_content(self, pair: _Pair) -> bool | None:
        """Whether two resources have equal content; None if the question does not apply."""
        ours, theirs = self._facts.checksum(pair.first), self._facts.checksum(pair.second)
        if ours and theirs:
            return ours == theirs
        mine, other = self._facts.value(pair.first), self._facts.value(pair.second)
        if mine is not None or other is not None:
            return mine == other
        # Activities and results are compared by their facts; programs, machines and people also by name.
        if pair.aspect in (Aspect.STRUCTURE, Aspect.RESULT):
            return None
        same_name = self._facts.names[pair.first] == self._facts.names[pair.second]
        return None if same_name and pair.aspect is not Aspect.INPUT else False

    def _shown(self, resource: Resource) -> str:
        value = self._facts.value(resource)
        if value is not None:
            return value
        checksum = self._facts.checksum(resource)
        return f"{self._facts.names[resource]} ({checksum[0][:12]}…)" if checksum else self._facts.names[resource]

    def _note(
        self, pair: _Pair, name: str, first: str | None, second: str | None, aspect: Aspect | None = None
    ) -> None:
        when = pair.when or self._facts.born[pair.first]
        difference = Difference(aspect or pair.aspect, name, pair.role, first, second, when, 1)
        self._gather(difference, pair.depth, (pair.first, pair.second), pair.parent)

    def _only_one(
        self,
        pair: _Pair,
        one: Resource | None,
        other: Resource | None,
        aspect: Aspect,
        role: str,
        when: datetime | None,
    ) -> None:
        known = one if one is not None else other
        assert known is not None
        name = role or self._facts.names[known]
        first = None if one is None else self._shown(one)
        second = None if other is None else self._shown(other)
        self._gather(Difference(aspect, name, pair.role, first, second, when, 1), pair.depth, (one, other), pair)

    def _note_again(self, place: Place, when: datetime | None, beside: _Pair) -> None:
        """Move the differences of a pair that is met a second time to this place, if it is earlier."""
        for difference, depth in self._noted.get(place, ()):
            self._gather(replace(difference, when=when), depth, place, beside, count=0)

    def _gather(
        self, difference: Difference, depth: int, place: Place, beside: _Pair | None, *, count: int = 1
    ) -> None:
        if count:
            self._noted[place].append((difference, depth))
        aspect, name, when = difference.aspect, difference.name, difference.when
        order = (when is None, when.timestamp() if when else 0.0, -depth if when is None else 0, _ASPECTS[aspect], name)
        key = (aspect, name, difference.role)
        known = self._found.get(key)
        if known is None:
            self._found[key] = _Found(difference, order, place, beside)
            return
        known.count += count
        if order < known.order:
            known.difference, known.order = difference, order
            known.place, known.beside = place, beside


_Way = tuple[Relation, bool]
"""A relation, and whether it leads from effect to cause."""
