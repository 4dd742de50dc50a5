"""A click tells its parts as they come; what fails takes no other along, and what is unknown is told as such."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hpc_explorer.errors import Cancelled, DeadlineExceeded
from hpc_explorer.query.building import Direction, new_query, with_property
from hpc_explorer.query.facets import click_plan
from hpc_explorer.query.facets.bins import Histogram
from hpc_explorer.query.facets.click_plan import Facet, FacetResult, FirstRows, SchemaTerms, State
from hpc_explorer.query.facets.histogram import histogram
from hpc_explorer.query.facets.options import Effort, Page, PropertyOption
from hpc_explorer.query.facets.suggestions import class_options, property_options, value_options
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, UNKNOWN_COUNT, CancelToken, Capabilities, Count, CountKind, Limits, Rows
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.remote.remote import RemoteStore
from hpc_explorer.stores.wrapper import StoreWrapper
from tests.helpers.facets import clicked
from tests.helpers.graphs import store_of
from tests.helpers.limiting_proxy import limiting_proxy
from tests.helpers.oxigraph_server import oxigraph_server

EX = "http://example.org/"
RUN, LOSS, USED = (NamedNode(f"{EX}{name}") for name in ("Run", "loss", "used"))


def _quads(number: int) -> list[Quad]:
    graph = NamedNode(f"{EX}graph")
    quads = []
    for each in range(number):
        run = NamedNode(f"{EX}run{each:04}")
        quads += [
            Quad(run, RDF.type, RUN, graph),
            Quad(run, LOSS, Literal(f"{each / 8}", datatype=XSD.decimal), graph),
            Quad(run, USED, NamedNode(f"{EX}data{each % 3}"), graph),
        ]
    return quads


def _stored(number: int) -> LocalStore:
    store = LocalStore.in_memory()
    store.add_quads(_quads(number))
    store.settle(set(store.graphs()))
    return store


def test_all_parts_come_and_agree_with_the_lists() -> None:
    store = _stored(150)
    runs = new_query(RUN)
    found = clicked(store, runs.query, runs.focus)
    assert set(found) == set(Facet)
    assert next(iter(found)) is Facet.ROWS
    rows = found[Facet.ROWS].value
    assert isinstance(rows, FirstRows)
    assert (len(rows.rows), rows.is_whole) == (100, False)
    assert found[Facet.COUNT].value == Count(150)
    assert found[Facet.CLASSES].value == class_options(store, runs.query, runs.focus)
    assert found[Facet.INCOMING].value == property_options(store, runs.query, runs.focus, Direction.BACKWARD)
    assert found[Facet.VALUES].value == value_options(store, runs.query, runs.focus)
    assert found[Facet.HISTOGRAM].value is None
    assert list(clicked(store, runs.query, runs.focus, visible=[Facet.CLASSES])) == [Facet.CLASSES]


@pytest.mark.parametrize("remote", [False, True])
@pytest.mark.parametrize(
    ("number", "limit", "shown", "is_whole", "count"),
    [
        (3, None, 3, True, 3),
        (3, 2, 2, True, 2),
        (100, None, 100, True, 100),
        (101, None, 100, False, 101),
        (150, 100, 100, True, 100),
        (150, 101, 100, False, 101),
    ],
)
def test_the_first_rows_tell_whether_they_are_all(
    number: int, limit: int | None, shown: int, is_whole: bool, count: int, remote: bool
) -> None:
    runs = new_query(RUN)
    store = _TooSlow(_stored(number), "no such text", remote=remote)
    found = clicked(store, replace(runs.query, limit=limit), runs.focus, visible=[Facet.ROWS, Facet.COUNT])
    rows = found[Facet.ROWS].value
    assert isinstance(rows, FirstRows)
    assert (rows.variables, len(rows.rows), rows.is_whole) == (("thing",), shown, is_whole)
    counted = Count(shown, CountKind.AT_LEAST) if remote and not is_whole else Count(count)
    assert found[Facet.COUNT] == FacetResult(Facet.COUNT, counted)


NOT_ASKED, NONE = Page((), UNKNOWN_COUNT, True, Effort.SCHEMA), Page((), Count(0))


@pytest.mark.parametrize(
    ("number", "said", "unasked"),
    [
        (3, "ex:x", {Facet.HISTOGRAM: None}),
        (3, "1", {Facet.CLASSES: NONE, Facet.PROPERTIES: NONE, Facet.INCOMING: NONE}),
        (101, "1", {Facet.CLASSES: NOT_ASKED, Facet.PROPERTIES: NOT_ASKED, Facet.INCOMING: NOT_ASKED}),
        (3, "[]", {Facet.VALUES: NONE}),
        (101, "[]", {Facet.VALUES: NOT_ASKED}),
        (3, "1, ex:x", {Facet.HISTOGRAM: None}),
        (0, "1", {Facet.CLASSES: NONE, Facet.PROPERTIES: NONE, Facet.INCOMING: NONE, Facet.HISTOGRAM: None}),
    ],
)
def test_a_server_is_asked_what_can_be_so(number: int, said: str, unasked: dict[Facet, object]) -> None:
    store = _TooSlow(store_of(" ".join(f"ex:a{at} ex:n {said} ." for at in range(number))), "no such text", remote=True)
    value = with_property(new_query(None), NamedNode(f"{EX}n"), Direction.FORWARD, name="value")
    found = clicked(store, value.query, value.focus)
    assert {facet: found[facet].value for facet in unasked} == unasked
    query, focus = value.query, value.focus
    most = None if number < 101 else 1001
    lists = {
        Facet.CLASSES: class_options(store, query, focus, most=most),
        Facet.PROPERTIES: property_options(store, query, focus, Direction.FORWARD, most=most),
        Facet.INCOMING: property_options(store, query, focus, Direction.BACKWARD, most=most),
        Facet.VALUES: value_options(store, query, focus, most=most),
        Facet.HISTOGRAM: histogram(store, query, focus),
    }
    asked = {facet: FacetResult(facet, page) for facet, page in lists.items() if facet not in unasked}
    assert {facet: found[facet] for facet in asked} == asked
    assert set(found) == set(Facet)


def test_what_a_server_takes_long_for_is_told_to_be_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click_plan, "PATIENCE", 0.0)
    is_told = threading.Event()

    class Held(_TooSlow):
        def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
            if "?property" in query:
                assert is_told.wait(30)
            return super().select(query, limits=limits)

    told: list[FacetResult] = []

    def tell(part: FacetResult) -> None:
        told.append(part)
        if part.state is State.WAITING and part.facet is Facet.PROPERTIES:
            is_told.set()

    runs, known = new_query(RUN), SchemaTerms((RUN,), (LOSS, USED))
    store = Held(_stored(3), "no such text", remote=True)
    click_plan.ask_click(store, runs.query, runs.focus, tell, known=known)
    ours = [part for part in told if part.facet is Facet.PROPERTIES]
    assert [part.state for part in ours] == [State.WAITING, State.READY]
    assert ours[0].value == known.page(Facet.PROPERTIES)


class _TooSlow(StoreWrapper):
    """A store that has no time for some questions."""

    def __init__(self, store: LocalStore, slow: str, *, remote: bool = False) -> None:
        super().__init__(store)
        self._slow, self._remote = slow, remote

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(writable=False, remote=self._remote)

    def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
        if self._slow in query:
            raise DeadlineExceeded("the query took too long", "", "")
        return super().select(query, limits=limits)


@pytest.mark.parametrize("remote", [False, True])
def test_what_cannot_be_counted_is_told_without_counts(remote: bool) -> None:
    store = _TooSlow(_stored(5), "?property", remote=remote)
    runs = new_query(RUN)
    found = clicked(store, runs.query, runs.focus, known=SchemaTerms((RUN,), (LOSS, USED)))
    for facet, way in ((Facet.PROPERTIES, Direction.FORWARD), (Facet.INCOMING, Direction.BACKWARD)):
        told = found[facet]
        assert told.state is State.FAILED
        assert isinstance(told.error, DeadlineExceeded)
        assert isinstance(told.value, Page)
        assert told.value.effort is Effort.SCHEMA
        options = tuple(PropertyOption(one, way, UNKNOWN_COUNT) for one in (LOSS, USED))
        assert told.value.options == options
        assert told.value.total == UNKNOWN_COUNT
        assert told.value.has_more
    assert found[Facet.CLASSES].state is State.READY


def test_what_cannot_be_counted_in_full_is_counted_in_part() -> None:
    class Slow(_TooSlow):
        def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
            if "?property" in query and "LIMIT 1001" not in query:
                raise DeadlineExceeded("the query took too long", "", "")
            return LocalStore.select(self._store, query, limits=limits)  # type: ignore[arg-type]

    runs = new_query(RUN)
    found = clicked(Slow(_stored(1200), ""), runs.query, runs.focus, visible=[Facet.PROPERTIES])
    page = found[Facet.PROPERTIES].value
    assert isinstance(page, Page)
    assert (page.effort, page.looked_at) == (Effort.CAPPED, 1001)
    assert {one.count for one in page.options} == {Count(1001, CountKind.AT_LEAST)}


def test_a_click_can_be_taken_back() -> None:
    cancel = CancelToken()
    cancel.cancel()
    runs = new_query(RUN)
    with pytest.raises(Cancelled):
        clicked(_stored(3), runs.query, runs.focus, limits=Limits(cancel=cancel))


@pytest.fixture
def endpoint() -> Iterator[tuple[RemoteStore, list[int]]]:
    """A server with 1,200 runs, and the number of requests it had."""
    seen: list[int] = []
    with oxigraph_server() as address:
        _fill(address, 1200)
        with limiting_proxy(f"{address}/query", 10**9, at_query=seen.append) as proxy:
            store = RemoteStore(proxy)
            # How its graphs lie is asked once.
            assert list(store.select("SELECT * WHERE { ?s ?p ?o } LIMIT 1"))
            seen.clear()
            yield store, seen
            store.close()


def _fill(address: str, number: int) -> None:
    from urllib.request import ProxyHandler, Request, build_opener

    lines = "\n".join(f"{quad.subject} {quad.predicate} {quad.object} ." for quad in _quads(number))
    request = Request(f"{address}/store?default", lines.encode(), {"Content-Type": "application/n-triples"})
    build_opener(ProxyHandler({})).open(request).close()


def test_a_server_is_asked_at_most_six_times(endpoint: tuple[RemoteStore, list[int]]) -> None:
    store, seen = endpoint
    runs = new_query(RUN)
    found = clicked(store, runs.query, runs.focus)
    assert len(seen) <= 5
    page = found[Facet.PROPERTIES].value
    assert isinstance(page, Page)
    assert page.looked_at == 1001
    assert {one.count for one in page.options} == {Count(1001, CountKind.AT_LEAST)}
    assert found[Facet.COUNT].value == Count(100, CountKind.AT_LEAST)
    seen.clear()
    loss = with_property(runs, LOSS, Direction.FORWARD, name="loss")
    numbers = clicked(store, loss.query, loss.focus)
    assert len(seen) <= 3
    assert isinstance(numbers[Facet.HISTOGRAM].value, Histogram)
    assert numbers[Facet.HISTOGRAM].value.total == Count(1200)
    unasked = numbers[Facet.CLASSES].value
    assert isinstance(unasked, Page)
    assert unasked.total.kind is CountKind.UNKNOWN
    seen.clear()
    data = with_property(runs, USED, Direction.FORWARD, name="data")
    few = clicked(store, data.query, data.focus)
    assert len(seen) <= 5
    classes = few[Facet.INCOMING].value
    assert isinstance(classes, Page)
    assert [(one.property, one.count) for one in classes.options] == [(USED, Count(3))]  # type: ignore[union-attr]
    seen.clear()
    nothing = clicked(store, new_query(USED).query, new_query(USED).focus)
    assert len(seen) == 2
    assert nothing[Facet.CLASSES].value == Page((), Count(0))
