"""The lineage page: toolbar, contents, time bar and canvas."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent

from hpc_explorer.ui.canvas.page import CanvasPage
from hpc_explorer.ui.lineage.contents import LineageContents
from hpc_explorer.ui.lineage.time_bar import TimeBar
from hpc_explorer.ui.lineage.toolbar import LineageToolbar
from hpc_explorer.ui.widgets.plain import plain_tip

EMPTY_TEXT = "Choose a resource, such as a trained model or a dataset, to see where it comes from."


class LineagePage(CanvasPage):
    """A lineage on a canvas."""

    def __init__(self) -> None:
        self.contents = LineageContents()
        toolbar = LineageToolbar(self.contents.as_menu)
        super().__init__(EMPTY_TEXT, toolbar)
        self.toolbar = toolbar
        self.add_above(self.contents)
        self.time_bar = TimeBar()
        self.add_above(self.time_bar)
        self.time_bar.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the picture has little room, the toolbar is all that stands above it."""
        self.contents.fold(self.is_low)
        super().resizeEvent(event)

    def set_summary(self, summary: str) -> None:
        """Set the summary, which is the tooltip of the menu where the page is low."""
        super().set_summary(summary)
        self.contents.as_menu.setToolTip(plain_tip(summary))

    def shows_summary(self) -> bool:
        """Whether the summary is in sight: neither the time bar nor the menu is there instead."""
        return super().shows_summary() and self.time_bar.isHidden() and self.contents.as_menu.isHidden()

    def show_time_bar(self, shown: bool) -> None:
        """Show or hide the time bar, which replaces the summary."""
        self.time_bar.setVisible(shown)
        self.set_summary(self.summary)
