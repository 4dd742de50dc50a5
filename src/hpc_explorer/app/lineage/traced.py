"""A lineage with its picture: current, folded by phases, as of a moment, and as recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from hpc_explorer.app.explore.drawing import MOST_NODES, lineage_scene
from hpc_explorer.app.explore.finding import references
from hpc_explorer.app.lineage.phase_drawing import phase_scene
from hpc_explorer.app.lineage.phase_viewing import phase_view
from hpc_explorer.app.lineage.phase_views import PhaseView
from hpc_explorer.app.lineage.phasing import fold_lineage, phases_serve
from hpc_explorer.app.lineage.tracing import recorded_lineage, trace_lineage
from hpc_explorer.app.views import ResourceRef
from hpc_explorer.canvas.camera import WHOLE_FROM, fitting
from hpc_explorer.canvas.geometry import Size
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.lineage.time.recorded import RecordedTimeline
from hpc_explorer.lineage.trace.trace import Lineage, Stop
from hpc_explorer.rdf.terms import Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits

if TYPE_CHECKING:
    from hpc_explorer.app.workspace.session import Session


FEW = 12
"""A lineage of so many cards is never folded because of its size alone."""


@dataclass(frozen=True)
class Traced:
    """A lineage, its picture, and the names of its resources.

    Args:
        phases: the visible rows if it is folded by phases.
    """

    lineage: Lineage
    scene: Scene
    refs: Mapping[Resource, ResourceRef]
    phases: PhaseView | None = None


@dataclass(frozen=True)
class Recorded:
    """Everything ever recorded of a lineage, with its picture."""

    timeline: RecordedTimeline
    scene: Scene


def traced(
    session: Session,
    resource: Resource,
    is_open: frozenset[str] = frozenset(),
    *,
    downstream: bool = False,
    depth: int | None = None,
    match_content: bool = False,
    whole: bool = False,
    phases: bool | None = None,
    view: Size | None = None,
    limits: Limits = NO_LIMITS,
) -> Traced:
    """The lineage of a resource with its picture.

    Args:
        is_open: the keys of open parts, if it is folded by phases.
        downstream, depth, match_content: see `trace_lineage`. Without a depth, a server sends what can be drawn.
        whole: draw people, machines and shortcuts too, not only the main line.
        phases: fold it by phases; None: if that is useful, or needed for the view, and `whole` is False.
        view: the size of the view in pixels; a lineage whose cards cannot be read when it is fitted into the view is
            folded. None: the size does not matter.

    Raises:
        UnknownResource: the graph has no statement about the resource.
    """
    lineage = trace_lineage(
        session,
        resource,
        downstream=downstream,
        depth=depth,
        match_content=match_content,
        shown=MOST_NODES,
        limits=limits,
    )
    decides, drawn = phases is None, None
    if decides:
        phases = not whole and phases_serve(session, lineage, limits=limits)
    if decides and not whole and not phases and view is not None:
        drawn = lineage_scene(session, lineage, limits=limits)
        phases = len(drawn.nodes) > FEW and fitting(arrange(drawn, limits.check).bounds, view).scale < WHOLE_FROM
    if phases and len(lineage.nodes) > 1:
        folded = fold_lineage(session, lineage, limits=limits)
        rows = phase_view(session, folded, is_open, with_facts=False, limits=limits)
        return Traced(lineage, phase_scene(rows), folded.refs, rows)
    scene = drawn or lineage_scene(session, lineage, with_setting=whole, with_shortcuts=whole, limits=limits)
    return Traced(lineage, scene, references(session, list(lineage.nodes), limits=limits))


def phases_as_of(
    session: Session,
    resource: Resource,
    is_open: frozenset[str],
    at: datetime,
    *,
    downstream: bool = False,
    depth: int | None = None,
    match_content: bool = False,
    limits: Limits = NO_LIMITS,
) -> PhaseView | None:
    """A lineage as of a moment, folded by phases; None if its resource did not exist yet.

    Args:
        is_open: the keys of open parts.
        downstream, depth, match_content: see `trace_lineage`.
    """
    lineage = trace_lineage(
        session, resource, downstream=downstream, depth=depth, as_of=at, match_content=match_content, limits=limits
    )
    if lineage.nodes[resource].stop is Stop.NOT_YET:
        return None
    folded = fold_lineage(session, lineage, as_of=at, limits=limits)
    return phase_view(session, folded, is_open, with_facts=False, limits=limits)


def recorded(
    session: Session,
    lineage: Lineage,
    *,
    depth: int | None = None,
    match_content: bool = False,
    whole: bool = False,
    limits: Limits = NO_LIMITS,
) -> Recorded:
    """Everything ever recorded of a lineage, with its picture.

    Args:
        depth, match_content: as for the lineage.
        whole: see `traced`.
    """
    timeline = recorded_lineage(session, lineage, depth=depth, match_content=match_content, limits=limits)
    scene = lineage_scene(session, timeline.lineage, with_setting=whole, with_shortcuts=whole, limits=limits)
    return Recorded(timeline, scene)
