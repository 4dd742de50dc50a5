"""A picture as a PNG, without a window system: resvg draws the SVG with the shipped typeface."""

from __future__ import annotations

from hpc_explorer.canvas import text
from hpc_explorer.canvas.picture import Picture
from hpc_explorer.canvas.primitives import Text
from hpc_explorer.canvas.svg import to_svg
from hpc_explorer.errors import UsageError

MOST_PIXELS = 120_000_000
"""A larger image needs about half a gigabyte to draw, and few programs open it."""


def to_png(picture: Picture, *, scale: float = 1.0) -> bytes:
    """The picture as the content of a PNG file.

    The machine's own fonts are looked through only if the picture has characters the typeface lacks.

    Args:
        picture: what to draw; usually a `sheet`, which has a margin.
        scale: pixels per scene unit; 2 for twice as sharp.

    Raises:
        UsageError: the image would have no pixels, or more than `MOST_PIXELS`.
    """
    import resvg_py

    width, height = picture.bounds.width * scale, picture.bounds.height * scale
    if not (width >= 1 and height >= 1 and width * height <= MOST_PIXELS):
        raise UsageError(
            f"a picture of {width:,.0f} × {height:,.0f} pixels cannot be drawn",
            f"scale {scale:g}",
            "choose another scale, show less, or write an SVG",
        )
    svg = to_svg(picture, scale=scale, embed_fonts=False)
    own_glyphs = all(text.covered(item.text) for item in picture.primitives if isinstance(item, Text))
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            font_files=[str(path) for path in text.FONT_FILES.values()],
            skip_system_fonts=own_glyphs,
        )
    )
