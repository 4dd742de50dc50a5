"""The visible part of a picture and its scale, as an immutable value."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from hpc_explorer.canvas.geometry import Point, Rect, Size, union

SMALLEST, LARGEST = 0.0005, 4.0
"""View pixels per scene unit."""
WHOLE_FROM = 0.66
"""Below this scale a new picture is not shown as a whole: labels would be smaller than nine pixels."""
READABLE = 0.8
"""The scale of a new picture that is shown in part; its smallest texts have nine pixels."""
MARGIN = 24.0
"""View pixels around a fitted picture."""
KEPT = 64.0
"""Minimum view pixels of the picture that stay visible."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A scale, and the scene point in the top left corner of the view.

    Args:
        scale: view pixels per scene unit.
        x, y: scene units.
    """

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def to_scene(self, place: Point) -> Point:
        """The scene point of a view point."""
        return Point(place.x / self.scale + self.x, place.y / self.scale + self.y)

    def to_view(self, place: Point) -> Point:
        """The view point of a scene point."""
        return Point((place.x - self.x) * self.scale, (place.y - self.y) * self.scale)

    def rect_to_view(self, rect: Rect) -> Rect:
        corner = self.to_view(Point(rect.x, rect.y))
        return Rect(corner.x, corner.y, rect.width * self.scale, rect.height * self.scale)

    def seen(self, view: Size) -> Rect:
        """The part of the scene visible in a view of this size."""
        return Rect(self.x, self.y, view.width / self.scale, view.height / self.scale)

    def zoomed(self, factor: float, at: Point) -> Camera:
        """Zoomed by a factor; the view point `at` stays fixed."""
        scale = min(max(self.scale * factor, SMALLEST), LARGEST)
        fixed = self.to_scene(at)
        return Camera(scale, fixed.x - at.x / scale, fixed.y - at.y / scale)

    def moved(self, dx: float, dy: float) -> Camera:
        """The picture moved by view pixels."""
        return Camera(self.scale, self.x - dx / self.scale, self.y - dy / self.scale)

    def centred(self, on: Point, view: Size) -> Camera:
        """A scene point in the centre of the view."""
        return Camera(self.scale, on.x - view.width / 2 / self.scale, on.y - view.height / 2 / self.scale)

    def kept(self, bounds: Rect, view: Size) -> Camera:
        """Moved as little as needed to keep part of the picture visible."""
        strip_x, strip_y = (min(KEPT, side * self.scale) / self.scale for side in (bounds.width, bounds.height))
        return Camera(
            self.scale,
            _between(self.x, bounds.x + strip_x - view.width / self.scale, bounds.right - strip_x),
            _between(self.y, bounds.y + strip_y - view.height / self.scale, bounds.bottom - strip_y),
        )

    def showing(self, rect: Rect, view: Size) -> Camera:
        """Moved as little as possible to show a rectangle of the scene with a margin."""
        seen = self._inner(view)
        dx = _shift(rect.x, rect.right, seen.x, seen.right)
        dy = _shift(rect.y, rect.bottom, seen.y, seen.bottom)
        return Camera(self.scale, self.x + dx, self.y + dy)

    def revealing(self, cards: Collection[Rect], beside: Rect | None, view: Size) -> Camera:
        """Moved as little as possible to show as many cards as there is room for, the nearest first.

        Args:
            beside: the card that stays in sight if there is room for it too.
        """
        if not cards:
            return self
        room = self._inner(view)
        start = beside.centre if beside is not None else room.centre
        nearest = sorted(cards, key=lambda card: abs(card.centre.x - start.x) + abs(card.centre.y - start.y))
        shown = nearest[0] if beside is None else union((nearest[0], beside))
        if shown.width > room.width or shown.height > room.height:
            shown = nearest[0]
        for card in nearest[1:]:
            wider = union((shown, card))
            if wider.width <= room.width and wider.height <= room.height:
                shown = wider
        return self.showing(shown, view)

    def _inner(self, view: Size) -> Rect:
        """The visible part without a margin."""
        return self.seen(view).grown(-min(MARGIN / self.scale, view.width / self.scale / 4))

    def between(self, goal: Camera, t: float) -> Camera:
        """Interpolated to another camera, `t` from 0 to 1."""
        return Camera(
            self.scale * (goal.scale / self.scale) ** t, self.x + (goal.x - self.x) * t, self.y + (goal.y - self.y) * t
        )


def fitting(bounds: Rect, view: Size, below: float = 0.0) -> Camera:
    """The whole picture in the view, never enlarged.

    Args:
        below: reserved pixels at the bottom of the view, such as for a legend.
    """
    width, height = max(bounds.width, 1.0), max(bounds.height, 1.0)
    room_x, room_y = max(view.width - 2 * MARGIN, 16.0), max(view.height - 2 * MARGIN - below, 16.0)
    scale = min(max(min(room_x / width, room_y / height), SMALLEST), 1.0)
    centred = Camera(scale).centred(bounds.centre, view)
    return Camera(scale, centred.x, centred.y + below / 2 / scale)


def opening(bounds: Rect, focus: Rect | None, view: Size, below: float = 0.0) -> Camera:
    """How a new picture is shown first: as a whole if its texts are readable then, else readable, with its focus.

    Args:
        focus: the card the picture is about; without one, the left top corner is shown.
        below: pixels at the lower edge of the view that something else needs.
    """
    whole = fitting(bounds, view, below)
    if whole.scale >= WHOLE_FROM:
        return whole
    about = (focus or Rect(bounds.x, bounds.y, 0.0, 0.0)).centre
    camera = Camera(READABLE).centred(about, view)
    margin = MARGIN / READABLE
    width, height = view.width / READABLE, (view.height - below) / READABLE
    return Camera(
        READABLE,
        _within(camera.x, width, bounds.x - margin, bounds.right + margin),
        _within(camera.y, height, bounds.y - margin, bounds.bottom + margin),
    )


def _between(value: float, low: float, high: float) -> float:
    return min(max(value, low), high) if low <= high else (low + high) / 2


def _within(start: float, length: float, low: float, high: float) -> float:
    """The start of a stretch inside a longer one; a longer stretch is centred on it."""
    return _between(start, low, high - length) if length <= high - low else (low + high - length) / 2


def _shift(start: float, end: float, low: float, high: float) -> float:
    """How far to move a window so that it contains a stretch, or its beginning if that is longer."""
    if start < low or end - start > high - low:
        return start - low
    return max(0.0, end - high)
