"""The one way from a resource to the next, wherever it was clicked; with back and forward."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.navigation import History
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.commands import Command, Need


class View(Enum):
    """The pictures of the centre."""

    EXPLORE = "explore"
    LINEAGE = "lineage"
    GRAPH = "graph"
    CLASSES = "classes"
    ASK = "ask"
    ANSWER = "answer"
    EDIT = "edit"
    FAIR = "fair"


@dataclass(frozen=True)
class Place:
    """What the window shows.

    Args:
        view: which picture.
        focus: the resource that the picture is about; None: it is about none, as that of the classes is.
        selected: the resource that the inspector describes; often the focus, or a node beside it.
        downstream: whether the lineage goes forward.
        depth: the most steps of the lineage; None: all.
        whole: whether the lineage is drawn with its setting and shortcuts, not as its main line only.
        phases: whether the lineage is folded up by phases; None: where that serves.
    """

    view: View = View.CLASSES
    focus: Resource | None = None
    selected: Resource | None = None
    downstream: bool = False
    depth: int | None = None
    whole: bool = False
    phases: bool | None = None


def settled(place: Place) -> Place:
    """The place that is shown: exploring nothing leads to the classes, and their picture is about no resource."""
    if place.view is View.EXPLORE and place.focus is None:
        return replace(place, view=View.CLASSES)
    return replace(place, focus=None) if place.view is View.CLASSES and place.focus is not None else place


class Navigator(QObject):
    """Knows where the window is and where it has been.

    Signals:
        moved(Place, Place): the place now and the one before it.
    """

    moved = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history: History[Place] = History((), Place())

    @property
    def place(self) -> Place:
        """Where the window is."""
        return self._history.current or Place()

    @property
    def can_go_back(self) -> bool:
        """Whether there is a place to return to."""
        return self._history.can_go_back

    @property
    def can_go_forward(self) -> bool:
        """Whether one returned from somewhere."""
        return self._history.can_go_forward

    def commands(self, resource: Need) -> tuple[Command, ...]:
        """What leads to another place.

        Args:
            resource: that one is chosen.
        """
        back = Need("a place to go back to", lambda: self.can_go_back)
        forward = Need("a place to go forward to", lambda: self.can_go_forward)
        return (
            Command("view.explore", "Explore", "View", 0, "Ctrl+1", "neighbours")
            .runs(partial(self.show_view, View.EXPLORE))
            .marked(partial(self._shows, View.EXPLORE), choice=True)
            .about("Show the chosen resource and everything it is linked with."),
            Command("view.lineage", "Lineage", "View", 0, "Ctrl+2", "lineage")
            .runs(partial(self.show_view, View.LINEAGE))
            .marked(partial(self._shows, View.LINEAGE), choice=True)
            .about("Show where the chosen resource comes from, or what came of it."),
            Command("view.graph", "Graph", "View", 0, "Ctrl+3", "graph")
            .runs(partial(self.show_view, View.GRAPH))
            .marked(partial(self._shows, View.GRAPH), choice=True)
            .about("Show the part of the graph that you lay open yourself, step by step."),
            Command("view.classes", "Classes", "View", 0, "Ctrl+4", "classes")
            .runs(partial(self.show_view, View.CLASSES))
            .marked(partial(self._shows, View.CLASSES), choice=True)
            .about("Show how the classes of what is open hang together, as the tree on the left has them."),
            Command("view.ask", "Ask", "View", 0, "Ctrl+5", "ask")
            .runs(partial(self.show_view, View.ASK))
            .marked(partial(self._shows, View.ASK), choice=True)
            .about("Build a question by pointing, and see its rows after each step."),
            Command("view.answer", "Answer", "View", 0, "Ctrl+6", "answer")
            .runs(partial(self.show_view, View.ANSWER))
            .marked(partial(self._shows, View.ANSWER), choice=True)
            .about("Show what the last question found."),
            Command("view.edit", "Edit", "View", 0, "Ctrl+7", "edit")
            .runs(partial(self.show_view, View.EDIT))
            .marked(partial(self._shows, View.EDIT), choice=True)
            .about("Describe the chosen resource in a form, see what was changed, and check it."),
            Command("view.fair", "FAIR", "View", 0, "Ctrl+8", "fair")
            .runs(partial(self.show_view, View.FAIR))
            .marked(partial(self._shows, View.FAIR), choice=True)
            .about("Show how FAIR the chosen dataset or model is, why, and what to do next."),
            Command("go.back", "Back", "Go", 0, "Alt+Left", "back")
            .runs(self.back, back)
            .about("Return to the resource you looked at before."),
            Command("go.forward", "Forward", "Go", 0, "Alt+Right", "forward")
            .runs(self.forward, forward)
            .about("Go again where you came back from."),
            Command("go.neighbours", "Explore neighbours", "Go", 2, "Ctrl+J", "neighbours", short="Explore")
            .runs(lambda: self.explore(self.place.selected), resource)
            .about("Draw what the chosen resource is linked with, in both directions."),
        )

    def _shows(self, view: View) -> bool:
        return self.place.view is view

    def open(self, resource: Resource) -> None:
        """Make a resource what the picture is about, and describe it."""
        view = View.EXPLORE if self.place.view in (View.CLASSES, View.ASK, View.ANSWER) else self.place.view
        self._go(replace(self.place, view=view, focus=resource, selected=resource))

    def select(self, resource: Resource | None) -> None:
        """Describe a resource, for None the one that the picture is about; the picture stays."""
        self._go(replace(self.place, selected=resource if resource is not None else self.place.focus))

    def explore(self, resource: Resource | None) -> None:
        """Show a resource among its neighbours; None: the classes."""
        self._go(replace(self.place, view=View.EXPLORE, focus=resource, selected=resource))

    def edit(self, resource: Resource | None) -> None:
        """Show the form of a resource; None: of none that is there, as for something new."""
        self._go(replace(self.place, view=View.EDIT, focus=resource, selected=resource))

    def trace(self, resource: Resource | None, *, downstream: bool) -> None:
        """Show where a resource comes from, or what came of it."""
        self._go(replace(self.place, view=View.LINEAGE, focus=resource, selected=resource, downstream=downstream))

    def show_view(self, view: View) -> None:
        """Show another picture of what is selected."""
        focus = self.place.selected or self.place.focus
        if view is not self.place.view:
            self._go(replace(self.place, view=view, focus=focus, selected=focus))

    def turn(self, *, downstream: bool) -> None:
        """Trace the same resource the other way."""
        self._go(replace(self.place, downstream=downstream, selected=self.place.focus))

    def limit(self, depth: int | None) -> None:
        """Trace at most so many steps. Not a step of the history: one turns at it until it fits."""
        self._change(replace(self.place, depth=depth))

    def draw_whole(self, whole: bool) -> None:
        """Draw a lineage with its setting and shortcuts, or its main line only. Not a step of the history."""
        self._change(replace(self.place, whole=whole, phases=None))

    def draw_phases(self, phases: bool) -> None:
        """Fold a lineage up by its phases, or draw its main line. Not a step of the history."""
        self._change(replace(self.place, phases=phases, whole=False))

    def back(self) -> None:
        """Return to the place before."""
        self._take(self._history.back())

    def forward(self) -> None:
        """Go again where one came back from."""
        self._take(self._history.forward())

    def forget(self, gone: Callable[[Resource], bool]) -> None:
        """Leave out the places that are about resources which are no longer there."""

        def still_there(place: Place) -> bool:
            return not any(resource is not None and gone(resource) for resource in (place.focus, place.selected))

        before = self.place
        kept = self._history.keep(still_there)
        self._history = (
            kept if kept.current is not None else History(kept.past, settled(Place(before.view)), kept.future)
        )
        self._tell(before)

    def reset(self) -> None:
        """Begin anew, as in a new window."""
        before = self.place
        self._history = History((), Place())
        self._tell(before)

    def _change(self, place: Place) -> None:
        before = self.place
        self._history = self._history.replace(place)
        self._tell(before)

    def _go(self, place: Place) -> None:
        self._take(self._history.visit(settled(place)))

    def _take(self, history: History[Place]) -> None:
        before = self.place
        self._history = history
        self._tell(before)

    def _tell(self, before: Place) -> None:
        if self.place != before:
            self.moved.emit(self.place, before)
