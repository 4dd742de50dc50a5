"""A large picture from far away: dark where many lines run, in the mean colour of the cards where many nodes lie.

Drawn with arrays instead of line by line: a hundred thousand lines take a tenth of a second, in any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hpc_explorer.canvas.camera import Camera
from hpc_explorer.canvas.geometry import Rect, Size
from hpc_explorer.canvas.palette import Theme
from hpc_explorer.canvas.spatial import SpatialIndex, crossing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hpc_explorer.canvas.spatial import Floats

    Image = NDArray[np.uint8]
    Plane = NDArray[np.float64]

LINE = 0.55
"""The opacity of one line; many lines together reach at most `DENSEST`."""
DENSEST = 0.92
SMALLEST = 0.65
"""Minimum width and height of a card in pixels."""
LEAST = 1e-6
"""Minimum coverage of a pixel under a card."""
AT_ONCE = 500_000
"""Points of lines processed at once: about 30 MB."""


def density(
    index: SpatialIndex,
    camera: Camera,
    size: Size,
    theme: Theme,
    check: Callable[[], None] = lambda: None,
    *,
    cards: bool = True,
    lines: bool = True,
) -> Image:
    """The picture as pixels of the shape (height, width, 4), in the order blue, green, red, 255.

    Args:
        camera: pixels per scene unit, and the scene point in the top left corner.
        size: in pixels.
        check: called every few milliseconds; stops the work by raising.
        cards, lines: whether they are drawn.
    """
    import numpy as np

    width, height = int(size.width), int(size.height)
    seen = camera.seen(size)
    covered = _line_coverage(index, camera, seen, width, height, check) if lines else np.zeros((height, width))
    alpha = _shade(covered)
    shades = zip(_bgr(theme.background), _bgr(theme.edge), strict=True)
    planes = [alpha * np.float32(line - ground) + np.float32(ground) for ground, line in shades]
    if cards:
        _put_cards(planes, index, camera, seen, check)
    pixels = np.full((height, width, 4), 255, dtype=np.uint8)
    for channel, plane in enumerate(planes):
        pixels[:, :, channel] = np.rint(plane, out=plane)
    return pixels


def covered(boxes: Floats, camera: Camera, size: Size) -> Image:
    """The pixels covered by rectangles, at least one each: shape (height, width), 255 or 0.

    Args:
        boxes: left, top, right, bottom in scene units; shape (boxes, 4).
        camera, size: as for `density`.
    """
    import numpy as np

    width, height = int(size.width), int(size.height)
    placed = (boxes.astype(np.float64) - np.array([camera.x, camera.y] * 2)) * camera.scale
    edges = np.concatenate([np.floor(placed[:, :2]), np.ceil(placed[:, 2:])], axis=1).astype(np.int64)
    edges = np.clip(edges, 0, [width, height, width, height])
    # The cumulative sum of these steps is the number of rectangles on a pixel.
    steps = np.zeros((height + 1) * (width + 1), dtype=np.int64)
    for across, down, step in ((0, 1, 1), (2, 1, -1), (0, 3, -1), (2, 3, 1)):
        steps += step * np.bincount(edges[:, down] * (width + 1) + edges[:, across], minlength=len(steps))
    number = steps.reshape(height + 1, width + 1).cumsum(axis=0).cumsum(axis=1)[:height, :width]
    return np.where(number > 0, np.uint8(255), np.uint8(0))


def _line_coverage(
    index: SpatialIndex, camera: Camera, seen: Rect, width: int, height: int, check: Callable[[], None]
) -> Plane:
    """The number of anti-aliased lines on each pixel."""
    import numpy as np

    # Keep a margin for the width and soft edge of clipped lines.
    across, down = width + 3, height + 3
    covered = np.zeros(down * across)
    pieces = index.pieces[crossing(index.pieces, seen)].astype(np.float64)
    pieces = (pieces - np.array([camera.x, camera.y] * 2)) * camera.scale
    pieces = _clipped(pieces, width, height)
    steep = np.abs(pieces[:, 3] - pieces[:, 1]) > np.abs(pieces[:, 2] - pieces[:, 0])
    # One sample per pixel along the longer side, split between the two nearest pixels across.
    lines = np.where(steep[:, None], pieces[:, [1, 0, 3, 2]], pieces)
    lines = np.where(lines[:, :1] > lines[:, 2:3], lines[:, [2, 3, 0, 1]], lines)
    start, begin, stop, end = lines.T
    slope = (end - begin) / np.maximum(stop - start, 1e-9)
    lowest, highest = np.minimum(begin, end), np.maximum(begin, end)
    first_pixel = np.floor(start)
    steps = (np.floor(stop) - first_pixel).astype(np.int64) + 1
    along, aside = np.where(steep, across, 1), np.where(steep, 1, across)
    ends = np.cumsum(steps)
    first = 0
    while first < len(steps):
        check()
        before = ends[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + AT_ONCE, side="right")))
        count = steps[first:last]
        piece = np.repeat(np.arange(first, last), count)
        main = first_pixel[piece] + (np.arange(len(piece)) - np.repeat(ends[first:last] - count - before, count))
        place = begin[piece] + slope[piece] * (main + 0.5 - start[piece])
        place = np.minimum(np.maximum(place, lowest[piece]), highest[piece]) - 0.5
        low = np.floor(place)
        share = place - low
        beside = aside[piece]
        flat = (main.astype(np.int64) + 2) * along[piece] + (low.astype(np.int64) + 2) * beside
        covered += np.bincount(flat, 1.0 - share, minlength=down * across)
        covered += np.bincount(flat + beside, share, minlength=down * across)
        first = last
    return covered.reshape(down, across)[2 : 2 + height, 2 : 2 + width]


def _clipped(pieces: Plane, width: int, height: int) -> Plane:
    """The pieces clipped to the picture (Liang-Barsky, vectorised)."""
    import numpy as np

    x0, y0, x1, y1 = pieces.T
    dx, dy = x1 - x0, y1 - y0
    enter, leave = np.zeros(len(pieces)), np.ones(len(pieces))
    for step, room in ((-dx, x0 + 1), (dx, width - x0), (-dy, y0 + 1), (dy, height - y0)):
        ratio = np.divide(room, step, out=np.zeros_like(step), where=step != 0)
        enter = np.where(step < 0, np.maximum(enter, ratio), enter)
        leave = np.where(step > 0, np.minimum(leave, ratio), leave)
    kept = enter <= leave
    clipped = np.stack([x0 + enter * dx, y0 + enter * dy, x0 + leave * dx, y0 + leave * dy], axis=1)
    return clipped[kept]


def _shade(covered: Plane) -> Floats:
    """The opacity of the lines on each pixel, logarithmic in their number."""
    import numpy as np

    shade = np.minimum(covered, 1.0, dtype=np.float32) * np.float32(LINE)
    positive = covered[covered > 0]
    if len(positive):
        many = np.log(max(float(np.quantile(positive, 0.995)), 2.0))
        at = np.flatnonzero(covered > 1.0)
        beyond = np.log(covered.ravel()[at]) / many
        shade.ravel()[at] = np.minimum(LINE + beyond * (DENSEST - LINE), DENSEST)
    return shade


def _put_cards(
    planes: Sequence[Floats], index: SpatialIndex, camera: Camera, seen: Rect, check: Callable[[], None]
) -> None:
    """Draw the cards as anti-aliased areas; pixels shared by several get the mean colour.

    An area is the sum of steps at its four corners, and a corner between pixels is shared among the four around it. So
    all areas are summed at once with exact coverage.
    """
    import numpy as np

    at = np.array(index.cards_in(seen), dtype=np.int64)
    if not len(at):
        return
    height, width = planes[0].shape
    boxes = (index.cards[at].astype(np.float64) - np.array([camera.x, camera.y] * 2)) * camera.scale
    # Keep single small nodes visible.
    missing = np.maximum(SMALLEST - (boxes[:, 2:] - boxes[:, :2]), 0.0) / 2
    boxes = np.clip(boxes + np.concatenate([-missing, missing], axis=1), 0, [width, height, width, height])
    whole = np.floor(boxes)
    share = boxes - whole
    column, row = whole.astype(np.int64)[:, 0::2], whole.astype(np.int64)[:, 1::2]
    flat, steps = [], []
    for across, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
        sign = 1.0 if across == down else -1.0
        right, below = share[:, 2 * across], share[:, 2 * down + 1]
        for beside, part in ((0, 1.0 - right), (1, right)):
            for under, rest in ((0, 1.0 - below), (1, below)):
                flat.append((row[:, down] + under) * (width + 2) + column[:, across] + beside)
                steps.append(sign * part * rest)
    where, step = np.concatenate(flat), np.concatenate(steps)
    colours = np.array([_bgr(colour) for colour in index.colours], dtype=np.float64)[index.colour_of[at]]

    def summed(weights: Plane) -> Plane:
        check()
        plane = np.bincount(where, weights, minlength=(height + 2) * (width + 2)).reshape(height + 2, width + 2)
        return plane.cumsum(axis=0).cumsum(axis=1)[:height, :width]

    covered = summed(step)
    filled = covered > LEAST
    number = covered[filled]
    alpha = np.minimum(number, 1.0)
    for channel, plane in enumerate(planes):
        mean = summed(step * np.tile(colours[:, channel], 16))[filled] / number
        before = plane[filled]
        plane[filled] = before + (mean - before) * alpha


def _bgr(colour: str) -> tuple[int, int, int]:
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)
