"""The commands `login` and `logout`: credentials in the system's keyring."""

from __future__ import annotations

import argparse
import sys

from hpc_explorer.cli.exit_codes import DONE, FOUND_WRONG


def describe_login(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `login`."""
    parser.add_argument("address", metavar="ADDRESS", help="an http(s) address of the server")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--user", metavar="NAME", help="the user's name; the password is asked for (HTTP Basic)")
    kind.add_argument("--bearer", action="store_true", help="a token is asked for (HTTP Bearer)")


def run_login(arguments: argparse.Namespace) -> int:
    """Run `login`."""
    from hpc_explorer.stores.protocol.credentials import Credentials
    from hpc_explorer.stores.protocol.logins import remember_login

    secret = _read_secret("Token: " if arguments.bearer else "Password: ")
    credentials = Credentials(token=secret) if arguments.bearer else Credentials(arguments.user, secret)
    server = remember_login(arguments.address, credentials)
    if server.startswith("http://"):
        print(f"{server} is not encrypted: what is sent there can be read on the way", file=sys.stderr)
    print(f"the system's keyring remembers the {'token' if arguments.bearer else 'password'} for {server}")
    return DONE


def _read_secret(prompt: str) -> str:
    """Read a line without echo from a terminal, else from standard input."""
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass(prompt)
    return sys.stdin.readline().rstrip("\r\n")


def describe_logout(parser: argparse.ArgumentParser) -> None:
    """Add the argument of `logout`."""
    parser.add_argument("address", metavar="ADDRESS", help="an http(s) address of the server")


def run_logout(arguments: argparse.Namespace) -> int:
    """Run `logout`."""
    from hpc_explorer.stores.protocol.logins import forget_login

    if forget_login(arguments.address):
        print("forgotten")
        return DONE
    print("nothing was remembered for this server")
    return FOUND_WRONG
