"""What is removed with a resource, with names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hpc_explorer.app.forms.annotating import named_in_forms, removal_of
from hpc_explorer.app.forms.views import Removal
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class AskedRemoval:
    """What is removed with a resource, with the names to describe it.

    Args:
        ref: how the resource is named.
        removal: what goes.
        properties: the names of the properties that link to it.
        is_typed: whether something is typed into its form that is not saved.
    """

    ref: ResourceRef
    removal: Removal
    properties: Mapping[NamedNode, str]
    is_typed: bool = False


def asked_removal(
    session: Session, resource: Resource, is_typed: bool = False, *, limits: Limits = NO_LIMITS
) -> AskedRemoval:
    """What is removed with a resource.

    Args:
        is_typed: whether something is typed into its form that is not saved.

    Raises:
        UnknownResource: the graph says nothing of it.
    """
    removal = removal_of(session, resource, limits=limits)
    predicates = dict.fromkeys(quad.predicate for quad in removal.links)
    refs = named_in_forms(session, [resource, *predicates], limits=limits)
    return AskedRemoval(refs[resource], removal, {one: refs[one].label for one in predicates}, is_typed)
