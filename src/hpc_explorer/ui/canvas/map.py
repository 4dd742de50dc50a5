"""The map in the corner of the canvas: the whole picture with the visible part framed."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Point, Rect, Size
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.ui.canvas.plan import Plan
from hpc_explorer.ui.widgets.drawing import qt_colour, qt_pen, qt_rect

LARGEST = Size(168.0, 112.0)
SMALLEST_SIDE = 24.0
PAD = 4.0


@dataclass(frozen=True, slots=True)
class CanvasMap:
    """A map in a view, in pixels of the view.

    Args:
        rect: the map with its border.
        camera: from the scene to the map.
    """

    rect: Rect
    camera: Camera

    def scene_place(self, place: Point) -> Point:
        """The scene position of a point on the map."""
        return self.camera.to_scene(place)

    def paint(self, painter: QPainter, plan: Plan, theme: Theme, seen: Rect) -> None:
        """Draw the cards as areas in the colours of their classes, and a frame around the visible part."""
        painter.save()
        painter.setPen(qt_pen(theme.line, 1.0))
        painter.setBrush(qt_colour(theme.surface))
        painter.drawRect(qt_rect(self.rect))
        painter.setClipRect(qt_rect(self.rect))
        painter.save()
        painter.scale(self.camera.scale, self.camera.scale)
        painter.translate(-self.camera.x, -self.camera.y)
        plan.draw_map(painter, plan.picture.bounds)
        painter.restore()
        painter.setPen(qt_pen(theme.accent, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(qt_rect(self.camera.rect_to_view(seen)))
        painter.restore()


def map_of(bounds: Rect, camera: Camera, view: Size, corner: float) -> CanvasMap | None:
    """The map in the lower right corner of a view; None if all is visible or the view is too small.

    Args:
        bounds: of the picture.
        camera: of the view.
        corner: pixels between the map and the view's edges.
    """
    seen = camera.seen(view)
    if seen.x <= bounds.x and seen.y <= bounds.y and seen.right >= bounds.right and seen.bottom >= bounds.bottom:
        return None
    if view.width < 3 * LARGEST.width or view.height < 2.5 * LARGEST.height:
        return None
    scale = min(LARGEST.width / bounds.width, LARGEST.height / bounds.height)
    size = Size(max(bounds.width * scale, SMALLEST_SIDE), max(bounds.height * scale, SMALLEST_SIDE))
    left, top = view.width - corner - PAD - size.width, view.height - corner - PAD - size.height
    inner = Camera(scale).centred(bounds.centre, size).moved(left, top)
    return CanvasMap(Rect(left, top, *size).grown(PAD), inner)
