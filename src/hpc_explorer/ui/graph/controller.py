"""The picture of the graph tab: a view expanded step by step.

Every step goes through one `ViewDocument` and the window's `UndoStack`. Queries and layouts run in jobs; the canvas
always shows the current view.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from hpc_explorer.app.explore.finding import key_of
from hpc_explorer.app.graph import expanding
from hpc_explorer.app.graph.expanding import carried_over, refreshed, show_path, show_resources
from hpc_explorer.app.graph.looks import in_its_looks
from hpc_explorer.app.graph.view_document import ViewDocument
from hpc_explorer.app.jobs import Job
from hpc_explorer.app.undo import UndoStack
from hpc_explorer.app.workspace.session import Session
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.layout import Layout
from hpc_explorer.canvas.scene import Arrangement, Scene
from hpc_explorer.canvas.text import brief
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.patch import History
from hpc_explorer.canvas.view.placing import drawn, placed_view, rearranged, scene_of
from hpc_explorer.canvas.view.state import GraphView, NeighbourSet, with_place
from hpc_explorer.errors import Cancelled
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.wording import counted

EMPTY_TEXT = (
    "Add the chosen resource with Ctrl+G, then open its neighbours step by step. "
    "Each step first shows how many there are."
)

NAMED_LENGTH = 40
"""Maximum characters of a node's name in a menu."""

SHOWN_EVERY = 0.15
"""Seconds between updates of an improving layout."""

Grown = Callable[[Session, GraphView], GraphView | None]
"""Queries the graph and returns the next view, or None if there is nothing to show."""


@dataclass(frozen=True)
class _Growth:
    """A step that queries the graph first.

    Args:
        title: of the job.
        words: what the step does, shown after "Undo".
        work: returns the next view; None: update the view and its steps from another graph.
        anchor: the node it starts from; the step is dropped if that is gone.
        nothing: called if `work` returned None.
        begin: whether it starts a new view, which cannot be undone.
        places: whether it sets all positions.
        selects: whether it sets the selection.
    """

    title: str
    words: str
    work: Grown | None
    anchor: str | None = None
    nothing: Callable[[], None] | None = None
    begin: bool = False
    places: bool = False
    selects: bool = False


@dataclass(frozen=True)
class _Drawing:
    """A view with all positions, and its picture."""

    view: GraphView
    scene: Scene
    layout: Layout


@dataclass(frozen=True)
class _New:
    """The cards that a scene brings, and one of those before, which stays in sight beside them."""

    scene: Scene
    cards: list[Rect]
    beside: Rect | None


class GraphController(QObject):
    """Changes the view and draws it.

    Attributes:
        document: the view.
        undo: the undo stack.

    Signals:
        changed(): the view, its picture, the selection or the undo stack changed.
    """

    changed = Signal()
    _improved = Signal(int, object, object)

    def __init__(self, bridge: SessionBridge, canvas: CanvasView, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._canvas = canvas
        self.undo = UndoStack()
        self.document = ViewDocument(self.undo)
        self._shown = GraphView()
        self._number = 0
        self._settling = False
        self._look_anew = True
        self._in_picture: frozenset[str] = frozenset()
        self._new: _New | None = None
        self._growing = False
        self._waiting: deque[_Growth] = deque()
        self._job: Job[Any] | None = None
        self.document.subscribe(self._follow)
        self.undo.subscribe(self.changed.emit)
        canvas.movable = True
        canvas.nodes_dragged.connect(self._drag)
        canvas.selection_changed.connect(self._take_selection)
        canvas.scene_shown.connect(self._reveal)
        self._improved.connect(self._show_improved, Qt.ConnectionType.QueuedConnection)

    @property
    def view(self) -> GraphView:
        """The view as it is now."""
        return self.document.view

    # -- steps that need nothing but the view

    def change(self, after: GraphView, words: str) -> None:
        """Set the view as an undoable step."""
        self.document.change(after, words)

    def restyle(self, styles: Mapping[str, Style], words: str) -> None:
        """Replace the custom styles of classes in this view, by IRI."""
        self.document.change(replace(self.view, styles=styles), words)

    def select(self, keys: Iterable[str]) -> None:
        """Select exactly these nodes, without a step."""
        after = steps.selecting(self.view, keys)
        if after.selected != self.view.selected:
            self.document.settle(after)

    def take_back(self) -> None:
        """Undo the last step."""
        self.undo.undo()

    def do_again(self) -> None:
        """Redo the step that was undone last."""
        self.undo.redo()

    # -- steps that ask the graph

    def add(self, resources: Iterable[Resource], words: str) -> None:
        """Add resources to the view."""
        wanted = list(resources)

        def work(session: Session, view: GraphView, *, limits: Limits = NO_LIMITS) -> GraphView:
            after = show_resources(session, view, wanted, limits=limits)
            return steps.selecting(after, (key_of(one) for one in wanted))

        self._grow(_Growth("Put into the graph", words, work, selects=True))

    def expand(self, of: NeighbourSet, label: str, number: int) -> None:
        """Show the next neighbours of a set."""
        self._grow(
            _Growth(
                f"Expand {label}",
                f"expand {label}",
                partial(expanding.expand, of=of, number=number),
                of.anchor,
            )
        )

    def add_path(self, one: Resource, other: Resource, nothing: Callable[[], None]) -> None:
        """Show a shortest chain between two resources; `nothing` is called if there is none."""
        self._grow(
            _Growth(
                "Find the path",
                "show the path",
                partial(show_path, one=one, other=other),
                nothing=nothing,
            )
        )

    def rearrange(self, arrangement: Arrangement, words: str) -> None:
        """Lay out everything again; pinned nodes stay."""

        def work(session: Session, view: GraphView, *, limits: Limits = NO_LIMITS) -> GraphView:
            return rearranged(view, arrangement, limits.check, self._improving(view, arrangement))

        self._look_anew = True
        self._grow(_Growth("Lay out the graph", words, work, places=True))

    def begin(self, view: GraphView) -> None:
        """Show another view; the steps of the one before are forgotten."""
        if self._job is not None:
            self._bridge.jobs.forget(self._job)
        self._waiting.clear()
        self._growing = False
        self._look_anew = True
        self.document.begin(view)

    def refresh(self) -> None:
        """Update the view after a change of the graph; undo steps are kept if they still apply."""
        history = self.document.history
        if self.view.nodes or history.done or history.undone:
            self._grow(_Growth("Look at the graph again", "", None))

    def open_view(self, read: Callable[[], GraphView | None], words: str, *, begin: bool = False) -> None:
        """Show a saved view."""

        def work(session: Session, _: GraphView, *, limits: Limits = NO_LIMITS) -> GraphView | None:
            view = read()
            return None if view is None else refreshed(session, view, limits=limits)

        self._look_anew = True
        self._grow(_Growth("Open the view", words, work, begin=begin))

    def _grow(self, growth: _Growth) -> None:
        """Run growth steps one after another, each on the result of the one before."""
        self._waiting.append(growth)
        self._next()

    def _next(self) -> None:
        if self._growing or not self._waiting:
            return
        growth, before = self._waiting.popleft(), self.view
        if growth.anchor is not None and growth.anchor not in before.nodes:
            self._next()
            return
        self._growing = True
        history = self.document.history

        def carried(carried: tuple[GraphView, History]) -> None:
            self._growing = False
            self._take_carried(growth, before, history, *carried)
            self._next()

        def done(after: GraphView | None) -> None:
            self._growing = False
            self._take(growth, before, after)
            self._next()

        def failed(error: BaseException) -> None:
            self._growing = False
            if isinstance(error, Cancelled):
                self._draw()  # a layout in progress may be visible
            else:
                self._bridge.failed.emit(growth.title, error)
            self._next()

        run = self._bridge.run
        # Without a name: a step under way ends also where the graph is closed meanwhile.
        if growth.work is not None:
            self._job = run(growth.work, before, title=growth.title, on_result=done, on_error=failed)
        else:
            self._job = run(carried_over, before, history, title=growth.title, on_result=carried, on_error=failed)

    def _take(self, growth: _Growth, before: GraphView, after: GraphView | None) -> None:
        now = self.view
        if after is None:
            if growth.nothing is not None:
                growth.nothing()
        elif not _same_but_places(now, before) or (growth.places and now.places != before.places):
            self._waiting.appendleft(growth)  # the view changed meanwhile: repeat on the current one
        else:
            if not growth.places and now.places is not before.places:
                after = _with_places_of(after, now)
            if not growth.selects:
                after = steps.selecting(after, now.selected)
            if not growth.begin:
                self.document.change(after, growth.words)
            elif after != now:
                self.document.begin(after)

    def _take_carried(
        self, growth: _Growth, before: GraphView, known: History, after: GraphView, history: History
    ) -> None:
        now = self.document.history
        if self.view is not before or not _same_steps(now, known):
            self._waiting.appendleft(growth)  # something else was done meanwhile: once more, with that
            return
        self.document.carry(after, history)
        if history.lost:
            self._bridge.said.emit(
                f"The graph was replaced: {counted(history.lost, 'earlier step')} of the graph view "
                "can no longer be undone"
            )

    # -- the picture

    def _follow(self, view: GraphView) -> None:
        if view.selected != self._canvas.selection.keys & view.nodes.keys():
            self._canvas.select_keys(view.selected)
        if not self._settling and not _draws_same(view, self._shown):
            self._draw()
        self._shown = view
        self.changed.emit()

    def redraw(self) -> None:
        """Draw the same again, as when classes look otherwise."""
        self._draw()

    def _draw(self) -> None:
        self._number += 1
        number, view = self._number, self.view
        if not view.nodes:
            self._bridge.drop("layout")
            self._look_anew = True
            self._in_picture = frozenset()
            self._canvas.set_scene(Scene(empty_text=EMPTY_TEXT))
            return

        def work(session: Session, *, limits: Limits = NO_LIMITS) -> _Drawing:
            # Looks are not part of a view's history; they are computed for each drawing.
            coloured = in_its_looks(session, view, limits=limits)
            show = self._improving(coloured, view.arranged or "layered", number)
            whole = placed_view(view, limits.check, show)
            return _Drawing(
                whole, *drawn(replace(coloured, places=whole.places, arranged=whole.arranged), limits.check, show)
            )

        def failed(error: BaseException) -> None:
            if not isinstance(error, Cancelled):
                self._bridge.failed.emit("Lay out the graph", error)

        self._bridge.run(work, title="Lay out the graph", on_result=self._show, on_error=failed, replaces="layout")

    def _show(self, drawing: _Drawing) -> None:
        if drawing.view.places != self.view.places:
            self._settling = True
            self.document.settle(replace(self.view, places=drawing.view.places, arranged=drawing.view.arranged))
            self._settling = False
        self._new = None if self._look_anew else self._new_in(drawing)
        self._in_picture = frozenset(drawing.layout.places)
        self._set_scene(drawing.scene, drawing.layout)
        if self._look_anew and len(drawing.scene.nodes) > 1:
            self._canvas.fit()
        self._look_anew = False
        if self._canvas.selection.keys & self.view.nodes.keys() != self.view.selected:
            self._canvas.select_keys(self.view.selected)
        self.changed.emit()

    def _new_in(self, drawing: _Drawing) -> _New:
        """What the picture does not have yet, beside the node that it is opened from."""
        places, current = drawing.layout.places, self._canvas.selection.current
        new = [place for key, place in places.items() if key not in self._in_picture]
        return _New(drawing.scene, new, places.get(current) if current in self._in_picture else None)

    def _reveal(self) -> None:
        """Bring what is new into sight, at the zoom as it is."""
        new, ready = self._new, self._canvas.ready()
        if new is not None and ready is not None and ready.scene is new.scene:
            self._new = None
            self._canvas.viewpoint.reveal(new.cards, new.beside)

    def _set_scene(self, scene: Scene, layout: Layout) -> None:
        # Who has lost everything from sight has lost the way.
        seen = self._canvas.camera().seen(self._canvas.viewpoint.size)
        left, top, right, bottom = seen.x, seen.y, seen.right, seen.bottom
        cards = layout.places.values()
        in_sight = any(
            x < right and y < bottom and left < x + width and top < y + height for x, y, width, height in cards
        )
        keep = bool(self._canvas.scene().nodes) and in_sight and not self._look_anew
        self._canvas.set_scene(scene, layout, keep_camera=keep)

    def _improving(
        self, view: GraphView, arrangement: Arrangement, number: int | None = None
    ) -> Callable[[Layout], None]:
        """A callback that receives intermediate layouts in the layout thread and shows some of them."""
        scene = replace(scene_of(view), arrangement=arrangement)
        last = time.monotonic()

        def show(layout: Layout) -> None:
            nonlocal last
            if time.monotonic() - last > SHOWN_EVERY:
                last = time.monotonic()
                self._improved.emit(self._number if number is None else number, scene, layout)

        return show

    @Slot(int, object, object)
    def _show_improved(self, number: int, scene: Scene, layout: Layout) -> None:
        if number == self._number and not self._canvas.is_laying_out():
            self._set_scene(scene, layout)

    # -- actions of the user on the canvas

    def _drag(self, places: dict[str, tuple[float, float]]) -> None:
        known = with_place(self.view)
        moved = places if places.keys() <= known else {key: place for key, place in places.items() if key in known}
        if moved:
            node = self.view.nodes.get(next(iter(moved)))
            words = f"move {len(moved):,} nodes"
            if len(moved) == 1:
                words = f"move “{brief(node.label, NAMED_LENGTH)}”" if node is not None else "move"
            self.document.change(steps.dragged(self.view, moved), words)

    def _take_selection(self, keys: frozenset[str]) -> None:
        self.select(keys)


def _same_but_places(view: GraphView, other: GraphView) -> bool:
    return replace(view, places=other.places, arranged=other.arranged, selected=other.selected) == other


def _same_steps(history: History, other: History) -> bool:
    """Whether these are the very same steps."""
    return list(map(id, (*history.done, *history.undone))) == list(map(id, (*other.done, *other.undone)))


def _with_places_of(view: GraphView, other: GraphView) -> GraphView:
    """The view with the node places of another one."""
    known = with_place(view)
    places = {key: place for key, place in other.places.items() if key in known}
    return replace(view, places={**view.places, **places}, arranged=other.arranged)


def _draws_same(view: GraphView, other: GraphView) -> bool:
    """Whether two views show the same things at the same places."""
    return replace(view, selected=other.selected) == other
