"""A document is fetched again only when it changed; an endpoint's older answers are shown with their age, and refreshed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from urllib.request import Request, urlopen

import pytest

from hpc_explorer.app.explore.classes import class_tree
from hpc_explorer.app.explore.describing import describe_graph, describe_resource
from hpc_explorer.app.explore.finding import resolve
from hpc_explorer.app.views import SourceSummary
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import AnswerDamaged, EndpointFailed, ExplorerError
from hpc_explorer.stores.protocol.answer_cache import CACHE_VARIABLE
from tests.helpers.bad_server import BadServer, Exchange, bad_server, behaviours, guarded
from tests.helpers.oxigraph_server import oxigraph_server
from tests.helpers.sessions import session_of

TURTLE = b"<#a> <http://example.org/p> <b> ."
OTHER = b"<#a> <http://example.org/p> <b>, <c> ."
TIME = "Sat, 21 Nov 2026 10:00:00 GMT"


@pytest.fixture
def server() -> Iterator[BadServer]:
    with bad_server() as running:
        yield running


def opened(server: BadServer, path: str = "/a.ttl", **options: bool) -> SourceSummary:
    session = Session.new()
    try:
        (source,) = open_sources(session, [f"http://127.0.0.1:{server.server_address[1]}{path}"], **options)
        return source
    finally:
        session.close()


def versioned(body: bytes, *headers: str) -> object:
    """A document that is not sent to whom has it."""

    def behave(exchange: Exchange) -> None:
        validators = dict(header.split(": ", 1) for header in headers)
        same = validators.get("ETag") and exchange.header("if-none-match") == validators["ETag"]
        same = same or (
            not validators.get("ETag") and exchange.header("if-modified-since") == validators["Last-Modified"]
        )
        if same:
            exchange.send(("\r\n".join(["HTTP/1.1 304 Not Modified", *headers, "", ""])).encode())
        else:
            exchange.answer("200 OK", body, "text/turtle", *headers)

    return behave


@pytest.mark.parametrize(
    "validators", [('ETag: "1"',), (f"Last-Modified: {TIME}",), ('ETag: W/"x"', f"Last-Modified: {TIME}")]
)
def test_an_unchanged_document_is_not_sent_again(server: BadServer, validators: tuple[str, ...]) -> None:
    server.behaviours["/a.ttl"] = versioned(TURTLE, *validators)  # type: ignore[assignment]
    first = opened(server)
    assert (first.triples.value, first.notes) == (1, ())
    asked = len(server.requests)
    again = opened(server)
    assert len(server.requests) == asked + 1, "one request, and no body"
    assert again.triples.value == 1
    (note,) = again.notes
    since = "2026-11-21 10:00" if "Last-Modified" in validators[-1] else ""
    assert note.startswith(f"unchanged at its server since {since}")
    assert opened(server, refresh=True).notes == ()
    server.behaviours["/a.ttl"] = versioned(OTHER, 'ETag: "2"')  # type: ignore[assignment]
    changed = opened(server)
    assert (changed.triples.value, changed.notes) == (2, ())
    assert opened(server).triples.value == 2


@pytest.mark.parametrize("fault", ["/error-page", "/slow-body-cut", "/cut", "/busy-for-an-hour", "/page", "/no-length"])
def test_a_fault_spoils_no_kept_copy(server: BadServer, fault: str) -> None:
    good = versioned(TURTLE, 'ETag: "1"')
    server.behaviours["/a.ttl"] = good  # type: ignore[assignment]
    opened(server)

    def cut(exchange: Exchange) -> None:
        head = b'HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\nETag: "2"\r\n'
        exchange.send(
            head + (b"" if fault == "/no-length" else b"Content-Length: 999\r\n") + b"\r\n" + TURTLE + b"\n<#b>"
        )
        exchange.request.shutdown(2)

    server.behaviours["/a.ttl"] = behaviours().get(fault, cut) if fault != "/cut" else cut
    with pytest.raises(ExplorerError) as failed:
        opened(server)
    if fault == "/cut":
        assert isinstance(failed.value, AnswerDamaged)
    if fault == "/error-page":
        assert isinstance(failed.value, EndpointFailed)
    server.behaviours["/a.ttl"] = good  # type: ignore[assignment]
    again = opened(server)
    assert again.triples.value == 1
    assert again.notes, "the copy from before the fault"


def test_a_document_for_a_user_or_not_to_be_stored_is_not_kept(
    server: BadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behaviours["/a.ttl"] = versioned(TURTLE, 'ETag: "1"', "Cache-Control: no-store")  # type: ignore[assignment]
    assert [opened(server).notes for _ in range(2)] == [(), ()]
    monkeypatch.setenv("HPC_EXPLORER_LOGIN", f"http://127.0.0.1:{server.server_address[1]} t0ken")
    server.behaviours["/b.ttl"] = guarded("Bearer t0ken", TURTLE, "text/turtle")
    assert [opened(server, "/b.ttl").notes for _ in range(2)] == [(), ()]


def test_nothing_is_kept_where_that_is_off(server: BadServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "off")
    server.behaviours["/a.ttl"] = versioned(TURTLE, 'ETag: "1"')  # type: ignore[assignment]
    assert [opened(server).notes for _ in range(2)] == [(), ()]


def test_a_document_that_became_an_endpoint(server: BadServer) -> None:
    server.behaviours["/a.ttl"] = versioned(TURTLE, 'ETag: "1"')  # type: ignore[assignment]
    opened(server)

    def endpoint(exchange: Exchange) -> None:
        if "query=" in exchange.head.splitlines()[0]:
            exchange.answer("200 OK", b'{"head":{},"boolean":true}')
        else:
            exchange.answer("200 OK", b"<html></html>", "text/html")

    server.behaviours["/a.ttl"] = endpoint
    session = Session.new()
    with pytest.raises(ExplorerError, match="not a SELECT"):
        open_sources(session, [f"http://127.0.0.1:{server.server_address[1]}/a.ttl"])
    session.close()


def _insert(address: str, triple: str) -> None:
    body = f"INSERT DATA {{ {triple} }}".encode()
    urlopen(Request(f"{address}/update", body, {"Content-Type": "application/sparql-update"})).close()


def test_a_session_on_an_endpoint_later_and_without_it() -> None:
    with oxigraph_server() as server:
        address = f"{server}/query"
        _insert(server, "<urn:a> a <urn:C> ; <http://www.w3.org/2000/01/rdf-schema#label> 'first'")
        session = session_of(address)
        assert describe_graph(session).triples.value == 2
        describe_resource(session, resolve(session, "<urn:a>"))
        class_tree(session)
        assert session.answers_age() is None
        session.close()
        _insert(server, "<urn:b> a <urn:C>")
        later = session_of(address)
        seen = describe_graph(later)
        assert seen.triples.value == 2, "as it was known"
        assert later.answers_age() is not None
        assert timedelta() < (seen.answers_age or timedelta()) < timedelta(minutes=5)
        told: list[int] = []
        later.subscribe(lambda change: told.append(change.generation))
        later.refresh()
        assert told == [later.generation]
        assert later.answers_age() is None
        assert later.sources[0].triples.value == 3
        assert describe_graph(later).triples.value == 3
        describe_resource(later, resolve(later, "<urn:a>"))
        class_tree(later)
        later.close()
    without = Session.new()
    open_sources(without, [address], refresh=True)
    assert describe_graph(without).offline
    assert describe_graph(without).triples.value == 3
    view = describe_resource(without, resolve(without, "<urn:a>"))
    assert view.ref.label == "first"
    assert len(class_tree(without)) > 0
    assert without.is_offline
    without.refresh()
    assert without.sources[0].triples.value == 3, "there is nothing newer"
    without.close()
