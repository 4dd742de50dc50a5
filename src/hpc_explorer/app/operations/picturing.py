"""Draw to a file: what `render` draws, as the same picture the window shows."""

from __future__ import annotations

from pathlib import Path

from hpc_explorer.app.operations.class_view import class_scene
from hpc_explorer.app.operations.drawing import lineage_scene, neighbourhood_scene
from hpc_explorer.app.operations.tracing import trace_lineage
from hpc_explorer.app.session import Session
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.page import sheet
from hpc_explorer.canvas.palette import THEMES
from hpc_explorer.canvas.picture import Picture, draw
from hpc_explorer.canvas.png import to_png
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.canvas.svg import to_svg
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.files import atomic_output
from hpc_explorer.rdf.terms import NamedNode, Resource
from hpc_explorer.stores.base import NO_LIMITS, Limits


def scene_of(
    session: Session,
    view: str,
    focus: Resource | None,
    *,
    downstream: bool = False,
    depth: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Scene:
    """The scene of one of the views: `classes`, `lineage` or `neighbours`.

    Raises:
        UsageError: the view needs a focus and has none, or a class as its focus and has something else.
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


def write_picture(scene: Scene, path: Path, *, theme: str = "light", scale: float = 2.0) -> Path:
    """Draw a scene into an SVG or PNG file, by the end of its name.

    Args:
        theme: `light` or `dark`.
        scale: pixels per unit of the picture, for a PNG.

    Raises:
        UsageError: the name ends in neither, or the picture would be too large.
        OutputNotWritable: the file cannot be written; what was there before stays.
    """
    colours = THEMES[theme]
    return write_drawn(sheet(draw(scene, arrange(scene), colours), colours), path, scale=scale)


def write_drawn(picture: Picture, path: Path, *, scale: float = 2.0) -> Path:
    """Write a picture that is drawn already, as `write_picture` does."""
    kind = path.suffix.lower()
    if kind not in (".svg", ".png"):
        raise UsageError("a picture is PNG or SVG", str(path), "end its name in .png or .svg")
    content = to_svg(picture).encode() if kind == ".svg" else to_png(picture, scale=scale)
    with atomic_output(path) as stream:
        stream.write(content)
    return path
