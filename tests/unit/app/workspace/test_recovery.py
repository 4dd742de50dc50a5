"""Edits that a program left in the journal of a workspace are taken into a state that has them."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.states import journal_of, pending_edits, state_files
from hpc_explorer.app.workspace.working_state import Recovered, left_behind, settle, take_in
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.errors import StoreDamaged, StoreError, Unsupported
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import Literal, NamedNode, Quad
from hpc_explorer.stores.changes.changes import ChangeSet, effect_of
from hpc_explorer.stores.changes.journal import Journal, Record
from hpc_explorer.stores.changes.manifest import read_manifest
from hpc_explorer.stores.changes.profile_changes import profile_change
from hpc_explorer.stores.local.local import LocalStore
from tests.helpers.graphs import ex

GRAPH = NamedNode("urn:test:edits")
BEGAN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def named(text: str) -> Quad:
    return Quad(ex("thing"), RDFS.label, Literal(text), GRAPH)


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A workspace whose journal has two edits that no state has."""
    (tmp_path / "one.ttl").write_text("<http://example.org/a> <http://example.org/p> 1 .")
    folder = tmp_path / "w"
    load_into(folder, [str(tmp_path / "one.ttl")])
    store = LocalStore.in_memory()
    journal = Journal(journal_of(folder), 0)
    for revision, text in ((1, "first"), (2, "second")):
        effect = effect_of(store, ChangeSet((), (named(text),), text))
        when = BEGAN.replace(minute=30 + revision)
        journal.append(Record(revision, when, "somebody", effect.change, profile_change(store, effect)))
        store.add_quads([named(text)])
    journal.close()
    return folder


def test_what_was_left_behind_is_told_with_its_revisions_and_time(left: Path) -> None:
    found = left_behind(left)
    assert found == Recovered(1, 2, BEGAN.replace(minute=32))
    assert found is not None
    assert found.edits == 2


def test_a_state_is_made_to_hold_that_has_the_edits(left: Path) -> None:
    before = read_manifest(left)
    after = settle(left, before)
    assert (before.revision, after.revision) == (0, 2)
    assert after.state != before.state
    assert read_manifest(left) == after
    assert left_behind(left) is None
    store = LocalStore.read_only(state_files(left, after.state).store)
    assert set(store.match(ex("thing"))) == {named("first"), named("second")}
    store.close()
    assert settle(left, after) is after, "there is nothing to take in any more"


def test_no_state_is_left_where_the_edits_cannot_be_taken_in(left: Path) -> None:
    manifest = read_manifest(left)
    base, files = state_files(left, manifest.state), state_files(left, manifest.state + 1)
    base.profile.write_text("no counts at all")
    with pytest.raises(StoreError):
        take_in(base, pending_edits(left, manifest), files)
    assert not files.folder.exists()
    assert read_manifest(left) == manifest


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A workspace with a damaged block in the file of its terms."""
    text = "".join(f"<{ex(f'r{one}').value}> <{ex('p').value}> 'value {one}' .\n" for one in range(4_000))
    (tmp_path / "many.ttl").write_text(text)
    folder = tmp_path / "w"
    load_into(folder, [str(tmp_path / "many.ttl")])
    files = sorted(state_files(folder, read_manifest(folder).state).store.glob("*.sst"))
    file = next(file for file in files if file.stat().st_size > 20_000)
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 40] = bytes(byte ^ 0xFF for byte in data[middle : middle + 40])
    file.write_bytes(data)
    return folder


def test_each_edit_of_a_damaged_store_is_refused_or_kept(damaged: Path) -> None:
    # The engine notices damage when it puts files together, which may be during any edit.
    made = set()
    for text in ("first", "second"):
        workspace = OpenWorkspace.open(damaged, alone=True)
        with suppress(StoreDamaged, Unsupported):
            workspace.edit(ChangeSet((), (named(text),), text))
            made.add(named(text))
        with suppress(StoreDamaged):
            workspace.close()
        again = OpenWorkspace.open(damaged)
        assert set(again.store.match(ex("thing"))) == made
        again.close()


@pytest.mark.slow
def test_edits_that_a_damaged_store_cannot_take_in_are_shown(damaged: Path) -> None:
    journal, empty = Journal(journal_of(damaged), 0), LocalStore.in_memory()
    effect = effect_of(empty, ChangeSet((), (named("first"),), "first"))
    journal.append(Record(1, BEGAN, "somebody", effect.change, profile_change(empty, effect)))
    journal.close()
    for alone in (False, True):
        workspace = OpenWorkspace.open(damaged, alone=alone)
        assert set(workspace.store.match(ex("thing"))) == {named("first")}
        assert (workspace.lock_error is None) == (left_behind(damaged) is None)
        workspace.close()
