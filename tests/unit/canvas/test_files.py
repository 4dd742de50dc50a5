"""Pictures as SVG and PNG: valid, readable to others, the same on every machine."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET
import zlib

import pytest
from hypothesis import given

from hpc_explorer.canvas.export.page import sheet
from hpc_explorer.canvas.export.png import scale_for_width, to_png
from hpc_explorer.canvas.export.svg import path_data, to_svg
from hpc_explorer.canvas.geometry import Curve, Path, Point, Rect
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import DARK, LIGHT
from hpc_explorer.canvas.picture import Picture, draw
from hpc_explorer.canvas.scene import Scene, SceneNode
from hpc_explorer.errors import Cancelled, UsageError
from tests.helpers.scenes import scenes, story

SVG = "{http://www.w3.org/2000/svg}"


def page(scene: Scene) -> Picture:
    return sheet(draw(scene, arrange(scene), LIGHT), LIGHT)


def pixels(png: bytes) -> tuple[int, list[bytes]]:
    """The width and the rows of an eight-bit RGBA image that is not interlaced."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data, width, height = 8, b"", 0, 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 6)
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    raw = zlib.decompress(data)
    rows: list[bytes] = []
    before = bytes(4 * width)
    for row in range(height):
        start = row * (4 * width + 1)
        before = _unfiltered(raw[start], raw[start + 1 : start + 1 + 4 * width], before)
        rows.append(before)
    return width, rows


def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """A row without its filter (PNG specification, section 9)."""
    row = bytearray(line)
    for at in range(len(row)):
        left, up, corner = (row[at - 4] if at >= 4 else 0), above[at], (above[at - 4] if at >= 4 else 0)
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
        else:
            guess = 0
        row[at] = (row[at] + guess) % 256
    return bytes(row)


def test_an_svg_stands_alone_and_is_accessible() -> None:
    document = ET.fromstring(to_svg(page(story())))
    title, description = document.find(f"{SVG}title"), document.find(f"{SVG}desc")
    assert title is not None
    assert title.text == "Where decisionTree.onnx comes from"
    assert description is not None
    assert "7 nodes, 7 links" in (description.text or "")
    assert document.get("role") == "img"
    assert "decisionTree.onnx" in [text.text for text in document.iter(f"{SVG}text")]
    style = document.find(f"{SVG}style")
    assert style is not None
    assert (style.text or "").count("@font-face") == 3


def test_an_svg_without_fonts_is_small_and_names_them() -> None:
    svg = to_svg(page(story()), embed_fonts=False)
    assert len(svg) < 30_000
    assert "Inter" in svg
    assert "@font-face" not in svg


@given(scenes(most=10))
def test_any_text_makes_valid_xml(scene: Scene) -> None:
    ET.fromstring(to_svg(page(scene), embed_fonts=False))


def test_hostile_texts_are_only_texts() -> None:
    scene = Scene((SceneNode("a", "</text><script>alert(1)</script>", 'a "class" & <more>\x00'),), (), "<b>&")
    document = ET.fromstring(to_svg(page(scene), embed_fonts=False))
    assert not list(document.iter(f"{SVG}script"))
    assert "alert(1)" in "".join(text.text or "" for text in document.iter(f"{SVG}text"))


def test_paths_are_written_shortly() -> None:
    path = Path(Point(0, 0.5), (Point(8, 0.5), Curve(Point(9, 0.25), Point(10, 1.126), Point(11, 2))))
    assert path_data(path) == "M0 0.5L8 0.5C9 0.25 10 1.13 11 2"


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_a_png_has_the_size_of_the_page_at_any_scale(scale: float) -> None:
    picture = page(story())
    width, height = struct.unpack(">II", to_png(picture, scale=scale)[16:24])
    assert (width, height) == (round(picture.bounds.width * scale), round(picture.bounds.height * scale))


def test_a_png_is_opaque_and_shows_text_and_colours() -> None:
    for theme in (LIGHT, DARK):
        scene = story()
        picture = sheet(draw(scene, arrange(scene), theme), theme)
        width, rows = pixels(to_png(picture))
        colours = {row[at : at + 4] for row in rows for at in range(0, 4 * width, 4)}
        assert all(colour[3] == 255 for colour in colours)
        for wanted in (theme.background, theme.surface, theme.classes["data"], theme.classes["model"]):
            assert bytes.fromhex(wanted[1:]) + b"\xff" in colours
        card = picture.cards["model"]
        inside = {
            rows[y][4 * x : 4 * x + 3]
            for y in range(round(card.y) + 8, round(card.bottom) - 8)
            for x in range(round(card.x) + 20, round(card.right) - 8)
        }
        assert len(inside) > 20, "there is no text in the card"


def test_the_same_picture_gives_the_same_bytes() -> None:
    assert to_png(page(story())) == to_png(page(story()))


def test_an_svg_draws_the_signs_and_shapes() -> None:
    document = ET.fromstring(to_svg(page(story()), embed_fonts=False))
    signs = [path for path in document.iter(f"{SVG}path") if path.get("stroke") == LIGHT.surface]
    # Seven cards and six entries of the legend.
    assert len(signs) == 7 + 6
    corners = [len((item.get("points") or "").split()) for item in document.iter(f"{SVG}polygon")]
    assert corners.count(6) == 2, "a person stands on a hexagon, on the card and in the legend"


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1.0, 1.3])
def test_an_image_drawn_in_strips_is_the_same_image(scale: float) -> None:
    picture = page(story())
    whole = to_png(picture, scale=scale)
    checked: list[None] = []
    strips = to_png(picture, scale=scale, strip=60_000, check=lambda: checked.append(None))
    assert len(checked) > 5
    assert whole[16:24] == strips[16:24], "the size"
    apart = 0
    (width, rows), (_, others) = pixels(whole), pixels(strips)
    for row, other in zip(rows, others, strict=True):
        apart += sum(abs(a - b) > 24 for a, b in zip(row, other, strict=True)) if row != other else 0
    assert apart <= len(rows) * width * 4 / 5000, "where strips meet only the smoothing may differ"


def test_an_image_can_be_abandoned_between_strips() -> None:
    def stop() -> None:
        raise Cancelled("nobody wants it")

    with pytest.raises(Cancelled):
        to_png(page(story()), strip=60_000, check=stop)


@pytest.mark.parametrize("width", [64, 333, 1000, 4001])
def test_an_image_has_the_width_that_was_asked_for(width: int) -> None:
    picture = page(story())
    png = to_png(picture, scale=scale_for_width(picture, width))
    assert struct.unpack(">I", png[16:20]) == (width,)


def test_texts_the_typeface_lacks_are_drawn_too() -> None:
    assert to_png(page(Scene((SceneNode("a", "高性能计算", "Dataset"),))))


@pytest.mark.parametrize("scale", [0.0, -1.0, 1000.0, float("nan"), float("inf")])
def test_an_image_of_impossible_size_is_refused(scale: float) -> None:
    with pytest.raises(UsageError, match="cannot be drawn"):
        to_png(page(story()), scale=scale)
    with pytest.raises(UsageError):
        to_png(Picture((), Rect(0, 0, 0, 0), "#ffffff"))
