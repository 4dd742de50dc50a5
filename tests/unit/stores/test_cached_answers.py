"""Kept answers: given again for the same question with their age, never wrongly, and nothing wrong is ever kept."""

from __future__ import annotations

import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from hpc_explorer.errors import Cancelled, EndpointUnreachable, ExplorerError, LoginRequired, TlsFailed
from hpc_explorer.rdf.terms import Literal
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.protocol.answer_cache import AnswerCache, CachedAnswer
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.protocol.http import Timeouts
from hpc_explorer.stores.remote.dataset import DatasetLayout
from hpc_explorer.stores.remote.remote import RemoteStore
from tests.helpers.bad_server import JSON, ROWS, BadServer, bad_server, behaviours, guarded
from tests.helpers.clocks import Clock

QUERY = "SELECT ?n WHERE { ?s ?p ?n }"
# What a real endpoint is asked first; these servers give one answer to everything.
LAYOUT = DatasetLayout(False, default_is_union=False, default_is_own=True)
TRIPLES = b"<urn:s> <urn:p> <urn:o> .\n"


@pytest.fixture
def server() -> Iterator[BadServer]:
    with bad_server() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "answers.sqlite"


@contextmanager
def store_at(
    server: BadServer, path: str, file: Path, clock: Clock, *, scheme: str = "http", **options: object
) -> Iterator[RemoteStore]:
    address = f"{scheme}://127.0.0.1:{server.server_address[1]}{path}"
    store = RemoteStore(
        address,
        cache=AnswerCache(file, clock=clock),
        update_address=address,
        layout=LAYOUT,
        **options,  # type: ignore[arg-type]
    )
    try:
        yield store
    finally:
        store.close()


def numbers(store: RemoteStore, query: str = QUERY) -> list[object]:
    return [row["n"] for row in store.select(query)]


def kept(file: Path) -> int:
    """How many answers are in the file."""
    if not file.exists():
        return 0
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM answers").fetchone()[0])


def test_given_again_to_this_store_and_the_next(server: BadServer, file: Path, clock: Clock) -> None:
    with store_at(server, "/good", file, clock) as store:
        for query in (QUERY, f"PREFIX unused: <urn:x> # note\n {QUERY.replace(' ', '  ')}"):
            assert numbers(store, query) == [Literal("1")]
        assert store.answers_age is None, "it was asked for by this store"
    clock.pass_by(seconds=600)
    with store_at(server, "/good", file, clock) as store:
        assert numbers(store) == [Literal("1")]
        assert store.answers_age is not None
        assert timedelta(minutes=10) <= store.answers_age < timedelta(minutes=11)
        assert not store.is_offline
        assert len(server.requests) == 1
        store.refresh()
        assert numbers(store) == [Literal("1")]
        assert store.answers_age is None
        assert len(server.requests) == 2
    with store_at(server, "/good", file, clock, refresh=True) as store:
        assert numbers(store) == [Literal("1")]
        assert len(server.requests) == 3
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_another_question_or_endpoint_is_another_answer(server: BadServer, file: Path, clock: Clock) -> None:
    server.behaviours["/other"] = lambda e: e.answer("200 OK", ROWS.replace(b'"1"', b'"2"'))
    with store_at(server, "/good", file, clock) as store, store_at(server, "/other", file, clock) as other:
        assert numbers(store) != numbers(other)
        numbers(store, QUERY.replace("?p", "<urn:p>"))
        numbers(store, "SELECT (RAND() AS ?n) {}")
        numbers(store, "SELECT (RAND() AS ?n) {}")
        assert len(server.requests) == 5
        assert kept(file) == 3


def test_an_old_answer_is_asked_for_again(server: BadServer, file: Path, clock: Clock) -> None:
    with store_at(server, "/good", file, clock) as store:
        numbers(store)
        clock.pass_by(hours=1)
        server.behaviours["/good"] = lambda e: e.answer("200 OK", ROWS.replace(b'"1"', b'"2"'))
        assert numbers(store) == [Literal("2")]
        clock.pass_by(hours=-5)
        numbers(store)
        assert len(server.requests) == 3, "the clock was set back"


def test_what_is_kept_serves_while_the_server_is_away(file: Path, clock: Clock) -> None:
    with bad_server() as server, store_at(server, "/good", file, clock) as store:
        numbers(store)
    clock.pass_by(hours=30)
    with store_at(server, "/good", file, clock, refresh=True) as store:
        assert numbers(store) == [Literal("1")]
        assert store.is_offline
        assert store.answers_age is not None
        assert store.answers_age > timedelta(hours=30)
        with pytest.raises(EndpointUnreachable):
            numbers(store, "SELECT ?n { ?n ?p ?o }")


FAULTS = [
    "/slow-first-byte", "/slow-body", "/dripping", "/endless", "/cut", "/cut-without-length", "/bad-gzip", "/nonsense",
    "/silent", "/busy-for-an-hour", "/error-page", "/refused", "/private", "/round", "/page",
]  # fmt: skip


# They would end with the server's own patience, a minute, or never.
SLOW = ("/slow-first-byte", "/slow-body", "/dripping", "/endless")
IMPATIENT = Timeouts(connect=1.5, first_byte=0.3, between=0.3, whole=1.5)


def behave(server: BadServer, store: RemoteStore, path: str) -> None:
    """Have the server answer so; only where it is slow, the store is impatient."""
    server.behaviours["/x"] = behaviours()[path]
    store._client.http._client.patience = IMPATIENT if path in SLOW else Timeouts()


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_is_kept_and_none_spoils_what_is_kept(fault: str, file: Path, clock: Clock) -> None:
    with bad_server() as server, store_at(server, "/x", file, clock) as store:
        behave(server, store, fault)
        with pytest.raises(ExplorerError):
            numbers(store)
        assert kept(file) == 0
        clock.pass_by(seconds=60)
        behave(server, store, "/good")
        assert numbers(store) == [Literal("1")]
        assert kept(file) == 1
        clock.pass_by(hours=2)
        behave(server, store, fault)
        if fault == "/silent":
            assert numbers(store) == [Literal("1")], "a server that does not answer is away"
        else:
            with pytest.raises(ExplorerError):
                numbers(store)
        behave(server, store, "/silent")
        assert numbers(store) == [Literal("1")], "the old answer is still there"
        assert kept(file) == 1


def test_nothing_is_kept_of_a_server_that_nobody_vouches_for(server: BadServer, file: Path, clock: Clock) -> None:
    with store_at(server, "/good", file, clock, scheme="https") as store:
        with pytest.raises(TlsFailed):
            numbers(store)
        assert kept(file) == 0


def test_a_part_of_an_answer_is_not_kept(server: BadServer, file: Path, clock: Clock) -> None:
    server.behaviours |= {
        "/limited-rows": lambda e: e.answer("200 OK", ROWS, JSON, "X-SPARQL-MaxRows: 1"),
        "/anytime": lambda e: e.answer("200 OK", ROWS, JSON, "X-SQL-Message: RC..."),
        "/no-end": lambda e: (e.begin(), e.send(ROWS), e.request.shutdown(2))[0],
        "/more": lambda e: e.answer("200 OK", ROWS + b"{"),
    }
    for path in ("/limited-rows", "/anytime", "/no-end"):
        with store_at(server, path, file, clock) as store:
            assert len(numbers(store)) == 1
            assert kept(file) == 0, path
    with store_at(server, "/good", file, clock) as store:
        next(iter(store.select(QUERY)))
        assert kept(file) == 0, "nobody read it to its end"


def test_a_cancelled_answer_is_not_kept(server: BadServer, file: Path, clock: Clock) -> None:
    with store_at(server, "/good", file, clock) as store:
        token = CancelToken()
        rows = iter(store.select(QUERY, limits=Limits(cancel=token)))
        next(rows)
        token.cancel()
        with pytest.raises(Cancelled):
            list(store.select(QUERY, limits=Limits(cancel=token)))
        assert kept(file) == 0


def test_triples_and_truths_are_kept_too(server: BadServer, file: Path, clock: Clock) -> None:
    server.behaviours |= {
        "/triples": lambda e: e.answer("200 OK", TRIPLES, "application/n-triples"),
        "/half": lambda e: (
            e.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/n-triples\r\n\r\n" + TRIPLES),
            e.request.shutdown(2),
        )[0],
        "/yes": lambda e: e.answer("200 OK", b'{"head":{},"boolean":true}'),
    }
    for path, ask in (
        ("/triples", lambda store: list(store.construct("CONSTRUCT WHERE { ?s ?p ?o }"))),
        ("/yes", lambda store: store.ask("ASK {}")),
    ):
        with store_at(server, path, file, clock) as store:
            before = len(server.requests)
            assert ask(store) == ask(store)
            assert ask(store)
            assert len(server.requests) == before + 1
    with store_at(server, "/half", file, clock) as store:
        before = len(server.requests)
        for _ in range(2):
            list(store.construct("CONSTRUCT WHERE { ?s ?p ?o }"))
        assert len(server.requests) == before + 2, "an answer without an end may be a part"


def test_an_update_drops_what_is_kept(server: BadServer, file: Path, clock: Clock) -> None:
    with store_at(server, "/good", file, clock) as store, store_at(server, "/slow", file, clock) as other:
        numbers(store), numbers(other)
        reading = iter(store.select(QUERY.replace("?s", "?t")))
        next(reading)
        store.update("INSERT DATA { <urn:a> <urn:b> 1 }")
        list(reading)
        assert kept(file) == 1, (
            "only that of the other endpoint; not even one asked for before the update and read after it"
        )
        seen = len(server.requests)
        numbers(store)
        assert len(server.requests) == seen + 1


def test_answers_to_a_user_are_for_that_user_alone(server: BadServer, file: Path, clock: Clock) -> None:
    server.behaviours["/x"] = guarded("Basic YW5uOnBAc3M=")
    with store_at(server, "/x", file, clock, credentials=Credentials("ann", "p@ss")) as store:
        numbers(store), numbers(store)
        assert len(server.requests) == 1, "this user has it again"
    assert kept(file) == 0
    for stranger in (None, Credentials("bob", "x")):
        with store_at(server, "/x", file, clock, credentials=stranger) as store, pytest.raises(LoginRequired):
            numbers(store)
    assert not any(
        secret in path.read_bytes() for path in file.parent.iterdir() for secret in (b"p@ss", b"YW5u", b"/x")
    )
    server.behaviours["/y"] = lambda e: e.answer("200 OK", ROWS)
    with store_at(server, "/y", file, clock) as store:
        numbers(store)
    server.behaviours["/y"] = lambda e: e.answer("200 OK", ROWS.replace(b'"1"', b'"2"'))
    with store_at(server, "/y", file, clock, credentials=Credentials("ann", "p@ss")) as store:
        assert numbers(store) == [Literal("2")], "nor is a user given what strangers see"


def test_what_is_not_to_be_stored_is_not(server: BadServer, file: Path, clock: Clock) -> None:
    server.behaviours["/x"] = lambda e: e.answer(
        "200 OK", ROWS, JSON, "Cache-Control: must-revalidate, no-cache, no-store"
    )
    with store_at(server, "/x", file, clock) as store:
        numbers(store), numbers(store)
        assert len(server.requests) == 1
    assert kept(file) == 0


def test_the_size_is_bounded_and_the_least_used_goes_first(file: Path, clock: Clock) -> None:
    cache = AnswerCache(file, largest=4_000, clock=clock)
    noise = [Random(number).randbytes(900) for number in range(8)]
    for number, body in enumerate(noise):
        cache.keep("place", str(number), CachedAnswer(clock(), "a", {}, body))
        clock.pass_by(seconds=100)
        assert cache.find("place", "0") is not None, "it is used all the time"
    there = [number for number in range(8) if cache.find("place", str(number)) is not None]
    assert 0 in there
    assert 7 in there
    assert len(there) < 8
    assert there[1:] == list(range(8 - len(there) + 1, 8))
    cache.keep("place", "large", CachedAnswer(clock(), "a", {}, b"".join(noise)))
    assert cache.find("place", "large") is None
    assert cache.find("place", "0") is not None
    cache.close()


def _damage(file: Path) -> None:
    file.write_bytes(b"no database at all" * 100)


def _other_format(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize("harm", [_damage, _other_format, Path.unlink])
def test_a_damaged_file_is_made_anew(harm: Callable[[Path], None], server: BadServer, file: Path, clock: Clock) -> None:
    with store_at(server, "/good", file, clock) as store:
        numbers(store)
    harm(file)
    with store_at(server, "/good", file, clock) as store:
        for _ in range(3):
            assert numbers(store) == [Literal("1")]
    assert 2 <= len(server.requests) <= 3
    assert kept(file) == 1


def test_a_folder_that_cannot_be_used_keeps_nothing(server: BadServer, tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "cache").write_text("a file in the way")
    with store_at(server, "/good", tmp_path / "cache" / "answers.sqlite", clock) as store:
        assert numbers(store) == numbers(store) == [Literal("1")]


def test_many_threads_and_two_programs_at_once(server: BadServer, file: Path, clock: Clock) -> None:
    failed: list[BaseException] = []

    def ask(store: RemoteStore, number: int) -> None:
        try:
            for step in range(5):
                assert numbers(store, QUERY.replace("?p", f"<urn:{number % 3}{step}>")) == [Literal("1")]
        except (AssertionError, ExplorerError) as error:
            failed.append(error)

    with store_at(server, "/good", file, clock) as one, store_at(server, "/good", file, clock) as two:
        threads = [threading.Thread(target=ask, args=((one, two)[number % 2], number)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failed == []
    assert kept(file) == 15


def test_a_document_of_the_server_is_kept_too(server: BadServer, file: Path, clock: Clock) -> None:
    server.behaviours["/void"] = lambda exchange: exchange.answer("200 OK", TRIPLES, "application/n-triples")
    address = f"http://127.0.0.1:{server.server_address[1]}/void"
    for _ in range(2):
        with store_at(server, "/good", file, clock) as store:
            assert [str(triple) for triple in store.document(address)] == ["<urn:s> <urn:p> <urn:o>"]
    assert len(server.requests) == 1
    clock.pass_by(seconds=4000)
    with store_at(server, "/good", file, clock) as store:
        assert len(list(store.document(address))) == 1
    assert len(server.requests) == 2
    with store_at(server, "/good", file, clock) as store, pytest.raises(ExplorerError):
        list(store.document(f"http://127.0.0.1:{server.server_address[1]}/page"))


def test_who_always_asks_is_given_nothing_that_was_kept(server: BadServer, file: Path, clock: Clock) -> None:
    with store_at(server, "/good", file, clock) as store:
        numbers(store)
        numbers(store)
        assert len(server.requests) == 1
        store.always_ask()
        numbers(store)
        numbers(store)
        assert len(server.requests) == 3
    assert kept(file) == 1
