"""Mouse and trackpad on the canvas.

click              select only this node; on the background: none
Shift + click      add it to the selection          Ctrl + click            toggle it
drag               move the view; on a movable node: move it and the other selected ones
Shift + drag       add the nodes in a box           Ctrl + Shift + drag     add those in a lasso; Alt + drag too
middle drag        move the view                    wheel, pinch            zoom at the pointer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QInputDevice, QMouseEvent, QNativeGestureEvent, QPainter, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QApplication

from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.selection import only
from hpc_explorer.ui.canvas.viewpoint import ZOOM_STEP
from hpc_explorer.ui.widgets.drawing import qt_colour, qt_pen

if TYPE_CHECKING:
    from hpc_explorer.ui.canvas.view import CanvasView


WHEEL_STEP = 120.0
"""Units of the wheel (eighths of a degree) that zoom by one step."""

_SHIFT, _CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
_ALT = Qt.KeyboardModifier.AltModifier


class CanvasPointer:
    """The state of the pointer on a canvas.

    Attributes:
        gesture: the current drag.
    """

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self.gesture: Gesture | None = None
        self._pressed: QPointF | None = None
        self._held = Qt.KeyboardModifier.NoModifier
        self._button = Qt.MouseButton.NoButton

    def press(self, event: QMouseEvent) -> None:
        """A button was pressed."""
        if self._pressed is not None or event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            return
        self._pressed, self._button, self._held = event.position(), event.button(), event.modifiers()
        if self._view.place_on_map(Point(*event.position().toTuple())) is not None:
            self.gesture = LookAlongMap(self._view, event.position())

    def move(self, event: QMouseEvent) -> None:
        """The pointer moved."""
        if self._pressed is None:
            self._view.hover(self._view.node_at(event.position()))
            return
        far = (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if self.gesture is None and far:
            self.gesture = self._begun(self._pressed)
            self._view.setCursor(self.gesture.cursor)
        if self.gesture is not None:
            self.gesture.drag(event.position())

    def release(self, event: QMouseEvent) -> None:
        """A button was released: ends a drag, or was a click."""
        if self._pressed is None or event.button() is not self._button:
            return
        gesture, self.gesture, self._pressed = self.gesture, None, None
        key = self._view.node_at(event.position())
        if gesture is not None:
            gesture.drop()
        elif self._button is Qt.MouseButton.LeftButton:
            self._click(key)
        self._view.show_cursor(key)
        self._view.hover(key)

    def double_click(self, event: QMouseEvent) -> None:
        """Open the node under the pointer."""
        key = self._view.node_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and key is not None:
            self._view.node_activated.emit(key)

    def cancel(self) -> bool:
        """Cancel a drag; False if there is none."""
        if self.gesture is None:
            return False
        gesture, self.gesture, self._pressed = self.gesture, None, None
        gesture.cancel()
        self._view.show_cursor(None)
        return True

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom; two fingers on a trackpad move the view."""
        trackpad = event.device().type() is QInputDevice.DeviceType.TouchPad
        if trackpad and not event.modifiers() & _CONTROL:
            by = event.pixelDelta() if event.hasPixelDelta() else event.angleDelta() / 2
            self._view.viewpoint.look(self._view.camera().moved(by.x(), by.y()))
        else:
            # With Alt held, some desktops turn the wheel sideways.
            turned = event.angleDelta().y() or event.angleDelta().x()
            self._zoom(ZOOM_STEP ** (turned / WHEEL_STEP), event.position())
        event.accept()

    def pinch(self, event: QNativeGestureEvent) -> None:
        """Zoom with two fingers."""
        self._zoom(1.0 + event.value(), event.position())

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Draw the feedback of a drag, in pixels of the view."""
        if self.gesture is not None:
            self.gesture.paint(painter, theme)

    def _begun(self, start: QPointF) -> Gesture:
        view = self._view
        if self._button is Qt.MouseButton.MiddleButton:
            return Pan(view, start)
        if self._held & _ALT or (self._held & _SHIFT and self._held & _CONTROL):
            return LassoSelect(view, start)
        if self._held & _SHIFT:
            return BoxSelect(view, start)
        key = view.node_at(start) if view.movable else None
        if key is None:
            return Pan(view, start)
        if key not in view.selection.keys:
            view.choose(only(key), into_sight=False)
        return MoveCards(view, start, view.selection.keys)

    def _click(self, key: str | None) -> None:
        selection = self._view.selection
        if self._held & _CONTROL and not self._held & _SHIFT:
            if key is not None:
                self._view.choose(selection.toggled(key))
        elif self._held & _SHIFT:
            if key is not None:
                self._view.choose(selection.added([key]))
        else:
            self._view.choose(only(key))

    def _zoom(self, factor: float, place: QPointF) -> None:
        self._view.viewpoint.look(self._view.viewpoint.zoomed(factor, Point(place.x(), place.y())))


# Drags: move the view, move it on the map, select an area, or move cards

LASSO_STEP = 3.0
"""Minimum pixels between two corners of a lasso."""


class Gesture:
    """A drag from press to release."""

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, view: CanvasView) -> None:
        self._view = view

    def drag(self, place: QPointF) -> None:
        """The pointer moved to this place, in pixels of the view."""
        raise NotImplementedError

    def drop(self) -> None:
        """The button was released."""

    def cancel(self) -> None:
        """Undo the drag."""
        self._view.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Draw the feedback of the drag, in pixels of the view."""


class Pan(Gesture):
    """Moves the picture with the pointer."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        super().__init__(view)
        self._last = start

    def drag(self, place: QPointF) -> None:
        by = place - self._last
        self._last = place
        self._view.viewpoint.look(self._view.camera().moved(by.x(), by.y()))


class LookAlongMap(Gesture):
    """Moves the view to the pointer's place on the map."""

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        super().__init__(view)
        self.drag(start)

    def drag(self, place: QPointF) -> None:
        goal = self._view.place_on_map(Point(place.x(), place.y()))
        if goal is not None:
            size = self._view.viewpoint.size
            self._view.viewpoint.look(self._view.camera().centred(goal, size))


class BoxSelect(Gesture):
    """Adds the nodes in a rectangle to the selection."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        super().__init__(view)
        self._start = self._end = start

    def drag(self, place: QPointF) -> None:
        self._end = place
        self._view.update()

    def drop(self) -> None:
        corners = QRectF(self._start, self._end).normalized()
        camera = self._view.camera()
        corner = camera.to_scene(Point(corners.x(), corners.y()))
        area = Rect(*corner, corners.width() / camera.scale, corners.height() / camera.scale)
        self._view.choose(self._view.selection.added(self._view.middles_in(area)), into_sight=False)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        _use_outline(painter, theme)
        painter.drawRect(QRectF(self._start, self._end).normalized())


class LassoSelect(Gesture):
    """Adds the nodes inside a freehand line to the selection."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, view: CanvasView, start: QPointF) -> None:
        super().__init__(view)
        self._corners = [start]

    def drag(self, place: QPointF) -> None:
        if QLineF(self._corners[-1], place).length() >= LASSO_STEP:
            self._corners.append(place)
            self._view.update()

    def drop(self) -> None:
        camera = self._view.camera()
        loop = [camera.to_scene(Point(corner.x(), corner.y())) for corner in self._corners]
        self._view.choose(self._view.selection.added(self._view.middles_in_loop(loop)), into_sight=False)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        _use_outline(painter, theme)
        painter.drawPolygon(QPolygonF(self._corners))


class MoveCards(Gesture):
    """Moves a card and the other selected ones."""

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, view: CanvasView, start: QPointF, keys: frozenset[str]) -> None:
        super().__init__(view)
        self._start = start
        view.mover.begin(keys)

    def drag(self, place: QPointF) -> None:
        by = (place - self._start) / self._view.camera().scale
        self._view.mover.move(Point(by.x(), by.y()))

    def drop(self) -> None:
        self._view.mover.drop()

    def cancel(self) -> None:
        self._view.mover.cancel()


def _use_outline(painter: QPainter, theme: Theme) -> None:
    fill = QColor(qt_colour(theme.accent))
    fill.setAlphaF(0.12)
    painter.setPen(qt_pen(theme.accent, 1.5, (5.0, 3.0)))
    painter.setBrush(fill)
