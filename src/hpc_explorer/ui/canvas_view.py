"""The canvas: one widget that shows a scene, to be steered by mouse, trackpad and keys.

It holds what is shown and what is selected, and says by signals what a person does. Where the view is:
`canvas_viewpoint`; how it is drawn: `canvas_painting`; what mouse and keys mean: `canvas_pointer`, `canvas_gestures`
and `canvas_keys`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Point, Rect, union
from hpc_explorer.canvas.layout import Layout
from hpc_explorer.canvas.page import sheet
from hpc_explorer.canvas.palette import LIGHT, Theme
from hpc_explorer.canvas.picture import Picture, draw
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.selection import NOTHING, Selection, area, only
from hpc_explorer.canvas.walk import HIT, Direction, next_node, spoken
from hpc_explorer.ui.canvas_accessible import Teller
from hpc_explorer.ui.canvas_keys import press_key
from hpc_explorer.ui.canvas_moving import CardMover
from hpc_explorer.ui.canvas_painting import CanvasPainting, paint_message
from hpc_explorer.ui.canvas_plan import qt_colour, qt_pen, qt_rect
from hpc_explorer.ui.canvas_pointer import CanvasPointer
from hpc_explorer.ui.canvas_tooltip import node_tooltip, route_tooltip
from hpc_explorer.ui.canvas_viewpoint import ZOOM_STEP, Viewpoint
from hpc_explorer.ui.canvas_worker import CanvasWorker, Ready


class CanvasView(QWidget):
    """Shows a scene and lets a person move in it.

    Attributes:
        movable: whether a person may move cards. What was moved stays where it was dropped until the next scene is
            shown, which is to have it there.
        viewpoint: where the view is.
        pointer: what the mouse is doing.
        mover: the cards that are on their way.

    Signals:
        node_selected(str): a person chose the node with this key; others may be selected beside it.
        selection_changed(object): a person selected other nodes; the frozenset of the keys of all selected ones.
        selection_cleared(): a person selected nothing.
        node_activated(str): a person asked to open a node.
        node_context_menu(str, QPoint): a person asked for the menu of a node; the place is in screen coordinates.
        nodes_dragged(object): a person moved cards; a dict from each key to the x and y of the card's middle, in
            scene units.
        scene_shown(): the scene that was set last is laid out and in sight.
    """

    node_selected = Signal(str)
    selection_changed = Signal(object)
    selection_cleared = Signal()
    node_activated = Signal(str)
    node_context_menu = Signal(str, QPoint)
    nodes_dragged = Signal(object)
    scene_shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.movable = False
        self._scene = Scene()
        self._theme = LIGHT
        self._shown: Ready | None = None
        self._selection = NOTHING
        self._hovered: str | None = None
        self._opens = True
        self._focus_by_key = False
        self.viewpoint = Viewpoint(self)
        self.viewpoint.moved.connect(self.update)
        self.pointer = CanvasPointer(self)
        self.mover = CardMover()
        self.mover.changed.connect(self.update)
        self.mover.dropped.connect(self.nodes_dragged)
        self._painting = CanvasPainting(self.viewpoint, self.mover)
        self._painting.sharpened.connect(self.update)
        self._worker = CanvasWorker(self)
        self._worker.ready.connect(self._show)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._worker.stop)
            application.aboutToQuit.connect(self._painting.backing.stop)
        self._teller = Teller(self)
        self.viewpoint.moved.connect(self._teller.moved)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Canvas")
        self._worker.want(self._scene, self._theme)

    # -- what is shown

    def scene(self) -> Scene:
        """The scene that was set last; it may still be being laid out."""
        return self._scene

    def set_scene(self, scene: Scene, layout: Layout | None = None, keep_camera: bool = False) -> None:
        """Shows a scene. A large one is laid out in the background; until then the one before stays in sight.

        Args:
            layout: where everything is, if that is known already.
            keep_camera: the view stays at its place and scale, as for a scene that grew; the map shows what lies
                outside. Where nothing was shown before, the scene is opened as a new one is.
        """
        if self._selection.keys:
            self._selection = self._selection.among(node.key for node in scene.nodes)
        self._scene = scene
        stays = keep_camera and not self._opens and self._shown is not None and bool(self._shown.scene.nodes)
        if stays:
            self.viewpoint.will_stay()
        else:
            self._opens = True
            self.viewpoint.will_open()
        self._worker.want(scene, self._theme, layout)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draws in other colours."""
        if theme is self._theme:
            return
        self._theme = theme
        layout = self._shown.layout if self._shown is not None and self._shown.scene is self._scene else None
        self._worker.want(self._scene, theme, layout)

    def ready(self) -> Ready | None:
        """The scene in sight with all that is known of it; None before the first one."""
        return self._shown

    def picture(self) -> Picture:
        """The picture in sight as a page with title and legend, the selected nodes marked; to be exported."""
        assert self._shown is not None
        shown, chosen = self._shown, self._selection
        marked = draw(shown.scene, shown.layout, shown.theme, selected=chosen.current, also=chosen.keys)
        return sheet(marked, shown.theme)

    def is_laying_out(self) -> bool:
        """Whether the scene that was set last is not yet in sight."""
        return self._worker.pending

    def is_sharpening(self) -> bool:
        """Whether a large picture is about to be shown sharper than it is."""
        return self._painting.backing.pending

    def sizeHint(self) -> QSize:
        return QSize(800, 560)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 120)

    def _show(self, ready: Ready) -> None:
        self._shown = ready
        self._opens = False
        self._hovered = None
        self._painting.take(ready)
        self.mover.take(ready)
        focus = ready.layout.places[ready.first] if ready.first is not None else None
        self.viewpoint.take(ready.plan.picture.bounds, focus, self._painting.legend_room)
        self._mark()
        self.setAccessibleName(ready.plan.picture.title or "Canvas")
        self.update()
        self._teller.moved()
        self.scene_shown.emit()

    # -- what is selected

    @property
    def selection(self) -> Selection:
        """The selected nodes, and the one that was chosen last."""
        return self._selection

    def selected(self) -> str | None:
        """The key of the node that was chosen last, from which the keys walk on."""
        return self._selection.current

    def selected_keys(self) -> frozenset[str]:
        """The keys of all selected nodes."""
        return self._selection.keys

    def select(self, key: str | None) -> None:
        """Chooses a node, and moves it into sight; None for no node. No signal is sent.

        If it is one of several selected ones they all stay selected.
        """
        if key is not None and self._node_position(key) is None:
            key = None
        chosen = Selection(self._selection.keys, key) if key in self._selection.keys else only(key)
        self._select(chosen, into_sight=self.viewpoint.is_free)

    def select_keys(self, keys: Iterable[str]) -> None:
        """Selects these nodes, as many as the scene has, and no others. No signal is sent."""
        chosen = area(keys).among(node.key for node in self._scene.nodes)
        current = self._selection.current
        if current in chosen.keys:
            chosen = Selection(chosen.keys, current)
        self._select(chosen, into_sight=False)

    def choose(self, selection: Selection, *, into_sight: bool = True) -> None:
        """Selects as a person does: with signals."""
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
        """Selects every node, as a person does."""
        shown = self._shown
        if shown is not None and shown.scene is self._scene:
            keys = frozenset(shown.finder.links.position)
        else:
            keys = frozenset(node.key for node in self._scene.nodes)
        self.choose(Selection(keys, self._selection.current), into_sight=False)

    def add_to_selection(self, keys: Iterable[str]) -> None:
        """Selects more nodes, as a person does."""
        self.choose(self._selection.added(keys), into_sight=False)

    def hovered(self) -> str | None:
        """The key of the node under the pointer."""
        return self._hovered

    def hover(self, key: str | None) -> None:
        """Marks the node under the pointer."""
        if key != self._hovered:
            self._hovered = key
            self.show_cursor(key)
            self._mark()

    def show_cursor(self, key: str | None) -> None:
        """Shows the pointer as it is over a node, or beside all."""
        self.setCursor(Qt.CursorShape.PointingHandCursor if key is not None else Qt.CursorShape.ArrowCursor)

    def walk(self, direction: Direction, *, also: bool = False) -> None:
        """Goes on to the next node in a direction.

        Args:
            also: the nodes that are selected stay so.
        """
        if self._shown is None:
            return
        scene, layout, current = self._shown.scene, self._shown.layout, self._selection.current
        if current is None or current not in layout.places:
            goal = self._shown.first
        else:
            goal = next_node(scene, layout, self._shown.finder.links, current, direction)
        if goal is not None:
            chosen = Selection(self._selection.keys | {goal}, goal) if also else only(goal)
            self.choose(chosen)

    def _select(self, selection: Selection, *, into_sight: bool) -> None:
        self._selection = selection
        self._mark()
        self._teller.selected()
        place = self._place(selection.current)
        if into_sight and place is not None:
            self.viewpoint.bring_into_sight(place)

    def _mark(self) -> None:
        """Redraws the marks of the selected and the hovered nodes."""
        shown = self._shown
        if shown is None:
            return
        self._painting.mark(self._selection, self._hovered)
        current = self._selection.current
        said = spoken(shown.scene, shown.finder.links, current) if current is not None else ""
        said = said or shown.plan.picture.description
        self.setAccessibleDescription(said)
        self.update()

    # -- where the view is

    def camera(self) -> Camera:
        """Which part of the picture is in sight."""
        return self.viewpoint.camera

    def look(self, camera: Camera) -> None:
        """Shows a part of the picture, at once."""
        self.viewpoint.look(camera)

    def fit(self) -> None:
        """Shows the whole picture, and keeps doing so while the view changes its size."""
        self.viewpoint.fit()

    def zoom_in(self) -> None:
        """One step closer, towards the selected node or the middle."""
        self._zoom(ZOOM_STEP)

    def zoom_out(self) -> None:
        """One step back."""
        self._zoom(1 / ZOOM_STEP)

    def zoom_to(self, keys: Iterable[str]) -> None:
        """Shows some nodes as large as they fit; does nothing if none of them is in the picture."""
        places = [place for key in keys if (place := self._place(key)) is not None]
        if places:
            self.viewpoint.fit_rect(union(places))

    def zoom_to_selection(self) -> None:
        """Shows the selected nodes as large as they fit; the whole picture if none is selected."""
        if self._selection.keys:
            self.zoom_to(self._selection.keys)
        else:
            self.fit()

    def is_moving(self) -> bool:
        """Whether the view is on its way to another part of the picture."""
        return self.viewpoint.is_moving

    def view_rect(self, key: str) -> Rect | None:
        """Where the card of a node is, in pixels of this widget."""
        place = self._place(key)
        return self.camera().rect_to_view(place) if place is not None else None

    def map_rect(self) -> Rect | None:
        """Where the map of the whole picture is, in pixels of this widget; None if all of it is in sight."""
        shown = self._painting.map()
        return shown.rect if shown is not None else None

    def place_on_map(self, place: Point) -> Point | None:
        """The place in the scene that a place of this widget means on the map; None beside the map."""
        shown = self._painting.map()
        return shown.scene_place(place) if shown is not None and shown.rect.contains(place) else None

    def _zoom(self, factor: float) -> None:
        centre = Point(self.width() / 2, self.height() / 2)
        rect = self.view_rect(self._selection.current) if self._selection.current is not None else None
        if rect is not None and Rect(0.0, 0.0, *self.viewpoint.size).contains(rect.centre):
            centre = rect.centre
        self.viewpoint.zoom(factor, centre)

    # -- what is where

    def node_at(self, place: QPointF) -> str | None:
        """The key of the node whose card is at a place of this widget."""
        point = Point(place.x(), place.y())
        if self._shown is None or self.place_on_map(point) is not None:
            return None
        there = self.camera().to_scene(point)
        key = self._shown.finder.card_at(there)
        return self.mover.card_at(there) or (key if key is None or self.mover.place(key) is None else None)

    def middles_in(self, around: Rect) -> list[str]:
        """The keys of the nodes whose cards have their middle in a rectangle of the scene."""
        return self._shown.finder.middles_in(around) if self._shown is not None else []

    def middles_in_loop(self, loop: Sequence[Point]) -> list[str]:
        """The keys of the nodes whose cards have their middle inside a closed line in the scene."""
        return self._shown.finder.middles_in_loop(loop) if self._shown is not None else []

    def tooltip_at(self, place: QPointF) -> str:
        """What the tooltip says at a place of this widget, as rich text; "" if there is nothing to say."""
        if self._shown is None:
            return ""
        key = self.node_at(place)
        at = self._node_position(key) if key is not None else None
        if at is not None:
            return node_tooltip(self._shown.scene.nodes[at])
        camera = self.camera()
        point = camera.to_scene(Point(place.x(), place.y()))
        route = self._shown.finder.route_at(point, HIT / min(camera.scale, 1.0))
        return route_tooltip(self._shown.scene, route) if route is not None else ""

    def _place(self, key: str | None) -> Rect | None:
        if self._shown is None or key is None:
            return None
        return self.mover.place(key) or self._shown.layout.places.get(key)

    def _node_position(self, key: str) -> int | None:
        """The place of a node in the scene that was set last."""
        if self._shown is not None and self._shown.scene is self._scene:
            return self._shown.finder.links.position.get(key)
        return next((at for at, node in enumerate(self._scene.nodes) if node.key == key), None)

    # -- what Qt asks and tells

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        theme = self._shown.theme if self._shown is not None else self._theme
        painter.fillRect(event.rect(), qt_colour(theme.background))
        self._painting.paint(painter, event.rect(), self.devicePixelRatioF())
        self.pointer.paint(painter, theme)
        if self._worker.pending:
            painter.setFont(self.font())
            paint_message(painter, f"Laying out {len(self._scene.nodes):,} nodes …", self._theme.muted)
        if self.hasFocus() and self._focus_by_key:
            painter.setPen(qt_pen(self._theme.accent, 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(qt_rect(Rect(1.0, 1.0, self.width() - 2.0, self.height() - 2.0)))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._painting.resize()
        self.viewpoint.below = self._painting.legend_room
        self.viewpoint.resized()

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
            # Of several selected nodes the menu is about all of them.
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
