"""A scene that is laid out, and writing it to an SVG, PNG, PDF or GraphML file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from hpc_explorer.canvas.export.graphml import to_graphml
from hpc_explorer.canvas.export.page import sheet
from hpc_explorer.canvas.export.pdf import to_pdf
from hpc_explorer.canvas.export.png import scale_for_width, to_png
from hpc_explorer.canvas.export.svg import to_svg
from hpc_explorer.canvas.layout import Layout, arrange
from hpc_explorer.canvas.palette import THEMES, Theme, with_styles
from hpc_explorer.canvas.picture import Picture, about, draw
from hpc_explorer.canvas.scene import Scene
from hpc_explorer.errors import UsageError
from hpc_explorer.rdf.syntax.files import atomic_output
from hpc_explorer.stores.base import NO_LIMITS, Limits


@dataclass(frozen=True)
class Drawing:
    """A scene as it is seen: laid out, in its colours.

    Args:
        selected: the key of the node that is marked as selected, with its lines.
        also: the keys of other selected nodes.
    """

    scene: Scene
    layout: Layout
    theme: Theme
    selected: str | None = None
    also: frozenset[str] = frozenset()

    def page(self) -> Picture:
        """The drawing with its title, legend and margin."""
        return sheet(draw(self.scene, self.layout, self.theme, selected=self.selected, also=self.also), self.theme)

    def empty_page(self) -> Picture:
        """The page, of the same size, without the nodes and links: drawing these takes long in a large scene."""
        return sheet(about(self.scene, self.layout, self.theme), self.theme)

    def themed(self, theme: Theme) -> Drawing:
        """The same drawing in other colours; looks that a person chose, and what is put back, stay."""
        return replace(self, theme=replace(theme, styles=self.theme.styles, faded=self.theme.faded))


PICTURE_ENDINGS = (".svg", ".png", ".pdf", ".graphml")
"""How the names of the files end that a picture can be written to."""


def write_picture(
    scene: Scene,
    path: Path,
    *,
    theme: str = "light",
    scale: float = 2.0,
    width: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Path:
    """Draw a scene into an SVG, PNG, PDF or GraphML file, by the end of its name.

    Args:
        theme: `light`, `dark` or `print`.
        scale: pixels per unit of the picture, for a PNG.
        width: of a PNG, in pixels, in place of the scale.

    Raises:
        UsageError: the name ends in none of these, or the picture would be too large.
        OutputNotWritable: the file cannot be written; what was there before stays.
    """
    check_ending(path)
    layout = arrange(scene, lambda: limits.check("the picture"))
    colours = with_styles(THEMES[theme], scene.styles)
    return write_drawing(Drawing(scene, layout, colours), path, scale=scale, width=width, limits=limits)


def write_drawing(
    drawing: Drawing, path: Path, *, scale: float = 2.0, width: int | None = None, limits: Limits = NO_LIMITS
) -> Path:
    """Write a scene that is laid out already, as `write_picture` does."""
    check_ending(path)

    def check() -> None:
        limits.check("the picture")

    match path.suffix.lower():
        case ".graphml":
            content = to_graphml(drawing.scene, drawing.layout, drawing.theme).encode()
        case ".svg":
            content = to_svg(drawing.page()).encode()
        case ".pdf":
            content = to_pdf(drawing.page(), check)
        case _:
            page = drawing.page()
            content = to_png(page, scale=scale if width is None else scale_for_width(page, width), check=check)
    check()
    with atomic_output(path) as stream:
        stream.write(content)
    return path


def check_ending(path: Path) -> None:
    """See that a picture can be written to a file of this name.

    Raises:
        UsageError: its name ends in none of `PICTURE_ENDINGS`.
    """
    if path.suffix.lower() not in PICTURE_ENDINGS:
        raise UsageError(
            "a picture is SVG, PNG, PDF or GraphML", str(path), f"end its name in {', '.join(PICTURE_ENDINGS)}"
        )
