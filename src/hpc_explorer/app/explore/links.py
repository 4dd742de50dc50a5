"""Outgoing and incoming links of a resource by predicate; hubs are counted instead of listed.

An endpoint counts the links of a hub itself and sends the first of each predicate (`links_there`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from itertools import islice

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import BlankNode, NamedNode, Quad, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, CountOrigin, Limits
from hpc_explorer.stores.remote.hubs import EndsCount, counted_ends, predicates_at
from hpc_explorer.stores.remote.remote import RemoteStore

MANY = 10_000
"""The most statements of a resource in one direction that are listed."""

MANY_THERE = 500
"""The most that are fetched from an endpoint for a list that shows some of them."""

FIRST_THERE = 60
"""The statements of each predicate of a hub that are fetched from an endpoint."""

COUNTED = 200_000
"""The most statements of one predicate that are counted exactly."""

_SECONDS_TO_COUNT = 10.0


@dataclass(frozen=True)
class Links:
    """The statements of a resource by one predicate in one direction.

    Args:
        quads: the first statements; all, or `MANY` of them, or fewer from an endpoint.
        total: the number of different terms at the other ends.
        resources: the number of other resources among them.
        complete: whether `quads` are all.
    """

    predicate: NamedNode
    outgoing: bool
    quads: tuple[Quad, ...]
    total: Count
    resources: Count
    complete: bool = True


def links_of(session: Session, resource: Resource, *, outgoing: bool, limits: Limits = NO_LIMITS) -> tuple[Links, ...]:
    """The outgoing or incoming statements of a resource by predicate.

    A hub, such as a class with a million instances, is queried predicate by predicate and not listed completely.
    """
    most = most_listed(session)
    statements = first_statements(session, resource, None, outgoing, most + 1, limits)
    if len(statements) <= most:
        grouped: dict[NamedNode, list[Quad]] = {}
        for quad in statements:
            grouped.setdefault(quad.predicate, []).append(quad)
        return tuple(_all_of(quads, predicate, resource, outgoing) for predicate, quads in grouped.items())
    if isinstance(session.store, RemoteStore) and isinstance(resource, NamedNode):
        return _of_hub_there(session, session.store, resource, outgoing, limits)
    by_predicate = (
        links_by(session, resource, predicate, outgoing, limits)
        for predicate in session.usage(limits=limits).predicates
    )
    return tuple(links for links in by_predicate if links.quads)


def most_listed(session: Session) -> int:
    """The most statements that are listed of a resource: fewer from an endpoint, which has to send them."""
    return MANY_THERE if session.store.capabilities.remote else MANY


def far_end(quad: Quad, outgoing: bool) -> Term:
    """The object of an outgoing statement, or the subject of an incoming one."""
    return quad.object if outgoing else quad.subject  # type: ignore[return-value]  # subjects are resources


def statements_of(
    session: Session, resource: Resource, predicate: NamedNode | None, outgoing: bool, limits: Limits
) -> Iterator[Quad]:
    """The outgoing or incoming statements of a resource, by one predicate or any (None)."""
    if outgoing:
        return session.store.match(resource, predicate, limits=limits)
    return session.store.match(None, predicate, resource, limits=limits)


def first_statements(
    session: Session, resource: Resource, predicate: NamedNode | None, outgoing: bool, number: int, limits: Limits
) -> list[Quad]:
    """The first statements of a resource in one direction, by one predicate or any (None).

    If there are fewer at an endpoint, blank nodes come with what hangs on them.
    """
    store = session.store
    if isinstance(store, RemoteStore) and isinstance(resource, NamedNode):
        pattern = (resource, predicate, None) if outgoing else (None, predicate, resource)
        found = list(store.first([pattern], number, limits=limits))
        if len(found) >= number or not any(isinstance(far_end(quad, outgoing), BlankNode) for quad in found):
            return found
    return list(islice(statements_of(session, resource, predicate, outgoing, limits), number))


def further_statements(
    session: Session, resource: Resource, predicate: NamedNode, outgoing: bool, number: int, limits: Limits
) -> Iterable[Quad]:
    """The statements of a resource by one predicate; an endpoint sends the first `number`."""
    if session.store.capabilities.remote:
        return first_statements(session, resource, predicate, outgoing, number, limits)
    return statements_of(session, resource, predicate, outgoing, limits)


def links_by(
    session: Session,
    resource: Resource,
    predicate: NamedNode,
    outgoing: bool,
    limits: Limits,
    *,
    most: int | None = None,
) -> Links:
    """The statements of a resource by one predicate in one direction.

    Args:
        most: the most that are listed; None: `most_listed`.
    """
    most = most_listed(session) if most is None else most
    if isinstance(session.store, RemoteStore) and isinstance(resource, NamedNode):
        found = first_statements(session, resource, predicate, outgoing, most + 1, limits)
        if len(found) <= most:
            return _all_of(found, predicate, resource, outgoing)
        (links,) = _counted_there(session, session.store, resource, outgoing, {predicate: found[:most]}, limits)
        return links
    statements = statements_of(session, resource, predicate, outgoing, limits)
    quads: list[Quad] = []
    ends: set[Term] = set()
    for quad in statements:
        quads.append(quad)
        ends.add(far_end(quad, outgoing))
        # Several graphs can state the same.
        if len(ends) > most:
            break
    else:
        return _all_of(quads, predicate, resource, outgoing)
    first = tuple(quads[:most])
    instances = _instances(session, resource, predicate, outgoing, limits)
    if instances is not None:
        of_itself = any(True for _ in session.store.match(resource, RDF.type, resource, limits=limits))
        others = Count(instances.value - of_itself, instances.kind)
        return Links(predicate, outgoing, first, instances, others, complete=False)
    ends.update(far_end(quad, outgoing) for quad in islice(statements, max(0, COUNTED - len(quads))))
    kind = CountKind.EXACT if next(statements, None) is None else CountKind.AT_LEAST
    return Links(predicate, outgoing, first, Count(len(ends), kind), _others(ends, resource, kind), complete=False)


def _instances(
    session: Session, resource: Resource, predicate: NamedNode, outgoing: bool, limits: Limits
) -> Count | None:
    """The number of instances, if the links are those of a large class to them."""
    if predicate != RDF.type or outgoing or not isinstance(resource, NamedNode):
        return None
    usage = session.usage(limits=limits)
    instances = usage.classes()[resource]
    return usage.class_count(resource, instances) if instances > MANY else None


def _of_hub_there(
    session: Session, store: RemoteStore, hub: NamedNode, outgoing: bool, limits: Limits
) -> tuple[Links, ...]:
    usage = session.usage(limits=limits)
    used = usage.predicates if usage.origin is CountOrigin.COUNTED and not usage.note else None
    predicates = predicates_at(store, hub, used, outgoing, limits=limits)
    first: dict[NamedNode, list[Quad]] = {}
    patterns = [(hub, predicate, None) if outgoing else (None, predicate, hub) for predicate in predicates]
    for quad in store.first(patterns, FIRST_THERE + 1, limits=limits):
        first.setdefault(quad.predicate, []).append(quad)
    return tuple(_counted_there(session, store, hub, outgoing, first, limits))


def _counted_there(
    session: Session,
    store: RemoteStore,
    hub: NamedNode,
    outgoing: bool,
    first: dict[NamedNode, list[Quad]],
    limits: Limits,
) -> Iterator[Links]:
    """Links of which the first statements are known, with the numbers that the endpoint counts."""
    instances = {predicate: _instances(session, hub, predicate, outgoing, limits) for predicate in first}
    asked = [predicate for predicate, number in instances.items() if number is None]
    counts = counted_ends(store, hub, asked, outgoing=outgoing, most=COUNTED, limits=limits, seconds=_SECONDS_TO_COUNT)
    for predicate, quads in first.items():
        ends = {far_end(quad, outgoing) for quad in quads}
        number = instances[predicate]
        found = counts.get(predicate, EndsCount()) if number is None else EndsCount(number, number)
        total, resources = found.total, found.resources
        if total.kind is CountKind.UNKNOWN:
            total = Count(len(ends), CountKind.AT_LEAST)
            resources = _others(ends, hub, CountKind.AT_LEAST)
        yield Links(predicate, outgoing, tuple(quads), total, resources, complete=total == Count(len(ends)))


def _all_of(quads: Collection[Quad], predicate: NamedNode, resource: Resource, outgoing: bool) -> Links:
    ends = {far_end(quad, outgoing) for quad in quads}
    return Links(predicate, outgoing, tuple(quads), Count(len(ends)), _others(ends, resource))


def _others(ends: Set[Term], resource: Resource, kind: CountKind = CountKind.EXACT) -> Count:
    return Count(sum(map(is_resource, ends - {resource})), kind)


def neighbours_in(links: Links) -> dict[Resource, list[Quad]]:
    """The resources at the other ends, with the statements that lead there."""
    found: dict[Resource, list[Quad]] = {}
    for quad in links.quads:
        end = far_end(quad, links.outgoing)
        if is_resource(end):
            found.setdefault(end, []).append(quad)
    return found
