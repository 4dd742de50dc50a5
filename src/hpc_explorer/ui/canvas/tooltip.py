"""Tooltips of the canvas: label, class and IRI of a node; predicate and origin of a line."""

from __future__ import annotations

from html import escape

from hpc_explorer.canvas import text
from hpc_explorer.canvas.badges import MEANING
from hpc_explorer.canvas.layout.result import Route
from hpc_explorer.canvas.scene import ORIGIN_WORDS, Scene, SceneNode

LONGEST_WORD = 40
"""Characters after which a word may be broken."""


def node_tooltip(node: SceneNode) -> str:
    """Rich text about a node."""
    meant = [MEANING[badge] for badge in node.badges if badge in MEANING]
    return _tooltip(node.label or node.key, [node.kind, node.caption or "", node.stop or "", *meant, node.tooltip])


def route_tooltip(scene: Scene, route: Route) -> str:
    """Rich text about a line and the statements it stands for."""
    edges = [scene.edges[at] for at in route.bundle.edges]
    return _tooltip(
        route.bundle.label or "link", [ORIGIN_WORDS[route.bundle.origin], *(edge.tooltip for edge in edges)]
    )


def _tooltip(heading: str, facts: list[str]) -> str:
    """Rich text, because Qt wraps only that."""
    lines = [f"<b>{escape(_breakable(heading))}</b>"]
    lines += [escape(_breakable(fact)) for fact in dict.fromkeys(facts) if fact]
    return "<br>".join(lines)


def _breakable(said: str) -> str:
    """The text with line breaks allowed in long words."""
    words = text.clean(said).split(" ")
    return " ".join(
        "\u200b".join(word[at : at + LONGEST_WORD] for at in range(0, len(word), LONGEST_WORD)) for word in words
    )
