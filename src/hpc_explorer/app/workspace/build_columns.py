"""Build columns: a large workspace's facts by column, where it lacks them."""

from __future__ import annotations

from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import OutputNotWritable
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress


def build_columns(session: Session, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS) -> bool:
    """Build the facts by column of a workspace that is large enough and lacks them; whether there are some now.

    Where they cannot be kept, everything is answered all the same, only slower.

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
