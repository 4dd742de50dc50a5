"""The centre of the window: the tabs of a resource's page, of Graph and of Query, and a page for each view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QTabBar, QWidget

from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.ui.bridge.navigator import VIEWS, Level, Place, View, views_of
from hpc_explorer.ui.canvas.legend import CanvasLegend
from hpc_explorer.ui.canvas.page import CanvasPage, ViewPage, canvas_view_page
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.explore.class_view import ClassToolbar
from hpc_explorer.ui.graph.page import GraphPage
from hpc_explorer.ui.graph.toolbar import GraphToolbar
from hpc_explorer.ui.home.page import HomePage
from hpc_explorer.ui.lineage.page import LineagePage
from hpc_explorer.ui.results.answer_tab import AnswerTab
from hpc_explorer.ui.widgets.action_button import action_button
from hpc_explorer.ui.widgets.dialog_parts import column_in, row_in
from hpc_explorer.ui.widgets.edit_tab import EditTab
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.plain import plain_tip, without_shortcut
from hpc_explorer.ui.widgets.theme import BODY, GRID, class_mark, current_theme, font
from hpc_explorer.ui.widgets.turns import Turn

EXPLORE_TEXT = "To see the links of a resource, search for it, or choose one on the page Home."
CLASSES_TEXT = "This view shows the classes of the open graphs."


class ViewTabs(QWidget):
    """The name of the resource, the tabs, the zoom buttons, and a page for each view.

    Args:
        zooming: the actions at the right of the tabs.
        answering: the actions above an answer.

    Attributes:
        home, explore, lineage, graph, classes, edit, answer, recipe: the pages that are there from the start.
        tabs: those of the current level; none on the home page.

    Signals:
        view_wanted(View): a tab was chosen.
        selected(str), activated(str), menu_wanted(str, QPoint): a node was clicked, opened or right-clicked. The
            graph view handles opening itself.
        unselected(): the background was clicked.
    """

    view_wanted = Signal(object)
    selected = Signal(str)
    unselected = Signal()
    activated = Signal(str)
    menu_wanted = Signal(str, QPoint)

    def __init__(
        self,
        zooming: Sequence[QAction],
        graph_bar: GraphToolbar,
        edit: EditTab,
        answering: Sequence[QAction] = (),
        class_bar: ClassToolbar | None = None,
    ) -> None:
        super().__init__()
        self.home = HomePage()
        self.explore = CanvasPage(EXPLORE_TEXT)
        self.lineage = LineagePage()
        self.graph = GraphPage(graph_bar)
        self.classes = CanvasPage(CLASSES_TEXT, class_bar)
        answers, recipes = CanvasView(), CanvasView()
        self.answer, self.recipe = AnswerTab(answers, answering), AnswerTab(recipes, answering)
        self.edit = edit
        self.view = View.HOME
        self.pages: dict[View, ViewPage] = {}
        self._late: dict[View, Callable[[], object]] = {}
        self._showing = Turn(self, self._show_page)
        self._in_stack: dict[View, QWidget] = {}
        self.canvas_pages: dict[View, CanvasPage] = {}
        self._no_canvas = CanvasView(self)
        self._no_canvas.hide()
        self._build(zooming)
        for view, page in (
            (View.EXPLORE, self.explore),
            (View.LINEAGE, self.lineage),
            (View.GRAPH, self.graph),
            (View.CLASSES, self.classes),
        ):
            self.canvas_pages[view] = page
            self.add(view, canvas_view_page(page))
        self.add(View.HOME, ViewPage(self.home, lambda: self.home.front))
        self.add(View.EDIT, ViewPage(edit, lambda: edit.front))
        self.add(View.ANSWER, ViewPage(self.answer, canvas=answers))
        self.add(View.REPRODUCE, ViewPage(self.recipe, canvas=recipes))
        self.legends = {view: page.legend for view, page in self.canvas_pages.items()}
        self.legends[View.ANSWER] = CanvasLegend(answers)
        self.show_view(Place())

    def add_late(self, view: View, make: Callable[[], object]) -> None:
        """Add the page of a view when it is first shown.

        Args:
            make: makes the page and adds it.
        """
        self._late[view] = make

    def add(self, view: View, page: ViewPage) -> None:
        """Add the page of a view."""
        self.pages[view] = page
        self._late.pop(view, None)
        self._in_stack[view] = page.widget if page.canvas is not None else _scrolled(page.widget)
        self.stack.addWidget(self._in_stack[view])
        if page.canvas is not None:
            page.canvas.node_selected.connect(self.selected)
            page.canvas.node_context_menu.connect(self.menu_wanted)
            if view is not View.GRAPH:
                page.canvas.selection_cleared.connect(self.unselected)
                page.canvas.node_activated.connect(self.activated)

    def _build(self, zooming: Sequence[QAction]) -> None:
        self.title = ResourceTitle()
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Views")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self._views: tuple[View, ...] = ()
        self._offered: frozenset[View] = frozenset()
        self._bar = QWidget()
        self._bar.setObjectName("pictureBar")
        row = row_in(self._bar, 2 * GRID, 0, GRID, 0, spacing=GRID // 2)
        row.addWidget(self.title, 1)
        row.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        row.addSpacing(GRID)
        self._zooming = [action_button(action) for action in zooming]
        for button in self._zooming:
            row.addWidget(button)
        self.stack = PageStack()
        column = column_in(self)
        column.addWidget(self._bar)
        column.addWidget(self.stack, 1)
        self.tabs.currentChanged.connect(lambda number: self.view_wanted.emit(self._views[number]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_zooming()

    def _show_zooming(self) -> None:
        """Show the zoom buttons where a view of this level has a canvas, so that the tabs keep their place.

        They are hidden where the tabs need their room; zooming by keys still works.
        """
        level = VIEWS[self.view].level
        drawn = any(page.canvas is not None for view, page in self.pages.items() if VIEWS[view].level is level)
        beside = sum(button.sizeHint().width() + GRID for button in self._zooming)
        fits = self.tabs.sizeHint().width() + beside + 12 * GRID <= self.width()
        for button in self._zooming:
            button.setVisible(fits and drawn)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """The bar of tabs and the pages, each of which takes on a theme by itself."""
        return self._bar, *self._in_stack.values()

    @property
    def canvases(self) -> dict[View, CanvasView]:
        """The canvases by view."""
        return {view: page.canvas for view, page in self.pages.items() if page.canvas is not None}

    @property
    def canvas(self) -> CanvasView:
        """The canvas of the current view; an empty one if it has none."""
        return self.pages[self.view].canvas or self._no_canvas

    @property
    def summary(self) -> str:
        """The summary of the current picture."""
        page = self.canvas_pages.get(self.view)
        return page.summary if page is not None else ""

    @property
    def front(self) -> QWidget:
        """The widget of the current view that takes the focus."""
        return self.pages[self.view].in_front

    def show_view(self, place: Place) -> None:
        """Show the view of a place, and the tabs of its level."""
        is_new = place.view in self._late
        if is_new:
            self._late[place.view]()
        self.view = place.view
        level = VIEWS[place.view].level
        views = tuple(
            view for view in views_of(level) if not VIEWS[view].optional or view in self._offered or view is place.view
        )
        self.tabs.blockSignals(True)
        if views != self._views:
            self._views = views
            while self.tabs.count():
                self.tabs.removeTab(0)
            for number, view in enumerate(views):
                spec = VIEWS[view]
                self.tabs.addTab(spec.title)
                self.tabs.setTabToolTip(number, plain_tip(f"{spec.description} ({spec.shortcut})"))
        self.tabs.setCurrentIndex(views.index(place.view))
        self.tabs.blockSignals(False)
        self._bar.setVisible(level is not Level.HOME)
        self._show_zooming()
        if is_new or self.is_showing:
            self._showing.start()  # Qt takes as long to style a page as it took to make it
        else:
            self._show_page()
        self.lineage.toolbar.show_choice(place)

    @property
    def is_showing(self) -> bool:
        """Whether a page that was just made is not in sight yet."""
        return self._showing.is_waiting

    def _show_page(self) -> None:
        self.stack.setCurrentWidget(self._in_stack[self.view])

    def offer(self, views: frozenset[View], place: Place) -> None:
        """Show the tabs of these optional views, and no others."""
        self._offered = views
        self.show_view(place)

    def say(self, text: str) -> None:
        """Show a message in place of the pictures."""
        self.home.show_table(None, "", text)
        for page in (self.explore, self.lineage):
            page.show_scene(Scene(empty_text=text), "")


def _scrolled(page: QWidget) -> QWidget:
    """A page that scrolls where the window is too small for it."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    area.setWidget(page)
    area.setMinimumHeight(10 * GRID)
    return area


class ResourceTitle(QWidget):
    """The name and class of the resource whose page is shown, in one line."""

    def __init__(self) -> None:
        super().__init__()
        self._name, self._kind, self._colour_key = "", "", ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def text(self) -> str:
        """The name and the class."""
        return " · ".join(part for part in (self._name, self._kind) if part)

    def say(self, ref: ResourceRef | None, words: str = "") -> None:
        """Show a resource, or words in its place."""
        self._name, self._kind = (ref.label, ref.kind) if ref is not None else (words, "")
        self._colour_key = ref.colour_key if ref is not None else ""
        self.setAccessibleName(without_shortcut(self.text))
        self.setToolTip(plain_tip("\n".join((self.text, ref.iri))) if ref is not None else "")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(40 * GRID, 4 * GRID)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 4 * GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        x, width = 0, self.width() - GRID
        if self._colour_key and width > 10 * GRID:
            class_mark(self._colour_key, current_theme()).paint(painter, 0, (self.height() - 12) // 2, 12, 12)
            x = 12 + GRID
        for text, weight, colour in (
            (self._name, 600, current_theme().text),
            (f"  {self._kind}" if self._kind else "", 400, current_theme().muted),
        ):
            used = font(BODY, weight)
            metrics = QFontMetrics(used)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, width - x))
            painter.setFont(used)
            painter.setPen(colour)
            painter.drawText(x, 0, max(0, width - x), self.height(), Qt.AlignmentFlag.AlignVCenter, shown)
            x += metrics.horizontalAdvance(shown)
