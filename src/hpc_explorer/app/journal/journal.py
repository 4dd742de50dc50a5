"""The journal: what was changed, when, by whom and why; of one resource, of one triple; what is not pushed yet."""

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
"""Bytes of a file that are looked through for the line of a triple."""


@dataclass(frozen=True)
class JournalEntry:
    """One edit.

    Args:
        revision: its number; edits count up from 1.
        when: the moment it was made, in UTC.
        who: whom the journal names.
        words: what it is.
        why: the reason that the user gave; may be empty.
        removed, added: the statements.
        takes_back: the revisions that it undid; where one of these was itself an undo, what that undid was done again.
        undone_by: the revision that took it back and was not taken back itself; None while it holds.
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
        """What it removed and added."""
        return ChangeSet(self.removed, self.added, self.words, self.why, self.takes_back)


@dataclass(frozen=True)
class SourceDiff:
    """What edits have made of a source that it does not say itself yet.

    Args:
        source: its name; empty for graphs that belong to none.
        graph: the graph that its own triples are in; for what belongs to none, the graph itself.
        removed, added: the statements, net.
    """

    source: str
    graph: GraphName
    removed: tuple[Quad, ...]
    added: tuple[Quad, ...]


@dataclass(frozen=True)
class Blame:
    """Since when, and by what, a graph states a triple: by an edit, or by a version of a source.

    Args:
        quad: the triple, and the graph that states it.
        entry: the edit that put it in; None where a source says it itself.
        source: the name of the source whose graph it is; empty where it belongs to none.
        version: which version of the source says it first, from 1; None where an edit does, or nobody knows.
        recorded: since when it is recorded; None where nobody knows.
        path: the file.
        line: the line of the file, from 1, that says it; None where the format does not tell.
        also: other graphs that state the same triple.
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
    """The edits of the workspace that is open, the last one first; none where no workspace is. They are read as they
    are taken, however many there are.

    Args:
        about: only those of a resource: that say something of it, link to it, or change a value node of it.
        before: only those of before this revision.

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
    """The edits, the first one first, read as they are taken; which were undone since is not told.

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
    """The last edits, as `entries` has them.

    Args:
        limit: the most there may be; None: all.
        newest_first: in which order those are given.

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
    """What is not pushed yet: by source, net, since each was loaded or pushed last; sources with nothing are left out.

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
    """The change that undoes one edit, whatever came after it; to be made as any other (`EditStep.made`).

    Raises:
        UsageError: there is no such edit; it is taken back already; or something later touched what it did, which is
            named.
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
        raise UsageError("there is no such edit", str(revision), "the journal lists them")
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
    """Since when, and by what, a triple is stated.

    Args:
        graph: the graph that is meant, where several state it; None: the first.

    Raises:
        UnknownStatement: no graph states it.
        StoreError: the journal, or what is kept of versions, cannot be read.
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
    """The version of a source that put a statement in last, and the edit after which it was loaded: later ones may
    have put it in again. Version None: too much was changed for anybody to know."""
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
    """The line of a file of plain lines that states a triple."""
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
    """A resource and the value nodes below it: blank nodes that belong to it alone."""
    found: set[Resource] = {resource}
    waiting = [resource]
    while waiting:
        for quad in store.match(waiting.pop()):
            if isinstance(quad.object, BlankNode) and quad.object not in found:
                found.add(quad.object)
                waiting.append(quad.object)
    return found


def _touches(change: ChangeSet, nodes: set[Resource]) -> bool:
    """Whether a change is about one of these; value nodes that it hangs on them, or takes from them, are then too."""
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
    """What a change would leave of value nodes that nothing leads to any more."""
    removed = set(change.removed)
    found: list[Quad] = []
    for node in {quad.object for quad in removed if isinstance(quad.object, BlankNode)}:
        leads_there = any(quad not in removed for quad in store.match(None, None, node))
        if not leads_there and not any(quad.object == node for quad in change.added):
            found += [quad for quad in store.match(node) if quad not in removed]
    return found
