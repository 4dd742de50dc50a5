"""Suggestions for a variable of a query: the classes, properties and values that exist, given the rest of the query.

Each suggestion leads to rows: a list ignores the condition that a choice from it would replace, and respects all
others. Counts consider only patterns, not groups, HAVING, order and LIMIT.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from hpc_explorer.query.building import Direction, FocusedQuery, main_variable, with_values
from hpc_explorer.query.facets.by_columns import InFocus, in_focus
from hpc_explorer.query.facets.by_sparql import (
    capped,
    counted_classes,
    counted_properties,
    counted_values,
    number_in_focus,
    number_of,
    number_of_values,
)
from hpc_explorer.query.facets.options import ClassOption, Effort, Page, PropertyOption, ValueOption, page_of
from hpc_explorer.query.facets.texts import Above, Bindings, bindings, counting_text
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.terms import NamedNode, Variable
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits, Store
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.store import ColumnStore

T = TypeVar("T")
Option = TypeVar("Option", ClassOption, PropertyOption)

PAGE = 50
"""The number of options on a page."""

Fits = Callable[[NamedNode], bool]
"""Whether to include a class or property, such as by its label."""


def class_options(
    store: Store,
    query: QueryModel,
    focus: Variable,
    *,
    fits: Fits | None = None,
    above: Above | None = None,
    offset: int = 0,
    limit: int = PAGE,
    most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Page[ClassOption]:
    """The classes of things in focus, with their superclasses.

    Args:
        above: each class in use with all classes above it; None: as the store states them.
        fits: only those classes.
        most: the maximum number of things to count, if all would take too long.
    """
    bound = bindings(query, (focus,))
    options = _by_columns(store, bound, lambda there: there.classes(above), limits)
    if options is not None:
        return _page(options, [one.class_ for one in options], fits, offset, limit)
    found = counted_classes(store, bound, above=above, most=_most(bound, most), limits=limits)
    terms = [one.class_ for one in found.options]
    return _page(found.options, terms, fits, offset, limit, found.looked_at, found.is_whole)


def property_options(
    store: Store,
    query: QueryModel,
    focus: Variable,
    direction: Direction,
    *,
    fits: Fits | None = None,
    offset: int = 0,
    limit: int = PAGE,
    most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Page[PropertyOption]:
    """The properties of things in focus, or those that lead to them, as `class_options`."""
    bound = bindings(query, (focus,))
    options = _by_columns(store, bound, lambda there: there.properties(direction), limits)
    if options is not None:
        return _page(options, [one.property for one in options], fits, offset, limit)
    found = counted_properties(store, bound, direction, most=_most(bound, most), limits=limits)
    terms = [one.property for one in found.options]
    return _page(found.options, terms, fits, offset, limit, found.looked_at, found.is_whole)


def _most(bound: Bindings, most: int | None) -> int | None:
    """No limit if the query says nothing about the focus."""
    return None if bound.is_anything else most


def _page(
    options: Sequence[Option],
    terms: Sequence[NamedNode],
    fits: Fits | None,
    offset: int,
    limit: int,
    looked_at: int | None = None,
    is_whole: bool = True,
) -> Page[Option]:
    kept = [option for option, term in zip(options, terms, strict=True) if fits is None or fits(term)]
    effort = Effort.EXACT if looked_at is None else Effort.CAPPED
    page = page_of(kept, offset, limit, effort=effort, looked_at=looked_at)
    if is_whole:
        return page
    return replace(page, total=Count(page.total.value, CountKind.AT_LEAST), has_more=True)


def value_options(
    store: Store,
    query: QueryModel,
    focus: Variable,
    *,
    search: str = "",
    named: Sequence[NamedNode] = (),
    offset: int = 0,
    limit: int = PAGE,
    most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Page[ValueOption]:
    """The values of the focus without its own list of values, so that another one can be chosen.

    Args:
        search: only literals that contain this, ignoring case, and the resources of `named`.
        named: the results of a search by label for it.
        most: the maximum number of values to count, if all would take too long.
    """
    pairs = pairs_of(with_values(FocusedQuery(query, focus), ()).query, main_variable(query), focus)
    if pairs.is_anything:
        # A named resource exists; other values cannot be listed.
        known = [ValueOption(one, Count(1)) for one in (named if search else ())]
        page = page_of(known, offset, limit, effort=Effort.SCHEMA)
        return page if search else Page((), UNKNOWN_COUNT, True, Effort.SCHEMA)

    def listed(there: InFocus) -> tuple[list[ValueOption], int]:
        return there.values(text_in=search, named=named, offset=offset, limit=limit)

    by_columns = _by_columns(store, pairs, listed, limits)
    if by_columns is not None:
        found, number = by_columns
        return Page(tuple(found), Count(number), offset + len(found) < number)
    counted, has_more = counted_values(
        store, pairs, text=search, named=named, offset=offset, limit=limit, most=most, limits=limits
    )
    options = tuple(counted.options)
    # After the last page, the number of values before it is unknown.
    at_least = Count(offset + len(options), CountKind.AT_LEAST) if options or not offset else UNKNOWN_COUNT
    if counted.looked_at is not None:
        return Page(options, at_least, has_more, Effort.CAPPED, counted.looked_at)
    if not has_more and (options or not offset):
        return Page(options, Count(offset + len(options)))
    if not search and not store.capabilities.remote:
        return Page(options, number_of_values(store, pairs, limits=limits), has_more)
    return Page(options, at_least, has_more)


def pairs_of(query: QueryModel, main: Variable | None, focus: Variable) -> Bindings:
    """The values of the focus, with the values of the main variable that they are counted by."""
    known = set(query.variables)
    return bindings(query, (main, focus) if main in known and main is not None else (focus,))


def focus_count(
    store: Store, query: QueryModel, focus: Variable, *, most: int | None = None, limits: Limits = NO_LIMITS
) -> Count:
    """The number of different things in focus, up to `most`; unknown if the query says nothing about it."""
    bound = bindings(query, (focus,))
    if bound.is_anything:
        return UNKNOWN_COUNT
    number = _by_columns(store, bound, InFocus.number, limits)
    return Count(number) if number is not None else number_in_focus(store, bound, most=most, limits=limits)


def solution_count(store: Store, query: QueryModel, *, most: int | None = None, limits: Limits = NO_LIMITS) -> Count:
    """The number of rows of a query; a lower bound if it reaches `most`."""
    rows = store.select(counting_text(query, most), limits=limits)
    return capped(sum(number_of(term) for row in rows for term in row.values()), most)


def _by_columns(store: Store, bound: Bindings, ask: Callable[[InFocus], T], limits: Limits) -> T | None:
    """The answer of a store's columns; None if it has none or they cannot answer exactly."""
    if not isinstance(store, ColumnStore):
        return None
    try:
        with in_focus(store.columns, bound, limits) as there:
            return ask(there)
    except NotByColumns:
        return None
