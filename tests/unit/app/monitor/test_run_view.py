"""What the view Monitor shows of each kind of resource."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hpc_explorer.app.monitor.run_view import draw_series, has_jobs_or_series, lanes_of, run_view
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UnknownResource
from hpc_explorer.monitor.jobs import Job
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

SNS = "http://example.org/sns/"
TIMES = st.tuples(st.integers(0, 50), st.integers(0, 20), st.sampled_from(["a", "b"]))


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    opened = session_of("sample:sns")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("resource", "label", "jobs", "series", "anomalies"),
    [
        (f"{SNS}r4", "SNS run 4", 27, 8, 3),
        (f"{SNS}r4-ptraj_270K", "SNS run 4", 27, 8, 3),
        (f"{SNS}r1", "SNS run 1", 27, 0, 0),
        ("http://example.org/computer/sns-compute03", "compute03", 20, 2, 3),
        ("http://example.org/series/sns-iowait-compute02", "SNS run 4", 5, 1, 0),
    ],
)
def test_each_resource_shows_its_run_or_its_host(
    session: Session, resource: str, label: str, jobs: int, series: int, anomalies: int
) -> None:
    focus = NamedNode(resource)
    assert has_jobs_or_series(session, focus)
    view = run_view(session, focus)
    assert (view.label, len(view.jobs), len(view.series), len(view.anomalies)) == (label, jobs, series, anomalies)


def test_an_anomaly_shows_its_run_and_marks_what_it_affected(session: Session) -> None:
    first = run_view(session, NamedNode(f"{SNS}r4")).anomalies[0]
    view = run_view(session, first.resource)
    assert view.run == f"{SNS}r4"
    assert [row.job.name for row in view.jobs if row.anomalies] == ["namd_prod_270K", "ptraj_270K"]
    (marked, _) = [row for row in view.series if row.anomalies]
    assert marked.hosts == ("compute03",)
    assert marked.usual is not None
    drawn = draw_series(session, [marked.series], first.begin or 0, first.end or 0)[marked.series.iri]
    assert drawn.points == 170
    assert drawn.low.min() > marked.usual[1]


def test_what_is_neither_a_job_nor_measured_has_no_such_view(session: Session) -> None:
    model = NamedNode("http://example.org/AIModel/sns-licl")
    assert not has_jobs_or_series(session, model)
    with pytest.raises(UnknownResource, match="no jobs and no measurements"):
        run_view(session, model)


def test_a_run_of_flow_bench_shows_its_jobs(tmp_path: Path) -> None:
    rows = "".join(f"fit_{number},{number},{number + 10},10,1,n{number % 2}\n" for number in range(6))
    (tmp_path / "run.csv").write_text(f",execute_start,execute_end,runtime,stage_in_delay,kickstart_hostname\n{rows}")
    session = Session.new()
    try:
        open_sources(session, [str(tmp_path / "run.csv")])
        job = run_view(session, NamedNode(f"{(tmp_path / 'run.csv').as_uri()}#machine/n1")).jobs[0]
        view = run_view(session, job.resource)
        run = NamedNode(f"{(tmp_path / 'run.csv').as_uri()}#run")
        assert has_jobs_or_series(session, run)
        assert run_view(session, run).jobs == view.jobs
        assert (view.run, view.label) == (run.value, "run run")
        assert (len(view.jobs), view.runs, set(view.lanes)) == (6, 1, {"n0", "n1"})
    finally:
        session.close()


@given(given_times=st.lists(TIMES, max_size=30))
def test_jobs_in_a_lane_follow_each_other_on_one_host(given_times: list[tuple[int, int, str]]) -> None:
    jobs = [
        Job(f"urn:{number}", str(number), "t", "r", float(begin), float(begin + took), float(took), host=host)
        for number, (begin, took, host) in enumerate(given_times)
    ]
    lanes, names = lanes_of(jobs)
    for lane in range(len(names)):
        inside = sorted(
            ((job.started or 0, job.ended or 0) for job, at in zip(jobs, lanes, strict=True) if at == lane),
        )
        assert inside
        assert all(job.host == names[lane] for job, at in zip(jobs, lanes, strict=True) if at == lane)
        assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(inside))
    assert lanes_of([Job("urn:x", "x", "t", "r")]) == ((-1,), ())
