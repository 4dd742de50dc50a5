"""Sessions with sources."""

from __future__ import annotations

from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.session import Session


def session_of(*names: object, keep_workspace: bool = False) -> Session:
    """A session with these sources; with `keep_workspace` nobody else may change the workspace meanwhile."""
    session = Session.new()
    open_sources(session, [str(name) for name in names], keep_workspace=keep_workspace)
    return session
