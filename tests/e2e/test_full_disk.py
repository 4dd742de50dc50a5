"""A disk that takes no more, and files that were damaged or lost, are named as what they are."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hpc_explorer.app.workspace.states import state_files
from hpc_explorer.stores.changes.manifest import MANIFEST
from hpc_explorer.stores.local.memory_use import MEMORY_VARIABLE
from tests.helpers.full_disk import files_no_larger_than
from tests.helpers.program import Finished, run_installed

pytestmark = pytest.mark.slow

COUNT = "SELECT (COUNT(*) AS ?n) (MAX(STR(?o)) AS ?last) { ?s ?p ?o }"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("graph") / "graph.nt"
    lines = (
        f'<http://e/s{one}> <http://e/p> "value {one}, longer than the key of an index" .\n' for one in range(20_000)
    )
    file.write_text("".join(lines), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def loaded(graph: Path) -> Path:
    folder = graph.with_name("workspace")
    assert run_installed("load", graph, "--into", folder).code == 0
    return folder


@pytest.fixture
def workspace(loaded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "workspace")


def blames_folder(done: Finished, folder: Path) -> bool:
    last = done.err.splitlines()[-1]
    return (
        done.code in (2, 3) and str(folder) in last and "standard output" not in last and "another program" not in last
    )


@pytest.mark.parametrize("size", [0, 1_000, 100_000])
def test_a_full_disk_is_blamed_for_what_cannot_be_loaded_or_edited(
    size: int, graph: Path, workspace: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    (tmp_path / "more.nt").write_text("<http://e/new> <http://e/p> <http://e/s1> .", encoding="utf-8")
    with files_no_larger_than(size):
        into_new = run_installed("load", graph, "--into", new)
        into_old = run_installed("load", tmp_path / "more.nt", "--into", workspace)
        edited = run_installed("edit", workspace, "--add", tmp_path / "more.nt")
    assert blames_folder(into_new, new), into_new.err
    assert not new.exists()
    assert blames_folder(into_old, workspace), into_old.err
    assert blames_folder(edited, workspace), edited.err
    assert "20,000" in run_installed("query", workspace, "--text", COUNT).out


@pytest.mark.parametrize("in_texts", [True, False], ids=["texts", "indexes"])
def test_a_flipped_byte_of_the_store_is_damage(in_texts: bool, workspace: Path) -> None:
    store = state_files(workspace, 1).store
    for file in store.glob("*.sst"):
        data = bytearray(file.read_bytes())
        if (b"longer than the key" in data) is in_texts and len(data) > 100_000:
            data[len(data) // 2] ^= 0xFF
            file.write_bytes(data)
    text = "SELECT ?o { ?s ?p ?o }" if in_texts else COUNT
    for words in (("query", workspace, "--text", text), ("export", workspace)):
        done = run_installed(*words, env={MEMORY_VARIABLE: "500"})
        assert (done.code, done.err.count("\n")) == (3, 1), done.err
        assert done.err.startswith("hpc-explorer: the store is damaged: ")
        assert str(store) in done.err


def test_an_edit_that_meets_damage_is_not_tried_again(workspace: Path, graph: Path, tmp_path: Path) -> None:
    for file in state_files(workspace, 1).store.glob("*.sst"):
        data = bytearray(file.read_bytes())
        if len(data) > 100_000:
            data[100:110] = bytes(10)
            file.write_bytes(data)
    (tmp_path / "more.nt").write_text("<http://e/s1> <http://e/p> <http://e/s2> .", encoding="utf-8")
    for words in (("edit", workspace, "--add", tmp_path / "more.nt"), ("load", graph, "--into", workspace)):
        done = run_installed(*words)
        assert (done.code, done.out) == (3, "")
        assert done.err.splitlines()[-1].startswith("hpc-explorer: the store is damaged: ")
    assert run_installed("journal", "log", workspace).code == 0, "what is not damaged can be read"


def test_a_workspace_without_its_manifest_is_no_folder_of_files(workspace: Path, graph: Path) -> None:
    (workspace / MANIFEST).unlink()
    before = sorted(workspace.rglob("*"))
    for words in (("info", workspace), ("edit", workspace, "--add", graph), ("load", graph, "--into", workspace)):
        done = run_installed(*words)
        assert (done.code, done.out, done.err.count("\n")) == (3, "", 1), done.err
        assert done.err.startswith(f"hpc-explorer: the workspace has lost its manifest: {workspace / MANIFEST}")
    assert sorted(workspace.rglob("*")) == before


def test_triple_terms_nested_without_end_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "deep.nt"
    deep = "<<( <http://e/a> <http://e/p> " * 30_000 + "<http://e/x>" + " )>>" * 30_000
    file.write_text(f"<http://e/s> <http://e/p> {deep} .\n", encoding="utf-8")
    done = run_installed("info", file)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert str(file) in done.err
