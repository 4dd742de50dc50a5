"""The scenes that the command line draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hpc_explorer.app.explore.class_picture import class_scene
from hpc_explorer.app.explore.drawing import lineage_scene, neighbourhood_scene
from hpc_explorer.app.lineage.tracing import trace_lineage
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session


def scene_of(
    session: Session,
    view: str,
    focus: Resource | None,
    *,
    downstream: bool = False,
    depth: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Scene:
    """The scene of one of the views `classes`, `lineage` or `neighbours`.

    Raises:
        UsageError: a focus is missing, or is not a class where a class is needed.
    """
    if view == "classes":
        if focus is not None and not isinstance(focus, NamedNode):
            raise UsageError("a class has an IRI", str(focus), "focus on a class, or leave the focus out")
        return class_scene(session, focus, limits=limits)
    if focus is None:
        raise UsageError(f"the {view} of what?", "", "name the resource with --focus IRI")
    if view == "lineage":
        lineage = trace_lineage(session, focus, downstream=downstream, depth=depth, limits=limits)
        return lineage_scene(session, lineage, limits=limits)
    return neighbourhood_scene(session, focus, limits=limits)
