"""Assign the activities and things of a lineage to phases of the scientific machine learning lifecycle.

Seed 004, section 2.1: *data curation* makes raw data usable, *learning data preparation* makes learning data from it,
*learning* trains, validates and evaluates models. Everything else is *other work*.

The first of these rules that applies decides the phase of an activity:

1. its class: of PROV-ML, or `mls:Run`;
2. the class of its plan;
3. its tag (`provlake:tag`) or that of its plan, such as "Data Curation";
4. the activity that it is a section of; for a workflow its sections, if they agree;
5. what it generated (a model, learning data, curated data), or the raw domain data that it used;
6. words in its name or its plan's, such as curate, prepare, train. This is marked as a guess;
7. it generated what a learning activity used: that is learning data by definition (section 3.1).

A thing belongs to the phase of the activity that generated it, else to the earliest one that used it. Other resources
follow what they are linked to. Each assignment has a reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from hpc_explorer.lineage.phases.section_facts import SECTION_TO_WHOLE, WHOLE_TO_SECTION
from hpc_explorer.lineage.trace.trace import Lineage, LineageEdge
from hpc_explorer.lineage.trace.vocabulary import Relation
from hpc_explorer.ontology.labels import fallback_label, labels_of
from hpc_explorer.rdf.namespaces import HPC, MLS, PROVLAKE, PROVML, RDF, WFPROV
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


class Phase(Enum):
    """A phase of the lifecycle, in order."""

    CURATION = "Data curation"
    PREPARATION = "Learning data preparation"
    LEARNING = "Learning"
    OTHER = "Other work"


_ORDER = {phase: number for number, phase in enumerate(Phase)}


@dataclass(frozen=True)
class PhaseAssignment:
    """The phase of a resource, and the reason.

    Args:
        why: a clause such as "by its class TrainingExecution".
        guessed: whether only the name was used.
    """

    phase: Phase
    why: str
    guessed: bool = False


_C, _P, _L = Phase.CURATION, Phase.PREPARATION, Phase.LEARNING

_OF_CLASS: Mapping[NamedNode, Phase] = {
    PROVML.DataCuration: _C,
    PROVML.DataPreparation: _P,
    PROVML.FeatureExtractionExecution: _P,
    **{
        PROVML.term(f"{name}Execution"): _L
        for name in (
            *("LearningProcess", "BaseLearningStage", "BaseLearning", "LearningStage", "LearningStageSection"),
            *("LearningSection", "Training", "Validation", "Evaluation"),
            *("TrainingSection", "ValidationSection", "EvaluationSection"),
        )
    },
    PROVML.Learning: _L,
    MLS.Run: _L,
}
_OF_PLAN_CLASS: Mapping[NamedNode, Phase] = {
    PROVML.FeatureExtraction: _P,
    **{
        PROVML.term(name): _L
        for name in (
            *("LearningExperiment", "BaseLearningStage", "LearningStage", "LearningStageSection"),
            *("Training", "Validation", "Evaluation"),
        )
    },
    MLS.Experiment: _L,
}
_OF_TAG: Mapping[str, Phase] = {
    **dict.fromkeys(("data curation", "curation"), _C),
    **dict.fromkeys(("learning data preparation", "data preparation", "preparation", "feature extraction"), _P),
    **dict.fromkeys(("learning", "training", "validation", "evaluation"), _L),
}
_OF_PRODUCT: Mapping[NamedNode, Phase] = {
    **dict.fromkeys((PROVML.Model, MLS.Model, HPC.AIModel, PROVML.ModelEvaluation, MLS.ModelEvaluation), _L),
    **dict.fromkeys((PROVML.LearningDataset, PROVML.LearningData, PROVML.FeatureSetData), _P),
    PROVML.CuratedDomainData: _C,
}
_OF_NAME: tuple[tuple[re.Pattern[str], Phase], ...] = (
    (re.compile(r"\bcurat", re.I), _C),
    (re.compile(r"\b(data )?prepar|\bpreprocess|\bpre-process|\bfeature extraction", re.I), _P),
    (re.compile(r"\btrain(s|ed|ing)?\b|\bfine-?tun|\bvalidat(e|ion)\b|\blearning\b", re.I), _L),
)


Classes = Mapping[Resource, Mapping[NamedNode, None]]
"""The classes of resources, their own first, then superclasses."""

SECTION_CLASSES: frozenset[NamedNode] = frozenset(
    {PROVLAKE.WorkflowExecution, PROVLAKE.DataTransformationExecution, WFPROV.ProcessRun, WFPROV.WorkflowRun}
    | {cls for cls, phase in _OF_CLASS.items() if phase is _L}
)
"""Classes of activities that are sections of those that informed them. Elsewhere in PROV, informing means that one
activity used what the other generated.
"""

WORKFLOW_CLASSES: frozenset[NamedNode] = frozenset(
    {PROVLAKE.WorkflowExecution, PROVML.LearningProcessExecution, MLS.Run, WFPROV.WorkflowRun}
)
"""Classes of activities that consist of stages."""


def is_section(edge: LineageEdge, classes: Classes) -> bool:
    """Whether an edge states that the effect is a section of the cause."""
    if edge.relation is not Relation.INFORMED or SECTION_CLASSES.isdisjoint(classes.get(edge.effect, ())):
        return False
    return any(quad.predicate in SECTION_TO_WHOLE | WHOLE_TO_SECTION for quad in edge.evidence)


def phases_of(
    store: Store,
    lineage: Lineage,
    superclasses: Callable[[NamedNode], Iterable[NamedNode]],
    *,
    limits: Limits = NO_LIMITS,
) -> dict[Resource, PhaseAssignment]:
    """The phase of every resource of a lineage. Makes two batched requests.

    Args:
        superclasses: returns the superclasses of a class.
    """
    classes: dict[Resource, dict[NamedNode, None]] = defaultdict(dict)
    tags: dict[Resource, set[str]] = defaultdict(set)
    for quad in store.match_many(subjects=list(lineage.nodes), predicates=(RDF.type, PROVLAKE.tag), limits=limits):
        if not isinstance(quad.subject, (NamedNode, BlankNode)):
            continue
        if isinstance(quad.object, NamedNode) and quad.predicate == RDF.type:
            classes[quad.subject][quad.object] = None
        elif isinstance(quad.object, Literal):
            tags[quad.subject].add(quad.object.value)
    # Stated classes come before superclasses.
    for own in classes.values():
        for cls in sorted(own, key=str):
            own.update(dict.fromkeys(sorted(superclasses(cls), key=str)))
    links = _Links(lineage.edges, classes)
    names = labels_of(store, [*links.activities, *links.plans_of_activities()], limits=limits)
    placed = _activities(links, classes, tags, names)
    return _with_things(lineage, links, placed)


class _Links:
    """The edges of a lineage by relation."""

    def __init__(self, edges: Collection[LineageEdge], classes: Classes) -> None:
        self.plans: dict[Resource, list[Resource]] = defaultdict(list)
        self.wholes: dict[Resource, list[Resource]] = defaultdict(list)
        self.sections: dict[Resource, list[Resource]] = defaultdict(list)
        self.made: dict[Resource, list[Resource]] = defaultdict(list)
        self.makers: dict[Resource, list[Resource]] = defaultdict(list)
        self.used: dict[Resource, list[Resource]] = defaultdict(list)
        self.users: dict[Resource, list[Resource]] = defaultdict(list)
        self.linked: dict[Resource, list[Resource]] = defaultdict(list)
        activities: dict[Resource, None] = {}
        for edge in edges:
            effect, cause = edge.effect, edge.cause
            match edge.relation:
                case Relation.GENERATED:
                    self.made[cause].append(effect)
                    self.makers[effect].append(cause)
                    activities[cause] = None
                case Relation.USED:
                    self.used[effect].append(cause)
                    self.users[cause].append(effect)
                    activities[effect] = None
                case Relation.INFORMED:
                    activities.update({effect: None, cause: None})
                    if is_section(edge, classes):
                        self.wholes[effect].append(cause)
                        self.sections[cause].append(effect)
                case Relation.PLANNED:
                    self.plans[effect].append(cause)
            self.linked[effect].append(cause)
            self.linked[cause].append(effect)
        self.activities = tuple(activities)

    def plans_of_activities(self) -> Iterator[Resource]:
        """The plans of the activities."""
        return (plan for activity in self.activities for plan in self.plans.get(activity, ()))


def _activities(
    links: _Links,
    classes: Classes,
    tags: Mapping[Resource, set[str]],
    names: Mapping[Resource, str],
) -> dict[Resource, PhaseAssignment]:
    placed: dict[Resource, PhaseAssignment] = {}
    for activity in links.activities:
        own = _by_itself(activity, links.plans.get(activity, ()), classes, tags)
        if own is not None:
            placed[activity] = own
    _propagate(links, placed, names)
    for activity in links.activities:
        if activity not in placed:
            by_product = _by_product(links.made.get(activity, ()), links.used.get(activity, ()), classes)
            if by_product is not None:
                placed[activity] = by_product
    _propagate(links, placed, names)
    for activity in links.activities:
        if activity not in placed:
            by_name = _by_name([activity, *links.plans.get(activity, ())], names)
            if by_name is not None:
                placed[activity] = by_name
    _propagate(links, placed, names)
    for activity in list(placed):
        if placed[activity].phase is Phase.LEARNING:
            for thing in links.used.get(activity, ()):
                for maker in links.makers.get(thing, ()):
                    placed.setdefault(maker, PhaseAssignment(Phase.PREPARATION, "because it made what learning used"))
    _propagate(links, placed, names)
    return {
        activity: placed.get(activity, PhaseAssignment(Phase.OTHER, "nothing says more"))
        for activity in links.activities
    }


def _by_itself(
    activity: Resource,
    plans: Iterable[Resource],
    classes: Classes,
    tags: Mapping[Resource, set[str]],
) -> PhaseAssignment | None:
    for phase, cls in _first(_OF_CLASS, classes.get(activity, {})):
        return PhaseAssignment(phase, f"by its class {fallback_label(cls)}")
    for plan in plans:
        for phase, cls in _first(_OF_PLAN_CLASS, classes.get(plan, {})):
            return PhaseAssignment(phase, f"by the class of its plan, {fallback_label(cls)}")
    for whose, resource in (("its tag", activity), *(("the tag of its plan,", plan) for plan in plans)):
        for tag in sorted(tags.get(resource, ())):
            phase_of_tag = _OF_TAG.get(" ".join(tag.casefold().split()))
            if phase_of_tag is not None:
                return PhaseAssignment(phase_of_tag, f"by {whose} “{tag}”")
    return None


def _first(table: Mapping[NamedNode, Phase], classes: Iterable[NamedNode]) -> Iterator[tuple[Phase, NamedNode]]:
    return ((table[cls], cls) for cls in classes if cls in table)


def _by_product(made: Iterable[Resource], used: Iterable[Resource], classes: Classes) -> PhaseAssignment | None:
    found = [(phase, cls) for thing in made for phase, cls in _first(_OF_PRODUCT, classes.get(thing, {}))]
    if found:
        phase, cls = max(found, key=lambda one: (_ORDER[one[0]], str(one[1])))
        return PhaseAssignment(phase, f"because it made what is a {fallback_label(cls)}")
    if any(PROVML.RawDomainData in classes.get(thing, {}) for thing in used):
        return PhaseAssignment(Phase.CURATION, "because it used raw domain data")
    return None


def _by_name(resources: Iterable[Resource], names: Mapping[Resource, str]) -> PhaseAssignment | None:
    for resource in resources:
        name = names.get(resource) or fallback_label(resource)
        for pattern, phase in _OF_NAME:
            if pattern.search(name):
                return PhaseAssignment(phase, f"guessed from the name “{name}”", guessed=True)
    return None


def _propagate(links: _Links, placed: dict[Resource, PhaseAssignment], names: Mapping[Resource, str]) -> None:
    """Give sections the phase of their whole, and a whole that of its sections if they agree."""

    def name_of(resource: Resource) -> str:
        return names.get(resource) or fallback_label(resource)

    waiting = list(placed)
    while waiting:
        whole = waiting.pop()
        for section in links.sections.get(whole, ()):
            if section not in placed:
                guessed = placed[whole].guessed
                placed[section] = PhaseAssignment(placed[whole].phase, f"as a section of {name_of(whole)}", guessed)
                waiting.append(section)
    # Repeat from the innermost wholes outwards.
    changed = True
    while changed:
        changed = False
        for whole, sections in links.sections.items():
            phases = {placed[section].phase for section in sections if section in placed}
            if whole not in placed and len(phases) == 1:
                guessed = any(placed[section].guessed for section in sections if section in placed)
                placed[whole] = PhaseAssignment(phases.pop(), "as its sections", guessed)
                changed = True


def _with_things(
    lineage: Lineage, links: _Links, activities: Mapping[Resource, PhaseAssignment]
) -> dict[Resource, PhaseAssignment]:
    placed = dict(activities)
    for resource in lineage.nodes:
        if resource in placed:
            continue
        makers = [activities[maker].phase for maker in links.makers.get(resource, ()) if maker in activities]
        users = [activities[user].phase for user in links.users.get(resource, ()) if user in activities]
        if makers:
            placed[resource] = PhaseAssignment(min(makers, key=_ORDER.__getitem__), "with the activity that made it")
        elif users:
            placed[resource] = PhaseAssignment(
                min(users, key=_ORDER.__getitem__), "with the earliest activity that used it"
            )
    # Spread from assigned resources; those nearer to the start come first.
    waiting = [resource for resource in lineage.nodes if resource in placed]
    for resource in waiting:
        for other in links.linked.get(resource, ()):
            if other not in placed:
                placed[other] = PhaseAssignment(placed[resource].phase, "with what it is linked to")
                waiting.append(other)
    return {
        resource: placed.get(resource, PhaseAssignment(Phase.OTHER, "nothing says more")) for resource in lineage.nodes
    }
