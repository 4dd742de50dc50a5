"""Convert a view to JSON and back, to save it in a workspace.

{"format": "hpc-explorer view", "version": 1, "nodes": [...], "edges": [...], ...}
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any, get_args

from hpc_explorer.canvas.kinds import Style, style_fault
from hpc_explorer.canvas.scene import Arrangement, SceneEdge, SceneNode
from hpc_explorer.canvas.view.state import (
    Expansion,
    Filters,
    Focus,
    GraphView,
    NeighbourSet,
    NodePlace,
    edges_by_key,
    with_place,
)
from hpc_explorer.errors import StoreError

FORMAT, VERSION = "hpc-explorer view", 1


def to_json(view: GraphView) -> str:
    """The view as JSON text, the same for equal views."""
    members = {
        "format": FORMAT,
        "version": VERSION,
        "nodes": [_told(view.nodes[key]) for key in sorted(view.nodes)],
        "edges": [_told(view.edges[key]) for key in sorted(view.edges)],
        "roots": sorted(view.roots),
        "expansions": [{**of._asdict(), **asdict(view.expansions[of])} for of in sorted(view.expansions)],
        "places": {key: list(view.places[key]) for key in sorted(view.places)},
        "arranged": view.arranged,
        "hidden": sorted(view.hidden),
        "filters": {name: value if name == "text" else sorted(value) for name, value in asdict(view.filters).items()},
        "focus": asdict(view.focus) if view.focus else None,
        "styles": {cls: asdict(view.styles[cls]) for cls in sorted(view.styles)},
        "selected": sorted(view.selected),
    }
    return json.dumps(members, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str, where: str = "") -> GraphView:
    """The view that `to_json` wrote.

    Args:
        where: the file it comes from, for the error.

    Raises:
        StoreError: it is not a saved view, or damaged.
    """
    try:
        members = json.loads(text)
        if not isinstance(members, dict) or (members.get("format"), members.get("version")) != (FORMAT, VERSION):
            raise ValueError("its format or version is unknown")
        return _view(members)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise StoreError(f"this saved view cannot be read ({error})", where, "save the view again") from None


def _told(item: SceneNode | SceneEdge) -> dict[str, Any]:
    """The members that differ from the defaults."""
    return {part.name: value for part in fields(item) if (value := getattr(item, part.name)) != part.default}


def _view(members: dict[str, Any]) -> GraphView:
    nodes = [SceneNode(**{**node, **_tuples(node, "badges", "classes")}) for node in members["nodes"]]
    edges = [SceneEdge(**{**edge, **_tuples(edge, "graphs")}) for edge in members["edges"]]
    expansions = {
        NeighbourSet(*(stored[name] for name in NeighbourSet._fields)): Expansion(
            **{part.name: stored[part.name] for part in fields(Expansion)} | _tuples(stored, "members")
        )
        for stored in members["expansions"]
    }
    view = GraphView(
        nodes={node.key: node for node in nodes},
        edges=edges_by_key(edges),
        roots=frozenset(members["roots"]),
        expansions=expansions,
        places={key: NodePlace(float(x), float(y), bool(fixed)) for key, (x, y, fixed) in members["places"].items()},
        arranged=members.get("arranged"),
        hidden=frozenset(members["hidden"]),
        filters=_filters(members["filters"]),
        focus=Focus(**members["focus"]) if members["focus"] else None,
        styles={cls: Style(**style) for cls, style in members["styles"].items()},
        selected=frozenset(members["selected"]),
    )
    _check(view)
    return view


def _filters(stored: dict[str, Any]) -> Filters:
    sets: dict[str, Any] = {name: frozenset(value) for name, value in stored.items() if name != "text"}
    return Filters(**sets, text=stored["text"])


def _tuples(stored: dict[str, Any], *names: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(stored[name]) for name in names if name in stored}


def _check(view: GraphView) -> None:
    """Check that the parts of a view fit together."""
    named = {end for key in view.edges for end in (key.source, key.target)}
    named |= view.roots | view.hidden | view.selected
    named |= {of.anchor for of in view.expansions}
    named |= {member for expansion in view.expansions.values() for member in expansion.members}
    named |= {view.focus.key} if view.focus else set()
    unknown = (named - view.nodes.keys()) | (view.places.keys() - with_place(view))
    if unknown:
        raise ValueError(f"it names {min(unknown)!r}, which is not one of its nodes")
    for style in view.styles.values():
        if fault := style_fault(style):
            raise ValueError(fault)
    if view.arranged not in (None, *get_args(Arrangement)):
        raise ValueError(f"it is arranged as {view.arranged!r}, which is not a layout")
