"""The resource that an RO-Crate is about (RO-Crate 1.1, section "Root Data Entity"; Process Run Crate 0.5)."""

from __future__ import annotations

from collections.abc import Iterator

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.common_terms import schema_org
from hpc_explorer.rdf.namespaces import DCTERMS
from hpc_explorer.rdf.terms import NamedNode, Resource, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

RO_CRATE = "https://w3id.org/ro/crate/"
"""The profile that the metadata of every crate conforms to begins so."""

MOST_TRIED = 20
"""The most resources whose lineage is looked at."""


def main_entity(session: Session, *, limits: Limits = NO_LIMITS) -> Resource | None:
    """The main entity of the open crate, or else a result of its actions, of which a lineage is recorded.

    Returns:
        None if no crate is open, or if nothing is recorded before any of these.
    """
    if session.store.capabilities.remote:
        return None
    for number, entity in enumerate(dict.fromkeys(_candidates(session, limits))):
        if number == MOST_TRIED:
            break
        if len(trace_lineage(session, entity, depth=1, limits=limits).nodes) > 1:
            return entity
    return None


def _candidates(session: Session, limits: Limits) -> Iterator[Resource]:
    def linked(subject: Resource, *names: str) -> list[Resource]:
        found = session.store.match_many(subjects=[subject], predicates=schema_org(*names), limits=limits)
        return sorted((quad.object for quad in found if is_resource(quad.object)), key=str)

    for profiled in session.store.match(None, DCTERMS.conformsTo, limits=limits):
        if not isinstance(profiled.object, NamedNode) or not profiled.object.value.startswith(RO_CRATE):
            continue
        if not is_resource(profiled.subject):
            continue
        for root in linked(profiled.subject, "about"):
            yield from linked(root, "mainEntity")
            for action in linked(root, "mentions"):
                yield from linked(action, "result")
