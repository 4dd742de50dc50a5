"""SERVICE: no server is asked that was not allowed; one that was is asked once, and its answer joined."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from urllib.parse import unquote_plus

import pytest

from hpc_explorer.errors import (
    AnswerLimited,
    EndpointFailed,
    EndpointRefused,
    EndpointTooSlow,
    InvalidIri,
    ServerNotAllowed,
    Unsupported,
)
from hpc_explorer.rdf.terms import BlankNode, Literal, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.stoppable import StoppableStore
from tests.helpers.bad_server import BadServer, Exchange, bad_server
from tests.helpers.graphs import ex

JSON = "application/sparql-results+json"


def answer(exchange: Exchange) -> None:
    """Three rows: a with a blank node, a with the same one, c with nothing."""
    a, c = ({"type": "uri", "value": f"http://example.org/{name}"} for name in "ac")
    blank = {"type": "bnode", "value": "x"}
    rows = [{"s": a, "o": blank, "stray": c}, {"s": a, "o": blank}, {"s": c}]
    body = {"head": {"vars": ["s", "o", "stray"]}, "results": {"bindings": rows}}
    exchange.answer("200 OK", json.dumps(body).encode(), JSON)


@pytest.fixture
def server() -> Iterator[BadServer]:
    with bad_server() as server:
        server.behaviours = {**server.behaviours, "/answer": answer}
        yield server


@pytest.fixture(params=["memory", "stoppable"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    local = LocalStore.in_memory()
    local.add_quads(Quad(ex(name), ex("label"), Literal(name), ex("g")) for name in "ab")
    asked: Store = StoppableStore(local) if request.param == "stoppable" else local
    yield asked
    asked.close()


def host(server: BadServer) -> str:
    return f"127.0.0.1:{server.server_address[1]}"


def allowed(server: BadServer) -> Limits:
    return Limits(servers=frozenset({host(server)}))


def asking(server: BadServer, path: str, how: str = "SERVICE") -> str:
    address = f"http://{host(server)}{path}"
    return f"SELECT * {{ ?s <http://example.org/label> ?l . {how} <{address}> {{ ?s ?p ?o }} }}"


def test_nothing_goes_out_that_was_not_allowed(server: BadServer, store: Store) -> None:
    plain = asking(server, "/answer")
    address = f"http://{host(server)}/answer"
    texts = [
        plain,
        asking(server, "/answer", "SERVICE SILENT"),
        f"PREFIX h: <{address}> SELECT * {{ OPTIONAL {{ SERVICE h: {{ ?s ?p ?o }} }} }}",
        f"SELECT * {{ FILTER EXISTS {{ SERVICE <{address}> {{ ?s ?p ?o }} }} }}",
    ]
    for text in texts:
        for limits in (NO_LIMITS, Limits(servers=frozenset({"example.org"}))):
            with pytest.raises(ServerNotAllowed) as refused:
                store.select(text, limits=limits)
            assert refused.value.where == host(server)
    with pytest.raises(ServerNotAllowed):
        store.ask(plain.replace("SELECT *", "ASK"))
    with pytest.raises(ServerNotAllowed):
        list(store.construct(plain.replace("SELECT *", "CONSTRUCT { ?s ?p ?o } WHERE")))
    with pytest.raises(Unsupported):
        store.select(f"SELECT * {{ VALUES ?e {{ <{address}> }} SERVICE ?e {{ }} }}", limits=allowed(server))
    with pytest.raises(InvalidIri):
        store.select("ASK { SERVICE <file:///etc/passwd> { } }", limits=Limits(servers=frozenset({"all"})))
    assert server.requests == []


@pytest.mark.parametrize(
    "update", ["LOAD <{0}>", "LOAD SILENT <{0}>", "INSERT {{ ?s ?p ?o }} WHERE {{ SERVICE <{0}> {{ ?s ?p ?o }} }}"]
)
def test_no_update_asks_a_server(server: BadServer, update: str) -> None:
    store = LocalStore.in_memory()
    with pytest.raises(Unsupported):
        store.update(update.format(f"http://{host(server)}/answer"))
    assert server.requests == []


@pytest.mark.parametrize("all_", [True, False])
def test_an_allowed_server_is_asked_once_and_its_answer_joined(server: BadServer, store: Store, all_: bool) -> None:
    limits = Limits(servers=frozenset({"all"})) if all_ else allowed(server)
    rows = store.select(asking(server, "/answer"), limits=limits)
    assert rows.variables == ("s", "l", "p", "o")
    one, other = rows
    assert isinstance(one["o"], BlankNode)
    assert one == other == {"s": ex("a"), "l": Literal("a"), "o": one["o"]}
    (request,) = server.requests
    assert "SELECT * WHERE { ?s ?p ?o }" in unquote_plus(request)


def test_the_server_knows_the_prefixes_and_what_stands_beside_is_kept(server: BadServer, store: Store) -> None:
    address = f"http://{host(server)}/answer"
    text = f"""PREFIX : <http://example.org/>
        SELECT (COUNT(*) AS ?n) {{ ?s :label ?l . MINUS {{ SERVICE <{address}> {{ ?s :p ?o }} }} }}"""
    (row,) = store.select(text, limits=allowed(server))
    assert row["n"] == Literal(1)
    assert "PREFIX : <http://example.org/>" in unquote_plus(server.requests[0])


def test_a_failure_names_the_server_unless_it_is_silent(server: BadServer, store: Store) -> None:
    with pytest.raises(EndpointFailed, match="/error-page"):
        store.select(asking(server, "/error-page"), limits=allowed(server))
    rows = store.select(asking(server, "/error-page", "SERVICE SILENT"), limits=allowed(server))
    assert rows.variables == ("s", "l", "p", "o")
    assert {row["s"] for row in rows} == {ex("a"), ex("b")}


def test_a_part_of_an_answer_is_no_answer(server: BadServer, store: Store) -> None:
    with pytest.raises(AnswerLimited, match="/limited"):
        store.select(asking(server, "/limited", "SERVICE SILENT"), limits=allowed(server))


def test_a_redirect_to_a_server_that_was_not_allowed_is_not_followed(server: BadServer, store: Store) -> None:
    with bad_server() as other:
        there = f"Location: http://localhost:{other.server_address[1]}/good"
        server.behaviours["/moved-away"] = lambda e: e.answer("302 Found", b"", "text/plain", there)
        with pytest.raises(EndpointRefused, match="not allowed"):
            store.select(asking(server, "/moved-away"), limits=allowed(server))
        assert other.requests == []


@pytest.mark.parametrize("how", ["SERVICE", "SERVICE SILENT"])
def test_the_deadline_holds_for_the_server_too(server: BadServer, store: Store, how: str) -> None:
    limits = Limits(deadline=time.monotonic() + 0.5, servers=frozenset({host(server)}))
    with pytest.raises(EndpointTooSlow, match="/slow-first-byte"):
        store.select(asking(server, "/slow-first-byte", how), limits=limits)
