"""Credentials are kept in the keyring, go to their own server when it asks for them, and are shown nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keyring.backends.fail import Keyring as NoKeyring

from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import InvalidIri, KeyringUnavailable, LoginRequired, UsageError
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.protocol.logins import LOGIN_VARIABLE, find_login, forget_login, remember_login
from hpc_explorer.stores.remote.dataset import DatasetLayout
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.bad_server import BadServer, bad_server, guarded
from tests.helpers.keyrings import MemoryKeyring

ANN = Credentials("ann", "p@ss")
BASIC = "Basic YW5uOnBAc3M="
QUERY = "SELECT ?n WHERE { ?s ?p ?n }"


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    before = keyring.get_keyring()
    ring = MemoryKeyring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


@pytest.fixture
def no_ring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield
    keyring.set_keyring(before)


@pytest.fixture
def server() -> Iterator[BadServer]:
    with bad_server() as running:
        running.behaviours |= {
            "/basic": guarded(BASIC),
            "/bearer": guarded("Bearer t0ken"),
            "/a.ttl": guarded(BASIC, b"<#a> <#p> <#b> .", "text/turtle"),
            "/forbidden": lambda e: e.answer("403 Forbidden", b"not for you", "text/plain"),
        }
        yield running


LAYOUT = DatasetLayout(False, default_is_union=False, default_is_own=True)
"""What a real endpoint is asked first; these servers give one answer to everything."""


def at(server: BadServer, path: str = "") -> str:
    return f"http://127.0.0.1:{server.server_address[1]}{path}"


def rows_of(address: str) -> list[object]:
    store = RemoteStore(address, login=find_login, layout=LAYOUT)
    try:
        return [row["n"] for row in store.select(QUERY)]
    finally:
        store.close()


def test_kept_by_origin(ring: MemoryKeyring) -> None:
    assert remember_login("https://ann:x@Example.org:443/sparql?a=b#c", ANN) == "https://example.org"
    assert find_login("https://example.org/other") == ANN
    for other in ("http://example.org/", "https://example.org:8443/", "https://www.example.org/"):
        assert find_login(other) is None
    assert "ann" not in "".join(ring.secrets), "who it is is a part of the secret"
    assert forget_login("https://example.org/sparql") is True
    assert forget_login("https://example.org/sparql") is False
    assert find_login("https://example.org/sparql") is None


@pytest.mark.parametrize("path", ["/basic", "/bearer"])
def test_sent_when_the_server_asks(server: BadServer, ring: MemoryKeyring, path: str) -> None:
    with pytest.raises(
        LoginRequired, match=f"login {at(server, path)} --{'user NAME' if path == '/basic' else 'bearer'}"
    ):
        rows_of(at(server, path))
    remember_login(at(server), ANN if path == "/basic" else Credentials(token="t0ken"))
    assert rows_of(at(server, path)) == [Literal("1")]
    assert rows_of(at(server, "/good")) == [Literal("1")]
    assert "authorization" not in server.requests[-1].lower(), "nobody asked"


def test_asked_for_once_a_connection(server: BadServer, ring: MemoryKeyring) -> None:
    remember_login(at(server), ANN)
    store = RemoteStore(at(server, "/basic"), login=find_login, layout=LAYOUT)
    for _ in range(3):
        assert len(list(store.select(QUERY))) == 1
    store.close()
    assert len(server.requests) == 4


def test_wrong_ones_and_those_without_rights_are_told_apart(server: BadServer, ring: MemoryKeyring) -> None:
    remember_login(at(server), Credentials("ann", "wr0ng"))
    with pytest.raises(LoginRequired, match="rejects this login") as refused:
        rows_of(at(server, "/basic"))
    assert "wr0ng" not in str(refused.value)
    with pytest.raises(LoginRequired, match=r"this user has no access: status 403 \(not for you\)"):
        rows_of(at(server, "/forbidden"))
    remember_login(at(server), ANN)
    assert rows_of(at(server, "/basic")) == [Literal("1")]


def test_never_sent_to_another_server(server: BadServer, ring: MemoryKeyring) -> None:
    with bad_server() as other:
        other.behaviours["/basic"] = guarded(BASIC)
        server.behaviours["/elsewhere"] = lambda e: e.answer(
            "302 Found", b"", "text/plain", f"Location: {at(other, '/basic')}"
        )
        remember_login(at(server), ANN)
        with pytest.raises(LoginRequired):
            rows_of(at(server, "/elsewhere"))
        assert not any("authorization" in request.lower() for request in (*other.requests, *server.requests))


def test_a_document_behind_a_login(server: BadServer, ring: MemoryKeyring) -> None:
    session = Session.new()
    with pytest.raises(LoginRequired):
        open_sources(session, [at(server, "/a.ttl")])
    remember_login(at(server), ANN)
    (source,) = open_sources(session, [at(server, "/a.ttl")])
    assert source.triples.value == 1
    assert "p@ss" not in repr(source) + repr(session.opened)
    assert forget_login(at(server)) is True
    session.close()


def test_without_a_keyring_one_line_says_so(server: BadServer, no_ring: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyringUnavailable, match=r"no keyring.*HPC_EXPLORER_LOGIN=.http://127.0.0.1") as failed:
        remember_login(at(server, "/basic"), ANN)
    assert "p@ss" not in str(failed.value) + repr(failed.value)
    with pytest.raises(KeyringUnavailable):
        forget_login(at(server))
    with pytest.raises(LoginRequired):
        rows_of(at(server, "/basic"))
    monkeypatch.setenv(LOGIN_VARIABLE, f"https://example.org t0ken\n\n{at(server, '/x')} ann:p@ss\n")
    assert rows_of(at(server, "/basic")) == [Literal("1")]
    assert find_login("https://example.org/y") == Credentials(token="t0ken")
    assert find_login("https://example.com/y") is None


@pytest.mark.parametrize("value", ["https://example.org", "t0ken", "https://example.org a b"])
def test_a_variable_that_cannot_be_read(value: str, no_ring: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOGIN_VARIABLE, value)
    with pytest.raises(UsageError) as failed:
        find_login("https://example.org/")
    assert "t0ken" not in str(failed.value)


@pytest.mark.parametrize("address", ["", "sample:xplacer", "ftp://ann:p@ss@x/", "https:///x", "http://x:port/"])
def test_no_address(address: str, ring: MemoryKeyring) -> None:
    with pytest.raises(InvalidIri) as failed:
        remember_login(address, ANN)
    assert "p@ss" not in str(failed.value)
    assert ring.secrets == {}


@pytest.mark.parametrize(
    "credentials",
    [
        Credentials(),
        Credentials("a:b", "c"),
        Credentials("ann", "a\nb"),
        Credentials(token="a b"),
        Credentials(token="é"),
    ],
)
def test_what_no_header_can_say(credentials: Credentials, ring: MemoryKeyring) -> None:
    with pytest.raises(UsageError):
        remember_login("https://example.org", credentials)
    assert ring.secrets == {}


PRINTABLE = st.text(st.characters(min_codepoint=32, exclude_characters="\x7f", exclude_categories=["Cs"]), max_size=20)


@given(user=PRINTABLE.filter(lambda text: ":" not in text), password=PRINTABLE.filter(bool))
def test_what_is_remembered_comes_back(user: str, password: str) -> None:
    before = keyring.get_keyring()
    keyring.set_keyring(MemoryKeyring())
    try:
        remember_login("https://example.org", Credentials(user, password))
        assert find_login("https://example.org/x") == Credentials(user, password)
    finally:
        keyring.set_keyring(before)


def test_a_keyring_with_something_else_in_it(ring: MemoryKeyring) -> None:
    for kept in ("no json", "[]", "3"):
        ring.set_password("hpc-explorer", "https://example.org", kept)
        assert find_login("https://example.org") is None
