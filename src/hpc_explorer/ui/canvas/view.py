"""The canvas: a widget that shows a scene and handles mouse and keys.

It holds the selection and emits signals for user actions. See `screen` for drawing, `pointer` for the mouse,
`accessible` for screen readers. The keys:

← →                 go along the edges              + −            zoom
↑ ↓                 go along the column             Home, F        fit the picture
Shift + arrow       move the view                   Z              zoom to the selection
Ctrl + Shift + arrow  extend the selection          Ctrl + A       select all
Ctrl + arrow        move the selected nodes, where they are movable
Enter               open the selected node          Escape         cancel a drag, else clear the selection
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from hpc_explorer.canvas.export.drawing import Drawing
from hpc_explorer.canvas.geometry import GRID, Point, Rect
from hpc_explorer.canvas.layout import Layout
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.selection import NOTHING, Selection, area, only
from hpc_explorer.canvas.spatial import Direction
from hpc_explorer.canvas.walk import next_node, spoken
from hpc_explorer.ui.canvas.accessible import AccessibilityNotifier
from hpc_explorer.ui.canvas.pointer import CanvasPointer
from hpc_explorer.ui.canvas.screen import CanvasScreen
from hpc_explorer.ui.canvas.viewpoint import ZOOM_STEP
from hpc_explorer.ui.canvas.worker import Ready
from hpc_explorer.ui.widgets.drawing import qt_pen, qt_rect


class CanvasView(CanvasScreen):
    """A view of a scene with a selection.

    Attributes:
        movable: whether the user may move cards. A moved card stays where it was dropped until the next scene is set.
        hovered: the key of the node under the pointer.
        pointer: handles the mouse.

    Signals:
        node_selected(str): the user selected the node with this key; others may be selected too.
        selection_changed(object): the user changed the selection; the frozenset of the selected keys.
        selection_cleared(): the user cleared the selection.
        node_activated(str): the user asked to open a node.
        node_context_menu(str, QPoint): the user asked for the menu of a node, at this place on the screen.
        nodes_dragged(object): the user moved cards; a dict from each key to the x and y of the card's centre, in scene
            units.
        legend_toggled(str): the user clicked a legend entry; the key of its look (`palette.look_key`).
        legend_cleared(): the user reset the legend.
    """

    node_selected = Signal(str)
    selection_changed = Signal(object)
    selection_cleared = Signal()
    node_activated = Signal(str)
    node_context_menu = Signal(str, QPoint)
    nodes_dragged = Signal(object)
    legend_toggled = Signal(str)
    legend_cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.movable = False
        self._selection = NOTHING
        self.hovered: str | None = None
        self._focus_by_key = False
        self.pointer = CanvasPointer(self)
        self.mover.dropped.connect(self.nodes_dragged)
        self._notifier = AccessibilityNotifier(self)
        self.viewpoint.moved.connect(self._notifier.moved)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._worker.want(self._scene, self._theme)

    @property
    def selection(self) -> Selection:
        """The selected nodes, and the current one."""
        return self._selection

    def select(self, key: str | None, *, into_sight: bool = False) -> None:
        """Select a node without a signal and scroll to it; None: no node.

        A node that is already selected becomes the current one of the selection.

        Args:
            into_sight: scroll also if the user has moved the view.
        """
        if key is not None and self._node_position(key) is None:
            key = None
        chosen = Selection(self._selection.keys, key) if key in self._selection.keys else only(key)
        self._select(chosen, into_sight=into_sight or self.viewpoint.is_free)

    def select_keys(self, keys: Iterable[str]) -> None:
        """Select the nodes of the scene among these, without a signal."""
        chosen = area(keys).among(node.key for node in self._scene.nodes)
        current = self._selection.current
        if current in chosen.keys:
            chosen = Selection(chosen.keys, current)
        self._select(chosen, into_sight=False)

    def choose(self, selection: Selection, *, into_sight: bool = True) -> None:
        """Change the selection as a user does, with signals."""
        before = self._selection
        if selection == before:
            return
        self._select(selection, into_sight=into_sight)
        if selection.keys != before.keys:
            self.selection_changed.emit(selection.keys)
        if not selection.keys:
            self.selection_cleared.emit()
        elif selection.current is not None and selection.current != before.current:
            self.node_selected.emit(selection.current)

    def choose_all(self) -> None:
        """Select every node as a user does."""
        shown = self._shown
        if shown is not None and shown.scene is self._scene:
            keys = frozenset(shown.finder.links.position)
        else:
            keys = frozenset(node.key for node in self._scene.nodes)
        self.choose(Selection(keys, self._selection.current), into_sight=False)

    def hover(self, key: str | None) -> None:
        """Highlight the node under the pointer."""
        if key != self.hovered:
            self.hovered = key
            self.show_cursor(key)
            self._mark()

    def show_cursor(self, key: str | None) -> None:
        """Set the cursor for a node, or for the background."""
        self.setCursor(Qt.CursorShape.PointingHandCursor if key is not None else Qt.CursorShape.ArrowCursor)

    def walk(self, direction: Direction, *, also: bool = False) -> None:
        """Go to the next node in a direction.

        Args:
            also: keep the current selection.
        """
        if self._shown is None:
            return
        scene, layout, current = self._shown.scene, self._shown.layout, self._selection.current
        if current is None or current not in layout.places:
            goal = self._shown.first
        else:
            finder = self._shown.finder
            goal = next_node(scene, layout, finder.links, current, direction, finder.index)
        if goal is not None:
            chosen = Selection(self._selection.keys | {goal}, goal) if also else only(goal)
            self.choose(chosen)

    def set_scene(self, scene: Scene, layout: Layout | None = None, keep_camera: bool = False) -> None:
        if self._selection.keys:
            self._selection = self._selection.among(node.key for node in scene.nodes)
        super().set_scene(scene, layout, keep_camera)

    def drawing(self) -> Drawing:
        """The scene in view with its selection, for export."""
        assert self._shown is not None
        shown, chosen = self._shown, self._selection
        return Drawing(shown.scene, shown.layout, shown.theme, chosen.current, chosen.keys)

    def _take(self, ready: Ready) -> None:
        self.hovered = None
        super()._take(ready)
        self._notifier.moved()

    def _select(self, selection: Selection, *, into_sight: bool) -> None:
        self._selection = selection
        self._mark()
        self._notifier.selected()
        place = self._place(selection.current)
        if into_sight and place is not None:
            self.viewpoint.bring_into_sight(place)

    def _mark(self) -> None:
        """Update the highlights of selected and hovered nodes, and the accessible description."""
        shown = self._shown
        if shown is None:
            return
        self.painting.mark(self._selection, self.hovered)
        current = self._selection.current
        said = spoken(shown.scene, shown.finder.links, current) if current is not None else ""
        said = said or shown.plan.picture.description
        self.setAccessibleDescription(said)
        self.update()

    def zoom_in(self) -> None:
        """Zoom in one step, towards the selected node or the centre."""
        self._zoom(ZOOM_STEP)

    def zoom_out(self) -> None:
        """Zoom out one step."""
        self._zoom(1 / ZOOM_STEP)

    def zoom_to_selection(self) -> None:
        """Zoom to the selected nodes, or fit the picture if none is selected."""
        if self._selection.keys:
            self.zoom_to(self._selection.keys)
        else:
            self.fit()

    def _zoom(self, factor: float) -> None:
        centre = Point(self.width() / 2, self.height() / 2)
        rect = self.view_rect(self._selection.current) if self._selection.current is not None else None
        if rect is not None and Rect(0.0, 0.0, *self.viewpoint.size).contains(rect.centre):
            centre = rect.centre
        self.viewpoint.zoom(factor, centre)

    def _paint_over(self, painter: QPainter, theme: Theme) -> None:
        self.pointer.paint(painter, theme)
        if self.hasFocus() and self._focus_by_key:
            painter.setPen(qt_pen(theme.accent, 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(qt_rect(Rect(1.0, 1.0, self.width() - 2.0, self.height() - 2.0)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._focus_by_key = False
        self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pointer.double_click(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.hover(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.pointer.wheel(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self.pointer.pinch(event)
            return True
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            said = self.tooltip_at(QPointF(event.pos()))
            if said:
                QToolTip.showText(event.globalPos(), said, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            key, place = self._selection.current, None
            rect = self.view_rect(key) if key is not None else None
            if rect is not None:
                place = self.mapToGlobal(QPoint(round(rect.centre.x), round(rect.bottom)))
        else:
            key, place = self.node_at(QPointF(event.pos())), event.globalPos()
        if key is not None and place is not None:
            # The menu applies to all selected nodes.
            keys = self._selection.keys
            self.choose(Selection(keys, key) if key in keys else only(key))
            self.node_context_menu.emit(key, place)
            event.accept()
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_key(self, event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._focus_by_key = event.reason() is not Qt.FocusReason.MouseFocusReason
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focus_by_key = False
        self.update()
        super().focusOutEvent(event)


PAN = 64
"""Pixels that Shift and an arrow key move the view."""
NUDGE = 2 * GRID
"""Scene units that Ctrl and an arrow key move the selected nodes."""

_ARROWS: dict[int, tuple[Direction, int, int]] = {
    Qt.Key.Key_Left: ("left", -1, 0),
    Qt.Key.Key_Right: ("right", 1, 0),
    Qt.Key.Key_Up: ("up", 0, -1),
    Qt.Key.Key_Down: ("down", 0, 1),
}
_PLAIN, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


def press_key(view: CanvasView, event: QKeyEvent) -> bool:
    """Handle a key; False if it has no meaning on the canvas."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    key = event.key()
    if key in _ARROWS:
        return _arrow(view, key, held)
    if held == _CONTROL and key == Qt.Key.Key_A:
        view.choose_all()
        return True
    if held not in (_PLAIN, _SHIFT):
        return False
    if key == Qt.Key.Key_Escape:
        return _escape(view)
    current = view.selection.current
    match key:
        case Qt.Key.Key_Return | Qt.Key.Key_Enter if current is not None:
            view.node_activated.emit(current)
        case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
            view.zoom_in()
        case Qt.Key.Key_Minus:
            view.zoom_out()
        case Qt.Key.Key_Home | Qt.Key.Key_F:
            view.fit()
        case Qt.Key.Key_Z:
            view.zoom_to_selection()
        case _:
            return False
    return True


def _arrow(view: CanvasView, key: int, held: Qt.KeyboardModifier) -> bool:
    direction, right, down = _ARROWS[key]
    if held == _PLAIN:
        view.walk(direction)
    elif held == _SHIFT:
        view.viewpoint.look(view.camera().moved(-right * PAN, -down * PAN))
    elif held == _SHIFT | _CONTROL:
        view.walk(direction, also=True)
    elif held == _CONTROL and view.movable and view.selection.keys:
        view.mover.begin(view.selection.keys)
        view.mover.move(Point(right * NUDGE, down * NUDGE))
        view.mover.drop()
    else:
        return False
    return True


def _escape(view: CanvasView) -> bool:
    if view.pointer.cancel():
        return True
    if not view.selection.keys:
        return False
    view.choose(NOTHING)
    return True
