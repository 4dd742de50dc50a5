"""The canvas: one widget that shows a scene, to be steered by mouse, trackpad and keys.

It plays the primitives of `canvas.picture` and adds only what belongs to the view: the legend in a corner, the map of
a picture that is larger than the view, the mark of the focus.

    drag, wheel, pinch      move, zoom where the pointer is      click           select a node
    + − Home F              zoom, show everything                double click    open it
    ← →                     walk along the edges                 Enter           open the selected node
    ↑ ↓                     walk in the column                   Menu key        its menu
    Escape                  select nothing
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QInputDevice,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QStyle, QToolTip, QWidget

from hpc_explorer.canvas.camera import Camera, fitting, opening
from hpc_explorer.canvas.geometry import Point, Rect, Size
from hpc_explorer.canvas.layout import Layout
from hpc_explorer.canvas.page import legend, sheet
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.canvas.picture import Picture, draw, emphasis
from hpc_explorer.canvas.primitives import Primitive
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.walk import HIT, Direction, first_node, next_node, node_at, route_at, spoken
from hpc_explorer.ui.canvas_backing import CanvasBacking, Wanted
from hpc_explorer.ui.canvas_map import CanvasMap, map_of
from hpc_explorer.ui.canvas_plan import Backed, LargePlan, play, qt_colour, qt_pen, qt_rect
from hpc_explorer.ui.canvas_tooltip import node_tooltip, route_tooltip
from hpc_explorer.ui.canvas_worker import CanvasWorker, Ready

ZOOM_STEP = 1.25
WHEEL_STEP = 120.0
"""Units of the wheel (eighths of a degree) that zoom by one step."""
KEY_STEP = 64
"""Pixels that Shift and an arrow key move the picture."""
GLIDE = 140
"""Milliseconds of the one motion there is, which keeps the eye's place when the view jumps."""
CORNER = 12.0
"""Pixels between the view's edge and the legend and the map."""

_ARROWS: dict[int, Direction] = {
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
}


class CanvasView(QWidget):
    """Shows a scene and lets a person move in it.

    Attributes:
        movable: whether a person may move cards.

    Signals:
        node_selected(str): a person selected the node with this key.
        selection_cleared(): a person selected nothing.
        node_activated(str): a person asked to open a node.
        node_context_menu(str, QPoint): a person asked for the menu of a node; the place is in screen coordinates.
        nodes_dragged(dict): a person moved nodes; by key the new centre of each card, in scene units.
        selection_changed(frozenset): the keys of the selected nodes are others.
        scene_shown(): the scene that was set last is laid out and in sight.
    """

    node_selected = Signal(str)
    selection_cleared = Signal()
    node_activated = Signal(str)
    node_context_menu = Signal(str, QPoint)
    nodes_dragged = Signal(object)
    selection_changed = Signal(object)
    scene_shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.movable = False
        self._scene = Scene()
        self._theme = LIGHT
        self._shown: Ready | None = None
        self._selected: str | None = None
        self._hovered: str | None = None
        self._emphasis: tuple[Primitive, ...] = ()
        self._legend: Picture | None = None
        self._camera = Camera()
        self._placing: Callable[[], Camera] | None = self._opening
        self._pressed: QPointF | None = None
        self._last: QPointF | None = None
        self._dragging = False
        self._in_map = False
        self._focus_by_key = False
        self._from = self._to = self._camera
        self._motion = QVariantAnimation(self)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.valueChanged.connect(self._step)
        self._worker = CanvasWorker(self)
        self._worker.ready.connect(self._show)
        self._backing = CanvasBacking(self)
        self._backing.sharpened.connect(self.update)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._worker.stop)
            application.aboutToQuit.connect(self._backing.stop)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Canvas")
        self._worker.want(self._scene, self._theme)

    # -- what is shown

    def scene(self) -> Scene:
        """The scene that was set last; it may still be being laid out."""
        return self._scene

    def set_scene(self, scene: Scene, layout: Layout | None = None, *, keep_camera: bool = False) -> None:
        """Shows a scene. A large one is laid out in the background; until then the one before stays in sight.

        Args:
            layout: where everything is, if that is known already.
            keep_camera: whether the view stays where it is, as when a picture grows.
        """
        if self._selected is not None and scene.node(self._selected) is None:
            self._selected = None
        self._scene = scene
        self._placing = None if keep_camera else self._opening
        self._worker.want(scene, self._theme, layout)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draws in other colours."""
        if theme is self._theme:
            return
        self._theme = theme
        layout = self._shown.layout if self._shown is not None and self._shown.scene is self._scene else None
        self._worker.want(self._scene, theme, layout)

    def select(self, key: str | None) -> None:
        """Marks a node as selected, and moves it into sight; None for no node. No signal is sent."""
        if key is not None and self._scene.node(key) is None:
            key = None
        self._selected = key
        self._mark()
        if key is not None and self._placing is None:
            self._bring_into_sight(key)

    def selected(self) -> str | None:
        """The key of the selected node."""
        return self._selected

    def selected_keys(self) -> frozenset[str]:
        """The keys of the selected nodes."""
        return frozenset(() if self._selected is None else (self._selected,))

    def select_keys(self, keys: Iterable[str]) -> None:
        """Marks nodes as selected. No signal is sent."""
        self.select(min(keys, default=None))

    def hovered(self) -> str | None:
        """The key of the node under the pointer."""
        return self._hovered

    def picture(self) -> Picture:
        """The picture in sight as a page with title and legend, the selected node marked; to be exported."""
        assert self._shown is not None
        shown = self._shown
        return sheet(draw(shown.scene, shown.layout, shown.theme, selected=self._selected), shown.theme)

    def is_laying_out(self) -> bool:
        """Whether the scene that was set last is not yet in sight."""
        return self._worker.pending

    def is_sharpening(self) -> bool:
        """Whether a large picture is about to be shown sharper than it is."""
        return self._backing.pending

    def sizeHint(self) -> QSize:
        return QSize(800, 560)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 120)

    def _show(self, ready: Ready) -> None:
        self._shown = ready
        self._legend = legend(ready.plan.picture.legend, ready.theme, max(160.0, self.width() * 0.6))
        self._hovered = None
        self._mark()
        self._motion.stop()
        if self._placing is not None:
            self._camera = self._placing()
        self.setAccessibleName(ready.plan.picture.title or "Canvas")
        self.update()
        self.scene_shown.emit()

    def _mark(self) -> None:
        """Redraws the marks of the selected and the hovered node."""
        shown = self._shown
        if shown is None:
            return
        self._emphasis = emphasis(
            shown.scene,
            shown.layout,
            shown.theme,
            selected=self._selected,
            hovered=self._hovered,
            index=shown.plan.index,
        )
        said = spoken(shown.scene, self._selected) if self._selected is not None else shown.plan.picture.description
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        self.update()

    # -- where the view is

    def camera(self) -> Camera:
        """Which part of the picture is in sight."""
        return self._camera

    def look(self, camera: Camera) -> None:
        """Shows a part of the picture, at once."""
        self._move_to(camera)

    def fit(self) -> None:
        """Shows the whole picture, and keeps doing so while the view changes its size."""
        self._placing = self._fitting
        self._glide(self._fitting())

    def zoom_in(self) -> None:
        """One step closer, towards the selected node or the middle."""
        self._zoom(ZOOM_STEP)

    def zoom_out(self) -> None:
        """One step back."""
        self._zoom(1 / ZOOM_STEP)

    def is_moving(self) -> bool:
        """Whether the view is on its way to another part of the picture."""
        return self._motion.state() is QVariantAnimation.State.Running

    def view_rect(self, key: str) -> Rect | None:
        """Where the card of a node is, in pixels of this widget."""
        if self._shown is None or key not in self._shown.layout.places:
            return None
        return self._camera.rect_to_view(self._shown.layout.places[key])

    def _size(self) -> Size:
        return Size(float(self.width()), float(self.height()))

    def _bounds(self) -> Rect:
        return self._shown.plan.picture.bounds if self._shown is not None else Rect(0.0, 0.0, 1.0, 1.0)

    def _legend_room(self) -> float:
        return self._legend.bounds.height + CORNER if self._legend is not None and self._legend.primitives else 0.0

    def _opening(self) -> Camera:
        focus = None
        if self._shown is not None:
            key = first_node(self._shown.scene, self._shown.layout)
            focus = self._shown.layout.places[key] if key is not None else None
        return opening(self._bounds(), focus, self._size(), self._legend_room())

    def _fitting(self) -> Camera:
        return fitting(self._bounds(), self._size(), self._legend_room())

    def _zoom(self, factor: float) -> None:
        centre = Point(self.width() / 2, self.height() / 2)
        rect = self.view_rect(self._selected) if self._selected is not None else None
        if rect is not None and Rect(0.0, 0.0, *self._size()).contains(rect.centre):
            centre = rect.centre
        self._placing = None
        goal = self._goal().zoomed(factor, centre)
        self._glide(goal.kept(self._bounds(), self._size()))

    def _bring_into_sight(self, key: str) -> None:
        if self._shown is not None and key in self._shown.layout.places:
            goal = self._goal().showing(self._shown.layout.places[key], self._size())
            if goal != self._camera:
                self._placing = None
                self._glide(goal)

    def _goal(self) -> Camera:
        """Where the view is, or where it is just going."""
        return self._to if self.is_moving() else self._camera

    def _move_to(self, camera: Camera) -> None:
        """Moves the view at once, as far as the picture stays in sight."""
        self._motion.stop()
        self._placing = None
        self._camera = camera.kept(self._bounds(), self._size())
        self.update()

    def _glide(self, goal: Camera) -> None:
        """Moves the view in one short motion; at once if the desktop wants no motion."""
        self._motion.stop()
        duration = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self)
        if duration <= 0 or not self.isVisible():
            self._camera = goal
            self.update()
            return
        self._from, self._to = self._camera, goal
        self._motion.setDuration(min(GLIDE, duration))
        self._motion.start()

    def _step(self, t: float) -> None:
        # Setting up the motion tells a value, too.
        if self.is_moving() or t >= 1.0:
            self._camera = self._to if t >= 1.0 else self._from.between(self._to, t)
            self.update()

    # -- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        shown = self._shown
        painter.fillRect(
            event.rect(), qt_colour(shown.theme.background if shown is not None else self._theme.background)
        )
        if shown is not None:
            dirty = event.rect()
            corner = self._camera.to_scene(Point(dirty.x(), dirty.y()))
            seen = Rect(*corner, dirty.width() / self._camera.scale, dirty.height() / self._camera.scale)
            plan = shown.plan
            if isinstance(plan, LargePlan):
                backed = plan.backed(seen, self._camera.scale)
                if backed is not Backed.NOTHING:
                    wanted = Wanted(plan, backed, self._camera, self._size(), self.devicePixelRatioF())
                    self._backing.paint(painter, wanted)
            painter.save()
            painter.scale(self._camera.scale, self._camera.scale)
            painter.translate(-self._camera.x, -self._camera.y)
            plan.draw(painter, seen, self._camera.scale)
            play(painter, self._emphasis, self._camera.scale)
            painter.restore()
            self._paint_legend(painter, shown)
            in_corner = self._map()
            if in_corner is not None:
                in_corner.paint(painter, shown.plan, shown.theme, self._camera.seen(self._size()))
            if self._worker.pending:
                self._paint_waiting(painter)
        if self.hasFocus() and self._focus_by_key:
            painter.setPen(qt_pen(self._theme.accent, 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(qt_rect(Rect(1.0, 1.0, self.width() - 2.0, self.height() - 2.0)))
        painter.end()

    def _paint_legend(self, painter: QPainter, shown: Ready) -> None:
        if self._legend is None or not self._legend.primitives:
            return
        bounds = self._legend.bounds
        left, top = CORNER, self.height() - CORNER - bounds.height
        patch = qt_colour(shown.theme.background)
        painter.fillRect(qt_rect(Rect(left, top, bounds.width, bounds.height).grown(4.0)), patch)
        painter.save()
        painter.translate(left, top)
        play(painter, self._legend.primitives)
        painter.restore()

    def map_rect(self) -> Rect | None:
        """Where the map of the whole picture is, in pixels of this widget; None if all of it is in sight."""
        shown = self._map()
        return shown.rect if shown is not None else None

    def _map(self) -> CanvasMap | None:
        if self._shown is None or not self._shown.scene.nodes:
            return None
        return map_of(self._bounds(), self._camera, self._size(), CORNER)

    def _paint_waiting(self, painter: QPainter) -> None:
        message = f"Laying out {len(self._scene.nodes):,} nodes …"
        painter.setFont(self.font())
        painter.setPen(qt_colour(self._theme.muted))
        painter.drawText(QPointF(CORNER, CORNER + painter.fontMetrics().ascent()), message)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._shown is not None:
            self._legend = legend(self._shown.plan.picture.legend, self._shown.theme, max(160.0, self.width() * 0.6))
        if self._placing is not None:
            self._motion.stop()
            self._camera = self._placing()
        else:
            self._camera = self._camera.kept(self._bounds(), self._size())

    # -- mouse and trackpad

    def _node_at(self, place: QPointF) -> str | None:
        point = Point(place.x(), place.y())
        if self._shown is None or self._is_on_map(point):
            return None
        there, index = self._camera.to_scene(point), self._shown.plan.index
        if index is None:
            return node_at(self._shown.layout, there)
        at = index.card_at(there)
        return self._shown.scene.nodes[at].key if at is not None else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            return
        self._focus_by_key = False
        self._pressed = self._last = event.position()
        self._dragging = False
        self._in_map = self._is_on_map(Point(event.position().x(), event.position().y()))
        if self._in_map:
            self._look_at_map(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None or self._last is None:
            self._hover(self._node_at(event.position()))
            return
        if self._in_map:
            self._look_at_map(event.position())
            return
        far = (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if not self._dragging and far:
            self._dragging = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        if self._dragging:
            by = event.position() - self._last
            self._last = event.position()
            self._move_to(self._camera.moved(by.x(), by.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_click = self._pressed is not None and not self._dragging and not self._in_map
        self._pressed = self._last = None
        self._dragging = self._in_map = False
        key = self._node_at(event.position())
        if was_click and event.button() is Qt.MouseButton.LeftButton:
            self._choose(key)
        self._hover(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        key = self._node_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and key is not None:
            self.node_activated.emit(key)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        trackpad = event.device().type() is QInputDevice.DeviceType.TouchPad
        if trackpad and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            by = event.pixelDelta() if event.hasPixelDelta() else event.angleDelta() / 2
            self._move_to(self._camera.moved(by.x(), by.y()))
        else:
            turned = event.angleDelta().y() or event.angleDelta().x()
            self._zoom_at(ZOOM_STEP ** (turned / WHEEL_STEP), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom_at(1.0 + event.value(), event.position())
            return True
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self._show_tooltip(event)
            return True
        return super().event(event)

    def _zoom_at(self, factor: float, place: QPointF) -> None:
        self._move_to(self._camera.zoomed(factor, Point(place.x(), place.y())))

    def _look_at_map(self, place: QPointF) -> None:
        """Centres the view on a place of the map."""
        shown = self._map()
        if shown is not None:
            goal = shown.scene_place(Point(place.x(), place.y()))
            self._move_to(self._camera.centred(goal, self._size()))

    def _is_on_map(self, place: Point) -> bool:
        rect = self.map_rect()
        return rect is not None and rect.contains(place)

    def _hover(self, key: str | None) -> None:
        if key == self._hovered:
            return
        self._hovered = key
        self.setCursor(Qt.CursorShape.PointingHandCursor if key is not None else Qt.CursorShape.ArrowCursor)
        self._mark()

    def _choose(self, key: str | None) -> None:
        """Selects as a person does: with a signal."""
        if key == self._selected:
            return
        self._selected = key
        self._mark()
        self.selection_changed.emit(self.selected_keys())
        if key is None:
            self.selection_cleared.emit()
        else:
            self._bring_into_sight(key)
            self.node_selected.emit(key)

    # -- tooltips and menus

    def tooltip_at(self, place: QPointF) -> str:
        """What the tooltip says at a place of this widget, as rich text; "" if there is nothing to say."""
        if self._shown is None:
            return ""
        scene = self._shown.scene
        key = self._node_at(place)
        node = scene.node(key) if key is not None else None
        if node is not None:
            return node_tooltip(node)
        point = self._camera.to_scene(Point(place.x(), place.y()))
        reach, layout, index = HIT / min(self._camera.scale, 1.0), self._shown.layout, self._shown.plan.index
        if index is None:
            route = route_at(layout, point, reach)
        else:
            at = index.route_at(point, reach)
            route = layout.routes[at] if at is not None else None
        return route_tooltip(scene, route) if route is not None else ""

    def _show_tooltip(self, event: QHelpEvent) -> None:
        said = self.tooltip_at(QPointF(event.pos()))
        if said:
            QToolTip.showText(event.globalPos(), said, self)
        else:
            QToolTip.hideText()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            key, place = self._selected, None
            rect = self.view_rect(key) if key is not None else None
            if rect is not None:
                place = self.mapToGlobal(QPoint(round(rect.centre.x), round(rect.bottom)))
        else:
            key, place = self._node_at(QPointF(event.pos())), event.globalPos()
        if key is not None and place is not None:
            self._choose(key)
            self.node_context_menu.emit(key, place)
            event.accept()
        else:
            event.ignore()

    # -- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        plain = modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if not plain:
            super().keyPressEvent(event)
        elif key in _ARROWS and modifiers:
            dx, dy = {"left": (1, 0), "right": (-1, 0), "up": (0, 1), "down": (0, -1)}[_ARROWS[key]]
            self._move_to(self._camera.moved(dx * KEY_STEP, dy * KEY_STEP))
        elif key in _ARROWS:
            self._walk(_ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._selected is not None:
            self.node_activated.emit(self._selected)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_in()
        elif key == Qt.Key.Key_Minus:
            self.zoom_out()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_F):
            self.fit()
        elif key == Qt.Key.Key_Escape and self._selected is not None:
            self._choose(None)
        else:
            super().keyPressEvent(event)

    def _walk(self, direction: Direction) -> None:
        if self._shown is None:
            return
        scene, layout = self._shown.scene, self._shown.layout
        if self._selected is None or self._selected not in layout.places:
            goal = first_node(scene, layout)
        else:
            goal = next_node(scene, layout, self._selected, direction)
        if goal is not None:
            self._choose(goal)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._focus_by_key = event.reason() is not Qt.FocusReason.MouseFocusReason
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focus_by_key = False
        self.update()
        super().focusOutEvent(event)
