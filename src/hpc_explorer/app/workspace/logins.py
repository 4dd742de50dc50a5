"""Log in: remember what a server knows the user by, in the system's keyring and nowhere else."""

from __future__ import annotations

from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.protocol.logins import forget_login, remember_login


def remember_credentials(address: str, *, user: str = "", password: str = "", token: str = "") -> str:
    """Remember a name and password, or a token, for all addresses of one server; they are sent when it asks for them.

    Args:
        address: an http(s) address at the server.
        user: the name, with the password (HTTP Basic, RFC 7617).
        token: instead of both (HTTP Bearer, RFC 6750).

    Returns:
        The origin they are remembered for, such as `https://example.org`.

    Raises:
        InvalidIri: not an http(s) address.
        UsageError: there is nothing to remember, or it cannot be sent.
        KeyringUnavailable: the system has no keyring, or it does not take them.
    """
    return remember_login(address, Credentials(user, password, token))


def forget_credentials(address: str) -> bool:
    """Forget what is remembered for the server of this address; whether there was anything.

    An endpoint that is open keeps what it was opened with until it is closed.

    Raises:
        InvalidIri: not an http(s) address.
        KeyringUnavailable: the system has no keyring, or it does not let go of them.
    """
    return forget_login(address)
