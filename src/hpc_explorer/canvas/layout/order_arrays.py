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
from typing import TYPE_CHECKING, Any

from hpc_explorer.canvas.layout.layers import Check, Layering, no_check
from hpc_explorer.canvas.layout.segments import Segments

if TYPE_CHECKING:
    from hpc_explorer.canvas.layout.segments import Matrix, Numbers

STARTS = ((True, True), (True, False), (False, False), (False, True))
"""Whether the walk for the first order, and the first sweep, begin at the left."""
STARTED_UP_TO = 850
"""Vertices without dummies up to which all these starts are made; else there is one."""
TRIED_UP_TO = 1_200
"""Vertices, dummies included, up to which all starts are improved by insertions, else the best."""
MOST_SWEEPS, FEWEST_SWEEPS = 16, 4
MOST_SORTED = 5_000
"""The most layers sorted in all sweeps beyond `FEWEST_SWEEPS`."""
ROUNDS, ROUNDS_OF_ONE = 24, 4
"""Of insertions over all layers; 24 nearly always end sooner because nothing is left to gain; 4 bring most of it."""
MOVES = 3
"""The number of insertion steps in a layer before the next layer."""
MANY = 10_000
"""The number of vertices, including dummies, of a large graph."""
MOST_WORK, MOST_WORK_IF_MANY = 40_000_000, 16_000_000
"""Cells of matrices looked at, in one run of insertions over all layers; in graphs of thousands this ends them."""
LAYER_WORK = 10_000
"""Cells that a layer counts for beside its own."""
DENSE = 8
"""Segments for each vertex of a layer, on one side, from which a product of matrices counts their crossings."""
WIDEST = 500
"""The most vertices of a layer with a matrix."""
KICKS, FEWER_KICKS = 40, 10
"""The number of times that layers are perturbed and improved again."""
KICKED_UP_TO = 600
"""Vertices, dummies included, up to which that is done as often; else less often, and never if there is one start."""


def reduce_crossings_in_arrays(
    layering: Layering, check: Check = no_check, improved: Callable[[], None] | None = None
) -> int:
    """Reorders `layering.layers` in place; returns the number of remaining crossings.

    Args:
        improved: called once, as soon as there is a first good order.
    """
    order = _Order(layering)
    started = _started(order, check)
    if improved is not None:
        order.restore(started[0])
        order.store(layering)
        improved()
    ended: list[tuple[int, list[Numbers]]] = []
    for layers in started if len(layering.layer_of) <= TRIED_UP_TO else started[:1]:
        order.restore(layers)
        order.insert(range(len(layers)), check)
        ended.append((order.crossings(), order.layers.copy()))
    fewest, best = min(ended, key=lambda one: one[0])
    order.restore(best)
    fewest = order.kick(fewest, check)
    order.store(layering)
    return fewest


def _started(order: _Order, check: Check) -> list[list[Numbers]]:
    """The layers after walks and sweeps, those with the fewest crossings first."""
    if not order.several:
        order.walk(True)
        from_left = order.crossings(), order.layers.copy()
        order.walk(False)
        # A graph that fans out to the left; otherwise the walk from the left ends better even if it begins slightly
        # worse.
        fans_out = 2 * order.crossings() < from_left[0]
        if not fans_out:
            order.restore(from_left[1])
        order.sweep(not fans_out, max(FEWEST_SWEEPS, min(MOST_SWEEPS, MOST_SORTED // len(order.layers))), check)
        return [order.layers.copy()]
    found: list[tuple[int, list[Numbers]]] = []
    for walk_from_left, sweep_from_left in STARTS:
        order.walk(walk_from_left)
        order.sweep(sweep_from_left, MOST_SWEEPS, check)
        found.append((order.crossings(), order.layers.copy()))
    return [layers for _, layers in sorted(found, key=lambda one: one[0])]


class _Order:
    """The order of every layer, as rows, with operations that improve it."""

    def __init__(self, layering: Layering) -> None:
        import numpy as np

        self._segments = Segments(layering)
        self.several = layering.count <= STARTED_UP_TO
        """Whether the graph is small enough for several starts."""
        self._before, self._after = layering.before, layering.after
        self._sizes = [len(layer) for layer in layering.layers]
        self._every = np.arange(max(self._sizes, default=0))
        self._lower = np.tri(min(WIDEST, len(self._every)), k=-1, dtype=np.float32)
        """1 below the diagonal."""
        self.layers: list[Numbers] = [self._every[:size] for size in self._sizes]
        self._places: list[Numbers] = self.layers.copy()
        """For every layer the place of each row."""
        self._work = 0

    def restore(self, layers: list[Numbers]) -> None:
        """Set another order."""
        for at, rows in enumerate(layers):
            self._set(at, rows)

    def store(self, layering: Layering) -> None:
        """Apply this order to the layering it was made from."""
        vertices, bounds = self._segments.vertices, self._segments.bounds
        layering.layers[:] = [vertices[start + rows].tolist() for start, rows in zip(bounds, self.layers, strict=False)]

    def _set(self, at: int, rows: Numbers) -> None:
        import numpy as np

        self.layers[at] = rows
        places = np.empty_like(rows)
        places[rows] = self._every[: len(rows)]
        self._places[at] = places

    def crossings(self) -> int:
        """The number of crossing pairs of edges."""
        return self._segments.crossings(self._places)

    def walk(self, from_left: bool) -> None:
        """The initial order: by a traversal from one side, which keeps related vertices close."""
        import numpy as np

        segments = self._segments
        rank = [-1] * len(segments.vertices)
        met = 0
        ends_of = self._after if from_left else self._before
        vertices = segments.vertices.tolist()
        bounds = list(pairwise(segments.bounds))
        for start, stop in bounds if from_left else bounds[::-1]:
            for root in vertices[start:stop]:
                stack = [root] if rank[root] < 0 else []
                while stack:
                    vertex = stack.pop()
                    if rank[vertex] < 0:
                        rank[vertex] = met
                        met += 1
                        stack.extend(reversed(ends_of[vertex]))
        ranks = np.array(rank)[segments.vertices]
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

        beside, mine, others, weights, linked, _, degree = self._segments.sides[at, by_left]
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
        """Moves vertices within the given layers, then in the layers beside changed ones; returns the gain."""
        count = len(self.layers)
        waiting = [False] * count
        for at in layers:
            waiting[at] = True
        brought = 0.0
        self._work = 0
        vertices = len(self._segments.vertices)
        most = MOST_WORK if vertices < MANY else MOST_WORK_IF_MANY
        for turn in range(ROUNDS if self.several else ROUNDS_OF_ONE):
            if not any(waiting) or self._work > most:
                break
            for at in range(count) if turn % 2 == 0 else range(count - 1, -1, -1):
                if not waiting[at] or self._work > most:
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
            side = self._segments.sides.get((at, on_left))
            if side is None or not len(side.mine):
                continue
            beside, mine, others, weights, linked, starts, _ = side
            places = self._places[beside].take(others)
            ends = np.zeros((size, self._sizes[beside]), dtype=np.float32)
            ends[mine, places] = weights
            above = ends.cumsum(axis=1)
            self._work += size * len(mine)
            if len(mine) > DENSE * size:
                crossing = ends @ above.T
            else:
                # Segment by segment: the edges of each vertex that end above it there, or with it.
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
        """Reverse some ranges of layers and improve their surroundings; keep the order with fewer crossings."""
        from random import Random

        vertices = len(self._segments.vertices)
        kicks = KICKS if vertices <= KICKED_UP_TO else FEWER_KICKS if self.several else 0
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
