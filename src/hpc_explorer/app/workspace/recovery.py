"""Edits that the journal of a workspace has and the state that holds has not: taken into a state that has them too.

A program that dies leaves them, and one that is editing just now has them beside its own working state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from hpc_explorer.app.workspace.states import StateFiles, let_hold, next_state, pending_edits, state_files
from hpc_explorer.app.workspace.working_state import WorkingState
from hpc_explorer.stores.changes.journal import Record
from hpc_explorer.stores.changes.manifest import Manifest, read_manifest


@dataclass(frozen=True)
class Recovered:
    """Edits of a program that ended before it closed the workspace: they were in its journal, and were taken in.

    Args:
        first, last: the revisions that they made.
        until: when the last of them was made.
    """

    first: int
    last: int
    until: datetime

    @property
    def edits(self) -> int:
        """How many there are."""
        return self.last - self.first + 1


def left_behind(folder: Path) -> Recovered | None:
    """The edits that a program left in the journal without closing the workspace; of one that nobody is editing now.

    Raises:
        StoreError: the manifest or the journal cannot be read.
    """
    pending = pending_edits(folder, read_manifest(folder))
    return Recovered(pending[0].revision, pending[-1].revision, pending[-1].when) if pending else None


def settle(folder: Path, manifest: Manifest) -> Manifest:
    """Have a state hold that has all of the journal in it; for the one who has the lock.

    Returns:
        The manifest that names that state.

    Raises:
        OutputNotWritable: the folder cannot be written.
        StoreError: the journal is damaged, or an edit could not be applied.
    """
    pending = pending_edits(folder, manifest)
    if not pending:
        return manifest
    state = next_state(folder, manifest)
    files = state_files(folder, state)
    take_in(state_files(folder, manifest.state), pending, files)
    manifest = replace(manifest, state=state, revision=pending[-1].revision)
    let_hold(files, manifest, folder)
    return manifest


def take_in(base: StateFiles, pending: Sequence[Record], files: StateFiles) -> None:
    """Make a state of another one and the edits that it lacks; none is left where that cannot be done.

    Args:
        base: the state to begin with.
        files: where the new one is to lie.

    Raises:
        OutputNotWritable: the folder cannot be written.
        StoreError: an edit could not be applied.
    """
    working = WorkingState(base, files)
    try:
        working.replay(pending)
        working.finish()
    except BaseException:
        working.discard()
        raise
