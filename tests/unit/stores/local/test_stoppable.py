"""Queries in a process that can be killed: stopped at once, nothing left, and the next one answered."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.errors import Cancelled, DeadlineExceeded, MemoryExceeded, QuerySyntaxError, ReaderFailed, StoreError
from hpc_explorer.rdf.namespaces import XSD
from hpc_explorer.rdf.terms import BlankNode, Literal, NamedNode, Quad, Triple
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.stoppable import StoppableStore
from tests.helpers.graphs import ex
from tests.helpers.processes import gone, ticks
from tests.helpers.waiting import until

GRAPH = NamedNode("http://example.org/graph")
P = NamedNode("http://example.org/p")

ALL = "SELECT * { ?s ?p ?o }"
ENDLESS = "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f }"
"""Has 27 thousand million rows, the first at once."""

HEAVY = f"{ENDLESS} ORDER BY ?f ?d ?b LIMIT 5"
"""Sorts 27 thousand million solutions: days. What ends it at all, ends it; how soon is measured in `benchmarks/`."""

PATIENCE = 60.0


def quads(number: int) -> Iterator[Quad]:
    return (Quad(ex(f"s{one}"), P, Literal(f"value {one}"), GRAPH) for one in range(number))


@pytest.fixture(params=["memory", "disk"])
def local(request: pytest.FixtureRequest, tmp_path: Path) -> LocalStore:
    local = LocalStore.in_memory() if request.param == "memory" else LocalStore.on_disk(tmp_path / "store")
    local.add_quads(quads(3000))
    return local


@pytest.fixture
def store(local: LocalStore) -> Iterator[StoppableStore]:
    store = StoppableStore(local)
    yield store
    pids = store.processes
    store.close()
    until(lambda: all(map(gone, pids)))


class Asking(threading.Thread):
    """Somebody who waits for the answer of a heavy query."""

    def __init__(self, store: StoppableStore, limits: Limits, query: str = HEAVY) -> None:
        super().__init__()
        self.error: Exception | None = None
        self._asked = (store, limits, query)
        self.start()

    def run(self) -> None:
        store, limits, query = self._asked
        try:
            list(store.select(query, limits=limits))
        except StoreError as error:
            self.error = error
        except Cancelled as error:
            self.error = error


def test_a_heavy_query_is_cancelled(store: StoppableStore) -> None:
    store.prepare()
    (pid,) = store.processes
    token = CancelToken()
    began, asking = ticks(pid), Asking(store, Limits(cancel=token))
    until(lambda: ticks(pid) > began + 5)  # it is in the middle of the query
    assert asking.is_alive()
    token.cancel()
    asking.join(PATIENCE)
    assert isinstance(asking.error, Cancelled)
    until(lambda: gone(pid))
    assert store.ask("ASK { ?s ?p ?o }"), "the next query is answered"
    assert pid not in store.processes


def test_a_deadline_ends_a_heavy_query(store: StoppableStore) -> None:
    store.prepare()
    (pid,) = store.processes
    seconds = 0.3
    while pid in store.processes:  # a busy machine may not have begun with the query by then
        assert seconds < PATIENCE
        began = time.monotonic()
        with pytest.raises(DeadlineExceeded, match="took too long"):
            list(store.select(HEAVY, limits=Limits.seconds(seconds)))
        assert time.monotonic() - began >= seconds
        seconds *= 2
    until(lambda: gone(pid))


@pytest.mark.parametrize("form", ["ask", "construct"])
def test_the_other_forms_end_too(store: StoppableStore, form: str) -> None:
    inside = f"{{ SELECT ?f {HEAVY.removeprefix('SELECT *')} }}"
    with pytest.raises(DeadlineExceeded):
        {
            "ask": lambda: store.ask(f"ASK {inside}", limits=Limits.seconds(0.5)),
            "construct": lambda: list(
                store.construct(f"CONSTRUCT {{ ?f ?f ?f }} WHERE {inside}", limits=Limits.seconds(0.5))
            ),
        }[form]()
    assert store.ask("ASK { ?s ?p ?o }")


@pytest.mark.skipif(sys.platform == "win32", reason="the memory of a process is not watched there")
def test_a_query_that_needs_too_much_memory_is_named_and_the_next_one_works(local: LocalStore) -> None:
    store = StoppableStore(local, memory=256 << 20)
    store.prepare()
    (pid,) = store.processes
    with pytest.raises(MemoryExceeded, match="256 MiB") as stopped:
        list(store.select("SELECT * { ?a ?p ?b . ?c ?q ?d } ORDER BY ?d ?a"))
    assert "HPC_EXPLORER_QUERY_MEMORY" in stopped.value.remedy
    until(lambda: gone(pid))
    assert len(list(store.select(ALL))) == 3000
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
def test_a_process_that_is_killed_is_named_and_the_next_query_works(store: StoppableStore) -> None:
    store.prepare()
    (pid,) = store.processes
    began, asking = ticks(pid), Asking(store, Limits())
    until(lambda: ticks(pid) > began + 5)  # it is in the middle of the query
    os.kill(pid, signal.SIGKILL)
    asking.join(PATIENCE)
    assert isinstance(asking.error, ReaderFailed)
    assert "signal 9" in asking.error.where
    assert len(list(store.select(ALL))) == 3000


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
def test_an_engine_that_gives_up_says_what_may_be_the_cause(store: StoppableStore) -> None:
    store.prepare()
    (pid,) = store.processes
    began, asking = ticks(pid), Asking(store, Limits())
    until(lambda: ticks(pid) > began + 5)  # it is in the middle of the query
    os.kill(pid, signal.SIGABRT)
    asking.join(PATIENCE)
    assert isinstance(asking.error, ReaderFailed)
    assert "ORDER BY" in asking.error.remedy
    assert len(list(store.select(ALL))) == 3000


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
def test_one_that_dies_while_it_waits_is_not_noticed(store: StoppableStore) -> None:
    store.prepare()
    (pid,) = store.processes
    os.kill(pid, signal.SIGKILL)
    until(lambda: gone(pid))
    assert store.ask("ASK { ?s ?p ?o }")


_PARENT = f"""
import sys, threading
from pathlib import Path
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.stoppable import StoppableStore

if __name__ == "__main__":
    store = StoppableStore(LocalStore.read_only(Path(sys.argv[1])))
    store.prepare()
    print(*store.processes, flush=True)
    list(store.select({HEAVY!r}))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")
def test_when_the_program_is_killed_the_process_ends(tmp_path: Path) -> None:
    local = LocalStore.on_disk(tmp_path / "store")
    local.add_quads(quads(3000))
    local.close()
    script = tmp_path / "parent.py"
    script.write_text(_PARENT, encoding="utf-8")
    parent = subprocess.Popen([sys.executable, str(script), str(tmp_path / "store")], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    # Until it is in the middle of the query, it uses no processor time to speak of.
    until(lambda: ticks(pid) > 50)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: gone(pid))


def test_changes_are_seen_by_the_next_query(store: StoppableStore) -> None:
    assert not store.ask(f"ASK {{ {ex('new')} ?p ?o }}")
    store.local.add_quads([Quad(ex("new"), P, Literal("new"), GRAPH)])
    assert store.ask(f"ASK {{ {ex('new')} ?p ?o }}")
    store.update(f"DELETE WHERE {{ GRAPH ?g {{ {ex('new')} ?p ?o }} }}")
    assert not store.ask(f"ASK {{ {ex('new')} ?p ?o }}")
    store.local.remove_graphs([GRAPH])
    assert list(store.select(ALL)) == []


def test_one_process_is_kept_from_query_to_query(store: StoppableStore) -> None:
    store.prepare()
    first = store.processes
    assert len(list(store.select(ALL))) == 3000
    assert len(list(store.construct("CONSTRUCT WHERE { ?s ?p ?o }"))) == 3000
    with pytest.raises(QuerySyntaxError, match="syntax error"):
        store.select("SELECT nonsense")
    assert store.processes == first


def test_rows_come_before_the_end_and_whoever_stops_reading_stops_the_query(store: StoppableStore) -> None:
    store.prepare()
    (pid,) = store.processes
    rows = iter(store.select(ENDLESS))
    assert {"a", "b", "c", "d", "e", "f"} <= set(next(rows))
    for _ in range(1000):
        next(rows)
    assert not gone(pid), "it waits until somebody wants more"
    del rows
    until(lambda: gone(pid))
    assert len(list(store.select(ALL))) == 3000


def test_rows_that_nobody_begins_to_read_leave_nothing(store: StoppableStore) -> None:
    store.prepare()
    (pid,) = store.processes
    rows = store.select(ENDLESS)
    assert set(rows.variables) == set("apbcqderf")
    del rows
    until(lambda: gone(pid))


def test_after_the_end_nothing_is_answered(store: StoppableStore) -> None:
    store.stop()
    with pytest.raises(StoreError, match="closed"):
        store.ask("ASK {}")
    assert store.processes == ()


def test_copying_a_graph_tells_how_far_it_is_and_can_be_cancelled() -> None:
    local = LocalStore.in_memory()
    local.add_quads(quads(20_000))
    store = StoppableStore(local)
    token = CancelToken()
    told: list[float | None] = []

    def stop_at_half(text: str, fraction: float | None) -> None:
        assert text == "copying the graph for the query"
        told.append(fraction)
        if fraction is not None and fraction >= 0.5:
            token.cancel()

    with pytest.raises(Cancelled, match="copying the graph"):
        store.prepare(progress=stop_at_half, limits=Limits(cancel=token))
    assert told == sorted(told, key=lambda fraction: fraction or 0)
    assert told[-1] is not None
    assert told[-1] < 0.6
    assert store.ask("ASK { ?s ?p ?o }")
    store.close()


# The same answers

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_iris = st.builds(ex, st.text("abcä𝒳/?=20", max_size=8))
_blank = st.builds(BlankNode, st.from_regex(r"\A[a-z][a-z0-9]{0,8}\Z"))
_literals = st.one_of(
    st.builds(Literal, _text),
    st.builds(lambda text, tag: Literal(text, language=tag), _text, st.sampled_from(["en", "de-at", "zh-hans-cn"])),
    st.builds(
        lambda text, kind: Literal(text, datatype=kind),
        st.one_of(_text, st.sampled_from(["1", "01", "-0", "1.50", "1E5", "INF", "true", "1", "9" * 30, "P1D"])),
        st.sampled_from([XSD.integer, XSD.decimal, XSD.double, XSD.boolean, XSD.duration, XSD.dateTime, ex("own")]),
    ),
)
_quoted = st.builds(Triple, _iris, _iris, st.one_of(_iris, _blank, _literals))
_terms = st.one_of(_iris, _blank, _literals, _quoted, st.builds(Triple, _iris, _iris, _quoted))


@pytest.fixture(scope="module")
def empty() -> Iterator[StoppableStore]:
    store = StoppableStore(LocalStore.in_memory())
    yield store
    store.close()


@given(st.lists(st.tuples(st.one_of(_iris, _blank), _terms), max_size=5))
def test_every_kind_of_term_comes_as_from_the_store_itself(
    empty: StoppableStore, terms: list[tuple[object, object]]
) -> None:
    local = empty.local
    local.remove_graphs([GRAPH])
    local.add_quads(Quad(subject, P, value, GRAPH) for subject, value in terms)  # type: ignore[arg-type]
    query = f"SELECT * {{ ?s ?p ?o OPTIONAL {{ ?s {ex('never')} ?nothing }} }}"
    ours, theirs = empty.select(query), local.select(query)
    assert ours.variables == theirs.variables
    assert sorted(map(repr, ours)) == sorted(map(repr, theirs))
    query = "CONSTRUCT WHERE { ?s ?p ?o }"
    assert set(empty.construct(query)) == set(local.construct(query))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * {}",
        "SELECT ?x {}",
        "SELECT ?x { VALUES ?x { UNDEF UNDEF <http://example.org/a> UNDEF } }",
        "SELECT ?x ?y { VALUES (?x ?y) { (UNDEF UNDEF) (UNDEF 1) } }",
        "SELECT * { FILTER(false) }",
    ],
)
def test_rows_with_nothing_in_them_are_rows(empty: StoppableStore, query: str) -> None:
    ours, theirs = empty.select(query), empty.local.select(query)
    assert ours.variables == theirs.variables
    assert list(ours) == list(theirs)


def test_a_triple_that_two_graphs_state_is_answered_once(empty: StoppableStore) -> None:
    store = StoppableStore(LocalStore.in_memory())
    both = [Quad(ex("a"), P, ex("b"), graph) for graph in (GRAPH, ex("other"))]
    store.local.add_quads(both)
    store.local.settle({GRAPH, ex("other")})
    assert store.local.keeps_merge
    assert len(list(store.select(ALL))) == 1
    store.close()
