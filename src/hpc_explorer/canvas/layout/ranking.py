"""The layer of every vertex of an acyclic graph, such that the edges together are as short as possible.

The network simplex method of Gansner, Koutsofios, North and Vo (1993, section 2.3): a spanning tree of tight edges
(of length one) decides all layers; as long as cutting some tree edge and stretching it shortens more edges than it
lengthens, the tree takes in the first other edge that becomes tight.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from hpc_explorer.canvas.layout.layers import Check, Edge, unchecked

PIVOTS_PER_VERTEX = 20
"""A bound against endless exchanges of equally good trees; an optimum takes far fewer."""


def assign_layers(count: int, edges: Sequence[Edge], check: Check = unchecked) -> list[int]:
    """Layers from 0 (left) for the vertices of a connected acyclic graph; every edge goes at least one layer right.

    Raises:
        ValueError: the graph is not connected.
    """
    layer = longest_path(count, edges)
    if count > 1:
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


class _Tree:
    """A spanning tree of tight edges, and what cutting each of its edges would bring.

    The edges that leave a set of vertices minus those that enter it are the sum of each vertex's own balance
    (outgoing minus incoming): edges inside the set cancel out. So the cut value of a tree edge is that sum
    over the subtree below it, and a change of the tree changes the sums on two paths only.
    """

    def __init__(self, count: int, edges: Sequence[Edge], layer: list[int], check: Check) -> None:
        self._edges = edges
        self._layer = layer
        self._incident: list[list[int]] = [[] for _ in range(count)]
        self._balance = [0] * count
        for at, (left, right) in enumerate(edges):
            self._incident[left].append(at)
            self._incident[right].append(at)
            self._balance[left] += 1
            self._balance[right] -= 1
        self._parent = [-1] * count
        self._parent_edge = [-1] * count
        self._children: list[set[int]] = [set() for _ in range(count)]
        sequence = self._span(check)
        self._sum = list(self._balance)
        for vertex in reversed(sequence[1:]):
            self._sum[self._parent[vertex]] += self._sum[vertex]

    def _slack(self, edge: int) -> int:
        left, right = self._edges[edge]
        return self._layer[right] - self._layer[left] - 1

    def _span(self, check: Check) -> list[int]:
        """Builds the tree from vertex 0, moving what is reached so far until one more edge is tight."""
        reached = [False] * len(self._layer)
        reached[0] = True
        sequence, scanned = [0], 0
        while True:
            while scanned < len(sequence):
                vertex = sequence[scanned]
                scanned += 1
                for edge in self._incident[vertex]:
                    left, right = self._edges[edge]
                    end = right if left == vertex else left
                    if not reached[end] and self._slack(edge) == 0:
                        reached[end] = True
                        sequence.append(end)
                        self._hang(end, vertex, edge)
            if len(sequence) == len(self._layer):
                return sequence
            check()
            border = [at for at, (left, right) in enumerate(self._edges) if reached[left] != reached[right]]
            if not border:
                raise ValueError("the graph is not connected")
            nearest = min(border, key=self._slack)
            left, right = self._edges[nearest]
            move = self._slack(nearest) if reached[left] else -self._slack(nearest)
            for vertex in sequence:
                self._layer[vertex] += move
            scanned = sequence.index(left if reached[left] else right)

    def _hang(self, vertex: int, parent: int, edge: int) -> None:
        self._parent[vertex], self._parent_edge[vertex] = parent, edge
        self._children[parent].add(vertex)

    def improve(self, check: Check) -> None:
        """Exchanges tree edges until no cut value is negative."""
        count = len(self._layer)
        vertex = idle = 0
        for pivot in range(PIVOTS_PER_VERTEX * count):
            while idle < count and not self._worth_cutting(vertex):
                vertex, idle = (vertex + 1) % count, idle + 1
            if idle == count:
                break
            if pivot % 256 == 0:
                check()
            self._pivot(vertex)
            idle = 0

    def _worth_cutting(self, vertex: int) -> bool:
        edge = self._parent_edge[vertex]
        return edge >= 0 and (self._sum[vertex] if self._edges[edge][0] == vertex else -self._sum[vertex]) < 0

    def _pivot(self, vertex: int) -> None:
        """Cuts the edge above a vertex and moves its subtree until another edge to the rest is tight."""
        is_tail = self._edges[self._parent_edge[vertex]][0] == vertex
        subtree = self._subtree(vertex)
        entering, least = -1, 0
        for inside in subtree:
            for edge in self._incident[inside]:
                left, right = self._edges[edge]
                goes_in = right == inside
                outside = left if goes_in else right
                if goes_in == is_tail and outside not in subtree:
                    slack = self._slack(edge)
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
        """Takes the subtree of `top` off its parent and hangs it by `inside` below `outside`."""
        total = self._sum[top]
        ancestor = self._parent[top]
        self._children[ancestor].discard(top)
        while ancestor >= 0:
            self._sum[ancestor] -= total
            ancestor = self._parent[ancestor]
        path = [inside]
        while path[-1] != top:
            path.append(self._parent[path[-1]])
        for upper, lower in reversed(list(zip(path[1:], path, strict=False))):
            self._children[upper].discard(lower)
            self._sum[upper] -= self._sum[lower]
            self._sum[lower] += self._sum[upper]
            self._hang(upper, lower, self._parent_edge[lower])
        self._hang(inside, outside, edge)
        ancestor = outside
        while ancestor >= 0:
            self._sum[ancestor] += total
            ancestor = self._parent[ancestor]
