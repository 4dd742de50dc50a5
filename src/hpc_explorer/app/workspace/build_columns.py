"""Build missing column tables of a large workspace."""

from __future__ import annotations

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress


def build_columns(session: Session, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> bool:
    """Build the column tables of a workspace if it needs and lacks them; returns whether it has them now.

    If they cannot be written, queries are only slower.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`.
    """
    workspace = session.workspace
    if workspace is None:
        return False
    try:
        workspace.build_columns(report=lambda step: progress(step, None), limits=limits)
    except OutputNotWritable:
        return False
    return workspace.columns is not None
