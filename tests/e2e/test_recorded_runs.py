"""Runs that other programs recorded, from the command line: info, load and lineage, and exit code 1 where something is missing."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.foreign_sources import DATA
from tests.helpers.program import run


def test_an_mlflow_folder_is_described_loaded_and_traced(tmp_path: Path) -> None:
    store, workspace = str(DATA / "mlruns-3.17"), str(tmp_path / "ws")
    told = run("info", store)
    assert told.code == 0
    assert "MLflow" in told.out
    assert run("load", store, "--into", workspace).code == 0
    for source in (store, workspace):
        traced = run("lineage", source, "salt version 1")
        assert traced.code == 0
        assert "used: learning_rate" in traced.out
    assert run("load", store, "--into", workspace).code == 0
    pushed = run("journal", "push", workspace, "--check")
    assert "Traceback" not in pushed.err


def test_what_is_missing_is_said_once_and_the_exit_code_is_1(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.write_bytes((DATA / "openlineage.ndjson").read_bytes() + b'{"eventType": "START", "run": {')
    told = run("info", str(path))
    assert told.code == 1
    assert told.err.strip() == f"{path}: not read: a half-written line: {path}:3"
    assert "OpenLineage" in told.out
    loaded = run("load", str(path), "--into", str(tmp_path / "ws"))
    assert loaded.code == 1
    assert f"not read: a half-written line: {path}:3" in loaded.err


def test_runs_are_exported_by_the_ending_of_the_file(tmp_path: Path) -> None:
    for name, begins in (("a.provn", "document"), ("a.prov.json", "{"), ("a.ndjson", '{"eventType"')):
        told = run("export", str(DATA / "mlruns-2.9"), "-o", str(tmp_path / name))
        assert told.code == 0, told.err
        assert (tmp_path / name).read_text().startswith(begins)
