"""Compare: what differs between two runs or two models."""

from __future__ import annotations

from dataclasses import dataclass

from hpc_explorer.app.operations.finding import references
from hpc_explorer.app.session import Session
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.lineage.aspects import Aspect
from hpc_explorer.lineage.compare import Difference, compare_lives
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class Comparison:
    """What differs between two runs or models; see `lineage.compare.LifeDifferences`."""

    first: ResourceRef
    second: ResourceRef
    differences: tuple[Difference, ...]
    aligned: int
    unopened: tuple[tuple[str, int], ...]

    @property
    def first_parameter(self) -> Difference | None:
        """The first parameter that differs; None where none does."""
        return next((one for one in self.differences if one.aspect is Aspect.PARAMETER), None)


def compare_resources(session: Session, first: Resource, second: Resource, *, limits: Limits = NO_LIMITS) -> Comparison:
    """What differs between two runs or models and all that they came from, the first difference in time first."""
    found = compare_lives(session.store, first, second, session.lineage_vocabulary(limits=limits), limits=limits)
    refs = references(session, [first, second], limits=limits)
    return Comparison(refs[first], refs[second], found.differences, found.aligned, found.unopened)
