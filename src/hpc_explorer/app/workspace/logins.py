"""Store credentials for servers in the system's keyring only."""

from __future__ import annotations

from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.protocol.logins import forget_login, remember_login


def remember_credentials(address: str, *, user: str = "", password: str = "", token: str = "") -> str:
    """Store a name and password, or a token, for a server; they are sent when it requires them.

    Args:
        address: an http(s) address of the server.
        user: the name, with the password (HTTP Basic, RFC 7617).
        token: instead of both (HTTP Bearer, RFC 6750).

    Returns:
        Their origin, such as `https://example.org`.

    Raises:
        InvalidIri: not an http(s) address.
        UsageError: they are empty, or cannot be sent.
        KeyringUnavailable: the system has no keyring, or it rejects them.
    """
    return remember_login(address, Credentials(user, password, token))


def forget_credentials(address: str) -> bool:
    """Remove the credentials of a server; returns whether there were any. Open endpoints keep theirs.

    Raises:
        InvalidIri: not an http(s) address.
        KeyringUnavailable: the system has no keyring, or it cannot remove them.
    """
    return forget_login(address)
