"""Events of data stores, jobs and runs: which jobs they affected, and where they were observed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hpc_explorer.app.monitor.attribution import Attribution
from hpc_explorer.app.monitor.detecting import detect_in_series, keep_detection, list_anomalies
from hpc_explorer.app.monitor.finding import find_and_keep
from hpc_explorer.app.monitor.run_view import has_jobs_or_series, run_view
from hpc_explorer.app.monitor.series import import_series, stated_series
from hpc_explorer.app.monitor.watched_events import EventNews
from hpc_explorer.app.monitor.watching import Watch
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.monitor.graph import jobs_in
from hpc_explorer.monitor.series import Series
from hpc_explorer.monitor.series_points import NamedSeries
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.injection import normal_series
from tests.helpers.program import run
from tests.helpers.sessions import session_of

EX = "http://example.org/r/"
SCRATCH, HOME = NamedNode(f"{EX}scratch"), NamedNode(f"{EX}home")


def job(name: str, host: str, rest: str) -> str:
    return f"""ex:{name} a prov:Activity ; rdfs:label "{name}" ; dcterms:isPartOf ex:run ; hpc:wasAWH ex:{host} ;
      hpc:executionTime [ qudt:numericValue 20000 ; qudt:unit unit:SEC ] ; {rest}
      prov:startedAtTime "2020-09-13T13:00:00Z"^^xsd:dateTime ; prov:endedAtTime "2020-09-13T18:33:20Z"^^xsd:dateTime .
    """


GRAPH = f"""
@prefix ex: <{EX}> . @prefix prov: <http://www.w3.org/ns/prov#> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix hpc: <https://hpc-fair.github.io/ontology#> .
@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix provlake: <https://example.org/provlake#> .
ex:run a prov:Activity ; rdfs:label "run" .
ex:n1 a hpc:Hardware ; rdfs:label "n1" . ex:n2 a hpc:Hardware ; rdfs:label "n2" .
ex:scratch a provlake:DataStoreInstance ; rdfs:label "scratch" . ex:home rdfs:label "home" .
{job("reads", "n1", "prov:used ex:input ;")}
{job("makes", "n2", "prov:generated ex:made ;")}
{job("made_by", "n2", "")}
{job("elsewhere", "n1", "prov:used ex:other ;")}
ex:input provlake:isInStore ex:scratch . ex:made prov:atLocation ex:scratch .
ex:output provlake:isInStore ex:scratch ; prov:wasGeneratedBy ex:made_by .
ex:other prov:atLocation ex:home .
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "run.ttl").write_text(GRAPH)
    load_into(tmp_path / "ws", [str(tmp_path / "run.ttl")])
    opened = session_of(tmp_path / "ws", keep_workspace=True)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def values() -> list[tuple[float, float]]:
    """Measurements with an anomaly from the 2,000th on, while the jobs ran."""
    series = normal_series(np.random.default_rng(0), 0.2)
    series.values[2000:2100] += 60
    return list(zip(series.times.tolist(), series.values.tolist(), strict=True))


def write(path: Path, values: list[tuple[float, float]], tag: str) -> Path:
    path.write_text("".join(f"io,{tag} rate={value} {int(time * 1e9)}\n" for time, value in values))
    return path


@pytest.mark.parametrize(
    ("about", "names", "hosts", "stores"),
    [
        (["n1"], ["elsewhere", "reads"], ("n1",), ()),
        (["n1", "scratch"], ["elsewhere", "reads"], ("n1",), ()),
        (["reads"], ["reads"], (), ()),
        (["run"], ["elsewhere", "made_by", "makes", "reads"], (), ()),
        (["scratch"], ["made_by", "makes", "reads"], (), (SCRATCH,)),
        (["home"], ["elsewhere"], (), (HOME,)),
        (["scratch", "home"], ["elsewhere", "made_by", "makes", "reads"], (), (SCRATCH, HOME)),
        ([], ["elsewhere", "made_by", "makes", "reads"], (), ()),
        (["unheard-of"], ["elsewhere", "made_by", "makes", "reads"], (), ()),
    ],
)
def test_a_series_concerns_the_jobs_of_what_it_is_about(
    session: Session, about: list[str], names: list[str], hosts: tuple[str, ...], stores: tuple[NamedNode, ...]
) -> None:
    attribution = Attribution(session, jobs_in(session.store))
    things = [NamedNode(EX + name) for name in about]
    assert [one.name for one in attribution.jobs(things)] == names
    assert (attribution.hosts(things), attribution.data_stores(things)) == (hosts, stores)


def test_times_of_a_job_that_go_back_are_not_used(tmp_path: Path) -> None:
    ends = GRAPH.replace("qudt:numericValue 20000", "qudt:numericValue -5").replace("T18:33:20Z", "T12:00:00Z")
    (tmp_path / "run.ttl").write_text(ends)
    opened = session_of(tmp_path / "run.ttl")
    try:
        found = jobs_in(opened.store)
    finally:
        opened.close()
    assert [(one.seconds, one.ended) for one in found] == [(None, None)] * 4


def test_a_host_that_the_graph_does_not_know_concerns_no_job(session: Session) -> None:
    attribution = Attribution(session, jobs_in(session.store))
    about = attribution.about(NamedSeries("load", {"host": "node 9"}, "", Series(np.zeros(0), np.zeros(0))))
    assert (attribution.hosts(about), attribution.jobs(about)) == (("node 9",), ())


def test_an_imported_series_is_about_the_data_store_that_its_label_names(
    session: Session, tmp_path: Path, values: list[tuple[float, float]]
) -> None:
    import_series(session, [write(tmp_path / "io.lp", values, "filesystem=scratch")])
    (stated,) = stated_series(session)
    assert stated.about == (SCRATCH,)
    (row,) = run_view(session, NamedNode(f"{EX}run")).series
    assert (row.series.iri, row.hosts) == (stated.iri, ())
    assert has_jobs_or_series(session, SCRATCH)
    for focus in (stated.iri, SCRATCH):
        assert [one.job.name for one in run_view(session, focus).jobs] == ["made_by", "makes", "reads"]
    kept = find_and_keep(session, f"{EX}run", "run")
    assert kept.words.startswith("1 anomaly in run")
    (found,) = list_anomalies(session)
    assert (found.host, found.data_stores, found.where, found.jobs) == ("", "scratch", "scratch", 3)
    listed = run("monitor", "events", tmp_path / "ws").out
    assert ", in scratch, influenced 3 jobs" in listed


def test_a_series_with_a_host_is_about_the_host_alone(
    session: Session, tmp_path: Path, values: list[tuple[float, float]]
) -> None:
    import_series(session, [write(tmp_path / "io.lp", values, "filesystem=scratch,host=n2")])
    (stated,) = stated_series(session)
    assert stated.about == (NamedNode(f"{EX}n2"),)


def test_an_event_of_a_host_on_which_no_job_ran_names_the_host(
    session: Session, tmp_path: Path, values: list[tuple[float, float]]
) -> None:
    done = run("monitor", "detect", tmp_path / "ws", "--series", write(tmp_path / "io.lp", values, "host=n9"), "--json")
    (event,) = json.loads(done.out)["series"][0]["events"]
    assert (event["jobs"], event["hosts"], event["data_stores"]) == ([], ["n9"], [])


def test_an_anomaly_that_affected_no_job_shows_its_series(
    session: Session, tmp_path: Path, values: list[tuple[float, float]]
) -> None:
    import_series(session, [write(tmp_path / "io.lp", values, "host=n9")])
    (found,) = detect_in_series(session, tmp_path / "io.lp")[0]
    keep_detection(session, found.statements, "found")
    (anomaly,) = list_anomalies(session)
    view = run_view(session, NamedNode(anomaly.iri))
    assert ([row.hosts for row in view.series], view.jobs) == ([("n9",)], ())


def test_detection_and_watching_attribute_alike(
    session: Session, tmp_path: Path, values: list[tuple[float, float]]
) -> None:
    file = write(tmp_path / "io.lp", values, "filesystem=scratch")
    done = run("monitor", "detect", tmp_path / "ws", "--series", file, "--json")
    (event,) = json.loads(done.out)["series"][0]["events"]
    assert (event["hosts"], event["data_stores"]) == ([], [SCRATCH.value])
    assert sorted(event["jobs"]) == [f"{EX}{name}" for name in ("made_by", "makes", "reads")]
    watching = Watch(session, [str(file)], detects=True)
    try:
        news: list[EventNews] = [one for grown in watching.look() for one in grown.news]
    finally:
        watching.close()
    assert [one.data_stores for one in news] == [(SCRATCH,)]
    told = news[0].as_json()
    assert (told["hosts"], told["data_stores"]) == ([], [SCRATCH.value])
    assert sorted(told["jobs"]) == sorted(event["jobs"])  # type: ignore[call-overload]  # a list
    (found,) = list_anomalies(session)
    assert (found.host, found.data_stores, found.jobs) == ("", "scratch", 3)


def test_an_event_found_in_a_run_concerns_the_jobs_of_other_runs_on_its_host_too(
    tmp_path: Path, values: list[tuple[float, float]]
) -> None:
    other = job("beside", "n1", "").replace("dcterms:isPartOf ex:run ", "dcterms:isPartOf ex:run2 ")
    (tmp_path / "run.ttl").write_text(GRAPH + "ex:run2 a prov:Activity .\n" + other)
    load_into(tmp_path / "ws", [str(tmp_path / "run.ttl")])
    opened = session_of(tmp_path / "ws", keep_workspace=True)
    try:
        import_series(opened, [write(tmp_path / "io.lp", values, "host=n1")])
        assert find_and_keep(opened, f"{EX}run", "run").words.startswith("1 anomaly in run")
        (found,) = list_anomalies(opened)
        assert found.jobs == 3, "reads, elsewhere, and one of another run"
    finally:
        opened.close()
