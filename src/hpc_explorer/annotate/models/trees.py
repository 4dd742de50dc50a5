"""Compute the levels of decision tree nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hpc_explorer.annotate.models.facts import TreeNode


def placed(nodes: Mapping[int, TreeNode], root: int = 0) -> tuple[TreeNode, ...]:
    """The nodes reachable from the root with their levels, by number.

    Raises:
        ValueError: a child does not exist or has two parents.
    """
    found: dict[int, TreeNode] = {}
    level = [root]
    distance = 0
    while level:
        below: list[int] = []
        for number in level:
            if number not in nodes or number in found:
                raise ValueError(f"node {number} of a tree is missing, or has two above it")
            node = replace(nodes[number], level=distance)
            found[number] = node
            below.extend(child for child in (node.true_child, node.false_child) if child is not None)
        level, distance = below, distance + 1
    return tuple(found[number] for number in sorted(found))
