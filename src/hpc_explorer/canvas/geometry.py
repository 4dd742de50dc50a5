"""Points, rectangles and paths in scene coordinates: x to the right, y down, one unit per pixel at 100 %."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

GRID = 8.0
"""Everything is placed on multiples of this length."""


def up_to_grid(length: float) -> float:
    """The smallest multiple of `GRID` that is at least `length`."""
    return -(-length // GRID) * GRID


class Point(NamedTuple):
    """A place, in scene units."""

    x: float
    y: float


class Size(NamedTuple):
    """Width and height, in scene units."""

    width: float
    height: float


class Rect(NamedTuple):
    """A rectangle by its left top corner, width and height, in scene units."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    def grown(self, by: float) -> Rect:
        """The rectangle extended by `by` on each side."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def moved(self, dx: float, dy: float) -> Rect:
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def overlaps(self, other: Rect) -> bool:
        """Whether the two share any area; touching edges do not count."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def contains(self, point: Point) -> bool:
        return self.x <= point.x <= self.right and self.y <= point.y <= self.bottom


EMPTY_RECT = Rect(0.0, 0.0, 0.0, 0.0)


def union(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all of them; `EMPTY_RECT` around none."""
    rects = list(rects)
    if not rects:
        return EMPTY_RECT
    left, top = min([r.x for r in rects]), min([r.y for r in rects])
    return Rect(left, top, max([r.x + r.width for r in rects]) - left, max([r.y + r.height for r in rects]) - top)


class Curve(NamedTuple):
    """A cubic Bézier segment from the current point: two control points and the end."""

    first: Point
    second: Point
    end: Point


class Path(NamedTuple):
    """An open line: a start, then straight (`Point`) and curved (`Curve`) segments."""

    start: Point
    segments: tuple[Point | Curve, ...]

    @property
    def end(self) -> Point:
        last = self.segments[-1] if self.segments else self.start
        return last.end if isinstance(last, Curve) else last

    def points(self) -> list[Point]:
        """The start, ends and control points; their hull contains the path."""
        points = [self.start]
        for segment in self.segments:
            points.extend(segment if isinstance(segment, Curve) else (segment,))
        return points

    def bounds(self) -> Rect:
        """A rectangle that contains the path and its control points."""
        across, down = zip(*self.points(), strict=True)
        left, top = min(across), min(down)
        return Rect(left, top, max(across) - left, max(down) - top)

    def reversed(self) -> Path:
        """The same line from end to start."""
        starts = [self.start]
        for segment in self.segments:
            starts.append(segment.end if isinstance(segment, Curve) else segment)
        back: list[Point | Curve] = []
        for index in range(len(self.segments) - 1, -1, -1):
            segment = self.segments[index]
            if isinstance(segment, Curve):
                back.append(Curve(segment.second, segment.first, starts[index]))
            else:
                back.append(starts[index])
        return Path(starts[-1], tuple(back))

    def moved(self, dx: float, dy: float) -> Path:
        def shift(point: Point) -> Point:
            return Point(point.x + dx, point.y + dy)

        return Path(
            shift(self.start),
            tuple(Curve(*map(shift, part)) if isinstance(part, Curve) else shift(part) for part in self.segments),
        )

    def pieces(self) -> Iterator[tuple[Point, Point | Curve]]:
        """Each segment with the point it starts from."""
        here = self.start
        for segment in self.segments:
            yield here, segment
            here = segment.end if isinstance(segment, Curve) else segment


def point_along(start: Point, segment: Point | Curve, t: float) -> Point:
    """The point at parameter `t` (0 to 1) of a segment that starts at `start`."""
    u = 1.0 - t
    if isinstance(segment, Point):
        return Point(u * start.x + t * segment.x, u * start.y + t * segment.y)
    a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
    first, second, end = segment
    return Point(
        a * start.x + b * first.x + c * second.x + d * end.x,
        a * start.y + b * first.y + c * second.y + d * end.y,
    )


def level_curve(start: Point, end: Point) -> Point | Curve:
    """The segment between two points that leaves and arrives horizontally; straight if they are level."""
    if start.y == end.y:
        return end
    middle = (start.x + end.x) / 2
    return Curve(Point(middle, start.y), Point(middle, end.y), end)
