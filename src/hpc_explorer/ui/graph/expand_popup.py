"""A popup with the neighbours of a node and their counts, to choose what to add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QColor, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from hpc_explorer.app.explore.finding import resource_of_key
from hpc_explorer.app.graph.expanding import PAGE, classes_in, neighbour_sets
from hpc_explorer.app.views import NeighbourCount
from hpc_explorer.canvas.text import brief
from hpc_explorer.canvas.view.state import GraphView, NeighbourSet
from hpc_explorer.stores.base import CountKind
from hpc_explorer.ui.bridge.session import SessionBridge
from hpc_explorer.ui.widgets.dialog_parts import add_parts, column_in
from hpc_explorer.ui.widgets.keys import ENTER
from hpc_explorer.ui.widgets.plain import plain_tip
from hpc_explorer.ui.widgets.text import TextBlock, caption
from hpc_explorer.ui.widgets.theme import GRID, current_theme, font

T = TypeVar("T")

MOST_AT_ONCE = 500
"""Maximum neighbours added by one step."""

WIDTH = 46 * GRID
MOST_ROWS = 12
"""Maximum visible rows."""

_SET, _ASKED = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class ExpandPopup(QFrame):
    """The sets of neighbours of one node, with counts; a set opens into its classes.

    Args:
        label: the name of the node.
        view: the graph view, to mark shown neighbours.

    Signals:
        wanted(NeighbourSet, str, int): add this many neighbours of a set with this label.
    """

    wanted = Signal(object, str, int)

    def __init__(self, bridge: SessionBridge, view: GraphView, label: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(f"Expand {label}")
        self._bridge = bridge
        self._view = view
        self._open = True
        self._corner = QPoint()
        self.sets = QTreeWidget()
        self.sets.setAccessibleName("What it is linked with")
        self.sets.setAccessibleDescription("Enter shows the next ones, the right arrow counts by class")
        self.sets.setFrameShape(QFrame.Shape.NoFrame)
        self.sets.setColumnCount(2)
        self.sets.setHeaderHidden(True)
        self.sets.setUniformRowHeights(True)
        self.sets.setIndentation(2 * GRID)
        self.sets.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sets.header().setStretchLastSection(False)
        self.sets.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.sets.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.sets.installEventFilter(self)
        self.remark = TextBlock("Counting …", muted=True)
        self.next_button = QPushButton()
        self.all_button = QPushButton()
        self.class_button = QPushButton("Count by class")
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        for button in (self.next_button, self.all_button, self.class_button):
            button.setAutoDefault(False)
            button.hide()
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = column_in(self, GRID, GRID, GRID, GRID, spacing=GRID)
        heading = caption(f"Expand {brief(label, 44)}")
        heading.setContentsMargins(GRID // 2, 0, 0, 0)
        add_parts(column, heading, self.sets, self.remark, buttons)
        self.setFixedWidth(WIDTH)
        self.sets.hide()
        self.sets.currentItemChanged.connect(self._offer)
        self.sets.itemExpanded.connect(self._ask_classes)
        self.sets.itemDoubleClicked.connect(lambda item: self._want(item, PAGE))
        self.next_button.clicked.connect(lambda: self._want(self.sets.currentItem(), PAGE))
        self.all_button.clicked.connect(lambda: self._want(self.sets.currentItem(), MOST_AT_ONCE))
        self.class_button.clicked.connect(self._open_classes)

    def open_at(self, key: str, corner: QPoint) -> None:
        """Show it with its left top corner there, or as near as the screen lets it, and count the node's neighbours."""
        self._corner = corner
        self._fit()
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        resource = resource_of_key(key)
        self._bridge.run(
            neighbour_sets,
            resource,
            title="Count the neighbours",
            on_result=self._while_open(self.show_sets),
            on_error=self._while_open(self._fail),
            replaces="neighbour sets",
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        self._open = False
        super().closeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def show_sets(self, found: Sequence[NeighbourCount]) -> None:
        """Show what there is."""
        self.sets.clear()
        for one in found:
            item = self._item(one)
            # A set without its classes; they are counted when somebody wants to see them.
            if one.count.value > 1:
                item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            self.sets.addTopLevelItem(item)
        self.sets.setVisible(bool(found))
        self.remark.say("" if found else "It is linked with nothing else.")
        self.remark.setVisible(not found)
        if found:
            first = next((n for n, one in enumerate(found) if self._rest(one.of, one.count.value)), 0)
            self.sets.setCurrentItem(self._items()[first])
        self._fit()
        self.sets.setFocus(Qt.FocusReason.PopupFocusReason)

    def say(self, text: str) -> None:
        """Say why nothing is shown."""
        self.remark.say(text)
        self.remark.show()
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            item = self.sets.currentItem()
            if event.key() in ENTER and item is not None:
                everything = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
                self._want(item, MOST_AT_ONCE if everything else PAGE)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close()
                return True
        return False

    def _item(self, one: NeighbourCount) -> QTreeWidgetItem:
        shown = self._view.expansions.get(one.of)
        number = f"{shown.shown:,} of {one.count}" if shown is not None else str(one.count)
        label = one.label.partition(": ")[2] if one.of.cls else one.label
        item = QTreeWidgetItem([label, number])
        item.setData(0, _SET, one)
        item.setToolTip(0, plain_tip(one.of.cls or one.of.predicate))
        item.setFont(1, font(figures=True))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setForeground(1, QColor(current_theme().muted))
        if not self._rest(one.of, one.count.value):
            item.setForeground(0, QColor(current_theme().muted))
        return item

    def _rest(self, of: NeighbourSet, total: int) -> int:
        shown = self._view.expansions.get(of)
        return max(0, total - shown.shown) if shown is not None else total

    def _offer(self, item: QTreeWidgetItem | None) -> None:
        """Say on the buttons what can be done with the chosen set."""
        one = item.data(0, _SET) if item is not None else None
        if not isinstance(one, NeighbourCount):
            return
        rest = self._rest(one.of, one.count.value)
        further = "next " if one.of in self._view.expansions else ""
        self.next_button.setText(f"Show {further}{min(PAGE, rest)}")
        self.next_button.setVisible(rest > 0)
        few = PAGE < rest <= MOST_AT_ONCE and one.count.kind is CountKind.EXACT
        self.all_button.setText(f"Show all {rest:,}")
        self.all_button.setVisible(few)
        self.class_button.setVisible(not one.of.cls and one.count.value > 1)
        if not rest:
            self.say("All of them are shown.")
        else:
            self.remark.hide()
            self._fit()

    def _want(self, item: QTreeWidgetItem | None, number: int) -> None:
        one = item.data(0, _SET) if item is not None else None
        if isinstance(one, NeighbourCount):
            rest = self._rest(one.of, one.count.value)
            if rest:
                everything = number > PAGE and rest <= MOST_AT_ONCE and one.count.kind is CountKind.EXACT
                self.close()
                self.wanted.emit(one.of, one.label, rest if everything else min(PAGE, rest))

    def _open_classes(self) -> None:
        item = self.sets.currentItem()
        if item is not None:
            item.setExpanded(True)
            self.sets.setFocus(Qt.FocusReason.OtherFocusReason)

    def _ask_classes(self, item: QTreeWidgetItem) -> None:
        one = item.data(0, _SET)
        if not isinstance(one, NeighbourCount) or item.data(0, _ASKED):
            return
        item.setData(0, _ASKED, True)
        item.addChild(QTreeWidgetItem(["Counting …"]))

        def show(found: tuple[NeighbourCount, ...]) -> None:
            item.takeChildren()
            item.addChildren([self._item(cls) for cls in found] or [QTreeWidgetItem(["none has a class"])])
            self._fit()

        self._bridge.run(
            classes_in,
            one.of,
            title="Count by class",
            on_result=self._while_open(show),
            on_error=self._while_open(self._fail),
            replaces="neighbours by class",
        )

    def _fail(self, error: BaseException) -> None:
        self.say(f"The neighbours cannot be counted: {error}")

    def _while_open(self, take: Callable[[T], None]) -> Callable[[T], None]:
        """Takes an answer unless the popup was closed, and is gone, before it came."""
        return lambda answer: take(answer) if self._open else None

    def _fit(self) -> None:
        """Fit the height to the content, and stay on the screen."""
        rows = sum(1 + (item.childCount() if item.isExpanded() else 0) for item in self._items())
        height = self.sets.sizeHintForRow(0) if rows else 0
        self.sets.setFixedHeight(min(rows, MOST_ROWS) * height + 2)
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self.resize(WIDTH, self.sizeHint().height())
        room = (QGuiApplication.screenAt(self._corner) or self.screen()).availableGeometry()
        x = max(room.left(), min(self._corner.x(), room.right() - self.width()))
        self.move(x, max(room.top(), min(self._corner.y(), room.bottom() - self.height())))

    def _items(self) -> list[QTreeWidgetItem]:
        found = [self.sets.topLevelItem(number) for number in range(self.sets.topLevelItemCount())]
        return [item for item in found if item is not None]
