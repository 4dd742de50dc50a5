"""How the parts of the window lie: the bar above, the browser, the picture and the inspector beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from hpc_explorer.ui.explore.browser import Browser
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.window.start_page import StartPage
from hpc_explorer.ui.window.top_bar import TopBar
from hpc_explorer.ui.window.views import PicturePane

FIRST_WIDTHS = (288, 724, 348)
"""Pixels of the three panes in a window that was never open before."""


class Panes(QWidget):
    """Everything between the menus and the status bar."""

    def __init__(
        self,
        top_bar: TopBar,
        browser: Browser,
        banner: Banner,
        start_page: StartPage,
        pictures: PicturePane,
        inspector: Inspector,
    ) -> None:
        super().__init__()
        self._side = {"browser": browser, "inspector": inspector}
        self._start_page, self._pictures = start_page, pictures
        self._centre = PageStack()
        self._centre.addWidget(start_page)
        self._centre.addWidget(pictures)
        middle = QWidget()
        column = _column(middle)
        column.addWidget(banner)
        column.addWidget(self._centre, 1)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        for pane, least in ((browser, 20 * GRID), (middle, 40 * GRID), (inspector, 24 * GRID)):
            pane.setMinimumWidth(least)
            self._splitter.addWidget(pane)
        for number in range(3):
            self._splitter.setStretchFactor(number, int(number == 1))
        rows = _column(self)
        rows.addWidget(top_bar)
        rows.addWidget(self._splitter, 1)

    @property
    def widths(self) -> tuple[int, ...]:
        """How wide the panes are, in pixels; 0 where one is put away."""
        return tuple(self._splitter.sizes())

    def set_widths(self, widths: Sequence[int]) -> None:
        """Give the panes these widths in pixels; where there are not three, the first ones."""
        self._splitter.setSizes(list(widths if len(widths) == 3 else FIRST_WIDTHS))

    def show_parts(self, *, start: bool, empty: bool, hidden: Sequence[str]) -> None:
        """Show the start page or the pictures, and beside them the panes that are not put away.

        Args:
            start: the start page.
            empty: nothing is open, so that the panes on the sides have nothing to show.
            hidden: which of "browser" and "inspector" are put away.
        """
        self._centre.setCurrentWidget(self._start_page if start else self._pictures)
        for name, pane in self._side.items():
            pane.setVisible(not empty and name not in hidden)


def go_to_next(stops: Sequence[QWidget], focused: QWidget, step: int) -> None:
    """Move the keyboard from where it is to the next of these parts of the window that is in sight.

    Args:
        step: 1 forward, -1 back.
    """
    seen = [stop for stop in stops if stop.isVisible() and stop.isEnabled()]
    here = next((n for n, stop in enumerate(seen) if stop is focused or stop.isAncestorOf(focused)), -step)
    seen[(here + step) % len(seen)].setFocus(Qt.FocusReason.TabFocusReason)


def _column(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column
