"""Cards on their way: while a person drags them they are drawn where they would be, their lines straight."""

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
"""Moved cards that are drawn as cards; more are drawn as areas in their colours."""
MOST_AREAS = 5_000
"""Moved cards that are drawn at all; of more a box around them is."""
MOST_LINES = 1_500
"""Lines that follow; of more none does, for there would be nothing to see in them."""


class MovingCards:
    """Some cards of a picture, all moved by the same way.

    Args:
        ready: the picture.
        keys: of the nodes that are moved.

    Attributes:
        by: how far, in scene units.
        hidden: what is drawn at the new place only.
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
        """Where the middles of the moved cards are, in scene units."""
        dx, dy = self.by
        places = self._ready.layout.places
        # Looking all keys up anew takes three times as long.
        cards = places.items() if len(self.keys) == len(places) else ((key, places[key]) for key in sorted(self.keys))
        return {key: (x + width / 2 + dx, y + height / 2 + dy) for key, (x, y, width, height) in cards}

    def place(self, key: str) -> Rect | None:
        """Where a moved card is; None for one that is not moved."""
        return self._ready.layout.places[key].moved(*self.by) if key in self.keys else None

    def card_at(self, place: Point) -> str | None:
        """The key of the moved card that is there."""
        before = Point(place.x - self.by.x, place.y - self.by.y)
        key = self._ready.finder.card_at(before)
        return key if key in self.keys else None

    def erase(self, painter: QPainter) -> None:
        """Covers the old places, for a picture whose cards cannot be left out; in scene units."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_colour(self._ready.theme.background))
        for rects in self._areas.values():
            painter.drawRects(rects)

    def paint(self, painter: QPainter, scale: float) -> None:
        """Draws the lines, then the cards over them; in scene units."""
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
    """Where a straight line from a card's middle to another place leaves the card."""
    middle = card.centre
    dx, dy = towards.x - middle.x, towards.y - middle.y
    ways = [half / abs(way) for half, way in ((card.width / 2, dx), (card.height / 2, dy)) if way]
    along = min([1.0, *ways])
    return Point(middle.x + along * dx, middle.y + along * dy)


class CardMover(QObject):
    """The cards of a canvas that are on their way: taken up, or put down and not yet there in a new layout.

    Signals:
        changed(): they are to be drawn elsewhere.
        dropped(object): they were put down; a dict from each key to the x and y of the card's middle, in scene units.
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
        """Another picture is shown: what was put down is in place there, what is held stays in the hand."""
        self._ready = ready
        held, self.moving = self.moving, None
        if held is not None and self._held:
            self.moving = MovingCards(ready, held.keys & ready.layout.places.keys())
            self.moving.by = held.by

    def begin(self, keys: Iterable[str]) -> None:
        """Takes up some cards."""
        if self._ready is None:
            return
        wanted, places = frozenset(keys), self._ready.layout.places
        known = wanted if wanted <= places.keys() else wanted & places.keys()
        self._held = True
        # What was just put down is taken up from there.
        self._start = self.moving.by if self.moving is not None and self.moving.keys == known else Point(0.0, 0.0)
        self.moving = MovingCards(self._ready, known)
        self.move(Point(0.0, 0.0))

    def move(self, by: Point) -> None:
        """Holds them so many scene units from where they were taken up."""
        if self.moving is not None:
            self.moving.by = Point(self._start.x + by.x, self._start.y + by.y)
            self.changed.emit()

    def drop(self) -> None:
        """Puts them down, and says where."""
        self._held = False
        if self.moving is not None:
            self.dropped.emit(self.moving.centres())

    def cancel(self) -> None:
        """Puts them back where they were taken up."""
        self._held = False
        if self.moving is not None:
            self.move(Point(0.0, 0.0))
            if self._start == (0.0, 0.0):
                self.moving = None

    def place(self, key: str) -> Rect | None:
        """Where a card on its way is; None for every other one."""
        return self.moving.place(key) if self.moving is not None else None

    def card_at(self, place: Point) -> str | None:
        """The key of the card on its way that is there."""
        return self.moving.card_at(place) if self.moving is not None else None
