"""A person's own query: answered in this process where nobody can stop it, else in one that can be killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hpc_explorer.app.jobs import JobContext, Jobs, JobState
from hpc_explorer.app.query.run_query import prepare_queries, run_query
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import Cancelled, DeadlineExceeded, QuerySyntaxError
from hpc_explorer.query.table import Table
from hpc_explorer.stores.base import CancelToken, Limits
from hpc_explorer.stores.local.stoppable import StoppableStore
from tests.helpers.processes import ticks
from tests.helpers.sessions import session_of
from tests.helpers.waiting import until

NAMES = "SELECT ?m ?name { ?m a hpc:AIModel ; hpc:name ?name } ORDER BY ?name"
HEAVY = "SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f } ORDER BY ?f ?d ?b LIMIT 5"
"""Sorts a thousand million solutions: it does not end by itself. How soon it stops is measured in `benchmarks/`."""

PATIENCE = 60.0


def stoppable(session: Session) -> StoppableStore:
    store = session.stoppable_store
    assert isinstance(store, StoppableStore)
    return store


@pytest.fixture(params=["in memory", "workspace"])
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    name = "sample:xplacer"
    if request.param == "workspace":
        name = str(tmp_path / "workspace")
        load_into(Path(name), ["sample:xplacer"])
    session = session_of(name)
    yield session
    store = stoppable(session)
    session.close()
    assert store.processes == ()


def test_the_answer_is_the_same_wherever_it_is_computed(session: Session) -> None:
    limits = Limits(cancel=CancelToken())
    for query in (NAMES, "ASK { ?m a hpc:AIModel }", "SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o"):
        assert run_query(session, query, limits=limits) == run_query(session, query)
    described = "CONSTRUCT WHERE { ?s hpc:name ?o }"
    here, there = run_query(session, described), run_query(session, described, limits=limits)
    assert isinstance(here, tuple)
    assert isinstance(there, tuple)
    assert set(here) == set(there)
    assert len(stoppable(session).processes) == 1


def test_a_query_that_nobody_can_stop_starts_no_process(session: Session) -> None:
    run_query(session, NAMES)
    assert stoppable(session).processes == ()


def test_a_deadline(session: Session) -> None:
    with pytest.raises(DeadlineExceeded):
        run_query(session, HEAVY, limits=Limits.seconds(0.5))


def test_a_cancelled_job_ends(session: Session) -> None:
    jobs = Jobs()
    told: list[str] = []
    jobs.on_change(lambda job: told.append(job.progress.text))
    prepared: list[tuple[int, int]] = []

    def work(context: JobContext) -> object:
        prepare_queries(session, progress=context.progress, limits=context.limits)
        (pid,) = stoppable(session).processes
        prepared.append((pid, ticks(pid)))
        return run_query(session, HEAVY, progress=context.progress, limits=context.limits)

    job = jobs.submit("query", work)
    until(lambda: prepared)
    ((pid, began),) = prepared
    until(lambda: ticks(pid) > began + 20)  # it is in the middle of the query
    job.cancel()
    with pytest.raises(Cancelled):
        job.result(PATIENCE)
    assert job.state is JobState.CANCELLED
    assert pid not in stoppable(session).processes
    assert ("copying the graph for the query" in told) == (session.workspace is None)
    assert jobs.shutdown(PATIENCE)


def test_sources_that_are_opened_later_are_seen() -> None:
    session = Session.new()
    limits = Limits(cancel=CancelToken())
    open_sources(session, ["sample:npb"])
    assert run_query(session, "ASK { ?m hpc:name 'decisionTree.onnx' }", limits=limits) is False
    open_sources(session, ["sample:xplacer"])
    table = run_query(session, NAMES, limits=limits)
    assert isinstance(table, Table)
    assert table.total.value > 0
    session.close()


def test_the_place_of_a_fault_is_that_in_the_text_as_it_was_written() -> None:
    session = Session.new()
    text = "SELECT * { ?m a hpc:AIModel ; hpc:name }"
    with pytest.raises(QuerySyntaxError) as fault:
        run_query(session, text)
    assert fault.value.where == f"line 1, column {text.index('}') + 1}"
    session.close()
