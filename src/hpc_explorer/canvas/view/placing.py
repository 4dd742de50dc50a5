"""Place the visible nodes of a view. The picture depends on the view alone, not on its history.

Placed nodes keep their places; new ones are placed beside linked nodes. Lines come from the layout if all places do;
otherwise they are drawn from card to card.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import replace

from hpc_explorer.canvas.badges import PINNED
from hpc_explorer.canvas.card import footprint
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.layout import Check, Layout, Show, arrange, arrange_again, arrange_beside
from hpc_explorer.canvas.layout.collection import collection_paused
from hpc_explorer.canvas.layout.layers import no_check
from hpc_explorer.canvas.scene import Arrangement, Scene, SceneEdge, SceneNode
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.state import Expansion, Filters, GraphView, NeighbourSet, rest_key

FINEST = 8.0
"""The precision of places as a fraction of a unit, so that saved places read back the same."""


def placed_view(view: GraphView, check: Check = no_check, show: Show | None = None) -> GraphView:
    """The view with a place for each visible node.

    Args:
        check: called regularly; raises to cancel.
        show: receives intermediate layouts, if there are any.
    """
    scene = scene_of(view)
    cards = _cards(view, scene)
    if len(cards) == len(scene.nodes):
        return view
    if not cards:
        return rearranged(view, scene.arrangement, check, show)
    with collection_paused():
        layout = arrange_beside(scene, cards, check)
    grown = {key: place for key, place in _centres(layout.places).items() if key not in cards}
    return replace(steps.placed(view, grown), arranged=steps.grown(view.arranged))


def rearranged(
    view: GraphView, arrangement: Arrangement, check: Check = no_check, show: Show | None = None
) -> GraphView:
    """The view with all visible nodes placed again; nodes fixed by the user keep their places.

    Args:
        check, show: as for `placed_view`.
    """
    scene = visible_scene(view, arrangement=arrangement)
    cards = _cards(view, scene)
    fixed = {key: card for key, card in cards.items() if view.places[key].pinned}
    if fixed and arrangement == "force":
        places: Mapping[str, Rect] = arrange_again(scene, cards, fixed.keys(), check, show).places
    else:
        places = arrange(scene, check, None if fixed else show).places
    if fixed:
        places = _around(scene, places, fixed, check)
    return steps.arranged(view, arrangement, _centres(places))


def drawn(view: GraphView, check: Check = no_check, show: Show | None = None) -> tuple[Scene, Layout]:
    """The scene of a placed view, and its layout with lines.

    Args:
        check: as for `placed_view`.
        show: receives a layout with straight lines if better ones take longer.

    Raises:
        ValueError: a visible node has no place.
    """
    scene = scene_of(view)
    cards = _cards(view, scene)
    if len(cards) != len(scene.nodes):
        missing = next(node.key for node in scene.nodes if node.key not in cards)
        raise ValueError(f"{missing!r} has no place")
    with collection_paused():
        plain = arrange_beside(scene, cards, check)
    if view.arranged in (None, "force") or not scene.nodes:
        return scene, plain
    if show is not None:
        show(plain)
    whole = arrange(scene, check)
    as_arranged = _centres(whole.places)
    stays = all(as_arranged[key] == view.places[key][:2] for key in cards)
    return scene, whole if stays else plain


def scene_of(view: GraphView) -> Scene:
    """The visible part of a view."""
    return visible_scene(view, arrangement=view.arranged or "layered")


def _cards(view: GraphView, scene: Scene) -> dict[str, Rect]:
    return {node.key: _card(node, view.places[node.key][:2]) for node in scene.nodes if node.key in view.places}


def _card(node: SceneNode, centre: tuple[float, float]) -> Rect:
    size = footprint(node)
    return Rect(centre[0] - size.width / 2, centre[1] - size.height / 2, size.width, size.height)


def _centres(places: Mapping[str, Rect]) -> dict[str, tuple[float, float]]:
    return {
        key: (round(card.centre.x * FINEST) / FINEST, round(card.centre.y * FINEST) / FINEST)
        for key, card in places.items()
    }


def _around(scene: Scene, places: Mapping[str, Rect], fixed: Mapping[str, Rect], check: Check) -> Mapping[str, Rect]:
    """The places with fixed cards kept: all others are moved along with them, and out of their way."""
    dx = sum(fixed[key].x - places[key].x for key in fixed) / len(fixed)
    dy = sum(fixed[key].y - places[key].y for key in fixed) / len(fixed)
    moved = {key: card.moved(dx, dy) for key, card in places.items() if key not in fixed}
    free = {key: card for key, card in moved.items() if not any(card.overlaps(other) for other in fixed.values())}
    with collection_paused():
        return arrange_beside(scene, {**free, **fixed}, check).places


ALL_LEFT_OUT = "All opened nodes are hidden. Use the buttons above or the legend below to show them."


def visible_scene(view: GraphView, arrangement: Arrangement = "layered") -> Scene:
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
        arrangement=arrangement,
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
