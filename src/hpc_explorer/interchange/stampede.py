"""Read the database of a Pegasus run, STAMPEDE in SQLite, as Pegasus 5 has it (`Pegasus/db/schema.py` of pegasus-wms).

Each workflow in it is a run, each attempt of a job a job of that run.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hpc_explorer.errors import SourceUnreadable
from hpc_explorer.interchange.statements import Findings, Node, attribute, identified, job, local_file, part
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVLAKE
from hpc_explorer.rdf.syntax.documents import Document
from hpc_explorer.rdf.terms import NamedNode, Quad

_TABLES = frozenset({"workflow", "job", "job_instance", "jobstate", "invocation", "host"})
_SQLITE = b"SQLite format 3\0"

_INSTANCES = """SELECT i.job_instance_id AS id, i.job_submit_seq AS attempt, i.exitcode AS status,
    coalesce(nullif(i.site, ''), h.site) AS site, h.hostname AS host,
    j.exec_job_id AS name, j.type_desc AS kind, j.wf_id AS workflow
  FROM job_instance i JOIN job j ON j.job_id = i.job_id LEFT JOIN host h ON h.host_id = i.host_id
  ORDER BY j.wf_id, i.job_submit_seq"""

# A sequence number below zero is that of a script before or after the job.
_INVOCATIONS = """SELECT job_instance_id AS id, min(start_time) AS began, max(start_time + remote_duration) AS ended,
    min(transformation) AS task, max(exitcode) AS program_status
  FROM invocation WHERE task_submit_seq > 0 GROUP BY job_instance_id"""

_STATES = """SELECT job_instance_id AS id, min(CASE WHEN state = 'EXECUTE' THEN timestamp END) AS began,
    max(CASE WHEN state IN ('JOB_TERMINATED', 'JOB_SUCCESS', 'JOB_FAILURE') THEN timestamp END) AS ended
  FROM jobstate GROUP BY job_instance_id"""

_FILES = """SELECT t.job_id AS job, j.exec_job_id AS name, j.wf_id AS workflow, l.lfn AS file, w.file_type AS type
  FROM workflow_files w JOIN rc_lfn l ON l.lfn_id = w.lfn_id JOIN task t ON t.task_id = w.task_id
  JOIN job j ON j.job_id = t.job_id"""


def is_stampede(path: Path | None, head: bytes) -> bool:
    """Whether a file is a SQLite database with the tables of STAMPEDE."""
    if path is None or not head.startswith(_SQLITE):
        return False
    try:
        with closing(_connected(path)) as connection:
            return _tables(connection) >= _TABLES
    except sqlite3.Error:
        return False


def read_stampede(document: Document, base: str, findings: Findings) -> Iterator[Quad]:
    """The statements of a database, which is never written.

    Raises:
        SourceUnreadable: it is damaged.
    """
    assert document.path is not None
    try:
        with closing(_connected(document.path)) as connection:
            yield from _Database(connection, base, findings, document.where).quads()
    except sqlite3.Error as error:
        raise SourceUnreadable(
            f"the database cannot be read ({error})", document.where, "try again, or copy it"
        ) from None


def _connected(path: Path) -> sqlite3.Connection:
    """A connection that does not write; a folder without permission to write needs `immutable`."""
    for mode in ("mode=ro", "immutable=1"):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=5)
        connection.row_factory = sqlite3.Row
        try:
            _tables(connection)
        except sqlite3.OperationalError:
            connection.close()
            if mode != "mode=ro":
                raise
            continue
        return connection
    raise AssertionError


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


class _Database:
    """The rows as statements."""

    def __init__(self, connection: sqlite3.Connection, base: str, findings: Findings, where: str) -> None:
        self._rows = connection.execute
        self._has_files = _tables(connection) >= {"workflow_files", "rc_lfn", "task"}
        self._has_edges = "job_edge" in _tables(connection)
        self._base, self._findings, self._where = f"{base}#", findings, where

    def quads(self) -> Iterator[Quad]:
        """All of it."""
        times = {row["id"]: dict(row) for row in self._rows(_STATES)}
        for row in self._rows(_INVOCATIONS):
            known = {key: value for key, value in dict(row).items() if value is not None}
            times.setdefault(row["id"], {}).update(known)
        attempts: dict[tuple[int, str], list[Mapping[str, Any]]] = defaultdict(list)
        for row in self._rows(_INSTANCES):
            attempts[row["workflow"], row["name"]].append({**dict(row), **times.get(row["id"], {})})
        links = self._links()
        hosts: dict[str, None] = {}
        for (workflow, name), rows in attempts.items():
            for number, row in enumerate(rows):
                own = self._job(workflow, name, number)
                label = name + (f" (attempt {number + 1})" if len(rows) > 1 else "")
                began, ended = _moment(row.get("began")), _moment(row.get("ended"))
                node = identified(job(own, label, began, ended), name)
                if began is not None and ended is not None and ended >= began:
                    node.seconds(HPC.executionTime, (ended - began).total_seconds())
                elif began is not None and ended is not None:
                    self._findings.lost(f"{name} ended before it began", self._where)
                node.link(DCTERMS.isPartOf, self._run(workflow))
                node.text(PROVLAKE.tag, row.get("task") or row["kind"])
                # A script that looks at a failed program has a status of its own; what the program says counts.
                status = row.get("program_status") or row["status"]
                if status is not None:
                    node.value(_exit_code(int(status)), HPC.exitCode)
                if row["host"]:
                    hosts[row["host"]] = None
                    node.link(HPC.wasAWH, part(self._base, "machine", row["host"]))
                if number:
                    node.link(PROV.wasInformedBy, self._job(workflow, name, number - 1))
                for parent in links["edge", workflow, name]:
                    last = len(attempts.get((workflow, parent), ())) - 1
                    if last >= 0:
                        node.link(PROV.wasInformedBy, self._job(workflow, parent, last))
                node.link(PROV.used, *(part(self._base, "file", file) for file in links["input", workflow, name]))
                if number == len(rows) - 1:
                    made = links["output", workflow, name]
                    node.link(PROV.generated, *(part(self._base, "file", file) for file in made))
                yield from node
                if row["site"]:
                    yield from attribute(own, part(own.value, "site"), "site", row["site"])
        for host in hosts:
            yield from Node(part(self._base, "machine", host), HPC.Hardware).label(host)
        names = {file for (kind, *_), files in links.items() if kind != "edge" for file in files}
        for file in sorted(names):
            yield from local_file(part(self._base, "file", file), file)
        yield from self._workflows(attempts)

    def _workflows(self, attempts: Mapping[tuple[int, str], list[Mapping[str, Any]]]) -> Iterator[Quad]:
        for row in self._rows("SELECT wf_id, wf_uuid, dax_label, user, planner_version FROM workflow"):
            own = [one for (workflow, _), rows in attempts.items() if workflow == row["wf_id"] for one in rows]
            moments = [moment for one in own for key in ("began", "ended") if (moment := _moment(one.get(key)))]
            label = row["dax_label"] or "workflow"
            plan = part(self._base, "workflow", label)
            yield from Node(plan, PROV.Plan, HPC.Workflow).label(label)
            node = job(
                self._run(row["wf_id"]), f"run of {label}", min(moments, default=None), max(moments, default=None)
            )
            identified(node, row["wf_uuid"]).link(HPC.usedWorkflow, plan)
            if row["user"]:
                person = part(self._base, "user", row["user"])
                yield from Node(person, PROV.Person).label(row["user"])
                node.link(PROV.wasAssociatedWith, person)
            yield from node

    def _links(self) -> dict[tuple[str, int, str], list[str]]:
        """The parents, inputs and outputs of each job, by workflow and name."""
        found: dict[tuple[str, int, str], list[str]] = defaultdict(list)
        if self._has_edges:
            for row in self._rows(
                "SELECT wf_id, parent_exec_job_id AS parent, child_exec_job_id AS child FROM job_edge"
            ):
                found["edge", row["wf_id"], row["child"]].append(row["parent"])
        if self._has_files:
            for row in self._rows(_FILES):
                if row["type"] in ("input", "output"):
                    found[row["type"], row["workflow"], row["name"]].append(row["file"])
        return found

    def _run(self, workflow: int) -> NamedNode:
        return part(self._base, "run", workflow)

    def _job(self, workflow: int, name: str, number: int) -> NamedNode:
        return part(self._base, "run", workflow, "job", name, *((number,) if number else ()))


def _exit_code(status: int) -> int:
    """The exit code of a status as the system call `wait` has it, which Pegasus stores; that of a signal is negative.

    See `raw_to_regular` of `Pegasus/tools/utils.py`; -128 is a failure without a code.
    """
    if status < 0:
        return -128
    return -(status & 127) or status >> 8


def _moment(seconds: Any) -> datetime | None:
    try:
        return None if seconds is None else datetime.fromtimestamp(float(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
