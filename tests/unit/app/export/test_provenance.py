"""Export of runs: what each format keeps, read back by its own reader."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.app.export.exporting import EVERYTHING
from hpc_explorer.app.export.packages import Target, prepare, write
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable, UsageError
from hpc_explorer.interchange.run_crate import run_crate
from hpc_explorer.rdf.namespaces import HPC, PROV, RDF
from hpc_explorer.rdf.terms import NamedNode
from tests.helpers.foreign_sources import DATA, labelled, labels
from tests.helpers.sessions import session_of


@pytest.fixture
def runs() -> Session:
    return session_of(DATA / "mlruns-3.17")


def exported(session: Session, target: Target, path: Path) -> Session:
    write(prepare(session, target, EVERYTHING), path)
    return session_of(path)


@pytest.mark.parametrize(("target", "name"), [(Target.PROV_JSON, "a.json"), (Target.PROV_N, "a.provn")])
def test_prov_says_the_same_and_more_types(runs: Session, tmp_path: Path, target: Target, name: str) -> None:
    again = exported(runs, target, tmp_path / name)
    before = {quad.triple for quad in runs.store.match()}
    after = {quad.triple for quad in again.store.match()}
    assert before <= after
    assert {(triple.predicate, triple.object) for triple in after - before} <= {
        (RDF.type, PROV.Entity), (RDF.type, PROV.Activity), (RDF.type, PROV.Agent)
    }  # fmt: skip


def test_openlineage_keeps_runs_with_their_datasets(runs: Session, tmp_path: Path) -> None:
    again = exported(runs, Target.OPENLINEAGE, tmp_path / "a.ndjson")
    events = [json.loads(line) for line in (tmp_path / "a.ndjson").read_text().splitlines()]
    assert [event["eventType"] for event in events] == ["START", "COMPLETE", "START", "COMPLETE"]
    model = next(one["name"] for event in events for one in event["outputs"] if "urn:mlflow:model" in one["name"])
    iri = next(quad.subject for quad in again.store.match() if model.rsplit(":", 1)[-1] in str(quad.subject))
    assert {"train", "salt bodies"} & labels(again, trace_lineage(again, iri).nodes)  # type: ignore[arg-type]


def test_mlflow_keeps_parameters_metrics_and_nesting_and_is_added_to_once(runs: Session, tmp_path: Path) -> None:
    store = tmp_path / "store"
    again = exported(runs, Target.MLFLOW, store)
    train = labelled(again, "train")
    assert train == labelled(runs, "train")
    assert {"learning_rate", "optimizer", "tiles"} <= labels(again, trace_lineage(again, train).nodes)
    for session in (runs, again):
        found = sorted(quad.object.value for quad in session.store.match(None, PROV.value) if "loss" in str(quad.subject) and "run" in str(quad.subject))  # type: ignore[union-attr]  # fmt: skip
        assert found == ["0.3333333333333333", "0.3333333333333333", "0.5", "1.0"]
    child = labelled(again, "fold 1")
    assert next(again.store.match(child, PROV.wasInformedBy, train), None) is not None
    prepared = prepare(runs, Target.MLFLOW, EVERYTHING)
    assert write(prepared, store) == "0 runs added; 2 runs already there"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    with pytest.raises(OutputNotWritable):
        write(prepared, tmp_path / "other")


def test_a_run_crate_has_actions_and_a_workflow_where_a_run_has_steps() -> None:
    document, told = run_crate(session_of(DATA / "mlruns-2.9").store.match(), datetime(2025, 1, 1, tzinfo=UTC))
    kinds = [entity["@type"] for entity in document["@graph"]]
    assert kinds.count("CreateAction") == 2
    assert "no run with steps follows a plan, so it has no workflow" in told
    session = session_of(DATA / "pipeline" / "dvc.yaml")
    run, step = NamedNode("http://example.org/run"), labelled_run(session)
    plan = next(quad.object for quad in session.store.match(step, HPC.usedWorkflow))
    more = list(session.store.match())
    more += [type(more[0])(step, PROV.wasInformedBy, run), type(more[0])(run, RDF.type, PROV.Activity),
             type(more[0])(run, HPC.usedWorkflow, plan)]  # fmt: skip
    document, told = run_crate(more, datetime(2025, 1, 1, tzinfo=UTC))
    kinds = [str(entity["@type"]) for entity in document["@graph"]]
    assert {"HowToStep", "ControlAction", "OrganizeAction"} <= set(kinds)
    assert told[0].startswith("Provenance Run Crate: 3 runs")


def labelled_run(session: Session) -> NamedNode:
    return next(
        quad.subject  # type: ignore[misc]
        for quad in session.store.match(None, RDF.type, HPC.Experiment)
        if str(quad.subject).endswith("stage/train>")
    )


def test_a_graph_without_runs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text("<http://example.org/a> <http://example.org/b> 1 .")
    session = session_of(path)
    for target in (Target.OPENLINEAGE, Target.MLFLOW, Target.RUN_CRATE):
        with pytest.raises(UsageError):
            prepare(session, target, EVERYTHING)
