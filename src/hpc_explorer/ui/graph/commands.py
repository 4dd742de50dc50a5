"""The commands of the graph view: which nodes each is about, what it does to them, and when there is anything to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QPoint, Qt, Signal

from hpc_explorer.app.commands import Needs
from hpc_explorer.app.explore.finding import key_of, resource_of_key
from hpc_explorer.app.graph.expanding import PAGE
from hpc_explorer.app.graph.shortest_path import MOST_LINKS
from hpc_explorer.canvas.legend import of_look
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.canvas.scene import Arrangement
from hpc_explorer.canvas.text import brief
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.state import REST_PREFIX, Filters, GraphView, set_of_rest
from hpc_explorer.ui.bridge.navigator import Navigator, View
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.graph.controller import NAMED_LENGTH, GraphDesk
from hpc_explorer.ui.graph.expand_popup import ExpandPopup
from hpc_explorer.ui.graph.page import GraphPage
from hpc_explorer.ui.graph.saved_views import GraphKeeper


class GraphCommands(QObject):
    """Runs them on the chosen nodes: those that are selected, or else the one that the inspector describes.

    Signals:
        said(str): what came of a command, where the picture does not show it.
    """

    said = Signal(str)

    def __init__(
        self,
        bridge: SessionBridge,
        desk: GraphDesk,
        keeper: GraphKeeper,
        navigator: Navigator,
        page: GraphPage,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._desk = desk
        self._keeper = keeper
        self._navigator = navigator
        self._page = page
        self._theme = LIGHT
        self.popup: ExpandPopup | None = None
        page.canvas.node_activated.connect(self._activate)
        page.filters.filtered.connect(self._filter)
        canvas = page.canvas
        canvas.legend_toggled.connect(self._toggle_look)
        canvas.legend_cleared.connect(self._show_all_classes)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self._theme = theme

    @property
    def chosen(self) -> tuple[str, ...]:
        """The keys of the nodes that a command is about."""
        view, place = self._desk.view, self._navigator.place
        if view.selected:
            return tuple(sorted(view.selected))
        key = key_of(place.selected) if place.selected is not None else ""
        return (key,) if key in view.nodes else ()

    def handlers(self) -> dict[str, Callable[[], None]]:
        """What each command does, by its id."""
        return {
            "edit.undo": lambda: self._turn(self._desk.take_back),
            "edit.redo": lambda: self._turn(self._desk.do_again),
            "view.graph": lambda: self._navigator.show_view(View.GRAPH),
            "graph.add": self._add,
            "graph.expand": self._expand,
            "graph.collapse": lambda: self._change(_collapsed, "collapse"),
            "graph.path": self._show_path,
            "graph.hide": lambda: self._change(steps.hidden, "hide"),
            "graph.show_hidden": lambda: self._desk.change(steps.shown_again(self._desk.view), "show hidden nodes"),
            "graph.remove": lambda: self._change(steps.removed, "remove"),
            **{f"graph.focus:{number}": _with(self._focus, number) for number in range(1, 5)},
            "graph.whole": lambda: self._desk.change(steps.focused(self._desk.view, None), "show the whole graph"),
            "graph.filters": self._page.toggle_filters,
            "graph.clear_filters": lambda: self._filter(Filters(), "clear filters"),
            "graph.pin": lambda: self._change(steps.pinned, "pin"),
            "graph.unpin": lambda: self._change(lambda view, keys: steps.pinned(view, keys, fixed=False), "unpin"),
            "graph.arrange_layered": lambda: self._arrange("layered", "arrange in layers"),
            "graph.arrange_force": lambda: self._arrange("force", "arrange by forces"),
            "graph.arrange_tree": lambda: self._arrange("tree", "arrange as a tree"),
            "graph.save_view": self._keeper.ask_name,
            "graph.open_view": self._keeper.ask_view,
            "graph.clear": lambda: self._desk.change(GraphView(styles=self._desk.view.styles), "clear graph"),
        }

    def present(self) -> dict[Needs, bool]:
        """What is there that a command needs."""
        view, chosen = self._desk.view, self.chosen
        in_graph = self._navigator.place.view is View.GRAPH
        return {
            Needs.DONE: self._desk.undo.undo_words is not None,
            Needs.UNDONE: self._desk.undo.redo_words is not None,
            Needs.NODE: in_graph and bool(chosen),
            Needs.TWO_NODES: in_graph and len(chosen) == 2,
            Needs.GRAPH_VIEW: bool(view.nodes),
            Needs.HIDDEN: bool(view.hidden),
            Needs.NARROWED: view.focus is not None,
            Needs.FILTERED: view.filters != Filters(),
        }

    # -- each command

    def _turn(self, turn: Callable[[], None]) -> None:
        turn()
        turned = self._desk.undo.turned
        if turned is not None and self._desk.document.has(turned):  # others hold everywhere, or bring their own picture
            self._navigator.show_view(View.GRAPH)

    def _change(self, step: Callable[[GraphView, tuple[str, ...]], GraphView], words: str) -> None:
        chosen = self.chosen
        self._desk.change(step(self._desk.view, chosen), f"{words} {self._named(chosen)}")

    def _add(self) -> None:
        resource = self._navigator.place.selected
        if resource is not None:
            self._navigator.show_view(View.GRAPH)
            self._page.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
            self._desk.add([resource], "add to graph")

    def _expand(self) -> None:
        self.expand_at(self.chosen[-1])

    def expand_at(self, key: str) -> None:
        """Open the list of what a node is linked with."""
        node = self._desk.view.nodes.get(key)
        if node is None:
            return
        canvas = self._page.canvas
        popup = ExpandPopup(self._bridge, self._desk.view, node.label, self._theme, canvas)
        popup.wanted.connect(self._desk.expand)
        rect = canvas.view_rect(key)
        corner = QPoint(round(rect.x), round(rect.bottom) + 4) if rect is not None else QPoint(8, 8)
        self.popup = popup
        popup.destroyed.connect(self._forget_popup)
        popup.open_at(key, canvas.mapToGlobal(corner))

    def _forget_popup(self) -> None:
        self.popup = None

    def _activate(self, key: str) -> None:
        """What a double click or Enter does: the next page of what is not shown, or the list of what could be."""
        if key.startswith(REST_PREFIX):
            of = set_of_rest(key)
            self._desk.expand(of, self._desk.view.expansions[of].label, PAGE)
        else:
            self.expand_at(key)

    def _show_path(self) -> None:
        one, other = self.chosen
        nodes = self._desk.view.nodes
        names = [f"“{brief(nodes[key].label, NAMED_LENGTH)}”" for key in (one, other)]
        self._desk.add_path(
            resource_of_key(one),
            resource_of_key(other),
            lambda: self.said.emit(f"Nothing found that joins {' and '.join(names)} by up to {MOST_LINKS} links"),
        )

    def _focus(self, number: int) -> None:
        key = self.chosen[-1]
        self._desk.change(steps.focused(self._desk.view, key, number), f"focus {self._named((key,))}")

    def _filter(self, filters: Filters, words: str) -> None:
        self._desk.change(steps.filtered(self._desk.view, filters), words)

    def _toggle_look(self, key: str) -> None:
        """Leave out the classes of the nodes that look so, or show them again: as the filters beside do."""
        ready = self._page.canvas.ready()
        label = next((entry.label for entry in self._page.canvas.legend() if entry.key == key), "")
        if ready is None or not label:
            return
        filters = self._desk.view.filters
        classes = {cls for node in of_look(ready.scene, ready.theme, key) for cls in node.classes}
        if not classes:
            self.said.emit(f"“{label}” have no class in the graph by which they could be left out")
        elif classes <= filters.classes:
            self._filter(replace(filters, classes=filters.classes - classes), f"show {label}")
        else:
            self._filter(replace(filters, classes=filters.classes | classes), f"hide {label}")

    def _show_all_classes(self) -> None:
        self._filter(replace(self._desk.view.filters, classes=frozenset()), "show all classes")

    def _arrange(self, arrangement: Arrangement, words: str) -> None:
        self._navigator.show_view(View.GRAPH)
        self._desk.rearrange(arrangement, words)

    def _named(self, keys: tuple[str, ...]) -> str:
        if len(keys) != 1:
            return f"{len(keys):,} nodes"
        return f"“{brief(self._desk.view.nodes[keys[0]].label, NAMED_LENGTH)}”"


def _collapsed(view: GraphView, keys: tuple[str, ...]) -> GraphView:
    for key in keys:
        view = steps.collapsed_node(view, key)
    return view


def _with(run: Callable[[int], None], number: int) -> Callable[[], None]:
    return lambda: run(number)
