"""An http(s) address is opened as what it answers: a document, an endpoint, or an error that says what it is."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator

import pytest

from hpc_explorer.app.export.exporting import export_document
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import (
    AnswerDamaged,
    AnswerLimited,
    Cancelled,
    EndpointFailed,
    EndpointRefused,
    EndpointUnreachable,
    ExplorerError,
    NotAnEndpoint,
    SourceSyntaxError,
    UnsupportedSyntax,
)
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.remote import web
from tests.helpers.bad_server import BadServer, bad_server

TURTLE = b"<#a> <http://example.org/p> <b> ."
JSON_LD = b'{"@id": "http://example.org/a", "http://example.org/p": {"@id": "b"}}'


@pytest.fixture(scope="module")
def server() -> Iterator[BadServer]:
    with bad_server() as running:
        port = running.server_address[1]
        running.behaviours |= {
            "/data/a.ttl": lambda e: e.answer("200 OK", TURTLE, "text/turtle; charset=utf-8"),
            "/data/packed": lambda e: e.answer(
                "200 OK", gzip.compress(TURTLE), "text/turtle", "Content-Encoding: gzip"
            ),
            "/data/members": lambda e: e.answer(
                "200 OK", gzip.compress(TURTLE[:9]) + gzip.compress(TURTLE[9:]), "text/turtle", "Content-Encoding: gzip"
            ),
            "/data/zlib": lambda e: e.answer(
                "200 OK", zlib.compress(TURTLE), "text/turtle", "Content-Encoding: deflate"
            ),
            "/data/deflated": lambda e: e.answer(
                "200 OK", zlib.compress(TURTLE)[2:-4], "text/turtle", "Content-Encoding: deflate"
            ),
            "/data/cut": lambda e: e.answer(
                "200 OK", gzip.compress(TURTLE)[:-4], "text/turtle", "Content-Encoding: gzip"
            ),
            "/data/a.ttl.gz": lambda e: e.answer("200 OK", gzip.compress(TURTLE), "application/gzip"),
            "/data/plain": lambda e: e.answer("200 OK", TURTLE, "text/plain"),
            "/data/a.json": lambda e: e.answer("200 OK", JSON_LD, "application/json"),
            "/data/broken": lambda e: e.answer("200 OK", b"<#a> <p ", "text/turtle"),
            "/id/a": lambda e: e.answer(
                "303 See Other", b"", "text/plain", f"Location: http://127.0.0.1:{port}/data/a.ttl"
            ),
            "/missing": lambda e: e.answer("404 Not Found", b"<h1>Not here</h1>", "text/html"),
        }
        yield running


@pytest.fixture
def session() -> Iterator[Session]:
    opened = Session.new()
    yield opened
    opened.close()


def address(server: BadServer, path: str) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


@pytest.mark.parametrize(
    ("path", "base", "format"),
    [
        ("/data/a.ttl", "/data/", "Turtle"),
        ("/data/a.ttl#a", "/data/", "Turtle"),
        ("/data/packed", "/data/", "Turtle"),
        ("/data/members", "/data/", "Turtle"),
        ("/data/zlib", "/data/", "Turtle"),
        ("/data/deflated", "/data/", "Turtle"),
        ("/data/a.ttl.gz", "/data/", "Turtle"),
        ("/data/plain", "/data/", "Turtle"),
        ("/data/a.json", "/data/", "JSON-LD"),
        ("/id/a", "/data/", "Turtle"),
    ],
)
def test_documents(server: BadServer, session: Session, path: str, base: str, format: str) -> None:
    (source,) = open_sources(session, [address(server, path)])
    assert (source.format, source.triples.value) == (format, 1)
    assert source.graph == NamedNode(address(server, path.partition("#")[0]))
    (quad,) = session.store.match()
    assert quad.object == NamedNode(address(server, f"{base}b")), "relative to where it was found"
    assert "example.org/p" in export_document(session)[0]
    again = open_sources(session, [address(server, path)])
    assert again == (source,), "opened again it is read anew"


def test_a_document_beside_a_sample(server: BadServer, session: Session) -> None:
    open_sources(session, ["sample:xplacer", address(server, "/data/a.ttl")])
    assert len(session.sources) == 2


@pytest.mark.parametrize(
    ("path", "kind", "words"),
    [
        ("/page", NotAnEndpoint, "neither a SPARQL endpoint nor an RDF document, but a web page"),
        ("/missing", EndpointRefused, r"status 404 \(Not here\)"),
        ("/error-page", EndpointFailed, "status 500"),
        ("/round", EndpointRefused, "redirects"),
        ("/data/cut", AnswerDamaged, "is incomplete"),
        ("/data/broken", SourceSyntaxError, "/data/broken"),
    ],
)
def test_what_cannot_be_opened_says_why_and_changes_nothing(
    server: BadServer, session: Session, path: str, kind: type[ExplorerError], words: str
) -> None:
    with pytest.raises(kind, match=words):
        open_sources(session, [address(server, path)])
    assert session.sources == ()
    assert session.store.size().value == 0


def test_addresses_of_nothing(session: Session) -> None:
    with pytest.raises(EndpointUnreachable):
        open_sources(session, ["http://127.0.0.1:1/x"])
    with pytest.raises(UnsupportedSyntax):
        open_sources(session, ["ftp://example.org/x.ttl"])


def test_a_download_is_told_of_limited_and_cancelled(
    server: BadServer, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, float | None]] = []
    open_sources(session, [address(server, "/data/a.ttl")], progress=lambda text, part: told.append((text, part)))
    assert any(text.startswith("downloading http://127.0.0.1") and part == 1.0 for text, part in told)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        open_sources(session, [address(server, "/data/plain")], limits=Limits(cancel=token))
    monkeypatch.setattr(web, "LARGEST_DOCUMENT", 10)
    with pytest.raises(AnswerLimited, match="larger than"):
        open_sources(session, [address(server, "/data/plain")])
