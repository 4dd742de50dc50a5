"""The layout of a scene that has grown: old nodes keep their places, new ones are placed beside linked nodes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from hpc_explorer.canvas.card import Footprint, footprint
from hpc_explorer.canvas.geometry import Path, Rect
from hpc_explorer.canvas.layout.free import Floor
from hpc_explorer.canvas.layout.layers import Check, no_check
from hpc_explorer.canvas.layout.lines import bundles, card_loop, card_to_card
from hpc_explorer.canvas.layout.result import Bundle, Layout, Route, finished
from hpc_explorer.canvas.layout.spread import LABELLED_UP_TO, middle_of, placed_labels, straight_routes, with_foot
from hpc_explorer.canvas.scene import Scene, SceneNode

AWAY = 88.0
"""Between a card and the new ones linked to it: room for a line and a short label."""
PART_GAP = 96.0


def arrange_beside(scene: Scene, placed: Mapping[str, Rect], check: Check = no_check) -> Layout:
    """Places the new nodes of a scene beside the old ones, without overlap; the old ones stay exactly where they are.

    A new node is placed right of its sources and left of its targets; in a force layout away from the middle of the
    picture. Nodes without links to old ones are placed below. The layout keeps the old ones' coordinates. The
    order of the scene's nodes has no influence.

    Args:
        scene: with the old nodes and the new ones.
        placed: the cards of the old nodes, by key; the cards of nodes that the scene no longer has are left out.
        check: called regularly; raises to cancel.
    """
    lines = bundles(scene)
    footprints = [footprint(node) for node in scene.nodes]
    linked: list[list[Bundle]] = [[] for _ in scene.nodes]
    for line in lines:
        if line.source != line.target:
            linked[line.left].append(line)
            linked[line.right].append(line)
    cards = {at: placed[node.key] for at, node in enumerate(scene.nodes) if node.key in placed}
    floor = Floor()
    for at, card in cards.items():
        floor.take(with_foot(card, footprints[at]))
    middle = middle_of(cards.values())

    def settle(at: int, x: float, y: float, side: int = 0) -> None:
        size = footprints[at]
        card = floor.settle(Rect(x, y - size.height / 2, size.width, size.height + size.foot), side)
        cards[at] = Rect(card.x, card.y, size.width, size.height)

    def wish(at: int) -> tuple[float, float, int]:
        """The left edge and the middle's height that a node linked to settled ones should have, and their free side."""
        beside = [
            (cards[line.left if line.right == at else line.right], line.right == at)
            for line in linked[at]
            if (line.left if line.right == at else line.right) in cards
        ]
        beside.sort()
        y = math.fsum(card.centre.y for card, _ in beside) / len(beside)
        width = footprints[at].width
        if scene.arrangement == "force":
            x = sum(card.centre.x for card, _ in beside) / len(beside)
            far = math.hypot(x - middle.x, y - middle.y)
            right, down = ((x - middle.x) / far, (y - middle.y) / far) if far else (1.0, 0.0)
            return x + right * (width + AWAY) - width / 2, y + down * AWAY, 0
        after = [card.right for card, right_of in beside if right_of]
        if after:
            return max(after) + AWAY, y, 1
        return min(card.x for card, _ in beside) - AWAY - width, y, -1

    by_key = sorted(range(len(scene.nodes)), key=lambda at: scene.nodes[at].key)
    queue = [at for at in by_key if at in cards]
    queued = set(queue)
    lonely = iter(by_key)
    while True:
        for at in queue:
            check()
            if at not in cards:
                settle(at, *wish(at))
            neighbours = {line.left if line.right == at else line.right for line in linked[at]} - queued
            queue += sorted(neighbours, key=lambda end: scene.nodes[end].key)
            queued |= neighbours
        start = next((at for at in lonely if at not in cards), None)
        if start is None:
            break
        left = min((card.x for card in cards.values()), default=0.0)
        bottom = max((card.bottom + footprints[at].foot for at, card in cards.items()), default=-PART_GAP)
        settle(start, left, bottom + PART_GAP + footprints[start].height / 2)
        queue, queued = [start], queued | {start}
    if scene.arrangement != "force":
        _in_order(scene, cards, footprints, linked, [at for at in by_key if scene.nodes[at].key not in placed])
    if scene.arrangement == "force":
        routes = straight_routes(cards, lines)
    else:
        routes = [Route(line, _path(line, cards)) for line in lines]
    return finished(
        {node.key: cards[at] for at, node in enumerate(scene.nodes)},
        {node.key: footprints[at].foot for at, node in enumerate(scene.nodes)},
        routes,
        placed_labels(cards, footprints, routes) if len(routes) <= LABELLED_UP_TO else [],
        stay=True,
    )


def _in_order(
    scene: Scene,
    cards: dict[int, Rect],
    footprints: Sequence[Footprint],
    linked: Sequence[Sequence[Bundle]],
    new: Iterable[int],
) -> None:
    """Order new cards with the same links by name within their columns."""
    alike: dict[tuple[frozenset[tuple[int, bool]], float, float], list[int]] = {}
    for at in new:
        ends = frozenset((line.left if line.right == at else line.right, line.right == at) for line in linked[at])
        alike.setdefault((ends, footprints[at].height, footprints[at].foot), []).append(at)
    for (ends, _, _), several in alike.items():
        if len(several) == 1 or not ends:
            continue
        on_the_right = cards[several[0]].x >= max(cards[end].centre.x for end, _ in ends)
        free = [(cards[at].x if on_the_right else cards[at].right, cards[at].y) for at in several]
        for at, (edge, y) in zip(sorted(several, key=lambda at: _name(scene.nodes[at])), sorted(free), strict=True):
            width, height = footprints[at].width, footprints[at].height
            cards[at] = Rect(edge if on_the_right else edge - width, y, width, height)


def _name(node: SceneNode) -> tuple[list[tuple[int, str]], str]:
    """The key of natural order by label: 2 comes before 10."""
    parts = re.findall(r"\d+|\D+", node.label.casefold())
    return [(int(part) if part.isdecimal() else 0, part) for part in parts], node.key


def _path(line: Bundle, cards: Mapping[int, Rect]) -> Path:
    if line.source == line.target:
        return card_loop(cards[line.source])
    return card_to_card(cards[line.source], cards[line.target])
