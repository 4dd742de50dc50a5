"""Load sources into a workspace, load them again, or remove them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from hpc_explorer.app.workspace.change import WorkspaceChange, changed_workspace, take_in_edits
from hpc_explorer.app.workspace.load_progress import LoadProgress, LoadSteps, Report
from hpc_explorer.app.workspace.mirroring import copied_endpoint, with_mirror
from hpc_explorer.app.workspace.source_files import (
    Content,
    SourceFile,
    checksum_of,
    source_files,
    state_of,
    without_triples,
)
from hpc_explorer.app.workspace.versions import with_versions
from hpc_explorer.errors import SourceNotFound, SourceUnreadable, UsageError
from hpc_explorer.ontology.naming import label_entries
from hpc_explorer.ontology.schema import build_schema
from hpc_explorer.ontology.shipped import shipped_ontology
from hpc_explorer.rdf.syntax.files import remove_folder
from hpc_explorer.rdf.syntax.formats import MAY_BE_EMPTY
from hpc_explorer.rdf.syntax.reading import SourceContent
from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Quad
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.stores.changes.changes import ChangeSet, net_change
from hpc_explorer.stores.changes.manifest import LoadedSource, is_workspace
from hpc_explorer.stores.columns.building import WORTH_FROM, build_columns, facts_named
from hpc_explorer.stores.columns.bulk import BULK_FROM, bulk_load, surveyed_profile
from hpc_explorer.stores.columns.facts import Facts
from hpc_explorer.stores.columns.survey import Survey
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.profile import count_profile
from hpc_explorer.stores.local.void import write_profile
from hpc_explorer.stores.names.label_index import LabelIndex
from hpc_explorer.stores.remote.mirror_record import MirrorPart, MirrorRecord
from hpc_explorer.stores.remote.web import is_web_address


@dataclass(frozen=True)
class LoadReport:
    """The result of a load.

    Args:
        loaded: the sources that were read.
        removed: the names of the sources that were removed.
        triples: the number of triples in the workspace afterwards.
        edits_kept: the number of statements of earlier edits that were applied again to sources read again.
        edits_moot: the number of those that were not: the file includes them now, or its blank nodes have changed.
        edits_gone: the number of statements that edits had added to graphs of removed sources.
        notes: remarks about the reading of each source, by its name.
        missing: what could not be read of each source, one line each, by its name.
    """

    loaded: tuple[LoadedSource, ...]
    removed: tuple[str, ...]
    triples: int
    edits_kept: int = 0
    edits_moot: int = 0
    edits_gone: int = 0
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def load_into(
    folder: Path,
    names: Sequence[str],
    *,
    remove: Sequence[str] = (),
    part: MirrorPart | None = None,
    at_most: int | None = None,
    update_address: str = "",
    known: Sequence[SourceFile] = (),
    allow_remote_contexts: bool = False,
    with_columns: bool = True,
    report: Report = lambda progress: None,
    limits: Limits = NO_LIMITS,
) -> LoadReport:
    """Load sources into a workspace, which is created if missing. After an error the workspace is unchanged.

    Args:
        names: files, folders, `sample:NAME`, or the addresses of SPARQL endpoints, which are copied; sources that are
            already loaded are read again.
        remove: the sources to remove, by their names, files or folders.
        part: the part of the one endpoint to copy; None: the part copied before, else everything.
        at_most: the maximum number of triples to copy from an endpoint; None: the usual limit.
        update_address: the endpoint's address for updates, if it cannot be derived.
        known: more files, with known paths and graphs.
        with_columns: whether to build the column tables of a large workspace; otherwise `build_columns` does it later.
        report: called with the progress.

    Raises:
        InputError: a source cannot be read, or a source to remove does not exist.
        StoreLocked: another program has the workspace open.
        ServerError: an endpoint cannot be copied.
        Cancelled, DeadlineExceeded: by `limits`.
    """
    if not names and not remove and not known:
        raise UsageError("nothing to load", str(folder), "name a file, a folder or sample:NAME")
    _check_folders(folder, names, remove)
    endpoints = [name for name in names if is_web_address(name)]
    if (part is not None or at_most is not None) and len(endpoints) != 1:
        raise UsageError("a part is copied of one endpoint", str(folder), "name one http(s) address")
    found = [file for name in names if name not in endpoints for file in source_files(name)]
    files = {file.graph: file for file in (*found, *known)}
    with changed_workspace(folder) as change, ExitStack() as closing:
        copies = [
            copied_endpoint(
                change,
                name,
                part,
                at_most,
                update_address=update_address,
                progress=lambda step, copied, total: report(LoadProgress(step, 0, 0, copied, total)),
                limits=limits,
            )
            for name in endpoints
        ]
        files |= {file.graph: file for file, _ in copies}
        mirrors = {file.graph: record for file, record in copies}
        going = [source for name in remove for source in _named(change, name)]
        again = [source for source in change.sources if source.graph in files and source not in going]
        edits, lost = _edits_in(change, again), _edits_in(change, going)
        steps = LoadSteps(sum(state_of(file.on_disk).size for file in files.values()), report)
        with change.as_before() if again else nullcontext() as before:
            _remove(change, [*going, *again])
            change.forgotten.update({graph: change.revision for source in going for graph in source.graphs})
            contents = {file.name: file.content(allow_remote_contexts) for file in files.values()}
            # Only those of a single source are those of the graph.
            keeps_facts = len(files) == 1 and not change.sources
            read = []
            for file in files.values():
                source, surveyed = _load(change, file, contents[file.name], steps, limits)
                read.append((source, surveyed))
                if surveyed is not None:
                    closing.callback(surveyed.facts.close)
                    if not keeps_facts:
                        surveyed.facts.close()
            loaded = _placed([source for source, _ in read], again, mirrors, change.revision)
            kept = take_in_edits(change.store, [edits])
            loaded = [_with_edits(change, source, kept, number) for number, source in enumerate(loaded)]
            if before is not None:
                steps.say("comparing with the versions before")
            loaded = with_versions(change, before, again, loaded, limits=limits)
        change.sources.extend(loaded)
        triples = _settle(change, read, loaded, steps, limits, is_edited=bool(kept), with_columns=with_columns)
        for graph in mirrors:
            remove_folder(files[graph].on_disk.parent)
    return LoadReport(
        tuple(loaded),
        tuple(source.name for source in going),
        triples,
        edits_kept=_size(kept),
        edits_moot=_size(edits) - _size(kept),
        edits_gone=len(lost.added),
        notes={name: tuple(content.notes) for name, content in contents.items()},
        missing={name: content.missing for name, content in contents.items()},
    )


def _check_folders(folder: Path, names: Sequence[str], remove: Sequence[str]) -> None:
    """Refuse to remove from a folder that is no workspace, and to load a workspace into another."""
    if remove and not is_workspace(folder):
        raise SourceNotFound("there is no workspace in this folder", str(folder), "check the name")
    for name in names:
        if is_workspace(Path(name)):
            raise UsageError("a workspace cannot be loaded into another", name, "load its files")


def _placed(
    sources: Sequence[LoadedSource],
    again: Sequence[LoadedSource],
    mirrors: Mapping[NamedNode, MirrorRecord],
    revision: int,
) -> list[LoadedSource]:
    """The sources with the revision of their first loading, and the origin of copies."""
    since = {source.graph: source.revision for source in again}
    return [
        replace(with_mirror(source, mirrors.get(source.graph)), revision=since.get(source.graph, revision))
        for source in sources
    ]


def _settle(
    change: WorkspaceChange,
    read: Sequence[tuple[LoadedSource, _Surveyed | None]],
    loaded: Sequence[LoadedSource],
    steps: LoadSteps,
    limits: Limits,
    *,
    is_edited: bool,
    with_columns: bool,
) -> int:
    """Settle the store and write everything for the next opening. Returns the number of triples.

    Args:
        is_edited: whether edits were applied again, so that the store differs from the files.
    """
    steps.say("comparing the sources")
    change.store.settle({graph for source in loaded for graph in source.graphs})
    only = None if is_edited else _only(change, read)
    for _, surveyed in read:
        if surveyed is not None and surveyed is not only:
            surveyed.facts.close()
    return _finish(change, only, steps, limits, with_columns=with_columns)


def _edits_in(change: WorkspaceChange, sources: Sequence[LoadedSource]) -> ChangeSet:
    """The edits of the graphs of sources that their files do not include."""
    graphs = {graph: max(source.revision, source.pushed) for source in sources for graph in source.graphs}
    if not graphs:
        return ChangeSet()

    def inside(revision: int, quads: Iterable[Quad]) -> tuple[Quad, ...]:
        return tuple(quad for quad in quads if graphs.get(quad.graph_name, revision) < revision)

    made = (
        ChangeSet(inside(record.revision, record.change.removed), inside(record.revision, record.change.added))
        for record in change.edits_since(min(graphs.values()))
    )
    return net_change([*(change.kept_changes(source.carried) for source in sources if source.carried), *made])


def _with_edits(change: WorkspaceChange, source: LoadedSource, kept: ChangeSet, number: int) -> LoadedSource:
    """A source that was read again, with the edits applied to it."""

    def inside(quads: Iterable[Quad]) -> tuple[Quad, ...]:
        return tuple(quad for quad in quads if quad.graph_name in source.graphs)

    own = ChangeSet(inside(kept.removed), inside(kept.added), "edits made before the source was read again")
    carried = change.keep_changes(own, datetime.now(UTC), f"edits-{number}") if own else None
    # Without edits `pushed` stays 0, so that older programs can read the workspace.
    return replace(source, pushed=change.revision if change.revision > source.revision else 0, carried=carried)


def begin_source(folder: Path, source: LoadedSource, *, limits: Limits = NO_LIMITS) -> None:
    """Create a workspace with one empty source.

    Raises:
        StoreLocked, OutputNotWritable: as `load_into`.
    """
    with changed_workspace(folder) as change:
        change.sources.append(source)
        _finish(change, None, LoadSteps(0, lambda progress: None), limits, with_columns=False)


def _size(change: ChangeSet) -> int:
    return len(change.removed) + len(change.added)


@dataclass(frozen=True)
class _Surveyed:
    """The survey of a file, and its facts, which the caller closes."""

    survey: Survey
    facts: Facts


def _only(change: WorkspaceChange, read: Sequence[tuple[LoadedSource, _Surveyed | None]]) -> _Surveyed | None:
    """The survey of the only source, if its counts are those of the graph: no triple is stated twice."""
    if len(change.sources) != 1 or len(read) != 1:
        return None
    (source, found), *_ = read
    store = change.store
    if found is None or found.survey.triples != source.triples or store.keeps_merge:
        return None
    # More statements than the engine stores: one value in two spellings is two statements, but one to a query.
    if not set(store.graphs()) <= set(source.graphs) or store.number_stored() != store.size().value:
        return None
    return found


def _named(change: WorkspaceChange, name: str) -> list[LoadedSource]:
    path = Path(name).absolute()
    found = [
        source
        for source in change.sources
        if source.name == name or (source.path is not None and (source.path == path or path in source.path.parents))
    ]
    if not found:
        known = ", ".join(source.name for source in change.sources) or "none"
        raise SourceNotFound("no such source in the workspace", name, f"its sources are: {known}")
    return found


def _remove(change: WorkspaceChange, going: Sequence[LoadedSource]) -> None:
    if not going:
        return
    change.sources = [source for source in change.sources if source not in going]
    kept = {graph for source in change.sources for graph in source.graphs}
    change.store.remove_graphs(
        [
            graph
            for source in going
            for graph in source.graphs
            if graph not in kept and not isinstance(graph, DefaultGraph)
        ]
    )


def _load(
    change: WorkspaceChange,
    file: SourceFile,
    content: Content,
    steps: LoadSteps,
    limits: Limits,
) -> tuple[LoadedSource, _Surveyed | None]:
    step = f"reading {file.name}"
    steps.say(step)
    before = state_of(file.on_disk)
    checksum = _Checksum(file.on_disk)
    found: _Surveyed | None = None
    graphs: frozenset[GraphName] = frozenset({file.graph})
    if (
        isinstance(content, SourceContent)
        and before.size >= BULK_FROM
        and content.is_plain
        and file.graph not in change.store.graphs()
    ):
        found = _loaded_in_bulk(change, file, content, lambda done, number: steps.say(step, done, number), limits)
    if found is None:
        graphs = load_content(
            change.store, content, file.graph, report=lambda number: steps.say(step, 0, number), limits=limits
        )
    else:
        graphs |= set(map(NamedNode, found.survey.graphs))
        if isinstance(content, SourceContent):
            content.prefixes = found.survey.prefixes
    # Of the only graph, the size of the store is asked for anyway.
    is_all = set(change.store.graphs()) == graphs and len(graphs) == 1
    triples = change.store.size().value if is_all else sum(change.store.graph_size(graph) for graph in graphs)
    if not triples and content.format not in MAY_BE_EMPTY:
        raise without_triples(content, str(file.on_disk))
    steps.done += before.size
    steps.triples += triples
    loaded = LoadedSource(
        name=file.name,
        path=file.on_disk.absolute(),
        graph=file.graph,
        graphs=tuple(sorted(graphs, key=str)),
        sha256=checksum.result(),
        size=before.size,
        mtime_ns=before.mtime_ns,
        format=content.format.name,
        triples=triples,
        prefixes=content.prefixes,
        aliases=content.aliases,
    )
    return loaded, found


def _loaded_in_bulk(
    change: WorkspaceChange,
    file: SourceFile,
    content: SourceContent,
    report: Callable[[int, int], None],
    limits: Limits,
) -> _Surveyed | None:
    """Load a plain file in bulk; None if it must be loaded statement by statement."""
    facts = Facts(change.files.columns, state_of(file.on_disk).size)
    found: Survey | None = None
    try:
        with facts_named(change.files.columns, limits):
            found = bulk_load(change.store, content, file.on_disk, file.graph, facts, report=report, limits=limits)
    finally:
        if found is None:
            facts.close()
    return None if found is None else _Surveyed(found, facts)


class _Checksum:
    """The SHA-256 of a file, computed in a thread while the file is loaded."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._value = ""
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._compute, daemon=True)
        self._thread.start()

    def _compute(self) -> None:
        try:
            self._value = checksum_of(self._path)
        except OSError as error:
            self._error = error

    def result(self) -> str:
        """The checksum in hexadecimal.

        Raises:
            SourceUnreadable: the file cannot be read to its end.
        """
        self._thread.join()
        if self._error is not None:
            raise SourceUnreadable(f"the file cannot be read ({self._error.strerror})", str(self._path), "try again")
        return self._value


def _finish(
    change: WorkspaceChange, only: _Surveyed | None, steps: LoadSteps, limits: Limits, *, with_columns: bool
) -> int:
    """Write counts, names and columns for the next opening. Returns the number of triples.

    Args:
        only: the survey of the only source, if it states no triple twice.
        with_columns: whether to build the columns of a large graph.
    """
    steps.say("ordering the triples")
    with ThreadPoolExecutor(max_workers=1) as beside:
        optimizing = beside.submit(change.store.optimize)
        steps.say("counting classes and predicates")
        profile = count_profile(change.store, limits=limits) if only is None else surveyed_profile(only.survey)
        write_profile(profile, change.files.profile)
        steps.say("indexing names")
        schema = build_schema(
            change.store,
            shipped_ontology(),
            used_classes={cls for classes in profile.type_sets for cls in classes},
            used_properties=profile.predicates,
            limits=limits,
        )
        subjects = None if only is None else only.facts.subjects()
        entries = label_entries(change.store, schema, subjects=subjects, limits=limits)
        LabelIndex(entries, change.files.labels, limits=limits).close()
        facts = None if only is None else only.facts
        if facts is None:
            steps.say("ordering the triples")
            optimizing.result()
        if with_columns and profile.quads >= WORTH_FROM:
            build_columns(change.store, change.files.columns, facts=facts, report=steps.say, limits=limits)
        steps.say("ordering the triples")
        optimizing.result()
    return profile.quads
