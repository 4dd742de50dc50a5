"""Assess how FAIR a dataset or model is: tests, answers, score, history and repairs.

An assessment looks at the graph as it stands; answers lie beside it (`app/fair/places.py`). Mending is an edit like any
other: it goes through the journal, and can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.fair.online import OnlineChecks
from hpc_explorer.app.fair.places import FairPlaces, fair_places
from hpc_explorer.app.fair.surroundings import SessionSurroundings
from hpc_explorer.app.forms.annotating import graph_for
from hpc_explorer.app.settings import user_name
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource, UsageError
from hpc_explorer.fair.answers import Answers, read_answers, write_answers
from hpc_explorer.fair.assessment import Assessment, assess
from hpc_explorer.fair.collecting import subject_of
from hpc_explorer.fair.fuji_report import FujiReport, doubt_about, with_fuji
from hpc_explorer.fair.history import Kept, keep, read_history
from hpc_explorer.fair.ladder import Rung, ladder
from hpc_explorer.fair.planning import Plan, plan
from hpc_explorer.fair.readings import HYBRID, Reading
from hpc_explorer.fair.repairing import Ask, Repair, repairs
from hpc_explorer.fair.scoring import Decided, Score, check_answer, decided, score_of
from hpc_explorer.fair.subject import Subject
from hpc_explorer.fair.terms import DATASET_CLASSES, MODEL_CLASSES
from hpc_explorer.fair.values import Answer
from hpc_explorer.ontology.inference import StatedStore
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Resource, iri_text
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


@dataclass(frozen=True)
class AssessmentView:
    """An assessment with everything shown about it.

    Args:
        resource: what was assessed.
        ref: how it is named.
        subject: what the graph says that may count for it.
        assessment: what the tests found.
        answers: what people answered about it.
        reading: how the paper is read.
        decided: what each indicator comes to, in the list's order.
        score: their sum.
        ladder: the RDA's level of each area, F, A, I, R.
        generation: the session's number when it was assessed: a later one means that the graph may say otherwise now.
        online: whether addresses might be asked.
        tally: how many of them were asked, and how many answered; None where that is not known of this resource alone.
        fuji: the report of F-UJI whose results stand in place of the tests'; None where none do.
    """

    resource: Resource
    ref: ResourceRef
    subject: Subject
    assessment: Assessment
    answers: Answers
    reading: Reading
    decided: tuple[Decided, ...]
    score: Score
    ladder: tuple[Rung, ...]
    generation: int
    online: bool = False
    tally: tuple[int, int] | None = None
    fuji: FujiReport | None = None

    def read_as(self, reading: Reading) -> AssessmentView:
        """The same findings and answers by another reading of the paper."""
        return _view(self, self.answers, reading)

    def answered(self, answers: Answers) -> AssessmentView:
        """The same findings with other answers."""
        return _view(self, answers, self.reading)

    def with_fuji(self, report: FujiReport) -> AssessmentView:
        """The same answers, with F-UJI's results for the metrics in its report."""
        in_doubt = bool(doubt_about(report, self.subject))
        joined = replace(self, assessment=with_fuji(self.assessment, report, in_doubt=in_doubt), fuji=report)
        return joined.answered(self.answers)

    @property
    def doubt(self) -> str:
        """Why F-UJI's report may be about another resource, as a sentence, or empty."""
        return "" if self.fuji is None else doubt_about(self.fuji, self.subject)


def _view(view: AssessmentView, answers: Answers, reading: Reading) -> AssessmentView:
    of_each = decided(view.assessment, answers, reading)
    return replace(
        view, answers=answers, reading=reading, decided=of_each, score=score_of(of_each), ladder=ladder(of_each)
    )


# Assessing


def assess_resource(
    session: Session,
    resource: Resource,
    *,
    reading: Reading = HYBRID,
    online: bool = False,
    answers: Answers | Path | None = None,
    limits: Limits = NO_LIMITS,
) -> AssessmentView:
    """Run the 47 tests on a resource, and compute its score with the users' answers.

    Args:
        online: whether addresses that the description names may be asked; outcomes are kept for a day.
        answers: in place of those beside the graph: answers, or the file that has them.

    Raises:
        UnknownResource: the graph says nothing of it.
        WrongAnswers: the file of answers cannot be used.
        DamagedShapes, StoreError, Cancelled, DeadlineExceeded: as stores and limits say.
    """
    generation = session.generation
    subject = subject_of(stated_store(session), resource, limits=limits)
    if not subject.quads:
        raise UnknownResource("the graph says nothing about this resource", iri_text(resource), "check the IRI")
    given = _answers(session, resource, answers, limits)
    with_online = OnlineChecks.of_user(limits) if online else None
    try:
        surroundings = SessionSurroundings(session, with_online, limits=limits)
        found = assess(subject, surroundings, when=now(), limits=limits)
    finally:
        if with_online is not None:
            with_online.close()
    ref = references(session, [resource], limits=limits)[resource]
    view = view_of(ref, subject, found, given, reading, generation, online=online)
    return replace(view, tally=None if with_online is None else with_online.tally)


def view_of(
    ref: ResourceRef,
    subject: Subject,
    found: Assessment,
    answers: Answers,
    reading: Reading,
    generation: int,
    *,
    online: bool = False,
) -> AssessmentView:
    """An assessment with its score."""
    of_each = decided(found, answers, reading)
    return AssessmentView(
        resource=answers.resource,
        ref=ref,
        subject=subject,
        assessment=found,
        answers=answers,
        reading=reading,
        decided=of_each,
        score=score_of(of_each),
        ladder=ladder(of_each),
        generation=generation,
        online=online,
    )


def is_assessable(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> bool:
    """Whether a resource is a dataset or a model, by one of its classes or a class above."""
    schema = session.schema(limits=limits)
    wanted = {below for one in DATASET_CLASSES | MODEL_CLASSES for below in (one, *schema.at_or_below(one))}
    return any(quad.object in wanted for quad in session.store.match(resource, RDF.type, limits=limits))


def stated_store(session: Session) -> Store:
    """The graph that is assessed: without inferred triples, so that the score does not depend on them."""
    return session.store if session.inference is None else StatedStore(session.store)


def with_iri(resource: Resource, what: str) -> NamedNode:
    """The resource, which is known to have an IRI.

    Args:
        what: is kept of it: "answers".

    Raises:
        UsageError: it has none, so nothing kept about it could be found again.
    """
    if not isinstance(resource, NamedNode):
        raise UsageError(f"{what} can be kept only of what has an IRI", iri_text(resource), "give the resource an IRI")
    return resource


def now() -> datetime:
    """The moment, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


# Answers


def answers_of(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> Answers:
    """The users' answers about a resource; for a sample, the shipped ones until there are others.

    Raises:
        WrongAnswers: the file cannot be used.
        SourceUnreadable: it may not be read.
    """
    return kept_answers(fair_places(session, resource, limits=limits), resource)


def answer(
    session: Session,
    resource: Resource,
    given: Answer,
    *,
    view: AssessmentView | None = None,
    limits: Limits = NO_LIMITS,
) -> Answers:
    """Store an answer, replacing an earlier one to the same indicator, and return all answers.

    Args:
        view: an assessment of the resource: an answer against one of its tests is then refused without a reason.

    Raises:
        UsageError: the resource has no IRI.
        WrongAnswers: it needs a reason, or the file of answers cannot be used.
        OutputNotWritable: it cannot be kept.
    """
    if view is not None:
        check_answer(view.assessment.finding(given.indicator), given)
    named = with_iri(resource, "answers")
    places = fair_places(session, named, limits=limits)
    return _keep_answers(places, kept_answers(places, named).with_answer(given))


def withdraw_answer(session: Session, resource: Resource, indicator: str, *, limits: Limits = NO_LIMITS) -> Answers:
    """Delete an answer, and return the others.

    Raises:
        UsageError, WrongAnswers, OutputNotWritable: as `answer`.
    """
    named = with_iri(resource, "answers")
    places = fair_places(session, named, limits=limits)
    return _keep_answers(places, kept_answers(places, named).without(indicator))


def _keep_answers(places: FairPlaces, answers: Answers) -> Answers:
    places.prepare()
    write_answers(places.answers, answers)
    return answers


def kept_answers(
    places: FairPlaces, resource: Resource, read: Callable[[Path], Mapping[NamedNode, Answers]] = read_answers
) -> Answers:
    """The answers about a resource in the files of a source.

    Args:
        read: gives the answers of a file.

    Raises:
        WrongAnswers, SourceUnreadable: as `answers_of`.
    """
    if not isinstance(resource, NamedNode):
        return Answers(resource)
    own = read(places.answers).get(resource)
    if own is None and places.shipped is not None:
        own = read(places.shipped).get(resource)
    return own or Answers(resource)


def _answers(session: Session, resource: Resource, given: Answers | Path | None, limits: Limits) -> Answers:
    if isinstance(given, Answers):
        return given
    if given is None:
        return answers_of(session, resource, limits=limits)
    if not given.exists():
        raise UsageError("no such file of answers", str(given), "check the path")
    about = read_answers(given)
    return about.get(resource, Answers(resource)) if isinstance(resource, NamedNode) else Answers(resource)


# History


def keep_assessment(session: Session, view: AssessmentView, *, limits: Limits = NO_LIMITS) -> Kept:
    """Add an assessment to the history beside the graph.

    Raises:
        UsageError: the resource has no IRI.
        OutputNotWritable: it cannot be kept.
    """
    places = fair_places(session, with_iri(view.resource, "a history"), limits=limits)
    places.prepare()
    kept = Kept(now(), user_name(), view.assessment, view.answers, view.reading)
    keep(places.history, kept)
    return kept


def history(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> tuple[Kept, ...]:
    """The stored assessments of a resource, oldest first; unreadable lines are skipped.

    Raises:
        SourceUnreadable: the history may not be read.
    """
    if not isinstance(resource, NamedNode):
        return ()
    return read_history(fair_places(session, resource, limits=limits).history).of(resource)


# Mending


def repairs_for(session: Session, view: AssessmentView, *, limits: Limits = NO_LIMITS) -> tuple[Repair, ...]:
    """The repairs for an assessment, largest gain first; facts that only a person knows are asked.

    Raises:
        StoreError, Cancelled, DeadlineExceeded: as stores and limits say.
    """
    return repairs(
        view.assessment,
        view.subject,
        SessionSurroundings(session, limits=limits),
        graph=graph_for(session, view.resource, limits=limits),
    )


def plan_for(
    session: Session,
    view: AssessmentView,
    target: int | float,
    given: Mapping[Ask, str] | None = None,
    *,
    limits: Limits = NO_LIMITS,
) -> Plan:
    """The smallest set of steps that reaches a target, tested on the graph as it would be.

    Args:
        target: points, or percent as a number with a decimal point.
        given: what a person answered to questions of the repairs.

    Raises:
        WrongAnswers: there is no such target.
        WrongEntry: an answer is not of the kind that is wanted.
        UsageError: F-UJI decides a part of the assessment.
        StoreError, Cancelled, DeadlineExceeded: as stores and limits say.
    """
    if view.fuji is not None:
        raise UsageError(
            "a plan is tested on what the graph would be, and F-UJI's report says nothing of that",
            iri_text(view.resource),
            "plan without the report",
        )
    return plan(
        view.assessment,
        view.subject,
        target,
        answers=view.answers,
        reading=view.reading,
        surroundings=SessionSurroundings(session, limits=limits),
        given=given,
        limits=limits,
    )
