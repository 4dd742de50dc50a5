"""A picture as a PDF 1.7 of one page: vectors, an embedded typeface, searchable text.

Not written by Qt, so that the command line can write it without a screen. Text with characters that the typeface lacks
is an image at four times the size, drawn by resvg with the system's fonts. (ISO 32000-1: 8.4 and 8.5 for the drawing,
9.6 and 9.7 for the fonts.)
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hpc_explorer.canvas import text
from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect
from hpc_explorer.canvas.icons import placed
from hpc_explorer.canvas.picture import Picture
from hpc_explorer.canvas.primitives import Box, Line, Polygon, Primitive, Sign, Text, extent

POINTS = 0.75
"""Points of a page per scene unit: a unit is a pixel of 1/96 inch."""
LONGEST = 14_400.0
"""The maximum side of a page in points; larger pictures are scaled down (ISO 32000-1, annex C.2)."""
SHARPNESS = 4
"""Pixels per unit of text drawn as an image."""
_BEND = 0.5523
"""The distance of the control points of a quarter circle, as a fraction of its radius."""


def to_pdf(picture: Picture, check: Callable[[], None] = lambda: None) -> bytes:
    """The picture as the content of a PDF file; the same picture gives the same bytes.

    Args:
        picture: what to write; usually a `sheet`, which has a margin.
        check: called regularly; raises to cancel.
    """
    document = _Document()
    bounds = picture.bounds
    scale = min(POINTS, LONGEST / max(bounds.width, bounds.height, 1.0))
    page = _Page(document, picture)
    page.say("1 J 1 j")
    # From here on scene coordinates: one unit per pixel, y downwards.
    page.say(f"{_number(scale)} 0 0 {_number(-scale)} {_number(-bounds.x * scale)} {_number(bounds.bottom * scale)} cm")
    page.draw(Box(bounds, fill=picture.background))
    for at, primitive in enumerate(picture.primitives):
        if at % 256 == 0:
            check()
        page.draw(primitive)
    content = document.stream("", "\n".join(page.lines).encode("ascii"))
    fonts = " ".join(f"/F{weight} {page.font(weight)} 0 R" for weight in sorted(page.used))
    images = " ".join(f"/I{number} {number} 0 R" for number in page.images)
    size = f"{_number(bounds.width * scale)} {_number(bounds.height * scale)}"
    pages = document.next_number + 1
    leaf = document.add(
        f"<< /Type /Page /Parent {pages} 0 R /MediaBox [0 0 {size}] /Contents {content} 0 R"
        f" /Resources << /Font << {fonts} >> /XObject << {images} >> >> >>"
    )
    document.add(f"<< /Type /Pages /Kids [{leaf} 0 R] /Count 1 >>")
    root = document.add(f"<< /Type /Catalog /Pages {pages} 0 R /ViewerPreferences << /DisplayDocTitle true >> >>")
    info = document.add(f"<< /Title {_string(picture.title)} /Subject {_string(picture.description)} >>")
    return document.written(root, info)


class _Document:
    """The numbered objects of a file."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    @property
    def next_number(self) -> int:
        return len(self._objects) + 1

    def add(self, content: str | bytes) -> int:
        """Add an object; returns its number."""
        self._objects.append(content.encode("ascii") if isinstance(content, str) else content)
        return len(self._objects)

    def stream(self, members: str, data: bytes, *, packed: bytes = b"") -> int:
        """Add a stream; `packed` is its zlib compression, if known."""
        packed = packed or zlib.compress(data, 9)
        head = f"<< {members} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
        return self.add(head.encode("ascii") + packed + b"\nendstream")

    def written(self, root: int, info: int) -> bytes:
        parts = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"]
        at, places = len(parts[0]), []
        for number, content in enumerate(self._objects, 1):
            places.append(at)
            parts.append(b"%d 0 obj\n" % number + content + b"\nendobj\n")
            at += len(parts[-1])
        table = "".join(f"{place:010d} 00000 n \n" for place in places)
        count = len(places) + 1
        tail = f"xref\n0 {count}\n0000000000 65535 f \n{table}"
        tail += f"trailer\n<< /Size {count} /Root {root} 0 R /Info {info} 0 R >>\nstartxref\n{at}\n%%EOF\n"
        return b"".join(parts) + tail.encode("ascii")


class _Page:
    """The drawing operators of a page, and the fonts and images it uses.

    Attributes:
        lines: the operators.
        used: the characters used in each weight.
        images: the numbers of the images.
    """

    def __init__(self, document: _Document, picture: Picture) -> None:
        self._document = document
        self._picture = picture
        self.lines: list[str] = []
        self.used: dict[int, set[str]] = {}
        self.images: list[int] = []

    def say(self, line: str) -> None:
        self.lines.append(line)

    def draw(self, primitive: Primitive) -> None:
        match primitive:
            case Box():
                self.say(_box_path(primitive.rect, primitive.radius))
                self._paint(primitive.fill, primitive.stroke, primitive.stroke_width, primitive.dash)
            case Line():
                self.say(_path(primitive.path))
                self._paint(None, primitive.stroke, primitive.stroke_width, primitive.dash)
            case Polygon():
                start, *others = primitive.points
                self.say(_path(Path(start, tuple(others))) + " h")
                self._paint(primitive.fill, primitive.stroke, primitive.stroke_width)
            case Sign():
                self.say(" ".join(map(_path, placed(primitive.icon, primitive.square))))
                self._paint(None, primitive.colour, primitive.stroke_width)
            case Text():
                if primitive.patch is not None:
                    self.draw(primitive.patch)
                self._text(primitive)

    def _paint(self, fill: str | None, stroke: str | None, width: float, dash: Sequence[float] = ()) -> None:
        if stroke:
            pattern = " ".join(map(_number, dash))
            self.say(f"{_colour(stroke)} RG {_number(width)} w [{pattern}] 0 d")
        if fill:
            self.say(f"{_colour(fill)} rg")
        self.say("B" if fill and stroke else "f" if fill else "S" if stroke else "n")

    def _text(self, item: Text) -> None:
        said = text.clean(item.text)
        font = font_file(item.font.weight)
        if not said:
            return
        if not all(character in font.glyphs for character in said):
            self._image(item, said)
            return
        self.used.setdefault(item.font.weight, set()).update(said)
        width = sum(font.widths[font.glyphs[character]] for character in said) * item.font.size / 1000
        x = item.at.x - {"start": 0.0, "middle": width / 2, "end": width}[item.anchor]
        glyphs = "".join(f"{font.glyphs[character]:04X}" for character in said)
        self.say(
            f"BT {_colour(item.colour)} rg /F{item.font.weight} {_number(item.font.size)} Tf"
            f" 1 0 0 -1 {_number(x)} {_number(item.at.y)} Tm <{glyphs}> Tj ET"
        )

    def _image(self, item: Text, said: str) -> None:
        """The text as an image on its background colour, with the text for copying."""
        from hpc_explorer.canvas.export.png import chunks, draw_svg
        from hpc_explorer.canvas.export.svg import to_svg

        room = extent(item).grown(2.0)
        whole = Rect(int(room.x), int(room.y), int(room.width) + 2.0, int(room.height) + 2.0)
        alone = Picture((Text(item.at, said, item.font, item.colour, item.anchor),), whole, self._behind(item))
        found = chunks(draw_svg(to_svg(alone, scale=SHARPNESS, embed_fonts=False), system_fonts=True))
        width, height = struct.unpack_from(">II", found.head)
        # The image has four channels; its colour transform drops the last, which is always opaque.
        drop = self._document.stream("/FunctionType 4 /Domain [0 1 0 1 0 1 0 1] /Range [0 1 0 1 0 1]", b"{ pop }")
        number = self._document.stream(
            f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8 /Interpolate true"
            f" /ColorSpace [/DeviceN [/Red /Green /Blue /Opaque] /DeviceRGB {drop} 0 R]"
            f" /DecodeParms << /Predictor 15 /Colors 4 /BitsPerComponent 8 /Columns {width} >>",
            b"",
            packed=found.data,
        )
        self.images.append(number)
        place = f"{_number(whole.width)} 0 0 {_number(-whole.height)} {_number(whole.x)} {_number(whole.bottom)} cm"
        self.say(f"/Span << /ActualText {_string(said)} >> BDC q {place} /I{number} Do Q EMC")

    def _behind(self, item: Text) -> str:
        """The colour behind a text."""
        if item.patch is not None and item.patch.fill:
            return item.patch.fill
        colour = self._picture.background
        for other in self._picture.primitives:
            if other is item:
                break
            if isinstance(other, Box) and other.fill and other.rect.contains(Point(item.at.x, item.at.y - 1.0)):
                colour = other.fill
        return colour

    def font(self, weight: int) -> int:
        """Embed a weight of the typeface; returns the number of the font."""
        font, document = font_file(weight), self._document
        used = {font.glyphs[character]: character for character in sorted(self.used[weight])}
        data = document.stream("/Subtype /CIDFontType0C", font.outlines)
        box = " ".join(map(str, font.box))
        cap_height = round(text.cap_height(text.Font(1000, weight)))
        descriptor = document.add(
            f"<< /Type /FontDescriptor /FontName /{font.name} /Flags 4 /FontBBox [{box}] /ItalicAngle 0"
            f" /Ascent {font.ascent} /Descent {font.descent} /CapHeight {cap_height} /StemV {weight // 5}"
            f" /FontFile3 {data} 0 R >>"
        )
        widths = " ".join(f"{glyph} [{font.widths[glyph]}]" for glyph in sorted(used))
        descendant = document.add(
            f"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{font.name} /FontDescriptor {descriptor} 0 R"
            f" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [{widths}] >>"
        )
        meaning = document.stream("", _to_unicode(used).encode("ascii"))
        return document.add(
            f"<< /Type /Font /Subtype /Type0 /BaseFont /{font.name}-Identity-H /Encoding /Identity-H"
            f" /DescendantFonts [{descendant} 0 R] /ToUnicode {meaning} 0 R >>"
        )


def _to_unicode(used: dict[int, str]) -> str:
    """The character of each glyph (ISO 32000-1, 9.10.3), in lists of at most a hundred."""
    pairs = [f"<{glyph:04X}> <{ord(character):04X}>" for glyph, character in sorted(used.items())]
    lists = [pairs[at : at + 100] for at in range(0, len(pairs), 100)]
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
            "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
            "1 begincodespacerange <0000> <FFFF> endcodespacerange",
            *(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in lists),
            "endcmap CMapName currentdict /CMap defineresource pop end end",
        ]
    )


def _box_path(rect: Rect, radius: float) -> str:
    radius = min(radius, rect.width / 2, rect.height / 2)
    if radius <= 0:
        return f"{' '.join(map(_number, rect))} re"
    x, y, right, bottom = rect.x, rect.y, rect.right, rect.bottom
    bend = radius * (1 - _BEND)
    corners = (
        ((right - radius, y), (right - bend, y), (right, y + bend), (right, y + radius)),
        ((right, bottom - radius), (right, bottom - bend), (right - bend, bottom), (right - radius, bottom)),
        ((x + radius, bottom), (x + bend, bottom), (x, bottom - bend), (x, bottom - radius)),
        ((x, y + radius), (x, y + bend), (x + bend, y), (x + radius, y)),
    )
    segments: list[Point | Curve] = []
    for start, first, second, end in corners:
        segments += [Point(*start), Curve(Point(*first), Point(*second), Point(*end))]
    return _path(Path(Point(x + radius, y), tuple(segments))) + " h"


def _path(path: Path) -> str:
    parts = [f"{_number(path.start.x)} {_number(path.start.y)} m"]
    for segment in path.segments:
        if isinstance(segment, Curve):
            parts.append(" ".join(_number(value) for point in segment for value in point) + " c")
        else:
            parts.append(f"{_number(segment.x)} {_number(segment.y)} l")
    return " ".join(parts)


def _colour(colour: str) -> str:
    return " ".join(_number(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))


def _number(value: float) -> str:
    """A number with at most four decimals; PDF has no exponents."""
    return f"{value:.4f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def _string(said: str) -> str:
    """A text string in UTF-16, which holds any character."""
    return f"<FEFF{text.clean(said).encode('utf-16-be').hex().upper()}>"


# The outlines, glyph numbers and glyph widths of the shipped typeface (OpenType 1.9)


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
