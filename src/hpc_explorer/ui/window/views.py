"""The centre: the pictures, one beside the other as tabs, and what steers them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.ui.bridge.navigator import Place, View
from hpc_explorer.ui.canvas.legend import CanvasLegend
from hpc_explorer.ui.canvas.view import CanvasView
from hpc_explorer.ui.fair.tab import FairTab
from hpc_explorer.ui.graph.controller import EMPTY_TEXT
from hpc_explorer.ui.graph.filters import GraphFilters
from hpc_explorer.ui.graph.toolbar import GraphBar
from hpc_explorer.ui.lineage.time_bar import TimeBar
from hpc_explorer.ui.lineage.toolbar import LineageSteering
from hpc_explorer.ui.query.tab import AskTab
from hpc_explorer.ui.results.answer_tab import AnswerTab
from hpc_explorer.ui.widgets.action_button import action_button
from hpc_explorer.ui.widgets.edit_tab import EditTab
from hpc_explorer.ui.widgets.page_stack import PageStack
from hpc_explorer.ui.widgets.text import TextBlock
from hpc_explorer.ui.widgets.theme import GRID

_EMPTY = {
    View.EXPLORE: "Search for a resource, or choose a class on the left and one of its instances, "
    "to see what it is linked with.",
    View.CLASSES: "The classes of what is open are drawn here.",
    View.LINEAGE: "Choose a resource, such as a trained model or a dataset, to see where it comes from.",
    View.GRAPH: EMPTY_TEXT,
    View.ASK: "",
    View.ANSWER: "",
    View.EDIT: "",
    View.FAIR: "",
}


class PicturePane(QWidget):
    """Tabs, what steers a lineage or the graph view, a line that sums the picture up, and the canvases.

    Args:
        zooming: the actions that stand at the right of the tabs.
        graph_bar: what steers the graph view.
        ask: the tab of questions that are built.
        edit: the tab where resources are described.
        fair: the tab where they are assessed.
        answering: what can be done with an answer.

    Attributes:
        answer: the tab of answers, whose pictures are drawn on the canvas of this view.

    Signals:
        view_wanted(View): a tab was chosen.
        direction_wanted(bool): True for downstream.
        depth_wanted(object): the most steps, or None for all.
        whole_wanted(bool): True for everything, False for the main line of the lineage.
        phases_wanted(bool): True for the phases of the lineage, False for its main line.
        plot_wanted(): the values of the chosen sections are to be plotted.
        selected(str), activated(str), menu_wanted(str, QPoint): a node was clicked, opened, or right-clicked.
        unselected(): a click went beside every node.
        graph_activated(str): a node of the graph view was opened.
        filters_toggled(): the filters of the graph view were shown or put away.
    """

    view_wanted = Signal(object)
    direction_wanted = Signal(bool)
    depth_wanted = Signal(object)
    whole_wanted = Signal(bool)
    phases_wanted = Signal(bool)
    plot_wanted = Signal()
    selected = Signal(str)
    unselected = Signal()
    activated = Signal(str)
    menu_wanted = Signal(str, QPoint)
    graph_activated = Signal(str)
    filters_toggled = Signal()

    def __init__(
        self,
        zooming: Sequence[QAction],
        graph_bar: GraphBar,
        ask: AskTab,
        edit: EditTab,
        fair: FairTab,
        answering: Sequence[QAction] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.graph_bar = graph_bar
        self.ask = ask
        self.edit = edit
        self.fair = fair
        self.filters = GraphFilters()
        self.filters.hide()
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Pictures")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for name in ("Explore", "Lineage", "Graph", "Classes", "Ask", "Answer", "Edit", "FAIR"):
            self.tabs.addTab(name)
        self.steering = LineageSteering()
        self.stack = PageStack()
        self.canvases = {view: CanvasView() for view in View}
        self.legends = {
            view: CanvasLegend(canvas, fades=view is not View.GRAPH) for view, canvas in self.canvases.items()
        }
        pages: dict[View, QWidget] = {View.ASK: ask, View.EDIT: edit, View.FAIR: fair}
        for view, canvas in self.canvases.items():
            if view is View.ANSWER:
                self.answer = AnswerTab(canvas, answering)
                self.stack.addWidget(self.answer)
            elif view in pages:
                canvas.setParent(pages[view])  # it has no picture on a canvas
                canvas.hide()
                self.stack.addWidget(pages[view])
            else:
                self.stack.addWidget(self._with_filters(canvas) if view is View.GRAPH else canvas)
            canvas.set_scene(Scene(empty_text=_EMPTY[view]))
            canvas.node_selected.connect(self.selected)
            if view is View.GRAPH:
                canvas.node_activated.connect(self.graph_activated)
            else:
                canvas.selection_cleared.connect(self.unselected)
                canvas.node_activated.connect(self.activated)
            canvas.node_context_menu.connect(self.menu_wanted)

        bar = QWidget()
        bar.setObjectName("pictureBar")
        row = QHBoxLayout(bar)
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        self._zooming = [action_button(action) for action in zooming]
        for button in self._zooming:
            row.addWidget(button)
        self._about = QWidget()
        lines = QVBoxLayout(self._about)
        lines.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        lines.setSpacing(GRID)
        self._summary = TextBlock("", muted=True)
        self.time_bar = TimeBar()
        self._timed = False
        lines.addWidget(self.steering)
        lines.addWidget(self.time_bar)
        lines.addWidget(graph_bar)
        lines.addWidget(self._summary)
        self._lines = lines
        self._steerings: dict[View, QWidget] = {View.LINEAGE: self.steering, View.GRAPH: graph_bar}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._about)
        column.addWidget(self.stack, 1)

        self.tabs.currentChanged.connect(lambda number: self.view_wanted.emit(list(View)[number]))
        self.steering.direction_wanted.connect(self.direction_wanted)
        self.steering.depth_wanted.connect(self.depth_wanted)
        self.steering.whole_wanted.connect(self.whole_wanted)
        self.steering.phases_wanted.connect(self.phases_wanted)
        self.steering.plot_wanted.connect(self.plot_wanted)
        self._summaries = dict.fromkeys(View, "")
        self._show_summary()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the buttons for zooming out where the last tabs would have no room beside them: keys zoom too."""
        super().resizeEvent(event)
        beside = sum(button.sizeHint().width() + GRID for button in self._zooming)
        for button in self._zooming:
            button.setVisible(self.tabs.sizeHint().width() + beside + 2 * GRID <= self.width())

    def add_steering(self, view: View, steering: QWidget) -> None:
        """Show a widget above one of the pictures."""
        self._steerings[view] = steering
        self._lines.insertWidget(0, steering)
        self._show_steering()

    @property
    def view(self) -> View:
        """Which picture is in sight."""
        return list(View)[self.tabs.currentIndex()]

    @property
    def canvas(self) -> CanvasView:
        """The canvas in sight."""
        return self.canvases[self.view]

    @property
    def summary(self) -> str:
        """What is said of the picture in sight."""
        return self._summaries[self.view]

    @property
    def front(self) -> QWidget:
        """What takes the keyboard: the canvas in sight, or the page in its place."""
        pages: dict[View, QWidget] = {
            View.ANSWER: self.answer,
            View.ASK: self.ask,
            View.EDIT: self.edit.front,
            View.FAIR: self.fair.front,
        }
        return pages.get(self.view, self.canvas)

    def show_view(self, place: Place) -> None:
        """Bring the picture of a place into sight, and show how it is steered."""
        view = place.view
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(list(View).index(view))
        self.tabs.blockSignals(False)
        self.stack.setCurrentIndex(list(View).index(view))
        self._show_steering()
        self.steering.show_choice(place)
        self._show_summary()

    def show_time_bar(self, shown: bool) -> None:
        """Show the bar of moments above the lineage, or put it away."""
        self._timed = shown
        self._show_steering()
        self._show_summary()

    def show_scene(self, view: View, scene: Scene, summary: str, *, keep: bool = False) -> None:
        """Draw another scene.

        Args:
            keep: the view stays where it is, as for a scene that grew.
        """
        self.canvases[view].set_scene(scene, keep_camera=keep)
        self._summaries[view] = summary
        self._show_summary()

    def say_of(self, view: View, summary: str) -> None:
        """Sum a picture up in other words."""
        self._summaries[view] = summary
        self._show_summary()

    def toggle_filters(self) -> None:
        """Show or put away the filters of the graph view."""
        self.filters.setVisible(self.filters.isHidden())
        if self.filters.isVisible():
            self.filters.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters_toggled.emit()

    def _with_filters(self, canvas: CanvasView) -> QWidget:
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.filters)
        row.addWidget(canvas, 1)
        return page

    def show_nothing(self, view: View) -> None:
        """Draw nothing, and say what the picture is for."""
        self.show_scene(view, Scene(empty_text=_EMPTY[view]), "")

    def say(self, text: str) -> None:
        """Say something in place of the pictures."""
        for view in (View.EXPLORE, View.LINEAGE):
            self.show_scene(view, Scene(empty_text=text), "")

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        for canvas in self.canvases.values():
            canvas.set_theme(theme)
        self.steering.set_theme(theme)
        self.graph_bar.set_theme(theme)
        self.filters.set_theme(theme)
        self.ask.set_theme(theme)
        self.edit.set_theme(theme)
        self.fair.set_theme(theme)
        self.answer.set_theme(theme)

    def _show_steering(self) -> None:
        for view, steering in self._steerings.items():
            steering.setVisible(view is self.view)
        self.time_bar.setVisible(self._timed and self.view is View.LINEAGE)

    def _show_summary(self) -> None:
        self._summary.say(self.summary)
        is_timed = self._timed and self.view is View.LINEAGE  # the bar sums up what was there
        self._summary.setVisible(bool(self.summary) and not is_timed)
        self._about.setVisible(bool(self.summary) or self.view in self._steerings)
