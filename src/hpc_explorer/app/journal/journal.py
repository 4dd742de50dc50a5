"""Read the journal: all edits, those of a resource, the origin of a triple, and the unpushed changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hpc_explorer.app.journal.edit_steps import unlike
from hpc_explorer.app.journal.unpushed import unpushed
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.app.workspace.states import journal_of
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.errors import UnknownStatement, UsageError
from hpc_explorer.rdf.syntax.formats import N_QUADS, N_TRIPLES
from hpc_explorer.rdf.terms import BlankNode, GraphName, Quad, Resource, Triple
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.journal import JournalLine, Record, records, records_backwards
from hpc_explorer.stores.changes.manifest import LoadedSource
from hpc_explorer.stores.changes.source_versions import read_changes

_LONGEST_LOOK = 64 * 2**20
"""The largest file, in bytes, searched for the line of a triple."""


@dataclass(frozen=True)
class JournalEntry:
    """An edit.

    Args:
        revision: its number, from 1.
        when: in UTC.
        who: the author.
        words: a description.
        why: the user's reason; may be empty.
        takes_back: the revisions that it undoes; undoing an undo is a redo.
        undone_by: the revision that undid it; None if it is in effect.
    """

    revision: int
    when: datetime
    who: str
    words: str
    why: str
    removed: tuple[Quad, ...]
    added: tuple[Quad, ...]
    takes_back: tuple[int, ...] = ()
    undone_by: int | None = None

    @property
    def change(self) -> ChangeSet:
        """The edit as a change."""
        return ChangeSet(self.removed, self.added, self.words, self.why, self.takes_back)


@dataclass(frozen=True)
class SourceDiff:
    """The unpushed changes of a source.

    Args:
        source: the name; empty for a graph without a source.
        graph: the source's graph, or the graph without a source.
        removed, added: the net changes.
    """

    source: str
    graph: GraphName
    removed: tuple[Quad, ...]
    added: tuple[Quad, ...]


@dataclass(frozen=True)
class Blame:
    """The origin of a statement: an edit, or a version of a source.

    Args:
        entry: the edit that added it; None if it comes from a source.
        source: the name of the graph's source; empty if it has none.
        version: the first version of the source that has it, from 1; None for an edit or if unknown.
        recorded: when it was recorded; None if unknown.
        path, line: the file and the line number from 1; None if unknown.
        also: other graphs with the same triple.
    """

    quad: Quad
    entry: JournalEntry | None
    source: str = ""
    version: int | None = None
    recorded: datetime | None = None
    path: Path | None = None
    line: int | None = None
    also: tuple[GraphName, ...] = ()


def entries(
    session: Session,
    *,
    about: Resource | None = None,
    before: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Iterator[JournalEntry]:
    """The edits of the open workspace, newest first, read lazily; none if there is no workspace.

    Args:
        about: only edits with statements about this resource or its value nodes, or links to it.
        before: only edits before this revision.

    Raises:
        StoreError: the journal cannot be read.
    """
    workspace = session.workspace
    if workspace is None:
        return
    undone_by: dict[int, int] = {}
    nodes = None if about is None else _with_values(session.store, about)
    for line in records_backwards(journal_of(workspace.folder), workspace.revision):
        limits.check("reading the journal")
        if line.revision not in undone_by:
            undone_by |= dict.fromkeys(line.takes_back, line.revision)
        if before is not None and line.revision >= before:
            continue
        if nodes is not None and not line.mentions([str(node).encode() for node in nodes]):
            continue
        record = line.record()
        if nodes is None or _touches(record.change, nodes):
            yield _entry(record, undone_by)


def entries_in_order(
    session: Session, *, about: Resource | None = None, limits: Limits = NO_LIMITS
) -> Iterator[JournalEntry]:
    """The edits, oldest first, read lazily; their `undone_by` is not set unless `about` is given.

    Raises:
        StoreError: the journal cannot be read.
    """
    if about is not None:
        yield from reversed(list(entries(session, about=about, limits=limits)))
        return
    workspace = session.workspace
    if workspace is None:
        return
    for record in records(journal_of(workspace.folder), upto=workspace.revision):
        limits.check("reading the journal")
        yield _entry(record, {})


def changes(
    session: Session,
    *,
    newest_first: bool = True,
    limit: int | None = None,
    about: Resource | None = None,
    before: int | None = None,
    limits: Limits = NO_LIMITS,
) -> tuple[JournalEntry, ...]:
    """The last edits; see `entries`.

    Args:
        limit: the most edits; None for all.

    Raises:
        StoreError: the journal cannot be read.
    """
    found: list[JournalEntry] = []
    for entry in entries(session, about=about, before=before, limits=limits):
        if limit is not None and len(found) >= limit:
            break
        found.append(entry)
    return tuple(found if newest_first else reversed(found))


def working_diff(session: Session) -> tuple[SourceDiff, ...]:
    """The net unpushed changes of each source that has any.

    Raises:
        StoreError: the journal cannot be read.
    """
    workspace = session.workspace
    if workspace is None:
        return ()
    made = unpushed(workspace.folder, workspace.sources, workspace.forgotten, workspace.revision)
    found = []
    for source in workspace.sources:
        parts = [made.pop(graph) for graph in source.graphs if graph in made]
        if parts:
            removed = tuple(quad for part in parts for quad in part.removed)
            added = tuple(quad for part in parts for quad in part.added)
            found.append(SourceDiff(source.name, source.graph, removed, added))
    found += [SourceDiff("", graph, change.removed, change.added) for graph, change in made.items()]
    return tuple(found)


def take_back(session: Session, revision: int) -> ChangeSet:
    """The change that undoes an edit, which need not be the last one; make it with `EditStep.made`.

    Raises:
        UsageError: no such edit, it is already undone, or a later edit conflicts.
        StoreError: the journal cannot be read.
    """
    workspace = session.workspace
    later: list[JournalLine] = []
    found: JournalLine | None = None
    undone_by: dict[int, int] = {}
    for line in records_backwards(journal_of(workspace.folder), workspace.revision) if workspace is not None else ():
        if line.revision == revision:
            found = line
            break
        if line.revision not in undone_by:
            undone_by |= dict.fromkeys(line.takes_back, line.revision)
        later.append(line)
    if found is None:
        raise UsageError("no such edit", str(revision), "the journal lists them")
    change = found.record().change
    which = f"edit {revision}: {change.words}"
    if revision in undone_by:
        raise UsageError("this edit is taken back already", which, f"edit {undone_by[revision]} did it")
    back = change.inverse(f"Undo: {change.words}", (revision,))
    amiss = set(unlike(session.store, back) or _left_hanging(session.store, back))
    if amiss:
        mentioned = [str(quad.predicate).encode() for quad in amiss]
        touching = (line.record() for line in later if line.mentions(mentioned))
        last = next((one for one in touching if not amiss.isdisjoint((*one.change.removed, *one.change.added))), None)
        by = "a new version of the source" if last is None else f"edit {last.revision}: {last.change.words}"
        raise UsageError("a later change touched what this edit did", which, f"take back first {by}")
    return back


def blame(session: Session, triple: Triple, graph: GraphName | None = None, *, limits: Limits = NO_LIMITS) -> Blame:
    """Find the origin of a triple.

    Args:
        graph: None for the first graph that has it.

    Raises:
        UnknownStatement: no graph has it.
        StoreError: the journal or the versions of the source cannot be read.
    """
    stating = [
        quad
        for quad in session.store.match(triple.subject, triple.predicate, triple.object, limits=limits)  # type: ignore[arg-type]  # no quoted triples
        if quad.triple == triple and graph in (None, quad.graph_name)
    ]
    if not stating:
        raise UnknownStatement("the graph does not state this", str(triple), "name a statement as it is stated")
    quad, also = stating[0], tuple(one.graph_name for one in stating[1:])
    if session.workspace is None:
        opened = [source for source in session.opened if quad.graph_name in source.graphs]
        if not opened:
            return Blame(quad, None, also=also)
        source = opened[0]
        line = _line_of(source.path, source.summary.format, triple)
        return Blame(quad, None, source.summary.name, 1, source.recorded, source.path, line, also)
    return _blame_in(session.workspace, quad, also, limits)


def _blame_in(workspace: OpenWorkspace, quad: Quad, also: tuple[GraphName, ...], limits: Limits) -> Blame:
    source = next((source for source in workspace.sources if quad.graph_name in source.graphs), None)
    name = "" if source is None else source.name
    version, since = _version_that_says(workspace.folder, source, quad)
    for line in records_backwards(journal_of(workspace.folder), workspace.revision):
        limits.check("reading the journal")
        if line.revision <= since:
            break
        if line.mentions([str(quad.subject).encode()]):
            record = line.record()
            if quad in record.change.added:
                return Blame(quad, _entry(record, {}), name, None, record.when, None, None, also)
    if source is None:
        return Blame(quad, None, also=also)
    recorded = None if version is None else [*(one.recorded for one in source.earlier), source.recorded][version - 1]
    line_number = _line_of(source.path, source.format, quad.triple)
    return Blame(quad, None, name, version, recorded, source.path, line_number, also)


def _version_that_says(folder: Path, source: LoadedSource | None, quad: Quad) -> tuple[int | None, int]:
    """The version of a source that added a statement last, and the edit before it; version None if unknown."""
    if source is None:
        return None, 0
    for number in range(len(source.earlier), 0, -1):
        earlier = source.earlier[number - 1]
        if earlier.changes is None:
            return None, earlier.revision
        if quad in read_changes(folder, earlier.changes).added:
            return number + 1, earlier.revision
    return 1, source.revision


def _line_of(path: Path | None, syntax: str, triple: Triple) -> int | None:
    """The line of a triple in an N-Triples or N-Quads file."""
    if path is None or syntax not in (N_TRIPLES.name, N_QUADS.name) or isinstance(triple.subject, BlankNode):
        return None
    beginning, predicate = f"{triple.subject} ".encode(), f" {triple.predicate} ".encode()
    said = f"{triple} ".encode()
    try:
        if path.stat().st_size > _LONGEST_LOOK:
            return None
        with open(path, "rb") as stream:
            for number, line in enumerate(stream, 1):
                if line.startswith(beginning) and predicate in line and line.startswith(said):
                    return number
    except OSError:
        return None
    return None


def _entry(record: Record, undone_by: dict[int, int]) -> JournalEntry:
    change = record.change
    return JournalEntry(
        record.revision,
        record.when,
        record.who,
        change.words,
        change.why,
        change.removed,
        change.added,
        change.takes_back,
        undone_by.get(record.revision),
    )


def _with_values(store: Store, resource: Resource) -> set[Resource]:
    """A resource and the blank nodes below it."""
    found: set[Resource] = {resource}
    waiting = [resource]
    while waiting:
        for quad in store.match(waiting.pop()):
            if isinstance(quad.object, BlankNode) and quad.object not in found:
                found.add(quad.object)
                waiting.append(quad.object)
    return found


def _touches(change: ChangeSet, nodes: set[Resource]) -> bool:
    """Whether a change has statements about these nodes; if so, adds the blank nodes it links to them."""
    quads = (*change.removed, *change.added)
    if not any(quad.subject in nodes or quad.object in nodes for quad in quads):
        return False
    more = True
    while more:
        below = {quad.object for quad in quads if quad.subject in nodes and isinstance(quad.object, BlankNode)} - nodes
        nodes |= below
        more = bool(below)
    return True


def _left_hanging(store: Store, change: ChangeSet) -> list[Quad]:
    """The statements about blank nodes that a change would leave unreachable."""
    removed = set(change.removed)
    found: list[Quad] = []
    for node in {quad.object for quad in removed if isinstance(quad.object, BlankNode)}:
        leads_there = any(quad not in removed for quad in store.match(None, None, node))
        if not leads_there and not any(quad.object == node for quad in change.added):
            found += [quad for quad in store.match(node) if quad not in removed]
    return found
