"""A picture as a PNG, without a window system: resvg draws the SVG with the shipped typeface.

A large image is drawn in strips, which limits memory to `STRIP` pixels and the compressed content.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from hpc_explorer.canvas import text
from hpc_explorer.canvas.export.svg import to_svg
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.picture import Picture
from hpc_explorer.canvas.primitives import Text, extent
from hpc_explorer.errors import UsageError

MOST_PIXELS = 1_000_000_000
"""The maximum number of pixels; few programs open larger images."""
LONGEST = 65_000
"""The maximum side in pixels; most programs reject longer ones."""
STRIP = 8_000_000
"""The number of pixels drawn at once: about 100 MB."""
_BEYOND = 32.0
"""The scene units by which text may exceed its measured extent."""


def image_size(picture: Picture, scale: float) -> tuple[int, int]:
    """Width and height in pixels of the image of a picture.

    Raises:
        UsageError: the image would have no pixels, or more than `MOST_PIXELS`, or a side longer than `LONGEST`.
    """
    width, height = picture.bounds.width * scale, picture.bounds.height * scale
    if not (1 <= width <= LONGEST and 1 <= height <= LONGEST and width * height <= MOST_PIXELS):
        raise UsageError(
            f"a picture of {width:,.0f} × {height:,.0f} pixels cannot be drawn",
            f"scale {scale:g}",
            "choose another scale, show less, or write an SVG or PDF",
        )
    return round(width), round(height)


def to_png(
    picture: Picture, *, scale: float = 1.0, check: Callable[[], None] = lambda: None, strip: int = STRIP
) -> bytes:
    """The picture as the content of a PNG file.

    System fonts are only used if the picture has characters that the typeface lacks.

    Args:
        picture: what to draw; usually a `sheet`, which has a margin.
        scale: pixels per scene unit; 2 for twice as sharp.
        check: called between strips; raises to cancel.
        strip: the number of pixels drawn at once.

    Raises:
        UsageError: the image cannot be that large (`image_size`).
    """
    width, height = image_size(picture, scale)
    if width * height <= strip:
        return _drawn(picture, scale)
    rows = max(1, strip // width)
    packer = zlib.compressobj(6)
    packed: list[bytes] = []
    for first in range(0, height, rows):
        check()
        count = min(rows, height - first)
        place = Rect(picture.bounds.x, picture.bounds.y + first / scale, picture.bounds.width, count / scale)
        part = chunks(_drawn(_within(picture, place), scale))
        drawn_width, drawn_count = struct.unpack_from(">II", part.head)
        assert (drawn_width, drawn_count) == (width, count)
        packed.append(packer.compress(_standing_alone(zlib.decompress(part.data), width)))
    packed.append(packer.flush())
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = [b"\x89PNG\r\n\x1a\n", _chunk(b"IHDR", head)]
    parts += [_chunk(b"IDAT", data) for data in packed if data]
    return b"".join([*parts, _chunk(b"IEND", b"")])


def draw_svg(svg: str, *, system_fonts: bool) -> bytes:
    """An SVG that `to_svg` wrote without fonts, as the content of a PNG file of its size."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            font_files=[str(path) for path in text.FONT_FILES.values()],
            skip_system_fonts=not system_fonts,
        )
    )


def _drawn(picture: Picture, scale: float) -> bytes:
    own_glyphs = all(text.covered(item.text) for item in picture.primitives if isinstance(item, Text))
    return draw_svg(to_svg(picture, scale=scale, embed_fonts=False), system_fonts=not own_glyphs)


def _within(picture: Picture, place: Rect) -> Picture:
    """A part of a picture, with only the visible primitives."""
    near = place.grown(_BEYOND)
    return replace(
        picture, primitives=tuple(one for one in picture.primitives if extent(one).overlaps(near)), bounds=place
    )


# -- the file format (PNG specification, third edition: 5 for chunks, 9 for filters)


class Chunks(NamedTuple):
    """The header and the compressed rows of a PNG file."""

    head: bytes
    data: bytes


def chunks(png: bytes) -> Chunks:
    """The chunks of a PNG file with eight bits per channel and an alpha channel, not interlaced."""
    head, data = b"", []
    for kind, content in _each_chunk(png):
        if kind == b"IHDR":
            head = content
        elif kind == b"IDAT":
            data.append(content)
    assert head[8:] == bytes((8, 6, 0, 0, 0))
    return Chunks(head, b"".join(data))


def _each_chunk(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        yield kind, png[at + 8 : at + 8 + length]
        at += 12 + length


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _standing_alone(rows: bytes, width: int) -> bytes:
    """The rows of a strip, the first of them without a filter.

    A row is stored as its difference from the row above, which the first row of a strip lacks, although the whole image
    has it.
    """
    channels, stride = 4, 4 * width
    kind, row = rows[0], bytearray(rows[1 : 1 + stride])
    # Without a row above: "up" adds nothing, "Paeth" is "sub", "average" adds half of the left pixel.
    if kind in (1, 3, 4):
        half = kind == 3
        for at in range(channels, stride):
            left = row[at - channels]
            row[at] = (row[at] + (left // 2 if half else left)) % 256
    return b"\x00" + bytes(row) + rows[1 + stride :]


def scale_for_width(picture: Picture, width: int) -> float:
    """The scale at which a picture has a width in pixels."""
    return math.nextafter(width / picture.bounds.width, 0.0) if picture.bounds.width else 1.0
