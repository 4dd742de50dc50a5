"""What can be said next of a variable of a query, given all the rest of it: classes, properties and values that exist.

What is suggested leads to rows: each list is asked without the condition that a choice from it would replace, and with
all others. Counts are of the patterns: groups, HAVING, order and LIMIT of the query play no part in them.
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
from hpc_explorer.query.facets.texts import Bindings, bindings, counting_text
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.terms import NamedNode, Variable
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits, Store
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.store import ColumnStore

T = TypeVar("T")
Option = TypeVar("Option", ClassOption, PropertyOption)

PAGE = 50
"""So many options are on a page."""

Fits = Callable[[NamedNode], bool]
"""Whether a class or property is looked for, as by its label."""


def class_options(
    store: Store,
    query: QueryModel,
    focus: Variable,
    *,
    fits: Fits | None = None,
    offset: int = 0,
    limit: int = PAGE,
    most: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Page[ClassOption]:
    """The classes of what is in focus, with those that the graph puts above them.

    Args:
        fits: only those classes.
        most: look at so many things in focus at most, where not all can be looked at in time.
    """
    bound = bindings(query, (focus,))
    options = _by_columns(store, bound, InFocus.classes, limits)
    if options is not None:
        return _page(options, [one.class_ for one in options], fits, offset, limit)
    found = counted_classes(store, bound, most=_most(bound, most), limits=limits)
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
    """The properties that what is in focus has, or that lead to it; as `class_options`."""
    bound = bindings(query, (focus,))
    options = _by_columns(store, bound, lambda there: there.properties(direction), limits)
    if options is not None:
        return _page(options, [one.property for one in options], fits, offset, limit)
    found = counted_properties(store, bound, direction, most=_most(bound, most), limits=limits)
    terms = [one.property for one in found.options]
    return _page(found.options, terms, fits, offset, limit, found.looked_at, found.is_whole)


def _most(bound: Bindings, most: int | None) -> int | None:
    """Anything can be in focus where the query says nothing: then there is nothing to look at less of."""
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
    """The values of the focus, its own list of values left out, so that another can be chosen.

    Args:
        search: only literals that contain this, ignoring case, and the resources of `named`.
        named: what a search by label finds for it.
        most: look at so many of its values at most, where not all can be looked at in time.
    """
    pairs = pairs_of(with_values(FocusedQuery(query, focus), ()).query, main_variable(query), focus)
    if pairs.is_anything:
        # Whatever is named exists; what else there is cannot be listed.
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
    # Of a page behind the last one nobody knows how many values stand before it.
    told = Count(offset + len(options), CountKind.AT_LEAST) if options or not offset else UNKNOWN_COUNT
    if counted.looked_at is not None:
        return Page(options, told, has_more, Effort.CAPPED, counted.looked_at)
    if not has_more and (options or not offset):
        return Page(options, Count(offset + len(options)))
    if not search and not store.capabilities.remote:
        return Page(options, number_of_values(store, pairs, limits=limits), has_more)
    return Page(options, told, has_more)


def pairs_of(query: QueryModel, main: Variable | None, focus: Variable) -> Bindings:
    """The values of the focus with those of the main variable, which they are counted by."""
    known = set(query.variables)
    return bindings(query, (main, focus) if main in known and main is not None else (focus,))


def focus_count(
    store: Store, query: QueryModel, focus: Variable, *, most: int | None = None, limits: Limits = NO_LIMITS
) -> Count:
    """How many different things are in focus; unknown where the query says nothing of it.

    Args:
        most: count no further than this, where all cannot be counted in time.
    """
    bound = bindings(query, (focus,))
    if bound.is_anything:
        return UNKNOWN_COUNT
    number = _by_columns(store, bound, InFocus.number, limits)
    return Count(number) if number is not None else number_in_focus(store, bound, most=most, limits=limits)


def solution_count(store: Store, query: QueryModel, *, most: int | None = None, limits: Limits = NO_LIMITS) -> Count:
    """How many rows a query has.

    Args:
        most: count no further than this; a count that reaches it is a lower bound.
    """
    rows = store.select(counting_text(query, most), limits=limits)
    return capped(sum(number_of(term) for row in rows for term in row.values()), most)


def _by_columns(store: Store, bound: Bindings, ask: Callable[[InFocus], T], limits: Limits) -> T | None:
    """What the columns of a store say; None where it has none, or these cannot tell for certain."""
    if not isinstance(store, ColumnStore):
        return None
    try:
        with in_focus(store.columns, bound, limits) as there:
            return ask(there)
    except NotByColumns:
        return None
