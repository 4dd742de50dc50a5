"""The graph as recorded at a moment: the statements in the versions of the sources at that time.

A statement is recorded from the modification time of its file, or from the edit or source version that added it, until
an edit or version removed it. This is transaction time; `as_of` handles valid time.

Statements without such a time, such as those of an endpoint, are *undated* and always included.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cached_property

from hpc_explorer.errors import Unsupported
from hpc_explorer.lineage.trace.trace import Direction, Lineage, LineageEdge
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import GraphName, NamedNode, Quad, Resource, Term, Triple
from hpc_explorer.shipped import SAMPLE
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Capabilities, Count, Limits, Rows, Store


class RecordedState(Enum):
    """The state of a statement or resource in the record at a moment."""

    RECORDED = "recorded"
    UNDATED = "undated"
    NOT_YET = "not recorded yet"
    NO_LONGER = "no longer recorded"


_STATED = (RecordedState.RECORDED, RecordedState.UNDATED)


@dataclass(frozen=True)
class VersionMark:
    """A version of a source.

    Args:
        source: the name of the source.
        number: from 1.
        recorded: when its statements were recorded.
        triples: how many it has.
        removed, added: how many statements it removed from and added to the previous version; None for the first, or if
            too many to keep.
    """

    source: str
    number: int
    recorded: datetime
    triples: int
    removed: int | None = None
    added: int | None = None

    @property
    def is_first(self) -> bool:
        """Whether it is the first known version."""
        return self.number == 1


def since_of(
    sources: Iterable[tuple[str, datetime | None, Iterable[GraphName]]],
) -> dict[GraphName, datetime | None]:
    """When the first version of each graph was recorded, by name, time and graphs of the sources.

    None: nobody knows. A graph that several sources share may have any statement from any of them.
    """
    found: dict[GraphName, datetime | None] = {}
    for name, when, graphs in sources:
        # A sample's file is as old as the installation, which says nothing of its statements.
        known = None if name.startswith(SAMPLE) else when
        for graph in graphs:
            found[graph] = known if found.get(graph, known) == known else None
    return found


@dataclass(frozen=True)
class RecordedHistory:
    """When each statement was recorded.

    Args:
        since: when the first version of each source graph was recorded; None if unknown.
        touches: for each changed statement, when it was added (True) or removed, in order.
        known_from: for graphs with missing earlier versions, when their content becomes known.
        versions: those of all sources, in the order of time.
    """

    since: Mapping[GraphName, datetime | None] = field(default_factory=dict)
    touches: Mapping[Quad, Sequence[tuple[datetime, bool]]] = field(default_factory=dict)
    known_from: Mapping[GraphName, datetime] = field(default_factory=dict)
    versions: tuple[VersionMark, ...] = ()

    def state(self, quad: Quad, at: datetime | None) -> RecordedState:
        """The state of a statement at a moment; None: now."""
        touches = self.touches.get(quad, ())
        stated: bool | None = None
        for moment, put_in in touches:
            if at is not None and moment > at:
                break
            stated = put_in
        if stated is not None:
            return RecordedState.RECORDED if stated else RecordedState.NO_LONGER
        if touches and touches[0][1]:
            return RecordedState.NOT_YET
        since = self.since.get(quad.graph_name)
        known_from = self.known_from.get(quad.graph_name)
        if since is None or (at is not None and known_from is not None and at < known_from):
            return RecordedState.UNDATED
        return RecordedState.RECORDED if at is None or since <= at else RecordedState.NOT_YET

    def moments_of(self, quads: Iterable[Quad]) -> set[datetime]:
        """The moments at which the state of some statements changes."""
        found: set[datetime] = set()
        for quad in quads:
            touches = self.touches.get(quad, ())
            found.update(moment for moment, _ in touches)
            since = self.since.get(quad.graph_name)
            if since is not None and not (touches and touches[0][1]):
                found.add(max(since, self.known_from.get(quad.graph_name, since)))
        return found

    @cached_property
    def gone(self) -> tuple[Quad, ...]:
        """The statements that are no longer recorded."""
        return tuple(quad for quad, touches in self.touches.items() if not touches[-1][1])

    @cached_property
    def gone_by_term(self) -> Mapping[Term, tuple[Quad, ...]]:
        """The same by subject and object."""
        found: dict[Term, list[Quad]] = defaultdict(list)
        for quad in self.gone:
            for term in dict.fromkeys((quad.subject, quad.object)):
                if not isinstance(term, Triple):
                    found[term].append(quad)
        return {term: tuple(quads) for term, quads in found.items()}


@dataclass(frozen=True)
class RecordedStore:
    """A read-only view of a store at a moment: without later statements and with removed ones.

    It supports patterns, as tracing needs, but not SPARQL.

    Args:
        at: the moment; None: everything ever recorded.
    """

    store: Store
    history: RecordedHistory
    at: datetime | None

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(writable=False, remote=self.store.capabilities.remote)

    def size(self, *, limits: Limits = NO_LIMITS) -> Count:
        return UNKNOWN_COUNT

    def graphs(self, *, limits: Limits = NO_LIMITS) -> tuple[GraphName, ...]:
        return tuple(dict.fromkeys((*self.store.graphs(limits=limits), *(q.graph_name for q in self.history.gone))))

    def _was_stated(self, quad: Quad) -> bool:
        return self.at is None or self.history.state(quad, self.at) in _STATED

    def match(
        self,
        subject: Resource | None = None,
        predicate: NamedNode | None = None,
        object: Term | None = None,
        graph: GraphName | None = None,
        *,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        yield from filter(self._was_stated, self.store.match(subject, predicate, object, graph, limits=limits))
        end = subject if subject is not None else object
        gone = self.history.gone if end is None else self.history.gone_by_term.get(end, ())
        for quad in gone:
            if (
                (subject is None or quad.subject == subject)
                and (predicate is None or quad.predicate == predicate)
                and (object is None or quad.object == object)
                and (graph is None or quad.graph_name == graph)
                and self._was_stated(quad)
            ):
                yield quad

    def match_many(
        self,
        *,
        subjects: Collection[Resource] | None = None,
        predicates: Collection[NamedNode] | None = None,
        objects: Collection[Term] | None = None,
        limits: Limits = NO_LIMITS,
    ) -> Iterator[Quad]:
        now = self.store.match_many(subjects=subjects, predicates=predicates, objects=objects, limits=limits)
        yield from filter(self._was_stated, now)
        if self.history.gone:
            by_term = self.history.gone_by_term
            for term in dict.fromkeys(subjects if subjects is not None else objects or ()):
                for quad in by_term.get(term, ()):
                    end = quad.subject if subjects is not None else quad.object
                    wanted = predicates is None or quad.predicate in predicates
                    if end == term and wanted and self._was_stated(quad):
                        yield quad

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
        raise self._unsupported()

    def ask(self, query: str, *, limits: Limits = NO_LIMITS) -> bool:
        raise self._unsupported()

    def construct(self, query: str, *, limits: Limits = NO_LIMITS) -> Iterator[Triple]:
        raise self._unsupported()

    def update(self, text: str, *, limits: Limits = NO_LIMITS) -> None:
        raise self._unsupported()

    @staticmethod
    def _unsupported() -> Unsupported:
        return Unsupported("SPARQL cannot query a graph as it was recorded", "", "query the current graph")

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class RecordedTimeline:
    """The recorded part of a lineage at any moment.

    Args:
        lineage: everything ever recorded.
        history: of its statements.
        moments: when it changed, in order.
        reached: the resources reached before the first moment, and from each moment on.
    """

    lineage: Lineage
    history: RecordedHistory
    moments: tuple[datetime, ...]
    reached: tuple[Mapping[Resource, RecordedState], ...]

    def states(self, at: datetime | None) -> dict[Resource, RecordedState]:
        """The state of each resource at a moment; None: now."""
        step = len(self.moments) if at is None else sum(1 for moment in self.moments if moment <= at)
        reached = self.reached[step]
        missing = self.lineage.nodes.keys() - reached.keys()
        before = {one for earlier in self.reached[:step] for one in earlier if one in missing}
        return {
            one: reached.get(one) or (RecordedState.NO_LONGER if one in before else RecordedState.NOT_YET)
            for one in self.lineage.nodes
        }


def recorded_timeline(
    store: Store, lineage: Lineage, history: RecordedHistory, *, limits: Limits = NO_LIMITS
) -> RecordedTimeline:
    """The recorded part of a lineage at any moment.

    Args:
        store: with all that was ever recorded, in which the lineage was traced.
    """
    own = [
        *store.match_many(subjects=(lineage.start,), limits=limits),
        *store.match_many(objects=(lineage.start,), limits=limits),
    ]
    about = [*own, *(quad for edge in lineage.edges for quad in edge.evidence)]
    moments = tuple(sorted(history.moments_of(about)))
    # The state between two moments is that at the earlier one.
    reached = []
    for number in range(len(moments) + 1):
        limits.check("the lineage as it was recorded")
        at = moments[number - 1] if number else _just_before(moments)
        reached.append(_reached(lineage, history, own, at))
    return RecordedTimeline(lineage, history, moments, tuple(reached))


def _just_before(moments: tuple[datetime, ...]) -> datetime | None:
    return moments[0].min.replace(tzinfo=moments[0].tzinfo) if moments else None


def _reached(
    lineage: Lineage, history: RecordedHistory, own: Collection[Quad], at: datetime | None
) -> dict[Resource, RecordedState]:
    """What stated links reach at a moment; undated if every path contains an undated step."""
    start = _best(history.state(quad, at) for quad in own)
    if start not in _STATED:
        return {}
    found = {lineage.start: start}
    for wanted in _STATED:
        waiting = [one for one, state in found.items() if state is wanted or wanted is RecordedState.UNDATED]
        while waiting:
            near = waiting.pop()
            for edge in lineage.next_of(near):
                far = edge.cause if lineage.direction is Direction.UPSTREAM else edge.effect
                state = edge_state(edge, history, at)
                if far not in found and (state is wanted or (wanted is RecordedState.UNDATED and state in _STATED)):
                    found[far] = wanted
                    waiting.append(far)
    return found


def edge_state(edge: LineageEdge, history: RecordedHistory, at: datetime | None) -> RecordedState:
    """The state of a step at a moment: the best of its statements; a qualified one needs both halves."""
    if edge.origin is Origin.MATCHED:
        return _worst(history.state(quad, at) for quad in edge.evidence)
    states = []
    for quad in edge.evidence:
        if {quad.subject, quad.object} == {edge.effect, edge.cause}:
            states.append(history.state(quad, at))
        elif quad.subject == edge.effect:
            states += [
                _worst((history.state(quad, at), history.state(other, at)))
                for other in edge.evidence
                if other.subject == quad.object and other.object == edge.cause
            ]
    return _best(states)


_ORDER = (RecordedState.RECORDED, RecordedState.UNDATED, RecordedState.NOT_YET, RecordedState.NO_LONGER)


def _best(states: Iterable[RecordedState]) -> RecordedState:
    return min(states, key=_ORDER.index, default=RecordedState.UNDATED)


def _worst(states: Iterable[RecordedState]) -> RecordedState:
    return max(states, key=_ORDER.index)
