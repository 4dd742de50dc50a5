"""Apply looks (styles) to the classes of a graph view: its own, and those that hold everywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.finding import colour_key
from hpc_explorer.canvas.kinds import kind_of, whole_style
from hpc_explorer.canvas.view.state import GraphView
from hpc_explorer.rdf.terms import NamedNode
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session


def in_its_looks(session: Session, view: GraphView, *, limits: Limits = NO_LIMITS) -> GraphView:
    """The view as it is drawn: with current colours, and its own styles completed."""
    schema = session.schema(limits=limits)
    view = recoloured(session, view, limits=limits)
    kinds = {cls: kind_of(colour_key(schema, NamedNode(cls), ()) or cls) for cls in view.styles}
    return replace(view, styles={cls: whole_style(style, kinds[cls]) for cls, style in view.styles.items()})


def recoloured(session: Session, view: GraphView, *, limits: Limits = NO_LIMITS) -> GraphView:
    """The view with the colour keys of its nodes updated."""
    schema = session.schema(limits=limits)
    styled = session.styled | view.styles.keys()
    changed = {}
    for key, node in view.nodes.items():
        is_class = NamedNode(key) in schema.classes if not key.startswith("_:") else False
        specific = [NamedNode(key)] if is_class else schema.most_specific(list(map(NamedNode, node.classes)))
        found = colour_key(schema, specific[0] if specific else None, styled)
        if specific and found != node.colour_key:
            changed[key] = replace(node, colour_key=found)
    return replace(view, nodes={**view.nodes, **changed}) if changed else view
