"""Places for a scene: one arrangement for lineage, one for hierarchies, one for neighbourhoods."""

from __future__ import annotations

from hpc_explorer.canvas.layout.collection import collection_paused
from hpc_explorer.canvas.layout.layered import arrange_layered
from hpc_explorer.canvas.layout.layers import Check, unchecked
from hpc_explorer.canvas.layout.result import Layout
from hpc_explorer.canvas.layout.star import arrange_star
from hpc_explorer.canvas.layout.tree import arrange_tree
from hpc_explorer.canvas.scene import Scene

__all__ = ["Check", "Layout", "arrange"]


def arrange(scene: Scene, check: Check = unchecked) -> Layout:
    """The layout that the scene asks for. The same scene always gets the same one.

    Args:
        scene: what to place.
        check: called every few milliseconds of work; it abandons the layout by raising.
    """
    arrangements = {"layered": arrange_layered, "tree": arrange_tree, "star": arrange_star}
    with collection_paused():
        return arrangements[scene.arrangement](scene, check)
