"""The targets of a push: the current state of a file or endpoint, merged with the changes here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from hpc_explorer.annotate.pushing.blank_nodes import same_nodes
from hpc_explorer.annotate.pushing.endpoint import CannotPush, kept_apart, push_request, send, update_address_of
from hpc_explorer.annotate.pushing.files import FileNow, changed_data, file_now, is_still, replace_file
from hpc_explorer.annotate.pushing.located import NotInPlaces
from hpc_explorer.annotate.pushing.three_way import NO_CHANGES, Changes, Merge, merged, resolved
from hpc_explorer.annotate.pushing.values import Choice, Target
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.errors import StoreError
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, NamedNode, Quad, Resource, renamed
from hpc_explorer.stores.base import Limits
from hpc_explorer.stores.changes.manifest import LoadedSource
from hpc_explorer.stores.protocol.logins import find_login
from hpc_explorer.stores.remote.descriptions import described, home_graph, nested_too_deep
from hpc_explorer.stores.remote.mirror_record import MirrorRecord
from hpc_explorer.stores.remote.remote import RemoteStore

_DEFAULT = DefaultGraph()


class Refused(Exception):
    """A target cannot be pushed to; the message has the reason and what to do."""


@dataclass(frozen=True)
class Edits:
    """The changes of a source since it was loaded or pushed.

    Args:
        made: all, net.
        sent: those sent by an interrupted push, which may have been written.
    """

    made: Changes
    sent: Changes = NO_CHANGES


def outdated(where: str) -> StoreError:
    """The error for an outdated plan."""
    return StoreError("something changed since the push was planned", where, "look at it again, and push then")


def sorted_change(change: Changes) -> tuple[tuple[Quad, ...], tuple[Quad, ...]]:
    """The removed and added quads, sorted."""
    return tuple(sorted(change.removed, key=str)), tuple(sorted(change.added, key=str))


@runtime_checkable
class Prepared(Protocol):
    """A target that is ready for a push."""

    @property
    def target(self) -> Target:
        """The planned changes."""
        ...

    @property
    def merge(self) -> Merge:
        """The merge of both sides."""
        ...

    def make_ready(self, there: Changes, *, rewrite: bool) -> Changes:
        """Do what can fail before anything is written; returns the change to write.

        Raises:
            StoreError: the target changed since the plan.
            Refused: the target cannot take the change.
            NotInPlaces: the file would have to be rewritten, which is not allowed.
        """
        ...

    def write(self, limits: Limits) -> tuple[LoadedSource, Changes]:
        """Write the change; returns the new state of the source, and changes to apply here.

        Raises:
            StoreError: the target changed meanwhile; nothing is written.
            OutputNotWritable, ServerError: the target cannot be written.
        """
        ...


class FileTarget:
    """A file, merged with the changes here."""

    def __init__(
        self, workspace: OpenWorkspace, source: LoadedSource, target: Target, edits: Edits, limits: Limits
    ) -> None:
        assert source.path is not None
        self._source = source
        self._now: FileNow = file_now(source.path)
        self._data = b""
        there = [self._placed(quad) for quad in self._now.quads]
        unchanged = self._now.checksum == source.sha256
        self._own_names: dict[BlankNode, BlankNode] = {}
        base: Collection[Quad] = there
        mine = edits.made
        # Blank nodes are matched only if needed.
        if not unchanged or any(map(_has_blank, (*mine.removed, *mine.added))):
            here = {quad for graph in source.graphs for quad in workspace.store.match(graph=graph, limits=limits)}
            base = (here - mine.added) | mine.removed
            placed = there
            base, mine, there = _settled(base, edits, lambda like: self._named(placed, like))
        theirs = Changes.between(base, there)
        if unchanged and theirs:
            raise Refused(
                "the blank nodes of the file cannot be distinguished: give them names there, and load the file again"
            )
        self.merge = merged(mine, theirs, there)
        rewritten = self._now.rewritten
        mine_holds = resolved(self.merge, dict.fromkeys(self.merge.conflicts, Choice.MINE))[1]
        if rewritten is None:
            try:
                self.make_ready(mine_holds, rewrite=False)
            except NotInPlaces as reason:
                rewritten = str(reason)
        taken = sorted_change(self.merge.here)
        made = sorted_change(mine)
        self.target = replace(
            target,
            removed=made[0],
            added=made[1],
            theirs_removed=taken[0],
            theirs_added=taken[1],
            conflicts=self.merge.conflicts,
            rewritten=rewritten,
            seen=self._now.checksum,
        )

    def make_ready(self, there: Changes, *, rewrite: bool) -> Changes:
        """See `Prepared`."""
        if not is_still(self._now):
            raise outdated(self.target.where)
        if not there:
            self._data = self._now.data
            return there
        self._data = changed_data(
            self._now,
            {self._own(quad) for quad in there.removed},
            {self._own(quad) for quad in there.added},
            rewrite=rewrite,
        )
        return there

    def write(self, limits: Limits) -> tuple[LoadedSource, Changes]:
        """See `Prepared`."""
        if self._data != self._now.data:
            replace_file(self._now, self._data)
        now = replace(self._now, data=self._data)
        status = now.path.stat()
        source = replace(
            self._source,
            sha256=now.checksum,
            size=status.st_size,
            mtime_ns=status.st_mtime_ns,
        )
        return source, NO_CHANGES

    def _placed(self, quad: Quad) -> Quad:
        """A quad of the file in the graphs of the workspace; blank nodes keep their labels."""
        if quad.graph_name == self._source.graph:
            raise Refused("the file names a graph by its own address: give that graph another name there")
        if quad.graph_name != _DEFAULT:
            return quad
        return _in(quad, self._source.graph)

    def _named(self, placed: Iterable[Quad], like: Collection[Quad]) -> list[Quad]:
        """Quads of the file with blank nodes matched to those of a similar graph."""
        placed = list(placed)
        names = _names(placed, like)
        self._own_names = {ours: own for own, ours in names.items()}
        return [renamed(quad, names) for quad in placed]

    def _own(self, quad: Quad) -> Quad:
        """A quad of the workspace in the graphs and blank nodes of the file."""
        quad = renamed(quad, self._own_names)
        return _in(quad, _DEFAULT) if quad.graph_name == self._source.graph else quad


class EndpointTarget:
    """An endpoint's statements about the changed resources, merged with the changes here.

    The workspace has the graphs of the endpoint. The source's own graph stands for the endpoint's home graph: that of
    the resources taken offline, else the default graph.
    """

    def __init__(
        self, workspace: OpenWorkspace, source: LoadedSource, target: Target, edits: Edits, limits: Limits
    ) -> None:
        assert source.mirror is not None
        record: MirrorRecord = source.mirror
        if record.part.query:
            raise Refused("the answer of a query cannot be pushed back: take the resources themselves offline")
        self._source, self._record, self._workspace = source, record, workspace
        self._text = ""
        self._wanted: Collection[Quad] = ()
        mine = edits.made
        self._roots = self._resources((*mine.removed, *mine.added, *edits.sent.removed, *edits.sent.added))
        with self._store() as store:
            now = [*described(store, self._roots, limits)]
            self._is_virtuoso = store.is_virtuoso
            self._home = self._home_of(store, now, limits)
        moved = self._moved(mine)
        self._moves = Changes(mine.added - moved.added, moved.added - mine.added)
        here = [quad for root in self._roots for quad in self._said_here(root, limits)]
        base: Collection[Quad] = (set(here) - mine.added) | mine.removed
        if nested_too_deep(base):
            raise Refused("a value goes over more blank nodes in a row than an endpoint is asked for: change it there")
        base, left, self._seen = _settled(
            base, Edits(moved, self._moved(edits.sent)), lambda like: self._named(now, like)
        )
        if left != moved:
            made = sorted_change(left)
            target = replace(target, removed=made[0], added=made[1])
        self.merge = merged(left, Changes.between(base, self._seen), self._seen)
        taken = sorted_change(self.merge.here)
        where = record.endpoint if self._home == _DEFAULT else f"{record.endpoint} (graph {self._home})"
        self.target = replace(
            target, where=where, theirs_removed=taken[0], theirs_added=taken[1], conflicts=self.merge.conflicts
        )
        self.make_ready(resolved(self.merge, dict.fromkeys(self.merge.conflicts, Choice.MINE))[1], rewrite=False)

    def make_ready(self, there: Changes, *, rewrite: bool) -> Changes:
        """See `Prepared`."""
        self._there, self._respelled = kept_apart(there) if self._is_virtuoso else (there, NO_CHANGES)
        try:
            self._text = (
                push_request(self._there, self._seen, self._graph_there, is_virtuoso=self._is_virtuoso)
                if self._there
                else ""
            )
        except CannotPush as reason:
            raise Refused(str(reason)) from None
        return self._there

    def write(self, limits: Limits) -> tuple[LoadedSource, Changes]:
        """See `Prepared`."""
        if not self._text:
            return self._source, self._sum(self._moves, self._respelled)
        wanted = (set(self._seen) - self._there.removed) | self._there.added
        with self._store() as store:
            respelled = send(
                store,
                self._text,
                self._there,
                self._seen,
                lambda: self._named(described(store, self._roots, limits), wanted),
                limits,
            )
        return self._source, self._sum(self._sum(self._moves, self._respelled), respelled)

    @staticmethod
    def _sum(one: Changes, then: Changes) -> Changes:
        return Changes(one.removed | then.removed, (one.added - then.removed) | then.added)

    @contextmanager
    def _store(self) -> Iterator[RemoteStore]:
        address = self._record.update_address or update_address_of(self._record.endpoint)
        store = RemoteStore(self._record.endpoint, update_address=address, login=find_login)
        store.always_ask()
        try:
            yield store
        finally:
            store.close()

    # Graphs

    def _home_of(self, store: RemoteStore, now: Iterable[Quad], limits: Limits) -> GraphName:
        """The endpoint's home graph."""
        part = self._record.part
        if part.graph is not None:
            return part.graph
        if part.resources:
            return _DEFAULT
        layout = store.layout(limits=limits)
        named = [graph for graph in self._source.graphs if graph != self._source.graph]
        if layout.default_is_own or not layout.has_named or not named:
            return _DEFAULT
        home = named[0] if len(named) == 1 else home_graph(store, now, limits)
        if home is None:
            raise Refused("the graph for new statements is unknown: take the resources offline with --graph")
        return home

    def _graph_there(self, graph: GraphName) -> GraphName:
        return self._home if graph == self._source.graph else graph

    def _graph_here(self, graph: GraphName) -> GraphName:
        if graph == _DEFAULT or (self._record.part.resources and graph == self._home):
            return self._source.graph
        return graph

    def _moved(self, mine: Changes) -> Changes:
        """A change with added statements moved to the graphs that the endpoint's copy uses."""

        def moved(quads: Iterable[Quad]) -> frozenset[Quad]:
            return frozenset(_in(quad, self._graph_here(self._graph_there(quad.graph_name))) for quad in quads)

        return Changes(mine.removed, moved(mine.added))

    # Resources

    def _resources(self, changed: Sequence[Quad]) -> tuple[Resource, ...]:
        """The IRIs that changed quads describe, directly or through blank nodes."""
        found: dict[Resource, None] = {}
        above: dict[object, list[Resource]] = {}
        for quad in changed:
            above.setdefault(quad.object, []).append(quad.subject)  # type: ignore[arg-type]  # no quoted subjects
        waiting = [quad.subject for quad in changed]
        seen: set[object] = set()
        while waiting:
            subject = waiting.pop()
            if subject in seen:
                continue
            seen.add(subject)
            if isinstance(subject, NamedNode):
                found[subject] = None
            elif isinstance(subject, BlankNode):
                waiting += above.get(subject, [])
                waiting += [quad.subject for quad in self._workspace.store.match(object=subject) if self._is_own(quad)]
        return tuple(sorted(found, key=str))

    def _said_here(self, subject: Resource, limits: Limits, seen: frozenset[Resource] = frozenset()) -> Iterator[Quad]:
        for quad in self._workspace.store.match(subject, limits=limits):
            if self._is_own(quad):
                yield quad
                if isinstance(quad.object, BlankNode) and quad.object not in seen:
                    yield from self._said_here(quad.object, limits, seen | {quad.object})

    def _is_own(self, quad: Quad) -> bool:
        return quad.graph_name in self._source.graphs

    def _named(self, quads: Iterable[Quad], like: Collection[Quad]) -> list[Quad]:
        """Quads of the endpoint in the graphs of the workspace, with blank nodes matched to a similar graph."""
        placed = [_in(quad, self._graph_here(quad.graph_name)) for quad in quads]
        placed = [quad for quad in placed if self._is_own(quad)]
        names = _names(placed, like)
        return [renamed(quad, names) for quad in placed]


def _settled(
    base: Collection[Quad], edits: Edits, named: Callable[[Collection[Quad]], list[Quad]]
) -> tuple[Collection[Quad], Changes, list[Quad]]:
    """What both sides began with, what was changed here since then, and the graph there.

    All that was sent is there only if it came through; from then on both sides have gone on from that.

    Args:
        base: the graph as it was when the source was loaded or last known to be pushed.
        named: the graph there, its blank nodes named as in a graph that is much the same.
    """
    sent, made = edits.sent, edits.made
    if sent:
        with_sent = (set(base) - sent.removed) | sent.added
        there = named(with_sent)
        theirs = Changes.between(base, there)
        if sent.removed <= theirs.removed and sent.added <= theirs.added:
            return with_sent, Changes.between(with_sent, (set(base) - made.removed) | made.added), there
    return base, made, named(base)


def _names(quads: Collection[Quad], like: Collection[Quad]) -> dict[BlankNode, BlankNode]:
    """For each blank node the one that it is in a graph that is much the same; new ones for those it does not have."""
    names = same_nodes(quads, like)
    for quad in quads:
        for term in quad:
            if isinstance(term, BlankNode):
                names.setdefault(term, BlankNode())
    return names


def _in(quad: Quad, graph: GraphName) -> Quad:
    return Quad(quad.subject, quad.predicate, quad.object, graph)


def _has_blank(quad: Quad) -> bool:
    return any(isinstance(term, BlankNode) for term in quad)
