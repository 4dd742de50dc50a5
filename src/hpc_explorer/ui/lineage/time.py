"""The lineage at a moment: the picture keeps its layout, and resources that did not exist yet are faded.

The state of each resource is queried once per lineage; moving the slider only redraws cards. "As recorded" shows
everything ever recorded, in all versions of the sources. A lineage in phases is traced and folded again for each
moment, because a card for many things has no single state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.explore.finding import key_of
from hpc_explorer.app.lineage.traced import Recorded, Traced, recorded
from hpc_explorer.app.lineage.tracing import lineage_timeline
from hpc_explorer.app.views import source_title
from hpc_explorer.canvas.layout import Layout
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.lineage.time.as_of import State
from hpc_explorer.lineage.time.recorded import RecordedState, RecordedTimeline
from hpc_explorer.lineage.time.timeline import Timeline
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.commands import Command, open_graph
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.lineage.page import LineagePage
from hpc_explorer.ui.lineage.time_bar import TimeBar
from hpc_explorer.wording import time_text

MOST_NAMED = 3
"""Maximum sources named with their version."""

_END = datetime.max.replace(tzinfo=UTC)

UNDATED_BADGE, GONE_BADGE, NO_LONGER_BADGE = "undated", "invalidated", "no longer recorded"


class TimeController(QObject):
    """Shows the lineage at the moment of the time bar.

    Args:
        match_content: returns whether a lineage follows resources with the same content.

    Attributes:
        bar: the slider, hidden at first.
        is_on: whether the lineage is shown as of a moment.

    Signals:
        phases_wanted(object): show the lineage in phases as of this moment; None: now.
    """

    phases_wanted = Signal(object)

    def __init__(
        self,
        bridge: SessionBridge,
        navigator: Navigator,
        page: LineagePage,
        match_content: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._navigator, self._page = bridge, navigator, page
        self._match_content = match_content
        self._canvas: CanvasView = page.canvas
        self.bar: TimeBar = page.time_bar
        self.is_on = False
        self._traced: Traced | None = None
        self._phases_at: datetime | None = None
        self._timeline: Timeline | None = None
        self._recorded: Recorded | None = None
        self._states: dict[str, Resource] = {}
        self._layout: Layout | None = None
        self._drawn: Scene | None = None
        self.bar.moved.connect(self._show)
        self.bar.record_toggled.connect(lambda: self._look_up())
        self._canvas.scene_shown.connect(self._keep_layout)
        page.show_time_bar(False)

    def commands(self) -> tuple[Command, ...]:
        """The commands for the time bar."""
        return (
            Command("view.as_of", "Lineage as of a moment", "View", 3, "Ctrl+T", "recent", short="As of…")
            .runs(self.toggle, open_graph(self._bridge))
            .marked(lambda: self.is_on)
            .about("Show a lineage as it was at a moment, with a slider over the times that it records."),
        )

    def toggle(self) -> None:
        """Show the lineage as of a moment, or the current one."""
        self.is_on = not self.is_on
        self._page.show_time_bar(self.is_on)
        self.bar.show_moments(())
        if not self.is_on:
            self._timeline, self._recorded = None, None
            if self._traced is not None and self._traced.phases is not None:
                self._show_phases(None)
            elif self._traced is not None and self._drawn is not None:
                self._canvas.set_scene(self._traced.scene, None, keep_camera=True)
                self._drawn = None
        elif self._navigator.place.view is not View.LINEAGE:
            self._navigator.show_view(View.LINEAGE)
        else:
            self._look_up()
        self._bridge.updated.emit()

    def follow(self, traced: Traced | None) -> None:
        """Use another lineage, or none."""
        self.bar.stop()
        self._bridge.drop("timeline")
        self._traced, self._phases_at = traced, None
        self._timeline, self._recorded, self._layout, self._drawn = None, None, None, None
        if not self.is_on:
            return
        self.bar.show_moments(())
        self.bar.say("")
        if traced is not None:
            if traced.phases is not None and self._navigator.place.phases:
                # The record has no phases, so asking for phases leaves it.
                self._leave_record()
            self._look_up()

    def _look_up(self) -> None:
        traced = self._traced
        if not self.is_on or traced is None:
            return
        self._timeline, self._recorded, self._layout = None, None, None
        self.bar.show_moments(())
        if self.bar.record.isChecked() and traced.phases is not None:
            self._navigator.draw_phases(False)
        elif self.bar.record.isChecked():
            self.bar.say("Looking up what was recorded …")
            place = self._navigator.place
            self._bridge.run(
                partial(recorded, depth=place.depth, match_content=self._match_content(), whole=place.whole),
                traced.lineage,
                title="Look up what was recorded",
                on_result=self._take_recorded,
                on_error=self._not_recorded,
                replaces="timeline",
            )
        else:
            self.bar.say("Looking up times …")
            title = "Look up times"
            self._bridge.run(
                lineage_timeline,
                traced.lineage,
                title=title,
                on_result=self._take,
                replaces="timeline",
            )

    def _leave_record(self) -> None:
        self.bar.record.blockSignals(True)
        self.bar.record.setChecked(False)
        self.bar.record.blockSignals(False)

    def _show_phases(self, at: datetime | None) -> None:
        if at != self._phases_at:
            self._phases_at = at
            self.phases_wanted.emit(at)

    def _not_recorded(self, error: BaseException) -> None:
        self.bar.record.setChecked(False)
        self._bridge.failed.emit("Look up what was recorded", error)

    def _take_recorded(self, found: Recorded) -> None:
        self._recorded = found
        self._states = {key_of(resource): resource for resource in found.timeline.lineage.nodes}
        self.bar.show_moments(found.timeline.moments, found.timeline.history.versions)

    def _take(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._states = {key_of(resource): resource for resource in timeline.spans}
        self.bar.show_moments(timeline.moments)

    def _keep_layout(self) -> None:
        ready = self._canvas.ready()
        if self._drawn is not None and ready is not None and ready.scene is self._drawn:
            self._layout = ready.layout

    def _show(self, at: datetime | None) -> None:
        timeline, traced = self._timeline, self._traced
        if self.is_on and self._recorded is not None:
            self._show_recorded(self._recorded, at)
        if not self.is_on or timeline is None or traced is None:
            return
        moment = at if at is not None else _END
        states = {key: timeline.state(resource, moment) for key, resource in self._states.items()}
        if traced.phases is not None:
            self._show_phases(at)
        else:
            self._drawn = _as_of(traced.scene, states)
            self._canvas.set_scene(self._drawn, self._layout, keep_camera=True)
        self.bar.say(_words(at, Counter(states.values()), has_moments=bool(timeline.moments)))

    def _show_recorded(self, found: Recorded, at: datetime | None) -> None:
        states = found.timeline.states(at)
        by_key = {key: states[resource] for key, resource in self._states.items()}
        self._drawn = _recorded_by(found.scene, by_key)
        self._canvas.set_scene(self._drawn, self._layout, keep_camera=True)
        self.bar.say(_recorded_words(found.timeline, at, Counter(states.values())))


def _recorded_by(scene: Scene, states: dict[str, RecordedState]) -> Scene:
    """The scene with unrecorded cards faded and marked."""
    badges = {RecordedState.UNDATED: UNDATED_BADGE, RecordedState.NO_LONGER: NO_LONGER_BADGE}
    nodes = []
    for node in scene.nodes:
        state = states.get(node.key, RecordedState.RECORDED)
        marks = (*node.badges, badges[state]) if state in badges else node.badges
        nodes.append(replace(node, back=state in (RecordedState.NOT_YET, RecordedState.NO_LONGER), badges=marks))
    return replace(scene, nodes=tuple(nodes))


def _recorded_words(timeline: RecordedTimeline, at: datetime | None, numbers: Counter[RecordedState]) -> str:
    total, there = sum(numbers.values()), numbers[RecordedState.RECORDED] + numbers[RecordedState.UNDATED]
    if not timeline.moments:
        return "It is not known when this lineage was recorded."
    when = "Now" if at is None else f"As recorded by {time_text(at)} UTC"
    parts = [f"{when}: {there:,} of {total:,} there"]
    for state in (RecordedState.UNDATED, RecordedState.NOT_YET, RecordedState.NO_LONGER):
        if numbers[state]:
            parts.append(f"{numbers[state]:,} {state.value}")
    held = {mark.source: mark for mark in timeline.history.versions if at is None or mark.recorded <= at}
    told = [f"{source_title(mark.source)} version {mark.number}" for mark in list(held.values())[-MOST_NAMED:]]
    more = f" and {len(held) - MOST_NAMED} more sources" if len(held) > MOST_NAMED else ""
    return ", ".join(parts) + (f". By {', '.join(told)}{more}" if told else "")


def _as_of(scene: Scene, states: dict[str, State]) -> Scene:
    """The scene with later cards faded, and undated or invalidated ones marked."""
    nodes = []
    for node in scene.nodes:
        state = states.get(node.key, State.THERE)
        badge = {State.UNDATED: UNDATED_BADGE, State.INVALIDATED: GONE_BADGE}.get(state)
        badges = (*node.badges, badge) if badge is not None else node.badges
        nodes.append(replace(node, back=state is State.NOT_YET, badges=badges))
    return replace(scene, nodes=tuple(nodes))


def _words(at: datetime | None, numbers: Counter[State], *, has_moments: bool) -> str:
    if not has_moments:
        return "This lineage has no recorded times."
    total = sum(numbers.values())
    there = total - numbers[State.NOT_YET]
    parts = [f"{'Now' if at is None else f'As of {time_text(at)} UTC'}: {there:,} of {total:,} there"]
    for state in (State.UNDATED, State.INVALIDATED, State.NOT_YET):
        if numbers[state]:
            parts.append(f"{numbers[state]:,} {state.value}")
    return ", ".join(parts)
