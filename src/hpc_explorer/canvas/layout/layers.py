"""From a directed graph to layers: cycles broken, every edge pointing right, long edges cut by dummy vertices.

The first step of a layered drawing (Sugiyama, Tagawa and Toda 1981) with `ranking`, which chooses the layers; `order`
and `place` are the others. Vertices are numbers here.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Check = Callable[[], None]
"""Called regularly during long work; raises to cancel."""

Edge = tuple[int, int]


def no_check() -> None:
    """The check that never cancels."""


@dataclass
class Layering:
    """Vertices in layers, joined by edges between neighbouring layers only.

    Vertices 0 to `count - 1` are the caller's, those above are dummies on long edges.

    Args:
        count: the number of the caller's vertices.
        layers: the vertices of each layer, from left to right, in their order from top to bottom.
        layer_of: the layer of every vertex.
        before, after: the neighbours of every vertex in the layer to the left and to the right.
        chains: for every edge that was laid out, as given, the vertices from its left to its right end.
    """

    count: int
    layers: list[list[int]]
    layer_of: list[int]
    before: list[list[int]]
    after: list[list[int]]
    chains: dict[Edge, list[int]] = field(default_factory=dict)

    def is_dummy(self, vertex: int) -> bool:
        return vertex >= self.count


def components(count: int, edges: Sequence[Edge]) -> list[list[int]]:
    """The connected parts, each sorted, in the order of their first vertices."""
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for first, second in edges:
        neighbours[first].append(second)
        neighbours[second].append(first)
    seen = [False] * count
    parts = []
    for start in range(count):
        if seen[start]:
            continue
        seen[start] = True
        part, queue = [], [start]
        while queue:
            vertex = queue.pop()
            part.append(vertex)
            for neighbour in neighbours[vertex]:
                if not seen[neighbour]:
                    seen[neighbour] = True
                    queue.append(neighbour)
        parts.append(sorted(part))
    return parts


def without_cycles(count: int, edges: Sequence[Edge]) -> list[Edge]:
    """The edges without cycles, by reversing as few as possible; loops and duplicates are dropped.

    The greedy sequence of Eades, Lin and Smyth (1993): an acyclic graph keeps every edge.
    """
    simple = sorted({edge for edge in edges if edge[0] != edge[1]})
    after: list[list[int]] = [[] for _ in range(count)]
    for left, right in simple:
        after[left].append(right)
    if _acyclic(after):
        return simple
    before: list[list[int]] = [[] for _ in range(count)]
    for left, right in simple:
        before[right].append(left)
    outgoing = [len(ends) for ends in after]
    incoming = [len(ends) for ends in before]
    removed = [False] * count
    first: list[int] = []
    last: list[int] = []
    sources = deque(v for v in range(count) if incoming[v] == 0)
    sinks = deque(v for v in range(count) if outgoing[v] == 0 and incoming[v] > 0)

    def remove(vertex: int) -> None:
        removed[vertex] = True
        for end in after[vertex]:
            incoming[end] -= 1
            if incoming[end] == 0 and not removed[end]:
                sources.append(end)
        for end in before[vertex]:
            outgoing[end] -= 1
            if outgoing[end] == 0 and not removed[end]:
                sinks.append(end)

    left_over = count
    while left_over:
        if sources:
            vertex, sequence = sources.popleft(), first
        elif sinks:
            vertex, sequence = sinks.popleft(), last
        else:
            vertex = max((v for v in range(count) if not removed[v]), key=lambda v: (outgoing[v] - incoming[v], -v))
            sequence = first
        if removed[vertex]:
            continue
        sequence.append(vertex)
        remove(vertex)
        left_over -= 1
    rank = {vertex: at for at, vertex in enumerate(first + last[::-1])}
    return sorted({(a, b) if rank[a] < rank[b] else (b, a) for a, b in simple})


def _acyclic(after: Sequence[Sequence[int]]) -> bool:
    """Whether there is no cycle (all vertices can be removed one after another when they have no incoming edge)."""
    waiting = [0] * len(after)
    for ends in after:
        for end in ends:
            waiting[end] += 1
    free = [vertex for vertex, number in enumerate(waiting) if not number]
    removed = 0
    while free:
        removed += 1
        for end in after[free.pop()]:
            waiting[end] -= 1
            if not waiting[end]:
                free.append(end)
    return removed == len(after)


def with_dummies(
    count: int, edges: Sequence[Edge], layer_of: Sequence[int], shared: Mapping[Edge, object] | None = None
) -> Layering:
    """The layering in which every edge that spans several layers runs over a dummy vertex in each between.

    Args:
        shared: a name for the shared path of edges that run together; such edges have a common end.
    """
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for vertex in range(count):
        layers[layer_of[vertex]].append(vertex)
    result = Layering(count, layers, list(layer_of), [[] for _ in range(count)], [[] for _ in range(count)])
    known: dict[tuple[object, int], int] = {}
    for left, right in edges:
        way = shared.get((left, right)) if shared else None
        chain = [left]
        for layer in range(layer_of[left] + 1, layer_of[right]):
            dummy = known.get((way, layer)) if way is not None else None
            if dummy is None:
                dummy = _add_dummy(result, layer)
                if way is not None:
                    known[way, layer] = dummy
            chain.append(dummy)
        chain.append(right)
        _link(result, chain)
        result.chains[(left, right)] = chain
    return result


def wrapped(layering: Layering, tallest: int) -> Layering:
    """The layering with every layer of more than `tallest` own vertices spread over several columns.

    The k-th vertex of such a layer goes into column k mod columns, so that close vertices stay close. Edges to the
    farther columns run between the rows; those of one neighbour to one row share their path.
    """
    own = [[v for v in layer if not layering.is_dummy(v)] for layer in layering.layers]
    columns = [max(1, -(-len(vertices) // tallest)) for vertices in own]
    if all(number == 1 for number in columns):
        return layering
    first_column = [sum(columns[:at]) for at in range(len(columns))]
    column_of = [0] * layering.count
    row_of = [0] * len(layering.layer_of)
    for at, layer in enumerate(layering.layers):
        rank = 0
        for vertex in layer:
            row_of[vertex] = rank // columns[at]
            if not layering.is_dummy(vertex):
                column_of[vertex] = first_column[at] + rank % columns[at]
                rank += 1
    result = Layering(
        layering.count,
        [[] for _ in range(sum(columns))],
        column_of,
        [[] for _ in range(layering.count)],
        [[] for _ in range(layering.count)],
    )
    # The place of a vertex within its column: its row, through edges before the row's own vertex, then its old rank.
    key: dict[int, tuple[float, int]] = {}
    rank_of = {vertex: rank for layer in layering.layers for rank, vertex in enumerate(layer)}
    for layer in layering.layers:
        for vertex in layer:
            if not layering.is_dummy(vertex):
                result.layers[column_of[vertex]].append(vertex)
                key[vertex] = (row_of[vertex], rank_of[vertex])
    shared: dict[tuple[object, ...], int] = {}

    def passing(owner: tuple[object, ...], column: int, vertex: int) -> int:
        """The dummy in a column for edges that pass at the height of an old vertex."""
        name = (*owner, column)
        if name not in shared:
            shared[name] = _add_dummy(result, column)
            key[shared[name]] = (row_of[vertex] - 0.5, rank_of[vertex])
        return shared[name]

    for edge, chain in layering.chains.items():
        way: list[int] = []
        for at, vertex in enumerate(chain):
            old = layering.layer_of[vertex]
            start, stop = first_column[old], first_column[old] + columns[old]
            if layering.is_dummy(vertex):
                way.extend(passing((vertex,), column, vertex) for column in range(start, stop))
                continue
            if at > 0:
                owner = ("from", chain[at - 1], old, row_of[vertex])
                way.extend(passing(owner, column, vertex) for column in range(start, column_of[vertex]))
            way.append(vertex)
            if at < len(chain) - 1:
                owner = ("to", chain[at + 1], old, row_of[vertex])
                way.extend(passing(owner, column, vertex) for column in range(column_of[vertex] + 1, stop))
        _link(result, way)
        result.chains[edge] = way
    for column_vertices in result.layers:
        column_vertices.sort(key=lambda vertex: key[vertex])
    return result


def _add_dummy(layering: Layering, layer: int) -> int:
    vertex = len(layering.layer_of)
    layering.layer_of.append(layer)
    layering.layers[layer].append(vertex)
    layering.before.append([])
    layering.after.append([])
    return vertex


def _link(layering: Layering, chain: Sequence[int]) -> None:
    for left, right in itertools.pairwise(chain):
        # A dummy has one neighbour on the side it came from, so the shorter list is searched.
        if (
            left not in layering.before[right]
            if len(layering.before[right]) < len(layering.after[left])
            else (right not in layering.after[left])
        ):
            layering.after[left].append(right)
            layering.before[right].append(left)
