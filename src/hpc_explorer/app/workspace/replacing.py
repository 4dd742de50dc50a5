"""Close the open sources, add to them, or replace them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from hpc_explorer.app.views import SourceSummary
from hpc_explorer.app.workspace.load_progress import LoadProgress, progress_text
from hpc_explorer.app.workspace.loading import LoadReport, load_into
from hpc_explorer.app.workspace.opening import close_source, close_workspace, open_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import SourceNotFound
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.stores.changes.manifest import is_workspace
from hpc_explorer.stores.protocol.credentials import Credentials
from hpc_explorer.stores.remote.web import is_web_address


def close_sources(session: Session, graphs: Iterable[NamedNode]) -> None:
    """Close sources.

    Raises:
        SourceNotFound: one of them is not open.
    """
    for graph in graphs:
        close_source(session, graph)


def close_all(session: Session) -> None:
    """Close all sources, or the workspace, whose content does not change."""
    if session.workspace is not None:
        close_workspace(session)
    else:
        close_sources(session, [source.graph for source in session.sources])


def open_workspace(
    session: Session, folder: Path, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> tuple[SourceSummary, ...]:
    """Replace the open sources by a workspace; they stay open if the folder is not a workspace.

    Raises:
        SourceNotFound: the folder holds no workspace.
    """
    if not is_workspace(folder):
        raise SourceNotFound(
            "there is no workspace in this folder",
            str(folder),
            "load files into one: File, Load into workspace",
        )
    close_all(session)
    return open_sources(session, [str(folder)], keep_workspace=True, progress=progress, limits=limits)


def add_sources(
    session: Session,
    names: Sequence[str],
    *,
    credentials: Credentials | None = None,
    skip_damaged: bool = False,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> tuple[SourceSummary, ...]:
    """Open sources beside the open ones. If a workspace or draft is open, they are loaded into it, whole or not at all.

    Args:
        skip_damaged: see `open_sources`.

    Raises:
        InputError, OutputNotWritable, ServerError: a source cannot be opened or loaded; the graph is unchanged.
    """
    if session.workspace is None:
        return open_sources(
            session,
            names,
            keep_workspace=True,
            credentials=credentials,
            skip_damaged=skip_damaged,
            progress=progress,
            limits=limits,
        )
    known = {source.graph for source in session.sources}
    load_workspace(session, session.workspace.folder, names, progress=progress, limits=limits)
    return tuple(source for source in session.sources if source.graph not in known)


def replace_sources(
    session: Session,
    names: Sequence[str],
    *,
    credentials: Credentials | None = None,
    skip_damaged: bool = False,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> tuple[SourceSummary, ...]:
    """Open sources in place of the open ones, which stay open if the new ones cannot be opened.

    Args:
        skip_damaged: see `open_sources`.

    Raises:
        InputError, ServerError: a source cannot be opened.
    """
    before = [source.summary.graph for source in session.opened]
    open_new = partial(
        open_sources,
        session,
        names,
        keep_workspace=True,
        credentials=credentials,
        skip_damaged=skip_damaged,
        progress=progress,
        limits=limits,
    )
    alone = any(is_web_address(name) or is_workspace(Path(name)) for name in names)
    if session.workspace is None and not session.store.capabilities.remote and not alone:
        opened = open_new()
        close_sources(session, [graph for graph in before if graph not in {one.graph for one in opened}])
        return opened
    back = [str(session.workspace.folder)] if session.workspace is not None else []
    back = back or [source.summary.name if source.path is None else str(source.path) for source in session.opened]
    close_all(session)
    try:
        return open_new()
    except BaseException:
        if back:
            open_sources(session, back, keep_workspace=True, skip_damaged=True)
        raise


def load_workspace(
    session: Session,
    folder: Path,
    names: Sequence[str],
    *,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> LoadReport:
    """Load files into a workspace, all or none. If it is open, it is opened again afterwards.

    It can be used at once; `build_columns` builds its column tables, if it is large, for sums over it.

    Raises:
        InputError, OutputNotWritable, Cancelled, DeadlineExceeded: as `load_into` does.
    """
    began = time.monotonic()

    def report(step: LoadProgress) -> None:
        fraction = step.bytes_done / step.bytes_total if step.bytes_total else None
        reading = fraction is not None and 0 < fraction < 1
        progress(progress_text(step, time.monotonic() - began), fraction if reading else None)

    workspace = session.workspace
    shown = workspace is not None and workspace.folder.absolute() == folder.absolute()
    if shown:
        close_all(session)
    try:
        return load_into(folder, names, with_columns=False, report=report, limits=limits)
    finally:
        if shown:
            open_sources(session, [str(folder)], keep_workspace=True)
