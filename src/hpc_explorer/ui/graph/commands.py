"""Commands of the graph view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt

from hpc_explorer.app.explore.finding import key_of, resource_of_key
from hpc_explorer.app.graph.expanding import PAGE
from hpc_explorer.app.graph.shortest_path import MOST_LINKS
from hpc_explorer.canvas.legend import of_look
from hpc_explorer.canvas.scene import Arrangement
from hpc_explorer.canvas.text import brief
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.state import REST_PREFIX, Filters, GraphView, set_of_rest
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.bridge.commands import Command, Need, chosen_resource, open_graph
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.graph.controller import NAMED_LENGTH, GraphController
from hpc_explorer.ui.graph.expand_popup import ExpandPopup
from hpc_explorer.ui.graph.page import GraphPage
from hpc_explorer.ui.graph.saved_views import SavedViewsController
from hpc_explorer.wording import counted


class GraphCommands(QObject):
    """Runs commands on the selected nodes, or else on the resource in the inspector."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GraphController,
        saved_views: SavedViewsController,
        navigator: Navigator,
        page: GraphPage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._saved_views = saved_views
        self._navigator = navigator
        self._page = page
        self.popup: ExpandPopup | None = None
        page.canvas.node_activated.connect(self._activate)
        page.filters.filtered.connect(self._filter)
        canvas = page.canvas
        canvas.legend_toggled.connect(self._toggle_look)
        canvas.legend_cleared.connect(self._show_all_classes)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The keys of the nodes for a command."""
        view, place = self._controller.view, self._navigator.place
        if view.selected:
            return tuple(sorted(view.selected))
        key = key_of(place.selected) if place.selected is not None else ""
        return (key,) if key in view.nodes else ()

    def chosen_resources(self) -> tuple[Resource, ...]:
        """The selected resources: nodes of the visible graph view, or the one in the inspector."""
        place = self._navigator.place
        if self._is_in_sight() and self.chosen:
            return tuple(map(resource_of_key, self.chosen))
        return () if place.selected is None else (place.selected,)

    def draw_found(self, resources: Sequence[Resource]) -> None:
        """Add the results of a question to the graph view."""
        self._navigator.show_view(View.GRAPH)
        self._controller.add(resources, f"draw {len(resources):,} found resources")

    def commands(self) -> tuple[Command, ...]:
        """The commands of the graph view."""
        graph, resource = open_graph(self._bridge), chosen_resource(self._bridge, self._navigator)
        view = Need("something in the graph view", lambda: bool(self._controller.view.nodes))
        node = Need("a chosen node of the graph view", lambda: self._is_in_sight() and bool(self.chosen))
        two = Need("two chosen nodes of the graph view", lambda: self._is_in_sight() and len(self.chosen) == 2)
        hidden = Need("hidden nodes", lambda: bool(self._controller.view.hidden))
        narrowed = Need("a graph view narrowed to a node", lambda: self._controller.view.focus is not None)
        filtered = Need("a filter that leaves something out", lambda: self._controller.view.filters != Filters())
        return (
            Command("graph.add", "Add to graph", "Graph", 0, "Ctrl+G", "add", short="To graph")
            .runs(self._add, resource)
            .about("Add the chosen resource to the graph view, with its links to the shown nodes."),
            Command("graph.expand", "Expand…", "Graph", 1, "Ctrl+M", "expand-node")
            .runs(lambda: self.expand_at(self.chosen[-1]), node)
            .about("List the neighbours of the chosen node with their numbers, and show some of them."),
            Command("graph.collapse", "Collapse", "Graph", 1, "", "collapse")
            .runs(lambda: self._change(_collapsed, "collapse"), node)
            .about("Remove the neighbours that were opened at the chosen nodes, unless another node leads to them."),
            Command("graph.path", "Path between two", "Graph", 1, "", "path")
            .runs(self._show_path, two)
            .about("Show the shortest chain between two chosen nodes: of derivations, or else of any links."),
            Command("graph.hide", "Hide", "Graph", 2)
            .runs(lambda: self._change(steps.hidden, "hide"), node)
            .about("Hide the chosen nodes; they stay expanded."),
            Command("graph.show_hidden", "Show hidden nodes", "Graph", 2)
            .runs(self._show_hidden, hidden)
            .about("Show the hidden nodes again."),
            Command("graph.remove", "Remove from graph", "Graph", 2)
            .runs(lambda: self._change(steps.removed, "remove"), node)
            .about(
                "Take the chosen nodes out of the graph view, and what only they lead to. Your sources stay as "
                "they are."
            ),
            *(
                Command(
                    f"graph.focus:{number}",
                    f"Only this and nodes up to {links} away",
                    "Graph/Focus",
                    2,
                )
                .runs(partial(self._focus, number), node)
                .about(f"Hide nodes more than {links} away from the chosen node.")
                for number, links in ((number, counted(number, "link")) for number in range(1, 5))
            ),
            Command("graph.whole", "Whole graph again", "Graph", 2)
            .runs(self._show_whole, narrowed)
            .about("Show the hidden distant nodes again."),
            Command("graph.filters", "Filters", "Graph", 3, "", "filter")
            .runs(self._page.toggle_filters)
            .marked(lambda: not self._page.filters.isHidden())
            .about("Hide nodes and links by class, predicate, source, origin and name."),
            Command("graph.clear_filters", "Clear filters", "Graph", 3)
            .runs(lambda: self._filter(Filters(), "clear filters"), filtered)
            .about("Remove all filters."),
            Command("graph.pin", "Pin", "Graph", 4)
            .runs(lambda: self._change(steps.pinned, "pin"), node)
            .about("Fix the chosen nodes at their places."),
            Command("graph.unpin", "Unpin", "Graph", 4, "")
            .runs(lambda: self._change(_unpinned, "unpin"), node)
            .about("Let the layout move the chosen nodes again."),
            Command("graph.arrange_layered", "Arrange in layers", "Graph/Arrange", 4)
            .runs(lambda: self._arrange("layered", "arrange in layers"), view)
            .about("Lay out everything again from left to right along the links. Pinned nodes stay."),
            Command("graph.arrange_force", "Arrange by forces", "Graph/Arrange", 4)
            .runs(lambda: self._arrange("force", "arrange by forces"), view)
            .about("Lay out everything again with linked nodes close together. Pinned nodes stay."),
            Command("graph.arrange_tree", "Arrange as a tree", "Graph/Arrange", 4, "")
            .runs(lambda: self._arrange("tree", "arrange as a tree"), view)
            .about("Lay out everything again as a hierarchy. Pinned nodes stay."),
            Command("graph.save_view", "Save view…", "Graph", 5)
            .runs(self._saved_views.ask_name, view)
            .about("Keep the graph view under a name: its nodes, their places, filters and all."),
            Command("graph.open_view", "Open view…", "Graph", 5)
            .runs(self._saved_views.ask_view, graph)
            .about("Show a graph view that was kept under a name."),
            Command("graph.clear", "Clear graph", "Graph", 6).runs(self._clear, view).about("Empty the graph view."),
        )

    def take_back(self) -> None:
        """Take the last step back, and show the graph view if it was one of it."""
        self._turn(self._controller.take_back)

    def do_again(self) -> None:
        """Redo a step, and show the graph view if it was a step of it."""
        self._turn(self._controller.do_again)

    # -- each command

    def _turn(self, turn: Callable[[], None]) -> None:
        turn()
        turned = self._controller.undo.turned
        if turned is not None and self._controller.document.has(
            turned
        ):  # others hold everywhere, or bring their own picture
            self._navigator.show_view(View.GRAPH)

    def _change(self, step: Callable[[GraphView, tuple[str, ...]], GraphView], words: str) -> None:
        chosen = self.chosen
        self._controller.change(step(self._controller.view, chosen), f"{words} {self._named(chosen)}")

    def _add(self) -> None:
        resource = self._navigator.place.selected
        if resource is not None:
            self._navigator.show_view(View.GRAPH)
            self._page.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
            self._controller.add([resource], "add to graph")

    def _is_in_sight(self) -> bool:
        return self._navigator.place.view is View.GRAPH

    def expand_at(self, key: str) -> None:
        """Open the list of a node's neighbours."""
        node = self._controller.view.nodes.get(key)
        if node is None:
            return
        canvas = self._page.canvas
        popup = ExpandPopup(self._bridge, self._controller.view, node.label, canvas)
        popup.wanted.connect(self._controller.expand)
        rect = canvas.view_rect(key)
        corner = QPoint(round(rect.x), round(rect.bottom) + 4) if rect is not None else QPoint(8, 8)
        self.popup = popup
        popup.destroyed.connect(self._forget_popup)
        popup.open_at(key, canvas.mapToGlobal(corner))

    def _forget_popup(self) -> None:
        self.popup = None

    def _activate(self, key: str) -> None:
        """The action of a double click or Enter: show the next neighbours, or list the possible ones."""
        if key.startswith(REST_PREFIX):
            of = set_of_rest(key)
            self._controller.expand(of, self._controller.view.expansions[of].label, PAGE)
        else:
            self.expand_at(key)

    def _show_path(self) -> None:
        one, other = self.chosen
        nodes = self._controller.view.nodes
        names = [f"“{brief(nodes[key].label, NAMED_LENGTH)}”" for key in (one, other)]
        self._controller.add_path(
            resource_of_key(one),
            resource_of_key(other),
            lambda: self._bridge.said.emit(
                f"Nothing found that joins {' and '.join(names)} by up to {MOST_LINKS} links"
            ),
        )

    def _focus(self, number: int) -> None:
        key = self.chosen[-1]
        self._controller.change(steps.focused(self._controller.view, key, number), f"focus {self._named((key,))}")

    def _show_whole(self) -> None:
        self._controller.change(steps.focused(self._controller.view, None), "show the whole graph")

    def _show_hidden(self) -> None:
        self._controller.change(steps.shown_again(self._controller.view), "show hidden nodes")

    def _clear(self) -> None:
        self._controller.change(GraphView(styles=self._controller.view.styles), "clear graph")

    def _filter(self, filters: Filters, words: str) -> None:
        self._controller.change(steps.filtered(self._controller.view, filters), words)

    def _toggle_look(self, key: str) -> None:
        """Leave out the classes of the nodes that look so, or show them again: as the filters beside do."""
        ready = self._page.canvas.ready()
        label = next((entry.label for entry in self._page.canvas.legend() if entry.key == key), "")
        if ready is None or not label:
            return
        filters = self._controller.view.filters
        classes = {cls for node in of_look(ready.scene, ready.theme, key) for cls in node.classes}
        if not classes:
            self._bridge.said.emit(f"“{label}” have no class in the graph by which they could be left out")
        elif classes <= filters.classes:
            self._filter(replace(filters, classes=filters.classes - classes), f"show {label}")
        else:
            self._filter(replace(filters, classes=filters.classes | classes), f"hide {label}")

    def _show_all_classes(self) -> None:
        self._filter(replace(self._controller.view.filters, classes=frozenset()), "show all classes")

    def _arrange(self, arrangement: Arrangement, words: str) -> None:
        self._navigator.show_view(View.GRAPH)
        self._controller.rearrange(arrangement, words)

    def _named(self, keys: tuple[str, ...]) -> str:
        if len(keys) != 1:
            return f"{len(keys):,} nodes"
        return f"“{brief(self._controller.view.nodes[keys[0]].label, NAMED_LENGTH)}”"


def _collapsed(view: GraphView, keys: tuple[str, ...]) -> GraphView:
    for key in keys:
        view = steps.collapsed_node(view, key)
    return view


def _unpinned(view: GraphView, keys: tuple[str, ...]) -> GraphView:
    return steps.pinned(view, keys, fixed=False)
