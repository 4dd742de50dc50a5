"""Find the projects of resources: those they name, else those of what generated, planned or contained them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from typing import TypeVar

from hpc_explorer.lineage.trace.trace import Direction, steps_from
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.rdf.namespaces import DCTERMS, FOAF, HPC, MLS, PROVLAKE, PROVML, RDF, SCHEMA, SCHEMAS
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store

PROJECT_CLASSES = frozenset(
    {HPC.Project, PROVLAKE.Project, PROVML.Study, MLS.Study, FOAF.Project}
    | {namespace.term(name) for namespace in (SCHEMA, SCHEMAS) for name in ("Project", "ResearchProject")}
)

T = TypeVar("T")

# The subject is the part; the subject is the whole.
PART_TO_WHOLE = frozenset({HPC.project, PROVLAKE.isPartOf, DCTERMS.isPartOf, SCHEMA.isPartOf, SCHEMAS.isPartOf})
WHOLE_TO_PART = frozenset({HPC.data, HPC.dataset, HPC.aiModel, HPC.workflow, DCTERMS.hasPart})

# Relations to the activity and its context. Source data may belong to other projects.
WITHIN = frozenset({Relation.GENERATED, Relation.INFORMED, Relation.PLANNED, Relation.INFLUENCED})


def projects_of(
    store: Store,
    resources: Iterable[Resource],
    vocabulary: LineageVocabulary,
    classes: Collection[NamedNode] = PROJECT_CLASSES,
    *,
    used: Mapping[NamedNode, int] | None = None,
    limits: Limits = NO_LIMITS,
) -> Mapping[Resource, frozenset[Resource]]:
    """The projects of each resource; resources without any are left out.

    The number of requests grows with the depth of projects, not with the number of resources.

    Args:
        classes: the classes of projects, with subclasses.
        used: how often each predicate is used, if known exactly.
    """
    start = list(dict.fromkeys(resources))
    projects = {
        quad.subject
        for quad in store.match_many(objects=list(classes), predicates=(RDF.type,), limits=limits)
        if isinstance(quad.subject, (NamedNode, BlankNode))
    }

    def wholes(level: Collection[Resource]) -> dict[Resource, set[Resource]]:
        limits.check("the projects")
        return _wholes(store, level, used, limits)

    def makers(level: Collection[Resource]) -> Iterable[tuple[Resource, Resource]]:
        found = steps_from(store, level, vocabulary, Direction.UPSTREAM, limits=limits)
        return ((effect, cause) for effect, cause, relation in found if relation in WITHIN)

    return projects_by_level(start, projects, wholes, makers)


def projects_by_level(
    start: Sequence[T],
    projects: Set[T],
    wholes: Callable[[Collection[T]], dict[T, set[T]]],
    makers: Callable[[Collection[T]], Iterable[tuple[T, T]]],
) -> dict[T, frozenset[T]]:
    """The projects of resources, with the queries passed in.

    Args:
        wholes: returns what each resource of a level is part of.
        makers: returns pairs of a resource of a level and what generated, planned or contained it.
    """
    members: dict[T, list[T]] = defaultdict(list)
    seen = set(start)
    level = list(start) if projects else []
    while level:
        owners = defaultdict(set, wholes(level))
        climbing = [one for one in level if one not in projects and projects.isdisjoint(owners.get(one, ()))]
        for effect, cause in makers(climbing):
            owners[effect].add(cause)
        level = []
        for resource, above in owners.items():
            if resource in projects:
                continue
            # A project it names itself takes precedence.
            for owner in above & projects or above:
                members[owner].append(resource)
                if owner not in seen:
                    seen.add(owner)
                    level.append(owner)
    return _spread(projects, members, frozenset(start))


def _wholes(
    store: Store, resources: Collection[Resource], used: Mapping[NamedNode, int] | None, limits: Limits
) -> dict[Resource, set[Resource]]:
    """The wholes of each resource, stated from either side."""
    found: dict[Resource, set[Resource]] = defaultdict(set)
    for terms, is_part in ((PART_TO_WHOLE, True), (WHOLE_TO_PART, False)):
        for predicates, all_of_them in _cheapest(terms, used, len(resources)):
            quads: Iterable[Quad]
            if all_of_them:
                quads = (quad for term in predicates for quad in store.match(None, term, limits=limits))
            elif is_part:
                quads = store.match_many(subjects=resources, predicates=predicates, limits=limits)
            else:
                quads = store.match_many(objects=resources, predicates=predicates, limits=limits)
            wanted = set(resources) if all_of_them else None
            for quad in quads:
                part, whole = (quad.subject, quad.object) if is_part else (quad.object, quad.subject)
                if (
                    isinstance(part, (NamedNode, BlankNode))
                    and isinstance(whole, (NamedNode, BlankNode))
                    and (wanted is None or part in wanted)
                ):
                    found[part].add(whole)
    return found


def _cheapest(
    terms: Collection[NamedNode], used: Mapping[NamedNode, int] | None, asked: int
) -> Iterable[tuple[list[NamedNode], bool]]:
    """Groups of predicates, and whether to read all their statements: those rarer than the resources asked for."""
    if used is None:
        return ((list(terms), False),)
    rare = [term for term in terms if term in used and used[term] <= asked]
    others = [term for term in terms if term in used and used[term] > asked]
    return [(group, whole) for group, whole in ((rare, True), (others, False)) if group]


def _spread(projects: Iterable[T], members: Mapping[T, Iterable[T]], wanted: frozenset[T]) -> dict[T, frozenset[T]]:
    """Pass each project down to its members."""
    found: dict[T, set[T]] = defaultdict(set)
    for project in projects:
        waiting, seen = [project], {project}
        while waiting:
            for member in members.get(waiting.pop(), ()):
                if member not in seen:
                    seen.add(member)
                    waiting.append(member)
                    if member in wanted:
                        found[member].add(project)
    return {resource: frozenset(owners) for resource, owners in found.items()}
