"""The order of the vertices within their layers, for more than a few dozen of them: the task of `order`, in arrays.

From a first order, as a walk from the left or from the right meets the vertices, sweeps sort each layer by the mean
place of its neighbours. Then vertices are inserted where they cross least: the crossings of a layer depend on the order
of pairs only, so one matrix says for every pair which way round is better, and its sums along a row what each move
of a vertex would bring (the sifting of Matuszewski, Schönfeld and Molitor 1999, for all vertices of a layer at once,
the best moves that do not touch each other together). All counts of sweeps are fixed: the same graph gets the same
order.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from hpc_explorer.canvas.layout.layers import Check, Layering, unchecked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Matrix = NDArray[np.float32]

STARTS = ((True, True), (True, False), (False, False))
"""Whether the walk for the first order, and the first sweep, begin at the left."""
TRIED_UP_TO = 1_200
"""Vertices, dummies included, up to which all these starts are made and improved; else one, with more sweeps."""
SWEEPS, SWEEPS_OF_ONE, FEWEST_SWEEPS = 8, 16, 4
MOST_SORTED = 5_000
"""Layers sorted, all sweeps together, of more than `FEWEST_SWEEPS`."""
ROUNDS = 24
"""Of insertions over all layers; nearly always they end sooner because nothing is left to gain."""
MOVES = 3
"""Steps of insertions in a layer before the next layer's turn."""
MOST_WORK, LAYER_WORK = 16_000_000, 10_000
"""Cells of matrices looked at, in one run of insertions over all layers, and how many cells a layer counts for beside
its own; in graphs of thousands this ends them."""
DENSE = 8
"""Segments for each vertex of a layer, on one side, from which a product of matrices counts their crossings."""
WIDEST = 500
"""Vertices of a layer up to which a matrix is made for it."""
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
    started = _started(order, len(layering.layer_of), check)
    if improved is not None:
        order.restore(started[0])
        order.store(layering)
        improved()
    ended: list[tuple[int, list[Numbers]]] = []
    for layers in started:
        order.restore(layers)
        order.insert(range(len(layers)), check)
        ended.append((order.crossings(), order.layers.copy()))
    fewest, best = min(ended, key=lambda one: one[0])
    order.restore(best)
    fewest = order.kick(fewest, check)
    order.store(layering)
    return fewest


def _started(order: _Order, vertices: int, check: Check) -> list[list[Numbers]]:
    """The layers after walks and sweeps, those that cross least first."""
    given = order.layers.copy()
    if vertices > TRIED_UP_TO:
        order.walk(True)
        from_left = order.crossings(), order.layers.copy()
        order.restore(given)
        order.walk(False)
        # A graph that fans out to the left; else the walk from the left ends better even if it begins a little worse.
        fans_out = 2 * order.crossings() < from_left[0]
        if not fans_out:
            order.restore(from_left[1])
        order.sweep(not fans_out, max(FEWEST_SWEEPS, min(SWEEPS_OF_ONE, MOST_SORTED // len(given))), check)
        return [order.layers.copy()]
    found: list[tuple[int, list[Numbers]]] = []
    for walk_from_left, sweep_from_left in STARTS:
        order.restore(given)
        order.walk(walk_from_left)
        order.sweep(sweep_from_left, SWEEPS, check)
        found.append((order.crossings(), order.layers.copy()))
    return [layers for _, layers in sorted(found, key=lambda one: one[0])]


def inversions(values: Numbers, weights: Numbers) -> int:
    """The weight of all pairs of which the later value is the smaller: of each pair the product of both weights.

    Counted bit by bit of the positions: where two positions differ first, the one is in the left half and the other in
    the right half of a run of positions, and the halves are kept sorted by value.
    """
    import numpy as np

    size = len(values)
    at = np.argsort(values, kind="stable")
    place = np.arange(size)
    total = 0
    for bit in range(max(size - 1, 0).bit_length() - 1, -1, -1):
        right = (at >> bit) & 1
        start = (at >> (bit + 1)) << (bit + 1)
        left = right == 0
        weight = weights[at]
        passed = np.concatenate(([0], np.cumsum(right * weight)))
        total += int((weight * (passed[:-1] - passed[start]))[left].sum())
        running = np.concatenate(([0], np.cumsum(right)))
        rights_before = running[:-1] - running[start]
        half = np.minimum(1 << bit, size - start)
        there = np.where(left, place - rights_before, start + half + rights_before)
        moved = np.empty_like(at)
        moved[there] = at
        at = moved
    return total


class _Side(NamedTuple):
    """The segments from a layer to one beside it, those of one vertex together.

    Args:
        beside: the layer beside it.
        mine, others: the ends of each, as rows of the two layers.
        weights: how many edges each stands for.
        linked: the rows that have any.
        starts: where the segments of each of these begin.
        degree: how many edges each row has; 1 if it has none.
    """

    beside: int
    mine: Numbers
    others: Numbers
    weights: Matrix
    linked: Numbers
    starts: Numbers
    degree: Matrix


class _Order:
    """The order of every layer, as rows: the places its vertices had at first; and the segments between layers."""

    def __init__(self, layering: Layering) -> None:
        import numpy as np

        sizes = [len(layer) for layer in layering.layers]
        starts = np.cumsum([0, *sizes])
        self._vertices = np.array([vertex for layer in layering.layers for vertex in layer], dtype=np.int64)
        self._bounds = starts.tolist()
        self._sizes = sizes
        self._before, self._after = layering.before, layering.after
        self._every = np.arange(max(sizes, default=0))
        widest = min(WIDEST, len(self._every))
        self._lower = np.tri(widest, k=-1, dtype=np.float32)
        """1 below the diagonal."""
        self.layers: list[Numbers] = [self._every[:size] for size in sizes]
        self._places: list[Numbers] = self.layers.copy()
        """For every layer the place of each row."""
        self._work = 0
        weight: dict[tuple[int, int], int] = {}
        for chain in layering.chains.values():
            for segment in pairwise(chain):
                weight[segment] = weight.get(segment, 0) + 1
        number = np.empty(len(self._vertices), dtype=np.int64)
        number[self._vertices] = np.arange(len(number))
        segments = number[np.array(list(weight), dtype=np.int64).reshape(-1, 2)]
        weights = np.fromiter(weight.values(), dtype=np.float32, count=len(weight))
        layer_of = np.repeat(np.arange(len(sizes)), sizes)
        self._sides: dict[tuple[int, bool], _Side] = {}
        """By layer, and whether the segments are those on its left."""
        for on_left in (False, True):
            mine, others = (segments[:, 1], segments[:, 0]) if on_left else (segments[:, 0], segments[:, 1])
            by_mine = np.lexsort((others, mine))
            self._add_sides(on_left, mine[by_mine], others[by_mine], weights[by_mine], layer_of)
        by_left = np.lexsort((segments[:, 1], segments[:, 0]))
        self._lefts, self._rights = segments[by_left].T
        self._edges = weights[by_left].astype(np.int64)
        self._left_start, self._right_start = starts[layer_of[self._lefts]], starts[layer_of[self._rights]]

    def _add_sides(self, on_left: bool, mine: Numbers, others: Numbers, weights: Matrix, layer_of: Numbers) -> None:
        """Takes in the segments on one side of all layers, given in the order of the vertices."""
        import numpy as np

        starts = np.array(self._bounds)
        first = np.searchsorted(mine, starts)
        new = np.flatnonzero(np.diff(mine, prepend=-1))
        groups = np.searchsorted(new, first).tolist()
        degree = np.maximum(np.bincount(mine, weights=weights, minlength=len(layer_of)), 1).astype(np.float32)
        layers = layer_of[mine]
        own_rows, other_rows = mine - starts[layers], others - starts[layer_of[others]]
        linked, begins = own_rows[new], new - first[layers[new]]
        own = first.tolist()
        for at in range(len(self._sizes)):
            beside = at - 1 if on_left else at + 1
            if 0 <= beside < len(self._sizes):
                segments, rows = slice(own[at], own[at + 1]), slice(groups[at], groups[at + 1])
                self._sides[at, on_left] = _Side(
                    beside,
                    own_rows[segments],
                    other_rows[segments],
                    weights[segments],
                    linked[rows],
                    begins[rows],
                    degree[self._bounds[at] : self._bounds[at + 1]],
                )

    def restore(self, layers: list[Numbers]) -> None:
        """Takes another order."""
        for at, rows in enumerate(layers):
            self._set(at, rows)

    def store(self, layering: Layering) -> None:
        """Puts this order into the layering it was made from."""
        vertices = self._vertices
        layering.layers[:] = [
            vertices[start + rows].tolist() for start, rows in zip(self._bounds, self.layers, strict=False)
        ]

    def _set(self, at: int, rows: Numbers) -> None:
        import numpy as np

        self.layers[at] = rows
        places = np.empty_like(rows)
        places[rows] = self._every[: len(rows)]
        self._places[at] = places

    def crossings(self) -> int:
        """How many pairs of edges cross."""
        import numpy as np

        place = np.concatenate(self._places)
        left, right = self._left_start + place[self._lefts], self._right_start + place[self._rights]
        by_left = np.argsort(left * len(place) + right)
        return inversions(right[by_left], self._edges[by_left])

    def walk(self, from_left: bool) -> None:
        """The first order: as a walk from one side meets the vertices, so that what belongs together is close."""
        import numpy as np

        rank = [-1] * len(self._vertices)
        met = 0
        ends_of = self._after if from_left else self._before
        vertices = self._vertices.tolist()
        bounds = list(pairwise(self._bounds))
        for start, stop in bounds if from_left else bounds[::-1]:
            for root in vertices[start:stop]:
                stack = [root] if rank[root] < 0 else []
                while stack:
                    vertex = stack.pop()
                    if rank[vertex] < 0:
                        rank[vertex] = met
                        met += 1
                        stack.extend(reversed(ends_of[vertex]))
        ranks = np.array(rank)[self._vertices]
        for at, (start, stop) in enumerate(bounds):
            self._set(at, np.argsort(ranks[start:stop]))

    def sweep(self, from_left: bool, sweeps: int, check: Check) -> None:
        """Sorts layer by layer, to the one side and back."""
        count = len(self.layers)
        for sweep in range(sweeps):
            check()
            rightwards = (sweep % 2 == 0) == from_left
            for at in range(1, count) if rightwards else range(count - 2, -1, -1):
                self._sort_by_mean(at, rightwards)

    def _sort_by_mean(self, at: int, by_left: bool) -> None:
        """Sorts the vertices that have neighbours on a side among the places such vertices have; the others stay."""
        import numpy as np

        beside, mine, others, weights, linked, _, degree = self._sides[at, by_left]
        rows = self.layers[at]
        mean = np.bincount(mine, weights=weights * self._places[beside].take(others), minlength=len(rows)) / degree
        if len(linked) == len(rows):
            self._set(at, rows.take(mean.take(rows).argsort(kind="stable")))
        elif len(linked):
            places = np.sort(self._places[at][linked])
            movable = rows[places]
            rows = rows.copy()
            rows[places] = movable[np.argsort(mean[movable], kind="stable")]
            self._set(at, rows)

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

        size = self._sizes[at]
        cost = np.zeros((size, size), dtype=np.float32)
        for on_left in (True, False):
            side = self._sides.get((at, on_left))
            if side is None or not len(side.mine):
                continue
            beside, mine, others, weights, linked, starts, _ = side
            places = self._places[beside].take(others)
            ends = np.zeros((size, self._sizes[beside]), dtype=np.float32)
            ends[mine, places] = weights
            above = ends.cumsum(axis=1)
            above -= ends
            self._work += size * len(mine)
            if len(mine) > DENSE * size:
                crossing = ends @ above.T
            else:
                # Segment by segment: the edges of each vertex that end above it there.
                passed = above.take(places, axis=1)
                passed *= weights
                of_linked = np.add.reduceat(passed, starts, axis=1).T
                if len(linked) == size:
                    crossing = of_linked
                else:
                    crossing = np.zeros((size, size), dtype=np.float32)
                    crossing[linked] = of_linked
            cost += crossing
            cost -= crossing.T
        return cost

    def _insert_in(self, at: int) -> float:
        """Moves vertices of one layer to better places, a few steps long; returns the crossings removed."""
        import numpy as np

        rows = self.layers[at]
        size = len(rows)
        if not 2 <= size <= WIDEST:
            return 0.0
        self._work += LAYER_WORK
        cost = self._cost(at)
        brought = 0.0
        for _ in range(MOVES):
            ordered = cost.take(rows, axis=0).take(rows, axis=1)
            # Row i, column j: what moving i to the place of j brings; its own cell is 0, as the cost of i to itself is.
            gains = ordered.cumsum(axis=1)
            gains -= gains.diagonal()[:, None].copy()
            ordered *= self._lower[:size, :size]
            gains -= ordered
            goals = gains.argmax(axis=1)
            gain = gains[self._every[:size], goals]
            self._work += size * size
            worth = np.flatnonzero(gain > 0)
            if not len(worth):
                break
            taken = bytearray(size)
            sequence = rows.tolist()
            places = goals.tolist()
            for vertex in worth[np.argsort(-gain[worth], kind="stable")].tolist():
                low, high = sorted((vertex, places[vertex]))
                if 1 not in taken[low : high + 1]:
                    taken[low : high + 1] = b"\x01" * (high + 1 - low)
                    sequence.insert(places[vertex], sequence.pop(vertex))
                    brought += float(gain[vertex])
            rows = np.array(sequence)
        if brought:
            self._set(at, rows)
        return brought

    def kick(self, fewest: int, check: Check) -> int:
        """Turns some stretches of layers round and improves what is near; keeps what has fewer crossings."""
        from random import Random

        vertices = len(self._vertices)
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
