"""Assess many resources: their scores, and what to fix first across all of them.

What counts for a resource is asked for a hundred resources at a time, so that a catalogue takes few requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.fair.assessing import AssessmentView, kept_answers, now, stated_store, view_of
from hpc_explorer.app.fair.online import OnlineChecks
from hpc_explorer.app.fair.places import fair_places
from hpc_explorer.app.fair.surroundings import SessionSurroundings
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource
from hpc_explorer.fair.answers import Answers, read_answers
from hpc_explorer.fair.assessment import assess
from hpc_explorer.fair.collecting import subjects_of
from hpc_explorer.fair.readings import HYBRID, Reading
from hpc_explorer.fair.terms import BACKWARD_ROLES, DATASET_CLASSES, MODEL_CLASSES, Role
from hpc_explorer.fair.values import Action, Indicator, Principle, Priority
from hpc_explorer.ontology.labels import label_order
from hpc_explorer.rdf.namespaces import HPC, RDF
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

AT_ONCE = 100
"""The number of resources per query."""

# Below it are rows of tables too, which belong to what is assessed.
_PARTS = frozenset({HPC.Data})

# What a catalogue or a record says of a dataset: that it is one.
_NAMING_A_WHOLE = frozenset(
    term for role, terms in BACKWARD_ROLES if role in (Role.CATALOGUE, Role.RECORD) for term in terms
)


@dataclass(frozen=True)
class FirstToFix:
    """One indicator across many resources.

    Args:
        indicator: which.
        missing: the resources that certainly do not have its point.
        open: those of which it is not decided.
    """

    indicator: Indicator
    missing: tuple[Resource, ...]
    open: tuple[Resource, ...]

    @property
    def action(self) -> Action:
        """The action that raises it."""
        return self.indicator.action


def resources_to_assess(
    session: Session, cls: NamedNode | None = None, *, limits: Limits = NO_LIMITS
) -> tuple[Resource, ...]:
    """The datasets and models: those with an IRI sorted by it, then those without one that stand for themselves.

    A dataset without an IRI is one of its own where nothing but a catalogue or a record speaks of it, as in schema.org
    and Croissant; one that another's statement leads to is a part of that description.

    Args:
        cls: only what is in this class or one below it.

    Raises:
        UnknownResource: nothing is in this class.
        StoreError, Cancelled, DeadlineExceeded: as the store says.
    """
    schema = session.schema(limits=limits)
    wanted = sorted((DATASET_CLASSES - _PARTS) | MODEL_CLASSES, key=str) if cls is None else [cls]
    classes = dict.fromkeys(below for one in wanted for below in (one, *schema.at_or_below(one)))
    quads = stated_store(session).match_many(predicates=(RDF.type,), objects=tuple(classes), limits=limits)
    members = {quad.subject for quad in quads}
    named = sorted((one for one in members if isinstance(one, NamedNode)), key=str)
    blank = sorted((one for one in members if isinstance(one, BlankNode)), key=str)
    found: tuple[Resource, ...] = (*named, *_of_their_own(session, blank, limits))
    if not found and cls is not None:
        raise UnknownResource("no dataset or model is in this class", cls.value, "see `classes` for those in use")
    return found


def _of_their_own(session: Session, blank: Sequence[BlankNode], limits: Limits) -> Iterator[BlankNode]:
    """The resources that only lists link to."""
    store = stated_store(session)
    # An endpoint cannot be asked about a node without a name.
    if not blank or store.capabilities.remote:
        return
    parts = {
        quad.object for quad in store.match_many(objects=blank, limits=limits) if quad.predicate not in _NAMING_A_WHOLE
    }
    yield from (one for one in blank if one not in parts)


def assess_many(
    session: Session,
    resources: Sequence[Resource],
    *,
    reading: Reading = HYBRID,
    online: bool = False,
    answers: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
    limits: Limits = NO_LIMITS,
) -> Iterator[AssessmentView]:
    """The assessments of many resources, one by one.

    Args:
        answers: a file of answers in place of those beside the graph.
        progress: told after each how many are done, of how many.

    Raises:
        WrongAnswers: a file of answers cannot be used.
        DamagedShapes, StoreError, Cancelled, DeadlineExceeded: as `assess_resource`.
    """
    generation, when = session.generation, now()
    with_online = OnlineChecks.of_user(limits) if online else None
    surroundings = SessionSurroundings(session, with_online, limits=limits)
    told = _Answers(session, answers, limits)
    done = 0
    try:
        waiting = iter(resources)
        while some := list(islice(waiting, AT_ONCE)):
            refs = references(session, some, limits=limits)
            for resource, subject in zip(some, subjects_of(stated_store(session), some, limits=limits), strict=True):
                found = assess(subject, surroundings, when=when, limits=limits)
                given = told.of(resource)
                yield view_of(refs[resource], subject, found, given, reading, generation, online=online)
                done += 1
                progress(done, len(resources))
    finally:
        if with_online is not None:
            with_online.close()


def ranked(views: Iterable[AssessmentView]) -> tuple[AssessmentView, ...]:
    """The resources by certain points, then possible points, then name."""
    return tuple(
        sorted(views, key=lambda view: (-view.score.low, -view.score.high, label_order(view.ref.label), view.ref.iri))
    )


_WEIGHT = {Priority.ESSENTIAL: 0, Priority.IMPORTANT: 1, Priority.USEFUL: 2, Priority.NONE: 3}


def first_to_fix(views: Iterable[AssessmentView]) -> tuple[FirstToFix, ...]:
    """What to fix first: what most resources lack; among equals, what the RDA calls essential."""
    tally = FixTally()
    for view in views:
        tally.add(view)
    return tally.fixes()


class FixTally:
    """What to fix first, over the resources assessed so far."""

    def __init__(self) -> None:
        self._missing: dict[Indicator, list[Resource]] = {}
        self._open: dict[Indicator, list[Resource]] = {}

    def add(self, view: AssessmentView) -> None:
        """Add an assessment; only its gaps are kept."""
        for one in view.decided:
            if one.points.is_open:
                self._open.setdefault(one.indicator, []).append(view.resource)
            elif not one.points.high:
                self._missing.setdefault(one.indicator, []).append(view.resource)

    def fixes(self) -> tuple[FirstToFix, ...]:
        """The gaps in the order of `first_to_fix`."""
        order = list(Principle)
        found = [
            FirstToFix(indicator, tuple(self._missing.get(indicator, ())), tuple(self._open.get(indicator, ())))
            for indicator in dict.fromkeys((*self._missing, *self._open))
        ]
        return tuple(
            sorted(
                found,
                key=lambda one: (
                    -len(one.missing),
                    -len(one.open),
                    _WEIGHT[one.indicator.priority],
                    order.index(one.indicator.principle),
                    one.indicator.id,
                ),
            )
        )


class _Answers:
    """The answers about many resources; each file is read once."""

    def __init__(self, session: Session, file: Path | None, limits: Limits) -> None:
        self.session = session
        self.file = file
        self.limits = limits
        self._read: dict[Path, Mapping[NamedNode, Answers]] = {}

    def of(self, resource: Resource) -> Answers:
        """The gaps of one resource."""
        if not isinstance(resource, NamedNode):
            return Answers(resource)
        if self.file is not None:
            return self._in(self.file).get(resource, Answers(resource))
        return kept_answers(fair_places(self.session, resource, limits=self.limits), resource, self._in)

    def _in(self, path: Path) -> Mapping[NamedNode, Answers]:
        if path not in self._read:
            self._read[path] = read_answers(path)
        return self._read[path]
