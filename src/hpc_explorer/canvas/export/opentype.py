"""The outlines, glyph numbers and glyph widths of the shipped typeface, for PDF (OpenType 1.9)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from hpc_explorer.canvas import text


@dataclass(frozen=True)
class FontFile:
    """One weight of the typeface.

    Args:
        name: its PostScript name.
        outlines: its table `CFF `, whose glyphs have the numbers of `glyphs`.
        glyphs: the glyph number of each character of the Basic Multilingual Plane.
        widths: by glyph number, in thousandths of an em.
        box: around all glyphs, in thousandths of an em: left, bottom, right, top.
        ascent, descent: of a line, in thousandths of an em.
    """

    name: str
    outlines: bytes
    glyphs: Mapping[str, int]
    widths: tuple[int, ...]
    box: tuple[int, int, int, int]
    ascent: int
    descent: int


@cache
def font_file(weight: int) -> FontFile:
    """The typeface in a weight: 400, 500 or 600."""
    path = text.FONT_FILES[weight]
    data = path.read_bytes()
    (count,) = struct.unpack_from(">H", data, 4)
    tables: dict[bytes, bytes] = {}
    for at in range(count):
        tag, _, start, length = struct.unpack_from(">4sIII", data, 12 + 16 * at)
        tables[tag] = data[start : start + length]
    em: int = struct.unpack_from(">H", tables[b"head"], 18)[0]
    ascent, descent = struct.unpack_from(">hh", tables[b"hhea"], 4)
    (measured,) = struct.unpack_from(">H", tables[b"hhea"], 34)
    (glyph_count,) = struct.unpack_from(">H", tables[b"maxp"], 4)
    widths = [struct.unpack_from(">H", tables[b"hmtx"], 4 * at)[0] for at in range(measured)]
    widths += [widths[-1]] * (glyph_count - measured)

    def thousandths(units: int) -> int:
        return round(units * 1000 / em)

    left, bottom, right, top = struct.unpack_from(">4h", tables[b"head"], 36)
    return FontFile(
        path.stem,
        tables[b"CFF "],
        _glyphs(tables[b"cmap"]),
        tuple(map(thousandths, widths)),
        (thousandths(left), thousandths(bottom), thousandths(right), thousandths(top)),
        thousandths(ascent),
        thousandths(descent),
    )


def _glyphs(cmap: bytes) -> dict[str, int]:
    """The subtable of format 4 for Windows, which the shipped files have."""
    (count,) = struct.unpack_from(">H", cmap, 2)
    records = [struct.unpack_from(">HHI", cmap, 4 + 8 * at) for at in range(count)]
    table = next(cmap[start:] for platform, encoding, start in records if (platform, encoding) == (3, 1))
    segments = struct.unpack_from(">H", table, 6)[0] // 2

    def column(number: int, kind: str, gap: int = 0) -> tuple[int, ...]:
        return struct.unpack_from(f">{segments}{kind}", table, 14 + 2 * segments * number + gap)

    ends, starts, deltas, offsets = column(0, "H"), column(1, "H", 2), column(2, "h", 2), column(3, "H", 2)
    found: dict[str, int] = {}
    for at, (start, end, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                place = 16 + 2 * segments * 3 + 2 * at + offset + 2 * (code - start)
                (glyph,) = struct.unpack_from(">H", table, place)
            if (glyph := (glyph + delta) % 65536 if glyph or not offset else 0) != 0:
                found[chr(code)] = glyph
    return found
