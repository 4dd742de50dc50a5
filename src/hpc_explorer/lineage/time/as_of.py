"""The graph as it was at a moment, by the times it records (valid time).

An activity exists from its start, a thing from its generation. The activity of an undated thing decides for it: the
thing did not exist before the activity began, and existed once it had ended. An undated activity did not exist before
the activity that informed it began. Other resources are *undated* and stay, marked as such. Resources invalidated by
then stay too, marked.

Sources: PROV-O (startedAtTime, endedAtTime, generatedAtTime, invalidatedAtTime, atTime of qualified terms); the
orders of PROV-CONSTRAINTS section 6.2 (generation within its activity, derivation after its source); the dates of
hpc:, schema.org and Dublin Core.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from enum import Enum

from hpc_explorer.errors import UsageError
from hpc_explorer.lineage.trace.trace import Direction, steps_from
from hpc_explorer.lineage.trace.vocabulary import LineageVocabulary, Relation
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, SCHEMA, SCHEMAS
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store


class State(Enum):
    """The state of a resource at a moment."""

    THERE = "there"
    UNDATED = "undated"
    NOT_YET = "not there yet"
    INVALIDATED = "invalidated by then"


BORN: frozenset[NamedNode] = frozenset(
    {
        PROV.startedAtTime,
        PROV.generatedAtTime,
        HPC.startDate,
        HPC.submitDate,
        HPC.firstReleaseDate,
        HPC.dateCommissioned,
        DCTERMS.created,
        *(namespace.term(name) for namespace in (SCHEMA, SCHEMAS) for name in ("startTime", "dateCreated")),
    }
)
"""Predicates for the beginning of a resource."""
ENDED: frozenset[NamedNode] = frozenset({PROV.endedAtTime, HPC.endDate, SCHEMA.endTime, SCHEMAS.endTime})
"""Predicates for its end."""
GONE: frozenset[NamedNode] = frozenset({PROV.invalidatedAtTime})
"""Predicates for its invalidation."""
QUALIFIED: Mapping[NamedNode, frozenset[NamedNode]] = {
    PROV.qualifiedGeneration: BORN,
    PROV.qualifiedStart: BORN,
    PROV.qualifiedEnd: ENDED,
    PROV.qualifiedInvalidation: GONE,
}
"""The same through a node with `prov:atTime`."""
BEFORE = frozenset({Relation.GENERATED, Relation.INFORMED, Relation.DERIVED})
"""Relations to causes that must be older than an undated effect."""


@dataclass(frozen=True)
class Times:
    """When a resource began, ended and was invalidated; None if not recorded."""

    born: datetime | None = None
    ended: datetime | None = None
    gone: datetime | None = None

    def by(self, at: datetime) -> Times:
        """The times up to a moment."""
        return Times(*(one if one is None or one <= at else None for one in (self.born, self.ended, self.gone)))


_NO_TIMES = Times()


def read_times(store: Store, resources: Iterable[Resource], *, limits: Limits = NO_LIMITS) -> dict[Resource, Times]:
    """The recorded times of resources; the earliest of several. Resources without any are left out.

    Makes one batched request, and one more if times are qualified.
    """
    found: dict[Resource, dict[frozenset[NamedNode], datetime]] = defaultdict(dict)

    def note(resource: Resource, kind: frozenset[NamedNode], value: object) -> None:
        moment = moment_of(value) if isinstance(value, Literal) else None
        if moment is not None:
            known = found[resource].get(kind)
            found[resource][kind] = moment if known is None else min(known, moment)

    owners: dict[Resource, list[tuple[Resource, frozenset[NamedNode]]]] = defaultdict(list)
    wanted = BORN | ENDED | GONE | QUALIFIED.keys()
    for quad in store.match_many(subjects=list(resources), predicates=wanted, limits=limits):
        subject, value = quad.subject, quad.object
        if not isinstance(subject, (NamedNode, BlankNode)):
            continue
        if quad.predicate not in QUALIFIED:
            kind = next(kind for kind in (BORN, ENDED, GONE) if quad.predicate in kind)
            note(subject, kind, value)
        elif isinstance(value, (NamedNode, BlankNode)):
            owners[value].append((subject, QUALIFIED[quad.predicate]))
    if owners:
        for quad in store.match_many(subjects=list(owners), predicates=(PROV.atTime,), limits=limits):
            for owner, kind in owners[quad.subject]:  # type: ignore[index]  # only resources were asked for
                note(owner, kind, quad.object)
    return {resource: Times(kinds.get(BORN), kinds.get(ENDED), kinds.get(GONE)) for resource, kinds in found.items()}


def moment_of(literal: Literal) -> datetime | None:
    """The moment of a literal: an xsd:dateTime, xsd:date or ISO 8601 text; without a zone it is UTC. None if it is not
    one.
    """
    text = literal.value.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def read_moment(text: str) -> datetime:
    """The moment a user enters; a date means its end, so the whole day counts.

    Raises:
        UsageError: the text is not a date, with or without a time.
    """
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError("not a moment", text or "(empty)", "write 2024-03-01, or 2024-03-01T12:00:00Z") from None
    if len(text) <= 10:
        moment = datetime.combine(moment.date(), time()) + timedelta(days=1, microseconds=-1)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Traces:
    """The recorded times of resources, and what undated ones depend on.

    Args:
        seen: the resources, and those that decide for undated ones.
        times: of those with times.
        before: what an undated one came from, and how.
        after: the inverse.
    """

    seen: frozenset[Resource]
    times: Mapping[Resource, Times]
    before: Mapping[Resource, list[tuple[Resource, Relation]]]
    after: Mapping[Resource, list[Resource]]


def traces_of(
    store: Store,
    resources: Iterable[Resource],
    vocabulary: LineageVocabulary,
    *,
    known: Collection[Resource] = (),
    limits: Limits = NO_LIMITS,
) -> Traces:
    """Read the times of resources, upwards through undated ones until something is dated.

    Args:
        known: resources not to query.
    """
    times: dict[Resource, Times] = {}
    before: dict[Resource, list[tuple[Resource, Relation]]] = defaultdict(list)
    after: dict[Resource, list[Resource]] = defaultdict(list)
    waiting = list(resources)
    seen = set(waiting)
    while waiting:
        limits.check("the lineage as of a moment")
        times.update(read_times(store, waiting, limits=limits))
        undated = [resource for resource in waiting if times.get(resource, _NO_TIMES).born is None]
        waiting = []
        if not undated:
            break
        for effect, cause, relation in steps_from(store, undated, vocabulary, Direction.UPSTREAM, limits=limits):
            if relation in BEFORE:
                before[effect].append((cause, relation))
                after[cause].append(effect)
                if cause not in seen and cause not in known:
                    seen.add(cause)
                    waiting.append(cause)
    return Traces(frozenset(seen), times, before, after)


@dataclass
class Moment:
    """The state of resources at a moment. Each resource is queried once."""

    store: Store
    vocabulary: LineageVocabulary
    at: datetime
    _states: dict[Resource, State] = field(default_factory=dict)

    def there(self, resources: Iterable[Resource], *, limits: Limits = NO_LIMITS) -> set[Resource]:
        """The resources that existed, or for which nothing shows that they did not."""
        wanted = set(resources)
        states = self.states(wanted, limits=limits)
        return {resource for resource in wanted if states[resource] is not State.NOT_YET}

    def states(self, resources: Iterable[Resource], *, limits: Limits = NO_LIMITS) -> Mapping[Resource, State]:
        """The state of each of these resources, and possibly of others."""
        self._find_out([resource for resource in dict.fromkeys(resources) if resource not in self._states], limits)
        return self._states

    def _find_out(self, resources: list[Resource], limits: Limits) -> None:
        if resources:
            found = traces_of(self.store, resources, self.vocabulary, known=self._states.keys(), limits=limits)
            self._settle(found.seen, found.times, found.before, found.after)

    def _settle(
        self,
        resources: Collection[Resource],
        times: Mapping[Resource, Times],
        before: Mapping[Resource, list[tuple[Resource, Relation]]],
        after: Mapping[Resource, list[Resource]],
    ) -> None:
        ended = {resource for resource, known in times.items() if known.ended is not None and known.ended <= self.at}
        late: set[Resource] = set()
        for resource in resources:
            known = times.get(resource, _NO_TIMES)
            if known.gone is not None and known.gone <= self.at:
                self._states[resource] = State.INVALIDATED
            elif known.born is not None:
                self._states[resource] = State.THERE if known.born <= self.at else State.NOT_YET
            else:
                by_ended = any(
                    relation is Relation.GENERATED and cause in ended for cause, relation in before.get(resource, ())
                )
                self._states[resource] = State.THERE if by_ended or resource in ended else State.UNDATED
        # An undated resource cannot be older than what it came from.
        for resource in {*resources, *(cause for causes in before.values() for cause, _ in causes)}:
            if self._states[resource] is State.NOT_YET:
                late.add(resource)
        waiting = list(late)
        while waiting:
            for effect in after.get(waiting.pop(), ()):
                if effect in resources and self._states[effect] is State.UNDATED:
                    self._states[effect] = State.NOT_YET
                    waiting.append(effect)
