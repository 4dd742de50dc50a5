"""Measures how soon a heavy query is stopped, and what the process in which it can be stopped costs."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from results import busy, write_section

from hpc_explorer.errors import Cancelled
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.base import CancelToken, Limits, Store
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.local.stoppable import StoppableStore

RUNS = 15
TRIPLES = 3_000
HEAVY = "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f } ORDER BY ?f ?d ?b LIMIT 5"
SMALL = "SELECT * { ?s ?p ?o } LIMIT 1"
LARGE = "SELECT ?a ?b ?c ?d { ?a ?p ?b . ?c ?q ?d } LIMIT 200000"


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def cancelled(store: StoppableStore, after: float) -> float:
    """From the cancel of a query that has run for `after` seconds until its caller has the error."""
    store.prepare()
    token = CancelToken()
    told: list[float] = []

    def stop() -> None:
        told.append(time.perf_counter())
        token.cancel()

    timer = threading.Timer(after, stop)
    timer.start()
    with suppress(Cancelled):
        list(store.select(HEAVY, limits=Limits(cancel=token)))
    ended = time.perf_counter()
    timer.join()
    return 1000 * (ended - told[0])


def first_answer(local: LocalStore) -> float:
    """Of a process that has to be started and shown the graph."""
    store = StoppableStore(local)
    took = timed(lambda: list(store.select(SMALL)))
    store.stop()
    return took


def measured() -> Iterator[tuple[str, list[float]]]:
    """What was measured, with the milliseconds of each run."""
    iri = "http://example.org/"
    local = LocalStore.in_memory()
    local.add_quads(
        Quad(NamedNode(f"{iri}s{one}"), NamedNode(f"{iri}p"), Literal(f"value {one}"), NamedNode(f"{iri}graph"))
        for one in range(TRIPLES)
    )
    store = StoppableStore(local)
    yield "a cancelled query, from the cancel to the error, after 0.3 s", [cancelled(store, 0.3) for _ in range(RUNS)]
    yield "the same after 2 s, its process the larger", [cancelled(store, 2.0) for _ in range(RUNS // 3)]
    yield "first answer, with starting the process and copying the graph", [first_answer(local) for _ in range(RUNS)]
    store.prepare()
    both: list[tuple[str, Store]] = [("in the reader process", store), ("in this process", local)]
    for where, asked in both:
        yield f"one row, {where}", [timed(lambda: list(asked.select(SMALL))) for _ in range(RUNS)]  # noqa: B023  called at once
    for where, asked in both:
        yield f"200,000 rows, {where}", [timed(lambda: sum(1 for _ in asked.select(LARGE))) for _ in range(RUNS // 5)]  # noqa: B023  called at once
    store.close()


def table() -> list[str]:
    """The figures as Markdown."""
    lines = [f"A store of {TRIPLES:,} triples in memory.", ""]
    lines += ["| what | median ms | least to most |", "|---|---|---|"]
    for what, runs in measured():
        lines.append(f"| {what} | {statistics.median(runs):.1f} | {min(runs):.1f} to {max(runs):.1f} |")
    return lines


if __name__ == "__main__":
    before = busy()
    write_section("Stopping a query", table(), before)
