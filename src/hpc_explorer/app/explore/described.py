"""A resource for the inspector, with its properties in sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hpc_explorer.app.explore.describing import describe_resource, properties_for, property_of
from hpc_explorer.app.views import PropertyView, ResourceView, TermCount, ValueView
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.origin import Origin
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
    """
    found = property_of(session, resource, shown.predicate, outgoing=not incoming, most=MOST_LISTED, limits=limits)
    return found or shown


class Sections(NamedTuple):
    """The properties and incoming links of a resource.

    Args:
        stated, links: with a stated value.
        inferred, inferred_links: with inferred values only.
    """

    stated: tuple[PropertyView, ...]
    inferred: tuple[PropertyView, ...]
    links: tuple[PropertyView, ...]
    inferred_links: tuple[PropertyView, ...]


def sections(view: ResourceView) -> Sections:
    """Divide a description, without the value shown as the description."""
    return Sections(*_parted(_without(view.outgoing, describing(view))), *_parted(view.incoming))


def describing(view: ResourceView) -> ValueView | None:
    """The value that is the description, if any."""
    if not view.description:
        return None
    return next((value for one in view.outgoing for value in one.values if value.text == view.description), None)


def _without(properties: Sequence[PropertyView], shown: ValueView | None) -> tuple[PropertyView, ...]:
    """The properties except the one whose only value is shown elsewhere."""
    return tuple(one for one in properties if shown is None or one.values != (shown,))


def _parted(properties: Sequence[PropertyView]) -> tuple[tuple[PropertyView, ...], tuple[PropertyView, ...]]:
    inferred = [one for one in properties if all(value.origin is Origin.INFERRED for value in one.values)]
    return tuple(one for one in properties if one not in inferred), tuple(inferred)
