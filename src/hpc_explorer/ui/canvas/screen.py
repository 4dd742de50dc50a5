"""A widget that lays a scene out in the background, draws it, and zooms it.

Position of the view: `viewpoint`; drawing: `painting`; background work: `worker`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from PySide6.QtCore import QCoreApplication, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from hpc_explorer.canvas import text
from hpc_explorer.canvas.badges import MEANING
from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Point, Rect, union
from hpc_explorer.canvas.layout import Layout
from hpc_explorer.canvas.layout.result import Route
from hpc_explorer.canvas.legend import LegendEntry
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.scene import ORIGIN_WORDS, Scene, SceneNode
from hpc_explorer.canvas.walk import HIT
from hpc_explorer.ui.canvas.moving import CardMover
from hpc_explorer.ui.canvas.painting import CanvasPainting, paint_message
from hpc_explorer.ui.canvas.viewpoint import Viewpoint
from hpc_explorer.ui.canvas.worker import CanvasWorker, Ready
from hpc_explorer.ui.widgets.drawing import qt_colour
from hpc_explorer.ui.widgets.theme import current_theme, on_theme

LONGEST_WORD = 40
"""Characters after which a word may be broken."""


def node_tooltip(node: SceneNode) -> str:
    """Rich text about a node."""
    meant = [MEANING[badge] for badge in node.badges if badge in MEANING]
    return _tooltip(node.label or node.key, [node.kind, node.caption or "", node.stop or "", *meant, node.tooltip])


def route_tooltip(scene: Scene, route: Route) -> str:
    """Rich text about a line and its statements."""
    edges = [scene.edges[at] for at in route.bundle.edges]
    return _tooltip(
        route.bundle.label or "link", [ORIGIN_WORDS[route.bundle.origin], *(edge.tooltip for edge in edges)]
    )


def _tooltip(heading: str, facts: list[str]) -> str:
    """Rich text, because Qt wraps only that."""
    lines = [f"<b>{escape(_breakable(heading))}</b>"]
    lines += [escape(_breakable(fact)) for fact in dict.fromkeys(facts) if fact]
    return "<br>".join(lines)


def _breakable(said: str) -> str:
    """The text with line breaks allowed in long words."""
    words = text.clean(said).split(" ")
    return " ".join(
        "\u200b".join(word[at : at + LONGEST_WORD] for at in range(0, len(word), LONGEST_WORD)) for word in words
    )


class CanvasScreen(QWidget):
    """Shows a scene.

    Attributes:
        viewpoint: the position of the view.
        mover: the cards that are being moved.
        painting: draws the picture, the highlights, the legend and the map.

    Signals:
        scene_shown(): the last scene is laid out and visible.
    """

    scene_shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = Scene()
        self._given: Layout | None = None
        self._theme = current_theme()
        on_theme(self._follow_theme)
        self._shown: Ready | None = None
        self._opens = True
        self.viewpoint = Viewpoint(self)
        self.viewpoint.moved.connect(self.update)
        self.mover = CardMover(self)
        self.mover.changed.connect(self.update)
        self.painting = CanvasPainting(self.viewpoint, self.mover)
        self.painting.sharpened.connect(self.update)
        self._worker = CanvasWorker(self)
        self._worker.ready.connect(self._take)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._worker.stop)
            application.aboutToQuit.connect(self.painting.backing.stop)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Canvas")

    def scene(self) -> Scene:
        """The scene that was set last; its layout may not be ready."""
        return self._scene

    def set_scene(self, scene: Scene, layout: Layout | None = None, keep_camera: bool = False) -> None:
        """Show a scene. A large one is laid out in the background; until then the previous one stays visible.

        Args:
            layout: its layout, if known.
            keep_camera: keep position and scale, as for a scene that grew. A first scene is always placed anew.
        """
        shown = self._shown
        other_looks = shown is not None and shown.scene is self._scene and scene.differs_in_looks(shown.scene)
        if layout is None and other_looks and shown is not None:
            layout = shown.layout
        self._scene, self._given = scene, layout
        stays = not self._opens and shown is not None and bool(shown.scene.nodes) and (keep_camera or other_looks)
        if stays:
            self.viewpoint.will_stay()
        else:
            self._opens = True
            self.viewpoint.will_open()
        self._theme = self._themed()
        self._worker.want(scene, self._theme, layout)
        self.update()

    def _follow_theme(self) -> None:
        """Draw in the theme in use, if the canvas is visible; a hidden one is drawn when it is shown."""
        if self.isVisible():
            self._draw_in(self._themed())

    def _themed(self) -> Theme:
        """The theme in use; faded looks stay faded."""
        return replace(current_theme(), faded=self._theme.faded)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_theme()

    def faded(self) -> frozenset[str]:
        """The keys of the faded looks."""
        return self._theme.faded

    def fade(self, keys: frozenset[str]) -> None:
        """Fade the nodes with these looks, and no others."""
        self._draw_in(replace(self._theme, faded=keys))

    def _draw_in(self, theme: Theme) -> None:
        if theme == self._theme:
            return
        self._theme = theme
        known = self._shown.layout if self._shown is not None and self._shown.scene is self._scene else None
        self._worker.want(self._scene, theme, self._given or known)

    def ready(self) -> Ready | None:
        """The visible scene with its layout; None before the first one."""
        return self._shown

    @property
    def has_legend(self) -> bool:
        """Whether the view has room for the legend."""
        return self.painting.legend_room > 0

    def legend(self) -> tuple[LegendEntry, ...]:
        """The entries of the visible legend."""
        return self._shown.plan.picture.legend if self._shown is not None else ()

    def is_laying_out(self) -> bool:
        """Whether the last scene is not visible yet."""
        return self._worker.pending

    def sizeHint(self) -> QSize:
        return QSize(800, 560)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 80)

    def _take(self, ready: Ready) -> None:
        """Show a scene that is ready."""
        self._shown = ready
        self._opens = False
        self.painting.take(ready)
        self.mover.take(ready)
        focus = ready.layout.places[ready.first] if ready.first is not None else None
        self.viewpoint.take(ready.plan.picture.bounds, focus, self.painting.legend_room)
        self.setAccessibleName(ready.plan.picture.title or "Canvas")
        self._mark()
        self.scene_shown.emit()

    def _mark(self) -> None:
        """Update the highlights."""
        self.update()

    def camera(self) -> Camera:
        """The visible part of the scene."""
        return self.viewpoint.camera

    def fit(self) -> None:
        """Show the whole picture, and keep it fitted when the view is resized."""
        self.viewpoint.fit()

    def zoom_to(self, keys: Iterable[str]) -> None:
        """Zoom to some nodes; does nothing if none of them is in the picture."""
        places = [place for key in keys if (place := self._place(key)) is not None]
        if places:
            self.viewpoint.fit_rect(union(places))

    def view_rect(self, key: str) -> Rect | None:
        """The card of a node, in pixels of this widget."""
        place = self._place(key)
        return self.camera().rect_to_view(place) if place is not None else None

    def place_on_map(self, place: Point) -> Point | None:
        """The scene position of a point on the map; None outside the map."""
        shown = self.painting.map()
        return shown.scene_place(place) if shown is not None and shown.rect.contains(place) else None

    def node_at(self, place: QPointF) -> str | None:
        """The key of the node at a point of this widget."""
        point = Point(place.x(), place.y())
        if self._shown is None or self.place_on_map(point) is not None:
            return None
        there = self.camera().to_scene(point)
        key = self._shown.finder.card_at(there)
        return self.mover.card_at(there) or (key if key is None or self.mover.place(key) is None else None)

    def middles_in(self, around: Rect) -> list[str]:
        """The keys of the nodes whose cards are centred in a rectangle of the scene."""
        return self._shown.finder.middles_in(around) if self._shown is not None else []

    def middles_in_loop(self, loop: Sequence[Point]) -> list[str]:
        """The keys of the nodes whose cards are centred inside a closed line in the scene."""
        return self._shown.finder.middles_in_loop(loop) if self._shown is not None else []

    def tooltip_at(self, place: QPointF) -> str:
        """The tooltip at a point of this widget, as rich text, or ""."""
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
        """The index of a node in the scene that was set last."""
        if self._shown is not None and self._shown.scene is self._scene:
            return self._shown.finder.links.position.get(key)
        return next((at for at, node in enumerate(self._scene.nodes) if node.key == key), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        theme = self._shown.theme if self._shown is not None else self._theme
        painter.fillRect(event.rect(), qt_colour(theme.background))
        self.painting.paint(painter, event.rect(), self.devicePixelRatioF())
        self._paint_over(painter, theme)
        if self._worker.pending:
            painter.setFont(self.font())
            paint_message(painter, f"Laying out {len(self._scene.nodes):,} nodes …", self._theme.muted)
        painter.end()

    def _paint_over(self, painter: QPainter, theme: Theme) -> None:
        """Draw what belongs to the view and not to the picture, in pixels of the view."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.painting.resize()
        self.viewpoint.below = self.painting.legend_room
        self.viewpoint.resized()
