"""The recent resources that the home of a graph lists."""

from __future__ import annotations

from collections.abc import Sequence

from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.labels import LABEL_PREDICATES
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import resource_of
from hpc_explorer.stores.base import NO_LIMITS, Limits


def known_resources(session: Session, iris: Sequence[str], *, limits: Limits = NO_LIMITS) -> tuple[ResourceRef, ...]:
    """The resources that the graph still describes, with their names, in the given order."""
    resources = [resource_of(iri) for iri in iris]
    named = (RDF.type, *LABEL_PREDICATES)
    known = {quad.subject for quad in session.store.match_many(subjects=resources, predicates=named, limits=limits)}
    others = (one for one in resources if one not in known)
    known |= {one for one in others if next(iter(session.store.match(one, None, None, limits=limits)), None)}
    refs = references(session, [one for one in resources if one in known], limits=limits)
    return tuple(refs.values())
