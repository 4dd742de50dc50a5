"""The classes and the recent resources that the home of a graph lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.views import ClassNode, ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.kinds import kind_of
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import OWL, RDF, RDFS
from hpc_explorer.rdf.terms import resource_of
from hpc_explorer.stores.base import NO_LIMITS, CountKind, Limits

_FIRST = ("model", "data", "experiment", "machine", "agent")
"""The kinds listed first: models, datasets, runs, machines, people."""

_SCHEMA = (OWL, RDF, RDFS)
"""Classes of these vocabularies describe the schema and come last."""


def listed_classes(roots: Iterable[ClassNode]) -> tuple[ClassNode, ...]:
    """The classes with direct instances: models, datasets, runs, machines and people, then others, the largest first.

    Args:
        roots: the class tree.
    """
    found: dict[str, ClassNode] = {}
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node.ref.iri not in found:
            found[node.ref.iri] = node
            waiting += node.children
    used = (
        node for node in found.values() if node.own_instances.value or node.own_instances.kind is not CountKind.EXACT
    )
    return tuple(sorted(used, key=_order))


def _order(node: ClassNode) -> tuple[int, int, str]:
    if any(node.ref.iri.startswith(vocabulary) for vocabulary in _SCHEMA):
        rank = len(_FIRST) + 1
    else:
        kind = kind_of(node.ref.colour_key)
        rank = _FIRST.index(kind) if kind in _FIRST else len(_FIRST)
    return rank, -node.instances.value, node.ref.label.casefold()


def known_resources(session: Session, iris: Sequence[str], *, limits: Limits = NO_LIMITS) -> tuple[ResourceRef, ...]:
    """The resources that the graph still describes, with their names, in the given order."""
    resources = [resource_of(iri) for iri in iris]
    named = (RDF.type, *LABEL_PREDICATES)
    known = {quad.subject for quad in session.store.match_many(subjects=resources, predicates=named, limits=limits)}
    refs = references(session, [one for one in resources if one in known], limits=limits)
    return tuple(refs.values())
