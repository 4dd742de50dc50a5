"""MLflow: what its file store and its database recorded, of two versions, and what is damaged in them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.errors import InputError
from hpc_explorer.rdf.namespaces import DCTERMS, HPC, PROV, PROVML, RDF, SCHEMA
from hpc_explorer.rdf.terms import Literal, NamedNode
from tests.helpers.foreign_sources import DATA, labelled, labels, statements
from tests.helpers.sessions import session_of

VERSIONS = ("3.17", "2.9")


def database(folder: Path, version: str) -> Path:
    path = folder / "mlflow.db"
    connection = sqlite3.connect(path)
    connection.executescript((DATA / f"mlflow-{version}.sql").read_text(encoding="utf-8"))
    connection.commit()
    connection.close()
    return path


def store(folder: Path, version: str) -> Path:
    return Path(shutil.copytree(DATA / f"mlruns-{version}", folder / "mlruns"))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("make", [store, database])
def test_a_model_leads_back_to_its_run_and_parameters(tmp_path: Path, make: object, version: str) -> None:
    session = session_of(make(tmp_path, version))  # type: ignore[operator]
    models = {quad.subject for quad in session.store.match(None, RDF.type, PROVML.Model)}
    logged = next(model for model in models if str(model).startswith("<urn:mlflow:model:"))
    lineage = trace_lineage(session, logged)
    assert {"train", "learning_rate", "optimizer", "salt bodies"} <= labels(session, lineage.nodes)
    child = labelled(session, "fold 1")
    assert next(session.store.match(child, PROV.wasInformedBy, labelled(session, "train")), None) is not None
    assert session.sources[0].missing == ()


def test_a_registered_version_leads_to_its_logged_model_and_dataset(tmp_path: Path) -> None:
    session = session_of(store(tmp_path, "3.17"))
    lineage = trace_lineage(session, labelled(session, "salt version 1"))
    assert {"model", "train", "tiles"} <= labels(session, lineage.nodes)
    tiles = labelled(session, "tiles")
    assert next(session.store.match(tiles, RDF.type, PROVML.LearningDataset), None) is not None


def test_a_metric_keeps_its_history_and_equal_values_of_two_runs_are_two(tmp_path: Path) -> None:
    session = session_of(store(tmp_path, "3.17"))
    series = next(
        quad.object for quad in session.store.match(None, DCTERMS.isPartOf) if "/metric/loss" in str(quad.object)
    )
    points = [quad.subject for quad in session.store.match(None, DCTERMS.isPartOf, series)]
    found = {
        (step.object.value, value.object.value)
        for point in points
        for step in session.store.match(point, SCHEMA.position)  # type: ignore[arg-type]
        for value in session.store.match(point, PROV.value)  # type: ignore[arg-type]
        if isinstance(step.object, Literal) and isinstance(value.object, Literal)
    }
    assert found == {("0", "1.0"), ("1", "0.5"), ("2", "0.3333333333333333")}
    (last,) = [quad.object for quad in session.store.match(series, PROV.value)]  # type: ignore[arg-type]
    assert last.value == "0.3333333333333333"
    rates = {quad.subject for quad in session.store.match(None, RDF.type, PROVML.LearningHyperparameterValue)}
    assert all(str(rate).startswith("<urn:mlflow:run:") for rate in rates)


def test_reading_twice_gives_the_same_statements(tmp_path: Path) -> None:
    path = store(tmp_path, "3.17")
    assert statements(path) == statements(path)


def test_a_run_keeps_its_name_when_the_store_is_moved(tmp_path: Path) -> None:
    first = session_of(store(tmp_path / "a", "2.9"))
    second = session_of(store(tmp_path / "b", "2.9"))
    assert labelled(first, "train") == labelled(second, "train")


def test_an_experiment_and_a_run_can_be_opened_by_themselves(tmp_path: Path) -> None:
    path = store(tmp_path, "2.9")
    run = next(path.glob("*/*/params/learning_rate")).parent.parent
    assert labelled(session_of(run), "train") == labelled(session_of(run.parent), "train")


def test_damaged_files_are_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    path = store(tmp_path, "2.9")
    meta = next(file for file in path.glob("*/*/meta.yaml") if (file.parent / "params/learning_rate").exists())
    meta.write_text('artifact_uri: "file:///\nend_time: [')
    metric = meta.parent / "metrics/loss"
    metric.write_bytes(metric.read_bytes() + b"17955")
    (meta.parent / "tags/huge").write_bytes(b"x" * 2_000_000)
    session = session_of(path)
    assert set(session.sources[0].missing) == {
        f"half-written or damaged YAML: {meta}",
        f"a half-written value of a metric: {metric}:4",
        f"huge has 2,000,000 characters, and at most 1,048,576 are read: {meta.parent / 'tags/huge'}",
    }
    assert {"train", "learning_rate", "loss"} <= labels(
        session, {quad.subject for quad in session.store.match() if isinstance(quad.subject, NamedNode)}
    )


def test_a_long_tag_of_a_database_is_not_fetched(tmp_path: Path) -> None:
    path = database(tmp_path, "3.17")
    connection = sqlite3.connect(path)
    (run,) = connection.execute("SELECT run_uuid FROM runs WHERE name = 'train'").fetchone()
    connection.execute("INSERT INTO tags VALUES ('huge', ?, ?)", ("x" * 2_000_000, run))
    connection.commit()
    connection.close()
    session = session_of(path)
    assert session.sources[0].missing == (
        f"huge has 2,000,000 characters, and at most 1,048,576 are read: {path}: tags of {run}",
    )
    assert labelled(session, "train")


def test_each_logged_value_is_one_evaluation(tmp_path: Path) -> None:
    path = store(tmp_path, "3.17")
    file = next(path.glob("*/*/metrics/loss"))
    lines = set(file.read_text().splitlines())  # MLflow writes a line again where it logs a model
    session = session_of(path)
    run = NamedNode(f"urn:mlflow:run:{file.parent.parent.name}")
    losses = [
        quad.subject
        for quad in session.store.match(None, PROV.wasGeneratedBy, run)
        if isinstance(quad.subject, NamedNode)
        and "/metric/loss" in quad.subject.value
        and next(session.store.match(quad.subject, RDF.type, PROVML.ModelEvaluation), None)
    ]
    assert len(losses) == len(lines) == 3


def with_model(path: Path, *values: float) -> str:
    """Add values of a metric to the logged model of a database; the model's id."""
    connection = sqlite3.connect(path)
    names = ("model_id", "run_id", "experiment_id")
    model, run, experiment = connection.execute(
        "SELECT model_id, source_run_id, experiment_id FROM logged_models"
    ).fetchone()
    for step, value in enumerate(values):
        given = dict(zip(names, (model, run, experiment), strict=True))
        given |= {"metric_name": "recall", "metric_timestamp_ms": 1_700_000_000_000 + step, "metric_step": step}
        given["metric_value"] = value
        marks = ", ".join("?" for _ in given)
        connection.execute(
            f"INSERT INTO logged_model_metrics ({', '.join(given)}) VALUES ({marks})", tuple(given.values())
        )
    connection.commit()
    connection.close()
    return str(model)


def test_a_metric_of_a_logged_model_keeps_its_history(tmp_path: Path) -> None:
    path = database(tmp_path, "3.17")
    series = NamedNode(f"urn:mlflow:model:{with_model(path, 0.25, 0.75, 0.5)}/metric/recall")
    session = session_of(path)
    points = [quad.subject for quad in session.store.match(None, DCTERMS.isPartOf, series)]
    found = [quad.object.value for point in points for quad in session.store.match(point, PROV.value)]  # type: ignore
    assert sorted(found) == ["0.25", "0.5", "0.75"]
    assert [quad.object.value for quad in session.store.match(series, PROV.value)] == ["0.5"]  # type: ignore


def test_a_long_tag_of_a_logged_model_is_not_fetched(tmp_path: Path) -> None:
    path = database(tmp_path, "3.17")
    model = with_model(path)
    connection = sqlite3.connect(path)
    connection.execute(
        "INSERT INTO logged_model_tags (model_id, experiment_id, tag_key, tag_value) "
        "SELECT model_id, experiment_id, 'huge', ? FROM logged_models WHERE model_id = ?",
        ("x" * 2_000_000, model),
    )
    connection.commit()
    connection.close()
    assert session_of(path).sources[0].missing == (
        f"huge has 2,000,000 characters, and at most 1,048,576 are read: {path}: logged_model_tags of {model}",
    )


def test_many_tags_that_are_not_understood_are_all_kept(tmp_path: Path) -> None:
    path = store(tmp_path, "3.17")
    tags = next(path.glob("*/*/metrics/loss")).parent.parent / "tags"
    for number in range(30):
        (tags / f"mlflow.own{number}").write_text(f"{number}" * 50_000)
    session = session_of(path)
    run = NamedNode(f"urn:mlflow:run:{tags.parent.name}")
    kept = [json.loads(quad.object.value) for quad in session.store.match(run, HPC.notUnderstood)]  # type: ignore
    assert len(kept) > 1
    assert {key for one in kept for key in one} >= {f"mlflow.own{number}" for number in range(30)}
    assert session.sources[0].missing == ()


def test_a_database_locked_by_a_server_is_read_as_it_is_on_disk(tmp_path: Path) -> None:
    path = database(tmp_path, "3.17")
    server = sqlite3.connect(path, isolation_level=None)
    server.execute("BEGIN EXCLUSIVE")
    try:
        session = session_of(path)
    finally:
        server.close()
    assert session.sources[0].missing == (
        f"database is locked; read as it is on disk, without changes that are being written: {path}",
    )
    assert labelled(session, "train")


def test_a_database_with_a_half_written_change_is_read_as_it_was_before(tmp_path: Path) -> None:
    path = database(tmp_path, "3.17")
    server = sqlite3.connect(path, isolation_level=None)
    (run,) = server.execute("SELECT run_uuid FROM runs").fetchone()
    server.execute("BEGIN")
    server.executemany(
        "INSERT INTO metrics (key, value, timestamp, run_uuid, step, is_nan) VALUES ('many', ?, ?, ?, ?, 0)",
        [(number / 7, number, run, number) for number in range(3_000)],
    )
    server.execute("COMMIT")
    with closing(session_of(path)) as before:
        expected = {quad.triple for quad in before.store.match()}
    server.execute("PRAGMA cache_size = 5")  # so that it writes into the file before the end
    server.execute("BEGIN EXCLUSIVE")
    server.execute("UPDATE metrics SET value = value + 1")
    try:
        with closing(session_of(path)) as session:
            assert {quad.triple for quad in session.store.match()} == expected
            assert len(session.sources[0].missing) == 1
    finally:
        server.close()


def test_a_damaged_database_is_refused_in_one_line(tmp_path: Path) -> None:
    path = database(tmp_path, "3.17")
    data = bytearray(path.read_bytes())
    data[8192:] = b"\xff" * (len(data) - 8192)
    path.write_bytes(data)
    try:
        session = session_of(path)
    except InputError as error:
        assert str(path) in str(error)
    else:
        assert session.sources[0].missing


def test_files_of_an_artifact_folder_elsewhere_are_not_read(tmp_path: Path) -> None:
    path = database(tmp_path, "3.17")
    (tmp_path / "other").mkdir()
    secret = tmp_path / "other" / "secret.txt"
    secret.write_text("x")
    inner = tmp_path / "inner"
    inner.mkdir()
    moved = path.rename(inner / "mlflow.db")
    connection = sqlite3.connect(moved)
    connection.execute("UPDATE runs SET artifact_uri = ?", (secret.parent.as_uri(),))
    connection.commit()
    connection.close()
    assert not list(session_of(moved).store.match(None, RDF.type, HPC.File))
