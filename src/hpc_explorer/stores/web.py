"""What an http(s) address stands for: a SPARQL endpoint or an RDF document. Told by what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import urldefrag

from hpc_explorer.errors import AnswerDamaged, EndpointRefused, LoginRequired, NotAnEndpoint, QuerySyntaxError
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.credentials import Credentials, split_credentials
from hpc_explorer.stores.http import DEFAULT_PATIENCE, HttpClient, Login, Patience, no_login
from hpc_explorer.stores.http_messages import HttpRequest
from hpc_explorer.stores.remote import RemoteStore

LARGEST_DOCUMENT = 512 * 1024 * 1024
"""How many bytes a document may have, unpacked: it is held in memory. A larger one is downloaded by the user."""

_DOCUMENT_ACCEPT = (
    "text/turtle, application/n-triples, application/n-quads, application/trig, application/ld+json;q=0.9, "
    "application/rdf+xml;q=0.8, */*;q=0.1"
)

_PAGES = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True)
class WebDocument:
    """A document that was downloaded.

    Args:
        address: as it was asked for, without credentials and fragment.
        base: where it was found, redirects followed: what its relative IRIs are relative to (RFC 3986, section 5.1.3).
        data: its bytes, packed with gzip only if the document itself is.
        media_type: what the server calls it; empty if it doesn't say.
    """

    address: str
    base: str
    data: bytes
    media_type: str


def is_web_address(name: str) -> bool:
    """Whether the name of a source is an http(s) address."""
    return name.lower().startswith(("http://", "https://"))


def open_address(
    name: str,
    *,
    credentials: Credentials | None = None,
    patience: Patience = DEFAULT_PATIENCE,
    login: Login = no_login,
    progress: Callable[[int, int | None], None] = lambda come, total: None,
    limits: Limits = NO_LIMITS,
) -> RemoteStore | WebDocument:
    """The endpoint at an address, or the document there.

    An address that answers the smallest query (`ASK {}`) as the SPARQL 1.1 Protocol says is an endpoint; from any
    other a document is asked for, by content negotiation.

    Args:
        name: the address; a `user:password@` in it becomes the credentials.
        login: where to look for credentials when the server asks for them.
        progress: told how many bytes of a document have come, and of how many, where that is known.
        limits: their deadline holds for all that an endpoint is asked later too.

    Raises:
        NotAnEndpoint: it is neither.
        ServerError: the server does not answer as it should.
    """
    address, told = split_credentials(urldefrag(name).url)
    credentials = credentials or told
    patience = replace(patience, until=limits.deadline) if limits.deadline is not None else patience
    store = RemoteStore(address, credentials=credentials, patience=patience, login=login)
    try:
        is_endpoint = _answers_queries(store, limits)
    except BaseException:
        store.close()
        raise
    if is_endpoint:
        return store
    store.close()
    return _downloaded(HttpClient(address, credentials=credentials, patience=patience, login=login), progress, limits)


def _answers_queries(store: RemoteStore, limits: Limits) -> bool:
    try:
        return store.answers_queries(limits=limits)
    except LoginRequired:
        # Whatever lies there, it is not shown to us: a document would be refused likewise.
        raise
    except (EndpointRefused, NotAnEndpoint, AnswerDamaged, QuerySyntaxError):
        return False


def _downloaded(client: HttpClient, progress: Callable[[int, int | None], None], limits: Limits) -> WebDocument:
    request = HttpRequest("GET", client.address, _DOCUMENT_ACCEPT)
    try:
        data, answer = client.download(request, largest=LARGEST_DOCUMENT, progress=progress, limits=limits)
    finally:
        client.close()
    if answer.media_type in _PAGES:
        raise NotAnEndpoint(
            "neither a SPARQL endpoint nor an RDF document, but a web page",
            client.address,
            "give the address of the endpoint or of the file itself",
        )
    return WebDocument(client.address, urldefrag(answer.address).url, data, answer.media_type)
