"""All that one click shows: the first rows, then the visible facets, each reported as soon as it is known.

A column store answers one facet after the other from one table of the things in focus. A server gets one request for
the first rows and then one for each list, at most four at once, so that a failure affects one list only. If the first
rows are all rows, everything is counted; otherwise the first thousand things in focus, with lower bounds as counts.
After three seconds a missing facet is reported as waiting, after ten without counts, from the schema.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias, TypeVar

from hpc_explorer.errors import Cancelled, DeadlineExceeded, ExplorerError
from hpc_explorer.query.building import Direction, FocusedQuery, main_variable, with_range, with_values
from hpc_explorer.query.facets.bins import Histogram
from hpc_explorer.query.facets.by_columns import in_focus
from hpc_explorer.query.facets.histogram import Among, histogram, histogram_in_focus
from hpc_explorer.query.facets.options import ClassOption, Effort, Page, PropertyOption, ValueOption, page_of
from hpc_explorer.query.facets.suggestions import (
    PAGE,
    class_options,
    pairs_of,
    property_options,
    solution_count,
    value_options,
)
from hpc_explorer.query.model.query import Form, QueryModel
from hpc_explorer.query.sparql.writing import sparql_text
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Variable
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, Count, CountKind, Limits, Row, Rows, Store
from hpc_explorer.stores.columns.relation import NotByColumns
from hpc_explorer.stores.columns.store import ColumnStore

T = TypeVar("T")

FIRST_ROWS = 100
"""The number of rows shown first; one more is requested, to detect more rows."""

MOST_LOOKED_AT = 1001
"""The maximum number of things in focus that a server counts."""

AT_ONCE = 4
"""The maximum number of parallel requests."""

PATIENCE, LONGEST = 3.0, 10.0
"""Seconds until a facet is reported as waiting, and until its request is abandoned."""


class Facet(Enum):
    """A part of what a click shows."""

    ROWS = "rows"
    COUNT = "count"
    CLASSES = "classes"
    PROPERTIES = "properties"
    INCOMING = "incoming"
    VALUES = "values"
    HISTOGRAM = "histogram"


LISTS = (Facet.CLASSES, Facet.PROPERTIES, Facet.INCOMING, Facet.VALUES)


class State(Enum):
    """The progress of a facet."""

    READY = "ready"
    WAITING = "waiting"
    FAILED = "failed"


@dataclass(frozen=True)
class FirstRows:
    """The first rows of a query.

    Args:
        is_whole: whether these are all rows.
    """

    variables: tuple[str, ...]
    rows: tuple[Row, ...]
    is_whole: bool


Value: TypeAlias = FirstRows | Count | Page[ClassOption] | Page[PropertyOption] | Page[ValueOption] | Histogram | None


@dataclass(frozen=True)
class FacetResult:
    """The current result of a facet.

    Args:
        value: a page of a list, a histogram or None, rows, or their number; while waiting and after a failure, what is
            known without it.
        error: the cause of a failure.
    """

    facet: Facet
    value: Value
    state: State = State.READY
    error: ExplorerError | None = None


@dataclass(frozen=True)
class SchemaTerms:
    """The classes and properties of a graph, most used first, for lists that cannot be counted."""

    classes: tuple[NamedNode, ...] = ()
    properties: tuple[NamedNode, ...] = ()

    def page(self, facet: Facet) -> Value:
        """What is known of a facet without a request."""
        if facet is Facet.COUNT:
            return UNKNOWN_COUNT
        if facet is Facet.CLASSES:
            return _uncounted([ClassOption(one, UNKNOWN_COUNT) for one in self.classes])
        if facet in (Facet.PROPERTIES, Facet.INCOMING):
            way = Direction.FORWARD if facet is Facet.PROPERTIES else Direction.BACKWARD
            return _uncounted([PropertyOption(one, way, UNKNOWN_COUNT) for one in self.properties])
        return Page((), UNKNOWN_COUNT, True, Effort.SCHEMA) if facet is Facet.VALUES else None


def _uncounted(options: Sequence[ClassOption] | Sequence[PropertyOption]) -> Value:
    page = page_of(options, 0, PAGE, effort=Effort.SCHEMA)
    return replace(page, total=UNKNOWN_COUNT, has_more=True)  # type: ignore[return-value]  # of one kind or the other


Report = Callable[[FacetResult], None]


def ask_click(
    store: Store,
    query: QueryModel,
    focus: Variable,
    report: Report,
    *,
    visible: Collection[Facet] = tuple(Facet),
    known: SchemaTerms | None = None,
    limits: Limits = NO_LIMITS,
) -> None:
    """Request all that a click shows, and report each part as soon as it is known, in the calling thread.

    Args:
        visible: only these facets.
        known: classes and properties to report if they cannot be counted in time.

    Raises:
        ExplorerError: the query itself cannot be answered.
    """
    click = _Click(store, query, focus, report, frozenset(visible), known or SchemaTerms(), limits)
    first = click.first_rows()
    if store.capabilities.remote:
        click.ask_server(first)
    else:
        click.ask_here(first)


def in_time(store: Store, ask: Callable[[int | None, Limits], T], limits: Limits) -> T:
    """Count a facet completely if time allows, otherwise partly; on a server partly at once.

    Args:
        ask: takes the maximum number of things in focus to count, and the limits.

    Raises:
        ExplorerError: not even a part could be counted in time.
    """
    if store.capabilities.remote:
        return ask(MOST_LOOKED_AT, limits.within(LONGEST))
    try:
        return ask(None, limits.within(PATIENCE))
    except DeadlineExceeded:
        limits.check()
        return ask(MOST_LOOKED_AT, limits.within(PATIENCE))


@dataclass(frozen=True)
class _Click:
    store: Store
    query: QueryModel
    focus: Variable
    report: Report
    visible: frozenset[Facet]
    known: SchemaTerms
    limits: Limits

    def first_rows(self) -> FirstRows | None:
        """Report the first rows; None if rows are not visible or the query is empty."""
        if Facet.ROWS not in self.visible or not self.query.where.elements or self.query.form is not Form.SELECT:
            return None
        asked = min(FIRST_ROWS + 1, self.query.limit if self.query.limit is not None else FIRST_ROWS + 1)
        rows = self._selected(sparql_text(replace(self.query, limit=asked)))
        found = tuple(rows)
        is_whole = len(found) <= FIRST_ROWS and not rows.limited
        first = FirstRows(tuple(rows.variables), found[:FIRST_ROWS], is_whole)
        self.report(FacetResult(Facet.ROWS, first))
        return first

    def _selected(self, text: str) -> Rows:
        """The rows of a query; columns are faster at selective conditions."""
        if isinstance(self.store, ColumnStore):
            try:
                return self.store.columns.select(text, limits=self.limits)
            except NotByColumns:
                pass
        return self.store.select(text, limits=self.limits)

    # On this machine

    def ask_here(self, first: FirstRows | None) -> None:
        """Request one facet after the other."""
        done: set[Facet] = set()
        if not self.query.where.elements or (first is not None and first.is_whole):
            done.add(Facet.COUNT)
            if Facet.COUNT in self.visible:
                self.report(FacetResult(Facet.COUNT, UNKNOWN_COUNT if first is None else Count(len(first.rows))))
        done |= self._by_columns(done)
        for facet in Facet:
            if facet in self.visible and facet is not Facet.ROWS and facet not in done:
                self._ask_in_time(facet)

    def _by_columns(self, done: Collection[Facet]) -> frozenset[Facet]:
        """Report the facets that follow from the bindings of the focus and the main variable; return which."""
        if not isinstance(self.store, ColumnStore):
            return frozenset()
        pages: list[FacetResult] = []
        plain = FocusedQuery(self.query, self.focus)
        pairs = pairs_of(self.query, main_variable(self.query), self.focus)
        try:
            with in_focus(self.store.columns, pairs, self.limits) as there:
                if Facet.COUNT not in done and (number := there.rows_of(self.query)) is not None:
                    pages.append(FacetResult(Facet.COUNT, Count(number)))
                pages.append(FacetResult(Facet.CLASSES, page_of(there.classes(), 0, PAGE)))
                pages.append(FacetResult(Facet.PROPERTIES, page_of(there.properties(Direction.FORWARD), 0, PAGE)))
                pages.append(FacetResult(Facet.INCOMING, page_of(there.properties(Direction.BACKWARD), 0, PAGE)))
                if there.is_literal and with_range(plain, None, None) == plain:
                    pages.append(FacetResult(Facet.HISTOGRAM, histogram_in_focus(there)))
                elif not there.is_literal and not pairs.is_anything and Facet.HISTOGRAM in self.visible:
                    pages.append(
                        FacetResult(Facet.HISTOGRAM, self._asked(Facet.HISTOGRAM, None, Among.QUANTITIES, self.limits))
                    )
                if not pairs.is_anything and with_values(plain, ()) == plain:
                    values, total = there.values(limit=PAGE)
                    pages.append(FacetResult(Facet.VALUES, Page(tuple(values), Count(total), len(values) < total)))
        except NotByColumns:
            pass
        shown = [page for page in pages if page.facet in self.visible]
        for page in shown:
            self.report(page)
        return frozenset(page.facet for page in shown)

    def _ask_in_time(self, facet: Facet) -> None:
        """Request all of a facet, then a part of it; else report what is known."""
        try:
            found = in_time(self.store, lambda most, own: self._asked(facet, most, Among.ANYTHING, own), self.limits)
        except Cancelled:
            raise
        except ExplorerError as error:
            self.limits.check()
            self.report(FacetResult(facet, self.known.page(facet), State.FAILED, error))
        else:
            self.report(FacetResult(facet, found))

    # On a server

    def ask_server(self, first: FirstRows | None) -> None:
        """Request each facet separately."""
        among, wanted = self._worth_asking(first)
        most = None if first is not None and first.is_whole else MOST_LOOKED_AT
        if Facet.COUNT in self.visible:
            # Counting all rows is not worth a request at each click.
            number = (
                Count(len(first.rows), CountKind.EXACT if first.is_whole else CountKind.AT_LEAST) if first else None
            )
            self.report(FacetResult(Facet.COUNT, number or UNKNOWN_COUNT))
        for facet in (*LISTS, Facet.HISTOGRAM):
            if facet in self.visible and facet not in wanted:
                self._report_not_asked(facet, first)
        if not wanted:
            return
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="facets")
        own = self.limits.within(LONGEST)
        try:
            under_way = {pool.submit(self._asked, facet, most, among, own): facet for facet in wanted}
            self._await(under_way)
        finally:
            pool.shutdown(wait=True)
        self.limits.check()

    def _await(self, under_way: dict[Future[Value], Facet]) -> None:
        began = time.monotonic()
        left = set(under_way)
        is_reported = False
        while left:
            timeout = None if is_reported else max(0.0, PATIENCE - (time.monotonic() - began))
            done, left = wait(left, timeout, FIRST_COMPLETED)
            for one in done:
                self._report_outcome(under_way[one], one)
            if not is_reported and time.monotonic() - began >= PATIENCE:
                is_reported = True
                for one in left:
                    self.report(FacetResult(under_way[one], self.known.page(under_way[one]), State.WAITING))

    def _report_outcome(self, facet: Facet, outcome: Future[Value]) -> None:
        error = outcome.exception()
        if error is None:
            self.report(FacetResult(facet, outcome.result()))
        elif isinstance(error, ExplorerError) and not isinstance(error, Cancelled):
            self.report(FacetResult(facet, self.known.page(facet), State.FAILED, error))
        elif not isinstance(error, Cancelled):
            raise error

    def _worth_asking(self, first: FirstRows | None) -> tuple[Among, list[Facet]]:
        """The probable type of the values in focus, and the facets that suit it."""
        name = self.focus.value
        fitting: tuple[Facet, ...]
        seen = [row[name] for row in first.rows if name in row] if first is not None else []
        if first is not None and self._is_nothing(first):
            # Nothing is in focus, but without its own condition it may have values.
            among, fitting = Among.ANYTHING, (Facet.VALUES,)
        elif seen and all(isinstance(one, Literal) for one in seen):
            among, fitting = Among.LITERALS, (Facet.VALUES, Facet.HISTOGRAM)
        elif seen and all(isinstance(one, BlankNode) for one in seen):
            # Blank nodes cannot be chosen, but may be quantities.
            among, fitting = Among.QUANTITIES, (Facet.CLASSES, Facet.PROPERTIES, Facet.INCOMING, Facet.HISTOGRAM)
        else:
            among, fitting = Among.ANYTHING, LISTS
        return among, [facet for facet in fitting if facet in self.visible]

    def _is_nothing(self, first: FirstRows) -> bool:
        query = self.query
        cuts = query.limit is not None or bool(query.offset) or query.is_grouped or bool(query.having)
        return first.is_whole and not first.rows and not cuts

    def _report_not_asked(self, facet: Facet, first: FirstRows | None) -> None:
        if facet is Facet.HISTOGRAM:
            self.report(FacetResult(facet, None))
        else:
            is_whole = first is not None and first.is_whole
            effort = Effort.EXACT if is_whole else Effort.SCHEMA
            page: Page[ValueOption] = Page((), Count(0) if is_whole else UNKNOWN_COUNT, not is_whole, effort)
            self.report(FacetResult(facet, page))

    # One facet

    def _asked(self, facet: Facet, most: int | None, among: Among, limits: Limits) -> Value:
        store, query, focus = self.store, self.query, self.focus
        match facet:
            case Facet.COUNT:
                return solution_count(store, query, most=most, limits=limits)
            case Facet.CLASSES:
                return class_options(store, query, focus, most=most, limits=limits)
            case Facet.PROPERTIES:
                return property_options(store, query, focus, Direction.FORWARD, most=most, limits=limits)
            case Facet.INCOMING:
                return property_options(store, query, focus, Direction.BACKWARD, most=most, limits=limits)
            case Facet.VALUES:
                return value_options(store, query, focus, most=most, limits=limits)
            case _:
                return histogram(store, query, focus, among=among, limits=limits)
