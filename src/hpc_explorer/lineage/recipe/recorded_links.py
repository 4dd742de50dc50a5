"""Links from the special forms of recorders: RO-Crate's actions about actions, CWLProv's contents and roles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from hpc_explorer.lineage.facts.aspects import kind_words
from hpc_explorer.lineage.recipe.particulars import Particulars
from hpc_explorer.lineage.trace.trace import LineageEdge
from hpc_explorer.lineage.trace.vocabulary import Relation
from hpc_explorer.ontology.labels import fallback_label, labels_of
from hpc_explorer.rdf.namespaces import PROV
from hpc_explorer.rdf.terms import Resource, is_resource
from hpc_explorer.stores.base import Limits, Store

# RO-Crate describes orchestration and the executed step of a plan as actions too.
_BOOKKEEPING = frozenset({"organizeaction", "controlaction"})


def with_content(about: Mapping[Resource, Particulars], edges: Iterable[LineageEdge]) -> dict[Resource, Particulars]:
    """The thing that a resource is a version of describes its content: CWLProv puts digests there."""
    told = dict(about)
    for edge in edges:
        known = told[edge.effect]
        if edge.relation is Relation.SPECIALISED and edge.cause not in known.files:
            told[edge.effect] = replace(known, files=(*known.files, edge.cause))
    return told


def roles_of(store: Store, edges: Iterable[LineageEdge], limits: Limits) -> dict[tuple[Resource, Resource], str]:
    """The roles of things in qualified usages (PROV-O 3.3, `prov:hadRole`)."""
    ends: dict[Resource, tuple[Resource, Resource]] = {}
    for edge in edges:
        for first, second in pairwise(edge.evidence):
            if first.object == second.subject and is_resource(second.subject):
                ends[second.subject] = (edge.effect, edge.cause)
    if not ends:
        return {}
    said = {
        quad.subject: quad.object
        for quad in store.match_many(subjects=list(ends), predicates=(PROV.hadRole,), limits=limits)
        if is_resource(quad.subject) and is_resource(quad.object)
    }
    names = labels_of(store, list(set(said.values())), limits=limits)
    return {ends[node]: names.get(role) or fallback_label(role) for node, role in said.items()}


def without_bookkeeping(
    edges: tuple[LineageEdge, ...], about: Mapping[Resource, Particulars]
) -> tuple[tuple[LineageEdge, ...], dict[Resource, Resource]]:
    """Replace RO-Crate's actions about actions by links of the actions themselves (Provenance Run Crate 0.5).

    An OrganizeAction links an engine to a workflow, and a ControlAction an action to its step of the plan. Returns
    the other links, and the workflow run of each action within one.
    """
    books = {resource for resource, known in about.items() if kind_words(known.classes) & _BOOKKEEPING}
    if not books:
        return edges, {}
    told = [edge for edge in edges if edge.effect not in books and edge.cause not in books]
    runs: dict[Resource, set[Resource]] = defaultdict(set)
    controlled: dict[Resource, set[Resource]] = defaultdict(set)
    for edge in edges:
        if edge.cause in books and edge.effect not in books and edge.relation is Relation.GENERATED:
            runs[edge.cause].add(edge.effect)
        elif edge.effect in books and edge.relation is Relation.USED:
            controlled[edge.effect].add(edge.cause)
    known = {(edge.effect, edge.cause, edge.relation) for edge in told}
    for edge in edges:
        if edge.effect in books and edge.relation.is_context:
            for action in runs.get(edge.effect) or controlled[edge.effect] - books:
                moved = replace(edge, effect=action)
                key = (moved.effect, moved.cause, moved.relation)
                if key not in known:
                    known.add(key)
                    told.append(moved)
    within = {
        action: run
        for book, made in runs.items()
        for run in made
        for control in controlled[book]
        for action in (controlled[control] - books if control in books else {control})
        if action != run
    }
    return tuple(told), within
