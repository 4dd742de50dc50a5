"""Facets from any store by SPARQL: one query for each list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from hpc_explorer.query.building import Direction
from hpc_explorer.query.facets.options import ClassOption, PropertyOption, ValueOption
from hpc_explorer.query.facets.texts import TYPES, Above, Bindings
from hpc_explorer.rdf.namespaces import RDF
from hpc_explorer.rdf.terms import Literal, NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Row, Store

T = TypeVar("T")


@dataclass(frozen=True)
class Counted(Generic[T]):
    """Options, most frequent first.

    Args:
        looked_at: the number of things counted, if there may be more.
        is_whole: whether the store returned all results.
    """

    options: list[T]
    looked_at: int | None = None
    is_whole: bool = True


def counted_classes(
    store: Store,
    focus: Bindings,
    *,
    above: Above | None = None,
    most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Counted[ClassOption]:
    """The classes of things in focus.

    Args:
        above: each class in use with all classes above it; None: as the store states them.
        most: the maximum number of things to count; if there are more, the counts are lower bounds.
    """
    class_, own = focus.names("class", "own")
    pattern = f"{_one(focus)} {TYPES} {class_} FILTER(isIRI({class_}))"
    if above is not None:
        pairs = " ".join(f"({low} {high})" for low, high_ones in above.items() for high in (low, *high_ones))
        pattern = f"{_one(focus)} {RDF.type} {own} VALUES ({own} {class_}) {{ {pairs} }}"
    found = _counted(store, focus, class_, pattern, most, limits)
    return Counted([ClassOption(term, count) for term, count in found.options], found.looked_at, found.is_whole)


def counted_properties(
    store: Store,
    focus: Bindings,
    direction: Direction,
    *,
    most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Counted[PropertyOption]:
    """The properties of things in focus, or those that lead to them, as `counted_classes`."""
    predicate, other = focus.names("property", "other")
    pattern, kept = f"{_one(focus)} {predicate} {other}", ""
    if direction is Direction.BACKWARD:
        pattern = f"{other} {predicate} {_one(focus)}"
        # Exclude predicates that lead to literals only.
        kept = f" HAVING(MIN(IF(isLiteral({_one(focus)}), 1, 0)) = 0)"
    found = _counted(store, focus, predicate, pattern, most, limits, kept)
    options = [PropertyOption(term, direction, count) for term, count in found.options]
    return Counted(options, found.looked_at, found.is_whole)


def _one(focus: Bindings) -> str:
    return str(focus.variables[-1])


def _counted(
    store: Store, focus: Bindings, by: str, pattern: str, most: int | None, limits: Limits, kept: str = ""
) -> Counted[tuple[NamedNode, Count]]:
    (number,) = focus.names("number")
    head, looked = _looked_at(focus, most)
    rows = store.select(
        focus.around(
            f"{by} (COUNT(DISTINCT {_one(focus)}) AS {number}){head}",
            f"{looked}{pattern}",
            f"GROUP BY {by}{kept}",
            most=most,
        ),
        limits=limits,
    )
    found = list(rows)
    looked_at = _cut_off(focus, found, most)
    kind = CountKind.EXACT if looked_at is None else CountKind.AT_LEAST
    options = [
        (term, Count(number_of(row[number[1:]]), kind))
        for row in found
        if isinstance(term := row.get(by[1:]), NamedNode)
    ]
    options.sort(key=lambda pair: (-pair[1].value, pair[0].value))
    return Counted(options, looked_at, not rows.limited)


def _looked_at(focus: Bindings, most: int | None) -> tuple[str, str]:
    """A column and a pattern that report how many bindings were counted."""
    if most is None:
        return "", ""
    looked, looked_at = focus.names("looked", "looked_at")
    inner = f"{{ SELECT (COUNT(*) AS {looked}) WHERE {{ {{ {focus.select(most)} }} }} }} "
    return f" (MAX({looked}) AS {looked_at})", inner


def _cut_off(focus: Bindings, rows: Sequence[Row], most: int | None) -> int | None:
    """The number of bindings counted, if there may be more."""
    if most is None:
        return None
    (looked_at,) = focus.names("looked_at")
    numbers = [number_of(row[looked_at[1:]]) for row in rows if looked_at[1:] in row]
    return None if numbers and max(numbers) < most else most


def number_of(term: object) -> int:
    """The number in a count column."""
    return int(float(term.value)) if isinstance(term, Literal) else 0


def counted_values(
    store: Store,
    pairs: Bindings,
    *,
    text: str = "",
    named: Sequence[NamedNode] = (),
    offset: int = 0,
    limit: int,
    most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[Counted[ValueOption], bool]:
    """The values of the last variable, and whether there are more.

    The order is by the number of values of the first variable, then by text, datatype and language.

    Args:
        text: only literals that contain this, ignoring case, and the resources of `named`.
        most: as in `counted_classes`.
    """
    (number,) = pairs.names("number")
    one, main = str(pairs.variables[-1]), str(pairs.variables[0])
    condition = f"BOUND({one}) && !isBlank({one})"
    if text:
        listed = f" || {one} IN ({', '.join(map(str, named))})" if named else ""
        folded = Literal(text.lower())
        condition += f" && ((isLiteral({one}) && CONTAINS(LCASE(STR({one})), {folded})){listed})"
    head, looked = _looked_at(pairs, most)
    rows = store.select(
        pairs.around(
            f"{one} (COUNT(DISTINCT {main}) AS {number}){head}",
            f"{looked}FILTER({condition})",
            # Oxigraph aborts when it sorts values of mixed types, which have no total order.
            f"GROUP BY {one} ORDER BY DESC({number}) STR({one}) DATATYPE({one}) LANG({one}) "
            f"LIMIT {limit + 1} OFFSET {offset}",
            most=most,
        ),
        limits=limits,
    )
    answered = list(rows)
    looked_at = _cut_off(pairs, answered, most)
    kind = CountKind.EXACT if looked_at is None else CountKind.AT_LEAST
    found = [
        ValueOption(value, Count(number_of(row[number[1:]]), kind))
        for row in answered
        if isinstance(value := row.get(one[1:]), (NamedNode, Literal))
    ]
    return Counted(found[:limit], looked_at), len(found) > limit or rows.limited


def number_of_values(store: Store, pairs: Bindings, *, limits: Limits = NO_LIMITS) -> Count:
    """The number of different values of the last variable."""
    (number,) = pairs.names("number")
    one = str(pairs.variables[-1])
    rows = store.select(pairs.around(f"(COUNT(DISTINCT {one}) AS {number})", f"FILTER(!isBlank({one}))"), limits=limits)
    return Count(sum(number_of(row[number[1:]]) for row in rows))


def number_in_focus(store: Store, focus: Bindings, *, most: int | None = None, limits: Limits = NO_LIMITS) -> Count:
    """The number of different bindings; a lower bound if it reaches `most`."""
    (number,) = focus.names("number")
    one = _one(focus)
    # One binding may have no value.
    further = None if most is None else most + 2
    rows = store.select(focus.around(f"(COUNT({one}) AS {number})", "", most=further), limits=limits)
    return capped(sum(number_of(row[number[1:]]) for row in rows), most)


def capped(number: int, most: int | None) -> Count:
    """A count that stopped at a limit."""
    return Count(number) if most is None or number <= most else Count(most, CountKind.AT_LEAST)
