"""Compute the net unpushed changes of a workspace from its journal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from hpc_explorer.app.workspace.states import journal_of
from hpc_explorer.rdf.terms import GraphName, Quad
from hpc_explorer.stores.changes.changes import ChangeSet, combined_change
from hpc_explorer.stores.changes.journal import records
from hpc_explorer.stores.changes.manifest import LoadedSource
from hpc_explorer.stores.changes.source_versions import read_changes


def unpushed(
    folder: Path,
    sources: Iterable[LoadedSource],
    forgotten: Mapping[GraphName, int],
    revision: int | None = None,
) -> dict[GraphName, ChangeSet]:
    """The net changes of each graph since its source was loaded or pushed; of a graph without a source, all changes.

    Args:
        forgotten: by graph of a removed source, the last edit to ignore.
        revision: the last edit to include; None for all.

    Raises:
        StoreError: the journal cannot be read.
    """
    since = dict(forgotten)
    made: defaultdict[GraphName, list[ChangeSet]] = defaultdict(list)
    for source in sources:
        since |= dict.fromkeys(source.graphs, max(source.revision, source.pushed))
        if source.carried is not None:
            for graph, change in by_graph(read_changes(folder, source.carried)).items():
                made[graph].append(change)
    for record in records(journal_of(folder), upto=revision):
        for graph, change in by_graph(record.change).items():
            if since.get(graph, 0) < record.revision:
                made[graph].append(change)
    differences = {graph: combined_change(changes) for graph, changes in made.items()}
    return {graph: change for graph, change in differences.items() if change}


def by_graph(change: ChangeSet) -> dict[GraphName, ChangeSet]:
    """Split a change by graph."""
    removed: defaultdict[GraphName, list[Quad]] = defaultdict(list)
    added: defaultdict[GraphName, list[Quad]] = defaultdict(list)
    for quad in change.removed:
        removed[quad.graph_name].append(quad)
    for quad in change.added:
        added[quad.graph_name].append(quad)
    return {
        graph: ChangeSet(tuple(removed[graph]), tuple(added[graph]), change.words, change.why, change.takes_back)
        for graph in {**removed, **added}
    }
