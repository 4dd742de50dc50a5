"""The lists of the tab Ask, with the names that a person reads."""

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
    """Options with what their terms are called.

    Args:
        options: the options of all lists that were asked, as they are to be shown.
        refs: the classes, properties and resources among them.
        total: how many there are in all.
    """

    options: tuple[ClassOption | PropertyOption | ValueOption | ValueMatch, ...]
    refs: dict[Resource, ResourceRef]
    total: Count
    has_more: bool


def suggested_classes(
    session: Session, focused: FocusedQuery, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The classes of what is in focus."""
    page = classes_in_focus(session, focused.query, focused.focus, search_for=words, offset=offset, limits=limits)
    refs = term_names(session, [one.class_ for one in page.options], limits=limits)
    return Named(page.options, refs, page.total, page.has_more)


def class_count(session: Session, class_: NamedNode, *, limits: Limits = NO_LIMITS) -> Count:
    """How many things the graph itself says to be of a class, or of one that it puts below it."""
    anything = new_query(class_)
    store = facet_store(session, limits=limits)
    return focus_count(store, anything.query, anything.focus, limits=limits)


def suggested_properties(
    session: Session, focused: FocusedQuery, words: str, offset: int, *, limits: Limits = NO_LIMITS
) -> Named:
    """The properties of what is in focus, in both directions, those that most have first."""
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
    """Whether values could be numbers, dates or amounts, so that it is worth asking how they are spread.

    Amounts are nodes: without a name they are not listed as values, else their class says what they are.
    """
    values = [one.value for one in found.options if isinstance(one, ValueOption)]
    return not values or any(
        is_number(value) or value.datatype in _MOMENTS
        if isinstance(value, Literal)
        else "quantity" in found.refs[value].kind.casefold()
        for value in values
    )


def suggested_matches(session: Session, focused: FocusedQuery, words: str, *, limits: Limits = NO_LIMITS) -> Named:
    """Values anywhere around the focus that a text may mean, each with its property."""
    named, _ = resources_called(session, words, limits=limits)
    store = facet_store(session, limits=limits)
    found = value_matches(store, focused.query, focused.focus, words, named=named, limits=limits)
    refs = term_names(session, dict.fromkeys(one.property for one in found), limits=limits)
    values = [one.value for one in found if isinstance(one.value, NamedNode)]
    # Beyond so many the store was not asked for more.
    total = Count(len(found), CountKind.EXACT if len(found) < SHOWN else CountKind.AT_LEAST)
    return Named(found, refs | value_names(session, values, limits=limits), total, False)
