"""The picture of a hierarchy: parents left of their children, each level a column, siblings close together.

A tidy tree (Reingold and Tilford 1981) rotated to grow to the right: subtrees are moved together until their outlines
touch, a parent stands level with the middle of its children. Many children that have no children of their own stand in
a block of several columns in a frame, so that a flat hierarchy does not become a strip; children that are linked by
another label have a block of their own. Many cards that belong to no hierarchy stand in rows below all of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hpc_explorer.canvas.card import Footprint, footprint
from hpc_explorer.canvas.geometry import GRID, Path, Point, Rect, level_curve, union, up_to_grid
from hpc_explorer.canvas.layout.block import CARD_GAP, Block, frame_of, rows_of
from hpc_explorer.canvas.layout.layers import Check, no_check
from hpc_explorer.canvas.layout.lines import Occupied, bundles, card_loop, card_to_card, free_label
from hpc_explorer.canvas.layout.result import Bundle, EdgeLabel, Frame, Layout, Route, finished
from hpc_explorer.canvas.scene import Origin, Scene

FAMILY_GAP = 16.0
"""Between two subtrees, one of which has children."""
COLUMN_GAP = 56.0
BLOCK_FROM, BLOCK_FROM_IF_MANY = 10, 4
"""The number of childless children of one parent that makes a block; fewer in a picture of `MANY` nodes."""
MANY = 150
PAGE = 1.2
"""The preferred ratio of width to height of several hierarchies."""
_MOST_TRIED = 50
STACK_GAP = 96.0
ALONE_GAP = 32.0
"""Between the hierarchies and the cards that belong to none."""


@dataclass(frozen=True, slots=True)
class _Outline:
    """How far a subtree reaches up and down in each level, relative to the middle of its root.

    Args:
        top, bottom: by level, from the root's own on.
        endless: the last level includes all deeper ones, so a block may have any width.
    """

    top: list[float]
    bottom: list[float]
    endless: bool = False

    def at(self, level: int) -> tuple[float, float] | None:
        """The reach in a level; None if the subtree does not come so far."""
        if level >= len(self.top):
            if not self.endless:
                return None
            level = -1
        return self.top[level], self.bottom[level]


@dataclass(slots=True)
class _Subtree:
    """An arranged vertex with its descendants.

    Args:
        vertex: the root.
        parts: its children, from top to bottom, with each part's offset from the root's middle.
        outline: of the subtree.
    """

    vertex: int
    parts: list[tuple[_Subtree | Block, float]]
    outline: _Outline


def arrange_tree(scene: Scene, check: Check = no_check) -> Layout:
    """Places a hierarchy; its edges lead from parents (`SceneEdge.left`) to children (`SceneEdge.right`).

    A node with several parents stands below the first; the other edges are drawn to where it is, and so are those that
    lead aside. A cycle is cut where it comes back to a node that already has its place. If all edges say the same
    ("subclass of") they have no labels.

    Args:
        scene: one hierarchy or several; the order of siblings is that of the scene's nodes.
        check: called regularly; raises to cancel.
    """
    lines = bundles(scene)
    standing = [line for line in lines if scene.edges[line.edges[0]].leads != "aside"]
    footprints = [footprint(node) for node in scene.nodes]
    children, roots = _forest(len(scene.nodes), standing)
    check()
    block_from = BLOCK_FROM if len(scene.nodes) < MANY else BLOCK_FROM_IF_MANY
    labels = {line.right: line.label for line in reversed(standing)}
    alone = [root for root in roots if not children[root]]
    if len(alone) < block_from:
        alone = []
    trees = [
        _arranged(root, children, footprints, block_from, labels) for root in roots if root not in frozenset(alone)
    ]
    check()
    levels = _levels(roots, children, len(scene.nodes))
    places: dict[int, Rect] = {}
    frames: dict[int, Rect] = {}
    left = 0.0
    for stack in _stacks(trees, footprints):
        vertices = [vertex for tree in stack for vertex in _vertices(tree.vertex, children)]
        columns = _columns(left, vertices, levels, footprints)
        top = 0.0
        for tree in stack:
            y = math.ceil((top - min(tree.outline.top)) / GRID) * GRID
            _place(tree, y, columns, footprints, places, frames)
            top = y + max(tree.outline.bottom) + FAMILY_GAP
        left = up_to_grid(max(frames.get(vertex, places[vertex]).right for vertex in vertices) + STACK_GAP)
    if alone:
        around = union([*places.values(), *frames.values()])
        places |= rows_of(alone, footprints, around.width).cards(
            around.x, up_to_grid(around.bottom + ALONE_GAP) if trees else 0.0, footprints
        )
    parent = {child: vertex for vertex, below in enumerate(children) for child in below}
    hanging = {id(line) for line in standing if parent.get(line.right) == line.left}
    routes = [Route(line, _path(line, id(line) in hanging, places, frames)) for line in lines]
    return finished(
        {node.key: places[at] for at, node in enumerate(scene.nodes)},
        {node.key: footprints[at].foot for at, node in enumerate(scene.nodes)},
        routes,
        _labels(routes, places, footprints),
        _frames([line for line in lines if id(line) in hanging], frames),
    )


def _forest(count: int, lines: Sequence[Bundle]) -> tuple[list[list[int]], list[int]]:
    """The children of every vertex, and the roots: each vertex below its first parent, no cycles."""
    below: list[list[int]] = [[] for _ in range(count)]
    has_parent = [False] * count
    for line in lines:
        if line.left != line.right:
            below[line.left].append(line.right)
            has_parent[line.right] = True
    placed = [False] * count
    children: list[list[int]] = [[] for _ in range(count)]
    roots: list[int] = []
    # Vertices below no root are in a cycle, which is entered at its first vertex.
    for start in [v for v in range(count) if not has_parent[v]] + list(range(count)):
        if placed[start]:
            continue
        roots.append(start)
        placed[start] = True
        queue = [start]
        for vertex in queue:
            for child in sorted(set(below[vertex])):
                if not placed[child]:
                    placed[child] = True
                    children[vertex].append(child)
                    queue.append(child)
    return children, roots


def _levels(roots: Sequence[int], children: Sequence[Sequence[int]], count: int) -> list[int]:
    levels = [0] * count
    queue = list(roots)
    for vertex in queue:
        for child in children[vertex]:
            levels[child] = levels[vertex] + 1
            queue.append(child)
    return levels


def _vertices(root: int, children: Sequence[Sequence[int]]) -> list[int]:
    """A root and all below it, parents first."""
    sequence = [root]
    for vertex in sequence:
        sequence.extend(children[vertex])
    return sequence


def _stacks(trees: Sequence[_Subtree], footprints: Sequence[Footprint]) -> list[list[_Subtree]]:
    """The trees of a forest in stacks side by side, so that together they have the proportions of a page.

    Of all heights that the first stack can have, the one is taken with which the page comes nearest to `PAGE`.
    """
    heights = [max(tree.outline.bottom) - min(tree.outline.top) + FAMILY_GAP for tree in trees]
    widths = [_width(tree, footprints) + STACK_GAP for tree in trees]
    best: list[list[_Subtree]] = []
    least = math.inf
    for first in range(1, len(trees) + 1, max(1, len(trees) // _MOST_TRIED)):
        room = max(*heights, sum(heights[:first]))
        stacks: list[list[int]] = []
        filled = math.inf
        for at, height in enumerate(heights):
            if filled + height > room:
                stacks.append([])
                filled = 0.0
            stacks[-1].append(at)
            filled += height
        width = sum(max(widths[at] for at in stack) for stack in stacks) - STACK_GAP
        high = max(sum(heights[at] for at in stack) for stack in stacks)
        off = abs(math.log(width / high / PAGE))
        if off < least:
            least, best = off, [[trees[at] for at in stack] for stack in stacks]
    return best


def _width(tree: _Subtree, footprints: Sequence[Footprint]) -> float:
    """The width of a tree."""
    columns: dict[int, float] = {}
    waiting: list[tuple[_Subtree | Block, int]] = [(tree, 0)]
    for part, level in waiting:
        width = footprints[part.vertex].width if isinstance(part, _Subtree) else part.width
        columns[level] = max(columns.get(level, 0.0), width)
        if isinstance(part, _Subtree):
            waiting.extend((below, level + 1) for below, _ in part.parts)
    return sum(columns.values()) + (len(columns) - 1) * COLUMN_GAP


def _columns(
    left: float, vertices: Sequence[int], levels: Sequence[int], footprints: Sequence[Footprint]
) -> list[tuple[float, float]]:
    """The left edge and the width of each level's column, from `left` on, for some of the vertices."""
    widths = [0.0] * (max(levels[vertex] for vertex in vertices) + 1)
    for vertex in vertices:
        widths[levels[vertex]] = max(widths[levels[vertex]], footprints[vertex].width)
    columns = []
    x = left
    for width in widths:
        columns.append((x, width))
        x += width + COLUMN_GAP
    return columns


def _arranged(
    root: int,
    children: Sequence[Sequence[int]],
    footprints: Sequence[Footprint],
    block_from: int,
    labels: Mapping[int, str],
) -> _Subtree:
    """The subtree of a root, its parts moved together; built from the leaves up, without recursion."""
    done: dict[int, _Subtree] = {}
    for vertex in reversed(_vertices(root, children)):
        parts: list[_Subtree | Block] = [done.pop(child) for child in children[vertex]]
        leaves: dict[str, list[int]] = {}
        for child in children[vertex]:
            if not children[child]:
                leaves.setdefault(labels[child], []).append(child)
        for same in leaves.values():
            if len(same) >= (block_from if len(leaves) == 1 else BLOCK_FROM_IF_MANY):
                inside = set(same)
                parts = [part for part in parts if not (isinstance(part, _Subtree) and part.vertex in inside)]
                parts.append(frame_of(same, footprints))
        done[vertex] = _joined(vertex, parts, footprints[vertex])
    return done[root]


def _joined(vertex: int, parts: list[_Subtree | Block], size: Footprint) -> _Subtree:
    """The subtree of a vertex above parts that are already arranged."""
    own_top, own_bottom = -size.height / 2, size.height / 2 + size.foot
    if not parts:
        return _Subtree(vertex, [], _Outline([own_top], [own_bottom]))
    offsets = [0.0]
    outline = _outline(parts[0])
    for above, part in itertools.pairwise(parts):
        gap = CARD_GAP if _is_leaf(above) and _is_leaf(part) else FAMILY_GAP
        offsets.append(up_to_grid(_distance(outline, _outline(part)) + gap))
        outline = _stacked(outline, _outline(part), offsets[-1])
    middle = math.floor((offsets[0] + offsets[-1]) / 2 / GRID) * GRID
    return _Subtree(
        vertex,
        [(part, offset - middle) for part, offset in zip(parts, offsets, strict=True)],
        _Outline(
            [own_top, *(reach - middle for reach in outline.top)],
            [own_bottom, *(reach - middle for reach in outline.bottom)],
            outline.endless,
        ),
    )


def _outline(part: _Subtree | Block) -> _Outline:
    return part.outline if isinstance(part, _Subtree) else _Outline([-part.height / 2], [part.height / 2], endless=True)


def _is_leaf(part: _Subtree | Block) -> bool:
    return isinstance(part, _Subtree) and not part.parts


def _distance(upper: _Outline, lower: _Outline) -> float:
    """How far the lower one's root must be below the upper one's for the two to touch."""
    distances = []
    for level in range(max(len(upper.top), len(lower.top))):
        above, below = upper.at(level), lower.at(level)
        if above and below:
            distances.append(above[1] - below[0])
    return max(distances)


def _stacked(upper: _Outline, lower: _Outline, offset: float) -> _Outline:
    """The outline of both, the lower one `offset` below the upper one; relative to the upper one's root."""
    top, bottom = [], []
    for level in range(max(len(upper.top), len(lower.top))):
        above, below = upper.at(level), lower.at(level)
        reaches = ([above] if above else []) + ([(below[0] + offset, below[1] + offset)] if below else [])
        top.append(min(reach[0] for reach in reaches))
        bottom.append(max(reach[1] for reach in reaches))
    return _Outline(top, bottom, upper.endless or lower.endless)


def _place(
    tree: _Subtree,
    y: float,
    columns: Sequence[tuple[float, float]],
    footprints: Sequence[Footprint],
    places: dict[int, Rect],
    frames: dict[int, Rect],
) -> None:
    """Turns the offsets into cards; `frames` gets, for every vertex in a block, the block's frame."""
    waiting: list[tuple[_Subtree | Block, float, int]] = [(tree, y, 0)]
    while waiting:
        part, middle, level = waiting.pop()
        x, width = columns[level]
        if isinstance(part, _Subtree):
            height = footprints[part.vertex].height
            places[part.vertex] = Rect(x, middle - height / 2, width, height)
            waiting.extend((below, middle + offset, level + 1) for below, offset in part.parts)
            continue
        frame = Rect(x, middle - part.height / 2, part.width, part.height)
        places |= part.cards(frame.x, frame.y, footprints)
        frames |= dict.fromkeys(part.vertices, frame)


def _frames(hanging: Sequence[Bundle], frames: dict[int, Rect]) -> list[Frame]:
    """Each block's frame with the edges that it represents, separated by origin."""
    standing: dict[tuple[Rect, Origin], list[int]] = {}
    for line in hanging:
        if line.right in frames:
            standing.setdefault((frames[line.right], line.origin), []).extend(line.edges)
    return [Frame(rect, tuple(edges), origin) for (rect, origin), edges in standing.items()]


def _path(line: Bundle, hangs: bool, places: dict[int, Rect], frames: dict[int, Rect]) -> Path:
    """From the parent's right side to the child's left side or its frame; other lines directly."""
    if line.left == line.right:
        return card_loop(places[line.left])
    if not hangs:
        return card_to_card(places[line.source], places[line.target])
    parent_card, child = places[line.left], frames.get(line.right, places[line.right])
    start, end = Point(parent_card.right, parent_card.centre.y), Point(child.x, child.centre.y)
    path = Path(start, (level_curve(start, end),))
    return path if line.source == line.left else path.reversed()


def _labels(routes: Sequence[Route], places: dict[int, Rect], footprints: Sequence[Footprint]) -> list[EdgeLabel]:
    if len({route.bundle.label for route in routes}) < 2:
        return []
    taken = Occupied()
    for at, rect in places.items():
        taken.add(Rect(rect.x, rect.y, rect.width, rect.height + footprints[at].foot))
    for route in routes:
        taken.add_line(route.path)
    return [
        label for route in routes for label in free_label(route.bundle.label, route.bundle.edges, route.path, taken)
    ]
