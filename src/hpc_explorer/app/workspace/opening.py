"""Open sources: files into a named graph each, a workspace, or an endpoint; all of them, or none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from hpc_explorer.app.views import SourceSummary
from hpc_explorer.app.workspace.session import Session, Source
from hpc_explorer.app.workspace.source_files import (
    SourceFile,
    graph_of_address,
    source_files,
    state_of,
    without_triples,
)
from hpc_explorer.app.workspace.versions import version_notes
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.errors import (
    SourceNotFound,
    Unsupported,
    UsageError,
)
from hpc_explorer.interchange.foreign import ForeignContent
from hpc_explorer.lineage.facts.content import ALGORITHMS, digest
from hpc_explorer.ontology.inference import withdraw
from hpc_explorer.rdf.aliases import NO_ALIASES
from hpc_explorer.rdf.namespaces import WELL_KNOWN
from hpc_explorer.rdf.syntax.formats import MAY_BE_EMPTY, TRIG
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import BlankNode, DefaultGraph, GraphName, NamedNode, Quad, Resource
from hpc_explorer.shipped import SAMPLE
from hpc_explorer.stores.base import NO_LIMITS, Count, Limits, Progress, Store, no_progress
from hpc_explorer.stores.changes.manifest import is_workspace
from hpc_explorer.stores.changes.source_versions import file_time
from hpc_explorer.stores.local.loading import load_content
from hpc_explorer.stores.local.local import LocalStore
from hpc_explorer.stores.protocol.answer_cache import AnswerCache, cache_file
from hpc_explorer.stores.protocol.credentials import Credentials, split_credentials
from hpc_explorer.stores.protocol.logins import find_login
from hpc_explorer.stores.remote.remote import RemoteStore
from hpc_explorer.stores.remote.web import WebDocument, is_web_address, open_address
from hpc_explorer.wording import counted

_MOST_CHECKSUMS = 1_000_000
"""The most checksums that are compared when sources are opened."""

_MOST_CHECKSUMS_AT_ONCE = 20_000
"""The same for a workspace, which opens at once: these take about a tenth of a second."""


def open_sources(
    session: Session,
    names: Sequence[str],
    *,
    allow_remote_contexts: bool = False,
    skip_damaged: bool = False,
    keep_workspace: bool = False,
    credentials: Credentials | None = None,
    refresh: bool = False,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> tuple[SourceSummary, ...]:
    """Open sources beside the open ones; an open source is read again.

    Args:
        names: files, folders, `sample:NAME`, http(s) addresses of documents, or `redis://HOST:PORT/STREAM`; or one
            workspace or one SPARQL endpoint alone.
        keep_workspace: whether to keep other programs from changing the workspace while it is open.
        credentials: for the servers; None: stored credentials are used if a server requires them.
        allow_remote_contexts: whether unknown JSON-LD contexts may be downloaded.
        skip_damaged: whether to skip statements with syntax errors; they are listed in `SourceSummary.missing`.
        refresh: whether to ignore cached answers.
        progress: called for each file.
        limits: the deadline also applies to later requests to an endpoint.

    Raises:
        InputError: a source cannot be opened; the graph is unchanged.
        ServerError: a server fails; the graph is unchanged.
    """
    if any(is_workspace(Path(name)) for name in names if not is_web_address(name)):
        return (*_open_workspace(session, names, keep_workspace, progress),)
    if session.workspace is not None:
        raise UsageError(
            "a workspace cannot be combined with other sources",
            str(session.workspace.folder),
            "load the other sources into it",
        )
    found = [item for name in names for item in _found(name, credentials, refresh, progress, limits)]
    endpoints = [item for item in found if isinstance(item, RemoteStore)]
    if endpoints:
        return (_open_endpoint(session, endpoints, alone=len(found) == 1, limits=limits),)
    files = [item for item in found if isinstance(item, SourceFile)]
    return open_files(
        session,
        files,
        allow_remote_contexts=allow_remote_contexts,
        skip_damaged=skip_damaged,
        progress=progress,
        limits=limits,
    )


def open_files(
    session: Session,
    found: Sequence[SourceFile],
    *,
    allow_remote_contexts: bool = False,
    skip_damaged: bool = False,
    progress: Progress = no_progress,
    limits: Limits = NO_LIMITS,
) -> tuple[SourceSummary, ...]:
    """Open files with known graphs beside the open sources; an open source is read again.

    Raises:
        InputError: a file cannot be opened, or an endpoint is open; the graph is unchanged.
    """
    store = session.local_store
    files = {file.graph: file for file in found}
    again = [file for file in files.values() if any(file.graph == open_.summary.graph for open_ in session.opened)]
    for file in again:
        # Keep the open source until its new content is known to be valid.
        for _ in file.content(allow_remote_contexts, skip_damaged=skip_damaged).quads():
            pass
    with session.changing() as sources:
        new: dict[NamedNode, Source] = {}
        loaded: set[GraphName] = set()
        try:
            for number, file in enumerate(file for file in files.values() if file not in again):
                limits.check("opening the sources")
                progress(f"reading {file.name}", number / len(files))
                new[file.graph] = _load(session, file, allow_remote_contexts, skip_damaged, limits)
                loaded |= set(new[file.graph].graphs)
        except BaseException:
            store.remove_graphs(_only_in(new, sources))
            raise
        for file in again:
            store.remove_graphs(_only_in({file.graph: sources.pop(file.graph)}, sources))
            new[file.graph] = _load(session, file, allow_remote_contexts, skip_damaged, limits)
            loaded |= set(new[file.graph].graphs)
        _withdraw_inferred(session)
        progress("comparing the sources", None)
        store.settle(loaded)
        sources.update((graph, new[graph]) for graph in files)
        _note_same_content(store, sources, limits)
        opened = tuple(sources[graph].summary for graph in files)
    progress("done", 1.0)
    return opened


def open_statements(
    session: Session,
    quads: Iterable[Quad],
    name: str,
    prefixes: Mapping[str, str] = WELL_KNOWN,
    *,
    limits: Limits = NO_LIMITS,
) -> SourceSummary:
    """Open statements that a program made, beside the open sources; they have no file, so they are not edited.

    Args:
        name: shown as the name of the source; a source of the same name is replaced.

    Raises:
        UnknownFormat: there are no statements.
        UsageError: an endpoint or a workspace is open.
    """
    written = BytesIO()
    write_quads(quads, written, TRIG, prefixes)
    graph = NamedNode(f"urn:hpc-explorer:statements:{quote(name, safe='')}")
    document = WebDocument(name, graph.value, written.getvalue(), TRIG.media_types[0])
    return open_files(session, [SourceFile(name, None, graph, document)], limits=limits)[0]


def _note_same_content(
    store: Store, sources: dict[NamedNode, Source], limits: Limits, most: int = _MOST_CHECKSUMS
) -> None:
    """Note in each source which other sources have the same files; notes of an earlier opening are replaced."""
    if len(sources) < 2:
        return
    graphs = {one.summary.name: one.graphs for one in sources.values()}
    notes = same_content_notes(store, graphs, most=most, limits=limits)
    for graph, source in sources.items():
        kept = tuple(note for note in source.summary.notes if not note.endswith(HOW_TO_FOLLOW))
        summary = replace(source.summary, notes=(*kept, *notes.get(source.summary.name, ())))
        sources[graph] = replace(source, summary=summary)


def _open_workspace(
    session: Session, names: Sequence[str], keep: bool, progress: Progress
) -> tuple[SourceSummary, ...]:
    if len(names) > 1 or session.opened:
        raise UsageError(
            "a workspace is opened alone",
            next(name for name in names if is_workspace(Path(name))),
            "load the other sources into it, or close them",
        )
    progress("opening the workspace", None)
    with session.changing() as sources:
        workspace = OpenWorkspace.open(Path(names[0]), alone=keep)
        sources.update(workspace_sources(workspace))
        session.show_workspace(workspace)
        _note_same_content(session.store, sources, NO_LIMITS, _MOST_CHECKSUMS_AT_ONCE)
    progress("done", 1.0)
    return session.sources


def workspace_sources(workspace: OpenWorkspace) -> dict[NamedNode, Source]:
    """The sources of a workspace, by the graph of each."""
    return {
        loaded.graph: Source(
            summary=SourceSummary(
                name=loaded.name,
                graph=loaded.graph,
                triples=Count(loaded.triples),
                format=loaded.format,
                aliases=loaded.aliases.namespaces,
                notes=(*(() if loaded.mirror is None else (str(loaded.mirror),)), *version_notes(loaded)),
            ),
            path=loaded.path,
            graphs=loaded.graphs,
            prefixes=dict(loaded.prefixes),
            aliases=loaded.aliases,
            recorded=None if loaded.name.startswith(SAMPLE) and not loaded.earlier else loaded.recorded,
        )
        for loaded in workspace.sources
    }


def close_source(session: Session, graph: NamedNode) -> None:
    """Close a source and remove its graphs, except those shared with another source.

    Raises:
        SourceNotFound: no such source is open.
        Unsupported: it belongs to a workspace.
    """
    with session.changing() as sources:
        if session.workspace is not None:
            raise Unsupported(
                "a source of a workspace cannot be closed, only removed permanently",
                graph.value,
                f"hpc-explorer load --remove SOURCE --into {session.workspace.folder}",
            )
        if graph not in sources:
            raise SourceNotFound("this source is not open", graph.value, "name one that is")
        closing = {graph: sources.pop(graph)}
        _withdraw_inferred(session)
        if isinstance(session.store, LocalStore):
            session.store.remove_graphs(_only_in(closing, sources))
        else:
            session.store.close()
            session.store = LocalStore.in_memory()


def close_workspace(session: Session) -> None:
    """Close the workspace that is shown; its content does not change."""
    with session.changing() as sources:
        sources.clear()
        session.show_workspace(None)


def _open_endpoint(session: Session, endpoints: Sequence[RemoteStore], *, alone: bool, limits: Limits) -> SourceSummary:
    """Show an endpoint in the session."""
    endpoint = endpoints[0]
    if not alone or session.opened:
        for other in endpoints:
            other.close()
        raise UsageError("an endpoint is opened by itself", endpoint.address, "open it without other sources")
    with session.changing() as sources:
        try:
            graph, size = graph_of_address(endpoint.address), endpoint.size(limits=limits)
            summary = SourceSummary(endpoint.address, graph, size, "SPARQL endpoint")
        except BaseException:
            endpoint.close()
            raise
        sources[summary.graph] = Source(summary, None, (), {}, NO_ALIASES)
        session.store.close()
        session.store = endpoint
    return summary


def _withdraw_inferred(session: Session) -> None:
    """Remove inferred statements, because the sources they follow from have changed."""
    if session.inference is not None:
        session.inference = None
        withdraw(session.local_store)


def _only_in(going: dict[NamedNode, Source], staying: dict[NamedNode, Source]) -> list[NamedNode | BlankNode]:
    kept = {graph for source in staying.values() for graph in source.graphs}
    return [
        graph
        for source in going.values()
        for graph in source.graphs
        if graph not in kept and not isinstance(graph, DefaultGraph)
    ]


def _load(
    session: Session, file: SourceFile, allow_remote_contexts: bool, skip_damaged: bool, limits: Limits
) -> Source:
    is_on_disk = file.path is not None and not file.name.startswith(SAMPLE)
    recorded = file_time(state_of(file.on_disk).mtime_ns) if is_on_disk else None
    content = file.content(allow_remote_contexts, skip_damaged=skip_damaged)
    graphs = load_content(session.local_store, content, file.graph, limits=limits)
    triples = sum(1 for graph in graphs for _ in session.store.match(graph=graph))
    if not triples and content.format not in MAY_BE_EMPTY:
        raise without_triples(content, file.name)
    return Source(
        summary=SourceSummary(
            name=file.name,
            graph=file.graph,
            triples=Count(triples),
            format=content.format.name,
            aliases=content.aliases.namespaces,
            notes=(*content.notes, *_notes(file)),
            missing=content.missing,
        ),
        path=file.path,
        graphs=tuple(graphs),
        prefixes=content.prefixes,
        aliases=content.aliases,
        recorded=recorded,
        ends=content.ends if isinstance(content, ForeignContent) else {},
        stream=file.stream,
    )


def _notes(file: SourceFile) -> tuple[str, ...]:
    return (file.web.note,) if file.web is not None and file.web.note else ()


def _found(
    name: str, credentials: Credentials | None, refresh: bool, progress: Progress, limits: Limits
) -> Iterator[SourceFile | RemoteStore]:
    if not is_web_address(name):
        yield from source_files(name)
        return
    shown, _ = split_credentials(name)
    progress(f"asking {shown}", None)

    def told(come: int, total: int | None) -> None:
        progress(f"downloading {shown} ({come / 2**20:,.1f} MiB)", come / total if total else None)

    file = cache_file()
    cache = AnswerCache(file) if file is not None else None
    opened = open_address(
        name, credentials=credentials, login=find_login, cache=cache, refresh=refresh, progress=told, limits=limits
    )
    if isinstance(opened, RemoteStore):
        yield opened
    else:
        yield SourceFile(opened.address, None, graph_of_address(opened.address), opened)


def same_content_notes(
    store: Store,
    sources: Mapping[str, Sequence[GraphName]],
    *,
    most: int = _MOST_CHECKSUMS,
    limits: Limits = NO_LIMITS,
) -> dict[str, tuple[str, ...]]:
    """For each source, a sentence for each other source that has a file with the same checksum under another name.

    The resources are not joined: a lineage follows them where the user asks for it, as matched by value.

    Args:
        sources: the graphs of each source, by its name.
        most: the maximum number of checksums to compare; with more, the number of files is "at least".
    """
    source_of = {graph: name for name, graphs in sources.items() for graph in graphs}
    found: dict[tuple[str, str], dict[str, set[Resource]]] = defaultdict(lambda: defaultdict(set))
    quads = (quad for predicate in ALGORITHMS for quad in store.match(None, predicate, limits=limits))
    compared = 0
    for quad in islice(quads, most):
        compared += 1
        known, source = digest(quad), source_of.get(quad.graph_name)
        if known is not None and source is not None:
            found[known][source].add(quad.subject)  # type: ignore[arg-type]  # see digest
    shared: dict[tuple[str, str], set[Resource]] = defaultdict(set)
    for by_source in found.values():
        for one, resources in by_source.items():
            for other, others in by_source.items():
                if one != other and resources != others:
                    shared[one, other] |= resources
    notes: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for (one, other), resources in shared.items():
        files = ("at least " if compared == most else "") + counted(len(resources), "file")
        has = "has" if len(resources) == 1 else "have"
        notes[one] += (f"{files} {has} the same content as in {other} (by checksum); {HOW_TO_FOLLOW}",)
    return dict(notes)


HOW_TO_FOLLOW = "to follow it in a lineage, use --match-content, or View > Join what has the same content"
