"""A resource as the inspector shows it."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.app.explore.describing import describe_resource, properties_for
from hpc_explorer.app.views import PropertyView, ResourceView, TermCount
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

MOST_LISTED = 20_000
"""How many values of one property are listed at once."""


@dataclass(frozen=True)
class Described:
    """All that is said of a resource; of a class, the properties of its instances too, and why each is one."""

    view: ResourceView
    fields: tuple[tuple[TermCount, DomainReason], ...] = ()


def described(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> Described:
    """All that the graph says about a resource.

    Raises:
        UnknownResource: it says nothing.
    """
    view = describe_resource(session, resource, limits=limits)
    if not isinstance(resource, NamedNode) or resource not in session.schema(limits=limits).classes:
        return Described(view)
    return Described(view, properties_for(session, resource, limits=limits))


def all_values(
    session: Session, resource: Resource, shown: PropertyView, incoming: bool, *, limits: Limits = NO_LIMITS
) -> PropertyView:
    """All values of one property of a resource, or all links of one kind that come in, `MOST_LISTED` at most.

    Args:
        shown: the same with fewer values, which is returned where the graph has none of them any more.

    Raises:
        UnknownResource: the graph says nothing of the resource.
    """
    view = describe_resource(session, resource, values_per_property=MOST_LISTED, limits=limits)
    listed = view.incoming if incoming else view.outgoing
    return next((one for one in listed if one.predicate == shown.predicate), shown)
