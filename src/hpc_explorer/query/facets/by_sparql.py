"""Facets asked of any store by SPARQL: one query for each list."""

from __future__ import annotations

from collections.abc import Sequence

from hpc_explorer.query.building import Direction
from hpc_explorer.query.facets.options import ClassOption, PropertyOption, ValueOption
from hpc_explorer.query.facets.texts import TYPES, Bindings
from hpc_explorer.rdf.terms import Literal, NamedNode, Term
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits, Rows, Store


def counted_classes(
    store: Store, focus: Bindings, *, most: int | None = None, limits: Limits = NO_LIMITS
) -> tuple[list[ClassOption], bool]:
    """The classes of what is in focus, those with the most first, and whether these are all.

    Args:
        most: look at so many things in focus at most; the counts are lower bounds then.
    """
    (class_,) = focus.names("class")
    found, is_whole = _counted(
        store, focus, class_, f"{_one(focus)} {TYPES} {class_} FILTER(isIRI({class_}))", most, limits
    )
    return [ClassOption(term, count) for term, count in found], is_whole


def counted_properties(
    store: Store,
    focus: Bindings,
    direction: Direction,
    *,
    most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[list[PropertyOption], bool]:
    """The properties that what is in focus has, or that lead to it; as `counted_classes`."""
    predicate, other = focus.names("property", "other")
    pattern = f"{_one(focus)} {predicate} {other}"
    if direction is Direction.BACKWARD:
        pattern = f"{other} {predicate} {_one(focus)} FILTER(!isLiteral({_one(focus)}))"
    found, is_whole = _counted(store, focus, predicate, pattern, most, limits)
    return [PropertyOption(term, direction, count) for term, count in found], is_whole


def _one(focus: Bindings) -> str:
    return str(focus.variables[-1])


def _counted(
    store: Store, focus: Bindings, by: str, pattern: str, most: int | None, limits: Limits
) -> tuple[list[tuple[NamedNode, Count]], bool]:
    (number,) = focus.names("number")
    head = f"{by} (COUNT(DISTINCT {_one(focus)}) AS {number})"
    rows = store.select(focus.around(head, pattern, f"GROUP BY {by}", most=most), limits=limits)
    kind = CountKind.EXACT if most is None else CountKind.AT_LEAST
    found = []
    for row in rows:
        term, counted = row.get(by[1:]), row[number[1:]]
        if isinstance(term, NamedNode):
            found.append((term, Count(number_of(counted), kind)))
    found.sort(key=lambda pair: (-pair[1].value, pair[0].value))
    return found, not rows.limited


def number_of(term: object) -> int:
    """A number that the store counted."""
    return int(float(term.value)) if isinstance(term, Literal) else 0


def counted_values(
    store: Store,
    pairs: Bindings,
    *,
    text: str = "",
    named: Sequence[NamedNode] = (),
    offset: int = 0,
    limit: int,
    limits: Limits = NO_LIMITS,
) -> tuple[list[ValueOption], bool]:
    """The values of the last variable, those with most of the first one first, and whether there are others behind.

    Args:
        text: only literals that contain this, in whatever case, and the resources of `named`.
    """
    (number,) = pairs.names("number")
    one, main = str(pairs.variables[-1]), str(pairs.variables[0])
    condition = f"BOUND({one}) && !isBlank({one})"
    if text:
        listed = f" || {one} IN ({', '.join(map(str, named))})" if named else ""
        folded = Literal(text.lower())
        condition += f" && ((isLiteral({one}) && CONTAINS(LCASE(STR({one})), {folded})){listed})"
    head = f"{one} (COUNT(DISTINCT {main}) AS {number})"
    tail = f"GROUP BY {one} ORDER BY DESC({number}) {one} LIMIT {limit + 1} OFFSET {offset}"
    rows = store.select(pairs.around(head, f"FILTER({condition})", tail), limits=limits)
    found = []
    for row in rows:
        value = row.get(one[1:])
        if isinstance(value, (NamedNode, Literal)):
            found.append(ValueOption(value, Count(number_of(row[number[1:]]))))
    return found[:limit], len(found) > limit or rows.limited


def number_of_values(store: Store, pairs: Bindings, *, limits: Limits = NO_LIMITS) -> Count:
    """How many different values the last variable has."""
    (number,) = pairs.names("number")
    one = str(pairs.variables[-1])
    rows = store.select(
        pairs.around(f"(COUNT(DISTINCT {one}) AS {number})", f"FILTER(!isBlank({one}))"), limits=limits
    )
    return Count(sum(number_of(row[number[1:]]) for row in rows))


def number_in_focus(
    store: Store, focus: Bindings, *, most: int | None = None, limits: Limits = NO_LIMITS
) -> Count:
    """How many different bindings there are.

    Args:
        most: count no further than this; a count that reaches it is a lower bound.
    """
    (number,) = focus.names("number")
    one = _one(focus)
    rows = store.select(
        focus.around(f"(COUNT({one}) AS {number})", "", most=None if most is None else most + 1), limits=limits
    )
    return capped(sum(number_of(row[number[1:]]) for row in rows), most)


def capped(number: int, most: int | None) -> Count:
    """A number that was not counted beyond a bound."""
    return Count(number) if most is None or number <= most else Count(most, CountKind.AT_LEAST)


def with_counts(rows: Rows, value: str, number: str) -> list[tuple[Term, int]]:
    """The rows of a query for values with how often each is there."""
    found: list[tuple[Term, int]] = []
    for row in rows:
        term = row.get(value)
        if isinstance(term, (NamedNode, Literal)):
            found.append((term, number_of(row[number])))
    return found
