"""Open an http(s) address, as a SPARQL endpoint or an RDF document."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urldefrag

from hpc_explorer.errors import AnswerDamaged, EndpointRefused, LoginRequired, NotAnEndpoint, QuerySyntaxError
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.protocol.answer_cache import AnswerCache, CachedAnswer
from hpc_explorer.stores.protocol.cached_client import shows_truncation
from hpc_explorer.stores.protocol.credentials import Credentials, split_credentials
from hpc_explorer.stores.protocol.http import DEFAULT_PATIENCE, HttpClient, Login, Timeouts, no_login
from hpc_explorer.stores.protocol.http_messages import HttpRequest
from hpc_explorer.stores.remote.remote import RemoteStore

LARGEST_DOCUMENT = 512 * 1024 * 1024
"""The maximum unpacked size in bytes of a document, which is held in memory; users download larger ones."""

_DOCUMENT_ACCEPT = (
    "text/turtle, application/n-triples, application/n-quads, application/trig, application/ld+json;q=0.9, "
    "application/rdf+xml;q=0.8, */*;q=0.1"
)

# The cache place of documents; their keys are their addresses.
_DOCUMENTS = "documents"

_KEPT_HEADERS = ("content-type", "etag", "last-modified")

_OK = 200
_NOT_MODIFIED = 304

_PAGES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True)
class WebDocument:
    """A downloaded document.

    Args:
        address: the requested address, without credentials and fragment.
        base: the address after redirects, the base of its relative IRIs (RFC 3986, section 5.1.3).
        data: its bytes, compressed only if the document itself is.
        media_type: from the server; empty if missing.
        note: a remark about its origin for people; may be empty.
    """

    address: str
    base: str
    data: bytes
    media_type: str
    note: str = ""


def is_web_address(name: str) -> bool:
    """Whether the name of a source is an http(s) address."""
    return name.lower().startswith(("http://", "https://"))


def open_address(
    name: str,
    *,
    credentials: Credentials | None = None,
    patience: Timeouts = DEFAULT_PATIENCE,
    login: Login = no_login,
    cache: AnswerCache | None = None,
    refresh: bool = False,
    progress: Callable[[int, int | None], None] = lambda come, total: None,
    limits: Limits = NO_LIMITS,
) -> RemoteStore | WebDocument:
    """The endpoint at an address, or the document there.

    An address that answers `ASK {}` as the SPARQL 1.1 Protocol requires is an endpoint; others are downloaded with
    content negotiation.

    Args:
        name: the address; a `user:password@` in it becomes the credentials.
        login: finds credentials when the server requires them.
        cache: a cache of responses, closed with the endpoint or here; None disables caching.
        refresh: whether to ignore cached responses.
        progress: called with the bytes received and the total, if known.
        limits: the deadline also applies to later calls of an endpoint.

    Raises:
        NotAnEndpoint: it is neither.
        ServerError: the server fails.
    """
    address, told = split_credentials(urldefrag(name).url)
    credentials = credentials or told
    patience = replace(patience, until=limits.deadline) if limits.deadline is not None else patience
    kept = cache.find(_DOCUMENTS, address) if cache is not None and credentials is None and not refresh else None
    store = RemoteStore(address, credentials=credentials, patience=patience, login=login, cache=cache, refresh=refresh)

    def downloaded(copy: CachedAnswer | None) -> WebDocument:
        client = HttpClient(address, credentials=credentials, patience=patience, login=login)
        return _downloaded(client, cache, copy, progress, limits)

    document = None
    try:
        if kept is not None:
            # A known document is requested as a document.
            with suppress(NotAnEndpoint):
                document = downloaded(kept)
        if document is None:
            if _answers_queries(store, limits):
                return store
            document = downloaded(None)
    except BaseException:
        store.close()
        raise
    store.close()
    return document


def _answers_queries(store: RemoteStore, limits: Limits) -> bool:
    try:
        return store.answers_queries(limits=limits)
    except LoginRequired:
        # Access is denied, which a request for a document would not change.
        raise
    except (EndpointRefused, NotAnEndpoint, AnswerDamaged, QuerySyntaxError):
        return False


def _downloaded(
    client: HttpClient,
    cache: AnswerCache | None,
    kept: CachedAnswer | None,
    progress: Callable[[int, int | None], None],
    limits: Limits,
) -> WebDocument:
    """Download a document, or reuse the cached copy if the server confirms it."""
    request = HttpRequest("GET", client.address, _DOCUMENT_ACCEPT, conditions=_conditions(kept))
    asked = cache.clock() if cache is not None else 0.0
    try:
        data, answer = client.download(request, largest=LARGEST_DOCUMENT, progress=progress, limits=limits)
        private = client.has_credentials or "no-store" in answer.headers.get("cache-control", "").lower()
    finally:
        client.close()
    base = urldefrag(answer.address).url
    if answer.status == _NOT_MODIFIED and kept is not None:
        progress(len(kept.body), len(kept.body))
        return _document(
            client.address, base, kept, f"unchanged at its server since {_since(kept)}: the kept copy is read"
        )
    if answer.media_type in _PAGES:
        raise NotAnEndpoint(
            "neither a SPARQL endpoint nor an RDF document, but a web page",
            client.address,
            "give the address of the endpoint or of the file itself",
        )
    new = CachedAnswer(
        asked, base, {name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers}, data
    )
    if cache is not None and not private and answer.status == _OK and _conditions(new) and shows_truncation(answer):
        cache.keep(_DOCUMENTS, client.address, new)
    return _document(client.address, base, new, "")


def _document(address: str, base: str, answer: CachedAnswer, note: str) -> WebDocument:
    media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    return WebDocument(address, base, answer.body, media_type, note)


def _conditions(kept: CachedAnswer | None) -> tuple[tuple[str, str], ...]:
    """The headers of a conditional request for a document (RFC 9110, section 13.1)."""
    if kept is None:
        return ()
    pairs = (("If-None-Match", kept.headers.get("etag")), ("If-Modified-Since", kept.headers.get("last-modified")))
    return tuple((name, value) for name, value in pairs if value)


def _since(kept: CachedAnswer) -> str:
    """The time of the server's last change, or else of the download."""
    when = datetime.fromtimestamp(kept.asked, UTC)
    with suppress(ValueError):
        when = parsedate_to_datetime(kept.headers.get("last-modified", ""))
    return f"{when:%Y-%m-%d %H:%M}"
