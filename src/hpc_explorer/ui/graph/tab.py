"""The graph tab: the view, its picture, its commands and its summary."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from hpc_explorer.app.explore.finding import key_of
from hpc_explorer.app.graph.expanding import filter_choices
from hpc_explorer.app.views import FilterChoices
from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.scene import Scene, SceneNode
from hpc_explorer.canvas.view.state import GraphView
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.navigator import Navigator, Place, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.graph.commands import GraphCommands
from hpc_explorer.ui.graph.controller import GraphController
from hpc_explorer.ui.graph.page import GraphPage
from hpc_explorer.ui.graph.saved_views import SavedViewsController
from hpc_explorer.ui.graph.toolbar import graph_summary


class GraphTab(QObject):
    """Connects the parts of the graph view with the window.

    Attributes:
        controller: changes the view and draws it.
        saved_views: saves and loads views.
        commands: the commands.
    """

    def __init__(
        self, bridge: SessionBridge, navigator: Navigator, page: GraphPage, actions: Actions, window: QWidget
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._navigator = navigator
        self._page = page
        self._actions = actions
        self.controller = GraphController(bridge, page.canvas, self)
        self.saved_views = SavedViewsController(bridge, self.controller, window)
        self.commands = GraphCommands(bridge, self.controller, self.saved_views, navigator, page, self)
        self._counted: GraphView | None = None
        self._summed: tuple[Mapping[str, SceneNode], Scene, str] | None = None
        self.controller.changed.connect(self._tell)
        page.filters_toggled.connect(self._tell)
        navigator.moved.connect(self._follow_place)

    def own_looks(self) -> Mapping[str, Style] | None:
        """The custom styles of the view; None while it is not visible."""
        return self.controller.view.styles if self._navigator.place.view is View.GRAPH else None

    def _follow_place(self, place: Place, before: Place) -> None:
        """Take over a selection made elsewhere."""
        if place.view is View.GRAPH and (place.selected != before.selected or before.view is not View.GRAPH):
            self._choose(place.selected)
        self._say()

    def _choose(self, resource: Resource | None) -> None:
        key = key_of(resource) if resource is not None else ""
        canvas = self._page.canvas
        if key in self.controller.view.nodes and key not in canvas.selection.keys:
            canvas.select(key)
            self.controller.select([key])

    def _tell(self) -> None:
        view, undo = self.controller.view, self.controller.undo
        self._say()
        self._page.toolbar.show_view(view)
        for command_id, title, words in (
            ("edit.undo", "Undo", undo.undo_words),
            ("edit.redo", "Redo", undo.redo_words),
        ):
            self._actions.set_title(command_id, f"{title} {words}" if words else title)
        self._count(view)
        self._bridge.updated.emit()

    def _say(self) -> None:
        """Update the summary."""
        view, place = self.controller.view, self._navigator.place
        scene = self._page.canvas.scene()
        if self._summed is None or self._summed[0] is not view.nodes or self._summed[1] is not scene:
            # Counting tens of thousands of nodes for each message would take longer than the step.
            self._summed = view.nodes, scene, graph_summary(view, scene)
        said = self._summed[2]
        chosen = key_of(place.selected) if place.selected is not None else ""
        if said and chosen and chosen not in view.nodes:
            said += "  ·  the chosen resource is not in the graph; Ctrl+G adds it"
        self._page.set_summary(said)

    def _count(self, view: GraphView) -> None:
        """Update the filter choices if they are visible and the view has changed."""
        if not self._page.filters.isVisible():
            return
        counted = self._counted
        same = counted is not None and (counted.nodes, counted.edges) == (view.nodes, view.edges)
        if same and counted is not None and counted.filters == view.filters:
            return
        self._counted = view

        def show(choices: FilterChoices) -> None:
            self._page.filters.show_choices(choices, self.controller.view.filters)

        if view.nodes:
            self._bridge.run(
                filter_choices, view, title="Count what is shown", on_result=show, replaces="filter choices"
            )
        else:
            show(FilterChoices())
