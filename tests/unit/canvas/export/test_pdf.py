"""Pictures as PDF: read by another program, with text to be searched, in vectors, the same on every machine."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from pypdf import PdfReader

from hpc_explorer.canvas import text
from hpc_explorer.canvas.export.page import sheet
from hpc_explorer.canvas.export.pdf import LONGEST, POINTS, font_file, to_pdf
from hpc_explorer.canvas.geometry import Rect
from hpc_explorer.canvas.layout import arrange
from hpc_explorer.canvas.palette import LIGHT, PRINT, THEMES, Theme
from hpc_explorer.canvas.picture import Picture, draw
from hpc_explorer.canvas.scene import Scene, SceneNode
from hpc_explorer.canvas.text import Font
from hpc_explorer.errors import Cancelled
from tests.helpers.examples import examples
from tests.helpers.scenes import scenes, story


def page(scene: Scene, theme: Theme = LIGHT) -> Picture:
    return sheet(draw(scene, arrange(scene), theme), theme)


def read(content: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(content), strict=True)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_pdf_is_one_page_of_the_size_of_the_picture_whose_text_can_be_copied(theme: Theme) -> None:
    picture = page(story(), theme)
    reader = read(to_pdf(picture))
    (leaf,) = reader.pages
    assert (leaf.mediabox.width, leaf.mediabox.height) == (
        picture.bounds.width * POINTS,
        picture.bounds.height * POINTS,
    )
    copied = leaf.extract_text()
    for expected in ("Where decisionTree.onnx comes from", "Mira Solberg", "Dataset · 1,204 rows", "was derived from"):
        assert expected in copied
    assert reader.metadata is not None
    assert reader.metadata.title == "Where decisionTree.onnx comes from"
    assert "7 nodes, 7 links" in (reader.metadata.subject or "")


def test_its_fonts_are_in_it_and_nothing_is_an_image() -> None:
    (leaf,) = read(to_pdf(page(story()))).pages
    resources = leaf["/Resources"]
    fonts = resources["/Font"]
    assert sorted(fonts) == ["/F400", "/F500", "/F600"]
    for font in fonts.values():
        descriptor = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
        assert len(descriptor["/FontFile3"].get_object().get_data()) > 50_000
    assert not resources["/XObject"]


def test_the_same_picture_gives_the_same_bytes_and_few_of_them() -> None:
    assert to_pdf(page(story())) == to_pdf(page(story()))
    assert len(to_pdf(page(story()))) < 300_000


def test_what_the_typeface_lacks_is_an_image_that_says_its_text() -> None:
    scene = Scene((SceneNode("a", "高性能计算", "Dataset"), SceneNode("b", "plain", "Dataset")))
    (leaf,) = read(to_pdf(page(scene))).pages
    (image,) = leaf["/Resources"]["/XObject"].values()
    found = image.get_object()
    # Four bytes for each pixel, and the filter of each row: the content is what the members say.
    assert len(found.get_data()) == 4 * found["/Width"] * found["/Height"]
    content = leaf.get_contents()
    assert content is not None
    assert f"FEFF{'高性能计算'.encode('utf-16-be').hex().upper()}".encode() in content.get_data()


def test_a_picture_larger_than_a_page_may_be_is_drawn_smaller() -> None:
    (leaf,) = read(to_pdf(Picture((), Rect(0, 0, 40_000, 10_000), "#ffffff"))).pages
    assert (leaf.mediabox.width, leaf.mediabox.height) == (LONGEST, LONGEST / 4)


def test_it_can_be_abandoned() -> None:
    def stop() -> None:
        raise Cancelled("nobody wants it")

    with pytest.raises(Cancelled):
        to_pdf(page(story()), stop)


@examples(25)
@given(scenes(most=8))
def test_any_picture_can_be_read_back(scene: Scene) -> None:
    (leaf,) = read(to_pdf(page(scene, PRINT))).pages
    assert isinstance(leaf.extract_text(), str)


@pytest.mark.parametrize("weight", text.FONT_FILES)
def test_the_font_file_agrees_with_the_table_of_widths(weight: int) -> None:
    font = font_file(weight)
    assert font.name.startswith("Inter-")
    assert font.ascent > 0 > font.descent
    for character in "AZaz09 .,:·…—éßŁ×→":
        assert font.widths[font.glyphs[character]] == pytest.approx(text.width(character, Font(1000, weight)), abs=1)
    assert all(text.covered(character) for character in font.glyphs)
