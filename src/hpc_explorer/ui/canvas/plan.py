"""A picture prepared for Qt: primitives indexed by place, and simplified from far away.

A small picture is prepared as a whole. From far away, a large one is drawn as an image from arrays (`canvas.density`)
in another thread (`backing`); from near by, only the visible part is prepared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.density import density
from hpc_explorer.canvas.geometry import Rect, Size
from hpc_explorer.canvas.landmarks import BELOW
from hpc_explorer.canvas.layout import Layout
from hpc_explorer.canvas.layout.result import Route
from hpc_explorer.canvas.palette import Theme, class_colour
from hpc_explorer.canvas.picture import Picture, about, draw, faded_edges, frames, part
from hpc_explorer.canvas.primitives import Line, extent
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.spatial import SpatialIndex, spatial_index
from hpc_explorer.ui.widgets.drawing import Drawing, add_path, made_ready, qt_colour, qt_pen, qt_rect

FAR = BELOW
"""Scale below which cards are drawn as coloured areas and lines are thin, with names over them."""
CELL = 512.0
LARGE = 1_200
"""Minimum nodes and edges of a large picture."""
MOST_CARDS = 600
"""Maximum visible cards of a large picture that are drawn one by one."""
MOST_LINES = 120
"""Maximum visible lines of a large picture that are drawn one by one."""
MOST_KEPT = 6_000
"""Maximum prepared cards, lines and labels of a large picture that are cached."""
MAP = Size(336.0, 224.0)
"""Maximum size of the map of a large picture, twice its size at 100 %."""


@dataclass(frozen=True)
class Hidden:
    """Nodes of a picture that are not drawn, with their lines and labels.

    It is evaluated for the visible part only.

    Args:
        keys: of the nodes.
    """

    scene: Scene = field(default_factory=Scene)
    layout: Layout = field(default_factory=Layout)
    keys: frozenset[str] = frozenset()

    def node(self, at: int) -> bool:
        """Whether the node at a position of the scene is hidden."""
        return bool(self.keys) and self.scene.nodes[at].key in self.keys

    def route(self, at: int) -> bool:
        """Whether the route at a position of the layout is hidden."""
        return bool(self.keys) and any(map(self.node, _ends(self.layout.routes[at])))

    def label(self, at: int) -> bool:
        """Whether the label at a position of the layout is hidden."""
        if not self.keys:
            return False
        edges = (self.scene.edges[edge] for edge in self.layout.labels[at].edges)
        return any(edge.source in self.keys or edge.target in self.keys for edge in edges)


NOTHING_HIDDEN = Hidden()


class Plan:
    """A picture prepared for drawing.

    Attributes:
        picture: the picture; of a large one without primitives.
        index: the spatial index of a large picture; None for a small one.
    """

    index: SpatialIndex | None = None

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def draw(self, painter: QPainter, seen: Rect, scale: float, hidden: Hidden = NOTHING_HIDDEN) -> None:
        """Draw a part of the scene, in scene units."""
        raise NotImplementedError

    def draw_map(self, painter: QPainter, bounds: Rect) -> None:
        """Draw the cards as coloured areas, in scene units."""
        raise NotImplementedError


class SmallPlan(Plan):
    """A picture prepared as a whole."""

    def __init__(self, scene: Scene, layout: Layout, theme: Theme) -> None:
        super().__init__(draw(scene, layout, theme))
        self._scene, self._layout, self._theme = scene, layout, theme
        self._drawings = [made_ready(primitive) for primitive in self.picture.primitives]
        self._cells: dict[tuple[int, int], list[int]] = {}
        for at, primitive in enumerate(self.picture.primitives):
            for cell in _cells(extent(primitive)):
                self._cells.setdefault(cell, []).append(at)
        self._cards: dict[str, list[tuple[int, QRectF]]] = {}
        for at, node in enumerate(scene.nodes):
            colour = class_colour(theme, node.colour_key or node.kind)
            self._cards.setdefault(colour, []).append((at, qt_rect(self.picture.cards[node.key])))
        self._hidden = NOTHING_HIDDEN
        self._left_out: frozenset[int] = frozenset()
        self._lines = self._far_lines()

    def draw(self, painter: QPainter, seen: Rect, scale: float, hidden: Hidden = NOTHING_HIDDEN) -> None:
        if hidden is not self._hidden:
            self._hidden, self._left_out = hidden, self._primitives_of(hidden)
            self._lines = self._far_lines()
        if scale < FAR:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for colour, path in self._lines.items():
                painter.strokePath(path, qt_pen(colour, 1.0 / scale))
            self._draw_areas(painter, hidden)
            return
        for at in self._touched(seen):
            if at not in self._left_out:
                self._drawings[at].draw(painter, scale)

    def draw_map(self, painter: QPainter, bounds: Rect) -> None:
        self._draw_areas(painter, NOTHING_HIDDEN)

    def _far_lines(self) -> dict[str, QPainterPath]:
        """The visible lines by colour."""
        lines: dict[str, QPainterPath] = {}
        for at, primitive in enumerate(self.picture.primitives):
            if isinstance(primitive, Line) and at not in self._left_out:
                add_path(lines.setdefault(primitive.stroke, QPainterPath()), primitive.path)
        return lines

    def _primitives_of(self, hidden: Hidden) -> frozenset[int]:
        """The primitives of hidden nodes and lines, without line segments shared with others."""
        if hidden is NOTHING_HIDDEN:
            return frozenset()
        layout = self._layout
        nodes = {at for at in range(len(self._scene.nodes)) if hidden.node(at)}
        routes = {at for at in range(len(layout.routes)) if hidden.route(at)}
        ends = {end for at in routes for end in _ends(layout.routes[at])} - nodes
        beside = [
            route for at, route in enumerate(layout.routes) if at not in routes and not ends.isdisjoint(_ends(route))
        ]
        gone = set(
            part(
                self._scene,
                layout,
                self._theme,
                nodes=nodes,
                routes=[layout.routes[at] for at in routes],
                labels=[label for at, label in enumerate(layout.labels) if hidden.label(at)],
            )
        ).difference(part(self._scene, layout, self._theme, nodes=(), routes=beside, labels=()))
        return frozenset(at for at, primitive in enumerate(self.picture.primitives) if primitive in gone)

    def _touched(self, seen: Rect) -> list[int]:
        cells = list(_cells(seen))
        if len(cells) >= len(self._cells):
            return list(range(len(self._drawings)))
        return sorted({at for cell in cells for at in self._cells.get(cell, ())})

    def _draw_areas(self, painter: QPainter, hidden: Hidden) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, cards in self._cards.items():
            painter.setBrush(qt_colour(colour))
            painter.drawRects([rect for at, rect in cards if not hidden.node(at)])


def _ends(route: Route) -> tuple[int, int]:
    return route.bundle.source, route.bundle.target


def _cells(rect: Rect) -> Iterator[tuple[int, int]]:
    for column in range(int(rect.x // CELL), int(rect.right // CELL) + 1):
        for row in range(int(rect.y // CELL), int(rect.bottom // CELL) + 1):
            yield column, row


class Backed(Enum):
    """What of a large picture is drawn from an image."""

    NOTHING = "nothing"
    LINES = "lines"
    ALL = "all"


class LargePlan(Plan):
    """A picture whose visible part is prepared."""

    index: SpatialIndex

    def __init__(self, scene: Scene, layout: Layout, theme: Theme) -> None:
        super().__init__(about(scene, layout, theme))
        self.index = spatial_index(scene, layout, theme)
        self._scene, self._layout, self._theme = scene, layout, theme
        bounds = layout.bounds
        scale = min(MAP.width / max(bounds.width, 1.0), MAP.height / max(bounds.height, 1.0))
        size = Size(max(1.0, round(bounds.width * scale)), max(1.0, round(bounds.height * scale)))
        self._map = image_of(density(self.index, Camera(scale, bounds.x, bounds.y), size, theme, lines=False))
        self._frames = [made_ready(primitive) for primitive in frames(layout, theme)]
        self._faint = faded_edges(scene, theme)
        self._seen: Rect | None = None
        self._in_sight: tuple[list[int], list[int], list[int]] = ([], [], [])
        self._made: dict[tuple[str, int], list[Drawing]] = {}

    def backed(self, seen: Rect, scale: float) -> Backed:
        """What of this part would take longer than a frame to draw."""
        if scale < FAR:
            return Backed.ALL
        nodes, routes, _ = self._look(seen)
        if len(nodes) > MOST_CARDS:
            return Backed.ALL
        return Backed.LINES if len(routes) > MOST_LINES else Backed.NOTHING

    def image(self, what: Backed, camera: Camera, size: Size, check: Callable[[], None]) -> QImage:
        """An image of the lines of a view, and of the cards if they are backed."""
        return image_of(density(self.index, camera, size, self._theme, check, cards=what is Backed.ALL))

    def draw(self, painter: QPainter, seen: Rect, scale: float, hidden: Hidden = NOTHING_HIDDEN) -> None:
        backed = self.backed(seen, scale)
        if backed is Backed.ALL:
            return
        nodes, routes, labels = self._look(seen)
        if backed is Backed.LINES:
            routes = []
        if len(self._made) > MOST_KEPT:
            self._made.clear()
        for frame in self._frames:
            frame.draw(painter, scale)
        for kind, found, is_hidden in (
            ("route", routes, hidden.route),
            ("label", labels, hidden.label),
            ("node", nodes, hidden.node),
        ):
            for at in found:
                if not is_hidden(at):
                    self._draw(painter, scale, (kind, at))

    def _look(self, seen: Rect) -> tuple[list[int], list[int], list[int]]:
        """The positions of the visible nodes, routes and labels."""
        if seen != self._seen:
            self._in_sight = (self.index.cards_in(seen), self.index.routes_in(seen), self.index.labels_in(seen))
            self._seen = seen
        return self._in_sight

    def _draw(self, painter: QPainter, scale: float, what: tuple[str, int]) -> None:
        drawings = self._made.get(what)
        if drawings is None:
            kind, at = what
            primitives = part(
                self._scene,
                self._layout,
                self._theme,
                nodes=(at,) if kind == "node" else (),
                routes=(self._layout.routes[at],) if kind == "route" else (),
                labels=(self._layout.labels[at],) if kind == "label" else (),
                faint=self._faint,
            )
            drawings = self._made[what] = [made_ready(primitive) for primitive in primitives]
        for drawing in drawings:
            drawing.draw(painter, scale)

    def draw_map(self, painter: QPainter, bounds: Rect) -> None:
        painter.drawImage(qt_rect(bounds), self._map)


def image_of(pixels: Any) -> QImage:
    """An array of the shape (height, width, 4) as a QImage with its own data."""
    height, width, _ = pixels.shape
    return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()


def make_plan(scene: Scene, layout: Layout, theme: Theme) -> Plan:
    """The plan of a scene. Needs a QGuiApplication, but not its thread."""
    large = len(scene.nodes) + len(scene.edges) > LARGE
    return LargePlan(scene, layout, theme) if large else SmallPlan(scene, layout, theme)
