"""The database of a Pegasus run: with the columns that are read, and with all tables as Pegasus 5.1.3 makes them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.monitor.run_view import run_view
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import ExplorerError
from hpc_explorer.monitor.graph import jobs_in
from hpc_explorer.rdf.terms import NamedNode

TABLES = """
CREATE TABLE workflow (wf_id INTEGER, wf_uuid, dax_label, user, planner_version);
CREATE TABLE host (host_id INTEGER, wf_id, site, hostname, ip);
CREATE TABLE job (job_id INTEGER, wf_id, exec_job_id, type_desc);
CREATE TABLE job_edge (wf_id, parent_exec_job_id, child_exec_job_id);
CREATE TABLE job_instance (job_instance_id INTEGER, job_id, host_id, job_submit_seq, site, exitcode);
CREATE TABLE jobstate (job_instance_id, state, timestamp, jobstate_submit_seq);
CREATE TABLE invocation (
    invocation_id INTEGER, job_instance_id, task_submit_seq, start_time, remote_duration, exitcode, transformation);
CREATE TABLE task (task_id INTEGER, job_id, wf_id);
CREATE TABLE rc_lfn (lfn_id INTEGER, lfn);
CREATE TABLE workflow_files (wf_id, task_id, lfn_id, file_type);
INSERT INTO workflow VALUES (1, 'u-1', 'diamond', 'ann', '5.1.0'), (2, 'u-2', 'inner', 'ann', '5.1.0');
INSERT INTO host VALUES (1, 1, 'pool', 'node03', '10.0.0.3');
INSERT INTO job VALUES (1, 1, 'find_1', 'compute'), (2, 1, 'sum_1', 'compute'), (3, 2, 'find_1', 'compute'),
    (4, 1, 'stage_in', 'stage-in-tx');
INSERT INTO job_edge VALUES (1, 'find_1', 'sum_1');
INSERT INTO job_instance VALUES (1, 1, 1, 1, '', 256), (2, 1, 1, 2, 'pool', 0), (3, 2, NULL, 3, NULL, NULL),
    (4, 3, 1, 1, 'pool', 9), (5, 4, 1, 1, 'local', 0);
INSERT INTO jobstate VALUES (3, 'EXECUTE', 1700000300, 1), (5, 'EXECUTE', 1700000000, 1),
    (5, 'JOB_SUCCESS', 1700000004, 2);
INSERT INTO invocation VALUES (1, 1, -1, 1699999000, 5, 0, 'dagman::pre'), (2, 1, 1, 1700000000, 10.5, 512, 'find'),
    (3, 2, 1, 1700000100, 20, 0, 'find'), (4, 4, 1, 1700000100, 30, 0, 'find');
INSERT INTO task VALUES (1, 1, 1), (2, 2, 1);
INSERT INTO rc_lfn VALUES (1, 'a.txt'), (2, 'b.txt');
INSERT INTO workflow_files VALUES (1, 1, 1, 'input'), (1, 1, 2, 'output'), (1, 2, 2, 'input');
"""


@pytest.fixture(params=["columns that are read", "all tables of Pegasus"])
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "diamond-0.stampede.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        if request.param == "columns that are read":
            connection.executescript(TABLES)
        else:
            connection.execute("PRAGMA ignore_check_constraints = ON")  # values that are made up satisfy the types
            connection.executescript(Path(__file__).with_name("stampede_schema.sql").read_text())
            copy_rows(connection)
    return path


def copy_rows(connection: sqlite3.Connection) -> None:
    """Fill all tables of Pegasus with the rows of `TABLES`; columns that must have a value get one of their type."""
    with closing(sqlite3.connect(":memory:")) as few:
        few.row_factory = sqlite3.Row
        few.executescript(TABLES)
        for (table,) in few.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
            needed = [(name, "CHAR" in kind or "TEXT" in kind) for _, name, kind, must, _, _ in columns if must]
            for number, row in enumerate(few.execute(f"SELECT * FROM {table}"), 1):
                values = {name: str(number) if is_text else number for name, is_text in needed}
                values |= {key: row[key] for key in row.keys()}  # noqa: SIM118
                marks = ", ".join("?" * len(values))
                connection.execute(
                    f"INSERT INTO {table} ({', '.join(map(quoted, values))}) VALUES ({marks})", tuple(values.values())
                )


def quoted(name: str) -> str:
    """A name of a column, which may be a word of SQL."""
    return f'"{name}"'


@pytest.fixture
def session() -> Iterator[Session]:
    opened = Session.new()
    yield opened
    opened.close()


def test_each_attempt_of_a_job_has_its_times_host_code_and_run(database: Path, session: Session) -> None:
    open_sources(session, [str(database)])
    found = {job.iri.partition("#")[2]: job for job in jobs_in(session.store)}
    assert {
        name: (job.name, job.task, job.seconds, job.host, job.exit_code, job.run.partition("#")[2])
        for name, job in found.items()
    } == {
        "run/1/job/find_1": ("find_1", "find", 10.5, "node03", 2, "run/1"),
        "run/1/job/find_1/1": ("find_1", "find", 20, "node03", 0, "run/1"),
        "run/1/job/stage_in": ("stage_in", "stage-in-tx", 4, "node03", 0, "run/1"),
        "run/2/job/find_1": ("find_1", "find", 30, "node03", -9, "run/2"),
    }
    view = run_view(session, NamedNode(f"{database.resolve().as_uri()}#run/1"))
    assert (view.label, len(view.jobs), view.runs) == ("run of diamond", 3, 1)


def test_files_lead_from_job_to_job(database: Path, session: Session) -> None:
    open_sources(session, [str(database)])
    rows = session.store.select(
        "PREFIX prov: <http://www.w3.org/ns/prov#> SELECT ?by ?file ?from { ?by prov:used ?file . ?from prov:generated ?file }"
    )
    base = f"{database.resolve().as_uri()}#"
    assert [
        tuple(getattr(row.get(name), "value", "").removeprefix(base) for name in ("by", "file", "from")) for row in rows
    ] == [("run/1/job/sum_1", "file/b.txt", "run/1/job/find_1/1")]


def test_a_damaged_database_is_named(database: Path, session: Session) -> None:
    whole = database.read_bytes()
    database.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ExplorerError, match=r"diamond-0\.stampede\.db"):
        open_sources(session, [str(database)])
