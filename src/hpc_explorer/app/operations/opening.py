"""Open: files, folders and sample graphs, each file into a named graph of its own; all of them, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hpc_explorer.app.session import Session, Source
from hpc_explorer.app.views import SourceSummary
from hpc_explorer.errors import SourceNotFound, SourceUnreadable, UnsupportedSyntax
from hpc_explorer.rdf.formats import format_of_name
from hpc_explorer.rdf.namespaces import RDFS
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.shipped import shipped_folder
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits
from hpc_explorer.stores.loading import load_file

SAMPLE = "sample:"

Progress = Callable[[str, float | None], None]
"""Told what is being done, and how much of it (0 to 1, None where nobody can say)."""


def _silent(text: str, fraction: float | None) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class _File:
    """One file to load: the name it is shown by, and the graph it goes into."""

    name: str
    path: Path
    graph: NamedNode


def open_sources(
    session: Session,
    names: Sequence[str],
    *,
    allow_remote_contexts: bool = False,
    progress: Progress = _silent,
    limits: Limits = NO_LIMITS,
) -> tuple[SourceSummary, ...]:
    """Open sources beside those that are open; one that is open already is read anew.

    Args:
        names: files, folders, or `sample:NAME`.
        allow_remote_contexts: whether JSON-LD contexts that are not known offline may be fetched.
        progress: told of each file.

    Raises:
        InputError: one of them cannot be opened; then nothing has changed.
    """
    files = [file for name in names for file in _files(name)]
    loaded: list[Source] = []
    with session.changing() as sources:
        staging: list[NamedNode] = []
        try:
            for number, file in enumerate(files):
                limits.check("opening the files")
                progress(f"reading {file.name}", number / len(files))
                # A source that is open already stays untouched until its new reading has succeeded.
                staged = NamedNode(f"{file.graph.value}#reading") if file.graph in sources else file.graph
                staging.append(staged)
                loaded.append(_load(session, file, staged, allow_remote_contexts, limits))
        except BaseException:
            session.store.remove_graphs({graph for source in loaded for graph in source.graphs} | set(staging))
            raise
        raise_if_empty(loaded)
        for source in loaded:
            sources[source.summary.graph] = source
    progress("done", 1.0)
    return tuple(source.summary for source in loaded)
