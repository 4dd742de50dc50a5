"""The heights of the vertices of an ordered layering: edges straight where possible, nothing overlapping.

After Brandes and Köpf (2001): four times (from the left or the right, from the top or the bottom) every vertex is
aligned with a median neighbour, aligned vertices form blocks, blocks are moved together as far as the room between
neighbours allows; the mean of the two middle results is taken. Blocks are placed along the longest path through
the graph of blocks, which also holds where the paper's shifting of classes does not (Brandes, Walter and Zink 2020).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from hpc_explorer.canvas.layout.layers import Check, Layering, unchecked

TURNS = 8
"""How often `low_heights` goes over all layers."""
Separation = Callable[[int, int], float]
"""The least distance between an upper and a lower neighbour in one layer."""


def heights(layering: Layering, separation: Separation, check: Check = unchecked) -> list[float]:
    """A height (y, growing downwards) for every vertex, at least `separation` apart within each layer."""
    conflicts = _conflicts(layering)
    gaps = [[separation(upper, lower) for upper, lower in itertools.pairwise(layer)] for layer in layering.layers]
    place = [0] * len(layering.layer_of)
    for layer in layering.layers:
        for index, vertex in enumerate(layer):
            place[vertex] = index
    candidates = []
    for from_right in (False, True):
        neighbours = layering.after if from_right else layering.before
        middles = [_middles(ends, place) for ends in neighbours]
        for from_bottom in (False, True):
            check()
            layers, rooms = layering.layers, gaps
            if from_right:
                layers, rooms = layers[::-1], rooms[::-1]
            if from_bottom:
                layers, rooms = [layer[::-1] for layer in layers], [room[::-1] for room in rooms]
            root = _align(layers, middles, place, conflicts, from_right, from_bottom)
            y = _compact(layers, root, rooms)
            candidates.append([-value for value in y] if from_bottom else y)
    return _balanced(candidates)


def low_heights(layering: Layering, separation: Separation, check: Check = unchecked) -> list[float]:
    """Heights as `heights` gives them, for graphs so entangled that straight lines would stretch the picture.

    Each layer in turn is brought as close as its separations allow to the mean heights of its neighbours: the least
    squares solution, by pooling adjacent violators (Barlow et al. 1972).
    """
    y = [0.0] * len(layering.layer_of)
    depths = []
    for layer in layering.layers:
        rooms = [separation(upper, lower) for upper, lower in itertools.pairwise(layer)]
        depth = list(itertools.accumulate(rooms, initial=0.0))
        depths.append(depth)
        for vertex, place in zip(layer, depth, strict=False):
            y[vertex] = place - depth[-1] / 2
    count = len(layering.layers)
    for turn in range(TURNS):
        check()
        for at in range(count) if turn % 2 == 0 else range(count - 1, -1, -1):
            layer, depth = layering.layers[at], depths[at]
            pools: list[tuple[float, int]] = []
            for vertex, place in zip(layer, depth, strict=False):
                ends = layering.before[vertex] + layering.after[vertex]
                total = (sum([y[end] for end in ends]) / len(ends) if ends else y[vertex]) - place
                number = 1
                # Pools from the top: while the one above wants to be lower than this one, they are one.
                while pools and pools[-1][0] * number > total * pools[-1][1]:
                    above, several = pools.pop()
                    total, number = total + above, number + several
                pools.append((total, number))
            placed = iter(zip(layer, depth, strict=False))
            for total, number in pools:
                mean = total / number
                for vertex, place in itertools.islice(placed, number):
                    y[vertex] = mean + place
    return y


def _middles(ends: Sequence[int], place: Sequence[int]) -> tuple[int, ...]:
    """The median neighbours from the top: none, one or two."""
    if len(ends) < 2:
        return tuple(ends)
    ends = sorted(ends, key=place.__getitem__)
    upper, lower = ends[(len(ends) - 1) // 2], ends[len(ends) // 2]
    return (upper,) if upper == lower else (upper, lower)


def _conflicts(layering: Layering) -> set[tuple[int, int]]:
    """The segments that must not be straightened, as (left, right).

    Those that cross one between two dummies (type 1 conflicts), and those that leave a dummy from which a line
    goes on to another dummy: long lines are kept straight first.
    """
    marked: set[tuple[int, int]] = set()
    for at in range(len(layering.layers) - 1):
        left, right = layering.layers[at], layering.layers[at + 1]
        place = {vertex: index for index, vertex in enumerate(left)}
        low, scanned = 0, 0
        for index, vertex in enumerate(right):
            inner = None
            if layering.is_dummy(vertex):
                inner = next((end for end in layering.before[vertex] if layering.is_dummy(end)), None)
            if inner is None and index < len(right) - 1:
                continue
            high = len(left) - 1 if inner is None else place[inner]
            for scan in right[scanned : index + 1]:
                for end in layering.before[scan]:
                    crosses = place[end] < low or place[end] > high
                    if crosses and not (layering.is_dummy(end) and layering.is_dummy(scan)):
                        marked.add((end, scan))
            scanned, low = index + 1, high
    for vertex in range(layering.count, len(layering.layer_of)):
        for ends, at_left in ((layering.before[vertex], True), (layering.after[vertex], False)):
            if len(ends) > 1 and any(layering.is_dummy(end) for end in ends):
                own = [end for end in ends if not layering.is_dummy(end)]
                marked.update((end, vertex) if at_left else (vertex, end) for end in own)
    return marked


def _align(
    layers: Sequence[Sequence[int]],
    middles: Sequence[tuple[int, ...]],
    place: Sequence[int],
    conflicts: set[tuple[int, int]],
    from_right: bool,
    from_bottom: bool,
) -> list[int]:
    """The block of every vertex, named by its first vertex: each is aligned with a free median neighbour."""
    root = list(range(len(place)))
    for layer in layers[1:]:
        reached = len(place) if from_bottom else -1
        for vertex in layer:
            for end in reversed(middles[vertex]) if from_bottom else middles[vertex]:
                free = place[end] < reached if from_bottom else place[end] > reached
                if free and ((vertex, end) if from_right else (end, vertex)) not in conflicts:
                    root[vertex] = root[end]
                    reached = place[end]
                    break
    return root


def _compact(layers: Sequence[Sequence[int]], root: Sequence[int], gaps: Sequence[Sequence[float]]) -> list[float]:
    """Heights of the blocks, as far up as possible, then each drawn down to the blocks below it."""
    below: list[list[tuple[int, float]]] = [[] for _ in root]
    above = [0] * len(root)
    for layer, rooms in zip(layers, gaps, strict=True):
        for (upper, lower), room in zip(itertools.pairwise(layer), rooms, strict=True):
            below[root[upper]].append((root[lower], room))
            above[root[lower]] += 1
    ready = [vertex for layer in layers for vertex in layer if root[vertex] == vertex and not above[vertex]]
    sequence: list[int] = []
    y = [0.0] * len(root)
    while ready:
        block = ready.pop()
        sequence.append(block)
        here = y[block]
        for lower, room in below[block]:
            if here + room > y[lower]:
                y[lower] = here + room
            above[lower] -= 1
            if not above[lower]:
                ready.append(lower)
    for block in reversed(sequence):
        if below[block]:
            y[block] = max(y[block], min([y[lower] - room for lower, room in below[block]]))
    return [y[block] for block in root]


def _balanced(candidates: list[list[float]]) -> list[float]:
    """The mean of the two middle candidates, after all are moved to the place of the narrowest one."""
    spans = [(min(y, default=0.0), max(y, default=0.0)) for y in candidates]
    narrowest = min(range(len(candidates)), key=lambda at: spans[at][1] - spans[at][0])
    top, bottom = spans[narrowest]
    for at, y in enumerate(candidates):
        from_bottom = at % 2 == 1
        shift = bottom - spans[at][1] if from_bottom else top - spans[at][0]
        candidates[at] = [value + shift for value in y]
    balanced = []
    for values in zip(*candidates, strict=True):
        middle = sorted(values)[1:3]
        balanced.append((middle[0] + middle[1]) / 2)
    return balanced
