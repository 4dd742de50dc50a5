"""The existence of resources over time, queried once and then known for any moment.

Gives the same states as `as_of.Moment`: *not there yet* before it began (also for undated resources derived from it),
*invalidated* after its invalidation, *there* once it began or its activity ended, else *undated*.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from hpc_explorer.lineage.time.as_of import State, Times, Traces, traces_of
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


@dataclass(frozen=True)
class Span:
    """When the state of a resource changes; None: never.

    Args:
        comes: before this it did not exist yet.
        known: from this on it certainly existed.
        goes: from this on it is invalidated.
    """

    comes: datetime | None = None
    known: datetime | None = None
    goes: datetime | None = None

    def state(self, at: datetime) -> State:
        """The state at a moment."""
        if self.goes is not None and self.goes <= at:
            return State.INVALIDATED
        if self.known is not None and self.known <= at:
            return State.THERE
        return State.NOT_YET if self.comes is not None and at < self.comes else State.UNDATED


@dataclass(frozen=True)
class Timeline:
    """The states of some resources at any moment.

    Args:
        moments: when one of them began, ended or was invalidated; distinct, in order.
    """

    spans: Mapping[Resource, Span]
    moments: tuple[datetime, ...]

    def state(self, resource: Resource, at: datetime) -> State:
        """The state of a resource at a moment."""
        return self.spans[resource].state(at)

    def step(self, at: datetime) -> int:
        """The number of moments up to this one."""
        return bisect_right(self.moments, at)


def timeline(
    store: Store, resources: Iterable[Resource], vocabulary: LineageVocabulary, *, limits: Limits = NO_LIMITS
) -> Timeline:
    """The timeline of resources, queried once."""
    wanted = list(dict.fromkeys(resources))
    traces = traces_of(store, wanted, vocabulary, limits=limits)
    known = {resource: _known(resource, traces) for resource in traces.seen}
    comes = _comes(traces, known)
    spans = {
        resource: Span(comes.get(resource), known[resource], traces.times.get(resource, Times()).gone)
        for resource in wanted
    }
    times = [traces.times[resource] for resource in wanted if resource in traces.times]
    moments = {moment for one in times for moment in (one.born, one.ended, one.gone) if moment is not None}
    return Timeline(spans, tuple(sorted(moments)))


def _known(resource: Resource, traces: Traces) -> datetime | None:
    """When it certainly existed: it began, or it or its activity had ended."""
    times = traces.times.get(resource, Times())
    if times.born is not None:
        return times.born
    ends = [times.ended]
    ends += [
        traces.times.get(cause, Times()).ended
        for cause, relation in traces.before.get(resource, ())
        if relation is Relation.GENERATED
    ]
    return min((end for end in ends if end is not None), default=None)


def _comes(traces: Traces, known: Mapping[Resource, datetime | None]) -> dict[Resource, datetime]:
    """Until when each did not exist: an undated resource cannot be older than what it came from."""

    def until(resource: Resource, moment: datetime) -> datetime:
        gone = traces.times.get(resource, Times()).gone
        return min(one for one in (moment, known[resource], gone) if one is not None)

    comes: dict[Resource, datetime] = {}
    for resource in traces.seen:
        born = traces.times.get(resource, Times()).born
        if born is not None:
            comes[resource] = until(resource, born)
    waiting = list(comes)
    while waiting:
        cause = waiting.pop()
        for effect in traces.after.get(cause, ()):
            if traces.times.get(effect, Times()).born is None:
                moment = until(effect, comes[cause])
                if effect not in comes or comes[effect] < moment:
                    comes[effect] = moment
                    waiting.append(effect)
    return comes
