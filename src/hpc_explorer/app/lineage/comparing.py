"""Compare two runs or models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.classes import instances_of
from hpc_explorer.app.explore.describing import describe_resource
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.lineage.facts.aspects import Aspect
from hpc_explorer.lineage.facts.compare import Difference, Place, compare_lineages
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.cached import CachedStore

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session


@dataclass(frozen=True)
class Comparison:
    """The differences between two runs or models; see `lineage.facts.compare.LineageDifferences`."""

    first: ResourceRef
    second: ResourceRef
    differences: tuple[Difference, ...]
    aligned: int
    unopened: tuple[tuple[str, int], ...]
    ways: tuple[tuple[Place, ...], ...] = ()
    shared: tuple[tuple[Resource, Resource], ...] = ()

    @property
    def first_parameter(self) -> Difference | None:
        """The first parameter that differs; None if none does."""
        return next((one for one in self.differences if one.aspect is Aspect.PARAMETER), None)


def compare_resources(session: Session, first: Resource, second: Resource, *, limits: Limits = NO_LIMITS) -> Comparison:
    """Compare two runs or models with their lineages; the earliest difference comes first."""
    found = compare_lineages(
        CachedStore(session.store), first, second, session.lineage_vocabulary(limits=limits), limits=limits
    )
    refs = references(session, [first, second], limits=limits)
    return Comparison(
        refs[first], refs[second], found.differences, found.aligned, found.unopened, found.ways, found.shared
    )


@dataclass(frozen=True)
class Alike:
    """A resource and what it can be compared with.

    Args:
        kind: the label of its most specific class, or "".
        others: the first other instances of that class.
    """

    ref: ResourceRef
    kind: str
    others: tuple[ResourceRef, ...]


def alike(session: Session, resource: Resource, *, limits: Limits = NO_LIMITS) -> Alike:
    """The other instances of a resource's class."""
    view = describe_resource(session, resource, limits=limits)
    cls = view.types[0] if view.types else None
    if cls is None or not isinstance(cls.resource, NamedNode):
        return Alike(view.ref, "", ())
    page = instances_of(session, cls.resource, limits=limits)
    return Alike(view.ref, cls.label, tuple(ref for ref in page.items if ref.resource != resource))
