"""The layout of the window: the top bar above the browser, the centre and the inspector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QToolButton, QWidget

from hpc_explorer.app.settings import FIRST_PANES
from hpc_explorer.ui.bridge.actions import Actions
from hpc_explorer.ui.bridge.commands import Command, Need
from hpc_explorer.ui.bridge.navigator import VIEWS, Level, Place
from hpc_explorer.ui.bridge.preferences import Preferences
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.explore.browser import DRAWERS, Browser
from hpc_explorer.ui.explore.class_view import ClassToolbar
from hpc_explorer.ui.explore.inspector import Inspector
from hpc_explorer.ui.explore.search import ask_search
from hpc_explorer.ui.graph.toolbar import GraphToolbar
from hpc_explorer.ui.widgets.action_button import action_button, labelled_button
from hpc_explorer.ui.widgets.banner import Banner
from hpc_explorer.ui.widgets.dialog_parts import column_in, row_in
from hpc_explorer.ui.widgets.edit_tab import EditTab
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.search_box import SearchBox
from hpc_explorer.ui.widgets.theme import GRID, current_theme
from hpc_explorer.ui.window.start_page import StartPage
from hpc_explorer.ui.window.views import ViewTabs

ZOOM_BAR = ("view.zoom_out", "view.zoom_in", "view.fit")
"""The buttons at the right of the tabs."""

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

FIRST_WIDTHS = (272, 824, 328)
"""The default widths of the three panes in pixels."""

NARROW = 35 * GRID
"""Pixels of the inspector in a window that is too narrow for the default widths."""

ROOMY, QUERY_ROOMY = 64 * GRID, 112 * GRID
"""Pixels that the main view, and a query, keep beside panes that nobody asked for; asked for, they leave it half."""


class _Splitter(QSplitter):
    """A splitter between parts of the window that take on a theme by themselves; it must paint its own lines."""

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    """A line between two panes."""

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(current_theme().line))


class Panes(QWidget):
    """Everything between the menus and the status bar.

    Signals:
        sides_changed(): the panes at the sides that are in sight are others than before.
    """

    sides_changed = Signal()

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
            EditTab(),
            commands.actions(*ANSWER_BAR),
            ClassToolbar(commands.actions(*CLASS_BAR)),
        )
        for action in commands.actions("view.as_of", "view.match_content"):
            self.pictures.lineage.toolbar.add_action(action)
        self.inspector = Inspector(commands.actions(*INSPECTED), commands.action("resource.copy_iri"))
        self._side = {"inspector": self.inspector, "browser": self.browser}
        self._level = Level.HOME
        self._asked_for: set[str] = set()
        self._widths: tuple[int, ...] = FIRST_WIDTHS
        self._centre = PageStack()
        self._centre.addWidget(self.start_page)
        self._centre.addWidget(self.pictures)
        middle = QWidget()
        column = column_in(middle)
        column.addWidget(self.banner)
        column.addWidget(self._centre, 1)
        self._splitter = _Splitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        sides = ((self.browser, 20 * GRID), (middle, 32 * GRID), (self.inspector, 24 * GRID))
        for pane, least in sides:
            pane.setMinimumWidth(least)
            self._splitter.addWidget(pane)
        for number in range(3):
            self._splitter.setStretchFactor(number, int(number == 1))
        self._splitter.splitterMoved.connect(lambda: self._take_widths())
        self.browser.close_wanted.connect(self.toggle)
        rows = column_in(self)
        rows.addWidget(self.top_bar)
        rows.addWidget(self._splitter, 1)

    def canvas(self) -> CanvasView:
        """The current canvas."""
        return self.pictures.canvas

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """The parts that take on a theme by themselves; those of the pictures are named there."""
        return self.top_bar, self.browser, self.inspector, self.banner, self.start_page, *self.pictures.parts

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of the panes in pixels, as they are when all are open."""
        return self._widths

    def set_widths(self, widths: Sequence[int]) -> None:
        """Set the widths of the panes in pixels; the default ones unless there are three."""
        self._widths = tuple(widths) if len(widths) == 3 and min(widths) > 0 else FIRST_WIDTHS
        self._show_sides()

    def commands(self) -> tuple[Command, ...]:
        """The commands that open drawers and move the focus between the parts of the window."""
        return (
            Command("view.browser", "Left drawers", "View", 2, "", "panel-left")
            .runs(partial(self.toggle, "browser"))
            .marked(partial(self.is_shown, "browser"))
            .about("Show or hide the classes, questions and sources at the left."),
            *(
                Command(f"view.drawer:{name}", f"Drawer {title}", "View/Drawers", 2, in_menu=title)
                .runs(partial(self._toggle_drawer, name))
                .marked(partial(self._is_open, name))
                .about(f"Show or hide the drawer {title} at the left.")
                for name, title in DRAWERS.items()
            ),
            Command("view.inspector", "Inspector", "View", 2, "", "panel-right")
            .runs(partial(self.toggle, "inspector"))
            .marked(partial(self.is_shown, "inspector"))
            .about("Show or hide what is known of the chosen resource, at the right."),
            Command("view.reset_layout", "Reset layout", "View", 2)
            .runs(self.reset)
            .about("Open and close the drawers as at first, in the sizes they have at first."),
            Command("go.next_pane", "Next pane", "Go", 4, "F6")
            .runs(partial(self._go, 1))
            .about("Move the focus to the next part of the window."),
            Command("go.previous_pane", "Previous pane", "Go", 4, "Shift+F6")
            .runs(partial(self._go, -1))
            .about("Move the focus to the previous part of the window."),
        )

    def has(self, name: str) -> bool:
        """Whether "browser", "inspector" or a drawer is open at this level, though there may be no room for it."""
        settings = self._preferences.settings
        if name in DRAWERS:
            return name not in settings.closed_drawers
        return self._here(name) in settings.open_panes

    def is_shown(self, name: str) -> bool:
        """Whether "browser", "inspector" or a drawer is open at this level and has room."""
        return self.has(name) and (name in DRAWERS or self._is_empty or not self._side[name].isHidden())

    def show_pane(self, name: str) -> None:
        """Open "browser", "inspector" or a drawer."""
        if not self.is_shown(name):
            self.toggle(name)

    def toggle(self, name: str) -> None:
        """Close "browser", "inspector" or a drawer if it is shown, else open it; the last one opened has precedence."""
        settings = self._preferences.settings
        if name in DRAWERS:
            self._preferences.change(closed_drawers=tuple(sorted({*settings.closed_drawers} ^ {name})))
        else:
            here, opens = self._here(name), not self.is_shown(name)
            others = {*settings.open_panes} - {here}
            self._preferences.change(open_panes=tuple(sorted({*others, here} if opens else others)))
            if opens and name == "browser" and not any(map(self.has, DRAWERS)):
                self._preferences.change(closed_drawers=())
            if opens:
                self._asked_for = {name}
                self._side = {name: self._side[name], **self._side}
        self._show_sides()

    def reset(self) -> None:
        """Open and close the drawers as at first, in their first sizes."""
        self._preferences.change(open_panes=FIRST_PANES, closed_drawers=())
        self.browser.reset_heights()
        self.set_widths(FIRST_WIDTHS)

    def _here(self, name: str) -> str:
        return f"{self._level.name.lower()}:{name}"

    def show_parts(self, *, start: bool, empty: bool) -> None:
        """Show the start page or the views.

        Args:
            start: whether to show the start page.
            empty: nothing is open; the drawers are hidden.
        """
        self._centre.setCurrentWidget(self.start_page if start else self.pictures)
        self._is_empty = empty
        self._show_sides()

    def show_place(self, place: Place) -> None:
        """Follow the navigator: each level has its own open drawers."""
        level = VIEWS[place.view].level
        if level is not self._level:
            self._level = level
            self._show_sides()
        self.top_bar.show_level(level, usable=not self._is_empty)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_sides()

    def _is_open(self, name: str) -> bool:
        return self.is_shown("browser") and self.has(name)

    def _toggle_drawer(self, name: str) -> None:
        if self.is_shown("browser"):
            self.toggle(name)
        else:
            self.show_pane(name)
            self.show_pane("browser")

    def _show_sides(self) -> None:
        """Show the open panes that leave at least half of the width to the main view."""
        closed = {name for name in DRAWERS if not self.has(name)}
        self.browser.close_drawers(closed)
        before = {name: pane.isHidden() for name, pane in self._side.items()}
        used = 0
        for name, pane in self._side.items():
            wanted = not self._is_empty and self.has(name) and not (name == "browser" and len(closed) == len(DRAWERS))
            half = self._half
            roomy = QUERY_ROOMY if self._level is Level.QUERY else ROOMY
            room = half if name in self._asked_for else min(half, self.width() - roomy)
            shown = wanted and used + pane.minimumWidth() <= room
            pane.setVisible(shown)
            used += pane.minimumWidth() if shown else 0
        self._fit_sides()
        if before != {name: pane.isHidden() for name, pane in self._side.items()}:
            self.sides_changed.emit()

    @property
    def _half(self) -> int:
        """The most width of all side panes in pixels: half of the window, less the lines between the panes."""
        return self.width() // 2 - 2 * self._splitter.handleWidth()

    def _fit_sides(self) -> None:
        left, _, right = self._widths
        if self._widths == FIRST_WIDTHS and self.width() < sum(FIRST_WIDTHS[1:]):
            right = NARROW
        shown = {"browser": left, "inspector": right}
        shown = {name: width if not self._side[name].isHidden() else 0 for name, width in shown.items()}
        excess = max(0, sum(shown.values()) - self._half)
        spare = {name: max(0, width - self._side[name].minimumWidth()) for name, width in shown.items()}
        if excess and sum(spare.values()):
            part = min(1.0, excess / sum(spare.values()))
            shown = {name: width - round(part * spare[name]) for name, width in shown.items()}
        middle = self.width() - sum(shown.values())
        self._splitter.setSizes([shown["browser"], middle, shown["inspector"]])

    def _take_widths(self) -> None:
        """Keep the widths that the user chose."""
        now = self._splitter.sizes()
        left, middle, right = (new or kept for new, kept in zip(now, self._widths, strict=True))
        self._widths = (left, middle, right)

    def _go(self, step: int) -> None:
        browser = self.browser
        stops = (self.search, browser.classes, browser.instances, browser.questions, browser.sources)
        others = (self.start_page, self.pictures.front, *self.pictures.home.stops, self.inspector)
        go_to_next((*stops, *others), self.window().focusWidget(), step)


def go_to_next(stops: Sequence[QWidget], focused: QWidget, step: int) -> None:
    """Move the focus to the next visible one of these widgets.

    Args:
        step: 1 forward, -1 back.
    """
    seen = [stop for stop in stops if stop.isVisible() and stop.isEnabled()]
    here = next((n for n, stop in enumerate(seen) if stop is focused or stop.isAncestorOf(focused)), -step)
    seen[(here + step) % len(seen)].setFocus(Qt.FocusReason.TabFocusReason)


_TIPS = {
    Level.HOME: "What is in the graph (Alt+Home)",
    Level.GRAPH: "Expand a part of the graph step by step, and see its classes",
    Level.QUERY: "Build queries, write SPARQL, and see answers",
}
"""The tooltips of the workspaces."""


class TopBar(QWidget):
    """The bar above the panes.

    Signals:
        level_wanted(Level): the button of the home page or of a workspace was clicked.
    """

    level_wanted = Signal(object)

    def __init__(self, commands: Actions, search: SearchBox) -> None:
        super().__init__()
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.search = search
        row = row_in(self, GRID, GRID // 2, GRID, GRID // 2 + 1, spacing=GRID // 2)
        for action in commands.actions("view.browser", "go.back", "go.forward"):
            row.addWidget(action_button(action))
        row.addSpacing(GRID // 2)
        search.setMaximumWidth(90 * GRID)
        row.addWidget(search, 1)
        row.addStretch(0)
        self._levels: dict[Level, QToolButton] = {}
        for level, tip in _TIPS.items():
            button = labelled_button(level.value, tip, level.value, checkable=True)
            button.setProperty("labelled", False)
            button.clicked.connect(lambda _=False, level=level: self._want(level))
            row.addWidget(button)
            self._levels[level] = button
        row.addWidget(action_button(commands.action("view.inspector")))

    def show_level(self, level: Level, *, usable: bool) -> None:
        """Mark the button of the shown level.

        Args:
            usable: whether a graph is open.
        """
        for one, button in self._levels.items():
            button.setChecked(one is level and usable)
            button.setEnabled(usable)

    def _want(self, level: Level) -> None:
        button = self._levels[level]
        button.setChecked(True)  # a click on the shown level changes nothing
        self.level_wanted.emit(level)

    def commands(self, graph: Need) -> tuple[Command, ...]:
        """The command that goes to the search box.

        Args:
            graph: a graph is open.
        """
        return (
            Command("go.search", "Search", "Go", 1, "Ctrl+K", "search")
            .runs(lambda: self.search.setFocus(Qt.FocusReason.ShortcutFocusReason), graph)
            .about("Find a resource by its name, words of it, a prefixed name or an IRI."),
        )
