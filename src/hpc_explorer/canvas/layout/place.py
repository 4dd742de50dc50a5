"""The heights of the vertices of an ordered layering: edges straight where possible, nothing overlapping.

After Brandes and Köpf (2001): four times (from the left or the right, from the top or the bottom) every vertex is
aligned with a median neighbour, aligned vertices form blocks, blocks are moved together as far as the room between
neighbours allows; the mean of the two middle results is taken. Blocks are placed along the longest path through
the graph of blocks, which also holds where the paper's shifting of classes does not (Brandes, Walter and Zink 2020).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from hpc_explorer.canvas.layout.layers import Check, Layering, no_check

TURNS, FEWEST_TURNS = 6, 4
"""The number of passes of `low_heights` over all layers."""
MOST_PLACED = 100_000
"""Vertices placed, all turns together, of more than the fewest turns."""
Gaps = Sequence[Sequence[float]]
"""For every layer the least distances between its neighbours, from the top."""


def heights(layering: Layering, gaps: Gaps, check: Check = no_check) -> list[float]:
    """A height (y, growing downwards) for every vertex, at least `gaps` apart within each layer."""
    place = [0] * len(layering.layer_of)
    for layer in layering.layers:
        for index, vertex in enumerate(layer):
            place[vertex] = index
    conflicts = _conflicts(layering, place)
    candidates = []
    for from_right in (False, True):
        middles = _middles(layering.after if from_right else layering.before, place)
        for left, right in conflicts:
            vertex, end = (left, right) if from_right else (right, left)
            if end in middles[vertex]:
                middles[vertex] = [other for other in middles[vertex] if other != end]
        for from_bottom in (False, True):
            check()
            layers: Sequence[Sequence[int]] = layering.layers
            rooms = gaps
            if from_right:
                layers, rooms = layers[::-1], rooms[::-1]
            if from_bottom:
                layers, rooms = [layer[::-1] for layer in layers], [room[::-1] for room in rooms]
                place = [-at for at in place]
                middles = [ends[::-1] if len(ends) > 1 else ends for ends in middles]
            root = _align(layers, middles, place)
            y = _compact(layers, root, rooms)
            candidates.append([-value for value in y] if from_bottom else y)
        place = [-at for at in place]
    return _balanced(candidates)


def low_heights(layering: Layering, gaps: Gaps, check: Check = no_check) -> list[float]:
    """As `heights`, for graphs in which straight lines would stretch the picture.

    Each layer in turn is brought as close as its separations allow to the mean heights of its neighbours: the least
    squares solution, by pooling adjacent violators (Barlow et al. 1972).
    """
    count = len(layering.layers)
    y = [0.0] * len(layering.layer_of)
    depths = []
    for layer, rooms in zip(layering.layers, gaps, strict=True):
        depth = list(itertools.accumulate(rooms, initial=0.0))
        depths.append(depth)
        for vertex, place in zip(layer, depth, strict=False):
            y[vertex] = place - depth[-1] / 2
    beside = [before + after for before, after in zip(layering.before, layering.after, strict=True)]
    for turn in range(max(FEWEST_TURNS, min(TURNS, MOST_PLACED // max(1, len(y))))):
        check()
        for at in range(count) if turn % 2 == 0 else range(count - 1, -1, -1):
            layer, depth = layering.layers[at], depths[at]
            pools: list[tuple[float, int]] = []
            total, number = -math.inf, 1
            for vertex, place in zip(layer, depth, strict=False):
                ends = beside[vertex]
                if len(ends) == 2:  # Usually a dummy.
                    wish = (y[ends[0]] + y[ends[1]]) / 2 - place
                else:
                    wish = (sum(map(y.__getitem__, ends)) / len(ends) if ends else y[vertex]) - place
                # Pools from the top: while the one above wants to be lower than this one, they are one.
                if total <= wish * number:
                    pools.append((total, number))
                    total, number = wish, 1
                    continue
                total, number = total + wish, number + 1
                while pools[-1][0] * number > total * pools[-1][1]:
                    above, several = pools.pop()
                    total, number = total + above, number + several
            pools.append((total, number))
            vertex_at = 0
            for total, number in pools[1:]:
                mean = total / number
                for index in range(vertex_at, vertex_at + number):
                    y[layer[index]] = mean + depth[index]
                vertex_at += number
    return y


def _middles(neighbours: Sequence[Sequence[int]], place: Sequence[int]) -> list[Sequence[int]]:
    """The median neighbours of every vertex from the top: none, one or two."""
    middles: list[Sequence[int]] = []
    for ends in neighbours:
        count = len(ends)
        if count > 2:
            ends = sorted(ends, key=place.__getitem__)
            ends = ends[(count - 1) // 2 : count // 2 + 1]
        elif count == 2 and place[ends[0]] > place[ends[1]]:
            ends = ends[::-1]
        middles.append(ends)
    return middles


def _conflicts(layering: Layering, place: Sequence[int]) -> set[tuple[int, int]]:
    """The segments that must not be straightened, as (left, right).

    Those that cross one between two dummies (type 1 conflicts), and those that leave a dummy from which a line
    continues to another dummy: long lines are straightened first.
    """
    marked: set[tuple[int, int]] = set()
    count, before, after = layering.count, layering.before, layering.after
    for left, right in itertools.pairwise(layering.layers):
        # The dummies of this layer followed by dummies, with the places of those.
        inner = []
        for index, vertex in enumerate(right):
            if vertex >= count:
                for end in before[vertex]:
                    if end >= count:
                        inner.append((index, place[end]))
                        break
        if not inner:
            continue
        inner.append((len(right) - 1, len(left) - 1))
        low, scanned = 0, 0
        for index, high in inner:
            for scan in right[scanned : index + 1]:
                for end in before[scan]:
                    if not low <= place[end] <= high and not (end >= count and scan >= count):
                        marked.add((end, scan))
            scanned, low = index + 1, high
    for vertex in range(count, len(layering.layer_of)):
        for ends, at_left in ((before[vertex], True), (after[vertex], False)):
            if len(ends) > 1 and max(ends) >= count:
                own = [end for end in ends if end < count]
                marked.update([(end, vertex) if at_left else (vertex, end) for end in own])
    return marked


def _align(layers: Sequence[Sequence[int]], middles: Sequence[Sequence[int]], place: Sequence[int]) -> list[int]:
    """The block of every vertex, named by its first vertex: each is aligned with a free median neighbour."""
    root = list(range(len(place)))
    for layer in layers[1:]:
        reached = -len(place)
        for vertex in layer:
            for end in middles[vertex]:
                at = place[end]
                if at > reached:
                    root[vertex] = root[end]
                    reached = at
                    break
    return root


def _compact(layers: Sequence[Sequence[int]], root: Sequence[int], gaps: Gaps) -> list[float]:
    """Heights of the blocks, as far up as possible, then each drawn down to the blocks below it."""
    below: list[list[tuple[int, float]]] = [[] for _ in root]
    above = [0] * len(root)
    for layer, rooms in zip(layers, gaps, strict=True):
        blocks = [root[vertex] for vertex in layer]
        for upper, lower, room in zip(blocks, blocks[1:], rooms, strict=False):
            below[upper].append((lower, room))
            above[lower] += 1
    ready = [block for block in set(root) if not above[block]]
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
            lowest = min([y[lower] - room for lower, room in below[block]])
            if lowest > y[block]:
                y[block] = lowest
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
