"""Where the window is: every click on a resource goes through here, and back and forward return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from PySide6.QtCore import QObject, Signal

from hpc_explorer.app.navigation import History
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.commands import NOTHING, Command, Need


class Level(Enum):
    """What a view is about: the whole graph, or one resource."""

    HOME = "Home"
    PAGE = "Page"
    GRAPH = "Graph"
    QUERY = "Query"


class View(Enum):
    """What the centre of the window shows. A new view needs a member here, an entry in `VIEWS`, and a page."""

    HOME = "home"
    EXPLORE = "explore"
    LINEAGE = "lineage"
    EDIT = "edit"
    FAIR = "fair"
    REPRODUCE = "reproduce"
    MONITOR = "monitor"
    GRAPH = "graph"
    CLASSES = "classes"
    RUNS = "runs"
    ASK = "ask"
    ANSWER = "answer"


@dataclass(frozen=True)
class ViewSpec:
    """How a view is offered.

    Args:
        level: the tabs it belongs to: those of a resource's page, of Graph or of Query.
        title: on its tab.
        description: one sentence for the tooltip and the command palette.
        optional: whether its tab appears only for resources that it has something to show of.
    """

    level: Level
    title: str
    icon: str
    shortcut: str
    description: str
    optional: bool = False


VIEWS = {
    View.HOME: ViewSpec(
        Level.HOME, "Home", "home", "Alt+Home", "Show what is in the graph: its classes, and their resources as tables."
    ),
    View.EXPLORE: ViewSpec(Level.PAGE, "Overview", "neighbours", "Ctrl+1", "Show the chosen resource and its links."),
    View.LINEAGE: ViewSpec(
        Level.PAGE,
        "Lineage",
        "lineage",
        "Ctrl+2",
        "Show where the chosen resource comes from, or what was derived from it.",
    ),
    View.EDIT: ViewSpec(
        Level.PAGE,
        "Edit",
        "edit",
        "Ctrl+7",
        "Edit the chosen resource in a form, review the changes, and check them.",
    ),
    View.FAIR: ViewSpec(
        Level.PAGE,
        "FAIR",
        "fair",
        "Ctrl+8",
        "Show how FAIR the chosen dataset or model is, why, and what to do next.",
    ),
    View.REPRODUCE: ViewSpec(
        Level.PAGE,
        "Reproduce",
        "reproduce",
        "Ctrl+R",
        "Show how the chosen resource was made, step by step, and what is missing to make it again.",
    ),
    View.MONITOR: ViewSpec(
        Level.PAGE,
        "Monitor",
        "recent",
        "Ctrl+B",
        "Show the jobs of a run over time, the measurements of its hosts, and anomalies.",
        optional=True,
    ),
    View.GRAPH: ViewSpec(
        Level.GRAPH, "Graph", "graph", "Ctrl+3", "Show the part of the graph that you expand step by step."
    ),
    View.CLASSES: ViewSpec(Level.GRAPH, "Classes", "classes", "Ctrl+4", "Show the classes and how they are connected."),
    View.RUNS: ViewSpec(
        Level.GRAPH, "Runs", "runs", "Ctrl+9", "Show how far recorded runs have come, also while they are recorded."
    ),
    View.ASK: ViewSpec(
        Level.QUERY, "Query", "ask", "Ctrl+5", "Build a query by clicking, and see its rows after each step."
    ),
    View.ANSWER: ViewSpec(Level.QUERY, "Answer", "answer", "Ctrl+6", "Show the answer to the last question."),
}
"""All views, in the order of their tabs and of the menu."""


def views_of(level: Level) -> tuple[View, ...]:
    """The views of a level, in the order of their tabs."""
    return tuple(view for view, spec in VIEWS.items() if spec.level is level)


@dataclass(frozen=True)
class Place:
    """What the window shows.

    Args:
        focus: the resource in the picture; None on the home page and in the class view.
        selected: the resource in the inspector: the focus or another node.
        downstream: whether the lineage goes forward.
        depth: the most steps of the lineage; None for all.
        whole: whether the lineage includes context and shortcuts, not only its main line.
        phases: whether the lineage is folded into phases; None to decide by its size.
    """

    view: View = View.HOME
    focus: Resource | None = None
    selected: Resource | None = None
    downstream: bool = False
    depth: int | None = None
    whole: bool = False
    phases: bool | None = None


def settled(place: Place) -> Place:
    """Correct a place: the overview of nothing is the home page; views of the whole graph have no focus."""
    if place.view is View.EXPLORE and place.focus is None:
        place = replace(place, view=View.HOME)
    return replace(place, focus=None) if place.view in (View.HOME, View.CLASSES, View.RUNS) else place


class Navigator(QObject):
    """The current place and the history.

    Attributes:
        is_returning: whether the move goes back or forward, so that the picture is shown as it was left.
        offered: the optional views that have something to show of the resource.

    Signals:
        moved(Place, Place): the new place and the previous one.
    """

    moved = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history: History[Place] = History((), Place())
        self._last: dict[Level, View] = {}
        self.is_returning = False
        self.offered: frozenset[View] = frozenset()

    @property
    def place(self) -> Place:
        """The current place."""
        return self._history.current or Place()

    @property
    def can_go_back(self) -> bool:
        """Whether there is a previous place."""
        return self._history.can_go_back

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a place to go forward to."""
        return self._history.can_go_forward

    def commands(self, resource: Need) -> tuple[Command, ...]:
        """The commands that change the place.

        Args:
            resource: a resource is selected.
        """
        back = Need("a place to go back to", lambda: self.can_go_back)
        forward = Need("a place to go forward to", lambda: self.can_go_forward)
        views = (
            Command(f"view.{view.value}", spec.title, "View", 0, spec.shortcut, spec.icon)
            .runs(partial(self.show_view, view), self._need_of(view))
            .marked(partial(self._shows, view), choice=True)
            .about(spec.description)
            for view, spec in VIEWS.items()
        )
        return (
            *views,
            Command("go.back", "Back", "Go", 0, "Alt+Left", "back")
            .runs(self.back, back)
            .about("Return to the resource you looked at before."),
            Command("go.forward", "Forward", "Go", 0, "Alt+Right", "forward")
            .runs(self.forward, forward)
            .about("Undo the last step back."),
            Command("go.neighbours", "Explore neighbours", "Go", 2, "", "neighbours", short="Explore")
            .runs(lambda: self.explore(self.place.selected), resource)
            .about("Draw the links of the chosen resource in both directions."),
        )

    def _need_of(self, view: View) -> Need:
        if not VIEWS[view].optional:
            return NOTHING
        return Need("a run, a job, a host of jobs or a series of measurements", lambda: view in self.offered)

    def _shows(self, view: View) -> bool:
        return self.place.view is view

    def open(self, resource: Resource) -> None:
        """Make a resource the focus, and describe it."""
        stays = VIEWS[self.place.view].level is Level.PAGE or self.place.view is View.GRAPH
        view = self.place.view if stays else View.EXPLORE
        self._go(replace(self.place, view=view, focus=resource, selected=resource))

    def select(self, resource: Resource | None) -> None:
        """Describe a resource in the inspector (None: the focus); the picture stays."""
        self._go(replace(self.place, selected=resource if resource is not None else self.place.focus))

    def explore(self, resource: Resource | None) -> None:
        """Show a resource and its neighbours; None shows the home page."""
        self._go(replace(self.place, view=View.EXPLORE, focus=resource, selected=resource))

    def show_level(self, level: Level) -> None:
        """Show a workspace as it was left; at first the classes rather than an empty graph."""
        self.show_view(self._last.get(level, views_of(level)[0] if level is not Level.GRAPH else View.CLASSES))

    def edit(self, resource: Resource | None) -> None:
        """Show the form of a resource; None for a new one."""
        self._go(replace(self.place, view=View.EDIT, focus=resource, selected=resource))

    def trace(self, resource: Resource | None, *, downstream: bool) -> None:
        """Show where a resource comes from, or what was derived from it."""
        self._go(replace(self.place, view=View.LINEAGE, focus=resource, selected=resource, downstream=downstream))

    def show_view(self, view: View) -> None:
        """Show the selected resource in another view."""
        focus = self.place.selected or self.place.focus
        if view is not self.place.view:
            self._go(replace(self.place, view=view, focus=focus, selected=focus))

    def turn(self, *, downstream: bool) -> None:
        """Trace the same resource in the other direction."""
        self._go(replace(self.place, downstream=downstream, selected=self.place.focus))

    def limit(self, depth: int | None) -> None:
        """Limit the steps of the lineage. Not recorded in the history."""
        self._change(replace(self.place, depth=depth))

    def draw_whole(self, whole: bool) -> None:
        """Draw the whole lineage, or its main line, card by card if it was so. Not recorded in the history."""
        self._change(replace(self.place, whole=whole, phases=None if self.place.phases else self.place.phases))

    def draw_phases(self, phases: bool) -> None:
        """Fold the lineage into phases, or draw its main line. Not recorded in the history."""
        self._change(replace(self.place, phases=phases, whole=False))

    def back(self) -> None:
        """Return to the previous place."""
        self._return(self._history.back())

    def forward(self) -> None:
        """Undo `back`."""
        self._return(self._history.forward())

    def forget(self, gone: Callable[[Resource], bool]) -> None:
        """Remove the places whose resources are gone."""

        def still_there(place: Place) -> bool:
            return not any(resource is not None and gone(resource) for resource in (place.focus, place.selected))

        before = self.place
        kept = self._history.keep(still_there)
        self._history = (
            kept if kept.current is not None else History(kept.past, settled(Place(before.view)), kept.future)
        )
        self._notify(before)

    def reset(self) -> None:
        """Clear the history, as in a new window."""
        before = self.place
        self._history = History((), Place())
        self._notify(before)

    def _change(self, place: Place) -> None:
        before = self.place
        self._history = self._history.replace(place)
        self._notify(before)

    def _go(self, place: Place) -> None:
        self._take(self._history.visit(settled(place)))

    def _return(self, history: History[Place]) -> None:
        self.is_returning = True
        try:
            self._take(history)
        finally:
            self.is_returning = False

    def _take(self, history: History[Place]) -> None:
        before = self.place
        self._history = history
        self._notify(before)

    def _notify(self, before: Place) -> None:
        self._last[VIEWS[self.place.view].level] = self.place.view
        if self.place != before:
            self.moved.emit(self.place, before)
