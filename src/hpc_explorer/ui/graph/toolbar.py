"""The toolbar of the graph view."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.view.state import Filters, GraphView
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.widgets.action_button import TEXT, MenuButton, action_button
from hpc_explorer.ui.widgets.one_line import OneLine
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.wording import counted


class GraphToolbar(QWidget):
    """Buttons for frequent commands; those that restore something are visible when needed.

    Args:
        actions: the commands.
    """

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        row = OneLine(self, GRID)
        for action in actions.actions("graph.add", "graph.expand", "graph.filters"):
            row.addWidget(action_button(action, TEXT, short=True))
        self._arrange = MenuButton()
        self._arrange.setText("Arrange")
        self._arrange.setAccessibleName("Arrange")
        self._arrange.setToolTip("Lay out everything again")
        self._arrange.setMenu(actions.submenu("Graph/Arrange"))
        row.addWidget(self._arrange)
        self._back = {
            name: action_button(actions.action(name), TEXT, short=True)
            for name in ("graph.clear_filters", "graph.show_hidden", "graph.whole")
        }
        for button in self._back.values():
            button.hide()
            row.addWidget(button)

    def show_view(self, view: GraphView) -> None:
        """Show the buttons that restore what this view leaves out."""
        self._arrange.setEnabled(bool(view.nodes))
        there = {
            "graph.clear_filters": view.filters != Filters(),
            "graph.show_hidden": bool(view.hidden),
            "graph.whole": view.focus is not None,
        }
        for name, button in self._back.items():
            button.setVisible(there[name])


def graph_summary(view: GraphView, scene: Scene) -> str:
    """The size of a graph view, and how much is left out."""
    if not view.nodes:
        return ""
    shown = sum(not node.group for node in scene.nodes)
    links = sum(1 for edge in scene.edges if edge.predicate) - sum(node.group for node in scene.nodes)
    parts = [f"{counted(shown, 'node')}, {counted(max(0, links), 'link')}"]
    if shown < len(view.nodes):
        parts.append(f"{len(view.nodes) - shown:,} of {counted(len(view.nodes), 'node')} left out")
    return "  ·  ".join(parts)
