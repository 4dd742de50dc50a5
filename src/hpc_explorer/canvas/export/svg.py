"""A picture as a standalone SVG 1.1 document, accessible to screen readers."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from hpc_explorer.canvas import text
from hpc_explorer.canvas.geometry import Curve, Path, Rect
from hpc_explorer.canvas.icons import placed
from hpc_explorer.canvas.picture import Picture
from hpc_explorer.canvas.primitives import Box, Line, Polygon, Primitive, Sign, Text

FALLBACKS = "'Helvetica Neue', Arial, 'Noto Sans', 'DejaVu Sans', sans-serif"


def to_svg(picture: Picture, *, scale: float = 1.0, embed_fonts: bool = True) -> str:
    """The picture as the text of an SVG file.

    Args:
        picture: what to write; usually a `sheet`, which has a margin.
        scale: its width and height in pixels per scene unit; the drawing itself keeps its coordinates.
        embed_fonts: embed the used weights of the typeface (about 200 KB each), so that it looks the same
            on computers without it.
    """
    bounds = picture.bounds
    view = " ".join(map(_exact, bounds))
    weights = sorted({item.font.weight for item in picture.primitives if isinstance(item, Text)})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_exact(bounds.width * scale)}"'
        f' height="{_exact(bounds.height * scale)}" viewBox="{view}" role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(picture.title)}</title>',
        f'<desc id="desc">{escape(picture.description)}</desc>',
    ]
    if embed_fonts and weights:
        parts.append(f"<style>{font_faces(weights)}</style>")
    parts.append(f'<rect {_place(bounds)} fill="{picture.background}"/>')
    round_ends = 'stroke-linecap="round" stroke-linejoin="round"'
    parts.append(f'<g font-family="{text.FAMILY}, {FALLBACKS}" {round_ends} xml:space="preserve">')
    parts.append(svg_elements(picture.primitives))
    parts.append("</g>\n</svg>\n")
    return "\n".join(parts)


def svg_elements(primitives: Iterable[Primitive]) -> str:
    """The primitives as SVG elements, for use inside an `svg` element that sets the font family."""
    return "\n".join(map(_element, primitives))


def font_faces(weights: Iterable[int]) -> str:
    """CSS that embeds weights of the shipped typeface, about 200 KB each."""
    return "".join(map(_font_face, weights))


def _font_face(weight: int) -> str:
    data = base64.b64encode(text.FONT_FILES[weight].read_bytes()).decode("ascii")
    source = f"url(data:font/otf;base64,{data}) format('opentype')"
    return f"@font-face{{font-family:{text.FAMILY};font-weight:{weight};src:{source}}}"


def _element(primitive: Primitive) -> str:
    match primitive:
        case Box():
            radius = f' rx="{_number(primitive.radius)}"' if primitive.radius else ""
            stroke = _stroke(primitive.stroke, primitive.stroke_width, primitive.dash) if primitive.stroke else ""
            return f'<rect {_place(primitive.rect)}{radius} fill="{primitive.fill or "none"}"{stroke}/>'
        case Line():
            stroke = _stroke(primitive.stroke, primitive.stroke_width, primitive.dash)
            return f'<path d="{path_data(primitive.path)}" fill="none"{stroke}/>'
        case Polygon():
            points = " ".join(f"{_number(x)},{_number(y)}" for x, y in primitive.points)
            stroke = _stroke(primitive.stroke, primitive.stroke_width, ()) if primitive.stroke else ""
            return f'<polygon points="{points}" fill="{primitive.fill}"{stroke}/>'
        case Sign():
            data = "".join(map(path_data, placed(primitive.icon, primitive.square)))
            return f'<path d="{data}" fill="none"{_stroke(primitive.colour, primitive.stroke_width, ())}/>'
        case Text():
            font = primitive.font
            anchor = "" if primitive.anchor == "start" else f' text-anchor="{primitive.anchor}"'
            patch = _element(primitive.patch) if primitive.patch is not None else ""
            return patch + (
                f'<text x="{_number(primitive.at.x)}" y="{_number(primitive.at.y)}" font-size="{_number(font.size)}"'
                f" font-weight={quoteattr(str(font.weight))}"
                f' fill="{primitive.colour}"{anchor}>{escape(text.clean(primitive.text))}</text>'
            )


def path_data(path: Path) -> str:
    """A path as the value of a `d` attribute."""
    parts = [f"M{_number(path.start.x)} {_number(path.start.y)}"]
    for segment in path.segments:
        if isinstance(segment, Curve):
            numbers = " ".join(_number(value) for point in segment for value in point)
            parts.append(f"C{numbers}")
        else:
            parts.append(f"L{_number(segment.x)} {_number(segment.y)}")
    return "".join(parts)


def _place(rect: Rect) -> str:
    x, y, width, height = map(_number, rect)
    return f'x="{x}" y="{y}" width="{width}" height="{height}"'


def _stroke(colour: str, width: float, dash: tuple[float, ...]) -> str:
    pattern = f' stroke-dasharray="{" ".join(map(_number, dash))}"' if dash else ""
    return f' stroke="{colour}" stroke-width="{_number(width)}"{pattern}'


def _exact(value: float) -> str:
    """A number at full precision."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _number(value: float) -> str:
    """A number with at most two decimals and no more characters than it needs."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))
