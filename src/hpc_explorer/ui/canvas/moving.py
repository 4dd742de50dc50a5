"""Cards being moved: drawn at the new place, with straight lines."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen

from hpc_explorer.canvas.geometry import Point, Rect
from hpc_explorer.canvas.layout.result import Route
from hpc_explorer.canvas.legend import DASH
from hpc_explorer.canvas.palette import class_colour
from hpc_explorer.canvas.picture import EMPHASIS_WIDTH, part
from hpc_explorer.canvas.scene import Origin
from hpc_explorer.ui.canvas.plan import FAR, Hidden
from hpc_explorer.ui.canvas.worker import Ready
from hpc_explorer.ui.widgets.drawing import ReadyPart, qt_colour, qt_pen, qt_rect

MOST_CARDS = 200
"""Maximum moved cards drawn in full; more are drawn as coloured areas."""
MOST_AREAS = 5_000
"""Maximum moved cards drawn as areas; more are drawn as one box."""
MOST_LINES = 1_500
"""Maximum lines drawn while moving; beyond that none is drawn, because they would be indistinguishable."""


class MovingCards:
    """Some cards of a picture, all moved by the same offset.

    Args:
        ready: the picture.
        keys: of the moved nodes.

    Attributes:
        by: the offset, in scene units.
        hidden: what is not drawn at its old place.
    """

    def __init__(self, ready: Ready, keys: frozenset[str]) -> None:
        self.keys = keys
        self.by = Point(0.0, 0.0)
        self._ready = ready
        layout = ready.layout
        self.hidden = Hidden(ready.scene, layout, keys)
        self._lines: dict[Origin, list[Route]] = {}
        routes = ready.finder.routes_of(keys)
        if len(routes) <= MOST_LINES:
            for at in routes:
                route = layout.routes[at]
                self._lines.setdefault(route.bundle.origin, []).append(route)
        self._cards: ReadyPart | None = None
        self._areas: dict[str, list[QRectF]] = {}
        self._around: QRectF | None = None
        if len(keys) > MOST_AREAS:
            left, top, right, bottom = ready.finder.boxes(keys).T
            corner = QPointF(float(left.min()), float(top.min()))
            self._around = QRectF(corner, QPointF(float(right.max()), float(bottom.max())))
            return
        nodes = sorted(ready.finder.links.position[key] for key in keys)
        if len(nodes) <= MOST_CARDS:
            self._cards = ReadyPart(part(ready.scene, layout, ready.theme, nodes=nodes, routes=(), labels=()))
        for at in nodes:
            node = ready.scene.nodes[at]
            self._areas.setdefault(node.colour_key or node.kind, []).append(qt_rect(layout.places[node.key]))

    def centres(self) -> dict[str, tuple[float, float]]:
        """The centres of the moved cards, in scene units."""
        dx, dy = self.by
        places = self._ready.layout.places
        # Looking up each key takes three times as long.
        cards = places.items() if len(self.keys) == len(places) else ((key, places[key]) for key in sorted(self.keys))
        return {key: (x + width / 2 + dx, y + height / 2 + dy) for key, (x, y, width, height) in cards}

    def place(self, key: str) -> Rect | None:
        """The rectangle of a moved card; None for others."""
        return self._ready.layout.places[key].moved(*self.by) if key in self.keys else None

    def card_at(self, place: Point) -> str | None:
        """The key of the moved card at a place."""
        before = Point(place.x - self.by.x, place.y - self.by.y)
        key = self._ready.finder.card_at(before)
        return key if key in self.keys else None

    def erase(self, painter: QPainter) -> None:
        """Cover the old places, for a picture that is drawn from an image; in scene units."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_colour(self._ready.theme.background))
        for rects in self._areas.values():
            painter.drawRects(rects)

    def paint(self, painter: QPainter, scale: float) -> None:
        """Draw the lines, then the cards; in scene units."""
        theme = self._ready.theme
        for origin, routes in self._lines.items():
            pen = QPen(qt_pen(theme.edge, theme.edge_width, DASH[origin]))
            pen.setCosmetic(True)  # as wide at every scale; a wide pen takes a hundred times as long
            pen.setWidthF(1.0)
            painter.setPen(pen)
            painter.drawLines([self._line(route) for route in routes])
        painter.save()
        painter.translate(*self.by)
        if self._cards is not None and scale >= FAR:
            self._cards.draw(painter, scale)
            painter.setPen(qt_pen(theme.accent, EMPHASIS_WIDTH))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for rects in self._areas.values():
                painter.drawRects(rects)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            for kind, rects in self._areas.items():
                painter.setBrush(qt_colour(class_colour(theme, kind)))
                painter.drawRects(rects)
            if self._around is not None:
                painter.setPen(qt_pen(theme.accent, EMPHASIS_WIDTH / scale))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self._around)
        painter.restore()

    def _line(self, route: Route) -> QLineF:
        nodes, places = self._ready.scene.nodes, self._ready.layout.places
        ends = []
        for at in (route.bundle.source, route.bundle.target):
            place = places[nodes[at].key]
            ends.append(place.moved(*self.by) if self.hidden.node(at) else place)
        return QLineF(*border(ends[0], ends[1].centre), *border(ends[1], ends[0].centre))


def border(card: Rect, towards: Point) -> Point:
    """The point where a straight line from a card's centre to another place leaves the card."""
    middle = card.centre
    dx, dy = towards.x - middle.x, towards.y - middle.y
    ways = [half / abs(way) for half, way in ((card.width / 2, dx), (card.height / 2, dy)) if way]
    along = min([1.0, *ways])
    return Point(middle.x + along * dx, middle.y + along * dy)


class CardMover(QObject):
    """The cards of a canvas that are being dragged, or were dropped and are not yet in a new layout.

    Signals:
        changed(): they have to be redrawn.
        dropped(object): they were dropped; a dict from each key to the x and y of the card's centre, in scene units.
    """

    changed = Signal()
    dropped = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.moving: MovingCards | None = None
        self._ready: Ready | None = None
        self._start = Point(0.0, 0.0)
        self._held = False

    def take(self, ready: Ready) -> None:
        """Another picture is shown: dropped cards are in place there, dragged ones stay dragged."""
        self._ready = ready
        held, self.moving = self.moving, None
        if held is not None and self._held:
            self.moving = MovingCards(ready, held.keys & ready.layout.places.keys())
            self.moving.by = held.by

    def begin(self, keys: Iterable[str]) -> None:
        """Start to drag some cards."""
        if self._ready is None:
            return
        wanted, places = frozenset(keys), self._ready.layout.places
        known = wanted if wanted <= places.keys() else wanted & places.keys()
        self._held = True
        # Cards that were just dropped continue from there.
        self._start = self.moving.by if self.moving is not None and self.moving.keys == known else Point(0.0, 0.0)
        self.moving = MovingCards(self._ready, known)
        self.move(Point(0.0, 0.0))

    def move(self, by: Point) -> None:
        """Set the offset from the start of the drag, in scene units."""
        if self.moving is not None:
            self.moving.by = Point(self._start.x + by.x, self._start.y + by.y)
            self.changed.emit()

    def drop(self) -> None:
        """End the drag and emit `dropped`."""
        self._held = False
        if self.moving is not None:
            self.dropped.emit(self.moving.centres())

    def cancel(self) -> None:
        """Cancel the drag."""
        self._held = False
        if self.moving is not None:
            self.move(Point(0.0, 0.0))
            if self._start == (0.0, 0.0):
                self.moving = None

    def place(self, key: str) -> Rect | None:
        """The rectangle of a moving card; None for others."""
        return self.moving.place(key) if self.moving is not None else None

    def card_at(self, place: Point) -> str | None:
        """The key of the moving card at a place."""
        return self.moving.card_at(place) if self.moving is not None else None
