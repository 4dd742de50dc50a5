"""The order of the vertices within their layers, with few crossings of edges.

Sweeps to the right and to the left sort each layer by the mean place of its neighbours, and exchange neighbours where
that helps; the best order seen is kept. Then every vertex is sifted: tried at all places of its layer and left at the
best (Matuszewski, Schönfeld and Molitor 1999). Everything is deterministic: ties keep the previous order.
"""

from __future__ import annotations

from collections.abc import Sequence

from hpc_explorer.canvas.layout.layers import Check, Layering, no_check

SWEEPS = 48
PATIENCE = 8
"""The number of sweeps without improvement before stopping."""
SIFTINGS = 12
WINDOW = 150
"""The number of places above and below that are tried for a vertex."""


def reduce_crossings(layering: Layering, check: Check = no_check) -> int:
    """Reorders `layering.layers` in place; returns the number of remaining crossings."""
    _start(layering)
    fewest = _sweep(layering, check)
    position = _positions(layering)
    for _ in range(SIFTINGS):
        if fewest == 0:
            break
        for at in range(len(layering.layers)):
            check()
            _sift(layering, at, position)
        left = crossings(layering)
        if left == fewest:
            break
        fewest = left
    return fewest


def crossings(layering: Layering) -> int:
    """The number of crossing pairs of segments between neighbouring layers."""
    return sum(
        _crossings_between(layering.layers[at], layering.layers[at + 1], layering.after)
        for at in range(len(layering.layers) - 1)
    )


def _crossings_between(left: Sequence[int], right: Sequence[int], after: Sequence[Sequence[int]]) -> int:
    """Counts inversions with an accumulator tree (Barth, Jünger and Mutzel 2002): O(edges · log layer)."""
    position = {vertex: at for at, vertex in enumerate(right)}
    leaves = 1
    while leaves < len(right):
        leaves *= 2
    tree = [0] * (2 * leaves)
    total = 0
    for vertex in left:
        for at in sorted(position[end] for end in after[vertex]):
            index = at + leaves
            tree[index] += 1
            while index > 1:
                if index % 2 == 0:
                    total += tree[index + 1]
                index //= 2
                tree[index] += 1
    return total


def _start(layering: Layering) -> None:
    """The initial order: by a traversal from the left, which keeps related vertices close."""
    met: dict[int, int] = {}
    for layer in layering.layers:
        for root in layer:
            stack = [root]
            while stack:
                vertex = stack.pop()
                if vertex in met:
                    continue
                met[vertex] = len(met)
                stack.extend(end for end in reversed(layering.after[vertex]) if end not in met)
    for layer in layering.layers:
        layer.sort(key=lambda vertex: met[vertex])


def _positions(layering: Layering) -> list[int]:
    position = [0] * len(layering.layer_of)
    for layer in layering.layers:
        for at, vertex in enumerate(layer):
            position[vertex] = at
    return position


def _sweep(layering: Layering, check: Check) -> int:
    """Sweep over the layers until there is no improvement; keep the best order and return its crossings."""
    position = _positions(layering)
    best = [list(layer) for layer in layering.layers]
    fewest = crossings(layering)
    stale = 0
    for sweep in range(SWEEPS):
        if fewest == 0 or stale >= PATIENCE:
            break
        rightwards = sweep % 2 == 0
        span = range(1, len(layering.layers)) if rightwards else range(len(layering.layers) - 2, -1, -1)
        neighbours = layering.before if rightwards else layering.after
        for at in span:
            _sort_by_mean(layering.layers[at], neighbours, position, mirrored=sweep % 4 >= 2)
        check()
        _exchange(layering, position)
        check()
        left = crossings(layering)
        if left < fewest:
            fewest, best, stale = left, [list(layer) for layer in layering.layers], 0
        else:
            stale += 1
    layering.layers[:] = best
    return fewest


def _sort_by_mean(
    layer: list[int], neighbours: Sequence[Sequence[int]], position: list[int], *, mirrored: bool
) -> None:
    """Sorts the vertices that have neighbours among the places such vertices have; the others stay.

    Args:
        mirrored: vertices with equal means change their order, to escape a local minimum.
    """
    means = {v: sum(position[end] for end in neighbours[v]) / len(neighbours[v]) for v in layer if neighbours[v]}
    movable = [vertex for vertex in layer if vertex in means]
    if mirrored:
        movable.reverse()
    movable.sort(key=lambda vertex: means[vertex])
    following = iter(movable)
    layer[:] = [next(following) if vertex in means else vertex for vertex in layer]
    for at, vertex in enumerate(layer):
        position[vertex] = at


def _places(layer: Sequence[int], neighbours: Sequence[Sequence[int]], position: Sequence[int]) -> list[list[int]]:
    return [sorted([position[end] for end in neighbours[vertex]]) for vertex in layer]


def _exchange(layering: Layering, position: list[int]) -> None:
    """Exchanges neighbours within each layer as long as that removes crossings, in at most four rounds a layer."""
    for layer in layering.layers:
        left = _places(layer, layering.before, position)
        right = _places(layer, layering.after, position)
        moved = True
        for _ in range(4):
            if not moved:
                break
            moved = False
            for at in range(len(layer) - 1):
                if _gain(left[at], left[at + 1]) + _gain(right[at], right[at + 1]) > 0:
                    layer[at], layer[at + 1] = layer[at + 1], layer[at]
                    left[at], left[at + 1] = left[at + 1], left[at]
                    right[at], right[at + 1] = right[at + 1], right[at]
                    moved = True
        for at, vertex in enumerate(layer):
            position[vertex] = at


def _sift(layering: Layering, at: int, position: list[int]) -> None:
    """Move every vertex of a layer to its place with the fewest crossings."""
    layer = layering.layers[at]
    left = dict(zip(layer, _places(layer, layering.before, position), strict=True))
    right = dict(zip(layer, _places(layer, layering.after, position), strict=True))
    for vertex in list(layer):
        here = layer.index(vertex)
        mine_left, mine_right = left[vertex], right[vertex]
        most, best = 0, here
        gain = 0
        for place in range(here + 1, min(len(layer), here + WINDOW)):
            other = layer[place]
            gain += _gain(mine_left, left[other]) + _gain(mine_right, right[other])
            if gain > most:
                most, best = gain, place
        gain = 0
        for place in range(here - 1, max(-1, here - WINDOW), -1):
            other = layer[place]
            gain += _gain(left[other], mine_left) + _gain(right[other], mine_right)
            if gain > most:
                most, best = gain, place
        if best != here:
            layer.insert(best, layer.pop(here))
    for place, vertex in enumerate(layer):
        position[vertex] = place


def _gain(upper: Sequence[int], lower: Sequence[int]) -> int:
    """The crossings saved by exchanging two vertices, given by their neighbours' sorted places."""
    if not upper or not lower:
        return 0
    if len(upper) == len(lower) == 1:
        return (upper[0] > lower[0]) - (upper[0] < lower[0])
    return _inversions(upper, lower) - _inversions(lower, upper)


def _inversions(upper: Sequence[int], lower: Sequence[int]) -> int:
    """The number of crossing pairs if the first vertex is above the second."""
    total = below = 0
    for place in upper:
        while below < len(lower) and lower[below] < place:
            below += 1
        total += below
    return total
