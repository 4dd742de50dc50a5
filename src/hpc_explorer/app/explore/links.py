"""Outgoing and incoming links of a resource by predicate; hubs are counted instead of listed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass
from itertools import islice

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Quad, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

MANY = 10_000
"""The most statements of a resource in one direction that are listed."""

COUNTED = 200_000
"""The most statements of one predicate that are counted exactly."""


@dataclass(frozen=True)
class Links:
    """The statements of a resource by one predicate in one direction.

    Args:
        quads: the first `MANY` statements.
        total: the number of different terms at the other ends.
        resources: the number of other resources among them.
    """

    predicate: NamedNode
    outgoing: bool
    quads: tuple[Quad, ...]
    total: Count
    resources: Count


def links_of(session: Session, resource: Resource, *, outgoing: bool, limits: Limits = NO_LIMITS) -> tuple[Links, ...]:
    """The outgoing or incoming statements of a resource by predicate.

    A hub, such as a class with a million instances, is queried predicate by predicate and not listed completely.
    """
    statements = list(islice(statements_of(session, resource, None, outgoing, limits), MANY + 1))
    if len(statements) <= MANY:
        grouped: dict[NamedNode, list[Quad]] = {}
        for quad in statements:
            grouped.setdefault(quad.predicate, []).append(quad)
        ends = {predicate: {far_end(quad, outgoing) for quad in quads} for predicate, quads in grouped.items()}
        return tuple(
            Links(predicate, outgoing, tuple(quads), Count(len(ends[predicate])), _others(ends[predicate], resource))
            for predicate, quads in grouped.items()
        )
    by_predicate = (
        links_by(session, resource, predicate, outgoing, limits)
        for predicate in _predicates_at(session, resource, outgoing, limits)
    )
    return tuple(links for links in by_predicate if links.quads)


def _predicates_at(session: Session, resource: Resource, outgoing: bool, limits: Limits) -> Collection[NamedNode]:
    """The predicates of a hub; an endpoint is queried, because its usage may be sampled."""
    if not session.store.capabilities.remote or not isinstance(resource, NamedNode):
        return session.usage(limits=limits).predicates.keys()
    pattern = f"{resource} ?p ?o" if outgoing else f"?s ?p {resource}"
    rows = session.store.select(f"SELECT DISTINCT ?p WHERE {{ {pattern} }}", limits=limits)
    return [row["p"] for row in rows if isinstance(row["p"], NamedNode)]


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


def links_by(session: Session, resource: Resource, predicate: NamedNode, outgoing: bool, limits: Limits) -> Links:
    """The statements of a resource by one predicate in one direction."""
    statements = statements_of(session, resource, predicate, outgoing, limits)
    quads: list[Quad] = []
    ends: set[Term] = set()
    for quad in statements:
        quads.append(quad)
        ends.add(far_end(quad, outgoing))
        # Several graphs can state the same.
        if len(ends) > MANY:
            break
    else:
        return Links(predicate, outgoing, tuple(quads), Count(len(ends)), _others(ends, resource))
    first = tuple(quads[:MANY])
    if predicate == RDF.type and not outgoing and isinstance(resource, NamedNode):
        usage = session.usage(limits=limits)
        instances = usage.classes()[resource]
        if instances > MANY:
            total = usage.class_count(resource, instances)
            of_itself = any(True for _ in session.store.match(resource, RDF.type, resource, limits=limits))
            return Links(predicate, outgoing, first, total, Count(total.value - of_itself, total.kind))
    ends.update(far_end(quad, outgoing) for quad in islice(statements, max(0, COUNTED - len(quads))))
    kind = CountKind.EXACT if next(statements, None) is None else CountKind.AT_LEAST
    return Links(predicate, outgoing, first, Count(len(ends), kind), _others(ends, resource, kind))


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
