"""Find one element of a query, and change it.

A place is the path to an element: its index in the query's group; for a nested element, then the index of the group
within that element (0 unless these are alternatives) and the index in that group, and so on. The place of a group is
that of its element and its index within it; () is the query's own group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from hpc_explorer.query.model.patterns import Element, Group, groups_of, with_groups
from hpc_explorer.query.model.query import QueryModel

Place: TypeAlias = tuple[int, ...]


def places(query: QueryModel) -> Iterator[tuple[Place, Element]]:
    """All elements with their places, outer before inner."""
    yield from _places(query.where, ())


def _places(group: Group, above: Place) -> Iterator[tuple[Place, Element]]:
    for number, element in enumerate(group.elements):
        place = (*above, number)
        yield place, element
        for within, inner in enumerate(groups_of(element)):
            yield from _places(inner, (*place, within))


def group_at(query: QueryModel, place: Place) -> Group:
    """The group at a place.

    Raises:
        IndexError: there is none.
    """
    group = query.where
    for number, within in zip(place[::2], place[1::2], strict=True):
        group = groups_of(group.elements[number])[within]
    return group


def element_at(query: QueryModel, place: Place) -> Element:
    """The element at a place.

    Raises:
        IndexError: there is none.
    """
    return group_at(query, place[:-1]).elements[place[-1]]


def with_group(query: QueryModel, place: Place, group: Group) -> QueryModel:
    """The query with another group at a place."""
    if not place:
        return replace(query, where=group)
    *above, number, within = place
    outer = group_at(query, tuple(above))
    element = outer.elements[number]
    inner = groups_of(element)
    changed = with_groups(element, (*inner[:within], group, *inner[within + 1 :]))
    elements = (*outer.elements[:number], changed, *outer.elements[number + 1 :])
    return with_group(query, tuple(above), Group(elements))


def with_element(query: QueryModel, place: Place, element: Element) -> QueryModel:
    """The query with another element at a place."""
    elements = group_at(query, place[:-1]).elements
    return with_group(query, place[:-1], Group((*elements[: place[-1]], element, *elements[place[-1] + 1 :])))


def with_added(query: QueryModel, *elements: Element, group: Place = ()) -> QueryModel:
    """The query with elements at the end of a group."""
    return with_group(query, group, Group((*group_at(query, group).elements, *elements)))


def without_element(query: QueryModel, place: Place) -> QueryModel:
    """The query without the element at a place; a group that becomes empty stays."""
    elements = group_at(query, place[:-1]).elements
    return with_group(query, place[:-1], Group((*elements[: place[-1]], *elements[place[-1] + 1 :])))
