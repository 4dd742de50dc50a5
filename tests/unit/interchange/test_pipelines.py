"""DVC and Snakemake: the same files lead from stage to stage."""

from __future__ import annotations

import shutil
from pathlib import Path

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.interchange.pipelines import SNAKEMAKE
from hpc_explorer.rdf.namespaces import HPC, PROV, PROVML, RDF
from tests.helpers.foreign_sources import DATA, labelled, labels
from tests.helpers.sessions import session_of


def project(folder: Path) -> Path:
    return Path(shutil.copytree(DATA / "pipeline", folder / "project"))


def test_a_project_opens_with_both_and_a_model_leads_back_to_the_raw_data(tmp_path: Path) -> None:
    session = session_of(project(tmp_path))
    assert {source.format for source in session.sources} == {"DVC", "Snakemake"}
    assert [source.missing for source in session.sources] == [(), ()]
    found = labels(session, trace_lineage(session, labelled(session, "model.txt")).nodes)
    # DVC and Snakemake both made model.txt here, from data/clean.csv and from clean.csv.
    assert {"train", "clean", "raw.csv", "data/clean.csv", "clean.csv", "lr"} <= found


def test_parameters_and_metrics_of_dvc_have_roles(tmp_path: Path) -> None:
    session = session_of(project(tmp_path) / "dvc.lock")
    rate = labelled(session, "lr")
    assert next(session.store.match(rate, RDF.type, PROVML.LearningHyperparameterValue), None) is not None
    metrics = labelled(session, "metrics.json")
    assert next(session.store.match(metrics, RDF.type, PROVML.ModelEvaluation), None) is not None


def test_a_half_written_lock_file_is_reported_and_the_plan_is_read(tmp_path: Path) -> None:
    folder = project(tmp_path)
    (folder / "dvc.lock").write_text('schema: "2.0"\nstages:\n  clean: {cmd: [')
    session = session_of(folder / "dvc.yaml")
    (line,) = session.sources[0].missing
    assert line.startswith(f"half-written or damaged YAML: {folder / 'dvc.lock'}:")
    assert {"clean", "train"} <= labels(
        session, {quad.subject for quad in session.store.match(None, RDF.type, HPC.Workflow)}
    )


def test_a_half_written_record_of_snakemake_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    folder = project(tmp_path)
    torn = next(path for path in (folder / SNAKEMAKE).iterdir() if b'"clean"' in path.read_bytes())
    torn.write_bytes(torn.read_bytes()[:50])
    (folder / SNAKEMAKE / "not base64!").write_text("{}")
    session = session_of(folder / SNAKEMAKE)
    assert set(session.sources[0].missing) == {
        f"a half-written record: {torn}",
        f"a record whose name is not a file: {folder / SNAKEMAKE / 'not base64!'}",
    }
    model = labelled(session, "model.txt")
    assert next(session.store.match(model, PROV.wasGeneratedBy), None) is not None
