"""The suggestion lists of the query tab, with names."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from hpc_explorer.app.query.facets import (
    classes_in_focus,
    facet_store,
    properties_in_focus,
    resources_called,
    term_names,
    value_names,
    values_in_focus,
)
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.query.building import Direction, FocusedQuery, new_query
from hpc_explorer.query.facets.options import ClassOption, PropertyOption, ValueOption
from hpc_explorer.query.facets.suggestions import PAGE, focus_count
from hpc_explorer.query.facets.value_search import SHOWN, ValueMatch, value_matches
from hpc_explorer.rdf.literals import is_number
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Count, CountKind, Limits

_MOMENTS = (XSD.dateTime, XSD.dateTimeStamp, XSD.date)


@dataclass(frozen=True)
class Named:
    """Options with the names of their terms."""

    options: tuple[ClassOption | PropertyOption | ValueOption | ValueMatch, ...]
    refs: dict[Resource, ResourceRef]
    total: Count
    has_more: bool


def suggested_classes(
    session: Session, focused: FocusedQuery, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The classes of things in focus."""
    page = classes_in_focus(session, focused.query, focused.focus, search_for=words, offset=offset, limits=limits)
    refs = term_names(session, [one.class_ for one in page.options], limits=limits)
    return Named(page.options, refs, page.total, page.has_more)


def class_count(session: Session, class_: NamedNode, *, limits: Limits = NO_LIMITS) -> Count:
    """The number of instances of a class and its subclasses, as stated in the graph."""
    anything = new_query(class_)
    store = facet_store(session, limits=limits)
    return focus_count(store, anything.query, anything.focus, limits=limits)


def suggested_properties(
    session: Session, focused: FocusedQuery, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The properties of things in focus in both directions, most frequent first."""
    found: list[PropertyOption] = []
    total, is_exact = 0, True
    for direction in Direction:
        page = properties_in_focus(
            session, focused.query, focused.focus, direction, search_for=words, limit=sys.maxsize, limits=limits
        )
        # Classes have a list of their own.
        kept = [one for one in page.options if one.property != RDF.type or one.direction is Direction.BACKWARD]
        found += kept
        total += page.total.value - len(page.options) + len(kept)
        is_exact = is_exact and page.total.kind is CountKind.EXACT
    found.sort(key=lambda one: -one.count.value)
    shown = tuple(found[offset : offset + PAGE])
    count = Count(total, CountKind.EXACT if is_exact else CountKind.AT_LEAST)
    refs = term_names(session, [one.property for one in shown], limits=limits)
    return Named(shown, refs, count, offset + len(shown) < total)


def suggested_values(
    session: Session, focused: FocusedQuery, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The values of the focus."""
    page = values_in_focus(session, focused.query, focused.focus, search_for=words, offset=offset, limits=limits)
    named = [one.value for one in page.options if isinstance(one.value, NamedNode)]
    return Named(page.options, value_names(session, named, limits=limits), page.total, page.has_more)


def may_be_range(found: Named) -> bool:
    """Whether the values may be numbers, dates or quantities, so that a histogram is worth a request.

    Quantities are nodes: blank nodes are not listed as values, others are recognised by their class.
    """
    values = [one.value for one in found.options if isinstance(one, ValueOption)]
    return not values or any(
        is_number(value) or value.datatype in _MOMENTS
        if isinstance(value, Literal)
        else "quantity" in found.refs[value].kind.casefold()
        for value in values
    )


def suggested_matches(session: Session, focused: FocusedQuery, words: str, *, limits: Limits = NO_LIMITS) -> Named:
    """Values around the focus that match a text, with their properties."""
    named, _ = resources_called(session, words, limits=limits)
    store = facet_store(session, limits=limits)
    found = value_matches(store, focused.query, focused.focus, words, named=named, limits=limits)
    refs = term_names(session, dict.fromkeys(one.property for one in found), limits=limits)
    values = [one.value for one in found if isinstance(one.value, NamedNode)]
    # The store was asked for no more than these.
    total = Count(len(found), CountKind.EXACT if len(found) < SHOWN else CountKind.AT_LEAST)
    return Named(found, refs | value_names(session, values, limits=limits), total, False)
