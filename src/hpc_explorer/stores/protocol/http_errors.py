"""Convert failed requests to named errors with the server and a remedy, and read the responses that explain them."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape

from hpc_explorer.errors import (
    AnswerDamaged,
    Cancelled,
    EndpointFailed,
    EndpointRefused,
    EndpointTooSlow,
    EndpointUnreachable,
    ExplorerError,
    LoginRequired,
    ServerError,
)
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.protocol.tls import tls_failed

_LONGEST_REASON = 160

_NOT_TEXT = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def check_limits(limits: Limits, address: str) -> None:
    """Like `Limits.check`, with errors that name the server.

    Raises:
        Cancelled: the operation was cancelled.
        EndpointTooSlow: the time is up.
    """
    if limits.cancel is not None and limits.cancel.cancelled:
        raise Cancelled("the request was cancelled", address)
    if limits.deadline is not None and time.monotonic() > limits.deadline:
        raise EndpointTooSlow("the answer took too long", address, "narrow the question, or allow more time")


def refusal(status: int, reason: str, address: str, *, challenge: str = "", known: bool = False) -> ServerError:
    """The error for a response with status 4xx or 5xx.

    Args:
        reason: the server's message in one line; may be empty.
        challenge: the WWW-Authenticate header (RFC 9110, section 11.6.1).
        known: whether credentials were sent.
    """
    said = f" ({reason})" if reason else ""
    if status in (401, 403):
        how = "--bearer" if challenge.lower().startswith("bearer") else "--user NAME"
        log_in = f"hpc-explorer login {address} {how}"
        if not known:
            return LoginRequired(f"the server requires a login: status {status}{said}", address, log_in)
        if status == 401:
            return LoginRequired(f"the server rejects this login: status {status}{said}", address, log_in)
        return LoginRequired(
            f"this user has no access: status {status}{said}",
            address,
            f"ask its operators, or log in as another: {log_in}",
        )
    if status < 500:
        return EndpointRefused(
            f"the server rejected the request: status {status}{said}", address, "check the address and the text"
        )
    return EndpointFailed(f"the server failed: status {status}{said}", address, "try again, or ask for less")


def explorer_error(error: Exception, address: str, what: str) -> ExplorerError:
    """Convert an exception of the HTTP library to a named error."""
    import httpx

    tls = tls_failed(error, address)
    if tls is not None:
        return tls
    if isinstance(error, httpx.ConnectTimeout):
        return EndpointUnreachable("no connection to the server in time", address, "check the address and the network")
    if isinstance(error, httpx.ConnectError):
        return EndpointUnreachable("no connection to the server", address, "check the address and the network")
    if isinstance(error, (httpx.InvalidURL, httpx.UnsupportedProtocol)):
        return EndpointRefused("not an address of a server", address, "an address begins with http:// or https://")
    if what != "an answer" and isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError)):
        return AnswerDamaged("the answer is incomplete", address, "try again")
    if isinstance(error, httpx.HTTPError):
        return EndpointUnreachable("the server closed the connection without an answer", address, "try again")
    return ServerError(f"the request failed ({type(error).__name__}: {error})", address, "try again")


def short_reason(body: bytes, media_type: str) -> str:
    """The server's message in one line without HTML; may be empty.

    Args:
        body: the start of the response.
    """
    text = body.decode("utf-8", "replace")
    if "html" in media_type or text.lstrip()[:1] == "<":
        title = _TITLE.search(text)
        words = unescape(_NOT_TEXT.sub(" ", text))
        text = words if words.strip() else unescape(title[1]) if title else ""
    text = " ".join(_CONTROL.sub(" ", text).split())
    if len(text) <= _LONGEST_REASON:
        return text
    return text[:_LONGEST_REASON].rsplit(" ", 1)[0] + " …"


def retry_after(value: str) -> float | None:
    """The seconds of a Retry-After header (RFC 9110, section 10.2.3); None if it has none."""
    value = value.strip()
    if value.isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
