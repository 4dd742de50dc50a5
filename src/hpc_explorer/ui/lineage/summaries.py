"""One-line summaries of pictures."""

from __future__ import annotations

from hpc_explorer.app.lineage.phase_views import PhaseView
from hpc_explorer.app.lineage.traced import Traced
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.lineage.trace.trace import Lineage
from hpc_explorer.rdf.origin import Origin
from hpc_explorer.wording import counted


def neighbours_summary(scene: Scene) -> str:
    """The summary of a neighbourhood."""
    drawn = sum(1 for node in scene.nodes if not node.group)
    focus = scene.focus()
    if focus is None:
        return ""
    if drawn == 1:
        return "No links to other resources"
    if drawn < len(scene.nodes):
        shown = f"{counted(drawn - 1, 'neighbour')} drawn"
        return f"{shown}. Each “… and more” opens the whole list."
    links, neighbours = counted(len(scene.edges), "link"), counted(drawn - 1, "neighbour")
    return f"{links} with {neighbours}"


def lineage_summary(traced: Traced, *, downstream: bool) -> str:
    """The size of a lineage, and the number of hidden parts."""
    lineage = traced.lineage
    reached = len(lineage.nodes) - 1
    if not reached:
        return "Nothing is recorded after it." if downstream else "Nothing is recorded before it."
    parts = []
    parts.append(f"{counted(reached, 'thing')}, {_links(lineage)}")
    if not lineage.complete:
        parts.append("more beyond these steps")
    if traced.scene.note:
        parts.append(traced.scene.note)
    return "  ·  ".join(parts)


def phases_summary(view: PhaseView) -> str:
    """The phases, and how much of the lineage is visible."""
    lineage = view.folded.lineage
    parts = [
        " → ".join(fold.phase.value for fold in view.folded.folds),
        f"{counted(len(lineage.nodes) - 1, 'thing')}, {_links(lineage)}",
        f"{counted(len(view.rows), 'card')} shown; press Enter or double-click to open one",
    ]
    if not lineage.complete:
        parts.append("more beyond these steps")
    if view.guessed:
        parts.append(f"{counted(view.guessed, 'activity')} placed by name")
    return "  ·  ".join(parts)


def _links(lineage: Lineage) -> str:
    """The number of links, and of those matched by value."""
    matched = sum(edge.origin is Origin.MATCHED for edge in lineage.edges)
    return counted(len(lineage.edges), "link") + (f", {matched:,} of them matched by value" if matched else "")
