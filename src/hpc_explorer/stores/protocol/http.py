"""HTTP requests with deadlines, cancellation and named errors.

client = HttpClient("https://example.org/sparql") with client.open(HttpRequest("GET", "https://example.org/sparql",
...), limits) as answer:
    answer.read(4096)
"""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hpc_explorer.errors import AnswerLimited, EndpointBusy, EndpointRefused, EndpointTooSlow, ServerError
from hpc_explorer.rdf.syntax.unpacking import most_unpacked
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.protocol.credentials import Credentials, origin
from hpc_explorer.stores.protocol.http_errors import check_limits, refusal, retry_after, short_reason
from hpc_explorer.stores.protocol.http_loop import LOOK, LoopThread
from hpc_explorer.stores.protocol.http_messages import HttpAnswer, HttpRequest
from hpc_explorer.stores.protocol.http_unpacking import unpacked
from hpc_explorer.stores.protocol.tls import trusting

if TYPE_CHECKING:
    import httpx

MOST_REQUESTS = 4
"""The maximum number of concurrent requests of a client."""

_MOST_REDIRECTS = 5
_MOST_TRIES = 4
_FIRST_PAUSE = 0.5

# Bytes of an error response to read.
_REASON_BYTES = 64 * 1024

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Timeouts:
    """Timeouts in seconds; the caller's `Limits` may end earlier.

    Args:
        connect: for the connection, including TLS.
        first_byte: for the start of the response.
        between: between two chunks of the response.
        whole: from the request to the last byte.
        until: the latest `time.monotonic()` second; None: no limit.
    """

    connect: float = 10.0
    first_byte: float = 60.0
    between: float = 30.0
    whole: float = 600.0
    until: float | None = None


DEFAULT_PATIENCE = Timeouts()

Login = Callable[[str], Credentials | None]
"""Finds the credentials for the server of an address, such as `logins.find_login`."""


def no_login(address: str) -> None:
    """Find no credentials."""


@dataclass
class _Sent:
    """A request in progress, used by the event loop."""

    address: str
    response: httpx.Response | None = None
    abandoned: bool = False


class HttpClient:
    """A client for one server with at most `MOST_REQUESTS` concurrent requests over kept connections.

    Args:
        address: of the server, shown in errors; credentials are sent to its origin only.
        login: finds credentials when the server requires them (401, 403).
        may_ask: whether a redirect to an address may be followed.
    """

    def __init__(
        self,
        address: str,
        *,
        credentials: Credentials | None = None,
        patience: Timeouts = DEFAULT_PATIENCE,
        login: Login = no_login,
        may_ask: Callable[[str], bool] = lambda address: True,
    ) -> None:
        self.address = address
        self.patience = patience
        self._credentials = credentials
        self._login = login
        self._may_ask = may_ask
        self._slots = threading.BoundedSemaphore(MOST_REQUESTS)
        self._loop = LoopThread(address)
        self._client: httpx.AsyncClient | None = None

    def open(self, request: HttpRequest, limits: Limits = NO_LIMITS) -> HttpAnswer:
        """Send a request and wait for a successful status.

        A safe request answered with 429 or 503 is repeated as the server requests (Retry-After, RFC 9110 section
        10.2.3) or with growing pauses, within the time limit.

        Raises:
            ServerError: there is no successful response in time.
            Cancelled: the operation was cancelled.
        """
        check_limits(limits, self.address)
        until = self._until(limits)
        for number in range(1, _MOST_TRIES + 1):
            answer = self._answer(request, until, limits)
            if answer.status < 400:
                return answer
            with answer:
                if answer.status not in (429, 503):
                    raise self._refusal(answer)
                asked = retry_after(answer.headers.get("retry-after", ""))
            pause = _FIRST_PAUSE * 2 ** (number - 1) if asked is None else asked
            if not request.safe or number == _MOST_TRIES or time.monotonic() + pause >= until:
                remedy = "try again later" if asked is None else f"it asks to wait {asked:,.0f} s"
                raise EndpointBusy(f"the server is too busy (status {answer.status})", self.address, remedy)
            self._loop.pause(pause, until, limits)
        raise AssertionError("the last try returns or raises")

    def open_any(self, request: HttpRequest, limits: Limits = NO_LIMITS) -> HttpAnswer:
        """Send a request once; any status counts as a response.

        Raises:
            ServerError: there is no response in time.
            Cancelled: the operation was cancelled.
        """
        check_limits(limits, self.address)
        return self._answer(request, self._until(limits), limits)

    def _until(self, limits: Limits) -> float:
        ends = (time.monotonic() + self.patience.whole, self.patience.until, limits.deadline)
        return min(end for end in ends if end is not None)

    def download(
        self,
        request: HttpRequest,
        *,
        largest: int,
        progress: Callable[[int, int | None], None],
        limits: Limits = NO_LIMITS,
    ) -> tuple[bytes, HttpAnswer]:
        """Download a whole response.

        Args:
            largest: the maximum number of bytes.
            progress: called with the bytes received and the total, if the server reports it.

        Raises:
            AnswerLimited: it is larger than `largest`, or than `rdf.syntax.unpacking` allows when unpacked.
        """
        with self.open(request, limits) as answer:
            length = answer.headers.get("content-length", "")
            total = int(length) if length.isdigit() and "content-encoding" not in answer.headers else None
            pieces: list[bytes] = []
            size = 0
            while piece := answer.read(1 << 20):
                pieces.append(piece)
                size += len(piece)
                if size > largest:
                    raise AnswerLimited(
                        f"the document is larger than {largest // 2**20:,} MiB",
                        self.address,
                        "download it and open the file",
                    )
                if answer.come is not None and size > most_unpacked(answer.come()):
                    raise AnswerLimited(
                        f"the {answer.come():,} received bytes unpack to {size:,}",
                        self.address,
                        "do not trust this server; if you do, download the document and open the file",
                    )
                progress(size, total)
            return b"".join(pieces), answer

    def close(self) -> None:
        """Close all connections and stop the thread; pending requests fail."""
        client, self._client = self._client, None
        self._loop.close(client)

    @property
    def has_credentials(self) -> bool:
        """Whether credentials are sent."""
        return self._credentials is not None

    # One try

    def _answer(self, request: HttpRequest, until: float, limits: Limits) -> HttpAnswer:
        """Send the request, and again with credentials if the server requires them."""
        sent = self._credentials
        answer = self._try(request, sent, until, limits)
        if answer.status not in (401, 403) or origin(answer.address) != origin(self.address):
            return answer
        if self._credentials == sent:
            self._credentials = self._login(self.address) or sent
        if self._credentials == sent:
            return answer
        answer.close()
        return self._try(request, self._credentials, until, limits)

    def _try(self, request: HttpRequest, credentials: Credentials | None, until: float, limits: Limits) -> HttpAnswer:
        self._take_slot(until, limits)
        sent = _Sent(request.address)
        try:
            patience = self.patience.connect + self.patience.first_byte
            response = self._loop.wait(self._send(request, credentials, sent), "an answer", patience, until, limits)
        except BaseException:
            self._release(sent)
            raise
        pieces = unpacked(response.aiter_raw(), response.headers.get("content-encoding", ""), self.address)

        def next_piece() -> bytes:
            return self._loop.wait(_advance(pieces), "the rest of the answer", self.patience.between, until, limits)

        return HttpAnswer(
            sent.address,
            response.status_code,
            response.headers,
            next_piece,
            lambda: self._release(sent),
            come=lambda: response.num_bytes_downloaded,
        )

    def _take_slot(self, until: float, limits: Limits) -> None:
        while not self._slots.acquire(timeout=LOOK):
            check_limits(limits, self.address)
            if time.monotonic() > until:
                raise EndpointTooSlow(
                    f"{MOST_REQUESTS} earlier requests are still running", self.address, "wait for them, or stop them"
                )

    def _release(self, sent: _Sent) -> None:
        """Release a request in any state, and start the next one."""
        sent.abandoned = True

        async def close() -> None:
            if sent.response is not None:
                await sent.response.aclose()

        self._loop.let(close())
        self._slots.release()

    # In the event loop

    async def _send(self, request: HttpRequest, credentials: Credentials | None, sent: _Sent) -> httpx.Response:
        """Send, following redirects with the same method; credentials stay at their own origin."""
        client = self._http()
        for _ in range(_MOST_REDIRECTS + 1):
            headers = request.headers()
            if credentials is not None and origin(request.address) == origin(self.address):
                headers["Authorization"] = credentials.header()
            built = client.build_request(request.method, request.address, content=request.body, headers=headers)
            response = await _send_once(client, built, again=request.safe)
            if not response.is_redirect or response.next_request is None:
                sent.address = request.address
                sent.response = response
                if sent.abandoned:
                    await response.aclose()
                return response
            target = str(response.next_request.url)
            see_other = response.status_code == 303
            await response.aclose()
            if not self._may_ask(target):
                raise EndpointRefused("redirected to a server that is not allowed", target, "allow that one too")
            request = replace(request, address=target)
            if see_other:
                request = replace(request, method="GET", body=None, content_type="")
        raise EndpointRefused(f"more than {_MOST_REDIRECTS} redirects", self.address, "use the final address")

    def _http(self) -> httpx.AsyncClient:
        """The HTTP client; created in the event loop, to which it belongs."""
        import httpx

        if self._client is None:
            host = urlsplit(self.address).hostname or ""
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(None, connect=self.patience.connect),
                limits=httpx.Limits(max_connections=MOST_REQUESTS, max_keepalive_connections=MOST_REQUESTS),
                verify=trusting(),
                # Do not use a proxy for this machine.
                trust_env=host not in _LOOPBACK,
                follow_redirects=False,
            )
        return self._client

    def _refusal(self, answer: HttpAnswer) -> ServerError:
        try:
            body = _up_to(answer, _REASON_BYTES)
        except ServerError:
            body = b""
        return refusal(
            answer.status,
            short_reason(body, answer.media_type),
            self.address,
            challenge=answer.headers.get("www-authenticate", ""),
            known=self._credentials is not None,
        )


async def _send_once(client: httpx.AsyncClient, request: httpx.Request, *, again: bool) -> httpx.Response:
    import httpx

    try:
        return await client.send(request, stream=True)
    except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
        # The server may have closed a kept connection just now: try a new one.
        if not again:
            raise
        return await client.send(request, stream=True)


async def _advance(pieces: AsyncIterator[bytes]) -> bytes:
    """The next piece that is not empty; an empty one at the end."""
    try:
        while not (piece := await anext(pieces)):
            pass
    except StopAsyncIteration:
        return b""
    return piece


def _up_to(answer: HttpAnswer, size: int) -> bytes:
    pieces = []
    while size > 0 and (piece := answer.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)
