"""WfFormat: tasks, files and machines of a workflow instance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.rdf.namespaces import HPC, PROV, RDF
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.sessions import session_of

WORKFLOW: dict[str, Any] = {
    "name": "two steps",
    "schemaVersion": "1.5",
    "workflow": {
        "specification": {
            "tasks": [
                {"name": "split", "id": "t1", "parents": [], "children": ["t2"], "inputFiles": ["raw.csv"],
                 "outputFiles": ["half 1.csv"]},
                {"name": "join", "id": "t2", "parents": ["t1"], "children": [], "inputFiles": ["half 1.csv"],
                 "outputFiles": ["sum.csv"]},
            ],
            "files": [{"id": "raw.csv", "sizeInBytes": 12}, {"id": "half 1.csv", "sizeInBytes": 6},
                      {"id": "sum.csv", "sizeInBytes": 3}],
        },
        "execution": {
            "makespanInSeconds": 9,
            "executedAt": "20200415T183333+0000",
            "tasks": [
                {"id": "t1", "runtimeInSeconds": 4.5, "executedAt": "2020-04-15T18:33:40Z", "machines": ["n1"]},
                {"id": "t2", "runtimeInSeconds": 2, "machines": ["n1"], "colour": "red"},
            ],
            "machines": [{"nodeName": "n1", "cpu": {"coreCount": 48}}],
        },
    },
}  # fmt: skip


def opened(path: Path) -> Session:
    return session_of(path)


def written(folder: Path, content: Any) -> Path:
    path = folder / "run.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_a_file_of_the_last_task_leads_back_to_the_raw_data(tmp_path: Path) -> None:
    path = written(tmp_path, WORKFLOW)
    session = opened(path)
    base = path.resolve().as_uri()
    lineage = trace_lineage(session, NamedNode(f"{base}#file/sum.csv"))
    raw, task = NamedNode(f"{base}#file/raw.csv"), NamedNode(f"{base}#task/t1")
    assert raw in lineage.nodes
    assert NamedNode(f"{base}#file/half%201.csv") in lineage.nodes
    store = session.store
    assert next(store.match(task, HPC.wasAWH, NamedNode(f"{base}#machine/n1")), None) is not None
    (started,) = [quad.object for quad in store.match(task, PROV.startedAtTime)]
    (ended,) = [quad.object for quad in store.match(task, PROV.endedAtTime)]
    assert (started.value, ended.value) == ("2020-04-15T18:33:40Z", "2020-04-15T18:33:44.500000Z")
    assert next(store.match(task, RDF.type, HPC.Experiment), None) is not None


def test_what_is_not_understood_is_kept_and_counted(tmp_path: Path) -> None:
    session = opened(written(tmp_path, WORKFLOW))
    (kept,) = [quad.object for quad in session.store.match(None, HPC.notUnderstood)]
    assert json.loads(kept.value) == {"colour": "red"}
    (summary,) = session.sources
    assert summary.notes == ("1 value not understood and kept as JSON: task: colour (1)",)
    assert summary.missing == ()


def test_a_document_that_is_cut_short_is_read_up_to_its_last_whole_task(tmp_path: Path) -> None:
    text = json.dumps(WORKFLOW)
    path = written(tmp_path, text[: text.index('"half 1.csv"], "outputFiles": ["sum')])
    session = opened(path)
    (summary,) = session.sources
    assert len(summary.missing) == 2
    assert summary.missing[0].startswith(f"cut short, read up to the last whole record: {path}:1:")
    assert summary.missing[1] == f"a child that is not a task: {path}: t1: t2"
    assert [quad.subject for quad in session.store.match(None, PROV.used)] == [
        NamedNode(f"{path.resolve().as_uri()}#task/t1")
    ]


def test_parents_in_a_circle_do_not_stop_a_lineage(tmp_path: Path) -> None:
    content = json.loads(json.dumps(WORKFLOW))
    content["workflow"]["specification"]["tasks"][0]["parents"] = ["t2", "gone"]
    path = written(tmp_path, content)
    session = opened(path)
    assert session.sources[0].missing == (f"a parent that is not a task: {path}: t1: gone",)
    lineage = trace_lineage(session, NamedNode(f"{path.resolve().as_uri()}#file/sum.csv"))
    assert NamedNode(f"{path.resolve().as_uri()}#file/raw.csv") in lineage.nodes


def test_version_1_4_has_one_list_of_tasks(tmp_path: Path) -> None:
    content = {
        "schemaVersion": "1.4",
        "workflow": {
            "makespanInSeconds": 3,
            "tasks": [
                {"name": "a", "runtimeInSeconds": 3, "parents": [], "children": [],
                 "files": [{"link": "input", "name": "in.txt", "sizeInBytes": 5},
                           {"link": "output", "name": "out.txt", "sizeInBytes": 7}]}
            ],
            "machines": [],
        },
    }  # fmt: skip
    path = written(tmp_path, content)
    base = path.resolve().as_uri()
    lineage = trace_lineage(opened(path), NamedNode(f"{base}#file/out.txt"))
    assert NamedNode(f"{base}#file/in.txt") in lineage.nodes
