"""The window's questions to the session: each runs in a thread, and only the latest answer of its kind counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from hpc_explorer.app import operations
from hpc_explorer.app.answer import Answer
from hpc_explorer.app.commands import source_title
from hpc_explorer.app.jobs import JobContext, Jobs
from hpc_explorer.app.operations.class_filter import ShownClasses
from hpc_explorer.app.operations.class_view import ClassChoice, ClassPicture
from hpc_explorer.app.operations.comparing import Alike, alike
from hpc_explorer.app.operations.picturing import Drawing, write_drawing
from hpc_explorer.app.operations.tracing import lineage_timeline, recorded_lineage
from hpc_explorer.app.phase_views import FoldedLineage, PhaseView
from hpc_explorer.app.session import Session
from hpc_explorer.app.views import (
    ClassNode,
    ExportReport,
    ProofStep,
    PropertyView,
    ResourcePage,
    ResourceRef,
    ResourceView,
    SearchResult,
    SourceSummary,
    TermCount,
)
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.lineage.recorded import RecordedTimeline
from hpc_explorer.lineage.timeline import Timeline
from hpc_explorer.lineage.trace import Lineage, Stop
from hpc_explorer.ontology.schema import DomainReason
from hpc_explorer.rdf.terms import GraphName, NamedNode, Resource, Triple
from hpc_explorer.stores.base import Count
from hpc_explorer.ui.ask_questions import AskQuestions
from hpc_explorer.ui.graph_questions import GraphQuestions
from hpc_explorer.ui.jobs_bridge import Channel, Failed, JobsBridge
from hpc_explorer.ui.navigator import Place
from hpc_explorer.ui.question_library import QuestionLibrary
from hpc_explorer.ui.session_changes import SessionChanges
from hpc_explorer.ui.sparql_questions import SparqlQuestions

T = TypeVar("T")

MOST_LISTED = 20_000
"""How many values of one property are listed at once."""


@dataclass(frozen=True)
class Overview:
    """What the window shows of the graph as a whole.

    Args:
        triples: how many there are, those that were inferred not among them.
        inferred: how many of those there are besides.
    """

    sources: tuple[SourceSummary, ...]
    triples: Count
    inferred: int
    classes: tuple[ClassNode, ...]


@dataclass(frozen=True)
class Described:
    """All that is said of a resource; of a class, the properties of its instances too, and why each is one."""

    view: ResourceView
    fields: tuple[tuple[TermCount, DomainReason], ...] = ()


@dataclass(frozen=True)
class Traced:
    """A lineage, its picture, and the names of all that is in it.

    Args:
        phases: what is in sight of it where it is folded up by phases.
    """

    lineage: Lineage
    scene: Scene
    refs: Mapping[Resource, ResourceRef]
    phases: PhaseView | None = None


@dataclass(frozen=True)
class Recorded:
    """All that was ever recorded of a lineage, since when, and its picture."""

    timeline: RecordedTimeline
    scene: Scene


class SessionBridge(QObject):
    """Asks `app.operations` about one session.

    Attributes:
        jobs: runs the questions.
        graph_view: the questions of the graph view.
        sparql: those of the SPARQL editor.
        ask_view: those of the tab Ask.
        library: those about ready questions, and a user's own.
        changes: what is opened, closed and inferred.
        match_content: whether a lineage goes on through things with the same content.

    Signals:
        graph_changed(): sources were opened or closed, or the graph was changed.
    """

    graph_changed = Signal()
    _changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.match_content = False
        self.jobs = JobsBridge(Jobs(), self)
        self._channels = {
            name: Channel(self.jobs)
            for name in (
                "overview",
                "resource",
                "picture",
                "classes",
                "tree",
                "search",
                "instances",
                "values",
                "answer",
                "timeline",
            )
        }
        self._own_channels: list[Channel] = []
        self.graph_view = GraphQuestions(session, self.jobs)
        self.sparql = SparqlQuestions(session, self.jobs)
        self.ask_view = AskQuestions(session, self.jobs)
        self.library = QuestionLibrary(session, self.jobs, self)
        self.changes = SessionChanges(session, self.jobs, self._drop_questions)
        self._told = session.generation
        self._changed.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = session.subscribe(lambda change: self._changed.emit())

    @property
    def is_busy(self) -> bool:
        """Whether an answer, or the notice of a change, has yet to come."""
        return self.jobs.is_busy or self._told != self._session.generation

    @property
    def is_empty(self) -> bool:
        """Whether nothing is open."""
        return not self._session.sources

    @property
    def sources(self) -> tuple[SourceSummary, ...]:
        """What is open."""
        return self._session.sources

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names that the sources were opened by; the file itself, where there is one."""
        return tuple(
            source.summary.name
            if source.path is None or source.summary.name.startswith("sample:")
            else str(source.path)
            for source in self._session.opened
        )

    @property
    def workspace(self) -> Path | None:
        """The folder of the workspace that is open; None where there is none."""
        return self._session.workspace.folder if self._session.workspace is not None else None

    @property
    def is_shared(self) -> bool:
        """Whether another program may change the workspace that is open, so that this one cannot."""
        return self._session.workspace is not None and not self._session.workspace.alone

    @property
    def is_remote(self) -> bool:
        """Whether an endpoint is open."""
        return self._session.store.capabilities.remote

    @property
    def is_offline(self) -> bool:
        """Whether the endpoint could not be reached just now."""
        return self._session.is_offline

    @property
    def answers_age(self) -> timedelta | None:
        """How old the oldest kept answer of the endpoint is that was shown; None if all came now."""
        return self._session.answers_age()

    @property
    def is_inferred(self) -> bool:
        """Whether what follows from the graph has been inferred."""
        return self._session.inference is not None

    @property
    def graph_names(self) -> Mapping[GraphName, str]:
        """The name of the source that each graph was read from."""
        return {source.graph: source_title(source.name) for source in self._session.sources}

    def close(self) -> None:
        """Stop everything and give back the store."""
        self._unsubscribe()
        self.jobs.close()
        self._session.close()

    # Questions

    def channel(self) -> Channel:
        """A channel of a widget's own. What is asked on it is dropped when the graph is closed."""
        made = Channel(self.jobs)
        self._own_channels.append(made)
        return made

    def ask(
        self,
        channel: Channel,
        title: str,
        work: Callable[[Session, JobContext], T],
        done: Callable[[T], None],
        failed: Failed | None = None,
    ) -> None:
        """Have something found out about the session, in place of what was asked on the channel before."""
        channel.ask(title, lambda context: work(self._session, context), done, failed)

    def _drop_questions(self) -> None:
        """Wait for no answer of the graph that is going to be closed."""
        for channel in (*self._channels.values(), *self._own_channels):
            channel.drop()
        self.graph_view.drop()
        self.sparql.drop()
        self.ask_view.drop()
        self.library.drop()

    def ask_overview(self, done: Callable[[Overview], None], *, with_inferred: bool = True) -> None:
        """The sources, the size and the classes of the graph, these also where they only follow to be or not."""

        def work(context: JobContext) -> Overview:
            session = self._session
            classes = operations.class_tree(session, with_inferred=with_inferred, limits=context.limits)
            size = session.store.size(limits=context.limits)
            inferred = session.inference.triples if session.inference else 0
            return Overview(session.sources, Count(size.value - inferred, size.kind), inferred, classes)

        self._channels["overview"].ask("Count the classes", work, done)

    def ask_resource(self, resource: Resource, done: Callable[[Described], None], failed: Failed) -> None:
        """All that the graph says about a resource."""

        def work(context: JobContext) -> Described:
            view = operations.describe_resource(self._session, resource, limits=context.limits)
            if (
                not isinstance(resource, NamedNode)
                or resource not in self._session.schema(limits=context.limits).classes
            ):
                return Described(view)
            return Described(view, operations.properties_for(self._session, resource, limits=context.limits))

        self._channels["resource"].ask("Describe the resource", work, done, failed)

    def ask_values(
        self, resource: Resource, one: PropertyView, incoming: bool, done: Callable[[PropertyView], None]
    ) -> None:
        """All values of one property, or all links of one kind that come in, as many as can be listed."""

        def work(context: JobContext) -> PropertyView:
            view = operations.describe_resource(
                self._session, resource, values_per_property=MOST_LISTED, limits=context.limits
            )
            listed = view.incoming if incoming else view.outgoing
            return next((other for other in listed if other.predicate == one.predicate), one)

        self._channels["values"].ask(f"List all {one.label}", work, done)

    def ask_why(self, triple: Triple, done: Callable[[tuple[ProofStep, ...]], None]) -> None:
        """The proof of an inferred statement."""

        def work(context: JobContext) -> tuple[ProofStep, ...]:
            proof = operations.explain(self._session, triple, limits=context.limits)
            return operations.proof_steps(self._session, proof, limits=context.limits)

        self._channels["values"].ask("Find out why", work, done)

    def ask_instances(self, cls: NamedNode, offset: int, done: Callable[[ResourcePage], None]) -> None:
        """A page of the instances of a class."""

        def work(context: JobContext) -> ResourcePage:
            return operations.instances_of(self._session, cls, offset=offset, limits=context.limits)

        self._channels["instances"].ask("List the instances", work, done)

    def ask_search(self, text: str, done: Callable[[SearchResult], None], failed: Failed) -> None:
        """What a text may mean."""

        def work(context: JobContext) -> SearchResult:
            return operations.search(self._session, text, limits=context.limits)

        self._channels["search"].ask("Search", work, done, failed)

    def ask_neighbours(self, resource: Resource, done: Callable[[Scene], None], failed: Failed) -> None:
        """A resource among its neighbours."""

        def work(context: JobContext) -> Scene:
            return operations.neighbourhood_scene(self._session, resource, limits=context.limits)

        self._channels["picture"].ask("Draw the neighbours", work, done, failed)

    def prepare_classes(self, work: Callable[[], ShownClasses], done: Callable[[ShownClasses], None]) -> None:
        """Filter the classes."""
        self._channels["tree"].ask("Filter the classes", lambda _: work(), done)

    def ask_classes(
        self, tree: Sequence[ClassNode], choice: ClassChoice, done: Callable[[ClassPicture], None], failed: Failed
    ) -> None:
        """The picture of the classes."""

        def work(context: JobContext) -> ClassPicture:
            return operations.class_picture(self._session, tree, choice, limits=context.limits)

        self._channels["classes"].ask("Draw the classes", work, done, failed)

    def ask_lineage(
        self, place: Place, done: Callable[[Traced], None], failed: Failed, *, is_open: frozenset[str] = frozenset()
    ) -> None:
        """Where the place's resource comes from, or what came of it.

        Args:
            is_open: the keys of what is open, where it is folded up by phases.
        """
        if place.focus is None:
            raise ValueError("a lineage is that of a resource")
        resource, whole, match_content = place.focus, place.whole, self.match_content

        def work(context: JobContext) -> Traced:
            lineage = operations.trace_lineage(
                self._session,
                resource,
                downstream=place.downstream,
                depth=place.depth,
                match_content=match_content,
                limits=context.limits,
            )
            phased = place.phases
            if phased is None:
                phased = not whole and operations.phases_serve(self._session, lineage, limits=context.limits)
            if phased and len(lineage.nodes) > 1:
                folded = operations.fold_lineage(self._session, lineage, limits=context.limits)
                view = operations.phase_view(self._session, folded, is_open, with_facts=False, limits=context.limits)
                return Traced(lineage, operations.phase_scene(view), folded.refs, view)
            scene = operations.lineage_scene(
                self._session, lineage, with_setting=whole, with_shortcuts=whole, limits=context.limits
            )
            refs = operations.references(self._session, list(lineage.nodes), limits=context.limits)
            return Traced(lineage, scene, refs)

        self._channels["picture"].ask("Trace the lineage", work, done, failed)

    def ask_timeline(self, lineage: Lineage, done: Callable[[Timeline], None], failed: Failed) -> None:
        """What is known of each resource of a lineage at any moment."""
        self._channels["timeline"].ask(
            "Look up times",
            lambda context: lineage_timeline(self._session, lineage, limits=context.limits),
            done,
            failed,
        )

    def ask_recorded(self, lineage: Lineage, place: Place, done: Callable[[Recorded], None], failed: Failed) -> None:
        """All that was ever recorded of a lineage, since when, and its picture."""
        match_content = self.match_content

        def work(context: JobContext) -> Recorded:
            timeline = recorded_lineage(
                self._session, lineage, depth=place.depth, match_content=match_content, limits=context.limits
            )
            scene = operations.lineage_scene(
                self._session,
                timeline.lineage,
                with_setting=place.whole,
                with_shortcuts=place.whole,
                limits=context.limits,
            )
            return Recorded(timeline, scene)

        self._channels["timeline"].ask("Look up what was recorded", work, done, failed)

    def drop_timeline(self) -> None:
        """Wait for no times any more."""
        self._channels["timeline"].drop()

    def ask_phases(
        self,
        folded: FoldedLineage,
        is_open: frozenset[str],
        done: Callable[[PhaseView], None],
        failed: Failed,
        *,
        with_facts: bool,
    ) -> None:
        """What is in sight of a folded lineage; with all that is to be said of its sections, or what is known of it."""

        def work(context: JobContext) -> PhaseView:
            return operations.phase_view(self._session, folded, is_open, with_facts=with_facts, limits=context.limits)

        self._channels["picture"].ask("Open the phases", work, done, failed)

    def ask_phases_as_of(
        self,
        place: Place,
        is_open: frozenset[str],
        at: datetime,
        done: Callable[[PhaseView | None], None],
        failed: Failed,
    ) -> None:
        """The place's lineage as of a moment, folded up by phases; None if its resource was not there yet."""
        if place.focus is None:
            raise ValueError("a lineage is that of a resource")
        resource, match_content = place.focus, self.match_content

        def work(context: JobContext) -> PhaseView | None:
            lineage = operations.trace_lineage(
                self._session,
                resource,
                downstream=place.downstream,
                depth=place.depth,
                as_of=at,
                match_content=match_content,
                limits=context.limits,
            )
            if lineage.nodes[resource].stop is Stop.NOT_YET:
                return None
            folded = operations.fold_lineage(self._session, lineage, as_of=at, limits=context.limits)
            return operations.phase_view(self._session, folded, is_open, with_facts=False, limits=context.limits)

        self._channels["picture"].ask("Fold up the lineage as it was", work, done, failed)

    def ask_answer(
        self,
        title: str,
        question: Callable[[Session, JobContext], Answer],
        done: Callable[[Answer], None],
        failed: Failed,
    ) -> None:
        """What a question finds that is shown as an answer."""
        self._channels["answer"].ask(title, lambda context: question(self._session, context), done, failed)

    def ask_alike(self, resource: Resource, done: Callable[[Alike], None]) -> None:
        """What a resource may be compared with."""
        self._channels["values"].ask(
            "Find others of its class", lambda context: alike(self._session, resource, limits=context.limits), done
        )

    def drop_answer(self) -> None:
        """Wait for no answer any more that is to be shown as one."""
        self._channels["answer"].drop()

    def drop_search(self) -> None:
        """Wait for no search any more."""
        self._channels["search"].drop()

    def drop_picture(self) -> None:
        """Wait for no picture any more."""
        self._channels["picture"].drop()

    def drop_classes(self) -> None:
        """Wait for no picture of the classes any more."""
        self._channels["classes"].drop()

    def drop_resource(self) -> None:
        """Wait for no description any more."""
        self._channels["resource"].drop()

    # Files

    def export_graph(
        self,
        path: Path,
        resources: Sequence[Resource],
        done: Callable[[ExportReport], None],
        failed: Failed,
    ) -> None:
        """Write the whole graph, or some resources with what belongs to them."""

        def work(context: JobContext) -> ExportReport:
            return operations.export_graph(self._session, path, resources=tuple(resources), limits=context.limits)

        self.jobs.run(f"Export to {path.name}", work, done, failed)

    def export_lineage(
        self,
        path: Path,
        lineage: Lineage,
        done: Callable[[ExportReport], None],
        failed: Failed,
    ) -> None:
        """Write the statements of a lineage."""

        def work(context: JobContext) -> ExportReport:
            return operations.export_lineage(self._session, lineage, path, limits=context.limits)

        self.jobs.run(f"Export to {path.name}", work, done, failed)

    def export_picture(
        self, path: Path, drawing: Drawing, scale: float, done: Callable[[Path], None], failed: Failed
    ) -> None:
        """Write a picture, by the end of the file's name; the scale is that of a PNG."""

        def work(context: JobContext) -> Path:
            return write_drawing(drawing, path, scale=scale, limits=context.limits).absolute()

        self.jobs.run(f"Export to {path.name}", work, done, failed)

    @Slot()
    def _tell(self) -> None:
        self._told = self._session.generation
        self.graph_changed.emit()
