"""Pegasus, Flow-Bench and sacct: jobs with times, hosts, files and exit codes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.monitor.graph import jobs_in
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, RDFS
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.foreign_sources import labelled, labels
from tests.helpers.sessions import session_of

KICKSTART = """- invocation: True
  start: 2023-03-03T23:11:00.546-08:00
  duration: 2.5
  transformation: "train"
  hostname: node7
  mainjob:
    duration: 2.4
    status:
      raw: 512
      regular_exitcode: 2
    argument_vector:
      - "--fast"
  files:
    model.onnx:
      lfn: "model.onnx"
      size: 12
      output: True
    stdout:
      temporary_name: /tmp/x
---------------pegasus-multipart
- integrity_verification_attempts:
  - lfn: "data.csv"
    sha256: ab
    success: True
"""

XML = """<?xml version="1.0"?>
<invocation xmlns="http://pegasus.isi.edu/schema/invocation" start="2015-03-03T23:11:00-08:00" duration="2.5"
 transformation="train" hostname="node7"><mainjob duration="2.4"><usage utime="1.5"/><status raw="0"><regular exitcode="3"/>
</status></mainjob><statcall id="initial" lfn="data.csv"/><statcall id="final" lfn="model.onnx"/></invocation>
"""


def _values(session: Session, subject: NamedNode, predicate: NamedNode) -> list[str]:
    return [quad.object.value for quad in session.store.match(subject, predicate)]  # type: ignore[union-attr]


@pytest.mark.parametrize(("text", "code"), [(KICKSTART, "2"), (XML, "3")])
def test_a_record_of_kickstart(tmp_path: Path, text: str, code: str) -> None:
    file = tmp_path / "00_00_train_ID1.out.000"
    file.write_text(text)
    session = session_of(file)
    model = labelled(session, "model.onnx")
    assert {"train_ID1", "data.csv", "node7"} <= labels(session, trace_lineage(session, model).nodes)
    job = labelled(session, "train_ID1")
    assert _values(session, job, HPC.exitCode) == [code]
    assert _values(session, job, PROV.endedAtTime)[0][11:19] in ("23:11:03", "23:11:02")


def _clustered(text: str) -> str:
    """What a clustered job of three tasks records: the second fails, the third has no record."""
    second = text.replace("data.csv", "more.csv").replace("model.onnx", "other.onnx").replace("23:11:00", "23:12:00")
    summary = '[cluster-summary stat="ok", lines=3, tasks=3, succeeded=1, failed=1, duration=90, app="seqexec"]\n'
    return f'[cluster-task id=1, name="train", status=0]\n{text.rstrip()}\n{second.rstrip()}\n{summary}'


@pytest.mark.parametrize(("text", "verified"), [(KICKSTART, True), (XML, False)])
def test_each_task_of_a_clustered_job_is_kept(tmp_path: Path, text: str, verified: bool) -> None:
    file = tmp_path / "00_00_merge_train_PID1.out.000"
    file.write_text(_clustered(text))
    session = session_of(file)
    cluster = labelled(session, "merge_train_PID1")
    tasks = [labelled(session, f"merge_train_PID1, task {number}") for number in (1, 2)]
    assert set(_objects(session, cluster, DCTERMS.hasPart)) == set(tasks)
    assert _values(session, cluster, PROV.startedAtTime)[0][14:16] == "11"
    assert _values(session, cluster, PROV.endedAtTime)[0][14:16] == "12"
    data = [labelled(session, name) for name in ("data.csv", "more.csv")]
    assert set(_objects(session, cluster, PROV.used)) == (set(data) if verified else set())
    for task, used, model in zip(tasks, data, ("model.onnx", "other.onnx"), strict=True):
        assert _objects(session, task, PROV.used) == ([] if verified else [used])
        assert _objects(session, labelled(session, model), PROV.wasGeneratedBy) == [task]
        assert "node7" in labels(session, trace_lineage(session, labelled(session, model)).nodes)
    assert [one.seconds for one in jobs_in(session.store)] == [2.5, 2.5], "no time is counted twice"
    assert [line for line in session.sources[0].missing if "1 of the 3 tasks" in line]


@pytest.mark.parametrize("end", range(20, 320, 60))
def test_a_record_that_is_cut_gives_what_precedes_the_cut(tmp_path: Path, end: int) -> None:
    file = tmp_path / "train_ID1.out.000"
    file.write_text(KICKSTART[:end])
    session = session_of(file)
    assert labelled(session, "train_ID1")
    assert session.sources[0].missing


def test_every_recorded_run_of_pegasus_opens(shared_data: Callable[[str], Path]) -> None:
    jobs = {}
    for folder in sorted(shared_data("monitoring/kickstart").iterdir()):
        if folder.is_dir():
            session = session_of(folder)
            assert session.sources[0].missing == ()
            jobs[folder.name] = len(list(session.store.match(None, HPC.exitCode)))
    assert jobs == {"hierarchical_wf_success": 21, "process_wf_failure": 3, "process_wf_success": 5}


def test_a_job_that_failed_twice_has_two_attempts(shared_data: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(shared_data("monitoring/kickstart/process_wf_failure"), folder, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    session = session_of(folder)
    second = labelled(session, "ls_ID0000001 (attempt 2)")
    assert _values(session, second, HPC.exitCode) == ["2"]
    assert {"ls_ID0000001 (attempt 1)", "create_dir_process_0_local"} <= labels(
        session, trace_lineage(session, second).nodes
    )


def test_a_run_of_flow_bench(tmp_path: Path) -> None:
    file = tmp_path / "run1.csv"
    head = ",anomaly_type,execute_start,execute_end,runtime,stage_in_delay,kickstart_hostname,kickstart_transformations"
    file.write_text(
        f"{head}\nfit_1,hdd_5,100.0,160.0,60.0,7.0,node1,fit\nfit_2,None,1\nfit_3,None,200.0,,,,node2,fit\n"
    )
    session = session_of(file)
    (lost,) = session.sources[0].missing
    assert lost == f"a row of 3 fields instead of 8: {file}:3"
    job = labelled(session, "fit_1")
    assert _values(session, job, PROV.startedAtTime) == ["1970-01-01T00:01:40Z"]
    assert [_values(session, host, RDFS.label) for host in _objects(session, job, HPC.wasAWH)] == [["node1"]]  # type: ignore[arg-type]


def _objects(session: Session, subject: NamedNode, predicate: NamedNode) -> list[NamedNode]:
    return [quad.object for quad in session.store.match(subject, predicate)]  # type: ignore[misc]


def test_a_listing_of_sacct(tmp_path: Path) -> None:
    file = tmp_path / "jobs.txt"
    file.write_text(
        "JobID|JobName|User|Start|End|Elapsed|ExitCode|NodeList|MaxRSS|State\n"
        "7|train|ann|2026-01-02T03:04:05|2026-01-02T04:04:05|01:00:00|1:0|n[01-03,7],login1||FAILED\n"
        "7.batch|batch||2026-01-02T03:04:05|Unknown|1-00:00:10|0:9|n01|2.5G|RUNNING\n"
    )
    session = session_of(file)
    job, step = labelled(session, "train"), labelled(session, "batch")
    hosts = [_values(session, host, RDFS.label)[0] for host in _objects(session, job, HPC.wasAWH)]
    assert sorted(hosts) == ["login1", "n01", "n02", "n03", "n7"]
    assert _values(session, job, HPC.exitCode) == ["1"]
    assert _values(session, step, PROV.endedAtTime) == []
    assert _objects(session, step, PROV.wasInformedBy) == [job]
    assert {"2684354560", "86410.0"} <= {quad.object.value for quad in session.store.match()}  # type: ignore[union-attr]


def _jobs(session: Session) -> dict[str, tuple[str, float | None, float | None, float | None, int | None]]:
    return {
        one.iri.partition("#")[2]: (one.task, one.started, one.ended, one.seconds, one.exit_code)
        for one in jobs_in(session.store)
    }


def test_jobs_of_sacct_that_ran_again_and_their_steps_are_apart(tmp_path: Path) -> None:
    file = tmp_path / "jobs.txt"
    rows = (
        '7|"train|2026-01-02T00:00:00|2026-01-02T00:01:00|00:01:00|0:15',
        "7.batch|batch|2026-01-02T00:00:00|2026-01-02T00:01:00|00:01:00|0:15",
        '7|"train|2026-01-02T01:00:00|2026-01-02T01:10:00|00:10:00|0:0',
        "7.batch|batch|2026-01-02T01:00:00|2026-01-02T01:10:00|00:10:00|0:0",
        "7.batch|batch|2026-01-02T01:00:00|2026-01-02T01:10:00|00:10:00|0:0",
        "8_1|sweep|2026-01-02T00:00:00|2026-01-02T00:00:05|00:00:05|0:0",
        "8_2|sweep|2026-01-02T00:00:00|2026-01-01T23:00:00||0:0",
        "8_2.batch|batch|2026-01-02T00:00:00|2026-01-02T00:00:05|00:00:05|3:0",
    )
    file.write_text("JobID|JobName|Start|End|Elapsed|ExitCode\n" + "".join(f"{row}\n" for row in rows))
    session = session_of(file)
    midnight = 1767312000.0
    assert _jobs(session) == {
        "job/7": ('"train', midnight, midnight + 60, 60, -15),
        "job/7/2": ('"train', midnight + 3600, midnight + 4200, 600, 0),
        "job/7.batch": ('"train: batch', midnight, midnight + 60, 60, -15),
        "job/7.batch/2": ('"train: batch', midnight + 3600, midnight + 4200, 600, 0),
        "job/8_1": ("sweep", midnight, midnight + 5, 5, 0),
        "job/8_2.batch": ("sweep: batch", midnight, midnight + 5, 5, 3),
    }
    assert session.sources[0].missing == (
        f"a row of 7.batch that is there twice: {file}:6",
        f"8_2 ended before it began: {file}:8",
    )
    second = NamedNode(f"{file.as_uri()}#job/7.batch/2")
    assert [one.value for one in _objects(session, second, PROV.wasInformedBy)] == [f"{file.as_uri()}#job/7/2"]


def test_repeated_names_and_negative_times_of_flow_bench(tmp_path: Path) -> None:
    file = tmp_path / "run1.csv"
    file.write_text(
        ",execute_start,execute_end,runtime,stage_in_delay\nfit_1,100,160,60,0\nfit_1,200,290,90,0\n"
        "fit_2,100,90,-10,0\nfit_3,100,90,,0\n"
    )
    session = session_of(file)
    assert _jobs(session) == {
        "job/fit_1": ("fit", 100, 160, 60, None),
        "job/fit_1/2": ("fit", 200, 290, 90, None),
    }
    assert [one.name for one in jobs_in(session.store)] == ["fit_1", "fit_1"]
    assert session.sources[0].missing == (
        f"fit_2 took -10 s, which cannot be: {file}:4",
        f"fit_2 ended before it began: {file}:4",
        f"fit_3 ended before it began: {file}:5",
    )


def test_a_record_of_kickstart_with_a_negative_time(tmp_path: Path) -> None:
    file = tmp_path / "00_00_train_ID1.out.000"
    file.write_text(KICKSTART.replace("duration: 2.5", "duration: -2.5"))
    session = session_of(file)
    assert session.sources[0].missing == ("train_ID1 took -2.5 s, which cannot be: 00_00_train_ID1.out.000",)
    assert _values(session, labelled(session, "train_ID1"), PROV.endedAtTime) == []
    assert jobs_in(session.store) == ()


def test_repeated_tasks_and_negative_times_of_wfformat(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    tasks = [{"id": "a", "name": "a"}, {"id": "a", "name": "other"}, {"id": "b", "name": "b"}]
    ran = [{"id": "a", "runtimeInSeconds": 5}, {"id": "b", "runtimeInSeconds": -5}]
    workflow = {"specification": {"tasks": tasks}, "execution": {"tasks": ran, "makespanInSeconds": -1}}
    file.write_text(json.dumps({"name": "w", "schemaVersion": "1.5", "workflow": workflow}))
    session = session_of(file)
    assert [(one.name, one.seconds) for one in jobs_in(session.store)] == [("a", 5)]
    assert session.sources[0].missing == (
        f"the run took -1 s, which cannot be: {file}",
        f"a second task with the same id is left out: {file}: a",
        f"task b took -5 s, which cannot be: {file}",
    )
