"""Credentials for one origin; never shown or logged."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

Origin = tuple[str, str, int | None]
"""Scheme, host and port (RFC 6454, section 4)."""


@dataclass(frozen=True)
class Credentials:
    """A name and password (basic) or a token (bearer).

    Args:
        user: the name; empty for a token.
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
    """Split `user:password@` from an address."""
    parts = urlsplit(address)
    if "@" not in parts.netloc:
        return address, None
    who, _, host = parts.netloc.rpartition("@")
    user, _, password = who.partition(":")
    return urlunsplit(parts._replace(netloc=host)), Credentials(unquote(user), unquote(password))


def origin(address: str) -> Origin:
    """The origin of an address; credentials are valid for a whole origin."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port or {"http": 80, "https": 443}.get(parts.scheme)
