"""Start, continue and delete drafts.

A draft is a workspace in the user's data folder. Opened files and samples are loaded into it; the files change only on
a push. If nothing is open, a draft starts with an empty graph.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from hpc_explorer.app.journal.unpushed import unpushed
from hpc_explorer.app.settings import CONFIG_VARIABLE, data_folder
from hpc_explorer.app.workspace.load_progress import LoadProgress
from hpc_explorer.app.workspace.loading import LoadReport, begin_source, load_into
from hpc_explorer.app.workspace.opening import workspace_sources
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.source_files import SourceFile, checksum_of, source_files, state_of
from hpc_explorer.app.workspace.states import journal_of, writers_lock
from hpc_explorer.app.workspace.working_state import Recovered, left_behind
from hpc_explorer.app.workspace.workspace import Edit, OpenWorkspace
from hpc_explorer.errors import InputError, OutputNotWritable, StoreError, StoreLocked, Unsupported
from hpc_explorer.rdf.aliases import AliasRecord
from hpc_explorer.rdf.syntax.files import output_error, remove_folder
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import SAMPLE
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress
from hpc_explorer.stores.changes.changes import ChangeSet, combined_change
from hpc_explorer.stores.changes.journal import records, records_backwards
from hpc_explorer.stores.changes.manifest import MANIFEST, LoadedSource, is_workspace, read_manifest
from hpc_explorer.stores.changes.match_blank_nodes import match_blank_nodes, nodes_of
from hpc_explorer.stores.remote.web import is_web_address

DRAFTS = "drafts"
"""The name of the folder of drafts."""

WRITTEN_HERE = "written here"
"""The format of a source that has no file yet."""


@dataclass(frozen=True)
class Draft:
    """A draft.

    Args:
        sources: the names of the loaded sources.
        statements: the number of unpushed statements, removed and added.
        edited: the time of the last edit; None if there is none.
        changed, missing: the names of sources whose files have changed or are gone.
        in_use: whether a program has it open for editing.
        recovered: edits left by a program that crashed.
        notes: messages about continuing it, one sentence each.
    """

    folder: Path
    sources: tuple[str, ...]
    statements: int
    edited: datetime | None
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    in_use: bool = False
    recovered: Recovered | None = None
    notes: tuple[str, ...] = ()


def edit(session: Session, change: ChangeSet) -> Edit:
    """Change the graph of the open workspace; see `Session.edit`."""
    return session.edit(change)


def why_not_to_start(session: Session) -> str | None:
    """Why the open graph cannot be edited; None if it can."""
    if session.workspace is not None:
        return session.workspace.read_only_reason
    if session.store.capabilities.remote:
        return "an endpoint is edited by taking some of its resources offline"
    for name in (source.summary.name for source in session.opened if source.path is None):
        if is_web_address(name):
            return f"{name} is a document on the web: download it, and open the file"
        return f"{name} has no file: save it, and open the file"
    return None


def start_editing(
    session: Session,
    *,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> Draft:
    """Load the open sources into a draft and switch the session to it. Inferred statements are dropped.

    A draft of the same files without unpushed edits is reused, for its history. One with unpushed edits is not, see
    `drafts_of` and `continue_draft`. On errors the session is unchanged.

    Raises:
        Unsupported: see `why_not_to_start`.
        InputError: a file cannot be read.
        OutputNotWritable: the draft cannot be written.
    """
    if session.workspace is not None and session.workspace.read_only_reason is None:
        return _draft(session.workspace.folder)
    reason = why_not_to_start(session)
    if reason is not None:
        raise Unsupported(reason, ", ".join(source.name for source in session.sources), "")
    files = [_file(source.summary.name, source.path, source.summary.graph) for source in session.opened]
    for known in _drafts_with({file.graph for file in files}, exactly=True) if files else ():
        if not known.statements and not known.in_use and not known.missing:
            return continue_draft(session, known.folder, progress=progress, limits=limits)
    folder = new_draft_folder(files[0].name if files else "new")
    try:
        if files:
            load_into(folder, (), known=files, report=_told(progress), limits=limits)
        else:
            begin_source(folder, _begun(folder), limits=limits)
        _show(session, folder)
    except BaseException:
        remove_folder(folder)
        raise
    progress("done", 1.0)
    return _draft(folder)


def start_editing_for(
    session: Session, change: ChangeSet, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> ChangeSet:
    """Start a draft, and translate the blank nodes of a change to those of the draft.

    Raises:
        Unsupported: see `start_editing`; or a blank node of the change is not found in the draft.
        InputError, OutputNotWritable: see `start_editing`.
    """
    if session.workspace is not None and session.workspace.read_only_reason is None:
        return change
    known = nodes_of(session.store, change, limits=limits)
    start_editing(session, progress=progress, limits=limits)
    return match_blank_nodes(change, known, session.store, limits=limits)


def continue_draft(
    session: Session,
    folder: Path,
    *,
    bring_in: bool = True,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> Draft:
    """Switch the session to a draft. On errors the session is unchanged.

    Args:
        bring_in: whether to load changed files as new versions (decision 0030) and apply the edits again; otherwise the
            next push compares them.

    Raises:
        StoreLocked: another program has the draft open.
        StoreError: there is no draft, or it is damaged.
        InputError: a changed file cannot be read.
    """
    before = _draft(folder)
    if before.in_use:
        raise StoreLocked("another program has this draft open", str(folder), "close it there first")
    notes: list[str] = [f"{name} is gone; the draft goes on without it" for name in before.missing]
    if before.changed and bring_in:
        again = [
            _file(one.name, one.path, one.graph) for one in read_manifest(folder).sources if one.name in before.changed
        ]
        report = load_into(folder, (), known=again, report=_told(progress), limits=limits)
        notes += _brought_in(report)
    else:
        notes += [f"{name} was changed since it was loaded" for name in before.changed]
    _show(session, folder, before.recovered)
    progress("done", 1.0)
    return replace(_draft(folder), in_use=True, recovered=before.recovered, notes=tuple(notes))


def drafts_of(names: Sequence[str]) -> tuple[Draft, ...]:
    """The drafts of these files with unpushed edits, last edited first.

    Args:
        names: files, folders and `sample:NAME`; other sources have no drafts.
    """
    graphs: set[NamedNode] = set()
    for name in names:
        if is_web_address(name) or is_workspace(Path(name)):
            return ()
        try:
            graphs |= {file.graph for file in source_files(name)}
        except (InputError, StoreError):
            return ()
    found = _drafts_with(graphs, exactly=False) if graphs else ()
    return tuple(draft for draft in found if draft.statements)


def all_drafts() -> tuple[Draft, ...]:
    """All undamaged drafts, last edited first."""
    return _drafts_with(set(), exactly=False)


def delete_draft(folder: Path) -> None:
    """Delete a draft with its unpushed edits.

    Raises:
        StoreError: there is no draft in this folder.
        StoreLocked: a program has it open.
    """
    if folder.absolute().parent != drafts_folder().absolute() or not is_workspace(folder):
        raise StoreError("there is no draft in this folder", str(folder), "check the name")
    lock = writers_lock(folder)
    if lock is None:
        raise StoreLocked("a program has this draft open", str(folder), "close it there first")
    try:
        # Without the manifest it is no workspace, even if the rest cannot be removed.
        (folder / MANIFEST).unlink()
    except OSError as error:
        raise output_error(error, folder) from None
    finally:
        lock.release()
    remove_folder(folder)


def undo_recovered(session: Session, recovered: Recovered) -> ChangeSet:
    """The change that undoes the edits recovered after a crash.

    Raises:
        Unsupported: no workspace is open.
        StoreError: the journal cannot be read.
    """
    if session.workspace is None:
        raise Unsupported("nothing was recovered here", "", "open the workspace that the edits were recovered in")
    found = list(records(journal_of(session.workspace.folder), recovered.first - 1, recovered.last))
    made = combined_change(record.change for record in found)
    return made.inverse(
        f"The {recovered.edits} edits of the session before", tuple(record.revision for record in found)
    )


def drafts_folder() -> Path:
    """The folder of drafts."""
    return data_folder() / DRAFTS


def _drafts_with(graphs: set[NamedNode], *, exactly: bool) -> tuple[Draft, ...]:
    """The drafts with these graphs, or exactly these; last edited first."""
    try:
        folders = [folder for folder in drafts_folder().iterdir() if is_workspace(folder)]
    except OSError:
        return ()
    found = []
    for folder in folders:
        try:
            having = {source.graph for source in read_manifest(folder).sources}
            if graphs == having or (not exactly and graphs <= having):
                found.append(_draft(folder))
        except StoreError:
            continue
    return tuple(sorted(found, key=lambda draft: (draft.edited is not None, draft.edited, draft.folder), reverse=True))


def _draft(folder: Path) -> Draft:
    manifest = read_manifest(folder)
    last = next(records_backwards(journal_of(folder)), None)
    lock = writers_lock(folder)
    if lock is not None:
        lock.release()
    files = [source for source in manifest.sources if source.path is not None]
    return Draft(
        folder=folder,
        sources=tuple(source.name for source in manifest.sources),
        statements=sum(
            len(change.removed) + len(change.added)
            for change in unpushed(folder, manifest.sources, manifest.forgotten).values()
        ),
        edited=None if last is None else last.record().when,
        changed=tuple(source.name for source in files if is_other_now(source)),
        missing=tuple(source.name for source in files if source.path is not None and not source.path.exists()),
        in_use=lock is None,
        recovered=None if lock is None else left_behind(folder),
    )


def is_other_now(source: LoadedSource) -> bool:
    """Whether the file of a source has changed since it was loaded; False if it is gone."""
    if source.path is None:
        return False
    try:
        now = state_of(source.path)
        if (now.size, now.mtime_ns) == (source.size, source.mtime_ns):
            return False
        return checksum_of(source.path) != source.sha256
    except (OSError, InputError):
        return False


def _brought_in(report: LoadReport) -> list[str]:
    notes = [f"{source.name} has changed since, and was read again" for source in report.loaded]
    if report.edits_moot:
        notes.append(
            f"{report.edits_kept} of the edited statements were edited again; {report.edits_moot} needed it no"
            " more: the file says so itself now, or what was removed is not there"
        )
    return notes


def _file(name: str, path: Path | None, graph: NamedNode) -> SourceFile:
    if path is None:
        raise Unsupported("only files and samples are edited in a draft", name, "download it, and open the file")
    return SourceFile(name, path, graph)


def new_draft_folder(name: str) -> Path:
    """A path for a new draft, named after a source.

    Raises:
        OutputNotWritable: the folder of drafts cannot be created.
    """
    stem = re.sub(r"[^A-Za-z0-9]+", "-", Path(name.removeprefix(SAMPLE)).stem).strip("-")[:40].lower() or "draft"
    folder = drafts_folder() / f"{stem}-{os.urandom(4).hex()}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputNotWritable(
            f"drafts cannot be kept ({error.strerror})",
            str(folder.parent),
            f"make room there, or set {CONFIG_VARIABLE} to another folder",
        ) from None
    return folder


def _begun(folder: Path) -> LoadedSource:
    """A source without a file."""
    graph = NamedNode(f"urn:hpc-explorer:draft:{folder.name}")
    return LoadedSource(
        name="New graph",
        path=None,
        graph=graph,
        graphs=(graph,),
        sha256="",
        size=0,
        mtime_ns=time.time_ns(),
        format=WRITTEN_HERE,
        triples=0,
        prefixes={},
        aliases=AliasRecord(),
    )


def _show(session: Session, folder: Path, recovered: Recovered | None = None) -> None:
    """Switch a session to a workspace for editing."""
    with session.changing() as sources:
        workspace = OpenWorkspace.open(folder, alone=True)
        if workspace.read_only_reason is not None:
            reason = workspace.read_only_reason
            workspace.close()
            raise StoreLocked(reason, str(folder), "close it there first")
        workspace.recovered = workspace.recovered or recovered
        try:
            session.show_workspace(workspace)
        except BaseException:
            workspace.close()
            raise
        sources.clear()
        sources.update(workspace_sources(workspace))
        session.inference = None


def _told(progress: Progress) -> Callable[[LoadProgress], None]:
    def told(step: LoadProgress) -> None:
        progress(step.step, step.bytes_done / step.bytes_total if step.bytes_total else None)

    return told
