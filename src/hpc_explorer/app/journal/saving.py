"""Save the graph: count what no file has yet, write it to a new file, or discard it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.export.exporting import EVERYTHING, export_graph, graphs_without_names
from hpc_explorer.app.journal.change_viewing import holding_edits
from hpc_explorer.app.journal.change_views import statement_figures
from hpc_explorer.app.journal.edit_steps import EditStep
from hpc_explorer.app.journal.editing import WRITTEN_HERE, continue_draft, delete_draft, drafts_folder, start_editing
from hpc_explorer.app.journal.journal import SourceDiff, working_diff
from hpc_explorer.app.views import SourceSummary, source_title
from hpc_explorer.app.workspace.opening import open_sources
from hpc_explorer.app.workspace.replacing import close_all
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.syntax.writing import format_of_output
from hpc_explorer.rdf.terms import GraphName
from hpc_explorer.shipped import SAMPLE
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.wording import counted, noun_for


@dataclass(frozen=True)
class Unwritten:
    """The changes of the open workspace that its files and endpoints do not have.

    Args:
        changes: the number by the graph of each source. A statement that was added or removed is one change, and a
            value that replaced another is one change.
        names: the titles of the sources with changes.
        removed, added: the changed statements.
        has_file: whether each source with changes has a file or an endpoint that can be written.
        in_draft: whether the workspace is a draft.
        revision: that of the workspace; None if no workspace is open.
    """

    changes: dict[GraphName, int]
    names: tuple[str, ...] = ()
    removed: int = 0
    added: int = 0
    has_file: bool = True
    in_draft: bool = False
    revision: int | None = None

    @property
    def total(self) -> int:
        """The number of all changes."""
        return sum(self.changes.values())

    @property
    def words(self) -> str:
        """Such as "3 changes not saved to my.ttl"; empty if there are none."""
        if not self.total:
            return ""
        if not self.has_file:
            return f"{counted(self.total, 'change')} not saved in a file"
        where = self.names[0] if len(self.names) == 1 else counted(len(self.names), "source")
        return f"{counted(self.total, 'change')} not saved to {where}"

    @property
    def figures(self) -> str:
        """Such as "+2 −1 statements"."""
        return statement_figures(self.removed, self.added)


NOTHING_UNWRITTEN = Unwritten({})


def unwritten(session: Session) -> Unwritten:
    """Count the changes that are in the workspace only.

    Raises:
        StoreError: the journal cannot be read.
    """
    workspace = session.workspace
    if workspace is None:
        return NOTHING_UNWRITTEN
    diffs = working_diff(session)
    writable: set[GraphName] = {
        source.graph
        for source in workspace.sources
        if not source.name.startswith(SAMPLE) and (source.path is not None or source.mirror is not None)
    }
    return Unwritten(
        {diff.graph: _number(diff) for diff in diffs},
        tuple(dict.fromkeys(source_title(diff.source) if diff.source else "a file" for diff in diffs)),
        sum(len(diff.removed) for diff in diffs),
        sum(len(diff.added) for diff in diffs),
        any(diff.graph in writable for diff in diffs),
        _is_draft(workspace.folder),
        workspace.revision,
    )


def _number(diff: SourceDiff) -> int:
    removed = Counter((quad.subject, quad.predicate) for quad in diff.removed)
    added = Counter((quad.subject, quad.predicate) for quad in diff.added)
    return sum((removed | added).values())


def discard(session: Session) -> EditStep | None:
    """Undo all changes that are not written, as one edit, which can be undone too; None if there are none.

    Raises:
        Unsupported, OutputNotWritable, StoreError: see `Session.edit`.
    """
    diffs = working_diff(session)
    if not diffs:
        return None
    change = ChangeSet(
        tuple(quad for diff in diffs for quad in diff.removed), tuple(quad for diff in diffs for quad in diff.added)
    )
    number = sum(map(_number, diffs))
    taken = tuple(entry.revision for entry in holding_edits(session))
    return EditStep.made(session, change.inverse(f"Discarded {counted(number, 'change')}", taken))


def new_graph(session: Session) -> tuple[SourceSummary, ...]:
    """Close what is open, and begin an empty graph in a draft.

    Raises:
        OutputNotWritable: the draft cannot be written; what was open is closed.
    """
    close_all(session)
    start_editing(session)
    return session.sources


def save_as(
    session: Session, path: Path, *, keep_draft: bool = False, limits: Limits = NO_LIMITS
) -> tuple[SourceSummary, ...]:
    """Write the whole graph to a file, read it back to compare, and open that file instead.

    Inferred statements are left out. The draft is deleted if it has no file of its own, since the new file has
    everything.

    Args:
        path: its suffix is the format: .ttl, .nt, .nq, .trig, .rdf, .n3 or .jsonld.
        keep_draft: whether to keep the draft in any case.

    Raises:
        UnknownFormat: the suffix is unknown.
        UsageError: the file is open, or its format cannot keep the names of the graphs; nothing is written.
        OutputNotWritable: the file cannot be written; what was open stays open.
    """
    if any(source.path is not None and _is_same(source.path, path) for source in session.opened):
        raise UsageError("this file is open already", str(path), "use Save to write your changes to it")
    format = format_of_output(path)
    lost = graphs_without_names(session, EVERYTHING, format, limits=limits)
    if lost:
        what = f"{format.name} cannot keep the {noun_for(lost, 'name')} of {counted(lost, 'graph')}"
        raise UsageError(what, str(path), "choose TriG, N-Quads or JSON-LD")
    export_graph(session, path, limits=limits)
    workspace = session.workspace
    folder = workspace.folder if workspace is not None else None
    before = [source.summary for source in session.opened]
    close_all(session)
    try:
        opened = open_sources(session, [str(path)], limits=limits)
    except BaseException:
        if folder is not None:
            continue_draft(session, folder, bring_in=False)
        raise
    has_no_file = all(one.format == WRITTEN_HERE or one.name.startswith(SAMPLE) for one in before)
    if folder is not None and _is_draft(folder) and has_no_file and not keep_draft:
        delete_draft(folder)
    return opened


def _is_draft(folder: Path) -> bool:
    return folder.absolute().parent == drafts_folder().absolute()


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
