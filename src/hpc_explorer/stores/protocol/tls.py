"""Which servers are trusted over TLS, and why a connection failed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hpc_explorer.errors import TlsFailed

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator


def trusting() -> ssl.SSLContext:
    """A context that trusts the certificates of the system, and those of httpx because some systems have none.

    If the environment names a file or folder of certificates (`SSL_CERT_FILE`, `SSL_CERT_DIR`), it trusts those alone.
    """
    import ssl

    if os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context()
    import httpx

    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def tls_failed(error: BaseException, address: str) -> TlsFailed | None:
    """The named error for a failure of TLS; None for another failure."""
    import ssl

    handshake_broke = False
    for one in _reasons(error):
        if isinstance(one, ssl.SSLWantReadError):
            handshake_broke = True
        elif isinstance(one, ssl.SSLError):
            reason = getattr(one, "verify_message", "") or one.reason or str(one)
            return _named(str(reason).replace("_", " ").lower(), address)
    return _named("the server aborted the handshake", address) if handshake_broke else None


def _named(reason: str, address: str) -> TlsFailed:
    scheme = address.partition(":")[0].removesuffix("s")
    return TlsFailed(
        f"no trusted TLS connection ({reason})",
        address,
        f"check that {scheme} or {scheme}s in the address is right, and the server's certificate; the environment"
        " variable SSL_CERT_FILE names a file of certificates to trust",
    )


def _reasons(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and those that led to it; pika hands these on as arguments and in attributes."""
    seen: set[int] = set()
    waiting: list[object] = [error]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, BaseException) and id(one) not in seen:
            seen.add(id(one))
            yield one
            inner = getattr(one, "exceptions", ())
            waiting += [one.__cause__ or one.__context__, getattr(one, "exception", None), *one.args, *inner]
