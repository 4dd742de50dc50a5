"""Conditions that leave a query without rows: the number of rows without each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from hpc_explorer.errors import DeadlineExceeded, ServerError, WrongParameter
from hpc_explorer.query.building import without
from hpc_explorer.query.facets.suggestions import solution_count
from hpc_explorer.query.model.patterns import (
    Alternatives,
    Element,
    Group,
    InGraph,
    OptionalGroup,
    PresentGroup,
    groups_of,
)
from hpc_explorer.query.model.places import Place, element_at, group_at, with_group
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits, Store

MOST_ROWS = 1000
"""The limit of row counts."""

# The number of pairs tried, and of those reported.
_MOST_TRIED, _MOST_PAIRS = 60, 5


@dataclass(frozen=True)
class Relaxation:
    """A query without one of its conditions, or without two.

    Args:
        places, elements: the removed conditions; empty: those on groups (HAVING).
        query: the query without them and without what depended on them alone.
        count: its number of rows; unknown if counting took too long.
    """

    places: tuple[Place, ...]
    elements: tuple[Element, ...]
    query: QueryModel
    count: Count

    @property
    def place(self) -> Place:
        """The place of the first condition; () for those on groups."""
        return self.places[0] if self.places else ()

    @property
    def element(self) -> Element | None:
        """The first condition; None for those on groups."""
        return self.elements[0] if self.elements else None

    @property
    def helps(self) -> bool:
        """Whether there are certainly rows."""
        return self.count.kind is not CountKind.UNKNOWN and self.count.value > 0


def relaxations(
    store: Store, query: QueryModel, *, most: int = MOST_ROWS, seconds: float = 5.0, limits: Limits = NO_LIMITS
) -> tuple[Relaxation, ...]:
    """For a query without rows, its number of rows without each condition, in the order of the query.

    If no single condition is responsible, pairs follow that are. LIMIT and OFFSET are ignored.

    Args:
        most: the limit of row counts.
        seconds: counts that are not ready by then are unknown.
    """
    own = limits.within(seconds)
    whole = replace(query, limit=None, offset=None)
    found = [_counted(store, (place,), (element,), left, most, own, limits) for place, element, left in _each(whole)]
    if query.having:
        found.append(_counted(store, (), (), replace(whole, having=()), most, own, limits))
    if any(one.helps or one.count.kind is CountKind.UNKNOWN for one in found):
        return tuple(found)
    return (*found, *_pairs(store, whole, most, own, limits))


def _each(query: QueryModel) -> Iterator[tuple[Place, Element, QueryModel]]:
    """The conditions of a query, with the rest of the query if that is valid."""
    for place, element in _conditions(query.where, ()):
        left = _without(query, place)
        if left is not None:
            yield place, element, left


def _conditions(group: Group, above: Place) -> Iterator[tuple[Place, Element]]:
    """Required elements; not optional ones, nor parts of absent groups."""
    for number, element in enumerate(group.elements):
        place = (*above, number)
        match element:
            case OptionalGroup():
                pass
            case InGraph():
                yield place, element
                yield from _conditions(element.group, (*place, 0))
            case PresentGroup():
                yield from _conditions(element.group, (*place, 0))
            case Alternatives():
                if len(element.groups) > 1:
                    yield place, element
                for within, inner in enumerate(groups_of(element)):
                    yield from _conditions(inner, (*place, within))
            case _:
                yield place, element


def _without(query: QueryModel, place: Place) -> QueryModel | None:
    element = element_at(query, place)
    try:
        if isinstance(element, InGraph):
            # The condition is that everything is in one graph.
            around = group_at(query, place[:-1]).elements
            inside = (*around[: place[-1]], *element.group.elements, *around[place[-1] + 1 :])
            left = with_group(query, place[:-1], Group(inside))
        else:
            left = without(query, place)
    except WrongParameter:
        return None
    return left if left.where.elements and left.variables else None


def _counted(
    store: Store,
    places: tuple[Place, ...],
    elements: tuple[Element, ...],
    left: QueryModel,
    most: int,
    own: Limits,
    limits: Limits,
) -> Relaxation:
    try:
        own.check()
        count = solution_count(store, left, most=most, limits=own)
    except (DeadlineExceeded, ServerError):
        limits.check()
        count = UNKNOWN_COUNT
    return Relaxation(places, elements, left, count)


def _pairs(store: Store, query: QueryModel, most: int, own: Limits, limits: Limits) -> Iterator[Relaxation]:
    """Pairs of conditions that leave no rows together, as far as time allows."""
    conditions = [(place, element) for place, element, _ in _each(query)]
    found = 0
    for (place, element), (later, other) in list(combinations(conditions, 2))[:_MOST_TRIED]:
        if later[: len(place)] == place:
            continue
        # Removing the later one first keeps the place of the earlier one.
        left = _without(query, later)
        left = None if left is None or _moved(query, left, place) else _without(left, place)
        if left is None:
            continue
        pair = _counted(store, (place, later), (element, other), left, most, own, limits)
        if pair.count.kind is CountKind.UNKNOWN:
            return
        if pair.helps:
            yield pair
            found += 1
            if found == _MOST_PAIRS:
                return


def _moved(query: QueryModel, left: QueryModel, place: Place) -> bool:
    """Whether a place has another element now."""
    try:
        return element_at(query, place) != element_at(left, place)
    except (IndexError, ValueError):
        return True
