"""Fold a lineage into phases, workflows, stages and sections, with what they used and generated.

A folded lineage of any size is a few groups, opened one level at a time. Together they contain exactly the resources of
the lineage (`resources_of`).

*Landmarks* always stay visible: the start, what one phase passed to the next, and the raw data.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from hpc_explorer.lineage.phases.phases import Phase, PhaseAssignment
from hpc_explorer.lineage.trace.backbone import backbone
from hpc_explorer.lineage.trace.trace import Direction, Lineage, LineageEdge
from hpc_explorer.lineage.trace.vocabulary import Relation
from hpc_explorer.rdf.terms import Resource, iri_text

ALIKE_FROM = 3
"""Minimum number of siblings of one class that form a group."""
PAGE = 24
"""Maximum number of cards shown at once; more are grouped."""

LANDMARKS_ALIKE_FROM, MOST_LANDMARKS = 5, 13
"""Minimum number of landmarks of one class that form a group, and maximum number of cards below a closed part. Four
closed phases are at most 56 cards."""

_LANDMARKS = "landmarks of "


class Level(Enum):
    """The level of a part of a folded lineage."""

    PHASE = "phase"
    ACTIVITY = "activity"
    THING = "thing"
    GROUP = "group"
    SETTING = "setting"


@dataclass(frozen=True)
class Fold:
    """A part of a lineage with everything folded into it.

    Args:
        key: identifies it for opening: the IRI of a resource, or the name of a group.
        resource: its resource; None for a group.
        inside: the parts shown when it is opened.
        kind: for a group of similar resources, the name of their class.
        span: for a page, the numbers of its first and last item, from 1.
    """

    key: str
    level: Level
    resource: Resource | None = None
    inside: tuple[Fold, ...] = ()
    kind: str = ""
    phase: Phase = Phase.OTHER
    span: tuple[int, int] | None = None
    resources: frozenset[Resource] = field(init=False, compare=False)
    """All resources it contains."""

    def __post_init__(self) -> None:
        own = frozenset() if self.resource is None else frozenset({self.resource})
        object.__setattr__(self, "resources", own.union(*(one.resources for one in self.inside)))


@dataclass(frozen=True)
class FoldRow:
    """A visible part of a folded lineage.

    Args:
        indent: the number of levels below its phase.
        is_open: whether its content is visible too.
    """

    fold: Fold
    indent: int
    is_open: bool


def folded(
    lineage: Lineage,
    placed: Mapping[Resource, PhaseAssignment],
    is_section: Callable[[LineageEdge], bool],
    kind_of: Callable[[Resource], str],
    began: Mapping[Resource, datetime],
) -> tuple[Fold, ...]:
    """Fold a lineage into its phases, in the order of the data flow.

    Args:
        placed: the phase of each resource.
        is_section: whether an edge says that its effect is a section of its cause.
        kind_of: returns the name of a resource's class; equal names are grouped.
        began: the known starts of activities, which define their order.
    """
    return _Folding(lineage, placed, is_section, kind_of, began).phases()


def resources_of(folds: Iterable[Fold]) -> frozenset[Resource]:
    """All resources of the parts."""
    return frozenset(fold.resource for fold in walk(folds) if fold.resource is not None)


def walk(folds: Iterable[Fold]) -> Iterator[Fold]:
    """All parts, parents first."""
    for fold in folds:
        yield fold
        yield from walk(fold.inside)


def activities_in(folds: Iterable[Fold]) -> Iterable[Fold]:
    """The outermost activities, including those in groups."""
    for fold in folds:
        if fold.level is Level.ACTIVITY:
            yield fold
        elif fold.level is Level.GROUP:
            yield from activities_in(fold.inside)


def shown(folds: Iterable[Fold], is_open: AbstractSet[str], landmarks: AbstractSet[Resource]) -> tuple[FoldRow, ...]:
    """The visible rows from top to bottom while the parts with these keys are open."""
    found: list[FoldRow] = []
    seen: set[str] = set()

    def show(fold: Fold, indent: int) -> None:
        if fold.key in seen:
            return  # already shown with a landmark that contains it
        seen.add(fold.key)
        opened = fold.key in is_open and bool(fold.inside)
        found.append(FoldRow(fold, indent, opened))
        for one in fold.inside if opened else ():
            show(one, indent + 1)
        if not opened and not fold.key.startswith(_LANDMARKS):  # a group of landmarks contains nothing else
            marks = [one for one in walk(fold.inside) if one.resource in landmarks]
            for one in _few(_alike(marks, f"{_LANDMARKS}{fold.key}", LANDMARKS_ALIKE_FROM), fold):
                show(one, indent + 1)

    for fold in folds:
        show(fold, 0)
    return tuple(found)


def _few(marks: list[Fold], fold: Fold) -> list[Fold]:
    """The landmarks of a closed part; many are grouped to fit on a screen."""
    if len(marks) <= MOST_LANDMARKS:
        return marks
    name = f"{_LANDMARKS}{fold.key}"
    return [Fold(name, Level.GROUP, inside=paged(marks, name), phase=fold.phase)]


def visible_keys(rows: Iterable[FoldRow]) -> dict[Resource, str]:
    """The key of the innermost visible part of each resource."""
    keys: dict[Resource, str] = {}
    for row in rows:
        # Later rows are further inside, or are landmarks.
        for resource in row.fold.resources:
            keys[resource] = row.fold.key
    return keys


def landmarks_of(lineage: Lineage, placed: Mapping[Resource, PhaseAssignment]) -> frozenset[Resource]:
    """The landmarks: the start, what phases passed on, and the inputs of the first phase.

    Downstream also what was made last, unless it is more than fits below a part.
    """
    makers: dict[Resource, Resource] = {}
    users: dict[Resource, list[Resource]] = defaultdict(list)
    for edge in lineage.edges:
        if edge.relation is Relation.GENERATED:
            makers[edge.effect] = edge.cause
        elif edge.relation is Relation.USED:
            users[edge.cause].append(edge.effect)
    found = {lineage.start}
    for thing, by in users.items():
        if thing in makers and any(placed[user].phase is not placed[makers[thing]].phase for user in by):
            found.add(thing)
    last = makers.keys() - users.keys() if lineage.direction is Direction.DOWNSTREAM else ()
    if len(last) <= MOST_LANDMARKS:
        found.update(last)
    first = next(iter(_in_order(lineage, placed)), None)
    for thing, by in users.items():
        if thing not in makers and any(placed[user].phase is first for user in by):
            found.add(thing)
    return frozenset(found)


def _in_order(lineage: Lineage, placed: Mapping[Resource, PhaseAssignment]) -> list[Phase]:
    """The phases that occur, in order; other work comes first if it mostly feeds the others."""
    occurring = {placed[resource].phase for resource in lineage.nodes}
    phases = [phase for phase in Phase if phase in occurring]
    if Phase.OTHER in phases and len(phases) > 1:
        before = 0
        for edge in lineage.edges:
            effect, cause = placed[edge.effect].phase, placed[edge.cause].phase
            if not edge.relation.is_context and effect is not cause:
                before += (cause is Phase.OTHER) - (effect is Phase.OTHER)
        if before > 0:
            phases = [Phase.OTHER, *(phase for phase in phases if phase is not Phase.OTHER)]
    return phases


class _Folding:
    def __init__(
        self,
        lineage: Lineage,
        placed: Mapping[Resource, PhaseAssignment],
        is_section: Callable[[LineageEdge], bool],
        kind_of: Callable[[Resource], str],
        began: Mapping[Resource, datetime],
    ) -> None:
        self._lineage, self._placed, self._kind_of, self._began = lineage, placed, kind_of, began
        self._substance = dict.fromkeys(backbone(lineage).nodes)
        self._activities: dict[Resource, None] = {}
        self._whole: dict[Resource, Resource] = {}
        self._home: dict[Resource, Resource] = {}
        self._made: set[Resource] = set()
        users: dict[Resource, Resource] = {}
        for edge in lineage.edges:
            if edge.relation is Relation.GENERATED:
                self._made.add(edge.effect)
                self._activities[edge.cause] = None
                self._home.setdefault(edge.effect, edge.cause)
            elif edge.relation is Relation.USED:
                self._activities[edge.effect] = None
                if placed[edge.cause].phase is placed[edge.effect].phase:
                    users.setdefault(edge.cause, edge.effect)
            elif edge.relation is Relation.INFORMED:
                self._activities.update({edge.effect: None, edge.cause: None})
                same = placed[edge.effect].phase is placed[edge.cause].phase
                if same and is_section(edge) and not self._is_around(edge.effect, edge.cause):
                    self._whole.setdefault(edge.effect, edge.cause)
        for thing, user in users.items():
            self._home.setdefault(thing, user)

    def _is_around(self, section: Resource, whole: Resource) -> bool:
        """Whether `whole` is already inside `section`, so that the link would close a cycle."""
        around: Resource | None = whole
        while around is not None:
            if around == section:
                return True
            around = self._whole.get(around)
        return False

    def phases(self) -> tuple[Fold, ...]:
        within: dict[Resource | Phase, list[Resource]] = defaultdict(list)
        aside: dict[Phase, list[Resource]] = defaultdict(list)
        for resource in self._lineage.nodes:
            phase = self._placed[resource].phase
            home = self._whole.get(resource) if resource in self._activities else self._home.get(resource)
            if resource not in self._substance:
                aside[phase].append(resource)
            elif home is not None and home in self._substance and self._placed[home].phase is phase:
                within[home].append(resource)
            else:
                within[phase].append(resource)
        result = []
        for phase in _in_order(self._lineage, self._placed):
            key = f"phase {phase.name.lower()}"
            inside = self._folds(within.get(phase, ()), within, key, phase)
            if aside[phase]:
                setting = [Fold(iri_text(one), Level.THING, one, phase=phase) for one in aside[phase]]
                name = f"setting of {key}"
                inside = (*inside, Fold(name, Level.SETTING, inside=paged(setting, name), phase=phase))
            result.append(Fold(key, Level.PHASE, inside=inside, phase=phase))
        return tuple(result)

    def _folds(
        self, resources: Collection[Resource], within: Mapping[Resource | Phase, list[Resource]], key: str, phase: Phase
    ) -> tuple[Fold, ...]:
        """The content of a part: its inputs, then its sections, then its outputs."""
        activities: list[Fold] = []
        before: list[Fold] = []
        after: list[Fold] = []
        # Undated ones come last, in the order of the trace.
        in_time = sorted(resources, key=lambda one: self._began[one].timestamp() if one in self._began else math.inf)
        for resource in in_time:
            inside = self._folds(within.get(resource, ()), within, iri_text(resource), phase)
            level = Level.ACTIVITY if resource in self._activities else Level.THING
            fold = Fold(iri_text(resource), level, resource, inside, self._kind_of(resource), phase)
            if level is Level.ACTIVITY:
                activities.append(fold)
            else:
                (after if resource in self._made else before).append(fold)
        groups = [
            *_alike(before, f"used in {key}", ALIKE_FROM),
            *_alike(activities, f"steps of {key}", PAGE + 1),
            *_alike(after, f"made in {key}", ALIKE_FROM),
        ]
        return paged(groups, key)


def _alike(folds: Collection[Fold], key: str, least: int) -> list[Fold]:
    """Group parts of the same class if there are at least `least`."""
    of_kind: dict[str, list[Fold]] = defaultdict(list)
    for fold in folds:
        of_kind[fold.kind].append(fold)
    result = []
    for kind, some in of_kind.items():
        if len(some) < least:
            result += some
        else:
            name = f"{key}: {kind}"
            result.append(Fold(name, Level.GROUP, inside=paged(some, name), kind=kind, phase=some[0].phase))
    return result


def paged(folds: Collection[Fold], key: str) -> tuple[Fold, ...]:
    """Split many parts into pages, and pages into groups of pages."""
    page = list(folds)
    first = {id(fold): at + 1 for at, fold in enumerate(page)}
    last = dict(first)
    while len(page) > PAGE:
        following = []
        for begin in range(0, len(page), PAGE):
            some = tuple(page[begin : begin + PAGE])
            numbers = first[id(some[0])], last[id(some[-1])]
            name = f"{key} {numbers[0]}-{numbers[1]}"
            kinds = {one.kind for one in some}
            kind = kinds.pop() if len(kinds) == 1 else ""
            group = Fold(name, Level.GROUP, inside=some, kind=kind, phase=some[0].phase, span=numbers)
            first[id(group)], last[id(group)] = numbers
            following.append(group)
        page = following
    return tuple(page)
