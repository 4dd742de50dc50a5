"""A copy of a workspace's graph that may be written to, and of which nothing stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.states import state_files
from hpc_explorer.app.workspace.working_state import scratch_copy
from hpc_explorer.errors import OutputNotWritable, StoreError
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.manifest import read_manifest
from hpc_explorer.stores.local.folder_lock import FolderLock
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex

MORE = Quad(ex("a"), RDFS.label, Literal("inferred"), NamedNode("urn:test:inferred"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.ttl").write_text("<http://example.org/a> <http://example.org/p> 1 .")
    load_into(tmp_path / "w", [str(tmp_path / "one.ttl")])
    return tmp_path / "w"


def test_what_is_written_to_the_copy_is_not_in_the_workspace(folder: Path) -> None:
    state = state_files(folder, read_manifest(folder).state)
    copy = scratch_copy(folder, state, None, 1)
    copy.store.add_quads([MORE])
    assert copy.store.size().value == 2
    assert FolderLock.exclusive(copy.files.in_use) is None, "nobody takes it away while it is shown"
    kept = LocalStore.read_only(state.store)
    assert kept.size().value == 1
    kept.close()
    copy.discard()
    assert not copy.files.folder.exists()


def test_no_copy_is_left_where_none_can_be_made(folder: Path) -> None:
    states = folder / "states"
    before = set(states.iterdir())
    state = state_files(folder, 99)
    with pytest.raises(StoreError):
        scratch_copy(folder, state, None, 1)
    assert set(states.iterdir()) == before


def test_a_folder_that_cannot_be_written_is_named(folder: Path) -> None:
    with pytest.raises(OutputNotWritable, match="nothing can be inferred beside this workspace"):
        scratch_copy(folder / "manifest.json", state_files(folder, 0), None, 1)
