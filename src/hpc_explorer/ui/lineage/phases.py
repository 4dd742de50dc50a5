"""A lineage in phases: which parts are open, and undoable steps to open and close them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.lineage.phase_drawing import CLOSED_MARK, OPEN_MARK, PLOT_MARK, phase_scene
from hpc_explorer.app.lineage.phase_viewing import phase_view
from hpc_explorer.app.lineage.phase_views import PhaseRow, PhaseView, member_of_key
from hpc_explorer.app.lineage.traced import phases_as_of
from hpc_explorer.app.undo import StateStep
from hpc_explorer.canvas.camera import fitting
from hpc_explorer.canvas.geometry import Point, Rect, union
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.card_marks import CardMarks
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.lineage.page import LineagePage
from hpc_explorer.ui.lineage.summaries import phases_summary

FITTED_FROM = 0.4
"""Below this scale the phases are not fitted into the view: no name on a card could be read."""

PICTURE = "picture"
"""The name of the request for a resource's picture."""

Start = tuple[Resource, bool]
"""The resource of a lineage, and whether it goes downstream."""

_SAID = {
    CLOSED_MARK: "Open: show the content",
    OPEN_MARK: "Close: hide the content",
    PLOT_MARK: "Plot what these sections measured",
}


class PhasesController(QObject):
    """Keeps the open parts of each lineage shown in phases.

    Args:
        match_content: returns whether a lineage follows resources with the same content.

    Attributes:
        view: the visible part; None while the lineage is drawn otherwise.

    Signals:
        updated(): the visible or selected part changed.
        stepped(StateStep): a part was opened or closed.
        plot_wanted(PhaseView, str): plot the values of the card with this key.
    """

    updated = Signal()
    stepped = Signal(object)
    plot_wanted = Signal(object, str)

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
        self._open: dict[Start, frozenset[str]] = {}
        self._held: tuple[str, frozenset[str]] | None = None
        self._opens = False
        self.view: PhaseView | None = None
        self._now: PhaseView | None = None
        self._marks = CardMarks(self._canvas, lambda mark: mark in _SAID, lambda node, mark: _SAID.get(mark, ""), self)
        self._marks.pressed.connect(self.activate)
        self._canvas.scene_shown.connect(self._bring_into_sight)

    def opened(self, place: Place) -> frozenset[str]:
        """The keys of the open parts in the lineage of a place."""
        return self._open.get((place.focus, place.downstream), frozenset()) if place.focus is not None else frozenset()

    def begin(self, view: PhaseView) -> None:
        """Show a lineage in phases, and load facts about its sections."""
        self._opens, self._now = True, view
        self._show(view, keep=False)
        self._ask(view, view.is_open)

    def leave(self) -> None:
        """The lineage is drawn otherwise, or not at all."""
        self.view = self._now = None

    def show_as_of(self, at: datetime | None) -> None:
        """Show the lineage as of a moment; None: now."""
        place = self._navigator.place
        if self._now is None or place.view is not View.LINEAGE or place.focus is None:
            return
        if at is None:
            self._ask_quickly(self._now, self.opened(place))
            return

        def take(view: PhaseView | None) -> None:
            if view is None:
                words = f"{self._name()} did not exist yet."
                self._page.show_scene(Scene(empty_text=words), "", keep=True)
            else:
                self._take(view)
                self._ask(view, view.is_open)

        self._bridge.run(
            partial(
                phases_as_of,
                downstream=place.downstream,
                depth=place.depth,
                match_content=self._match_content(),
            ),
            place.focus,
            self.opened(place),
            at,
            title="Fold the lineage as of a moment",
            on_result=take,
            replaces=PICTURE,
        )

    def _name(self) -> str:
        assert self._now is not None
        folded = self._now.folded
        return folded.refs[folded.lineage.start].label

    @property
    def chosen(self) -> PhaseRow | None:
        """The selected part."""
        key = self._canvas.selection.current
        return self.view.row(key) if self.view is not None and key is not None else None

    @property
    def can_plot(self) -> bool:
        """Whether the selected part is a group of sections with values."""
        row = self.chosen
        return self._navigator.place.view is View.LINEAGE and row is not None and bool(row.sections and row.values)

    def plot(self) -> None:
        """Plot the values of the selected sections."""
        row = self.chosen
        if row is not None and self.view is not None:
            self.plot_wanted.emit(self.view, row.key)

    def activate(self, key: str) -> bool:
        """Open or close the card with this key, or plot its values; False if it supports none of these."""
        row = self.view.row(key) if self.view is not None else None
        if row is None or self.view is None:
            return False
        if row.plots:
            self.plot_wanted.emit(self.view, key)
        elif row.opens:
            self._turn(row)
        return row.plots or row.opens or row.ref is None

    def resource_of(self, key: str) -> Resource | None:
        """The resource of a card; None for a group."""
        row = self.view.row(key) if self.view is not None else None
        return member_of_key(key) or (row.ref.resource if row is not None and row.ref is not None else None)

    def key_of(self, resource: Resource) -> str | None:
        """The key of the visible card of a resource, if it has one."""
        rows = self.view.rows if self.view is not None else ()
        return next((row.key for row in rows if row.ref is not None and row.ref.resource == resource), None)

    def _turn(self, row: PhaseRow) -> None:
        place = self._navigator.place
        if place.focus is None or self.view is None:
            return
        start = place.focus, place.downstream
        before = self.view.is_open
        after = before - {row.key} if row.is_open else before | {row.key}
        words = f"{'close' if row.is_open else 'open'} {row.title}"
        self._held = row.key, frozenset(one.key for one in self.view.rows)
        self._show_open(start, after)
        self.stepped.emit(StateStep(words, before, after, lambda keys: self._show_open(start, keys)))

    def _show_open(self, start: Start, keys: frozenset[str]) -> None:
        self._open[start] = keys
        place = self._navigator.place
        if place.view is View.LINEAGE and (place.focus, place.downstream) == start and self.view is not None:
            self._ask_quickly(self.view, keys)
        else:
            resource, downstream = start
            self._navigator.trace(resource, downstream=downstream)

    def _ask(self, view: PhaseView, keys: frozenset[str]) -> None:
        self._ask_view(view, keys, self._take, with_facts=True)

    def _ask_quickly(self, view: PhaseView, keys: frozenset[str]) -> None:
        """Show known facts at once, and load the others."""

        def take(quick: PhaseView) -> None:
            self._take(quick)
            self._ask(quick, keys)

        self._ask_view(view, keys, take, with_facts=False)

    def _ask_view(
        self, view: PhaseView, keys: frozenset[str], done: Callable[[PhaseView], None], *, with_facts: bool
    ) -> None:
        self._bridge.run(
            partial(phase_view, with_facts=with_facts),
            view.folded,
            keys,
            title="Open the phases",
            on_result=done,
            replaces=PICTURE,
        )

    def _take(self, view: PhaseView) -> None:
        self._show(view, keep=True)

    def _show(self, view: PhaseView, *, keep: bool) -> None:
        self.view = view
        chosen = self._canvas.selection.current
        self._page.show_scene(phase_scene(view), phases_summary(view), keep=keep)
        if keep and chosen is not None and view.row(chosen) is not None:
            self._canvas.select(chosen)
        self.updated.emit()

    def _bring_into_sight(self) -> None:
        """Fit all phases at first, unless that is too small; later scroll to what an opened card added."""
        viewpoint = self._canvas.viewpoint
        scale = fitting(viewpoint.bounds, viewpoint.size, viewpoint.below).scale
        if self._opens and self.view is not None and scale >= FITTED_FROM:
            self._canvas.fit()
        self._opens = False
        held, self._held = self._held, None
        if held is None or self.view is None:
            return
        key, before = held
        new = [row.key for row in self.view.rows if row.key not in before]
        rects = [rect for rect in map(self._canvas.view_rect, [key, *new]) if rect is not None]
        if not new or not rects:
            return
        around, camera = union(rects), self._canvas.camera()
        corner = camera.to_scene(Point(around.x, around.y))
        wanted = Rect(corner.x, corner.y, around.width / camera.scale, around.height / camera.scale)
        self._canvas.viewpoint.look(camera.showing(wanted, self._canvas.viewpoint.size))
