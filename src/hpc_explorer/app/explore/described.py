"""A resource for the inspector."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.app.explore.describing import describe_resource, properties_for
from hpc_explorer.app.views import PropertyView, ResourceView, TermCount
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

MOST_LISTED = 20_000
"""The most values of a property that are listed."""


@dataclass(frozen=True)
class Described:
    """A description of a resource; for a class also the properties of its instances, and why each is one."""

    view: ResourceView
    fields: tuple[tuple[TermCount, DomainReason], ...] = ()


def described(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> Described:
    """Describe a resource.

    Raises:
        UnknownResource: it does not occur in the graph.
    """
    view = describe_resource(session, resource, limits=limits)
    if not isinstance(resource, NamedNode) or resource not in session.schema(limits=limits).classes:
        return Described(view)
    return Described(view, properties_for(session, resource, limits=limits))


def all_values(
    session: Session, resource: Resource, shown: PropertyView, incoming: bool, *, limits: Limits = NO_LIMITS
) -> PropertyView:
    """The values of one property of a resource, or its incoming links by one, up to `MOST_LISTED`.

    Args:
        shown: the same with fewer values; returned if the graph no longer has any.

    Raises:
        UnknownResource: the resource does not occur in the graph.
    """
    view = describe_resource(session, resource, values_per_property=MOST_LISTED, limits=limits)
    listed = view.incoming if incoming else view.outgoing
    return next((one for one in listed if one.predicate == shown.predicate), shown)
