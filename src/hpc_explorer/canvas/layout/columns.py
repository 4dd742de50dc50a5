"""A layout in columns: each an outline from top to bottom, with contents indented.

┌ Data curation ┐    ┌ Preparation ┐    ┌ Learning ┐
└─┬─────────────┘    └─────────────┘    └──────────┘
  └ curated ────────────┘  └ dataset ────────┘  └ model

A card's position in its column depends only on the cards above it: opening one moves only those below.
"""

from __future__ import annotations

from hpc_explorer.canvas.card import LINE, PAD_VERTICAL, STOP_LINE, STOP_LINES, card_text
from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect, up_to_grid
from hpc_explorer.canvas.layout.layers import Check, no_check
from hpc_explorer.canvas.layout.lines import bundles, card_loop, card_to_card
from hpc_explorer.canvas.layout.result import Layout, Route, finished
from hpc_explorer.canvas.scene import Scene, SceneNode

WIDTH = 256.0
"""Of every card, so that an outline has a straight edge."""
INDENT = 20.0
ROW_GAP = 12.0
COLUMN_GAP = 56.0
STEM = 12.0
"""The distance from a card's left edge to the line to its contents."""
BULGE = 20.0


def arrange_columns(scene: Scene, check: Check = no_check) -> Layout:
    """Places the nodes of `scene.columns` as outlines beside each other; those in no column go into a last one."""
    nodes = {node.key: node for node in scene.nodes}
    listed = {key for column in scene.columns for key, _ in column}
    rest = tuple((node.key, 0) for node in scene.nodes if node.key not in listed)
    columns = [column for column in (*scene.columns, rest) if column]
    places: dict[str, Rect] = {}
    feet: dict[str, float] = {}
    column_of: dict[str, int] = {}
    left = 0.0
    for number, column in enumerate(columns):
        top = 0.0
        for key, indent in column:
            height, feet[key] = _size(nodes[key])
            places[key] = Rect(left + indent * INDENT, top, WIDTH, height)
            column_of[key] = number
            top += height + feet[key] + ROW_GAP
        check()
        left += WIDTH + INDENT * max(indent for _, indent in column) + COLUMN_GAP
    routes = []
    for line in bundles(scene):
        source, target = scene.nodes[line.source].key, scene.nodes[line.target].key
        if source == target:
            path = card_loop(places[source])
        elif column_of[source] == column_of[target]:
            path = _within(places[source], places[target])
        else:
            path = card_to_card(places[source], places[target])
        routes.append(Route(line, path))
    return finished(places, feet, routes, [], stay=True)


def _size(node: SceneNode) -> tuple[float, float]:
    """The heights of a card and of its note: always two lines, so that other text moves nothing."""
    texts = card_text(node, WIDTH)
    rows = len(texts.label) + bool(texts.kind or texts.badges)
    return 2 * PAD_VERTICAL + rows * LINE, up_to_grid(STOP_LINES * STOP_LINE + 2) if texts.stop else 0.0


def _within(source: Rect, target: Rect) -> Path:
    """A line between two cards of one column: down into its contents, otherwise past their left sides."""
    upper, lower = (source, target) if source.y < target.y else (target, source)
    end = Point(lower.x, lower.centre.y)
    if lower.x > upper.x:
        stem = upper.x + STEM
        path = Path(Point(stem, upper.bottom), (Point(stem, end.y), end))
    else:
        outside = lower.x - BULGE
        start = Point(upper.x, upper.centre.y)
        path = Path(start, (Curve(Point(outside, start.y), Point(outside, end.y), end),))
    return path if upper is source else path.reversed()
