"""Impact: which models a dataset, file, script or machine reached, by project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.finding import references, told_apart
from hpc_explorer.app.export.exporting import statements_document
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.lineage.columns.impact import column_impact, column_projects_of
from hpc_explorer.lineage.facts.content import SameContent
from hpc_explorer.lineage.impact.impact import Reached, impact
from hpc_explorer.lineage.impact.projects import PROJECT_CLASSES, projects_of
from hpc_explorer.lineage.time.as_of import Moment, State
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.namespaces import HPC, MLS, PROVML, RDF
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits
from hpc_explorer.stores.description import descriptions

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session

MODEL_CLASSES = frozenset({PROVML.Model, MLS.Model, HPC.AIModel})
"""The classes of models; subclasses count too."""


@dataclass(frozen=True)
class ReachedModel:
    """A model that was reached, with its projects and the evidence.

    Args:
        undated: whether its time is not recorded, when asked as of a moment.
    """

    ref: ResourceRef
    projects: tuple[ResourceRef, ...]
    reached: Reached
    undated: bool = False


@dataclass(frozen=True)
class Impact:
    """What a resource reached.

    Args:
        models: the models reached, by project, nearest first.
        projects: the number of models per project; None: without a known project. A model of two projects counts in
            both.
        total: the number of models reached.
        candidates: the number of models that could have been reached.
        is_anomaly: whether the resource is an anomaly, which cannot be retracted as a dataset can.
    """

    start: ResourceRef
    models: tuple[ReachedModel, ...]
    projects: tuple[tuple[ResourceRef | None, Count], ...]
    total: Count
    candidates: Count
    as_of: datetime | None = None
    is_anomaly: bool = False


def find_impact(
    session: Session,
    resource: Resource,
    *,
    kinds: Iterable[NamedNode] = (),
    as_of: datetime | None = None,
    match_content: bool = False,
    limits: Limits = NO_LIMITS,
) -> Impact:
    """Every model that a resource reached, to be checked if the resource is retracted.

    Args:
        kinds: count the instances of these classes instead of models.
        as_of: use the graph as it was at this moment.
        match_content: also follow resources with the same checksum.
    """
    vocabulary = session.lineage_vocabulary(limits=limits)
    classes = _with_those_below(session, frozenset(kinds) or MODEL_CLASSES, limits)
    moment = None if as_of is None else Moment(session.store, vocabulary, as_of)
    content = SameContent(session.store) if match_content else None
    found, targets = _reached(session, resource, vocabulary, classes, moment, content, limits)
    owners = _projects(session, [one.resource for one in found], vocabulary, limits)
    refs = told_apart(
        references(
            session,
            [resource, *(one.resource for one in found), *{project for some in owners.values() for project in some}],
            limits=limits,
        )
    )
    states = {} if moment is None else moment.states((one.resource for one in found), limits=limits)
    # Many models share their projects, so each set of projects is handled once.
    together: dict[frozenset[Resource], list[ReachedModel]] = defaultdict(list)
    projects: dict[frozenset[Resource], tuple[ResourceRef, ...]] = {}
    for one in found:
        its = owners.get(one.resource, frozenset())
        if its not in projects:
            projects[its] = tuple(sorted((refs[project] for project in its), key=_by_name))
        undated = states.get(one.resource) is State.UNDATED
        together[its].append(ReachedModel(refs[one.resource], projects[its], one, undated))
    numbers: dict[ResourceRef | None, int] = defaultdict(int)
    for its, some in together.items():
        for project in projects[its] or (None,):
            numbers[project] += len(some)
    in_order = sorted(together, key=lambda its: [_by_name(project) for project in projects[its]] or [("\uffff", "")])
    return Impact(
        refs[resource],
        tuple(model for its in in_order for model in together[its]),
        tuple(
            (project, Count(number))
            for project, number in sorted(
                numbers.items(),
                key=lambda item: (item[0] is None, -item[1], _by_name(item[0]) if item[0] else ("", "")),
            )
        ),
        Count(len(found)),
        Count(targets),
        as_of,
        any(session.store.match(resource, RDF.type, HPC.Anomaly, limits=limits)),
    )


def _projects(
    session: Session, resources: Sequence[Resource], vocabulary: LineageVocabulary, limits: Limits
) -> Mapping[Resource, frozenset[Resource]]:
    """The projects of resources, from the columns if possible."""
    classes = _with_those_below(session, PROJECT_CLASSES, limits)
    if session.columns is not None:
        by_columns = column_projects_of(session.columns, resources, vocabulary, classes, limits=limits)
        if by_columns is not None:
            return by_columns
    used = None if session.store.capabilities.remote else session.usage(limits=limits).predicates
    return projects_of(session.store, resources, vocabulary, classes, used=used, limits=limits)


def _reached(
    session: Session,
    resource: Resource,
    vocabulary: LineageVocabulary,
    classes: frozenset[NamedNode],
    moment: Moment | None,
    content: SameContent | None,
    limits: Limits,
) -> tuple[tuple[Reached, ...], int]:
    """The targets reached and the number of targets, from the columns if possible."""
    inferred = frozenset({INFERRED})
    if session.columns is not None and moment is None and content is None:
        by_columns = column_impact(
            session.columns, session.store, resource, vocabulary, classes, inferred_graphs=inferred, limits=limits
        )
        if by_columns is not None:
            return by_columns
    targets = {
        quad.subject
        for quad in session.store.match_many(objects=list(classes), predicates=(RDF.type,), limits=limits)
        if isinstance(quad.subject, (NamedNode, BlankNode))
    }
    found = impact(
        session.store,
        resource,
        vocabulary,
        targets,
        presence=moment,
        inferred_graphs=inferred,
        content=content,
        limits=limits,
    )
    return found, len(targets - {resource})


def impact_document(session: Session, found: Impact, *, limits: Limits = NO_LIMITS) -> str:
    """An impact as JSON-LD: the statements behind each path, and descriptions of its ends."""
    return statements_document(session, _statements(session, found, limits))


def _statements(session: Session, found: Impact, limits: Limits) -> Iterator[Quad]:
    evidence = (quad for model in found.models for edge in model.reached.path for quad in edge.evidence)
    described = [found.start, *(model.ref for model in found.models)]
    described += [project for project, _ in found.projects if project is not None]
    about = descriptions(session.store, [ref.resource for ref in described], limits=limits)
    yield from dict.fromkeys(chain(evidence, about))


def _with_those_below(session: Session, classes: frozenset[NamedNode], limits: Limits) -> frozenset[NamedNode]:
    schema = session.schema(limits=limits)
    return classes | {cls for cls in schema.classes if not classes.isdisjoint(schema.superclasses(cls))}


def _by_name(ref: ResourceRef) -> tuple[str, str]:
    return (ref.label.casefold(), ref.iri)
