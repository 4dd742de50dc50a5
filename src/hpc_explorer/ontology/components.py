"""Find cycles in a directed graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node")


def components(nodes: Iterable[Node], steps: Callable[[Node], Iterable[Node]]) -> Mapping[Node, Node]:
    """Map each node to one representative of its strongly connected component.

    Tarjan's algorithm (R. Tarjan, 1972) without recursion. Representatives are in reverse topological order: a
    component comes after all that it leads to.
    """
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    representative: dict[Node, Node] = {}
    for start in nodes:
        if start in index:
            continue
        work = [(start, iter(steps(start)))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, following = work[-1]
            for other in following:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(steps(other))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        representative[member] = node
                        if member == node:
                            break
    return representative
