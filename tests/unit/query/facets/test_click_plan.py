"""A click tells its parts as they come; what fails takes no other along, and what is unknown is told as such."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hpc_explorer.errors import Cancelled, DeadlineExceeded
from hpc_explorer.query.building import Direction, begun, with_property
from hpc_explorer.query.facets.bins import Histogram
from hpc_explorer.query.facets.click_plan import Facet, FirstRows, SchemaTerms, State, Told, ask_click
from hpc_explorer.query.facets.options import Effort, Page
from hpc_explorer.query.facets.suggestions import class_options, property_options, value_options
from hpc_explorer.query.model.query import QueryModel
from hpc_explorer.rdf.namespaces import RDF, XSD
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, CancelToken, Capabilities, Count, CountKind, Limits, Rows
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.remote.remote import RemoteStore
from hpc_explorer.stores.wrapper import StandingBefore
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


def _asked(store: object, query: QueryModel, focus: object, **more: object) -> dict[Facet, Told]:
    found: dict[Facet, Told] = {}

    def tell(part: Told) -> None:
        found[part.facet] = part

    ask_click(store, query, focus, tell, **more)  # type: ignore[arg-type]  # as the callers have them
    return found


def test_all_parts_come_and_agree_with_the_lists() -> None:
    store = _stored(150)
    runs = begun(RUN)
    found = _asked(store, runs.query, runs.focus)
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
    assert list(_asked(store, runs.query, runs.focus, visible=[Facet.CLASSES])) == [Facet.CLASSES]


def test_rows_that_are_all_are_not_counted_again() -> None:
    store = _stored(3)
    runs = begun(RUN)
    found = _asked(store, runs.query, runs.focus)
    assert found[Facet.COUNT].value == Count(3)
    limited = _asked(store, replace(runs.query, limit=2), runs.focus)
    assert limited[Facet.COUNT].value == Count(2)


class _TooSlow(StandingBefore):
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
    runs = begun(RUN)
    found = _asked(store, runs.query, runs.focus, known=SchemaTerms((RUN,), (LOSS, USED)))
    for facet in (Facet.PROPERTIES, Facet.INCOMING):
        told = found[facet]
        assert told.state is State.FAILED
        assert isinstance(told.error, DeadlineExceeded)
        assert isinstance(told.value, Page)
        assert told.value.effort is Effort.SCHEMA
        assert [one.property for one in told.value.options] == [LOSS, USED]  # type: ignore[union-attr]
        assert {one.count.kind for one in told.value.options} == {CountKind.UNKNOWN}
        assert told.value.total.kind is CountKind.UNKNOWN
        assert told.value.has_more
    assert found[Facet.CLASSES].state is State.READY


def test_what_cannot_be_counted_in_full_is_counted_in_part() -> None:
    class Slow(_TooSlow):
        def select(self, query: str, *, limits: Limits = NO_LIMITS) -> Rows:
            if "?property" in query and "LIMIT 1001" not in query:
                raise DeadlineExceeded("the query took too long", "", "")
            return LocalStore.select(self._store, query, limits=limits)  # type: ignore[arg-type]

    runs = begun(RUN)
    found = _asked(Slow(_stored(1200), ""), runs.query, runs.focus, visible=[Facet.PROPERTIES])
    page = found[Facet.PROPERTIES].value
    assert isinstance(page, Page)
    assert (page.effort, page.looked_at) == (Effort.CAPPED, 1001)
    assert {one.count for one in page.options} == {Count(1001, CountKind.AT_LEAST)}


def test_a_click_can_be_taken_back() -> None:
    cancel = CancelToken()
    cancel.cancel()
    runs = begun(RUN)
    with pytest.raises(Cancelled):
        _asked(_stored(3), runs.query, runs.focus, limits=Limits(cancel=cancel))


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
    runs = begun(RUN)
    found = _asked(store, runs.query, runs.focus)
    assert len(seen) <= 5
    page = found[Facet.PROPERTIES].value
    assert isinstance(page, Page)
    assert page.looked_at == 1001
    assert {one.count for one in page.options} == {Count(1001, CountKind.AT_LEAST)}
    assert found[Facet.COUNT].value == Count(100, CountKind.AT_LEAST)
    seen.clear()
    loss = with_property(runs, LOSS, Direction.FORWARD, name="loss")
    numbers = _asked(store, loss.query, loss.focus)
    assert len(seen) <= 3
    assert isinstance(numbers[Facet.HISTOGRAM].value, Histogram)
    assert numbers[Facet.HISTOGRAM].value.total == Count(1200)
    unasked = numbers[Facet.CLASSES].value
    assert isinstance(unasked, Page)
    assert unasked.total.kind is CountKind.UNKNOWN
    seen.clear()
    data = with_property(runs, USED, Direction.FORWARD, name="data")
    few = _asked(store, data.query, data.focus)
    assert len(seen) <= 5
    classes = few[Facet.INCOMING].value
    assert isinstance(classes, Page)
    assert [(one.property, one.count) for one in classes.options] == [(USED, Count(3))]  # type: ignore[union-attr]
    seen.clear()
    nothing = _asked(store, begun(USED).query, begun(USED).focus)
    assert len(seen) == 2
    assert nothing[Facet.CLASSES].value == Page((), Count(0))
