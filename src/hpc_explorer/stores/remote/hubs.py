"""Count what is linked to a hub at an endpoint: the endpoint counts, and sends numbers only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from hpc_explorer.errors import DeadlineExceeded, ServerError
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits, Store
from hpc_explorer.stores.remote.patterns import values

# Predicates per request.
_AT_ONCE = 10

# Up to so many predicates of the whole graph are tried one by one.
_FEW = 100


@dataclass(frozen=True)
class EndsCount:
    """The number of different terms at the other ends of a hub's links, and of other resources among them."""

    total: Count = UNKNOWN_COUNT
    resources: Count = UNKNOWN_COUNT


def predicates_at(
    store: Store, hub: NamedNode, used: Collection[NamedNode] | None, outgoing: bool, *, limits: Limits = NO_LIMITS
) -> list[NamedNode]:
    """The predicates that may link a hub.

    Args:
        used: all predicates of the graph; None if only some are known.
    """
    if used is not None and len(used) <= _FEW:
        return list(used)
    pattern = f"{hub} ?p ?o" if outgoing else f"?s ?p {hub}"
    rows = store.select(f"SELECT DISTINCT ?p WHERE {{ {pattern} }}", limits=limits)
    return [row["p"] for row in rows if isinstance(row["p"], NamedNode)]


def counted_ends(
    store: Store,
    hub: NamedNode,
    predicates: Iterable[NamedNode],
    *,
    outgoing: bool,
    most: int,
    seconds: float,
    limits: Limits = NO_LIMITS,
) -> Mapping[NamedNode, EndsCount]:
    """The numbers for each predicate that can be counted in time.

    Args:
        most: with more ends, the numbers are lower bounds.
        seconds: the time for a request.

    Raises:
        Cancelled, DeadlineExceeded: by the limits.
    """
    found: dict[NamedNode, EndsCount] = {}
    rest = iter(predicates)
    while batch := list(islice(rest, _AT_ONCE)):
        branches = []
        for predicate in batch:
            link = f"{hub} {predicate} ?e" if outgoing else f"?e {predicate} {hub}"
            branches.append(_number(predicate, "ends", link, most))
            branches.append(_number(predicate, "self", f"{values('?e', (hub,))} ?e {predicate} {hub}", 1))
            if outgoing:
                branches.append(_number(predicate, "values", f"{link} FILTER(isLiteral(?e))", most))
        numbers: dict[tuple[NamedNode, str], int] = {}
        try:
            query = f"SELECT ?p ?what ?n WHERE {{ {' UNION '.join(branches)} }}"
            for row in store.select(query, limits=limits.within(seconds)):
                term, what, number = row["p"], row["what"], row["n"]
                if isinstance(term, NamedNode) and isinstance(what, Literal) and isinstance(number, Literal):
                    numbers[term, what.value] = int(number.value)
        except (ServerError, DeadlineExceeded):
            limits.check("counting links")
            continue
        for predicate in batch:
            if (predicate, "ends") in numbers:
                found[predicate] = _counts(
                    numbers[predicate, "ends"],
                    numbers.get((predicate, "values"), 0) + numbers.get((predicate, "self"), 0),
                    most,
                )
    return found


def _number(predicate: NamedNode, what: str, where: str, most: int) -> str:
    ends = f"{{ SELECT DISTINCT ?e WHERE {{ {where} }} LIMIT {most + 1} }}"
    return f'{{ SELECT ({predicate} AS ?p) ("{what}" AS ?what) (COUNT(*) AS ?n) WHERE {{ {ends} }} }}'


def _counts(ends: int, others: int, most: int) -> EndsCount:
    kind = CountKind.AT_LEAST if ends > most else CountKind.EXACT
    return EndsCount(Count(min(ends, most), kind), Count(max(0, min(ends, most) - others), kind))


def classes_of_ends(
    store: Store,
    hub: NamedNode,
    predicate: NamedNode,
    *,
    outgoing: bool,
    without: Collection[NamedNode],
    most: int,
    limits: Limits = NO_LIMITS,
) -> dict[NamedNode, int]:
    """How many of the first `most` resources at the other ends are in each class.

    Args:
        without: resources that do not count.
    """
    ends = f"SELECT DISTINCT ?e WHERE {{ {_ends(hub, predicate, outgoing, without)} }} LIMIT {most}"
    query = f"SELECT ?c (COUNT(DISTINCT ?e) AS ?n) WHERE {{ {{ {ends} }} ?e {RDF.type} ?c }} GROUP BY ?c"
    found = {}
    for row in store.select(query, limits=limits):
        cls, number = row.get("c"), row.get("n")
        if isinstance(cls, NamedNode) and isinstance(number, Literal):
            found[cls] = int(number.value)
    return found


def ends_of_class(
    store: Store,
    hub: NamedNode,
    predicate: NamedNode,
    cls: NamedNode,
    *,
    outgoing: bool,
    without: Collection[NamedNode],
    number: int,
    limits: Limits = NO_LIMITS,
) -> list[NamedNode]:
    """The first `number` resources of a class at the other ends that have an IRI."""
    where = f"{_ends(hub, predicate, outgoing, without)} ?e {RDF.type} {cls} FILTER(isIRI(?e))"
    rows = store.select(f"SELECT DISTINCT ?e WHERE {{ {where} }} LIMIT {number}", limits=limits)
    return [row["e"] for row in rows if isinstance(row["e"], NamedNode)]


def _ends(hub: NamedNode, predicate: NamedNode, outgoing: bool, without: Collection[NamedNode]) -> str:
    link = f"{hub} {predicate} ?e" if outgoing else f"?e {predicate} {hub}"
    left_out = f" FILTER(?e NOT IN ({', '.join(sorted(map(str, without)))}))" if without else ""
    return f"{link} . {left_out}"
