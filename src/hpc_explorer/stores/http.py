"""Requests over HTTP that never hang: every one has a deadline, can be abandoned at once, and ends in a named error.

The requests of one client run in an event loop in a thread of its own. The caller waits beside it with
an eye on the clock and the cancel token, so that whatever the server does (or does not do) the
caller is free in time; what was abandoned is closed in the loop.

    client = HttpClient("https://example.org/sparql")
    with client.open(HttpRequest("GET", "https://example.org/sparql", ...), limits) as answer:
        answer.read(4096)
"""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from hpc_explorer.errors import (
    AnswerDamaged,
    AnswerLimited,
    Cancelled,
    EndpointBusy,
    EndpointFailed,
    EndpointRefused,
    EndpointTooSlow,
    EndpointUnreachable,
    ExplorerError,
    ServerError,
    TlsFailed,
)
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.http_answers import retry_after, short_reason

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

    import httpx

T = TypeVar("T")

MOST_REQUESTS = 4
"""How many requests of one client are under way at once."""

_MOST_REDIRECTS = 5
_MOST_TRIES = 4
_FIRST_PAUSE = 0.5

# Seconds between two looks at the clock and the cancel token.
_LOOK = 0.02

# Of an answer that says what went wrong, this many bytes are read.
_REASON_BYTES = 64 * 1024

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Patience:
    """How long to wait for a server, in seconds, where the caller's `Limits` do not end earlier.

    Args:
        connect: for the connection, TLS included.
        first_byte: for the beginning of the answer.
        between: for the next piece of the answer.
        whole: for all of it, from the request to the last byte.
    """

    connect: float = 10.0
    first_byte: float = 60.0
    between: float = 30.0
    whole: float = 600.0


DEFAULT_PATIENCE = Patience()


@dataclass(frozen=True)
class Credentials:
    """What a server knows the user by: a name and password (basic), or a token (bearer). Never shown.

    Args:
        user: the name; empty if there is a token.
    """

    user: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    def header(self) -> str:
        """The value of the Authorization header (RFC 7617, RFC 6750)."""
        from base64 import b64encode

        if self.token:
            return f"Bearer {self.token}"
        return "Basic " + b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")


def split_credentials(address: str) -> tuple[str, Credentials | None]:
    """An address without the `user:password@` in it, and that apart."""
    from urllib.parse import unquote

    parts = urlsplit(address)
    if "@" not in parts.netloc:
        return address, None
    who, _, host = parts.netloc.rpartition("@")
    user, _, password = who.partition(":")
    return urlunsplit(parts._replace(netloc=host)), Credentials(unquote(user), unquote(password))


@dataclass(frozen=True)
class HttpRequest:
    """One request.

    Args:
        body: what is sent with a POST.
        safe: whether it changes nothing on the server, so that it may be sent again.
    """

    method: str
    address: str
    accept: str
    body: bytes | None = None
    content_type: str = ""
    safe: bool = True

    def headers(self) -> dict[str, str]:
        """Its headers, credentials aside."""
        headers = {"Accept": self.accept, "User-Agent": "hpc-explorer"}
        if self.content_type:
            headers["Content-Type"] = self.content_type
        return headers


class HttpAnswer:
    """An answer whose status is good, read piece by piece. Close it, or use it in a `with`.

    Attributes:
        address: where it came from, redirects followed.
        media_type: its content type without parameters, in lower case; empty if it says none.
        headers: by name in lower case.
        received: how many bytes were read so far, unpacked.
    """

    _open = False

    def __init__(self, client: HttpClient, sent: _Sent, until: float, limits: Limits) -> None:
        assert sent.response is not None
        self.address = sent.address
        self.status = sent.response.status_code
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in sent.response.headers.items()}
        self.media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        self.received = 0
        self._client = client
        self._sent = sent
        self._until = until
        self._limits = limits
        self._pieces: AsyncIterator[bytes] = sent.response.aiter_bytes()
        self._piece = memoryview(b"")
        self._open = True

    def readable(self) -> bool:
        """It is, as streams go."""
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes, at most `size`; all that are left if it is negative; none at the end.

        Raises:
            ServerError, Cancelled: the rest does not come.
        """
        if size < 0:
            pieces = []
            while piece := self.read(1 << 20):
                pieces.append(piece)
            return b"".join(pieces)
        if not self._piece and self._open:
            self._piece = memoryview(self._next())
            self.received += len(self._piece)
        taken, self._piece = self._piece[:size], self._piece[size:]
        return bytes(taken)

    def _next(self) -> bytes:
        async def advance() -> bytes:
            try:
                while not (piece := await anext(self._pieces)):
                    pass
            except StopAsyncIteration:
                return b""
            return piece

        try:
            piece = self._client.wait(
                advance(), "the rest of the answer", self._client.patience.between, self._until, self._limits
            )
        except BaseException:
            self.close()
            raise
        if not piece:
            self.close()
        return piece

    def close(self) -> None:
        """Let the connection go; what was not read is not wanted."""
        if self._open:
            self._open = False
            self._client.release(self._sent)

    def __enter__(self) -> HttpAnswer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


@dataclass
class _Sent:
    """A request under way, as the event loop sees it."""

    address: str
    response: httpx.Response | None = None
    abandoned: bool = False


class HttpClient:
    """Requests to one server, at most `MOST_REQUESTS` at once, over connections that are kept.

    Args:
        address: of the server, as shown in errors; credentials go to its origin only.
    """

    def __init__(
        self, address: str, *, credentials: Credentials | None = None, patience: Patience = DEFAULT_PATIENCE
    ) -> None:
        self.address = address
        self.patience = patience
        self._credentials = credentials
        self._slots = threading.BoundedSemaphore(MOST_REQUESTS)
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: httpx.AsyncClient | None = None
        self._closed = False

    def open(self, request: HttpRequest, limits: Limits = NO_LIMITS) -> HttpAnswer:
        """Send a request; the answer has come with a good status when this returns.

        A safe request that is answered with 429 or 503 is sent again when the server says so (Retry-After,
        RFC 9110 section 10.2.3), else after a growing pause, as long as there is time.

        Raises:
            ServerError: no good answer comes in time.
            Cancelled: somebody cancelled.
        """
        limits_check(limits, self.address)
        until = time.monotonic() + self.patience.whole
        if limits.deadline is not None:
            until = min(until, limits.deadline)
        for number in range(1, _MOST_TRIES + 1):
            answer = self._try(request, until, limits)
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
            self._pause(pause, until, limits)
        raise AssertionError("the last try returns or raises")

    def download(
        self,
        request: HttpRequest,
        *,
        largest: int,
        progress: Callable[[int, int | None], None],
        limits: Limits = NO_LIMITS,
    ) -> tuple[bytes, HttpAnswer]:
        """All of an answer, and the answer.

        Args:
            largest: of more bytes than this it is refused.
            progress: told how many bytes have come, and of how many, where the server says so.

        Raises:
            AnswerLimited: it is larger than `largest`.
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
                progress(size, total)
            return b"".join(pieces), answer

    def close(self) -> None:
        """Close all connections and end the thread; requests under way end with an error."""
        with self._starting:
            self._closed = True
            loop, thread, client = self._loop, self._thread, self._client
            self._loop = self._thread = self._client = None
        if loop is None or thread is None:
            return
        import asyncio

        async def shut() -> None:
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            if client is not None:
                await client.aclose()
            # One more round for the transports that have just been told to close.
            await asyncio.sleep(0)
            await loop.shutdown_asyncgens()
            loop.stop()

        loop.call_soon_threadsafe(lambda: loop.create_task(shut()))
        thread.join()
        loop.close()

    # One try

    def _try(self, request: HttpRequest, until: float, limits: Limits) -> HttpAnswer:
        self._take_slot(until, limits)
        sent = _Sent(request.address)
        try:
            patience = self.patience.connect + self.patience.first_byte
            self.wait(self._send(request, sent), "an answer", patience, until, limits)
            return HttpAnswer(self, sent, until, limits)
        except BaseException:
            self.release(sent)
            raise

    def _take_slot(self, until: float, limits: Limits) -> None:
        while not self._slots.acquire(timeout=_LOOK):
            limits_check(limits, self.address)
            if time.monotonic() > until:
                raise EndpointTooSlow(
                    f"{MOST_REQUESTS} earlier requests are still under way", self.address, "wait for them, or stop them"
                )

    async def _send(self, request: HttpRequest, sent: _Sent) -> None:
        """Send, following redirects with the same method; credentials stay at their own origin."""
        client = self._http()
        for _ in range(_MOST_REDIRECTS + 1):
            headers = request.headers()
            if self._credentials is not None and _origin(request.address) == _origin(self.address):
                headers["Authorization"] = self._credentials.header()
            built = client.build_request(request.method, request.address, content=request.body, headers=headers)
            response = await self._send_once(client, built, again=request.safe)
            if not response.is_redirect or response.next_request is None:
                sent.address = request.address
                sent.response = response
                if sent.abandoned:
                    await response.aclose()
                return
            target = str(response.next_request.url)
            see_other = response.status_code == 303
            await response.aclose()
            request = replace(request, address=target)
            if see_other:
                request = replace(request, method="GET", body=None, content_type="")
        raise EndpointRefused(
            f"it redirects more than {_MOST_REDIRECTS} times", self.address, "give the address it should lead to"
        )

    async def _send_once(self, client: httpx.AsyncClient, request: httpx.Request, *, again: bool) -> httpx.Response:
        import httpx

        try:
            return await client.send(request, stream=True)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            # A connection that was kept may have been closed by the server just now: once more, over a new one.
            if not again:
                raise
            return await client.send(request, stream=True)

    def _http(self) -> httpx.AsyncClient:
        """The client of the event loop; made there, for it belongs to it."""
        import httpx

        if self._client is None:
            host = urlsplit(self.address).hostname or ""
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(None, connect=self.patience.connect),
                limits=httpx.Limits(max_connections=MOST_REQUESTS, max_keepalive_connections=MOST_REQUESTS),
                # A proxy is no way to this very machine.
                trust_env=host not in _LOOPBACK,
                follow_redirects=False,
            )
        return self._client

    # Waiting

    def wait(self, work: Coroutine[Any, Any, T], what: str, patience: float, until: float, limits: Limits) -> T:
        """What the work gives, waited for no longer than `patience` seconds, `until`, and the limits allow.

        Raises:
            EndpointTooSlow: the time is up.
            ServerError: it fails, with the reason by name.
            Cancelled: somebody cancelled.
        """
        began = time.monotonic()
        end = min(began + patience, until)
        if began > until:
            work.close()
            limits_check(limits, self.address)
            raise EndpointTooSlow(f"{what} took too long", self.address, "narrow the question, or allow more time")
        future: Future[T] = self._submit(work)
        try:
            while True:
                try:
                    return future.result(timeout=_LOOK)
                except TimeoutError:
                    if future.done():
                        raise
                limits_check(limits, self.address)
                if time.monotonic() > end:
                    raise EndpointTooSlow(
                        f"{what} did not come within {max(end - began, 0):.3g} s",
                        self.address,
                        "narrow the question, or allow more time",
                    )
        except ExplorerError:
            raise
        except Exception as error:  # named below, or raised as it is
            raise named(error, self.address, what) from error
        finally:
            future.cancel()

    def _pause(self, seconds: float, until: float, limits: Limits) -> None:
        import asyncio

        self.wait(asyncio.sleep(seconds), "a better moment", seconds + 1.0, until, limits)

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        import asyncio

        with self._starting:
            if self._closed:
                work.close()
                raise EndpointUnreachable("the connection was closed", self.address, "open the endpoint again")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="http requests", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def release(self, sent: _Sent) -> None:
        """Let go of a request, wherever it stands, and let the next one begin."""
        sent.abandoned = True

        async def close() -> None:
            if sent.response is not None:
                await sent.response.aclose()

        with self._starting:
            if self._loop is not None and not self._closed:
                import asyncio

                asyncio.run_coroutine_threadsafe(close(), self._loop)
        self._slots.release()

    # What a refusal says

    def _refusal(self, answer: HttpAnswer) -> ServerError:
        try:
            body = _up_to(answer, _REASON_BYTES)
        except ServerError:
            body = b""
        reason = short_reason(body, answer.media_type)
        said = f" ({reason})" if reason else ""
        status = answer.status
        if status in (401, 403):
            return EndpointRefused(
                f"the server does not let us in: status {status}{said}", self.address, "give a user and password"
            )
        if status < 500:
            return EndpointRefused(
                f"the server refuses the request: status {status}{said}", self.address, "check the address and the text"
            )
        return EndpointFailed(f"the server failed: status {status}{said}", self.address, "try again, or ask for less")


def _up_to(answer: HttpAnswer, size: int) -> bytes:
    pieces = []
    while size > 0 and (piece := answer.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def limits_check(limits: Limits, address: str) -> None:
    """Like `Limits.check`, with the deadline's error naming the server."""
    if limits.cancel is not None and limits.cancel.cancelled:
        raise Cancelled("the request was cancelled", address)
    if limits.deadline is not None and time.monotonic() > limits.deadline:
        raise EndpointTooSlow("the answer took too long", address, "narrow the question, or allow more time")


def named(error: Exception, address: str, what: str) -> ExplorerError:
    """What the HTTP library raised, as one of our errors."""
    import httpx

    tls = _tls_failure(error)
    if tls:
        return TlsFailed(
            f"no trusted encrypted connection ({tls})",
            address,
            "check that the address begins with the right http or https, and the server's certificate",
        )
    if isinstance(error, httpx.ConnectTimeout):
        return EndpointTooSlow("no connection in time", address, "check the address and the network")
    if isinstance(error, httpx.ConnectError):
        return EndpointUnreachable("no connection to the server", address, "check the address and the network")
    if isinstance(error, (httpx.InvalidURL, httpx.UnsupportedProtocol)):
        return EndpointRefused("not an address of a server", address, "it begins with http:// or https://")
    if what != "an answer" and isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError, httpx.DecodingError)):
        return AnswerDamaged("the answer ends in the middle", address, "try again")
    if isinstance(error, httpx.DecodingError):
        return AnswerDamaged("the answer is packed in a way that cannot be unpacked", address, "try again")
    if isinstance(error, httpx.HTTPError):
        return EndpointUnreachable("the server closed the connection without an answer", address, "try again")
    return ServerError(f"the request failed ({type(error).__name__}: {error})", address, "try again")


def _tls_failure(error: BaseException | None) -> str:
    """Why there is no encrypted connection; empty if that is not what went wrong."""
    import ssl

    handshake_broke = False
    while error is not None:
        if isinstance(error, ssl.SSLWantReadError):
            handshake_broke = True
        elif isinstance(error, ssl.SSLError):
            reason = getattr(error, "verify_message", "") or error.reason or str(error)
            return str(reason).replace("_", " ").lower()
        error = error.__cause__ or error.__context__
    return "the server broke off the handshake" if handshake_broke else ""


def _origin(address: str) -> tuple[str, str, int | None]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port or {"http": 80, "https": 443}.get(parts.scheme)
