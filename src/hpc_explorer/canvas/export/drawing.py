"""A scene with its layout, and writing it to an SVG, PNG, PDF or GraphML file."""

from __future__ import annotations

from collections.abc import Callable
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
    """A scene with layout and colours.

    Args:
        selected: the key of the current node, highlighted with its lines.
        also: the keys of the other selected nodes.
    """

    scene: Scene
    layout: Layout
    theme: Theme
    selected: str | None = None
    also: frozenset[str] = frozenset()

    def page(self) -> Picture:
        """The drawing with title, legend and margin."""
        return sheet(draw(self.scene, self.layout, self.theme, selected=self.selected, also=self.also), self.theme)

    def empty_page(self) -> Picture:
        """A page of the same size without nodes and links, which are slow to draw for a large scene."""
        return sheet(about(self.scene, self.layout, self.theme), self.theme)

    def themed(self, theme: Theme) -> Drawing:
        """The same drawing in other colours; custom looks and faded classes stay."""
        return replace(self, theme=replace(theme, styles=self.theme.styles, faded=self.theme.faded))


PICTURE_ENDINGS = (".svg", ".png", ".pdf", ".graphml")
"""The file endings of the supported formats."""


def write_picture(
    scene: Scene,
    path: Path,
    *,
    theme: str = "light",
    scale: float = 2.0,
    width: int | None = None,
    limits: Limits = NO_LIMITS,
) -> Path:
    """Lay out a scene and write it to an SVG, PNG, PDF or GraphML file, by the file ending.

    Args:
        theme: `light`, `dark` or `print`.
        scale: pixels per scene unit, for a PNG.
        width: of a PNG in pixels, instead of the scale.

    Raises:
        UsageError: the ending is not supported, or the picture would be too large.
        OutputNotWritable: the file cannot be written; an existing file stays unchanged.
    """
    check_ending(path)
    layout = arrange(scene, lambda: limits.check("the picture"))
    colours = with_styles(THEMES[theme], scene.styles)
    return write_drawing(Drawing(scene, layout, colours), path, scale=scale, width=width, limits=limits)


def svg_of(scene: Scene, *, theme: str = "light", check: Callable[[], None] = lambda: None) -> str:
    """A scene as the text of an SVG without fonts, for a page that is read in a browser.

    Args:
        theme: `light`, `dark` or `print`.
        check: called at each step of the layout; an exception stops it.
    """
    drawing = Drawing(scene, arrange(scene, check), with_styles(THEMES[theme], scene.styles))
    return to_svg(drawing.page(), embed_fonts=False)


def write_drawing(
    drawing: Drawing, path: Path, *, scale: float = 2.0, width: int | None = None, limits: Limits = NO_LIMITS
) -> Path:
    """Write a drawing to a file, see `write_picture`."""
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
    """Check the ending of a picture file.

    Raises:
        UsageError: it is not one of `PICTURE_ENDINGS`.
    """
    if path.suffix.lower() not in PICTURE_ENDINGS:
        raise UsageError(
            "a picture must be SVG, PNG, PDF or GraphML", str(path), f"end its name in {', '.join(PICTURE_ENDINGS)}"
        )
