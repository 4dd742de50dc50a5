"""The user's steps in a view, as functions from a view to a view; `patch.difference` makes them undoable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from hpc_explorer.canvas.kinds import Style
from hpc_explorer.canvas.scene import Arrangement, SceneEdge, SceneNode
from hpc_explorer.canvas.view.state import (
    EdgeKey,
    Expansion,
    Filters,
    Focus,
    GraphView,
    NeighbourSet,
    NodePlace,
    edges_by_key,
    with_place,
)

# -- open nodes


def opened(view: GraphView, nodes: Iterable[SceneNode], edges: Iterable[SceneEdge] = ()) -> GraphView:
    """Add nodes to the view, with the links among them and to other nodes of the view."""
    named = {node.key: node for node in nodes}
    return replace(
        view,
        nodes={**view.nodes, **named},
        edges=_joined(view, named, edges),
        roots=view.roots | named.keys(),
        hidden=view.hidden - named.keys(),
    )


def expanded(
    view: GraphView, of: NeighbourSet, expansion: Expansion, nodes: Iterable[SceneNode], edges: Iterable[SceneEdge]
) -> GraphView:
    """Show neighbours of a node, replacing those shown of the same set.

    Args:
        expansion: the new state; its members are those that `view` showed of the set, and the next page.
        nodes: the nodes of the new members.
        edges: the links from the anchor to them, and among visible nodes.

    Raises:
        ValueError: the anchor is not in the view, or a member has no node.
    """
    if of.anchor not in view.nodes:
        raise ValueError(f"{of.anchor!r} is not in the view and cannot be expanded")
    fresh = {node.key: node for node in nodes}
    # Existing nodes are kept, so that expanding never restyles them.
    known = {**fresh, **view.nodes}
    missing = [key for key in expansion.members if key not in known]
    if missing:
        raise ValueError(f"the expansion shows {missing[0]!r} without its node")
    grown = replace(
        view,
        nodes=known,
        edges=_joined(replace(view, nodes=known), {}, edges),
        expansions={**view.expansions, of: expansion},
        hidden=view.hidden - set(expansion.members),
    )
    return _swept(grown)


def collapsed(view: GraphView, of: NeighbourSet) -> GraphView:
    """Remove the nodes that only this expansion showed, and their own expansions."""
    if of not in view.expansions:
        return view
    return _swept(replace(view, expansions=_without(view.expansions, (of,))))


def collapsed_node(view: GraphView, key: str) -> GraphView:
    """Collapse all expansions of a node."""
    here = [of for of in view.expansions if of.anchor == key]
    return _swept(replace(view, expansions=_without(view.expansions, here))) if here else view


def removed(view: GraphView, keys: Iterable[str]) -> GraphView:
    """Remove nodes from the view, with their links and expansions."""
    keys = frozenset(keys) & view.nodes.keys()
    if not keys:
        return view
    expansions = {
        of: replace(expansion, members=tuple(member for member in expansion.members if member not in keys))
        for of, expansion in view.expansions.items()
        if of.anchor not in keys
    }
    return _swept(replace(view, roots=view.roots - keys, expansions=expansions))


def _joined(view: GraphView, nodes: Mapping[str, SceneNode], edges: Iterable[SceneEdge]) -> Mapping[EdgeKey, SceneEdge]:
    """The links of the view and the given ones whose ends are both in it."""
    there = view.nodes.keys() | nodes.keys()
    given = (edge for edge in edges if edge.source in there and edge.target in there)
    return edges_by_key([*view.edges.values(), *given])


def _swept(view: GraphView) -> GraphView:
    """The view without nodes that are not reachable from its roots by expansions."""
    opened_at: dict[str, list[NeighbourSet]] = {}
    for of in view.expansions:
        opened_at.setdefault(of.anchor, []).append(of)
    stays: set[str] = set()
    waiting = [key for key in view.roots if key in view.nodes]
    while waiting:
        key = waiting.pop()
        if key not in stays:
            stays.add(key)
            for of in opened_at.get(key, ()):
                waiting.extend(view.expansions[of].members)
    if len(stays) == len(view.nodes):
        return _without_strays(view)
    swept = replace(
        view,
        nodes={key: node for key, node in view.nodes.items() if key in stays},
        edges={key: edge for key, edge in view.edges.items() if edge.source in stays and edge.target in stays},
        expansions={of: expansion for of, expansion in view.expansions.items() if of.anchor in stays},
        hidden=view.hidden & stays,
        selected=view.selected & stays,
        focus=view.focus if view.focus is None or view.focus.key in stays else None,
    )
    return _without_strays(swept)


def _without_strays(view: GraphView) -> GraphView:
    """The view without the places of removed nodes."""
    strays = view.places.keys() - with_place(view)
    return replace(view, places={k: v for k, v in view.places.items() if k not in strays}) if strays else view


def _without(mapping: Mapping[NeighbourSet, Expansion], keys: Iterable[NeighbourSet]) -> dict[NeighbourSet, Expansion]:
    gone = set(keys)
    return {key: value for key, value in mapping.items() if key not in gone}


# -- visible nodes


def hidden(view: GraphView, keys: Iterable[str]) -> GraphView:
    """Hide nodes; they stay open and can be shown again."""
    keys = frozenset(keys) & view.nodes.keys()
    return replace(view, hidden=view.hidden | keys, selected=view.selected - keys)


def shown_again(view: GraphView) -> GraphView:
    """Show all hidden nodes."""
    return replace(view, hidden=frozenset())


def focused(view: GraphView, key: str | None, steps: int = 1) -> GraphView:
    """Limit the view to a node and its surroundings; None: no limit."""
    return replace(view, focus=Focus(key, steps) if key is not None and key in view.nodes else None)


def filtered(view: GraphView, filters: Filters) -> GraphView:
    """Replace the filters."""
    return replace(view, filters=filters)


def styled(view: GraphView, cls: str, style: Style | None) -> GraphView:
    """Set the style of a class; None: the style of the theme."""
    others = {key: value for key, value in view.styles.items() if key != cls}
    return replace(view, styles=others if style is None else {**others, cls: style})


def selecting(view: GraphView, keys: Iterable[str]) -> GraphView:
    """Select these nodes and no others."""
    return replace(view, selected=frozenset(keys) & view.nodes.keys())


# -- places


def placed(view: GraphView, places: Mapping[str, tuple[float, float]]) -> GraphView:
    """Apply the places of a layout; nodes fixed by the user keep theirs."""
    known = with_place(view)
    moved = {
        key: NodePlace(float(x), float(y))
        for key, (x, y) in places.items()
        if key in known and not (key in view.places and view.places[key].pinned)
    }
    return replace(view, places={**view.places, **moved})


def dragged(view: GraphView, places: Mapping[str, tuple[float, float]]) -> GraphView:
    """Move nodes and fix them there."""
    known = with_place(view)
    pinned = {key: NodePlace(float(x), float(y), True) for key, (x, y) in places.items() if key in known}
    return replace(view, places={**view.places, **pinned}, arranged=grown(view.arranged))


def arranged(view: GraphView, arrangement: Arrangement, places: Mapping[str, tuple[float, float]]) -> GraphView:
    """Apply the places of a layout of the whole view; nodes fixed by the user keep theirs."""
    return replace(placed(view, places), arranged=arrangement)


def grown(arrangement: Arrangement | None) -> Arrangement | None:
    """The arrangement after nodes were added or moved: a force layout stays one, columns do not."""
    return "force" if arrangement == "force" else None


def pinned(view: GraphView, keys: Iterable[str], *, fixed: bool = True) -> GraphView:
    """Fix nodes at their places, or release them."""
    changed = {key: view.places[key]._replace(pinned=fixed) for key in keys if key in view.places}
    return replace(view, places={**view.places, **changed})
