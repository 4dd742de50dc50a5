"""The layer of every vertex of an acyclic graph, such that the edges together are as short as possible.

The network simplex method of Gansner, Koutsofios, North and Vo (1993, section 2.3): a spanning tree of tight edges
(of length one) decides all layers; as long as cutting some tree edge and stretching it shortens more edges than it
lengthens, the tree takes in the first other edge that becomes tight.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import takewhile

from hpc_explorer.canvas.layout.layers import Check, Edge, no_check

PIVOTS_PER_VERTEX = 20
"""A limit against endless exchanges of equally good trees; an optimum takes far fewer."""
MANY = 5_000
MOST_MOVED, MOST_MOVED_IF_MANY = 60_000, 20_000
"""Vertices of subtrees looked at, all pivots together, after which the layers of a large graph are good enough, and of
one with more than `MANY` vertices: what is left to gain then are dummies, a twentieth of them, and their crossings."""
SLIDES = 12


def assign_layers(count: int, edges: Sequence[Edge], check: Check = no_check) -> list[int]:
    """Layers from 0 (left) for the vertices of a connected acyclic graph; every edge goes at least one layer right.

    Raises:
        ValueError: the graph is not connected.
    """
    layer = longest_path(count, edges)
    if count > 1:
        _slide(count, edges, layer)
        _Tree(count, edges, layer, check).improve(check)
    lowest = min(layer, default=0)
    return [at - lowest for at in layer]


def longest_path(count: int, edges: Sequence[Edge]) -> list[int]:
    """The leftmost layer each vertex can have."""
    after: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for left, right in edges:
        after[left].append(right)
        waiting[right] += 1
    queue = deque(vertex for vertex in range(count) if waiting[vertex] == 0)
    layer = [0] * count
    while queue:
        vertex = queue.popleft()
        for end in after[vertex]:
            layer[end] = max(layer[end], layer[vertex] + 1)
            waiting[end] -= 1
            if waiting[end] == 0:
                queue.append(end)
    return layer


def _slide(count: int, edges: Sequence[Edge], layer: list[int]) -> None:
    """Moves each vertex to the end of its leeway where more edges pull it, until nothing moves: close to an optimum."""
    after: list[list[int]] = [[] for _ in range(count)]
    before: list[list[int]] = [[] for _ in range(count)]
    for left, right in edges:
        after[left].append(right)
        before[right].append(left)
    sequence = sorted(range(count), key=layer.__getitem__)
    for turn in range(SLIDES):
        moved = False
        for vertex in reversed(sequence) if turn % 2 == 0 else sequence:
            lefts, rights = before[vertex], after[vertex]
            if len(rights) > len(lefts):
                goal = min([layer[end] for end in rights]) - 1
            elif len(lefts) > len(rights):
                goal = max([layer[end] for end in lefts]) + 1
            else:
                continue
            if goal != layer[vertex]:
                layer[vertex] = goal
                moved = True
        if not moved:
            break


class _Tree:
    """A spanning tree of tight edges, with the cut value of each.

    The edges that leave a set of vertices minus those that enter it are the sum of each vertex's own balance
    (outgoing minus incoming): edges inside the set cancel out. So the cut value of a tree edge is that sum
    over the subtree below it, and a change of the tree changes the sums on two paths only.
    """

    def __init__(self, count: int, edges: Sequence[Edge], layer: list[int], check: Check) -> None:
        self._edges = edges
        self._layer = layer
        self._leaving: list[list[int]] = [[] for _ in range(count)]
        self._entering: list[list[int]] = [[] for _ in range(count)]
        for at, (left, right) in enumerate(edges):
            self._leaving[left].append(at)
            self._entering[right].append(at)
        self._moved = 0
        self._parent = [-1] * count
        self._parent_edge = [-1] * count
        self._children: list[set[int]] = [set() for _ in range(count)]
        sequence = self._span(check)
        self._sum = [len(out) - len(into) for out, into in zip(self._leaving, self._entering, strict=True)]
        for vertex in reversed(sequence[1:]):
            self._sum[self._parent[vertex]] += self._sum[vertex]

    def _span(self, check: Check) -> list[int]:
        """Builds the tree from vertex 0, moving what is reached so far until one more edge is tight.

        The layers of what is reached are kept without that move, `shift`, and get it in the end. Edges to what is not
        reached wait in two heaps, as the move makes those that lead out shorter and those that lead in longer.
        """
        layer, edges = self._layer, self._edges
        reached = [False] * len(layer)
        sequence: list[int] = []
        out: list[tuple[int, int, int]] = []
        into: list[tuple[int, int, int]] = []
        shift = pushed = 0
        vertex = 0
        while True:
            reached[vertex] = True
            sequence.append(vertex)
            for edge in self._leaving[vertex]:
                right = edges[edge][1]
                if not reached[right]:
                    heappush(out, (layer[right] - layer[vertex] - 1 + shift, pushed, edge))
                pushed += 1
            for edge in self._entering[vertex]:
                left = edges[edge][0]
                if not reached[left]:
                    heappush(into, (layer[vertex] - layer[left] - 1 - shift, pushed, edge))
                pushed += 1
            layer[vertex] -= shift
            if len(sequence) == len(layer):
                break
            if len(sequence) % 1024 == 0:
                check()
            while out and reached[edges[out[0][2]][1]]:
                heappop(out)
            while into and reached[edges[into[0][2]][0]]:
                heappop(into)
            if not out and not into:
                raise ValueError("the graph is not connected")
            if out and (not into or (out[0][0] - shift, out[0][1]) < (into[0][0] + shift, into[0][1])):
                key, _, edge = heappop(out)
                parent, vertex = edges[edge]
                shift = key
            else:
                key, _, edge = heappop(into)
                vertex, parent = edges[edge]
                shift = -key
            self._hang(vertex, parent, edge)
        for at in range(len(layer)):
            layer[at] += shift
        return sequence

    def _hang(self, vertex: int, parent: int, edge: int) -> None:
        self._parent[vertex], self._parent_edge[vertex] = parent, edge
        self._children[parent].add(vertex)

    def improve(self, check: Check) -> None:
        """Exchanges tree edges until no cut value is negative."""
        count = len(self._layer)
        most = MOST_MOVED if count <= MANY else MOST_MOVED_IF_MANY
        vertex = idle = 0
        for pivot in range(PIVOTS_PER_VERTEX * count):
            while idle < count and not self._worth_cutting(vertex):
                vertex, idle = (vertex + 1) % count, idle + 1
            if idle == count:
                break
            if pivot % 256 == 0:
                check()
            self._pivot(vertex)
            if self._moved > most:
                break
            idle = 0

    def _worth_cutting(self, vertex: int) -> bool:
        edge = self._parent_edge[vertex]
        return edge >= 0 and (self._sum[vertex] if self._edges[edge][0] == vertex else -self._sum[vertex]) < 0

    def _pivot(self, vertex: int) -> None:
        """Cuts the edge above a vertex and moves its subtree until another edge to the rest is tight."""
        is_tail = self._edges[self._parent_edge[vertex]][0] == vertex
        subtree = self._subtree(vertex)
        self._moved += len(subtree)
        entering, least = -1, 0
        layer, edges = self._layer, self._edges
        outer, candidates = (0, self._entering) if is_tail else (1, self._leaving)
        for inside in subtree:
            for edge in candidates[inside]:
                outside = edges[edge][outer]
                if outside not in subtree:
                    slack = abs(layer[inside] - layer[outside]) - 1
                    if entering < 0 or slack < least or (slack == least and edge < entering):
                        entering, least = edge, slack
        if least:
            move = -least if is_tail else least
            for inside in subtree:
                self._layer[inside] += move
        left, right = self._edges[entering]
        inside, outside = (left, right) if left in subtree else (right, left)
        self._rehang(vertex, inside, outside, entering)

    def _subtree(self, vertex: int) -> set[int]:
        found, stack = {vertex}, [vertex]
        while stack:
            children = self._children[stack.pop()]
            found |= children
            stack.extend(children)
        return found

    def _rehang(self, top: int, inside: int, outside: int, edge: int) -> None:
        """Move the subtree of `top` from its parent to `outside`, attached by `inside`."""
        total = self._sum[top]
        self._children[self._parent[top]].discard(top)
        # Above where the two ways to the root meet, what goes here comes there.
        left_behind, joined = self._ways_until_they_meet(self._parent[top], outside)
        for ancestor in left_behind:
            self._sum[ancestor] -= total
        for ancestor in joined:
            self._sum[ancestor] += total
        path = [inside]
        while path[-1] != top:
            path.append(self._parent[path[-1]])
        for upper, lower in reversed(list(zip(path[1:], path, strict=False))):
            self._children[upper].discard(lower)
            self._sum[upper] -= self._sum[lower]
            self._sum[lower] += self._sum[upper]
            self._hang(upper, lower, self._parent_edge[lower])
        self._hang(inside, outside, edge)

    def _ways_until_they_meet(self, one: int, other: int) -> tuple[list[int], list[int]]:
        """The vertices from each of two up to the lowest that is above both, or is one of them; that one left out."""
        parent = self._parent
        up, other_up = one, other
        way, other_way = {one: None}, {other: None}
        while up not in other_way and other_up not in way:
            if parent[up] >= 0:
                up = parent[up]
                way[up] = None
            if parent[other_up] >= 0 and up not in other_way:
                other_up = parent[other_up]
                other_way[other_up] = None
        meeting = up if up in other_way else other_up
        return list(takewhile(meeting.__ne__, way)), list(takewhile(meeting.__ne__, other_way))
