"""The page of the graph view: its toolbar, its filters, and the canvas."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from hpc_explorer.ui.canvas.page import CanvasPage
from hpc_explorer.ui.graph.controller import EMPTY_TEXT
from hpc_explorer.ui.graph.filters import GraphFilters
from hpc_explorer.ui.graph.toolbar import GraphToolbar


class GraphPage(CanvasPage):
    """The graph view on a canvas.

    Signals:
        filters_toggled(): the filters were shown or hidden.
    """

    filters_toggled = Signal()

    def __init__(self, toolbar: GraphToolbar) -> None:
        super().__init__(EMPTY_TEXT, toolbar, fades=False)
        self.toolbar = toolbar
        self.filters = GraphFilters()
        self.filters.hide()
        self.add_beside(self.filters)

    def toggle_filters(self) -> None:
        """Show the filters, or hide them."""
        self.filters.setVisible(self.filters.isHidden())
        if self.filters.isVisible():
            self.filters.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters_toggled.emit()
