"""A laid out scene as GraphML: for programs that draw or compute with graphs (Gephi, yEd, Cytoscape, networkx).

The format is that of http://graphml.graphdrawing.org/specification.html; the data of nodes and edges are in `NODE_DATA`
and `EDGE_DATA`.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

from hpc_explorer.canvas import text
from hpc_explorer.canvas.layout.result import Layout
from hpc_explorer.canvas.palette import Theme, class_look
from hpc_explorer.canvas.scene import Scene, SceneEdge, SceneNode

NODE_DATA: Mapping[str, str] = {
    "label": "string",
    "class": "string",
    "iri": "string",
    "caption": "string",
    "colour": "string",
    "shape": "string",
    "icon": "string",
    "x": "double",
    "y": "double",
    "width": "double",
    "height": "double",
}
"""The data of a node with their types: `iri` is "" for a blank node; x and y are the centre of its card, y
downwards."""

EDGE_DATA: Mapping[str, str] = {"label": "string", "predicate": "string", "origin": "string", "graphs": "string"}
"""The data of an edge: `origin` is asserted, inferred or matched; `graphs` are separated by spaces."""


def to_graphml(scene: Scene, layout: Layout, theme: Theme) -> str:
    """The scene as the text of a GraphML file. A node's id is its IRI, or `_:label` for a blank node."""
    ids = {node.key: text.clean(node.key) or f"n{at}" for at, node in enumerate(scene.nodes)}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *_keys("node", NODE_DATA),
        *_keys("edge", EDGE_DATA),
        f'<graph id="G" edgedefault="directed"><desc>{_text(scene.title)}</desc>',
    ]
    for node in scene.nodes:
        lines.append(f"<node id={quoteattr(ids[node.key])}>{_data('node', _of_node(node, layout, theme))}</node>")
    for at, edge in enumerate(scene.edges):
        ends = f"source={quoteattr(ids[edge.source])} target={quoteattr(ids[edge.target])}"
        lines.append(f'<edge id="e{at}" {ends}>{_data("edge", _of_edge(edge))}</edge>')
    return "\n".join([*lines, "</graph>", "</graphml>", ""])


def _keys(what: str, data: Mapping[str, str]) -> list[str]:
    return [f'<key id="{what}-{name}" for="{what}" attr.name="{name}" attr.type="{of}"/>' for name, of in data.items()]


def _of_node(node: SceneNode, layout: Layout, theme: Theme) -> dict[str, str]:
    rect = layout.places[node.key]
    look = class_look(theme, node.colour_key or node.kind)
    is_resource = not node.group and not node.key.startswith("_:")
    return {
        "label": _text(node.label),
        "class": _text(node.kind),
        "iri": _text(node.key) if is_resource else "",
        "caption": _text(node.caption or ""),
        "colour": look.colour,
        "shape": look.shape,
        "icon": look.icon,
        "x": f"{rect.centre.x:.2f}",
        "y": f"{rect.centre.y:.2f}",
        "width": f"{rect.width:.2f}",
        "height": f"{rect.height:.2f}",
    }


def _of_edge(edge: SceneEdge) -> dict[str, str]:
    return {
        "label": _text(edge.label),
        "predicate": _text(edge.predicate),
        "origin": edge.origin,
        "graphs": " ".join(map(_text, edge.graphs)),
    }


def _data(what: str, values: Mapping[str, str]) -> str:
    return "".join(f'<data key="{what}-{name}">{value}</data>' for name, value in values.items())


def _text(said: str) -> str:
    return escape(text.clean(said))
