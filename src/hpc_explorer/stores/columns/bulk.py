"""Load a large file with the engine's bulk loader while its facts are read in parallel: for counts, names and columns.

If the survey of the facts finds that the file must be loaded statement by statement, the load is undone. It therefore
only targets new graphs; if other sources are loaded, a file with named graphs is surveyed first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from hpc_explorer.rdf.syntax.formats import N_QUADS, N_TRIPLES
from hpc_explorer.rdf.syntax.reading import SourceContent
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, CancelToken, Limits
from hpc_explorer.stores.columns.facts import Facts
from hpc_explorer.stores.columns.raw_triples import PARSED, QUADS, TRIPLES
from hpc_explorer.stores.columns.survey import Survey, survey
from hpc_explorer.stores.columns.work import interrupted_by
from hpc_explorer.stores.local.parser_process import ParserProcess
from hpc_explorer.stores.local.profile import Profile, profile_of

if TYPE_CHECKING:
    from hpc_explorer.stores.local.local import LocalStore

BULK_FROM = 4 * 1024 * 1024
"""The minimum size in bytes for a bulk load."""

# Seconds between two checks of the limits.
_LOOK_UP = 0.1


class _Watched:
    """A stream that reports how much was read and stops when requested."""

    def __init__(self, stream: BinaryIO, told: Callable[[int], None], limits: Limits) -> None:
        self._stream = stream
        self._told = told
        self._limits = limits
        self._done = 0
        self._next = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._done += len(data)
        if self._done >= self._next:
            self._next = self._done + (1 << 20)
            self._limits.check("loading")
            self._told(self._done)
        return data


class _Surveying:
    """Reads the facts of a file and surveys them, in a thread.

    Attributes:
        seen: the number of statements read so far.
    """

    def __init__(self, facts: Facts, content: SourceContent, path: Path, graph: NamedNode) -> None:
        self.seen = 0
        self._facts, self._content, self._path, self._graph = facts, content, path, graph
        self._stopped = CancelToken()
        self._worker = ThreadPoolExecutor(1, "survey")
        self._survey: Future[Survey | None] = self._worker.submit(self._run)

    def _run(self) -> Survey | None:
        limits = Limits(cancel=self._stopped)
        with interrupted_by(self._facts.database, limits):
            prefixes = self._read(limits)
            return None if prefixes is None else survey(self._facts, self._graph.value, prefixes, limits=limits)

    def _read(self, limits: Limits) -> dict[str, str] | None:
        """Read the facts; returns the declared prefixes, None if the file is damaged."""

        def report(statements: int) -> None:
            self.seen = statements

        content = self._content
        rows = {N_TRIPLES: TRIPLES, N_QUADS: QUADS}.get(content.format)
        if rows is not None and self._facts.read_lines(content.open_plain, rows, report=report, limits=limits):
            return {}
        parsers: list[ParserProcess] = []

        def parsed() -> BinaryIO:
            parsers.append(ParserProcess(self._path, content.format.engine, content.base))
            return cast("BinaryIO", parsers[-1])

        try:
            done = self._facts.read_lines(parsed, PARSED, report=report, limits=limits)
        except EOFError:
            return None
        return parsers[-1].prefixes if done else None

    def has_ended(self) -> bool:
        """Whether it has ended, waiting for a moment."""
        try:
            self._survey.result(_LOOK_UP)
        except TimeoutError:
            return False
        return True

    def result(self) -> Survey | None:
        """Wait for the survey; None if the file is damaged."""
        return self._survey.result()

    def stop(self) -> None:
        """Stop it, and wait until it has stopped."""
        self._stopped.cancel()
        self._worker.shutdown()


def bulk_load(
    store: LocalStore,
    content: SourceContent,
    path: Path,
    graph: NamedNode,
    facts: Facts,
    *,
    report: Callable[[int, int], None],
    limits: Limits = NO_LIMITS,
) -> Survey | None:
    """Load a plain file.

    Args:
        graph: the graph of statements without one; it must not exist yet.
        facts: new; those of the file afterwards.
        report: called with the number of bytes and triples read.

    Returns:
        The survey; None if the file must be loaded statement by statement, because it is invalid, its spellings follow
            no rules, or it adds to existing graphs. The store is then unchanged.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`; the caller must remove what was loaded.
    """
    before = set(store.graphs())
    beside = _Surveying(facts, content, path, graph)
    try:
        if content.format.has_named_graphs and before:
            while not beside.has_ended():
                limits.check("loading")
                report(0, beside.seen)
            found = beside.result()
            if found is None or not found.fit or not before.isdisjoint(map(NamedNode, found.graphs)):
                return None
        with content.open_plain() as stream:
            watched = _Watched(stream, lambda done: report(done, beside.seen), limits)
            store.bulk_load(cast("BinaryIO", watched), content.format, content.base, graph)
        found = beside.result()
    except (SyntaxError, MemoryError, OSError, ValueError):
        found = None
    finally:
        beside.stop()
    if found is None or not found.fit:
        store.remove_graphs([graph for graph in store.graphs() if graph not in before])  # type: ignore[misc]  # all have names
        return None
    store.spell(found.styles, found.departing)
    return found


def surveyed_profile(found: Survey) -> Profile:
    """The profile of a survey, if no statement occurred twice."""
    nodes = _Nodes()

    def classes(names: frozenset[str]) -> frozenset[NamedNode]:
        return frozenset(nodes[name] for name in names)

    return profile_of(
        {classes(names): number for names, number in found.type_sets.items()},
        Counter({(classes(names), nodes[p]): number for (names, p), number in found.with_predicate.items()}),
        Counter({(nodes[p], nodes[d]): number for (p, d), number in found.with_datatype.items()}),
        {nodes[graph]: number for graph, number in found.graphs.items()},
    )


class _Nodes(dict[str, NamedNode]):
    """Cache of nodes by IRI."""

    def __missing__(self, iri: str) -> NamedNode:
        node = self[iri] = NamedNode(iri)
        return node
