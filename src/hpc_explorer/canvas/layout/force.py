"""Places for the vertices of any graph, by forces: edges pull their ends together, vertices push each other apart.

The initial places come from distances along edges to a few pivots (Brandes and Pich 2006), which already shows the
large shape; then the forces of Fruchterman and Reingold (1991) act in a fixed number of steps with falling temperature.
Up to `EXACT_UP_TO` vertices all pairs push each other; above, the vertices' masses are spread over a grid and the
pushes of all cells are found together by a convolution, so that a step takes time in proportion to the vertices.
Nothing is
random: the same graph gets the same places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from hpc_explorer.canvas.geometry import Point
from hpc_explorer.canvas.layout.layers import Check, Edge, components, no_check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.float64]
    Ends = NDArray[np.int64]

PIVOTS = 12
STEPS, STEPS_IF_MANY = 80, 40
MANY = 3_000
EXACT_UP_TO = 150
SHOWN_EVERY = 16
SMALL = 8
"""The most vertices of a part that is placed around its vertex of highest degree."""
PART_GAP = 1.5
"""Between connected parts, in lengths of an edge."""
GRAVITY = 0.02


def force_places(
    count: int,
    edges: Sequence[Edge],
    *,
    initial: Mapping[int, Point] | None = None,
    pinned: AbstractSet[int] = frozenset(),
    check: Check = no_check,
    show: Callable[[list[Point]], None] | None = None,
) -> list[Point]:
    """A place for every vertex, in units of an ideal edge's length.

    Args:
        count: of vertices.
        edges: between them; loops and doubles have no effect.
        initial: where some of them start; the others of their connected part start beside their neighbours.
        pinned: those of `initial` that are fixed.
        check: called between steps; raises to cancel.
        show: called regularly with the current places.
    """
    initial = initial or {}
    simple = sorted({(min(edge), max(edge)) for edge in edges if edge[0] != edge[1]})
    parts = components(count, simple)
    own: list[list[Edge]] = [[] for _ in parts]
    part_of = [0] * count
    index = [0] * count
    for at, part in enumerate(parts):
        for number, vertex in enumerate(part):
            part_of[vertex], index[vertex] = at, number
    for left, right in simple:
        own[part_of[left]].append((index[left], index[right]))
    places = [Point(0.0, 0.0)] * count
    free: list[tuple[list[int], list[Point]]] = []
    placed: list[Point] = []
    for at in sorted(range(len(parts)), key=lambda at: (-len(parts[at]), at)):
        part = parts[at]
        if at % 64 == 0:
            check()
        started = {index[vertex]: initial[vertex] for vertex in part if vertex in initial}
        held = {index[vertex] for vertex in part if vertex in pinned and vertex in initial}
        if len(part) <= SMALL and not started:
            free.append((part, _around(len(part), own[at])))
            continue

        def partly(so_far: list[Point], part: list[int] = part) -> None:
            for vertex, place in zip(part, so_far, strict=True):
                places[vertex] = place
            if show is not None:
                show(list(places))

        result = _arranged(len(part), own[at], started, held, check, None if show is None else partly)
        if started:
            for vertex, place in zip(part, result, strict=True):
                places[vertex] = place
            placed += result
        else:
            free.append((part, result))
    _packed(free, placed, places)
    return places


def _packed(free: list[tuple[list[int], list[Point]]], placed: list[Point], places: list[Point]) -> None:
    """Put free parts into rows, the large ones first, below the placed ones."""
    boxes = []
    for _, points in free:
        left, top = min(point.x for point in points), min(point.y for point in points)
        width = max(point.x for point in points) - left + PART_GAP
        boxes.append((left, top, width, max(point.y for point in points) - top + PART_GAP))
    widest = max((box[2] for box in boxes), default=0.0)
    page = max(widest, math.sqrt(sum(box[2] * box[3] for box in boxes)) * 1.2)
    x, row = min((point.x for point in placed), default=0.0), 0.0
    start = x
    y = max((point.y for point in placed), default=-PART_GAP) + PART_GAP
    for (part, points), (left, top, width, height) in zip(free, boxes, strict=True):
        if x > start and x + width > start + page:
            x, y, row = start, y + row, 0.0
        for vertex, point in zip(part, points, strict=True):
            places[vertex] = Point(x + point.x - left, y + point.y - top)
        x, row = x + width, max(row, height)


def _around(count: int, edges: Sequence[Edge]) -> list[Point]:
    """A few vertices around the one with the most edges."""
    degree = [0] * count
    for edge in edges:
        for end in edge:
            degree[end] += 1
    middle = max(range(count), key=lambda vertex: (degree[vertex], -vertex))
    places = [Point(0.0, 0.0)] * count
    others = [vertex for vertex in range(count) if vertex != middle]
    radius = max(1.0, len(others) / (2 * math.pi))
    for at, vertex in enumerate(others):
        angle = 2 * math.pi * at / len(others)
        places[vertex] = Point(radius * math.cos(angle), radius * math.sin(angle))
    return places


def _arranged(
    count: int,
    edges: Sequence[Edge],
    started: Mapping[int, Point],
    held: AbstractSet[int],
    check: Check,
    show: Callable[[list[Point]], None] | None,
) -> list[Point]:
    """The places of a connected part."""
    import numpy as np

    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for left, right in edges:
        neighbours[left].append(right)
        neighbours[right].append(left)
    if started:
        places = _beside_started(count, neighbours, started)
        warmth = 0.15
    else:
        places = _from_pivots(count, neighbours, check)
        warmth = 1.0
    movable = np.ones((count, 1))
    movable[sorted(held)] = 0.0
    steps = STEPS if count <= MANY else STEPS_IF_MANY
    hottest = max(1.0, 0.1 * math.sqrt(count)) * warmth
    for step in range(steps):
        check()
        force = _pushes(places) + _pulls(places, ends, count)
        if not started:
            force -= GRAVITY * (places - places.mean(axis=0))
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)[:, None]
        heat = hottest * (1.0 - step / steps) ** 1.5 + 0.01
        places = places + movable * force / length * np.minimum(length, heat)
        if show is not None and step % SHOWN_EVERY == SHOWN_EVERY - 1:
            show(_points(places))
    points = _points(places)
    for vertex in held:
        points[vertex] = started[vertex]
    return points


def _points(places: Places) -> list[Point]:
    return [Point(x, y) for x, y in places.tolist()]


def _beside_started(count: int, neighbours: Sequence[Sequence[int]], started: Mapping[int, Point]) -> Places:
    """The initial places of the others: around the nearest placed vertex, each in another direction."""
    import numpy as np

    places = np.zeros((count, 2))
    known = dict(started)
    queue = sorted(started)
    for vertex in queue:
        for neighbour in neighbours[vertex]:
            if neighbour not in known:
                angle = len(known) * math.pi * (3.0 - math.sqrt(5.0))
                here = known[vertex]
                known[neighbour] = Point(here.x + 0.7 * math.cos(angle), here.y + 0.7 * math.sin(angle))
                queue.append(neighbour)
    for vertex, place in known.items():
        places[vertex] = place
    return places


def _from_pivots(count: int, neighbours: Sequence[Sequence[int]], check: Check) -> Places:
    """Places in which distances are like those along edges to `PIVOTS` vertices far from each other."""
    import numpy as np

    pivot = max(range(count), key=lambda vertex: (len(neighbours[vertex]), -vertex))
    nearest = [count] * count
    columns = []
    for _ in range(min(PIVOTS, count)):
        check()
        distance = [-1] * count
        distance[pivot] = 0
        queue = [pivot]
        for vertex in queue:
            onward = distance[vertex] + 1
            for neighbour in neighbours[vertex]:
                if distance[neighbour] < 0:
                    distance[neighbour] = onward
                    queue.append(neighbour)
        columns.append(distance)
        nearest = list(map(min, nearest, distance))
        pivot = max(range(count), key=nearest.__getitem__)
    squared = np.array(columns, dtype=np.float64).T ** 2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    places: Places = -0.5 * centred @ vectors[:, ::-1][:, :2]
    if places.shape[1] < 2:
        places = np.column_stack((places[:, 0], np.zeros(count)))
    # The sign of an eigenvector is arbitrary; fix it, so that the picture does not depend on the library.
    for axis in (0, 1):
        if places[np.abs(places[:, axis]).argmax(), axis] < 0:
            places[:, axis] *= -1
    size = float(np.sqrt((places**2).sum(axis=1).mean()))
    places *= 0.6 * math.sqrt(count) / max(size, 1e-9)
    # Vertices with equal distances coincide: a spiral of small steps separates them.
    turn = np.arange(count) * math.pi * (3.0 - math.sqrt(5.0))
    return places + 0.4 * np.column_stack((np.cos(turn), np.sin(turn)))


def _pulls(places: Places, ends: Ends, count: int) -> Places:
    """The forces along the edges, growing with the square of their length."""
    import numpy as np

    across = places[ends[:, 1]] - places[ends[:, 0]]
    pull = across * np.hypot(across[:, 0], across[:, 1])[:, None]
    total = np.empty((count, 2))
    for axis in (0, 1):
        total[:, axis] = np.bincount(ends[:, 0], weights=pull[:, axis], minlength=count)
        total[:, axis] -= np.bincount(ends[:, 1], weights=pull[:, axis], minlength=count)
    return total


def _pushes(places: Places) -> Places:
    """The forces between all pairs, falling with their distance."""
    if len(places) > EXACT_UP_TO:
        return _pushes_by_grid(places)
    across = places[:, None, :] - places[None, :, :]
    squared = (across**2).sum(axis=2) + 1e-3
    pushes: Places = (across / squared[:, :, None]).sum(axis=1)
    return pushes


def _pushes_by_grid(places: Places) -> Places:
    """The forces between all pairs, of masses shared among the four nearest points of a grid."""
    import numpy as np

    size = 64 if len(places) <= 2_000 else 128 if len(places) <= 20_000 else 256
    low = places.min(axis=0)
    cell = max(float((places.max(axis=0) - low).max()) / (size - 2), 1e-6)
    scaled = (places - low) / cell
    corner = scaled.astype(np.int64)
    part = scaled - corner
    corners, shares = [], []
    for right in (0, 1):
        for lower in (0, 1):
            corners.append((corner[:, 0] + right) * size + corner[:, 1] + lower)
            shares.append(np.abs(1 - right - part[:, 0]) * np.abs(1 - lower - part[:, 1]))
    mass = np.zeros(size * size)
    for at, share in zip(corners, shares, strict=True):
        mass += np.bincount(at, weights=share, minlength=size * size)
    spectrum = np.fft.rfft2(mass.reshape(size, size), s=(2 * size, 2 * size))
    offset = np.concatenate((np.arange(size), np.arange(-size, 0))) * cell
    x, y = offset[:, None], offset[None, :]
    squared = x**2 + y**2 + (0.5 * cell) ** 2
    pushes = np.empty_like(places)
    for axis, along in ((0, x), (1, y)):
        field = np.fft.irfft2(spectrum * np.fft.rfft2(along / squared), s=(2 * size, 2 * size))[:size, :size].ravel()
        pushes[:, axis] = sum(share * field[at] for at, share in zip(corners, shares, strict=True))
    return pushes
