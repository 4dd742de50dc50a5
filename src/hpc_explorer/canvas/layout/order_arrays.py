"""The order of the vertices within their layers, for more than a few dozen of them: the task of `order`, in arrays.

From two first orders, as walks from the left and from the right meet the vertices, sweeps sort each layer by the mean
place of its neighbours. Then vertices are inserted where they cross least: the crossings of a layer depend on the order
of pairs only, so one matrix says for every pair which way round is better, and its sums along a row what each move
of a vertex would bring (the sifting of Matuszewski, Schönfeld and Molitor 1999, for all vertices of a layer at once,
the best moves that do not touch each other together). All counts of sweeps are fixed: the same graph gets the same
order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hpc_explorer.canvas.layout.layers import Check, Layering, unchecked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Matrix = NDArray[np.float32]

STARTS = ((True, True), (True, False), (False, False))
"""Whether the walk for the first order, and the first sweep, begin at the left."""
SWEEPS, SWEEPS_IF_MANY = 8, 4
MANY = 5_000
"""Vertices, dummies included, that are many."""
ROUNDS = 24
"""Of insertions over all layers; nearly always they end sooner because nothing is left to gain."""
MOVES = 24
"""Steps of insertions in a layer before the next layer's turn."""
MOST_WORK = 12_000_000
"""Cells of matrices looked at, in one run of insertions over all layers; in graphs of thousands this ends them."""
WIDEST = 500
"""Vertices of a layer up to which a matrix is made for it."""
TRIED_UP_TO = 1_200
"""Vertices, dummies included, up to which insertions start from each of the first orders; else from the best."""
KICKS = 40
KICKED_UP_TO = 600
"""Vertices, dummies included, up to which some layers are disturbed and improved again."""


def reduce_crossings_in_arrays(
    layering: Layering, check: Check = unchecked, improved: Callable[[], None] | None = None
) -> int:
    """Reorders `layering.layers` in place; returns the number of crossings that are left, each edge counted.

    Args:
        improved: called once, as soon as there is a first good order.
    """
    order = _Order(layering)
    given = order.layers.copy()
    started: list[tuple[int, list[Numbers]]] = []
    for walk_from_left, sweep_from_left in STARTS:
        order.restore(given)
        order.walk(walk_from_left)
        order.sweep(sweep_from_left, check)
        started.append((order.crossings(), order.layers.copy()))
    started.sort(key=lambda one: one[0])
    if improved is not None:
        order.restore(started[0][1])
        order.store(layering)
        improved()
    ended: list[tuple[int, list[Numbers]]] = []
    for _, layers in started if len(layering.layer_of) <= TRIED_UP_TO else started[:1]:
        order.restore(layers)
        order.insert(range(len(given)), check)
        ended.append((order.crossings(), order.layers.copy()))
    fewest, best = min(ended, key=lambda one: one[0])
    order.restore(best)
    fewest = order.kick(fewest, check)
    order.store(layering)
    return fewest


def inversions(values: Numbers) -> Numbers:
    """For every value how many later ones are smaller, in the order of the values' size.

    Counted bit by bit of the positions: where two positions differ first, the one is in the left half and the other in
    the right half of a run of positions, and the halves are kept sorted by value.
    """
    import numpy as np

    size = len(values)
    at = np.argsort(values, kind="stable")
    found = np.zeros(size, dtype=np.int64)
    place = np.arange(size)
    for bit in range(max(size - 1, 0).bit_length() - 1, -1, -1):
        right = (at >> bit) & 1
        start = (at >> (bit + 1)) << (bit + 1)
        running = np.concatenate(([0], np.cumsum(right)))
        rights_before = running[:-1] - running[start]
        left = right == 0
        found[at[left]] += rights_before[left]
        half = np.minimum(1 << bit, size - start)
        there = np.where(left, place - rights_before, start + half + rights_before)
        moved = np.empty_like(at)
        moved[there] = at
        at = moved
    return found


class _Order:
    """The layers as arrays of vertices, the place of each vertex, and the segments between layers."""

    def __init__(self, layering: Layering) -> None:
        import numpy as np

        self._layer_of = np.array(layering.layer_of, dtype=np.int64)
        self.layers: list[Numbers] = [np.array(layer, dtype=np.int64) for layer in layering.layers]
        self._place = np.zeros(len(self._layer_of), dtype=np.int64)
        self.restore(self.layers)
        self._first = self.layers.copy()
        self._index = self._place.copy()
        """Where each vertex was in the first order; rows of matrices follow it."""
        self._before, self._after = layering.before, layering.after
        self._work = 0
        weight: dict[tuple[int, int], int] = defaultdict(int)
        for chain in layering.chains.values():
            for segment in pairwise(chain):
                weight[segment] += 1
        lefts = np.fromiter((left for left, _ in weight), dtype=np.int64, count=len(weight))
        rights = np.fromiter((right for _, right in weight), dtype=np.int64, count=len(weight))
        weights = np.fromiter(weight.values(), dtype=np.float32, count=len(weight))
        by_gap = np.argsort(self._layer_of[lefts], kind="stable")
        self._lefts, self._rights, self._weights = lefts[by_gap], rights[by_gap], weights[by_gap]
        self._copies = self._weights.astype(np.int64)
        # Numbers of the vertices through all layers, so that one count serves all gaps.
        sizes = np.array([len(layer) for layer in self.layers], dtype=np.int64)
        self._start_of = (np.cumsum(sizes) - sizes)[self._layer_of]
        bounds = np.searchsorted(self._layer_of[self._lefts], np.arange(len(self.layers) + 1)).tolist()
        self._gaps = [slice(*bound) for bound in pairwise(bounds)]

    def restore(self, layers: list[Numbers]) -> None:
        """Takes another order."""
        for at, layer in enumerate(layers):
            self._set(at, layer)

    def store(self, layering: Layering) -> None:
        """Puts this order into the layering it was made from."""
        layering.layers[:] = [layer.tolist() for layer in self.layers]

    def _set(self, at: int, layer: Numbers) -> None:
        self.layers[at] = layer
        self._place[layer] = range(len(layer))

    def crossings(self) -> int:
        """How many pairs of edges cross."""
        import numpy as np

        left = self._start_of[self._lefts] + self._place[self._lefts]
        right = self._start_of[self._rights] + self._place[self._rights]
        by_left = np.lexsort((right, left))
        # A segment that stands for several edges crosses as often: it is counted by copies of it.
        return int(inversions(np.repeat(right[by_left], self._copies[by_left])).sum())

    def walk(self, from_left: bool) -> None:
        """The first order: as a walk from one side meets the vertices, so that what belongs together is close."""
        import numpy as np

        met: dict[int, int] = {}
        ends_of = self._after if from_left else self._before
        for layer in self.layers if from_left else reversed(self.layers):
            for root in layer.tolist():
                stack = [root]
                while stack:
                    vertex = stack.pop()
                    if vertex not in met:
                        met[vertex] = len(met)
                        stack.extend(end for end in reversed(ends_of[vertex]) if end not in met)
        rank = np.zeros(len(self._place), dtype=np.int64)
        rank[list(met)] = range(len(met))
        for at, layer in enumerate(self.layers):
            self._set(at, layer[np.argsort(rank[layer])])

    def sweep(self, from_left: bool, check: Check) -> None:
        """Sorts layer by layer, to the one side and back."""
        count = len(self.layers)
        for sweep in range(SWEEPS if len(self._place) < MANY else SWEEPS_IF_MANY):
            check()
            rightwards = (sweep % 2 == 0) == from_left
            for at in range(1, count) if rightwards else range(count - 2, -1, -1):
                self._sort_by_mean(at, rightwards)

    def _sort_by_mean(self, at: int, by_left: bool) -> None:
        """Sorts the vertices that have neighbours on a side among the places such vertices have; the others stay."""
        import numpy as np

        gap = self._gaps[at - 1 if by_left else at]
        mine, others = (self._rights, self._lefts) if by_left else (self._lefts, self._rights)
        layer, index = self.layers[at], self._index[mine[gap]]
        weight = self._weights[gap]
        degree = np.bincount(index, weights=weight, minlength=len(layer))
        total = np.bincount(index, weights=weight * self._place[others[gap]], minlength=len(layer))
        rows = self._index[layer]
        linked = degree[rows] > 0
        movable = rows[linked]
        rows[linked] = movable[np.argsort(total[movable] / degree[movable], kind="stable")]
        self._set(at, self._first[at][rows])

    def insert(self, layers: range | list[int], check: Check) -> float:
        """Moves vertices within the given layers, and then those beside what has changed; returns what it brought."""
        count = len(self.layers)
        waiting = [False] * count
        for at in layers:
            waiting[at] = True
        brought = 0.0
        self._work = 0
        for turn in range(ROUNDS):
            if not any(waiting) or self._work > MOST_WORK:
                break
            for at in range(count) if turn % 2 == 0 else range(count - 1, -1, -1):
                if not waiting[at] or self._work > MOST_WORK:
                    continue
                check()
                waiting[at] = False
                gained = self._insert_in(at)
                if gained:
                    brought += gained
                    for beside in (at - 1, at + 1):
                        if 0 <= beside < count:
                            waiting[beside] = True
        return brought

    def _cost(self, at: int) -> Matrix:
        """How many crossings more each vertex has above each other one than below it; rows as in the first order."""
        import numpy as np

        size = len(self.layers[at])
        cost = np.zeros((size, size), dtype=np.float32)
        for gap, mine, others, beside in (
            (at - 1, self._rights, self._lefts, at - 1),
            (at, self._lefts, self._rights, at + 1),
        ):
            if not 0 <= gap < len(self.layers) - 1:
                continue
            segments = self._gaps[gap]
            ends = np.zeros((size, len(self.layers[beside])), dtype=np.float32)
            ends[self._index[mine[segments]], self._place[others[segments]]] = self._weights[segments]
            above = np.cumsum(ends, axis=1) - ends
            crossing = ends @ above.T
            cost += crossing - crossing.T
        return cost

    def _insert_in(self, at: int) -> float:
        """Moves vertices of one layer to better places as long as there are any; returns the crossings removed."""
        import numpy as np

        layer = self.layers[at]
        size = len(layer)
        if not 2 <= size <= WIDEST:
            return 0.0
        rows = self._index[layer]
        cost = self._cost(at)[np.ix_(rows, rows)]
        every = np.arange(size)
        brought = 0.0
        for _ in range(MOVES):
            sums = np.cumsum(cost, axis=1)
            # Row i, column j: what moving i to the place of j brings; its own cell is 0, as cost[i, i] is.
            gains = sums - sums[every, every][:, None]
            gains -= np.tril(cost, -1)
            goals = gains.argmax(axis=1)
            gain = gains[every, goals]
            self._work += size * size
            worth = np.flatnonzero(gain > 0)
            if not len(worth):
                break
            taken = bytearray(size)
            sequence = list(range(size))
            places = goals.tolist()
            for vertex in worth[np.argsort(-gain[worth], kind="stable")].tolist():
                low, high = sorted((vertex, places[vertex]))
                if 1 not in taken[low : high + 1]:
                    taken[low : high + 1] = b"\x01" * (high + 1 - low)
                    sequence.insert(places[vertex], sequence.pop(vertex))
                    brought += float(gain[vertex])
            moved = np.array(sequence)
            rows, cost = rows[moved], cost[np.ix_(moved, moved)]
        if brought:
            self._set(at, self._first[at][rows])
        return brought

    def kick(self, fewest: int, check: Check) -> int:
        """Turns some stretches of layers round and improves what is near; keeps what has fewer crossings."""
        from random import Random

        vertices = len(self._place)
        kicks = KICKS if vertices <= KICKED_UP_TO else 0
        wide = [at for at, layer in enumerate(self.layers) if 3 <= len(layer) <= WIDEST]
        chance: Any = Random(vertices)
        for _ in range(kicks if wide and fewest else 0):
            best = self.layers.copy()
            near: set[int] = set()
            at = chance.choice(wide)
            for disturbed in (at, at + 1, at + 2):
                if disturbed < len(self.layers) and len(self.layers[disturbed]) > 2:
                    layer = self.layers[disturbed].copy()
                    start = chance.randrange(len(layer) - 2)
                    stop = min(len(layer), start + 2 + chance.randrange(6))
                    layer[start:stop] = layer[start:stop][::-1].copy()
                    self._set(disturbed, layer)
                    near |= {disturbed - 1, disturbed, disturbed + 1}
            self.insert([one for one in near if 0 <= one < len(self.layers)], check)
            crossings = self.crossings()
            if crossings <= fewest:
                fewest = crossings
            else:
                self.restore(best)
        return fewest
