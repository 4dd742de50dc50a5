"""The parts of lines between neighbouring layers, in arrays, and how often they cross: what `order_arrays` works on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from hpc_explorer.canvas.layout.layers import Layering

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Matrix = NDArray[np.float32]


class Side(NamedTuple):
    """The segments from a layer to one beside it, those of one vertex together.

    Args:
        beside: the layer beside it.
        mine, others: the ends of each, as rows of the two layers.
        weights: the number of edges of each.
        linked: the rows with edges.
        starts: the first segment of each of these.
        degree: the number of edges of each row; 1 if it has none.
    """

    beside: int
    mine: Numbers
    others: Numbers
    weights: Matrix
    linked: Numbers
    starts: Numbers
    degree: Matrix


class Segments:
    """All segments of a layering. They know a vertex by its row, the place that it had in its layer at first.

    Attributes:
        vertices: those of all layers, one layer after the other, from row 0 on.
        bounds: where each layer begins among these; last their number.
        sides: the segments from each layer to the one on its left (True) and on its right (False).
    """

    def __init__(self, layering: Layering) -> None:
        import numpy as np

        sizes = [len(layer) for layer in layering.layers]
        self.vertices = np.array([vertex for layer in layering.layers for vertex in layer], dtype=np.int64)
        self._starts = np.cumsum([0, *sizes])
        self._layer_of = np.repeat(np.arange(len(sizes)), sizes)
        self.bounds: list[int] = self._starts.tolist()
        weight: dict[tuple[int, int], int] = {}
        for chain in layering.chains.values():
            for segment in pairwise(chain):
                weight[segment] = weight.get(segment, 0) + 1
        number = np.empty(len(self.vertices), dtype=np.int64)
        number[self.vertices] = np.arange(len(number))
        segments = number[np.array(list(weight), dtype=np.int64).reshape(-1, 2)]
        weights = np.fromiter(weight.values(), dtype=np.float32, count=len(weight))
        by_left, by_right = np.lexsort(segments.T[::-1]), np.lexsort(segments.T)
        lefts, rights = segments.T
        self.sides: dict[tuple[int, bool], Side] = {}
        self._add_sides(False, lefts[by_left], rights[by_left], weights[by_left])
        self._add_sides(True, rights[by_right], lefts[by_right], weights[by_right])
        self._lefts, self._rights = lefts[by_left], rights[by_left]
        self._edges = weights[by_left].astype(np.int64)
        self._left_start = self._starts[self._layer_of[self._lefts]]
        self._right_start = self._starts[self._layer_of[self._rights]]

    def _add_sides(self, on_left: bool, mine: Numbers, others: Numbers, weights: Matrix) -> None:
        """Add the segments on one side of all layers, in the order of the vertices."""
        import numpy as np

        first = np.searchsorted(mine, self._starts)
        new = np.flatnonzero(np.diff(mine, prepend=-1))
        groups = np.searchsorted(new, first).tolist()
        degree = np.maximum(np.bincount(mine, weights=weights, minlength=len(self.vertices)), 1).astype(np.float32)
        layers = self._layer_of[mine]
        own_rows, other_rows = mine - self._starts[layers], others - self._starts[self._layer_of[others]]
        linked, begins = own_rows[new], new - first[layers[new]]
        own = first.tolist()
        count = len(self.bounds) - 1
        for at in range(count):
            beside = at - 1 if on_left else at + 1
            if 0 <= beside < count:
                segments, rows = slice(own[at], own[at + 1]), slice(groups[at], groups[at + 1])
                self.sides[at, on_left] = Side(
                    beside,
                    own_rows[segments],
                    other_rows[segments],
                    weights[segments],
                    linked[rows],
                    begins[rows],
                    degree[self.bounds[at] : self.bounds[at + 1]],
                )

    def crossings(self, places: Sequence[Numbers]) -> int:
        """The number of crossing pairs of edges, given the place of each row in every layer."""
        import numpy as np

        place = np.concatenate(places)
        left, right = self._left_start + place[self._lefts], self._right_start + place[self._rights]
        by_left = np.argsort(left * len(place) + right)
        return inversions(right[by_left], self._edges[by_left])


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
