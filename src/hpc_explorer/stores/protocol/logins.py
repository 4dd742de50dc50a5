"""Credentials stored in the system's keyring by the origin of the server.

Without a keyring, such as on a server, the environment variable `HPC_EXPLORER_LOGIN` is used: a line `ADDRESS
USER:PASSWORD` or `ADDRESS TOKEN` per server (a token has no colon, RFC 6750 section 2.1). The variable takes
precedence.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from hpc_explorer.errors import InvalidIri, KeyringUnavailable, UsageError
from hpc_explorer.stores.protocol.credentials import Credentials, origin, split_credentials

LOGIN_VARIABLE = "HPC_EXPLORER_LOGIN"
"""The environment variable that replaces a keyring."""

_SERVICE = "hpc-explorer"

_PORTS = {"http": 80, "https": 443, "amqp": 5672, "amqps": 5671}


def find_login(address: str) -> Credentials | None:
    """The stored credentials for the server of an address.

    A missing, locked or damaged keyring counts as empty.

    Raises:
        UsageError: the environment variable cannot be read.
    """
    told = _in_environment(address)
    if told is not None:
        return told
    import keyring
    from keyring.errors import KeyringError

    try:
        kept = keyring.get_password(_SERVICE, _name(address))
    except (KeyringError, OSError, RuntimeError):
        return None
    return _from_text(kept) if kept else None


def remember_login(address: str, credentials: Credentials) -> str:
    """Store credentials for the server of an address in the keyring; returns its origin.

    Raises:
        InvalidIri: not an http(s) or amqp(s) address.
        UsageError: they are empty, or cannot be sent in a header.
        KeyringUnavailable: there is no keyring, or it rejects them.
    """
    name = _name(address)
    _check(credentials)
    kept = {"user": credentials.user, "password": credentials.password, "token": credentials.token}
    with _named_failures(name):
        import keyring

        keyring.set_password(_SERVICE, name, json.dumps({key: value for key, value in kept.items() if value}))
    return name


def forget_login(address: str) -> bool:
    """Remove the credentials of a server from the keyring; returns whether there were any.

    Raises:
        InvalidIri: not an http(s) or amqp(s) address.
        KeyringUnavailable: there is no keyring, or it cannot remove them.
    """
    name = _name(address)
    with _named_failures(name):
        import keyring

        if keyring.get_password(_SERVICE, name) is None:
            return False
        keyring.delete_password(_SERVICE, name)
    return True


@contextmanager
def _named_failures(where: str) -> Iterator[None]:
    from keyring.errors import KeyringError, NoKeyringError

    try:
        yield
    except NoKeyringError:
        raise KeyringUnavailable(
            "this system has no keyring for passwords", where, f"set {LOGIN_VARIABLE}='{where} USER:PASSWORD'"
        ) from None
    except (KeyringError, OSError, RuntimeError) as error:
        # Report only the type of the error: its text may contain the secret.
        raise KeyringUnavailable(
            f"the system's keyring failed ({type(error).__name__})", where, "unlock it, and try again"
        ) from None


def _name(address: str) -> str:
    """The origin of an address as text (RFC 6454, section 6.2)."""
    try:
        scheme, host, port = origin(split_credentials(address)[0])
        given = urlsplit(address).port
    except ValueError:
        scheme, host, port, given = "", "", None, None
    if scheme not in _PORTS or not host:
        raise InvalidIri(
            "not the address of a server", address.rpartition("@")[2], "it begins with https:// or http://"
        )
    shown = f"[{host}]" if ":" in host else host
    is_usual = given is None or given == _PORTS[scheme]
    return f"{scheme}://{shown}" + ("" if is_usual else f":{port}")


def _check(credentials: Credentials) -> None:
    texts = (credentials.user, credentials.password, credentials.token)
    if not (credentials.password or credentials.token):
        raise UsageError("no password or token was given", "", "type it, or write it to standard input")
    if any(ord(sign) < 32 or ord(sign) == 127 for text in texts for sign in text):
        raise UsageError("control characters in a name, password or token", "", "check what was copied")
    if ":" in credentials.user:
        raise UsageError("colon in a user name", "", "give the name alone (RFC 7617, section 2)")
    if not credentials.token.isascii() or " " in credentials.token:
        raise UsageError("a token may only have ASCII characters without spaces", "", "check what was copied")


def _from_text(text: str) -> Credentials | None:
    try:
        kept = json.loads(text)
        return Credentials(str(kept.get("user", "")), str(kept.get("password", "")), str(kept.get("token", "")))
    except (ValueError, AttributeError):
        return None


def _in_environment(address: str) -> Credentials | None:
    for line in os.environ.get(LOGIN_VARIABLE, "").splitlines():
        words = line.split(maxsplit=1)
        if not words:
            continue
        if len(words) != 2:
            raise UsageError(
                "a line without a password or token", LOGIN_VARIABLE, "write ADDRESS USER:PASSWORD, or ADDRESS TOKEN"
            )
        if _name(words[0]) == _name(address):
            user, colon, password = words[1].strip().partition(":")
            found = Credentials(user, password) if colon else Credentials(token=user)
            _check(found)
            return found
    return None
