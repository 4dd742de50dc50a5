"""What a server knows the user by. Credentials belong to one origin, and are shown and logged nowhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

Origin = tuple[str, str, int | None]
"""Scheme, host and port (RFC 6454, section 4)."""


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
    parts = urlsplit(address)
    if "@" not in parts.netloc:
        return address, None
    who, _, host = parts.netloc.rpartition("@")
    user, _, password = who.partition(":")
    return urlunsplit(parts._replace(netloc=host)), Credentials(unquote(user), unquote(password))


def origin(address: str) -> Origin:
    """The server that an address leads to: credentials for one address are good for all of its origin."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname or "", parts.port or {"http": 80, "https": 443}.get(parts.scheme)
