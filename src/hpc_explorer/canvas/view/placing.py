"""Place the visible nodes of a view. The picture depends on the view alone, not on its history.

Placed nodes keep their places; new ones are placed beside linked nodes. Lines come from the layout if all places do;
otherwise they are drawn from card to card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hpc_explorer.canvas.card import footprint
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.layout import Check, Layout, Show, arrange, arrange_again, arrange_beside
from hpc_explorer.canvas.layout.collection import collection_paused
from hpc_explorer.canvas.layout.layers import no_check
from hpc_explorer.canvas.scene import Arrangement, Scene, SceneNode
from hpc_explorer.canvas.view import steps
from hpc_explorer.canvas.view.state import GraphView
from hpc_explorer.canvas.view.visible import visible_scene

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
