"""The centre: two pictures, one beside the other as tabs, and what steers them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.ui.canvas_view import CanvasView
from hpc_explorer.ui.navigator import View
from hpc_explorer.ui.session_bridge import Traced
from hpc_explorer.ui.text import TextBlock
from hpc_explorer.ui.theme import GRID

DEEPEST = 99
"""The largest number of steps that can be chosen; 0 stands for all."""

_EMPTY = {
    View.EXPLORE: "Search for a resource, or choose a class on the left and one of its instances, "
    "to see what it is linked with.",
    View.LINEAGE: "Choose a resource, such as a trained model or a dataset, to see where it comes from.",
}


class PicturePane(QWidget):
    """Tabs, the direction and depth of the lineage, a line that sums the picture up, and the canvases.

    Signals:
        view_wanted(View): a tab was chosen.
        direction_wanted(bool): True for downstream.
        depth_wanted(object): the most steps, or None for all.
        selected(str), activated(str), menu_wanted(str, QPoint): a node was clicked, opened, or right-clicked.
    """

    view_wanted = Signal(object)
    direction_wanted = Signal(bool)
    depth_wanted = Signal(object)
    selected = Signal(str)
    activated = Signal(str)
    menu_wanted = Signal(str, object)

    def __init__(self, zooming: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Pictures")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for name in ("Explore", "Lineage"):
            self.tabs.addTab(name)
        self.steering = _Steering()
        self._summary = TextBlock("", muted=True)
        self.stack = QStackedWidget()
        self.canvases = {view: CanvasView() for view in View}
        for view, canvas in self.canvases.items():
            self.stack.addWidget(canvas)
            canvas.set_scene(Scene(empty_text=_EMPTY[view]))
            canvas.node_selected.connect(self.selected)
            canvas.node_activated.connect(self.activated)
            canvas.node_context_menu.connect(self.menu_wanted)

        bar = QWidget()
        bar.setObjectName("pictureBar")
        row = QHBoxLayout(bar)
        row.setContentsMargins(GRID, 0, GRID, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        row.addSpacing(GRID)
        row.addWidget(self.steering)
        row.addStretch(1)
        for action in zooming:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setAccessibleName(action.text())
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            row.addWidget(button)
        self._summary_row = QWidget()
        self._summary_row.setObjectName("summaryRow")
        line = QHBoxLayout(self._summary_row)
        line.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        self._summary_label = QLabel()
        self._summary_label.setProperty("role", "muted")
        self._summary_label.setWordWrap(True)
        line.addWidget(self._summary_label)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._summary_row)
        column.addWidget(self.stack, 1)

        self.tabs.currentChanged.connect(lambda number: self.view_wanted.emit(list(View)[number]))
        self.steering.direction_wanted.connect(self.direction_wanted)
        self.steering.depth_wanted.connect(self.depth_wanted)
        self._summaries = dict.fromkeys(View, "")
        self._show_summary()

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

    def show_view(self, view: View, *, downstream: bool, depth: int | None) -> None:
        """Bring one of the pictures into sight."""
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(list(View).index(view))
        self.tabs.blockSignals(False)
        self.stack.setCurrentWidget(self.canvases[view])
        self.steering.setVisible(view is View.LINEAGE)
        self.steering.show_choice(downstream=downstream, depth=depth)
        self._show_summary()

    def show_scene(self, view: View, scene: Scene, summary: str) -> None:
        """Draw another scene."""
        self.canvases[view].set_scene(scene)
        self._summaries[view] = summary
        self._show_summary()

    def show_nothing(self, view: View) -> None:
        """Draw nothing, and say what the picture is for."""
        self.show_scene(view, Scene(empty_text=_EMPTY[view]), "")

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours."""
        for canvas in self.canvases.values():
            canvas.set_theme(theme)

    def _show_summary(self) -> None:
        self._summary_label.setText(self.summary)
        self._summary_row.setVisible(bool(self.summary))


class _Steering(QWidget):
    """Which way the lineage goes, and how far."""

    direction_wanted = Signal(bool)
    depth_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._ways = QButtonGroup(self)
        for number, (name, tip) in enumerate(
            (("Upstream", "Where it comes from"), ("Downstream", "What came of it"))
        ):
            button = QToolButton()
            button.setText(name)
            button.setToolTip(tip)
            button.setAccessibleName(f"{name}: {tip.lower()}")
            button.setCheckable(True)
            button.setProperty("labelled", True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._ways.addButton(button, number)
            row.addWidget(button)
        row.addSpacing(2 * GRID)
        label = QLabel("Steps")
        label.setProperty("role", "muted")
        row.addWidget(label)
        row.addSpacing(GRID)
        self._depth = QSpinBox()
        self._depth.setRange(0, DEEPEST)
        self._depth.setSpecialValueText("all")
        self._depth.setAccessibleName("Steps of the lineage, 0 for all")
        self._depth.setToolTip("How many steps to go from the resource at most")
        self._depth.setFixedWidth(8 * GRID)
        label.setBuddy(self._depth)
        row.addWidget(self._depth)
        self._ways.idClicked.connect(lambda number: self.direction_wanted.emit(number == 1))
        self._depth.valueChanged.connect(lambda steps: self.depth_wanted.emit(steps or None))

    def show_choice(self, *, downstream: bool, depth: int | None) -> None:
        """Show what is chosen, without choosing it."""
        self._ways.button(int(downstream)).setChecked(True)
        self._depth.blockSignals(True)
        self._depth.setValue(depth or 0)
        self._depth.blockSignals(False)


def neighbours_summary(scene: Scene) -> str:
    """What a neighbourhood, or the picture of the classes, shows in one line."""
    drawn = sum(1 for node in scene.nodes if not node.group)
    focus = scene.focus()
    if not drawn:
        return ""
    if focus is None:
        return f"The {_number(drawn, 'class', 'classes')} of the open graph. Enter or double-click opens one."
    links = _number(len(scene.edges), "link")
    return f"{focus.label}: {links} with {_number(drawn - 1, 'neighbour')}" if drawn > 1 else ""


def lineage_summary(traced: Traced, *, downstream: bool, depth: int | None) -> str:
    """Where a lineage ends, and how long it is, in one line."""
    reached = len(traced.lineage.nodes) - 1
    if not reached:
        return "Nothing is recorded after it." if downstream else "Nothing is recorded before it."
    kinds = Counter(ref.kind or "thing without a class" for ref in traced.ends)
    parts = [_number(count, kind) for kind, count in kinds.most_common()]
    shown, others = parts[:4], len(parts) - 4
    ends = ", ".join(shown) + (f" and {_number(others, 'other kind')}" if others > 0 else "")
    whole = f"{_number(reached, 'thing')} in {_number(len(traced.lineage.edges), 'link')}"
    if not traced.lineage.complete:
        whole += f", and more beyond {_number(depth or 0, 'step')}"
    return f"Ends at {ends}.  {whole}." if ends else f"{whole}."


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
