"""Edits that a program left in the journal of a workspace are taken into a state that has them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.states import journal_of, pending_edits, state_files
from hpc_explorer.app.workspace.working_state import Recovered, left_behind, settle, take_in
from hpc_explorer.errors import StoreError
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
