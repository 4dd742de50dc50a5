"""The versions of a workspace's sources: recorded when a source is read again, and combined into a history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hpc_explorer.app.workspace.states import journal_of
from hpc_explorer.lineage.time.recorded import RecordedHistory, VersionMark, since_of
from hpc_explorer.rdf.terms import GraphName, Quad
from hpc_explorer.shipped import SAMPLE
from hpc_explorer.stores.base import NO_LIMITS, Limits, Store
from hpc_explorer.stores.changes.changes import ChangeSet
from hpc_explorer.stores.changes.journal import Record, records
from hpc_explorer.stores.changes.manifest import LoadedSource, Manifest
from hpc_explorer.stores.changes.source_versions import (
    SourceVersion,
    difference,
    file_time,
    read_changes,
    recorded_when,
)
from hpc_explorer.wording import counted, time_text

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.change import WorkspaceChange
    from hpc_explorer.stores.local.local import LocalStore


def with_versions(
    change: WorkspaceChange,
    before: LocalStore | None,
    replaced: Sequence[LoadedSource],
    loaded: Sequence[LoadedSource],
    *,
    limits: Limits = NO_LIMITS,
) -> list[LoadedSource]:
    """Add the earlier versions to sources that were just read. Without a difference there is no new version.

    Args:
        before: the triples before the load; None if nothing was replaced.
        replaced: the sources before the load.
        loaded: the sources in the store of `change` now.
    """
    of_graph = {source.graph: source for source in replaced}
    edited = _last_edits(change, replaced)
    now = datetime.now(UTC)
    result = []
    for number, source in enumerate(loaded):
        old = of_graph.get(source.graph)
        if old is None or before is None:
            result.append(_recorded(source, recorded_when(source.mtime_ns, None, now)))
            continue
        graphs = tuple(dict.fromkeys((*old.graphs, *source.graphs)))
        found = difference(before, change.store, graphs, limits=limits)
        if found is not None and not found:
            result.append(replace(_recorded(source, old.recorded), earlier=old.earlier))
            continue
        last = max([old.recorded, *(edited[graph] for graph in graphs if graph in edited)])
        when = recorded_when(source.mtime_ns, last, max(now, last))
        version = SourceVersion(
            old.recorded,
            old.sha256,
            old.size,
            old.triples,
            change.revision,
            None if found is None else len(found.removed),
            None if found is None else len(found.added),
            None if found is None else change.keep_changes(found, when, number),
        )
        result.append(replace(_recorded(source, when), earlier=(*old.earlier, version)))
    return result


def _recorded(source: LoadedSource, when: datetime) -> LoadedSource:
    return replace(source, since=None if when == file_time(source.mtime_ns) else when)


def _last_edits(change: WorkspaceChange, sources: Sequence[LoadedSource]) -> dict[GraphName, datetime]:
    """When the graphs of sources were edited last."""
    found: dict[GraphName, datetime] = {}
    graphs = {graph for source in sources for graph in source.graphs}
    if graphs:
        for record in change.edits_since(min(source.revision for source in sources)):
            for quad in (*record.change.removed, *record.change.added):
                if quad.graph_name in graphs:
                    found[quad.graph_name] = record.when
    return found


def history_of(
    folder: Path, manifest: Manifest, revision: int, store: Store, *, limits: Limits = NO_LIMITS
) -> RecordedHistory:
    """When each statement of a workspace was recorded.

    Args:
        revision: the last edit included in `store`.

    Raises:
        StoreError: the journal or a version's changes cannot be read.
    """
    # An edit is older than a version loaded after it.
    changes: list[tuple[int, int, datetime, ChangeSet]] = []
    known_from: dict[GraphName, datetime] = {}
    for source in manifest.sources:
        begins = [*(version.recorded for version in source.earlier[1:]), source.recorded]
        for version, begin in zip(source.earlier, begins, strict=False):
            if version.changes is None:
                known_from |= dict.fromkeys(source.graphs, begin)
            else:
                changes.append((version.revision, 1, begin, read_changes(folder, version.changes)))
    for record in records(journal_of(folder), upto=revision):
        limits.check("the history of the statements")
        changes.append((record.revision, 0, record.when, _remembered(record, manifest)))
    touches: dict[Quad, list[tuple[datetime, bool]]] = defaultdict(list)
    for _, _, when, change in sorted(changes, key=lambda one: one[:2]):
        for quads, put_in in ((change.removed, False), (change.added, True)):
            for quad in quads:
                if when >= known_from.get(quad.graph_name, when):
                    touches[quad].append((when, put_in))
    return RecordedHistory(
        since_of((source.name, _first(source), source.graphs) for source in manifest.sources),
        {quad: tuple(some) for quad, some in touches.items() if _is_stated(store, quad) is some[-1][1]},
        known_from,
        versions_of(manifest),
    )


def _remembered(record: Record, manifest: Manifest) -> ChangeSet:
    """An edit without statements of sources removed later."""

    def kept(quads: Iterable[Quad]) -> tuple[Quad, ...]:
        return tuple(quad for quad in quads if manifest.forgotten.get(quad.graph_name, 0) < record.revision)

    return ChangeSet(kept(record.change.removed), kept(record.change.added))


def _is_stated(store: Store, quad: Quad) -> bool:
    """Whether the store has a quad with this spelling; older programs removed sources without recording it."""
    graph = quad.graph_name
    return any(one == quad for one in store.match(quad.subject, quad.predicate, quad.object, graph))  # type: ignore[arg-type]  # as in the store


def _first(source: LoadedSource) -> datetime:
    return source.earlier[0].recorded if source.earlier else source.recorded


def versions_of(manifest: Manifest) -> tuple[VersionMark, ...]:
    """The versions of all sources by time."""
    found = []
    for source in manifest.sources:
        if source.name.startswith(SAMPLE) and not source.earlier:
            continue
        held: list[SourceVersion | LoadedSource] = [*source.earlier, source]
        changed: list[tuple[int | None, int | None]] = [(None, None)]
        changed += [(version.removed, version.added) for version in source.earlier]
        for number, (one, (removed, added)) in enumerate(zip(held, changed, strict=True), 1):
            found.append(VersionMark(source.name, number, one.recorded, one.triples, removed, added))
    return tuple(sorted(found, key=lambda mark: (mark.recorded, mark.source, mark.number)))


def version_notes(source: LoadedSource) -> tuple[str, ...]:
    """The versions of a source for display, one sentence each; empty if there is only one."""
    notes = []
    for number, one in enumerate(source.earlier, 1):
        changed = (
            "the next one changed more than is kept"
            if one.removed is None
            else f"the next one removed {counted(one.removed, 'statement')} and added {one.added or 0:,}"
        )
        notes.append(
            f"version {number}, recorded {time_text(one.recorded)} UTC, {counted(one.triples, 'triple')}: {changed}"
        )
    if notes:
        notes.append(f"version {len(notes) + 1}, recorded {time_text(source.recorded)} UTC, is this one")
    return tuple(notes)
