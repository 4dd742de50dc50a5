"""Load a large file with the engine's bulk loader while a survey of the file runs in parallel.

If the survey finds that the file must be loaded statement by statement, the load is undone. It therefore only targets
new graphs; if other sources are loaded, a file with named graphs is surveyed first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from hpc_explorer.rdf.syntax.reading import SourceContent
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.local.profile import Profile, profile_of
from hpc_explorer.stores.local.survey import Survey, SurveyProcess

if TYPE_CHECKING:
    from hpc_explorer.stores.local.local import LocalStore

BULK_FROM = 4 * 1024 * 1024
"""The minimum size in bytes for a bulk load in a separate process."""


# Seconds between two checks of the survey.
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


def bulk_load(
    store: LocalStore,
    content: SourceContent,
    path: Path,
    graph: NamedNode,
    subjects: Path,
    *,
    report: Callable[[int, int], None],
    limits: Limits = NO_LIMITS,
) -> Survey | None:
    """Load a plain file.

    Args:
        graph: the graph of statements without one; it must not exist yet.
        subjects: the file to write the IRIs of its subjects to.
        report: called with the number of bytes and triples read.

    Returns:
        The survey; None if the file must be loaded statement by statement, because it is invalid, its spellings follow
            no rules, or it adds to existing graphs. The store is then unchanged.

    Raises:
        Cancelled, DeadlineExceeded: by `limits`; the caller must remove what was loaded.
    """
    before = set(store.graphs())
    beside = SurveyProcess(path, content.format.engine, content.base, graph.value, subjects)
    try:
        if content.format.has_named_graphs and before:
            while not beside.has_ended(_LOOK_UP):
                limits.check("loading")
                report(0, beside.seen)
            found = beside.result()
            if found is None or not found.fit or not before.isdisjoint(map(NamedNode, found.graphs)):
                return None
        with content.open_plain() as stream:
            watched = _Watched(stream, lambda done: report(done, beside.look()), limits)
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


@contextmanager
def subjects_of(file: Path | None) -> Iterator[Iterable[str] | None]:
    """The IRIs that a survey wrote to a file; None if there is none."""
    if file is None:
        yield None
        return
    with open(file, encoding="utf-8", newline="\n") as lines:
        yield (line[:-1] for line in lines)
