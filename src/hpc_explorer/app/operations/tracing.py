"""Trace: where a resource comes from, what came of it, and how one derives from another."""

from __future__ import annotations

from hpc_explorer.app.session import Session
from hpc_explorer.lineage.backbone import main_line
from hpc_explorer.lineage.path import derivation_path
from hpc_explorer.lineage.trace import Direction, Lineage, LineageEdge, trace
from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits


def trace_lineage(
    session: Session,
    resource: Resource,
    *,
    downstream: bool = False,
    depth: int | None = None,
    only_main_line: bool = False,
    limits: Limits = NO_LIMITS,
) -> Lineage:
    """All that a resource came from; with `downstream` all that came of it.

    Args:
        depth: the most steps to go; None goes to the ends.
        only_main_line: leave out people, programs, machines and plans, and links that a longer way says too.
    """
    lineage = trace(
        session.store,
        resource,
        session.lineage_vocabulary(limits=limits),
        direction=Direction.DOWNSTREAM if downstream else Direction.UPSTREAM,
        depth=depth,
        inferred_graphs=frozenset({INFERRED}),
        limits=limits,
    )
    return main_line(lineage) if only_main_line else lineage


def find_path(
    session: Session, effect: Resource, cause: Resource, *, limits: Limits = NO_LIMITS
) -> tuple[LineageEdge, ...] | None:
    """A shortest chain of steps from `effect` back to `cause`; None if it does not derive from it."""
    return derivation_path(
        session.store,
        effect,
        cause,
        session.lineage_vocabulary(limits=limits),
        inferred_graphs=frozenset({INFERRED}),
        limits=limits,
    )
