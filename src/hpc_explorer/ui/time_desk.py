"""The lineage as it was at a moment: the picture stays where it is, and what was not there yet is put back.

What is known of each resource is looked up once for a lineage; moving the slider only draws other cards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.answer_files import time_text
from hpc_explorer.app.operations.finding import key_of
from hpc_explorer.canvas.layout import Layout
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.lineage.as_of import State
from hpc_explorer.lineage.timeline import Timeline
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.canvas_view import CanvasView
from hpc_explorer.ui.navigator import Navigator, View
from hpc_explorer.ui.picture_pane import PicturePane
from hpc_explorer.ui.session_bridge import SessionBridge, Traced
from hpc_explorer.ui.time_bar import TimeBar

_END = datetime.max.replace(tzinfo=UTC)

UNDATED_BADGE, GONE_BADGE = "undated", "invalidated"


class TimeDesk(QObject):
    """Keeps the picture of the lineage at the moment of the bar, while the bar is in sight.

    Attributes:
        bar: the slider; None of it is seen until it is asked for.
        is_on: whether the lineage is shown as of a moment.

    Signals:
        updated(): it was turned on or off.
        failed(str, BaseException): what was tried, and what went wrong.
    """

    updated = Signal()
    failed = Signal(str, object)

    def __init__(self, bridge: SessionBridge, navigator: Navigator, pictures: PicturePane, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge, self._navigator, self._pictures = bridge, navigator, pictures
        self._canvas: CanvasView = pictures.canvases[View.LINEAGE]
        self.bar: TimeBar = pictures.time_bar
        self.is_on = False
        self._traced: Traced | None = None
        self._timeline: Timeline | None = None
        self._states: dict[str, Resource] = {}
        self._layout: Layout | None = None
        self._drawn: Scene | None = None
        self.bar.moved.connect(self._show)
        self._canvas.scene_shown.connect(self._keep_layout)
        pictures.show_time_bar(False)

    def toggle(self) -> None:
        """Show the lineage as of a moment, or all of it again."""
        self.is_on = not self.is_on
        self._pictures.show_time_bar(self.is_on)
        self.bar.show_moments(())
        if not self.is_on:
            self._timeline = None
            if self._traced is not None and self._drawn is not None:
                self._canvas.set_scene(self._traced.scene, None, keep_camera=True)
                self._drawn = None
        elif self._navigator.place.view is not View.LINEAGE:
            self._navigator.show_view(View.LINEAGE)
        elif self._traced is None:
            self._navigator.draw_phases(False)
        else:
            self._look_up()
        self.updated.emit()

    def follow(self, traced: Traced | None) -> None:
        """Another lineage is drawn, or none, or one in phases."""
        self.bar.stop()
        self._bridge.drop_timeline()
        self._traced = None if traced is None or traced.phases is not None else traced
        self._timeline, self._layout, self._drawn = None, None, None
        if not self.is_on:
            return
        self.bar.show_moments(())
        self.bar.say("")
        if traced is not None and traced.phases is not None:
            # Phases have no time of their own: who asks for them leaves the moment, else the main line is drawn.
            if self._navigator.place.phases:
                self.toggle()
            else:
                self._navigator.draw_phases(False)
        elif traced is not None:
            self._look_up()

    def _look_up(self) -> None:
        if self._traced is not None:
            self.bar.show_moments(())
            self.bar.say("Looking up when things were there …")
            self._bridge.ask_timeline(self._traced.lineage, self._take, lambda e: self.failed.emit("Look up times", e))

    def _take(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._states = {key_of(resource): resource for resource in timeline.spans}
        self.bar.show_moments(timeline.moments)

    def _keep_layout(self) -> None:
        ready = self._canvas.ready()
        if self._drawn is not None and ready is not None and ready.scene is self._drawn:
            self._layout = ready.layout

    # Drawing

    def _show(self, at: datetime | None) -> None:
        timeline, traced = self._timeline, self._traced
        if not self.is_on or timeline is None or traced is None:
            return
        moment = at if at is not None else _END
        states = {key: timeline.state(resource, moment) for key, resource in self._states.items()}
        self._drawn = _as_of(traced.scene, states)
        self._canvas.set_scene(self._drawn, self._layout, keep_camera=True)
        self.bar.say(_words(at, Counter(states.values()), has_moments=bool(timeline.moments)))


def _as_of(scene: Scene, states: dict[str, State]) -> Scene:
    """The same cards in the same places: those not there yet put back, what is undated or invalidated marked."""
    nodes = []
    for node in scene.nodes:
        state = states.get(node.key, State.THERE)
        badge = {State.UNDATED: UNDATED_BADGE, State.INVALIDATED: GONE_BADGE}.get(state)
        badges = (*node.badges, badge) if badge is not None else node.badges
        nodes.append(replace(node, back=state is State.NOT_YET, badges=badges))
    return replace(scene, nodes=tuple(nodes))


def _words(at: datetime | None, numbers: Counter[State], *, has_moments: bool) -> str:
    if not has_moments:
        return "No time is recorded of anything in this lineage."
    total = sum(numbers.values())
    there = total - numbers[State.NOT_YET]
    parts = [f"{'Now' if at is None else f'As of {time_text(at)} UTC'}: {there:,} of {total:,} there"]
    for state in (State.UNDATED, State.INVALIDATED, State.NOT_YET):
        if numbers[state]:
            parts.append(f"{numbers[state]:,} {state.value}")
    return ", ".join(parts)
