"""The context menu of a node."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.navigator import View

_EVERYWHERE = (
    ("go.neighbours", "go.upstream", "go.downstream", "graph.add"),
    ("go.impact", "view.reproduce", "go.compare", "go.compare_with"),
    ("edit.resource", "resource.open", "resource.copy_iri", "resource.export"),
)

_IN_THE_GRAPH = (
    ("graph.expand", "graph.collapse", "graph.path", "graph.compare"),
    ("Graph/Focus", "graph.hide", "graph.remove"),
    ("graph.pin", "graph.unpin"),
    ("go.neighbours", "go.upstream", "go.downstream"),
    ("go.impact", "view.reproduce", "go.compare", "go.compare_with"),
    ("edit.resource", "resource.open", "resource.copy_iri", "resource.export"),
)

_AMONG_CLASSES = (("classes.branch", "classes.instances"), *_EVERYWHERE)

_MENUS = {View.GRAPH: _IN_THE_GRAPH, View.CLASSES: _AMONG_CLASSES}


def open_node_menu(actions: Actions, view: View, at: QPoint, parent: QWidget) -> None:
    """Open the context menu of the chosen node at a place on the screen."""
    menu = actions.menu(_MENUS.get(view, _EVERYWHERE), parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(at)
