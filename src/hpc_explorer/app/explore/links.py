"""Links: what a resource links to and what links to it, by predicate; of a hub the first, and how many there are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass
from itertools import islice

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import NamedNode, Quad, Resource, Term, is_resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

MANY = 10_000
"""Statements of one resource in one direction that are looked at one by one."""

COUNTED = 200_000
"""Statements of one predicate of a hub that are counted; of more it is known that there are at least so many."""


@dataclass(frozen=True)
class Links:
    """The statements of a resource by one predicate in one direction.

    Args:
        quads: the statements; of more than `MANY` the first of them.
        total: how many different terms are at their other ends.
        resources: how many of these are other resources, and neither literals nor the resource itself.
    """

    predicate: NamedNode
    outgoing: bool
    quads: tuple[Quad, ...]
    total: Count
    resources: Count


def links_of(session: Session, resource: Resource, *, outgoing: bool, limits: Limits = NO_LIMITS) -> tuple[Links, ...]:
    """The statements about a resource, or those that link to it, by predicate in the order in which they come.

    A hub, such as a class with a million instances, is asked about predicate by predicate and never listed whole.
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
    """The predicates that a hub's statements can have: of an endpoint asked for, since it may have been sampled."""
    if not session.store.capabilities.remote or not isinstance(resource, NamedNode):
        return session.usage(limits=limits).predicates.keys()
    pattern = f"{resource} ?p ?o" if outgoing else f"?s ?p {resource}"
    rows = session.store.select(f"SELECT DISTINCT ?p WHERE {{ {pattern} }}", limits=limits)
    return [row["p"] for row in rows if isinstance(row["p"], NamedNode)]


def far_end(quad: Quad, outgoing: bool) -> Term:
    """The end of a statement that the resource is not."""
    return quad.object if outgoing else quad.subject  # type: ignore[return-value]  # subjects are resources


def statements_of(
    session: Session, resource: Resource, predicate: NamedNode | None, outgoing: bool, limits: Limits
) -> Iterator[Quad]:
    """The statements about a resource, or for `outgoing` False those that link to it; None: by any predicate."""
    if outgoing:
        return session.store.match(resource, predicate, limits=limits)
    return session.store.match(None, predicate, resource, limits=limits)


def links_by(session: Session, resource: Resource, predicate: NamedNode, outgoing: bool, limits: Limits) -> Links:
    """The statements of a resource by one predicate in one direction, those of a hub counted and not listed."""
    statements = statements_of(session, resource, predicate, outgoing, limits)
    quads: list[Quad] = []
    ends: set[Term] = set()
    for quad in statements:
        quads.append(quad)
        ends.add(far_end(quad, outgoing))
        # What several graphs state comes once for each of them.
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
    """The resources at the other ends, each with the statements that lead there; values and names are no resources."""
    found: dict[Resource, list[Quad]] = {}
    for quad in links.quads:
        end = far_end(quad, links.outgoing)
        if is_resource(end):
            found.setdefault(end, []).append(quad)
    return found
