"""Flowcept and ProvLake: tasks, and values that are never the same because they are equal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.rdf.namespaces import HPC, PROV, PROVLAKE, PROVML, RDF
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.foreign_sources import DATA, labelled, labels
from tests.helpers.sessions import session_of


def test_messages_of_the_real_flowcept_open() -> None:
    session = session_of(DATA / "flowcept.jsonl")
    assert session.sources[0].missing == ()
    add = labelled(session, "add")
    assert {"add", "two steps", "k"} <= labels(session, trace_lineage(session, add).nodes)
    assert next(session.store.match(add, HPC.wasAWH), None) is not None
    # `double` returned 6 and `add` was given 6: nothing says that it is the same 6.
    sixes = {quad.subject for quad in session.store.match(None, PROV.value) if quad.object.value == "6"}  # type: ignore[union-attr]
    assert len(sixes) == 2


def test_a_path_is_the_same_data_in_two_tasks_of_one_workflow(tmp_path: Path) -> None:
    def task(number: int, workflow: str, used: Any, generated: Any) -> dict[str, Any]:
        own = {"task_id": f"t{number}", "workflow_id": workflow, "activity_id": f"step {number}", "campaign_id": "c"}
        return own | {"used": used, "generated": generated, "started_at": 1700000000.5 + number}

    path = tmp_path / "buffer.json"
    path.write_text(
        json.dumps(
            [
                task(1, "w", {"file": "/raw/a.csv"}, {"out": "data/clean.csv"}),
                task(2, "w", {"file": "data/clean.csv"}, {"model": "models/m.pt"}),
                task(3, "other", {"file": "data/clean.csv"}, {"x": 1}),
            ]
        )
    )
    session = session_of(path)
    assert "/raw/a.csv" in labels(session, trace_lineage(session, labelled(session, "models/m.pt")).nodes)
    assert "step 1" not in labels(session, trace_lineage(session, labelled(session, "step 3")).nodes)


def test_a_torn_buffer_is_read_to_its_last_whole_message(tmp_path: Path) -> None:
    path = tmp_path / "buffer.jsonl"
    path.write_bytes((DATA / "flowcept.jsonl").read_bytes()[:-40] + b'\n{"x": 1}\n')
    session = session_of(path)
    assert session.sources[0].missing == (
        f"a half-written line: {path}:4",
        f"not a message: {path}, message 4",
    )
    assert labelled(session, "add")


def provlake(*messages: dict[str, Any]) -> str:
    return "\n".join(map(json.dumps, messages))


def test_what_provlake_recorded_leads_back_through_a_cycle_to_its_workflow(tmp_path: Path) -> None:
    def task(number: int, kind: str, values: Any, **more: Any) -> dict[str, Any]:
        inner = {"id": number, "wf_execution": "e1", "status": "FINISHED", "startTime": 1700000000.0, **more}
        content = {"task": inner, "dt": "train", "type": kind, "values": values, "person": "ada"}
        return {"prov_obj": content, "dataflow_name": "salt", "act_type": "task"}

    path = tmp_path / "prov.log"
    path.write_text(
        provlake(
            {"prov_obj": {"wf_execution": "e1", "startTime": 1700000000.0}, "dataflow_name": "salt", "act_type": "workflow"},
            {"prov_obj": {"cycle": {"iteration_id": 3, "wf_execution": "e1"}, "cycle_name": "epoch", "type": "Input",
                          "values": {"rate": 0.1}}, "dataflow_name": "salt", "act_type": "cycle"},
            task(1, "Input", {"rate": 0.1, "data": "/data/tiles.npz"}, parent_cycle_name="epoch", parent_cycle_iteration=3),
            task(1, "Output", {"loss": 0.5, "model": "/models/m.pt"}),
        )
    )  # fmt: skip
    session = session_of(path)
    assert session.sources[0].missing == ()
    lineage = trace_lineage(session, labelled(session, "/models/m.pt"))
    assert {"train", "/data/tiles.npz", "epoch 3", "salt", "ada"} <= labels(session, lineage.nodes)
    run = NamedNode("urn:provlake:run:e1")
    assert next(session.store.match(run, RDF.type, PROVLAKE.WorkflowExecution), None) is not None
    assert next(session.store.match(None, RDF.type, PROVML.Persona), None) is not None


def test_a_specification_of_provlake_opens(tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    attribute = {"name": "rate", "dtype": "float", "semantics": "HYPERPARAMETER", "colour": "red"}
    transformations = {"train": {"input_datasets": [{"attributes": [attribute]}], "output_datasets": []}}
    path.write_text(json.dumps({"dataflow_name": "salt", "context_name": "c", "data_transformations": transformations}))
    session = session_of(path)
    assert next(session.store.match(labelled(session, "rate"), PROVLAKE.isPartOf, labelled(session, "train")), None)
    assert session.sources[0].notes == ("1 value not understood and kept as JSON: attribute: colour (1)",)


def test_a_document_of_the_real_yprov4ml_has_prov_ml_roles() -> None:
    session = session_of(DATA / "yprov4ml.json")
    assert session.sources[0].format == "yProv4ML"
    assert session.sources[0].missing == ()
    loss = labelled(session, "loss")
    assert next(session.store.match(loss, RDF.type, PROVML.ModelEvaluation), None) is not None
    nodes = trace_lineage(session, loss).nodes
    assert any("salt_GR0_1" in str(node) for node in nodes)
