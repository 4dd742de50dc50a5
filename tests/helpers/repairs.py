"""Repairs as edits of a session."""

from __future__ import annotations

from collections.abc import Mapping

from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.editing import start_editing_for
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.fair.repairing import Ask, Repair, filled


def apply_repair(session: Session, repair: Repair, given: Mapping[Ask, str] | None = None) -> EditStep | None:
    """Make a repair as an edit; None if it changes nothing.

    Args:
        given: the answers to its questions; None: it is made as it is.
    """
    change = repair.change if given is None else filled(repair, given).change
    assert change is not None, repair.words
    return EditStep.made(session, start_editing_for(session, change))
