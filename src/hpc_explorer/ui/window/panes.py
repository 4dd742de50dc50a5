"""The layout of the window: the top bar above the browser, the centre and the inspector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from hpc_explorer.canvas.palette import LIGHT
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.explore.browser import Browser
from hpc_explorer.ui.explore.class_toolbar import ClassToolbar
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.explore.search import ask_search
from hpc_explorer.ui.fair.controllers import fair_tab
from hpc_explorer.ui.graph.toolbar import GraphToolbar
from hpc_explorer.ui.query.tab import AskTab
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import column_in
from hpc_explorer.ui.widgets.edit_tab import EditTab
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.search_box import SearchBox
from hpc_explorer.ui.widgets.theme import GRID
from hpc_explorer.ui.window.start_page import StartPage
from hpc_explorer.ui.window.top_bar import TopBar
from hpc_explorer.ui.window.views import ViewTabs

ZOOM_BAR = ("view.zoom_out", "view.zoom_in", "view.fit")
"""The buttons at the right of the tabs."""

ASK_BAR = (
    ("edit.undo", "edit.redo"),
    ("ask.new", "ask.count", "ask.sort", "ask.limit", "ask.distinct", "ask.save", "ask.draw"),
)
"""The buttons above a query."""

ANSWER_BAR = (
    *(f"answer.save:{suffix}" for suffix in ("csv", "json", "md", "jsonld", "zip")),
    *("answer.copy", "answer.iris"),
)
"""The buttons above an answer."""

CLASS_BAR = (
    *("classes.branch", "classes.open_all", "classes.close_all"),
    *("classes.inferred", "classes.properties", "classes.instances"),
)
"""The buttons above the class view."""

INSPECTED = ("edit.resource", "go.upstream", "go.neighbours", "graph.add", "resource.history", "resource.export")
"""The buttons below the name of the chosen resource."""

FIRST_WIDTHS = (288, 724, 348)
"""The default widths of the three panes in pixels."""


class Panes(QWidget):
    """Everything between the menus and the status bar."""

    def __init__(self, bridge: SessionBridge, commands: Actions, preferences: Preferences, window: QWidget) -> None:
        super().__init__()
        self._preferences = preferences
        self._is_empty = True
        self.search = SearchBox(partial(ask_search, bridge), window)
        self.top_bar = TopBar(commands, self.search)
        self.browser = Browser(bridge, commands.action("view.only_used"))
        self.browser.questions.addAction(commands.action("ask.question"))
        self.banner = Banner()
        self.start_page = StartPage(commands.actions("file.open", "file.open_folder", "file.open_address"))
        self.pictures = ViewTabs(
            commands.actions(*ZOOM_BAR),
            GraphToolbar(commands),
            AskTab([commands.actions(*group) for group in ASK_BAR]),
            EditTab(),
            fair_tab(commands),
            commands.actions(*ANSWER_BAR),
            ClassToolbar(commands.actions(*CLASS_BAR)),
        )
        for action in commands.actions("view.as_of", "view.match_content"):
            self.pictures.lineage.toolbar.add_action(action)
        self.inspector = Inspector(commands.actions(*INSPECTED), commands.action("resource.copy_iri"), LIGHT)
        self._side = {"browser": self.browser, "inspector": self.inspector}
        self._centre = PageStack()
        self._centre.addWidget(self.start_page)
        self._centre.addWidget(self.pictures)
        middle = QWidget()
        column = column_in(middle)
        column.addWidget(self.banner)
        column.addWidget(self._centre, 1)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        sides = ((self.browser, 20 * GRID), (middle, 40 * GRID), (self.inspector, 24 * GRID))
        for pane, least in sides:
            pane.setMinimumWidth(least)
            self._splitter.addWidget(pane)
        for number in range(3):
            self._splitter.setStretchFactor(number, int(number == 1))
        rows = column_in(self)
        rows.addWidget(self.top_bar)
        rows.addWidget(self._splitter, 1)

    def canvas(self) -> CanvasView:
        """The current canvas."""
        return self.pictures.canvas

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of the panes in pixels; 0 if hidden."""
        return tuple(self._splitter.sizes())

    def set_widths(self, widths: Sequence[int]) -> None:
        """Set the widths of the panes in pixels; the default ones unless there are three."""
        self._splitter.setSizes(list(widths if len(widths) == 3 else FIRST_WIDTHS))

    def commands(self) -> tuple[Command, ...]:
        """The commands that show panes and move the focus between them."""
        return (
            Command("view.browser", "Classes and sources", "View", 2, "Ctrl+Shift+B", "panel-left")
            .runs(partial(self.toggle, "browser"))
            .marked(partial(self.has, "browser"))
            .about("Show or hide the left pane."),
            Command("view.inspector", "Inspector", "View", 2, "Ctrl+Shift+I", "panel-right")
            .runs(partial(self.toggle, "inspector"))
            .marked(partial(self.has, "inspector"))
            .about("Show or hide the right pane."),
            Command("go.next_pane", "Next pane", "Go", 4, "F6")
            .runs(partial(self._go, 1))
            .about("Move the focus to the next part of the window."),
            Command("go.previous_pane", "Previous pane", "Go", 4, "Shift+F6")
            .runs(partial(self._go, -1))
            .about("Move the focus to the previous part of the window."),
        )

    def has(self, name: str) -> bool:
        """Whether the pane "browser" or "inspector" is shown."""
        return name not in self._preferences.settings.hidden_panes

    def show_pane(self, name: str) -> None:
        """Show the pane "browser" or "inspector"."""
        if not self.has(name):
            self.toggle(name)

    def toggle(self, name: str) -> None:
        """Hide the pane "browser" or "inspector", or show it again."""
        hidden = set(self._preferences.settings.hidden_panes) ^ {name}
        self._preferences.change(hidden_panes=tuple(sorted(hidden)))
        self._show_sides()

    def show_parts(self, *, start: bool, empty: bool) -> None:
        """Show the start page or the views.

        Args:
            start: whether to show the start page.
            empty: nothing is open; the side panes are hidden.
        """
        self._centre.setCurrentWidget(self.start_page if start else self.pictures)
        self._is_empty = empty
        self._show_sides()

    def _show_sides(self) -> None:
        for name, pane in self._side.items():
            pane.setVisible(not self._is_empty and self.has(name))

    def _go(self, step: int) -> None:
        browser = self.browser
        stops = (self.search, browser.classes, browser.instances, browser.questions, browser.sources)
        others = (self.start_page, self.pictures.front, self.inspector)
        go_to_next((*stops, *others), self.window().focusWidget(), step)


def go_to_next(stops: Sequence[QWidget], focused: QWidget, step: int) -> None:
    """Move the focus to the next visible one of these widgets.

    Args:
        step: 1 forward, -1 back.
    """
    seen = [stop for stop in stops if stop.isVisible() and stop.isEnabled()]
    here = next((n for n, stop in enumerate(seen) if stop is focused or stop.isAncestorOf(focused)), -step)
    seen[(here + step) % len(seen)].setFocus(Qt.FocusReason.TabFocusReason)
