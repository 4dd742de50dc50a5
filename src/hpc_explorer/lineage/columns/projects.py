"""Find projects from the columns, as `lineage.impact.projects` does from the triples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from hpc_explorer.lineage.columns.walk import can_walk, instances, steps_up
from hpc_explorer.lineage.impact.projects import (
    PART_TO_WHOLE,
    PROJECT_CLASSES,
    WHOLE_TO_PART,
    WITHIN,
    projects_by_level,
)
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation, SubjectIs
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.columns.columns import Columns

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
