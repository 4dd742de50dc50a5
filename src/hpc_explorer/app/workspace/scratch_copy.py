"""A copy of the graph of a workspace in which statements are inferred; nothing that is written to it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.workspace.states import StateFiles, view_files
from hpc_explorer.app.workspace.working_state import WorkingState
from hpc_explorer.errors import OutputNotWritable, StoreLocked
from hpc_explorer.stores.local.folder_lock import FolderLock
from hpc_explorer.stores.local.local import LocalStore


@dataclass(frozen=True)
class ScratchCopy:
    """A copy that lies beside the states of a workspace.

    Args:
        files: where it lies.
        in_use: keeps others from taking it away.
        store: its triples, writable.
    """

    files: StateFiles
    in_use: FolderLock
    store: LocalStore

    def discard(self) -> None:
        """Take it away. Whoever still reads it keeps it until he is done: it is not closed, only let go."""
        self.in_use.release()
        self.files.remove()


def scratch_copy(folder: Path, state: StateFiles, working: WorkingState | None, size: int) -> ScratchCopy:
    """Copy the graph of a workspace; files are shared where possible.

    Args:
        folder: that of the workspace.
        state: the state that holds.
        working: the one in which edits are made, which is copied instead; None if there are none.
        size: how many quads there are.

    Raises:
        OutputNotWritable: this program may not write in the workspace's folder.
        StoreLocked: another program took the place away before it could be held.
    """
    files = view_files(folder)
    try:
        files.folder.mkdir(parents=True)
        files.in_use.touch()
    except OSError as error:
        raise OutputNotWritable(
            f"nothing can be inferred beside this workspace ({error.strerror})",
            str(folder),
            "open its files themselves",
        ) from None
    in_use = FolderLock.shared(files.in_use)
    if in_use is None:
        raise StoreLocked("another program is changing this workspace", str(folder), "try again")
    try:
        if working is None:
            LocalStore.checkpoint(state.store, files.store)
        else:
            working.store.copy_to(working.files.store, files.store)
        return ScratchCopy(files, in_use, LocalStore.on_disk(files.store, size=size))
    except BaseException:
        in_use.release()
        files.remove()
        raise
