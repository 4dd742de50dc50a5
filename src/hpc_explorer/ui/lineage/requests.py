"""What the window asks for its pictures: neighbours, lineages with their times and phases, and the classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from hpc_explorer.app.explore.class_filter import ShownClasses
from hpc_explorer.app.explore.class_picture import ClassChoice, ClassPicture, class_picture
from hpc_explorer.app.explore.drawing import lineage_scene, neighbourhood_scene
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.jobs import JobContext
from hpc_explorer.app.lineage.phase_drawing import phase_scene
from hpc_explorer.app.lineage.phase_viewing import phase_view
from hpc_explorer.app.lineage.phase_views import FoldedLineage, PhaseView
from hpc_explorer.app.lineage.phasing import fold_lineage, phases_serve
from hpc_explorer.app.lineage.tracing import lineage_timeline, recorded_lineage, trace_lineage
from hpc_explorer.app.views import ClassNode, ResourceRef
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.lineage.time.recorded import RecordedTimeline
from hpc_explorer.lineage.time.timeline import Timeline
from hpc_explorer.lineage.trace.trace import Lineage, Stop
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.jobs import Channel, Failed, JobsBridge
from hpc_explorer.ui.bridge.navigator import Place


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


class PictureQuestions:
    """Asks `app` for what is drawn on a canvas.

    Args:
        jobs: runs the questions.

    Attributes:
        match_content: whether a lineage goes on through things with the same content.
    """

    def __init__(self, session: Session, jobs: JobsBridge) -> None:
        self._session = session
        self.match_content = False
        self._picture, self._timeline, self._classes, self._tree = (Channel(jobs) for _ in range(4))

    def drop(self) -> None:
        """Wait for no answer any more."""
        for channel in (self._picture, self._timeline, self._classes, self._tree):
            channel.drop()

    def ask_neighbours(self, resource: Resource, done: Callable[[Scene], None], failed: Failed) -> None:
        """A resource among its neighbours."""

        def work(context: JobContext) -> Scene:
            return neighbourhood_scene(self._session, resource, limits=context.limits)

        self._picture.ask("Draw the neighbours", work, done, failed)

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
            lineage = trace_lineage(
                self._session,
                resource,
                downstream=place.downstream,
                depth=place.depth,
                match_content=match_content,
                limits=context.limits,
            )
            phased = place.phases
            if phased is None:
                phased = not whole and phases_serve(self._session, lineage, limits=context.limits)
            if phased and len(lineage.nodes) > 1:
                folded = fold_lineage(self._session, lineage, limits=context.limits)
                view = phase_view(self._session, folded, is_open, with_facts=False, limits=context.limits)
                return Traced(lineage, phase_scene(view), folded.refs, view)
            scene = lineage_scene(
                self._session, lineage, with_setting=whole, with_shortcuts=whole, limits=context.limits
            )
            refs = references(self._session, list(lineage.nodes), limits=context.limits)
            return Traced(lineage, scene, refs)

        self._picture.ask("Trace the lineage", work, done, failed)

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
            return phase_view(self._session, folded, is_open, with_facts=with_facts, limits=context.limits)

        self._picture.ask("Open the phases", work, done, failed)

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
            lineage = trace_lineage(
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
            folded = fold_lineage(self._session, lineage, as_of=at, limits=context.limits)
            return phase_view(self._session, folded, is_open, with_facts=False, limits=context.limits)

        self._picture.ask("Fold up the lineage as it was", work, done, failed)

    def drop_picture(self) -> None:
        """Wait for no picture any more."""
        self._picture.drop()

    def ask_timeline(self, lineage: Lineage, done: Callable[[Timeline], None], failed: Failed) -> None:
        """What is known of each resource of a lineage at any moment."""
        self._timeline.ask(
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
            scene = lineage_scene(
                self._session,
                timeline.lineage,
                with_setting=place.whole,
                with_shortcuts=place.whole,
                limits=context.limits,
            )
            return Recorded(timeline, scene)

        self._timeline.ask("Look up what was recorded", work, done, failed)

    def drop_timeline(self) -> None:
        """Wait for no times any more."""
        self._timeline.drop()

    def prepare_classes(self, work: Callable[[], ShownClasses], done: Callable[[ShownClasses], None]) -> None:
        """Filter the classes."""
        self._tree.ask("Filter the classes", lambda _: work(), done)

    def ask_classes(
        self, tree: Sequence[ClassNode], choice: ClassChoice, done: Callable[[ClassPicture], None], failed: Failed
    ) -> None:
        """The picture of the classes."""

        def work(context: JobContext) -> ClassPicture:
            return class_picture(self._session, tree, choice, limits=context.limits)

        self._classes.ask("Draw the classes", work, done, failed)

    def drop_classes(self) -> None:
        """Wait for no picture of the classes any more."""
        self._classes.drop()
