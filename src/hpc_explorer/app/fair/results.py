"""The results of assessments as a source of its own, to be queried.

First a file is written, then it is opened. It belongs to a resource, or to all that were assessed at once, by the name
of its graph: opened again, it takes the place of the one before. Those assessments that were kept are in it too, so
that one can ask what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from hpc_explorer.app.fair.assessing import AssessmentView, history, now
from hpc_explorer.app.fair.assessing_many import assess_many
from hpc_explorer.app.fair.places import fair_places
from hpc_explorer.app.fair.reporting import report_of_view
from hpc_explorer.app.settings import data_folder
from hpc_explorer.app.views import SourceSummary
from hpc_explorer.app.workspace.loading import load_into
from hpc_explorer.app.workspace.opening import open_files, workspace_sources
from hpc_explorer.app.workspace.session import Session, Source
from hpc_explorer.app.workspace.source_files import SourceFile
from hpc_explorer.app.workspace.workspace import OpenWorkspace
from hpc_explorer.canvas.text import brief
from hpc_explorer.errors import OutputNotWritable, Unsupported
from hpc_explorer.fair.history import History, Kept, read_history
from hpc_explorer.fair.ladder import ladder
from hpc_explorer.fair.readings import HYBRID, Reading
from hpc_explorer.fair.reports.graph import OWN, result_statements
from hpc_explorer.fair.reports.report import Report
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.rdf.syntax.formats import N_TRIPLES
from hpc_explorer.rdf.syntax.writing import write_quads
from hpc_explorer.rdf.terms import DefaultGraph, GraphName, NamedNode, Quad, Resource, iri_text
from hpc_explorer.stores.base import NO_LIMITS, Limits, Progress, no_progress

_GRAPHS = f"{OWN}results/"
_LONGEST_LABEL = 48
_DEFAULT = DefaultGraph()


def is_results(graph: GraphName) -> bool:
    """Whether a source with this graph is results of assessments."""
    return isinstance(graph, NamedNode) and graph.value.startswith(_GRAPHS)


def assessed_sources(session: Session) -> tuple[Source, ...]:
    """The open sources without those of results."""
    return tuple(source for source in session.opened if not is_results(source.summary.graph))


def why_not_to_open_results(session: Session) -> str | None:
    """Why results cannot be opened beside the sources, as a sentence; None if they can."""
    if session.workspace is not None:
        return session.workspace.read_only_reason
    if session.store.capabilities.remote:
        return "an endpoint is opened by itself: save the results as statements, and open the file"
    return None


def write_results(session: Session, view: AssessmentView, *, limits: Limits = NO_LIMITS) -> SourceFile:
    """Write the results of an assessment and of the stored ones of its resource.

    Raises:
        Unsupported: nothing can be opened beside what is open, as `why_not_to_open_results` says.
        SourceUnreadable: the history may not be read.
        OutputNotWritable: they cannot be written.
    """

    def reports() -> Iterator[Report]:
        yield report_of_view(view)
        yield from map(_report_of_kept, history(session, view.resource, limits=limits))

    # A label is shown as a file's name is, and what stands before a slash would be taken for its folder.
    label = brief(view.ref.label, _LONGEST_LABEL).replace("/", "∕")
    day = f"{view.assessment.when.astimezone():%Y-%m-%d}"
    return _written(session, iri_text(view.resource), f"FAIR results of {label}, {day}", reports())


def write_all_results(
    session: Session,
    resources: Sequence[Resource],
    *,
    reading: Reading = HYBRID,
    online: bool = False,
    progress: Callable[[int, int], None] = lambda done, of: None,
    limits: Limits = NO_LIMITS,
) -> SourceFile:
    """Assess many resources, and write the results with those of their stored assessments.

    Args:
        progress: told after each how many are done, of how many.

    Raises:
        Unsupported, SourceUnreadable, OutputNotWritable: as `write_results`.
        WrongAnswers, StoreError, Cancelled, DeadlineExceeded: as `assess_many`; nothing is written.
    """
    kept = _Histories(session, limits)

    def reports() -> Iterator[Report]:
        for view in assess_many(session, resources, reading=reading, online=online, progress=progress, limits=limits):
            yield report_of_view(view)
            yield from map(_report_of_kept, kept.of(view.resource))

    return _written(session, "", f"FAIR results, {now().astimezone():%Y-%m-%d}", reports())


def open_results(
    session: Session, file: SourceFile, *, progress: Progress = no_progress, limits: Limits = NO_LIMITS
) -> SourceSummary:
    """Open results as a source, replacing earlier ones; a workspace keeps them.

    Raises:
        Unsupported: nothing can be opened beside what is open, as `why_not_to_open_results` says.
        InputError, StoreError, Cancelled, DeadlineExceeded: they cannot be read; what is open is as it was.
    """
    _check(session)
    if session.workspace is None:
        return open_files(session, [file], progress=progress, limits=limits)[0]
    problem: BaseException | None = None
    with session.changing() as sources:
        folder = session.workspace.folder
        session.show_workspace(None)
        try:
            progress(f"loading {file.name}", None)
            load_into(folder, (), known=[file], limits=limits)
        except BaseException as error:  # noqa: BLE001  raised below: the workspace is shown again first, and all told
            problem = error
        workspace = OpenWorkspace.open(folder, alone=True)
        sources.clear()
        sources.update(workspace_sources(workspace))
        session.inference = None
        session.show_workspace(workspace)
    if problem is not None:
        raise problem
    progress("done", 1.0)
    return next(source for source in session.sources if source.graph == file.graph)


def _check(session: Session) -> None:
    reason = why_not_to_open_results(session)
    if reason is not None:
        raise Unsupported(reason, ", ".join(source.name for source in session.sources), "")


def _written(session: Session, about: str, name: str, reports: Iterator[Report]) -> SourceFile:
    """Write the results of one resource, or of all."""
    _check(session)
    graph = NamedNode(f"{_GRAPHS}{_key(about) if about else 'all'}")
    quads = (Quad(*said, _DEFAULT) for said in result_statements(reports))
    path = _place(session, about)
    with atomic_output(path) as stream:
        write_quads(quads, stream, N_TRIPLES, streamed=True)
    return SourceFile(name, path, graph)


def _place(session: Session, about: str) -> Path:
    """The file of results; that of a workspace is in its folder, others depend on what is open."""
    if session.workspace is not None:
        folder, name = session.workspace.folder / "fair-results", _key(about)
    else:
        graphs = (source.summary.graph.value for source in assessed_sources(session))
        folder, name = data_folder() / "fair" / "results", _key("\n".join((about, *sorted(graphs))))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputNotWritable(
            f"the folder cannot be made ({error.strerror})", str(folder), "make room there"
        ) from None
    return folder / f"{name}.nt"


def _key(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _report_of_kept(kept: Kept) -> Report:
    decided = kept.decided
    return Report(kept.assessment, decided, kept.score, ladder(decided), kept.reading)


class _Histories:
    """The stored assessments of many resources; each file is read once."""

    def __init__(self, session: Session, limits: Limits) -> None:
        self._session, self._limits = session, limits
        self._read: dict[Path, History] = {}

    def of(self, resource: Resource) -> tuple[Kept, ...]:
        if not isinstance(resource, NamedNode):
            return ()
        path = fair_places(self._session, resource, limits=self._limits).history
        if path not in self._read:
            self._read[path] = read_history(path)
        return self._read[path].of(resource)
