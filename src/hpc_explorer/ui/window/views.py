"""The centre of the window: a tab for each view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QTabBar, QWidget

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.ui.bridge.navigator import Place, View
from hpc_explorer.ui.canvas.legend import CanvasLegend
from hpc_explorer.ui.canvas.page import CanvasPage
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.explore.class_toolbar import ClassToolbar
from hpc_explorer.ui.fair.tab import FairTab
from hpc_explorer.ui.graph.page import GraphPage
from hpc_explorer.ui.graph.toolbar import GraphToolbar
from hpc_explorer.ui.lineage.page import LineagePage
from hpc_explorer.ui.query.tab import AskTab
from hpc_explorer.ui.results.answer_tab import AnswerTab
from hpc_explorer.ui.widgets.action_button import action_button
from hpc_explorer.ui.widgets.dialog_parts import column_in, row_in
from hpc_explorer.ui.widgets.edit_tab import EditTab
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.theme import GRID

EXPLORE_TEXT = "To see the links of a resource, search for it, or choose a class and an instance on the left."
CLASSES_TEXT = "This view shows the classes of the open graphs."
TITLES = ("Explore", "Lineage", "Graph", "Classes", "Ask", "Answer", "Edit", "FAIR")


class ViewTabs(QWidget):
    """The tabs, the zoom buttons, and a page for each view.

    Args:
        zooming: the actions at the right of the tabs.
        answering: the actions above an answer.

    Attributes:
        explore, lineage, graph, classes: the pages with a canvas.
        answer: the tab of answers.

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
        ask: AskTab,
        edit: EditTab,
        fair: FairTab,
        answering: Sequence[QAction] = (),
        class_bar: ClassToolbar | None = None,
    ) -> None:
        super().__init__()
        self.explore = CanvasPage(EXPLORE_TEXT)
        self.lineage = LineagePage()
        self.graph = GraphPage(graph_bar)
        self.classes = CanvasPage(CLASSES_TEXT, class_bar)
        answers = CanvasView()
        self.answer = AnswerTab(answers, answering)
        self.ask, self.edit, self.fair = ask, edit, fair
        self.canvas_pages: dict[View, CanvasPage] = {
            View.EXPLORE: self.explore,
            View.LINEAGE: self.lineage,
            View.GRAPH: self.graph,
            View.CLASSES: self.classes,
        }
        self.canvases = {view: page.canvas for view, page in self.canvas_pages.items()} | {View.ANSWER: answers}
        self.legends = {view: page.legend for view, page in self.canvas_pages.items()}
        self.legends[View.ANSWER] = CanvasLegend(answers)
        self._no_canvas = CanvasView(self)
        self._no_canvas.hide()
        for view, canvas in self.canvases.items():
            canvas.node_selected.connect(self.selected)
            canvas.node_context_menu.connect(self.menu_wanted)
            if view is not View.GRAPH:
                canvas.selection_cleared.connect(self.unselected)
                canvas.node_activated.connect(self.activated)

        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Views")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for title in TITLES:
            self.tabs.addTab(title)
        bar = QWidget()
        bar.setObjectName("pictureBar")
        row = row_in(bar, GRID, 0, GRID, 0, spacing=GRID // 2)
        row.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        self._zooming = [action_button(action) for action in zooming]
        for button in self._zooming:
            row.addWidget(button)
        self.stack = PageStack()
        pages: dict[View, QWidget] = {
            **self.canvas_pages,
            View.ASK: ask,
            View.ANSWER: self.answer,
            View.EDIT: edit,
            View.FAIR: fair,
        }
        for view in View:
            self.stack.addWidget(pages[view])
        column = column_in(self)
        column.addWidget(bar)
        column.addWidget(self.stack, 1)
        self.tabs.currentChanged.connect(lambda number: self.view_wanted.emit(list(View)[number]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the zoom buttons if the tabs need their room; zooming by keys still works."""
        super().resizeEvent(event)
        beside = sum(button.sizeHint().width() + GRID for button in self._zooming)
        for button in self._zooming:
            button.setVisible(self.tabs.sizeHint().width() + beside + 2 * GRID <= self.width())

    @property
    def view(self) -> View:
        """The current view."""
        return list(View)[self.tabs.currentIndex()]

    @property
    def canvas(self) -> CanvasView:
        """The canvas of the current view; an empty one if it has none."""
        return self.canvases.get(self.view, self._no_canvas)

    @property
    def summary(self) -> str:
        """The summary of the current picture."""
        page = self.canvas_pages.get(self.view)
        return page.summary if page is not None else ""

    @property
    def front(self) -> QWidget:
        """The widget of the current view that takes the focus."""
        pages: dict[View, QWidget] = {
            View.ANSWER: self.answer,
            View.ASK: self.ask,
            View.EDIT: self.edit.front,
            View.FAIR: self.fair.front,
        }
        return pages.get(self.view, self.canvas)

    def show_view(self, place: Place) -> None:
        """Show the view of a place."""
        number = list(View).index(place.view)
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(number)
        self.tabs.blockSignals(False)
        self.stack.setCurrentIndex(number)
        self.lineage.toolbar.show_choice(place)

    def say(self, text: str) -> None:
        """Show a message in place of the pictures."""
        for page in (self.explore, self.lineage):
            page.show_scene(Scene(empty_text=text), "")

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.canvases[View.ANSWER].set_theme(theme)
        self._no_canvas.set_theme(theme)
        for page in self.canvas_pages.values():
            page.set_theme(theme)
        for tab in (self.ask, self.edit, self.fair, self.answer):
            tab.set_theme(theme)
