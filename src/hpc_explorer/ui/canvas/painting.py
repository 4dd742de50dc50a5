"""Draw the canvas: the picture, highlights, legend, map, and the names over a picture seen from far away.

Choosing and placing names among thousands takes longer than a frame, and changing them during a movement would make
them unreadable. They are chosen when the view rests, and move along while it moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QImage, QPainter

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.density import covered
from hpc_explorer.canvas.export.page import legend
from hpc_explorer.canvas.geometry import EMPTY_RECT, Point, Rect, Size
from hpc_explorer.canvas.landmarks import BELOW, landmarks
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.picture import RADIUS, SELECTION_GAP, Picture, emphasis
from hpc_explorer.canvas.primitives import Primitive, extent
from hpc_explorer.canvas.selection import Selection
from hpc_explorer.ui.canvas.backing import CanvasBacking, Wanted
from hpc_explorer.ui.canvas.moving import CardMover
from hpc_explorer.ui.canvas.plan import NOTHING_HIDDEN, Backed, LargePlan, Plan
from hpc_explorer.ui.canvas.viewpoint import Viewpoint
from hpc_explorer.ui.canvas.worker import Ready
from hpc_explorer.ui.widgets.drawing import ReadyPart, qt_colour, qt_pen, qt_rect
from hpc_explorer.ui.widgets.timers import single_shot

if TYPE_CHECKING:
    from hpc_explorer.canvas.spatial import Floats


CORNER = 12.0
"""Pixels between the view's edge and the legend or map."""

LEGEND_SHARE = 0.2
"""The part of a view's height that the legend may take; in a smaller view it is left out."""
MOST_RINGS = 300
"""Maximum selected nodes with a ring; beyond that, cards are tinted."""
MOST_NAMED = 20
"""Maximum selected nodes that are named first from far away."""
TINT = 0.6
"""Opacity of the tint."""


class CanvasPainting(QObject):
    """Draws a picture and its highlights.

    Attributes:
        legend: the legend as it is drawn.
        backing: the image of a large picture.
        names: the names over a picture seen from far away.

    Signals:
        sharpened(): a sharper image of a large picture is ready.
    """

    sharpened = Signal()

    def __init__(self, viewpoint: Viewpoint, mover: CardMover) -> None:
        super().__init__(viewpoint)
        self._viewpoint, self._mover = viewpoint, mover
        self._ready: Ready | None = None
        self.legend: Picture | None = None
        self._current: str | None = None
        self._hovered: str | None = None
        self._emphasis: dict[bool, ReadyPart] = {}
        self._legend = ReadyPart(())
        self._marked: frozenset[str] = frozenset()
        self._named: list[str] = []
        self._tinted: Floats | None = None
        self.backing = CanvasBacking(self)
        self.backing.sharpened.connect(self.sharpened)
        self.names = CanvasNames(self)
        self.names.settled.connect(self.sharpened)

    def take(self, ready: Ready) -> None:
        """Draw another picture."""
        self._ready = ready
        self.resize()

    def resize(self) -> None:
        """Lay the legend out for the view's size."""
        ready = self._ready
        if ready is not None:
            width = max(160.0, self._viewpoint.size.width * 0.6)
            drawn = legend(ready.plan.picture.legend, ready.theme, width)
            fits = drawn.bounds.height <= LEGEND_SHARE * self._viewpoint.size.height
            self.legend = drawn if fits else legend((), ready.theme, width)
            self._legend = ReadyPart(self.legend.primitives)

    @property
    def legend_room(self) -> float:
        """Height in pixels that the legend needs."""
        return self.legend.bounds.height + CORNER if self.legend is not None and self.legend.primitives else 0.0

    def mark(self, selection: Selection, hovered: str | None) -> None:
        """Highlight the selected nodes, and the lines of the current and the hovered one."""
        ready = self._ready
        if ready is not None:
            self._marked = selection.keys
            self._tinted = ready.finder.boxes(self._marked) if len(self._marked) > MOST_RINGS else None
            current = self._current = selection.current
            self._hovered = hovered
            self._emphasis.clear()
            marked = sorted(self._marked)[:MOST_NAMED] if len(self._marked) <= MOST_RINGS else []
            self._named = list(dict.fromkeys(key for key in (hovered, current, *marked) if key is not None))

    def _emphasised(self, ready: Ready, *, near: bool) -> ReadyPart:
        """The highlights of the current and hovered node. From far away there are no cards."""
        if near not in self._emphasis:
            marks = emphasis(
                ready.scene,
                ready.layout,
                ready.theme,
                selected=self._current,
                hovered=self._hovered,
                index=ready.plan.index,
                with_cards=near,
            )
            self._emphasis[near] = ReadyPart(marks)
        return self._emphasis[near]

    def map(self) -> CanvasMap | None:
        """The map of the whole picture; None if all of it is visible."""
        ready = self._ready
        if ready is None or not ready.scene.nodes:
            return None
        return map_of(self._viewpoint.bounds, self._viewpoint.camera, self._viewpoint.size, CORNER)

    def paint(self, painter: QPainter, dirty: QRect, ratio: float) -> None:
        """Draws a part of the view.

        Args:
            dirty: the part, in pixels of the view.
            ratio: pixels of the screen per pixel of the view.
        """
        ready = self._ready
        if ready is None:
            return
        camera = self._viewpoint.camera
        corner = camera.to_scene(Point(dirty.x(), dirty.y()))
        seen = Rect(*corner, dirty.width() / camera.scale, dirty.height() / camera.scale)
        moving = self._mover.moving
        hidden = moving.hidden if moving is not None else NOTHING_HIDDEN
        plan = ready.plan
        backed = plan.backed(seen, camera.scale) if isinstance(plan, LargePlan) else Backed.NOTHING
        if isinstance(plan, LargePlan) and backed is not Backed.NOTHING:
            self.backing.paint(painter, Wanted(plan, backed, camera, self._viewpoint.size, ratio))
        painter.save()
        painter.scale(camera.scale, camera.scale)
        painter.translate(-camera.x, -camera.y)
        if moving is not None and backed is Backed.ALL:
            moving.erase(painter)
        plan.draw(painter, seen, camera.scale, hidden)
        if moving is None:
            near = camera.scale >= BELOW and backed is not Backed.ALL
            self._emphasised(ready, near=near).draw(painter, camera.scale)
        else:
            moving.paint(painter, camera.scale)
        painter.restore()
        self._paint_marks(painter, ready, camera)
        in_corner = self.map()
        if camera.scale < BELOW or backed is Backed.ALL:
            self._paint_names(painter, ready, camera)
        self._paint_legend(painter, ready)
        if in_corner is not None:
            in_corner.paint(painter, plan, ready.theme, self._viewpoint.seen)

    def _paint_names(self, painter: QPainter, ready: Ready, camera: Camera) -> None:
        def choose() -> list[Primitive]:
            in_corner = self.map()
            taken = [self._legend_rect()] + ([in_corner.rect] if in_corner is not None else [])
            return landmarks(
                ready.finder,
                ready.groups,
                camera,
                self._viewpoint.size,
                ready.theme,
                first=self._named,
                taken=taken,
                places=self._mover.place,
            )

        if self._mover.moving is not None:
            self.names.forget()
        self.names.paint(painter, camera, (id(ready), self._viewpoint.size, tuple(self._named)), choose)

    def _paint_marks(self, painter: QPainter, ready: Ready, camera: Camera) -> None:
        """Draw a ring of constant width around each visible selected card."""
        seen = self._viewpoint.seen
        if len(self._marked) <= MOST_RINGS:
            painter.setPen(qt_pen(ready.theme.accent, 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            gap = max(SELECTION_GAP * camera.scale, 2.0)
            radius = (RADIUS + SELECTION_GAP) * camera.scale
            for key in self._marked:
                place = self._mover.place(key) or ready.layout.places.get(key)
                if place is not None and place.overlaps(seen):
                    painter.drawRoundedRect(qt_rect(camera.rect_to_view(place).grown(gap)), radius, radius)
        elif self._mover.moving is None and self._tinted is not None:
            self._tint(painter, ready, camera, self._tinted)

    def _tint(self, painter: QPainter, ready: Ready, camera: Camera, boxes: Floats) -> None:
        """Cover the visible selected cards with the accent colour, at half the resolution."""
        size = self._viewpoint.size
        small = Size(max(1.0, size.width // 2), max(1.0, size.height // 2))
        scale = camera.scale * small.width / max(size.width, 1.0)
        marked = covered(boxes, Camera(scale, camera.x, camera.y), small)
        image = QImage(marked.data, int(small.width), int(small.height), int(small.width), QImage.Format.Format_Alpha8)
        painter.save()
        tinted = QImage(image.size(), QImage.Format.Format_ARGB32_Premultiplied)
        tinted.fill(qt_colour(ready.theme.accent))
        inner = QPainter(tinted)
        inner.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        inner.drawImage(0, 0, image)
        inner.end()
        painter.setOpacity(TINT)
        painter.drawImage(qt_rect(Rect(0.0, 0.0, *size)), tinted)
        painter.restore()

    def _legend_rect(self) -> Rect:
        """The legend in pixels of the view."""
        bounds = self.legend.bounds if self.legend is not None else EMPTY_RECT
        return Rect(CORNER, self._viewpoint.size.height - CORNER - bounds.height, bounds.width, bounds.height)

    def _paint_legend(self, painter: QPainter, ready: Ready) -> None:
        if self.legend is None or not self.legend.primitives:
            return
        rect = self._legend_rect()
        painter.fillRect(qt_rect(rect.grown(4.0)), qt_colour(ready.theme.background))
        painter.save()
        painter.translate(rect.x, rect.y)
        self._legend.draw(painter, 1.0)
        painter.restore()


def paint_message(painter: QPainter, message: str, colour: str) -> None:
    """Write a line in the upper left corner."""
    painter.setPen(qt_colour(colour))
    painter.drawText(QPointF(CORNER, CORNER + painter.fontMetrics().ascent()), message)


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


REST = 90
"""Milliseconds without movement before names are chosen again."""
LONGEST = 0.4
"""Maximum seconds that names are kept during a movement."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name ready to be drawn.

    Args:
        anchor: its place in the scene.
        drawn: its place in the view when it was chosen.
    """

    anchor: Point
    drawn: Point
    part: ReadyPart


class CanvasNames(QObject):
    """Draws the names of one canvas.

    Signals:
        settled(): the view rests; names have to be chosen again.
    """

    settled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._names: list[_Name] = []
        self._of: Hashable = None
        self._camera: Camera | None = None
        self._chosen = 0.0
        self._rest = single_shot(self, REST, self._settle)

    @property
    def pending(self) -> bool:
        """Whether names will be chosen again when the view rests."""
        return self._rest.isActive()

    def paint(self, painter: QPainter, camera: Camera, of: Hashable, choose: Callable[[], Iterable[Primitive]]) -> None:
        """Draw the names in pixels of the view.

        Args:
            of: identifies what is named; if it changes, names are chosen at once.
            choose: returns a primitive for each name.
        """
        moved = camera != self._camera
        carried = self._camera is not None and of == self._of and time.monotonic() - self._chosen < LONGEST
        if moved and carried:
            self._rest.start()
        elif moved or of != self._of:
            self._rest.stop()
            self._choose(camera, of, choose())
        for name in self._names:
            here = camera.to_view(name.anchor)
            painter.save()
            painter.translate(here.x - name.drawn.x, here.y - name.drawn.y)
            name.part.draw(painter, 1.0)
            painter.restore()

    def forget(self) -> None:
        """Choose the names again next time."""
        self._camera = None

    def _choose(self, camera: Camera, of: Hashable, names: Iterable[Primitive]) -> None:
        self._camera, self._of, self._chosen = camera, of, time.monotonic()
        self._names = []
        for name in names:
            middle = extent(name).centre
            self._names.append(_Name(camera.to_scene(middle), middle, ReadyPart([name])))

    def _settle(self) -> None:
        self.forget()
        self.settled.emit()
