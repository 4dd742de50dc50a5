"""The centre: the pictures, one beside the other as tabs, and what steers them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.app.phase_views import PhaseView
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.text import brief
from hpc_explorer.lineage.trace import Lineage
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.ui.action_button import action_button
from hpc_explorer.ui.answer_tab import AnswerTab
from hpc_explorer.ui.ask_tab import AskTab
from hpc_explorer.ui.canvas_view import CanvasView
from hpc_explorer.ui.flow import FlowLayout
from hpc_explorer.ui.graph_bar import GraphBar
from hpc_explorer.ui.graph_desk import EMPTY_TEXT
from hpc_explorer.ui.graph_filters import GraphFilters
from hpc_explorer.ui.looks_legend import CanvasLegend
from hpc_explorer.ui.menu_button import MenuButton
from hpc_explorer.ui.navigator import Place, View
from hpc_explorer.ui.session_bridge import Traced
from hpc_explorer.ui.text import TextBlock
from hpc_explorer.ui.theme import GRID
from hpc_explorer.ui.time_bar import TimeBar

DEPTHS = (None, 1, 2, 3, 5, 8, 13)
"""How many steps of a lineage can be chosen; None stands for all."""

NAMED_ENDS, NAMED_KINDS = 3, 3
"""Up to so many ends are named one by one; of more, so many kinds are."""

NAMED_LENGTH = 48
"""Characters of a name in the summary."""

_EMPTY = {
    View.EXPLORE: "Search for a resource, or choose a class on the left and one of its instances, "
    "to see what it is linked with.",
    View.CLASSES: "The classes of what is open are drawn here.",
    View.LINEAGE: "Choose a resource, such as a trained model or a dataset, to see where it comes from.",
    View.GRAPH: EMPTY_TEXT,
    View.ASK: "",
    View.ANSWER: "",
}


class PicturePane(QWidget):
    """Tabs, what steers a lineage or the graph view, a line that sums the picture up, and the canvases.

    Args:
        zooming: the actions that stand at the right of the tabs.
        graph_bar: what steers the graph view.
        ask: the tab of questions that are built.
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
        answering: Sequence[QAction] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.graph_bar = graph_bar
        self.ask = ask
        self.filters = GraphFilters()
        self.filters.hide()
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Pictures")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for name in ("Explore", "Lineage", "Graph", "Classes", "Ask", "Answer"):
            self.tabs.addTab(name)
        self.steering = _Steering()
        self.stack = QStackedWidget()
        self.canvases = {view: CanvasView() for view in View}
        self.legends = {
            view: CanvasLegend(canvas, fades=view is not View.GRAPH) for view, canvas in self.canvases.items()
        }
        for view, canvas in self.canvases.items():
            if view is View.ANSWER:
                self.answer = AnswerTab(canvas, answering)
                self.stack.addWidget(self.answer)
            elif view is View.ASK:
                canvas.setParent(ask)  # a question has no picture on a canvas
                canvas.hide()
                self.stack.addWidget(ask)
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
        for action in zooming:
            row.addWidget(action_button(action))
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
        pages: dict[View, QWidget] = {View.ANSWER: self.answer, View.ASK: self.ask}
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


class _Steering(QWidget):
    """Which way the lineage goes, and how far."""

    direction_wanted = Signal(bool)
    depth_wanted = Signal(object)
    whole_wanted = Signal(bool)
    phases_wanted = Signal(bool)
    plot_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = FlowLayout(self, GRID)
        self._row = row
        self._ways = QButtonGroup(self)
        for number, (name, tip) in enumerate((("Upstream", "Where it comes from"), ("Downstream", "What came of it"))):
            button = QToolButton()
            button.setText(name)
            button.setToolTip(tip)
            button.setAccessibleName(f"{name}: {tip.lower()}")
            button.setCheckable(True)
            button.setProperty("labelled", True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._ways.addButton(button, number)
            row.addWidget(button)
        self._depth = MenuButton()
        self._depth.setToolTip("How many steps to go from the resource at most")
        menu = QMenu(self._depth)
        self._depths = QActionGroup(self)
        for steps in DEPTHS:
            action = menu.addAction(_steps(steps))
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, steps=steps: self.depth_wanted.emit(steps))
            self._depths.addAction(action)
        self._depth.setMenu(menu)
        row.addWidget(self._depth)
        self._phases = QToolButton()
        self._phases.setText("Phases")
        self._phases.setToolTip("Fold the lineage up: data curation, learning data preparation, learning")
        self._phases.setAccessibleName("Phases: fold the lineage up by the phases of its lifecycle")
        self._phases.setCheckable(True)
        self._phases.setProperty("labelled", True)
        self._phases.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._phases.clicked.connect(self.phases_wanted)
        row.addWidget(self._phases)
        self._whole = QToolButton()
        self._whole.setText("Everything")
        self._whole.setToolTip(
            "Draw people, programs, machines and plans too, and the links that a longer way says as well"
        )
        self._whole.setAccessibleName("Everything: draw the setting and the shortcuts too")
        self._whole.setCheckable(True)
        self._whole.setProperty("labelled", True)
        self._whole.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._whole.clicked.connect(self.whole_wanted)
        row.addWidget(self._whole)
        self._plot = QToolButton()
        self._plot.setText("Plot values")
        self._plot.setToolTip("Plot what the chosen sections measured, such as the loss of each batch")
        self._plot.setAccessibleName("Plot the values of the chosen sections")
        self._plot.setProperty("labelled", True)
        self._plot.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._plot.clicked.connect(self.plot_wanted)
        row.addWidget(self._plot)
        self.show_phases(are_shown=False, can_plot=False)
        self._ways.idClicked.connect(lambda number: self.direction_wanted.emit(number == 1))

    def show_choice(self, place: Place) -> None:
        """Show what is chosen, without choosing it."""
        self._ways.button(int(place.downstream)).setChecked(True)
        steps = _steps(place.depth)
        for action in self._depths.actions():
            action.setChecked(action.text() == steps)
        self._depth.setText(steps)
        self._depth.setAccessibleName(f"Steps of the lineage: {steps}")
        self._whole.setChecked(place.whole)

    def add_action(self, action: QAction) -> None:
        """Show a button for a command, too."""
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setAccessibleName(action.text())
        button.setProperty("labelled", True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._row.addWidget(button)

    def show_phases(self, *, are_shown: bool, can_plot: bool) -> None:
        """Show whether the lineage is folded up, and whether there is something to be plotted."""
        self._phases.setChecked(are_shown)
        self._plot.setVisible(are_shown)
        self._plot.setEnabled(can_plot)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        self._depth.set_theme(theme)


def _steps(depth: int | None) -> str:
    return "All steps" if depth is None else f"{depth} step" + ("" if depth == 1 else "s")


def neighbours_summary(scene: Scene) -> str:
    """What a neighbourhood shows, in one line."""
    drawn = sum(1 for node in scene.nodes if not node.group)
    focus = scene.focus()
    if focus is None:
        return ""
    if drawn == 1:
        return f"{brief(focus.label, NAMED_LENGTH)} is linked with no other resource."
    if drawn < len(scene.nodes):
        shown = f"{_number(drawn - 1, 'neighbour')} drawn"
        return f"{brief(focus.label, NAMED_LENGTH)}: {shown}. Each “… and more” opens the whole list."
    links, neighbours = _number(len(scene.edges), "link"), _number(drawn - 1, "neighbour")
    return f"{brief(focus.label, NAMED_LENGTH)}: {links} with {neighbours}"


def lineage_summary(traced: Traced, *, downstream: bool) -> str:
    """Where a lineage ends, what lies on the way, and how much it is, in one line."""
    lineage = traced.lineage
    reached = len(lineage.nodes) - 1
    if not reached:
        return "Nothing is recorded after it." if downstream else "Nothing is recorded before it."
    ends = {node.resource for node in lineage.ends()}
    passed = set(lineage.nodes) - ends - {lineage.start}
    parts = []
    if ends:
        named = (
            [brief(traced.refs[end].label, NAMED_LENGTH) for end in ends]
            if len(ends) <= NAMED_ENDS
            else _by_kind(traced, ends)
        )
        parts.append(f"Ends at {_listed(named)}")
    if passed:
        parts.append(f"on the way {_listed(_by_kind(traced, passed))}" if ends else _listed(_by_kind(traced, passed)))
    parts.append(f"{_number(reached, 'thing')}, {_links(lineage)}")
    if not lineage.complete:
        parts.append("more beyond the chosen steps")
    if traced.scene.note:
        parts.append(traced.scene.note)
    return "  ·  ".join(parts)


def phases_summary(view: PhaseView) -> str:
    """Which phases there are, and how much of the lineage is in sight, in one line."""
    lineage = view.folded.lineage
    parts = [
        " → ".join(fold.phase.value for fold in view.folded.folds),
        f"{_number(len(lineage.nodes) - 1, 'thing')}, {_links(lineage)}",
        f"{_number(len(view.rows), 'card')} in sight: Enter or a double click opens one",
    ]
    if not lineage.complete:
        parts.append("more beyond the chosen steps")
    if view.guessed:
        parts.append(f"{_number(view.guessed, 'activity', 'activities')} placed by name")
    return "  ·  ".join(parts)


def _links(lineage: Lineage) -> str:
    """How many links, and how many of them are not stated but matched by value."""
    matched = sum(edge.origin is Origin.MATCHED for edge in lineage.edges)
    return _number(len(lineage.edges), "link") + (f", {matched:,} of them matched by value" if matched else "")


def _by_kind(traced: Traced, resources: Iterable[Resource]) -> list[str]:
    """The classes of these resources with how many are of each, the most first."""
    kinds = Counter(traced.refs[resource].kind or "without a class" for resource in resources)
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    return [f"{count:,} × {kind}" for kind, count in ordered]


def _listed(parts: list[str]) -> str:
    """The first few parts, and how many there are besides."""
    shown = ", ".join(sorted(parts[:NAMED_KINDS]) if parts and "×" not in parts[0] else parts[:NAMED_KINDS])
    return shown + (f" and {len(parts) - NAMED_KINDS} more kinds" if len(parts) > NAMED_KINDS else "")


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
