"""What of a view is to be drawn just now: a scene, in an order that depends on nothing but what is shown."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import replace

from hpc_explorer.canvas.badges import PINNED
from hpc_explorer.canvas.scene import Arrangement, Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.view.state import Expansion, Filters, GraphView, NeighbourSet, rest_key

ALL_LEFT_OUT = "All that was opened is left out: the buttons above, and the legend below, bring it back."


def visible_scene(view: GraphView, title: str = "", arrangement: Arrangement = "layered") -> Scene:
    """The nodes and links of a view that nothing leaves out.

    Neighbours of an opened set that are not shown stand as one node, "14,154 more". The nodes come sorted by
    label and key, the links by their ends, so that views that show the same draw the same.
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
        note=f"{left_out:,} of {len(view.nodes):,} opened nodes are left out" if left_out else "",
        empty_text=ALL_LEFT_OUT if view.nodes else Scene().empty_text,
        left_out=tuple(sorted(of_class, key=_order)),
    )


def _order(node: SceneNode) -> tuple[bool, str, str]:
    return node.group, node.label.casefold(), node.key


def _with_pin(view: GraphView, node: SceneNode) -> SceneNode:
    """The node with the mark of one that layouts leave where it is, if it is one."""
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
    """Whether a node is left out because of its classes."""
    return bool(node.classes) and filters.classes.issuperset(node.classes)


def _shows_link(filters: Filters, edge: SceneEdge) -> bool:
    if edge.predicate in filters.predicates or edge.origin in filters.origins:
        return False
    return not edge.graphs or not filters.graphs.issuperset(edge.graphs)


def _within(start: str, steps: int, edges: list[SceneEdge]) -> set[str]:
    """The keys of the nodes at most so many links away."""
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
