"""Trace the lineage of a resource, and how one resource derives from another."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from hpc_explorer.errors import Unsupported
from hpc_explorer.lineage.facts.content import SameContent
from hpc_explorer.lineage.time.as_of import Moment, State
from hpc_explorer.lineage.time.recorded import RecordedStore, RecordedTimeline, recorded_timeline
from hpc_explorer.lineage.time.timeline import Timeline, timeline
from hpc_explorer.lineage.trace.backbone import main_line
from hpc_explorer.lineage.trace.counts import next_level, predicates_not_understood
from hpc_explorer.lineage.trace.paging import ServerPage
from hpc_explorer.lineage.trace.path import derivation_path
from hpc_explorer.lineage.trace.trace import Direction, Lineage, LineageEdge, LineageNode, Stop, trace
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary
from hpc_explorer.ontology.rules import INFERRED
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits, Store
from hpc_explorer.stores.remote.remote import RemoteStore

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session


def trace_lineage(
    session: Session,
    resource: Resource,
    *,
    downstream: bool = False,
    depth: int | None = None,
    only_main_line: bool = False,
    as_of: datetime | None = None,
    recorded_by: datetime | None = None,
    match_content: bool = False,
    shown: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Lineage:
    """Everything a resource was derived from; with `downstream` everything derived from it.

    Args:
        depth: the maximum number of steps; None: no limit.
        only_main_line: without people, programs, machines, plans and shortcuts.
        as_of: without what did not exist yet at this moment; undated resources stay, see `states_in`.
        recorded_by: use the statements recorded by this moment, see `recorded_store`.
        match_content: also follow resources with the same checksum; such steps are matched by value.
        shown: how many resources are shown: without a depth, a server sends the levels that fit; None: all of them.

    Raises:
        Unsupported: it is not known when the statements were recorded.
    """
    store, vocabulary = _asked(session, recorded_by, limits)
    direction = Direction.DOWNSTREAM if downstream else Direction.UPSTREAM
    page = None
    if shown is not None and depth is None and as_of is None and not match_content and isinstance(store, RemoteStore):
        page = ServerPage(store, vocabulary, direction, shown)
    if recorded_by is not None and not is_mentioned(store, resource, limits=limits):
        node = LineageNode(resource, 0, False, Stop.NOT_RECORDED)
        return Lineage(resource, direction, {resource: node}, (), True)
    lineage = trace(
        store,
        resource,
        vocabulary,
        direction=direction,
        depth=depth,
        inferred_graphs=frozenset({INFERRED}),
        presence=None if as_of is None else Moment(store, vocabulary, as_of),
        content=SameContent(store) if match_content else None,
        page=page,
        limits=limits,
    )
    return main_line(lineage) if only_main_line else lineage


def recorded_store(session: Session, at: datetime | None, *, limits: Limits = NO_LIMITS) -> RecordedStore:
    """The graph as recorded by a moment; None: everything ever recorded.

    Raises:
        Unsupported: it is not known when the statements were recorded.
        StoreError: a workspace's earlier versions cannot be read.
    """
    if session.store.capabilities.remote:
        raise Unsupported(
            "an endpoint has no recording times of its statements", session.sources[0].name, "load it as files"
        )
    if session.inference is not None:
        raise Unsupported(
            "inferred statements depend on the current graph", "", "turn inference off to see what was recorded"
        )
    return RecordedStore(session.store, session.recorded_history(limits=limits), at)


def _asked(session: Session, recorded_by: datetime | None, limits: Limits) -> tuple[Store, LineageVocabulary]:
    """The current or recorded store, with the lineage vocabulary it uses."""
    if recorded_by is None:
        return session.store, session.lineage_vocabulary(limits=limits)
    # Removed statements may use predicates that the graph no longer uses.
    vocabulary = session.lineage_vocabulary(only_used=False, limits=limits)
    return recorded_store(session, recorded_by, limits=limits), vocabulary


def is_mentioned(store: Store, resource: Resource, *, limits: Limits = NO_LIMITS) -> bool:
    """Whether a store has any statement about a resource."""
    about = store.match(resource, limits=limits)
    return any(True for _ in about) or any(True for _ in store.match(None, None, resource, limits=limits))


def recorded_lineage(
    session: Session,
    lineage: Lineage,
    *,
    depth: int | None = None,
    match_content: bool = False,
    limits: Limits = NO_LIMITS,
) -> RecordedTimeline:
    """Everything ever recorded of a lineage, and its state at any moment.

    Args:
        lineage: gives start and direction.
        depth: the maximum number of steps; None: no limit.

    Raises:
        Unsupported: it is not known when the statements were recorded.
    """
    store = recorded_store(session, None, limits=limits)
    vocabulary = session.lineage_vocabulary(only_used=False, limits=limits)
    content = SameContent(store) if match_content else None
    ever = trace(
        store,
        lineage.start,
        vocabulary,
        direction=lineage.direction,
        depth=depth,
        content=content,
        limits=limits,
    )
    return recorded_timeline(store, ever, store.history, limits=limits)


def states_in(
    session: Session,
    lineage: Lineage,
    as_of: datetime,
    *,
    recorded_by: datetime | None = None,
    limits: Limits = NO_LIMITS,
) -> dict[Resource, State]:
    """The state of each resource of a lineage at a moment."""
    store, vocabulary = _asked(session, recorded_by, limits)
    states = Moment(store, vocabulary, as_of).states(lineage.nodes, limits=limits)
    return {resource: states[resource] for resource in lineage.nodes}


def lineage_timeline(session: Session, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> Timeline:
    """The state of each resource of a lineage at any moment; see `states_in`."""
    return timeline(session.store, lineage.nodes, session.lineage_vocabulary(limits=limits), limits=limits)


def next_level_count(session: Session, lineage: Lineage, *, limits: Limits = NO_LIMITS) -> Count:
    """The number of resources that one more level would add to a lineage, without fetching them."""
    return next_level(session.store, lineage, session.lineage_vocabulary(limits=limits), limits=limits)


def not_understood(
    session: Session, lineage: Lineage, *, recorded_by: datetime | None = None, limits: Limits = NO_LIMITS
) -> Mapping[NamedNode, int]:
    """The predicates between resources of a lineage that are not in the vocabulary, with their number of links."""
    store, vocabulary = _asked(session, recorded_by, limits)
    return predicates_not_understood(store, lineage, vocabulary, limits=limits)


def find_path(
    session: Session,
    effect: Resource,
    cause: Resource,
    *,
    as_of: datetime | None = None,
    recorded_by: datetime | None = None,
    match_content: bool = False,
    limits: Limits = NO_LIMITS,
) -> tuple[LineageEdge, ...] | None:
    """A shortest chain of steps from `effect` back to `cause`; None if there is none.

    Args:
        as_of: without what did not exist yet at this moment.
        recorded_by: use the statements recorded by this moment, see `recorded_store`.
        match_content: also follow resources with the same checksum; such steps are matched by value.
    """
    store, vocabulary = _asked(session, recorded_by, limits)
    return derivation_path(
        store,
        effect,
        cause,
        vocabulary,
        inferred_graphs=frozenset({INFERRED}),
        presence=None if as_of is None else Moment(store, vocabulary, as_of),
        content=SameContent(store) if match_content else None,
        limits=limits,
    )
