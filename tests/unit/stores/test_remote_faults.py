"""A server that is slow, broken or something else never hangs the program: a clear error in time, and no harm after."""

from __future__ import annotations

import gc
import os
import re
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from hpc_explorer.errors import (
    AnswerDamaged,
    AnswerLimited,
    Cancelled,
    DeadlineExceeded,
    EndpointBusy,
    EndpointFailed,
    EndpointRefused,
    EndpointTooSlow,
    EndpointUnreachable,
    LoginRequired,
    NotAnEndpoint,
    ServerError,
    TlsFailed,
    Unsupported,
)
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.base import NO_LIMITS, CancelToken, Limits
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.protocol.http import MOST_REQUESTS, Timeouts
from hpc_explorer.stores.remote.dataset import DatasetLayout
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.bad_server import ROWS, BadServer, Exchange, bad_server

QUERY = "SELECT ?n WHERE { ?s ?p ?n }"

# The server's own patience is a minute: what ends before, the program ended.
IMPATIENT = Timeouts(connect=5.0, first_byte=0.3, between=0.3, whole=1.5)

HANGS = 30.0
"""Seconds after which something counts as hanging, on the slowest machine."""


ENDLESS = Timeouts(connect=3600, first_byte=3600, between=3600, whole=3600)
PATIENCES = {
    "/slow-first-byte": Timeouts(connect=5.0, first_byte=0.1),
    "/slow-body": Timeouts(between=0.3),
    "/dripping": Timeouts(whole=1.5),
    "/endless": Timeouts(whole=1.5),
}


LAYOUT = DatasetLayout(False, default_is_union=False, default_is_own=True)
"""What a real endpoint is asked first; these servers give one answer to everything."""


@pytest.fixture(scope="module")
def server() -> Iterator[BadServer]:
    with bad_server() as running:
        yield running


@contextmanager
def store_at(
    server: BadServer, path: str, *, patience: Timeouts = Timeouts(), scheme: str = "http", **options: object
) -> Iterator[RemoteStore]:
    address = f"{scheme}://127.0.0.1:{server.server_address[1]}{path}"
    store = RemoteStore(address, patience=patience, layout=LAYOUT, **options)  # type: ignore[arg-type]
    try:
        yield store
    finally:
        store.close()


def until(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + HANGS
    while not condition():
        assert time.monotonic() < ends, "it never came to be so"
        threading.Event().wait(0.01)


def ask_in_vain(store: RemoteStore, kind: type[Exception], limits: Limits | None = None) -> str:
    began = time.monotonic()
    with pytest.raises(kind) as failed:
        for _ in store.select(QUERY, limits=limits or NO_LIMITS):
            pass
    assert time.monotonic() - began < HANGS
    assert isinstance(failed.value, (ServerError, Cancelled))
    assert failed.value.exit_code == 3
    return str(failed.value)


@pytest.mark.parametrize(
    ("path", "kind", "words"),
    [
        ("/slow-first-byte", EndpointTooSlow, "an answer did not come within"),
        ("/slow-body", EndpointTooSlow, "the rest of the answer did not come within 0.3 s"),
        ("/dripping", EndpointTooSlow, "answer (did not come within|took too long)"),
        ("/endless", EndpointTooSlow, "answer (did not come within|took too long)"),
        ("/cut", AnswerDamaged, "is incomplete"),
        ("/cut-without-length", AnswerDamaged, "cut off or damaged"),
        ("/bad-gzip", AnswerDamaged, "cannot be unpacked|is incomplete"),
        ("/nonsense", AnswerDamaged, "cut off or damaged"),
        ("/silent", EndpointUnreachable, "without an answer"),
        ("/busy-always", EndpointBusy, "too busy .status 429.*: try again later"),
        ("/busy-for-an-hour", EndpointBusy, "asks to wait 3,600 s"),
        ("/error-page", EndpointFailed, r"status 500 \(Internal error SR008: out of memory\)"),
        ("/refused", EndpointRefused, "SP030: no such function"),
        (
            "/private",
            LoginRequired,
            "requires a login: status 401.*hpc-explorer login http://127.0.0.1.* --user NAME",
        ),
        ("/round", EndpointRefused, "more than 5 redirects"),
        ("/page", NotAnEndpoint, "a web page"),
    ],
)
def test_each_fault_is_named_in_time_and_harms_nothing(
    server: BadServer, path: str, kind: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only where the clock is what ends it, it is a short one: a busy machine may be slow to tell of any other fault.
    with store_at(server, path, patience=PATIENCES.get(path, Timeouts())) as store:
        message = ask_in_vain(store, kind)
        assert re.search(words, message), message
        assert "127.0.0.1" in message, "it says which server"
        assert "<" not in message, "it shows no HTML"
        if kind is EndpointTooSlow:
            for _ in range(2 * MOST_REQUESTS):
                ask_in_vain(store, kind, Limits.seconds(0.1))
        monkeypatch.setitem(server.behaviours, path, server.behaviours["/good"])
        store._client.http._client.patience = Timeouts()
        assert [row["n"] for row in store.select(QUERY)] == [Literal("1")], "the store is usable afterwards"


def test_gzip_and_a_redirect_are_no_faults(server: BadServer) -> None:
    for path in ("/gzip", "/moved"):
        with store_at(server, path) as store:
            assert [row["n"] for row in store.select(QUERY)] == [Literal("1")]


def test_a_long_query_is_posted_and_stays_posted_through_a_redirect(server: BadServer) -> None:
    with store_at(server, "/moved") as store:
        seen = len(server.requests)
        list(store.select(f"{QUERY} # {'long ' * 1000}"))
        assert [line.split()[0] for line in server.requests[seen:]] == ["POST", "POST"]


@pytest.mark.parametrize("path", ["/busy-once", "/busy-once-with-time"])
def test_a_busy_server_is_asked_again(path: str) -> None:
    with bad_server() as server, store_at(server, path) as store:
        began = time.monotonic()
        assert [row["n"] for row in store.select(QUERY)] == [Literal("1")]
        assert len(server.requests) == 2
        assert time.monotonic() - began > (0.95 if "time" in path else 0.45)


def test_an_update_is_never_sent_twice() -> None:
    with bad_server() as server:
        address = f"http://127.0.0.1:{server.server_address[1]}/busy-always"
        store = RemoteStore(address, update_address=address)
        with pytest.raises(EndpointBusy):
            store.update("CLEAR ALL")
        assert len(server.requests) == 1
        store.close()
        closed = RemoteStore(address)
        with pytest.raises(Unsupported):
            closed.update("CLEAR ALL")
        closed.close()


@pytest.mark.parametrize("path", ["/slow-first-byte", "/slow-body", "/endless", "/busy-always"])
def test_the_deadline_of_the_caller_ends_it(path: str) -> None:
    with bad_server() as server, store_at(server, path, patience=ENDLESS) as store:
        # That the caller's time is over is only known by the caller; that it waits no longer shows at the server.
        with pytest.raises((DeadlineExceeded, EndpointBusy)):
            list(store.select(QUERY, limits=Limits.seconds(0.3)))
        if path != "/busy-always":
            until(lambda: len(server.abandoned) == len(server.requests))


@pytest.mark.parametrize("path", ["/slow-first-byte", "/slow-body", "/dripping", "/endless"])
def test_cancelling_abandons_at_once(path: str) -> None:
    token = CancelToken()
    with bad_server() as server, store_at(server, path, patience=ENDLESS) as store:
        cancelling = _cancel_when_asked(server, path, token)
        with pytest.raises(Cancelled):
            list(store.select(QUERY, limits=Limits(cancel=token)))
        # The server has a minute's patience, or never ends, and the store an hour's: nobody but the caller ended it.
        until(lambda: server.abandoned == [path])
        cancelling.join()


def test_cancelling_ends_the_pause_before_the_next_try() -> None:
    token = CancelToken()
    with bad_server() as server, store_at(server, "/busy-for-a-minute") as store:
        cancelling = _cancel_when_asked(server, "/busy-for-a-minute", token)
        with pytest.raises(Cancelled):
            list(store.select(QUERY, limits=Limits(cancel=token)))
        assert len(server.requests) == 1
        cancelling.join()


def _cancel_when_asked(server: BadServer, path: str, token: CancelToken) -> threading.Timer:
    """Cancel a moment after the server was asked for the path: when an answer has begun, where one does."""
    behave, cancelling = server.behaviours[path], threading.Timer(0.2, token.cancel)

    def told(exchange: Exchange) -> None:
        cancelling.start()
        behave(exchange)

    server.behaviours[path] = told
    return cancelling


def test_after_cancelling_not_one_more_row_comes(server: BadServer) -> None:
    token = CancelToken()
    with store_at(server, "/endless") as store:
        found = iter(store.select(QUERY, limits=Limits(cancel=token)))
        for _ in range(1_000):
            next(found)
        token.cancel()
        with pytest.raises(Cancelled):
            next(found)


def test_at_most_four_requests_at_once() -> None:
    together = threading.Barrier(MOST_REQUESTS, timeout=HANGS)
    under_way: set[Exchange] = set()
    at_once: list[int] = []
    with bad_server() as server, store_at(server, "/together") as store:

        def answer(exchange: Exchange) -> None:
            under_way.add(exchange)
            together.wait()
            exchange.wait(0.1)  # a fifth would come now
            at_once.append(len(under_way))
            together.wait()
            under_way.remove(exchange)  # before its answer lets the next one begin
            exchange.answer("200 OK", ROWS)

        server.behaviours["/together"] = answer
        threads = [threading.Thread(target=lambda: list(store.select(QUERY))) for _ in range(3 * MOST_REQUESTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.requests) == 3 * MOST_REQUESTS
        assert at_once == [MOST_REQUESTS] * len(server.requests)


def test_connections_are_kept() -> None:
    with bad_server() as server, store_at(server, "/good") as store:
        for _ in range(5):
            list(store.select(QUERY))
        assert len(_sockets_to(server)) == 1


@pytest.mark.slow
def test_no_thread_and_no_socket_is_left() -> None:
    with bad_server() as server:
        for path in ("/good", "/slow-first-byte", "/slow-body", "/endless", "/cut", "/error-page", "/page"):
            with store_at(server, path, patience=IMPATIENT) as store, suppress(ServerError):
                for _ in store.select(QUERY):
                    pass
            gc.collect()
            assert [thread.name for thread in threading.enumerate() if thread.name == "http requests"] == []
            assert _sockets_to(server) == []


def _sockets_to(server: BadServer) -> list[str]:
    """The established connections of this process to the server, as the system sees them (Linux)."""
    table = Path("/proc/self/net/tcp")
    if not table.exists():
        pytest.skip("no /proc/self/net/tcp")
    port = f":{server.server_address[1]:04X}"
    own = set()
    for link in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # a thread of the server may close one between two looks
            own.add(os.readlink(link))
    lines = [line.split() for line in table.read_text().splitlines()[1:]]
    return [fields[1] for fields in lines if fields[2].endswith(port) and f"socket:[{fields[9]}]" in own]


def test_a_limit_of_the_endpoint_is_no_complete_answer(server: BadServer) -> None:
    with store_at(server, "/limited") as store:
        rows = store.select(QUERY)
        assert len(list(rows)) == 1
        assert rows.limited
        with pytest.raises(AnswerLimited, match="truncates its results"):
            list(store.match())


def test_nobody_listens() -> None:
    store = RemoteStore("http://127.0.0.1:1/sparql")
    assert "no connection to the server: http://127.0.0.1:1/sparql" in ask_in_vain(store, EndpointUnreachable)
    store.close()
    with pytest.raises(EndpointUnreachable):
        store.ask("ASK {}")


def test_tls_with_a_server_that_has_none(server: BadServer) -> None:
    with store_at(server, "/good", scheme="https") as store:
        assert "TLS connection" in ask_in_vain(store, TlsFailed)


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("openssl is missing: no certificate can be made")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        [
            program,
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-subj",
            "/CN=127.0.0.1",
            "-keyout",
            key,
            "-out",
            certificate,
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with bad_server(context) as server, store_at(server, "/good", scheme="https") as store:
        assert "self-signed certificate" in ask_in_vain(store, TlsFailed)


@pytest.mark.parametrize(
    ("address", "options", "header"),
    [
        ("http://ann:p%40ss@127.0.0.1:{port}/good", {}, "Basic YW5uOnBAc3M="),
        ("http://127.0.0.1:{port}/good", {"credentials": Credentials("ann", "p@ss")}, "Basic YW5uOnBAc3M="),
        ("http://127.0.0.1:{port}/good", {"credentials": Credentials(token="t0ken")}, "Bearer t0ken"),
    ],
)
def test_credentials_are_sent_and_never_shown(
    server: BadServer, address: str, options: dict[str, Credentials], header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RemoteStore(address.format(port=server.server_address[1]), layout=LAYOUT, **options)  # type: ignore[arg-type]
    list(store.select(QUERY))
    assert f"authorization: {header}".lower() in server.requests[-1].lower()
    monkeypatch.setitem(server.behaviours, "/good", server.behaviours["/private"])
    message = ask_in_vain(store, EndpointRefused)
    for secret in ("p@ss", "p%40ss", "t0ken", "YW5u"):
        assert secret not in message + repr(options) + store.address
    store.close()


def test_credentials_stay_at_their_server(server: BadServer) -> None:
    with bad_server() as other:
        server.behaviours["/elsewhere"] = lambda e: e.answer(
            "302 Found", b"", "text/plain", f"Location: http://127.0.0.1:{other.server_address[1]}/good"
        )
        with store_at(server, "/elsewhere", credentials=Credentials("ann", "p@ss")) as store:
            list(store.select(QUERY))
        assert "authorization" in server.requests[-1].lower()
        assert "authorization" not in other.requests[-1].lower()
