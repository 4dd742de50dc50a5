"""Places for a scene: two arrangements for lineage, one for hierarchies, two for neighbourhoods, and one for growth."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.layout.beside import arrange_beside
from hpc_explorer.canvas.layout.collection import collection_paused
from hpc_explorer.canvas.layout.columns import arrange_columns
from hpc_explorer.canvas.layout.layered import arrange_layered
from hpc_explorer.canvas.layout.layers import Check, no_check
from hpc_explorer.canvas.layout.result import Layout, Show
from hpc_explorer.canvas.layout.spread import arrange_force
from hpc_explorer.canvas.layout.star import arrange_star
from hpc_explorer.canvas.layout.tree import arrange_tree
from hpc_explorer.canvas.scene import Scene

__all__ = ["Check", "Layout", "Show", "arrange", "arrange_again", "arrange_beside"]


def arrange(scene: Scene, check: Check = no_check, show: Show | None = None) -> Layout:
    """The layout that the scene asks for. The same scene always gets the same one.

    Args:
        scene: the scene to lay out.
        check: called every few milliseconds; raises to cancel.
        show: receives intermediate layouts, if any: cards may overlap in them, and lines cross more often. Called in
            the thread of the layout.
    """
    with collection_paused():
        if scene.arrangement == "layered":
            return arrange_layered(scene, check, show)
        if scene.arrangement == "force":
            return arrange_force(scene, check, show)
        if scene.arrangement == "columns":
            return arrange_columns(scene, check)
        return (arrange_tree if scene.arrangement == "tree" else arrange_star)(scene, check)


def arrange_again(
    scene: Scene,
    placed: Mapping[str, Rect],
    pinned: AbstractSet[str] = frozenset(),
    check: Check = no_check,
    show: Show | None = None,
) -> Layout:
    """A force layout that starts from given places; pinned cards keep theirs.

    Args:
        scene: of any arrangement.
        placed: cards, by key.
        pinned: the keys of fixed cards.
        check, show: as for `arrange`.
    """
    with collection_paused():
        return arrange_force(scene, check, show, placed=placed, pinned=pinned)
