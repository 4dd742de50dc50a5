"""Drags: move the view, move it on the map, select an area, or move cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.widgets.drawing import qt_colour, qt_pen

if TYPE_CHECKING:
    from hpc_explorer.ui.canvas.view import CanvasView

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
