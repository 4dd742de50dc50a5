"""Edits as steps of the undo stack."""

from __future__ import annotations

from dataclasses import replace

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.states import journal_of
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.terms import Quad
from hpc_explorer.stores.base import Store
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.journal import Record, records

_LOOKED_THROUGH = 2_000


class EditStep:
    """An edit that can be undone by making its inverse.

    Args:
        change: the actual change.
        revision: the edit's revision; a redo makes another.
        undone_by: the revision that undid it; None if it is in effect.
    """

    def __init__(self, session: Session, change: ChangeSet, revision: int, undone_by: int | None = None) -> None:
        self.session = session
        self.change = change
        self.revision = revision
        self.undone_by = undone_by

    @classmethod
    def made(cls, session: Session, change: ChangeSet) -> EditStep | None:
        """Make an edit; None if it changed nothing.

        Raises:
            Unsupported, UsageError, OutputNotWritable, StoreError: see `Session.edit`.
        """
        edit = session.edit(change)
        return cls(session, edit.change, edit.revision) if edit.change else None

    @property
    def words(self) -> str:
        """The description of the edit."""
        return self.change.words

    def undo(self) -> None:
        """Undo the edit.

        Raises:
            UsageError: a later edit conflicts.
            Unsupported, OutputNotWritable, StoreError: see `Session.edit`.
        """
        back = self.change.inverse(f"Undo: {self.words}", (self.revision,))
        check_applies(self.session.store, back, self.words)
        self.undone_by = self.session.edit(back).revision

    def redo(self) -> None:
        """Make the edit again.

        Raises:
            UsageError, Unsupported, OutputNotWritable, StoreError: see `undo`.
        """
        again = replace(self.change, takes_back=() if self.undone_by is None else (self.undone_by,))
        check_applies(self.session.store, again, self.words)
        self.revision = self.session.edit(again).revision
        self.undone_by = None


def journal_steps(session: Session, most: int = 100) -> tuple[tuple[EditStep, ...], tuple[EditStep, ...]]:
    """The last edits that can be undone and those that can be redone, for `UndoStack.resume`.

    Raises:
        StoreError: the journal cannot be read.
    """
    workspace = session.workspace
    if workspace is None or workspace.read_only_reason is not None:
        return (), ()
    after = max(0, workspace.revision - max(_LOOKED_THROUGH, 2 * most))
    done: list[EditStep] = []
    undone: list[EditStep] = []
    for record in records(journal_of(workspace.folder), after, workspace.revision):
        _turn(session, record, done, undone)
    return tuple(done[-most:]), tuple(undone[-most:])


def _turn(session: Session, record: Record, done: list[EditStep], undone: list[EditStep]) -> None:
    """Update the stack with an edit of the journal."""
    back = record.change.takes_back
    if done and back == (done[-1].revision,):
        step = done.pop()
        undone.append(EditStep(session, step.change, step.revision, record.revision))
    elif undone and back == (undone[-1].undone_by,):
        undone.pop()
        done.append(EditStep(session, record.change, record.revision))
    else:
        undone.clear()
        done.append(EditStep(session, record.change, record.revision))


def check_applies(store: Store, change: ChangeSet, words: str) -> None:
    """Check that a change applies completely.

    Raises:
        UsageError: a statement to remove is missing, or one to add exists.
    """
    amiss = unlike(store, change)
    if amiss:
        raise UsageError(
            "what this edit did was changed since",
            f"{words}: {amiss[0]}" if words else str(amiss[0]),
            "look at the history of the resource, and change it there",
        )


def unlike(store: Store, change: ChangeSet) -> list[Quad]:
    """The statements to remove that are missing, and those to add that exist."""
    missing = [quad for quad in change.removed if not is_stated(store, quad)]
    return missing + [quad for quad in change.added if is_stated(store, quad)]


def is_stated(store: Store, quad: Quad) -> bool:
    """Whether the store has a quad with exactly these terms."""
    return any(
        found == quad
        for found in store.match(quad.subject, quad.predicate, quad.object, quad.graph_name)  # type: ignore[arg-type]  # as in the store
    )
