"""Trace: where a resource comes from, what came of it, and how one derives from another."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from hpc_explorer.app.session import Session
from hpc_explorer.lineage.as_of import Moment, State
from hpc_explorer.lineage.backbone import main_line
from hpc_explorer.lineage.content import SameContent
from hpc_explorer.lineage.cost import next_level
from hpc_explorer.lineage.path import derivation_path
from hpc_explorer.lineage.timeline import Timeline, timeline
from hpc_explorer.lineage.trace import Direction, Lineage, LineageEdge, trace
from hpc_explorer.lineage.unknown import predicates_not_understood
from hpc_explorer.ontology.inference import INFERRED
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits


def trace_lineage(
    session: Session,
    resource: Resource,
    *,
    downstream: bool = False,
    depth: int | None = None,
    only_main_line: bool = False,
    as_of: datetime | None = None,
    match_content: bool = False,
    limits: Limits = NO_LIMITS,
) -> Lineage:
    """All that a resource came from; with `downstream` all that came of it.

    Args:
        depth: the most steps to go; None goes to the ends.
        only_main_line: leave out people, programs, machines and plans, and links that a longer way says too.
        as_of: leave out what was not there yet at this moment; what is undated stays, see `states_in`.
        match_content: go on through things with the same checksum too; such a step is matched by value.
    """
    vocabulary = session.lineage_vocabulary(limits=limits)
    lineage = trace(
        session.store,
        resource,
        vocabulary,
        direction=Direction.DOWNSTREAM if downstream else Direction.UPSTREAM,
        depth=depth,
        inferred_graphs=frozenset({INFERRED}),
        presence=None if as_of is None else Moment(session.store, vocabulary, as_of),
        content=SameContent(session.store) if match_content else None,
        limits=limits,
    )
    return main_line(lineage) if only_main_line else lineage


def states_in(
    session: Session, lineage: Lineage, as_of: datetime, *, limits: Limits = NO_LIMITS
) -> dict[Resource, State]:
    """What is known of each resource of a lineage at a moment: there, undated, or invalidated by then."""
    vocabulary = session.lineage_vocabulary(limits=limits)
    states = Moment(session.store, vocabulary, as_of).states(lineage.nodes, limits=limits)
    return {resource: states[resource] for resource in lineage.nodes}


def lineage_timeline(session: Session, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> Timeline:
    """What is known of each resource of a lineage at any moment, looked up once; see `states_in`."""
    return timeline(session.store, lineage.nodes, session.lineage_vocabulary(limits=limits), limits=limits)


def next_level_count(session: Session, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> Count:
    """How many resources one more level would bring to a lineage that its depth cut off, without fetching them."""
    return next_level(session.store, lineage, session.lineage_vocabulary(limits=limits), limits=limits)


def not_understood(session: Session, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> Mapping[NamedNode, int]:
    """The predicates between the resources of a lineage that nobody gave a meaning, with how many links each."""
    return predicates_not_understood(session.store, lineage, session.lineage_vocabulary(limits=limits), limits=limits)


def find_path(
    session: Session,
    effect: Resource,
    cause: Resource,
    *,
    as_of: datetime | None = None,
    match_content: bool = False,
    limits: Limits = NO_LIMITS,
) -> tuple[LineageEdge, ...] | None:
    """A shortest chain of steps from `effect` back to `cause`; None if it does not derive from it.

    Args:
        as_of: leave out what was not there yet at this moment.
        match_content: go on through things with the same checksum too; such a step is matched by value.
    """
    vocabulary = session.lineage_vocabulary(limits=limits)
    return derivation_path(
        session.store,
        effect,
        cause,
        vocabulary,
        inferred_graphs=frozenset({INFERRED}),
        presence=None if as_of is None else Moment(session.store, vocabulary, as_of),
        content=SameContent(session.store) if match_content else None,
        limits=limits,
    )
