"""The lineage page: toolbar, contents, time bar and canvas."""

from __future__ import annotations

from hpc_explorer.ui.canvas.page import CanvasPage
from hpc_explorer.ui.lineage.contents import LineageContents
from hpc_explorer.ui.lineage.time_bar import TimeBar
from hpc_explorer.ui.lineage.toolbar import LineageToolbar

EMPTY_TEXT = "Choose a resource, such as a trained model or a dataset, to see where it comes from."


class LineagePage(CanvasPage):
    """A lineage on a canvas."""

    def __init__(self) -> None:
        toolbar = LineageToolbar()
        super().__init__(EMPTY_TEXT, toolbar)
        self.toolbar = toolbar
        self.contents = LineageContents()
        self.add_above(self.contents)
        self.time_bar = TimeBar()
        self.add_above(self.time_bar)
        self.time_bar.hide()

    def show_time_bar(self, shown: bool) -> None:
        """Show or hide the time bar, which replaces the summary."""
        self.time_bar.setVisible(shown)
        self.hide_summary(shown)
