"""The visible part of a view as a scene, in an order that depends only on that part."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import replace

from hpc_explorer.canvas.badges import PINNED
from hpc_explorer.canvas.scene import Arrangement, Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.view.state import Expansion, Filters, GraphView, NeighbourSet, rest_key

ALL_LEFT_OUT = "All opened nodes are hidden. Use the buttons above or the legend below to show them."


def visible_scene(view: GraphView, title: str = "", arrangement: Arrangement = "layered") -> Scene:
    """The visible nodes and links of a view.

    One node, "14,154 more", represents the hidden neighbours of an opened set. Nodes are sorted by label and key, links
    by their ends, so that equal content gives equal pictures.
    """
    nodes = {key: _with_pin(view, node) for key, node in view.nodes.items() if _kept(view, key, node)}
    of_class = [node for key, node in view.nodes.items() if key not in view.hidden and _left_out(view.filters, node)]
    edges = [
        edge
        for edge in view.edges.values()
        if edge.source in nodes and edge.target in nodes and _shows_link(view.filters, edge)
    ]
    if view.focus is not None and view.focus.key in nodes:
        near = _within(view.focus.key, view.focus.steps, edges)
        nodes = {key: node for key, node in nodes.items() if key in near}
        edges = [edge for edge in edges if edge.source in near and edge.target in near]
    for of, expansion in view.expansions.items():
        if of.anchor in nodes and expansion.rest and of.predicate not in view.filters.predicates:
            rest, link = _rest(of, expansion)
            nodes[rest.key] = rest
            edges.append(link)
    left_out = len(view.nodes) - sum(key in view.nodes for key in nodes)
    return Scene(
        tuple(sorted(nodes.values(), key=_order)),
        tuple(sorted(edges, key=lambda edge: (edge.source, edge.predicate, edge.target))),
        title,
        arrangement,
        styles=view.styles,
        note=f"{left_out:,} of {len(view.nodes):,} opened nodes are hidden" if left_out else "",
        empty_text=ALL_LEFT_OUT if view.nodes else Scene().empty_text,
        left_out=tuple(sorted(of_class, key=_order)),
    )


def _order(node: SceneNode) -> tuple[bool, str, str]:
    return node.group, node.label.casefold(), node.key


def _with_pin(view: GraphView, node: SceneNode) -> SceneNode:
    """The node, marked as fixed if it is."""
    place = view.places.get(node.key)
    if place is None or not place.pinned or PINNED in node.badges:
        return node
    return replace(node, badges=(*node.badges, PINNED))


def _kept(view: GraphView, key: str, node: SceneNode) -> bool:
    if key in view.hidden:
        return False
    if _left_out(view.filters, node):
        return False
    return key in view.roots or view.filters.text.casefold() in node.label.casefold()


def _left_out(filters: Filters, node: SceneNode) -> bool:
    """Whether a node is hidden because of its classes."""
    return bool(node.classes) and filters.classes.issuperset(node.classes)


def _shows_link(filters: Filters, edge: SceneEdge) -> bool:
    if edge.predicate in filters.predicates or edge.origin in filters.origins:
        return False
    return not edge.graphs or not filters.graphs.issuperset(edge.graphs)


def _within(start: str, steps: int, edges: list[SceneEdge]) -> set[str]:
    """The keys of the nodes within a number of links."""
    beside: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        beside[edge.source].add(edge.target)
        beside[edge.target].add(edge.source)
    distance = {start: 0}
    waiting = deque([start])
    while waiting:
        key = waiting.popleft()
        if distance[key] < steps:
            for other in beside[key] - distance.keys():
                distance[other] = distance[key] + 1
                waiting.append(other)
    return set(distance)


def _rest(of: NeighbourSet, expansion: Expansion) -> tuple[SceneNode, SceneEdge]:
    more = f"{expansion.rest:,}{'+' if expansion.at_least else ''} more"
    node = SceneNode(rest_key(of), more, caption=expansion.label, tooltip="Open to show the next page.", group=True)
    source, target = (of.anchor, node.key) if of.outgoing else (node.key, of.anchor)
    return node, SceneEdge(source, target, expansion.label, predicate=of.predicate)
